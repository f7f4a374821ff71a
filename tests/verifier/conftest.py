import io

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from events import verifier
from tests.verifier.exports import Feed, Game, small_game


@pytest.fixture(scope="module")
def game() -> Game:
    """One of every kind of record, in a feed with other streams' events before and after it."""
    feed = Feed()
    Game("gam_before", feed=feed).begin()
    game = small_game(feed=feed)
    Game("gam_after", feed=feed).begin()
    return game


@pytest.fixture(scope="module")
def tiny() -> Game:
    """Small enough to change each of its bytes."""
    game = Game("gam_tiny", seats=1).begin().ready()
    game.draw("shuffle", "deck", ["b", "ä", "a"], only=1)
    return game.add("rule", texts=[("why", "schön")])


@pytest.fixture
def fast_signatures(monkeypatch):
    """The same answers about signatures, a hundred times faster than the verifier's plain integers."""

    def check(public_key, message, signature):
        try:
            Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
        except InvalidSignature:
            return False
        return True

    monkeypatch.setattr(verifier, "ed25519_verify", check)


def lines_of(blob: bytes) -> list[bytes]:
    return list(io.BytesIO(blob))
