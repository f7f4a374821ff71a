"""Signature, inclusion, consistency: each proves nothing without the one before it."""

import json

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from events.verifier import ORDER, ed25519_verify, verify
from tests.verifier.exports import Feed, Game, dumps, small_game

pytestmark = pytest.mark.embedded  # no database in it: once is enough


def statuses(report):
    return {name: report.sections[name].status for name in ("signature", "inclusion", "consistency")}


def with_proof(lines, **changes):
    """The lines with some fields of the proof changed."""
    return [dumps(json.loads(line) | changes) + b"\n" if b'"t":"proof"' in line else line for line in lines]


def test_a_proof_under_a_checkpoint_that_nobody_signed_fails(game):
    proof = json.loads(next(line for line in game.lines() if b'"t":"proof"' in line))
    for wrong in (
        {"signature": "0" * 128},
        {"signature": proof["signature"][:-2] + "00"},
        {"checkpoint": proof["checkpoint"] | {"size": proof["checkpoint"]["size"] + 1}},
        {"checkpoint": proof["checkpoint"] | {"origin": "elsewhere"}},
        {"checkpoint": proof["checkpoint"] | {"key": "0" * 16}},
        {"public_key": Ed25519PrivateKey.generate().public_key().public_bytes_raw().hex()},
    ):
        report = verify(with_proof(game.lines(), **wrong))
        assert statuses(report) | {"consistency": 0} == {"signature": "failed", "inclusion": "failed", "consistency": 0}
        assert "not verified" in report.sections["inclusion"].detail


def test_a_key_of_ones_own_is_found_out_by_pinning(game):
    """Who makes up a history can sign it, but not with the key that was published."""
    published = Feed().public.hex()
    forger = Feed(key=Ed25519PrivateKey.generate())
    forged = small_game(feed=forger).lines()
    assert verify(forged).ok
    assert "COMPARE" in verify(forged).sections["signature"].detail
    assert verify(game.lines(), keys=[published]).ok
    assert statuses(verify(forged, keys=[published]))["signature"] == "failed"
    assert verify(forged, keys=[published, forger.public.hex()]).ok


def test_inclusion_at_another_place_fails(game):
    proof = json.loads(next(line for line in game.lines() if b'"t":"proof"' in line))
    for wrong in ({"position": proof["position"] - 1}, {"position": 0}, {"seq": 3}, {"inclusion": []}):
        report = verify(with_proof(game.lines(), **wrong))
        assert (statuses(report)["signature"], statuses(report)["inclusion"]) == ("ok", "failed")


def test_events_after_the_checkpoint_are_said_to_be_outside(game):
    feed = Feed()
    late = small_game(feed=feed)
    proof = next(line for line in late.lines() if b'"t":"proof"' in line)
    late.add("answer")
    lines = [proof if b'"t":"proof"' in line else line for line in late.lines()]
    report = verify(lines)
    assert report.ok
    assert "events 10 to 10 came later" in report.sections["inclusion"].detail


@pytest.fixture
def grown():
    """A feed of which a checkpoint at size 5 was kept, and that went on."""
    feed = Feed()
    game = small_game(feed=feed)
    Game("gam_other", feed=feed).begin()
    return feed, game


def checkpoint_line(feed, size, **changes):
    return dumps({"t": "checkpoint", **feed.signed(size), **changes}) + b"\n"


def test_an_older_checkpoint_describes_the_beginning_of_the_same_history(grown):
    feed, game = grown
    kept = checkpoint_line(feed, 5)
    lines = game.lines(since=5)
    assert verify(lines, checkpoint=[kept]).sections["consistency"].status == "ok"
    beside = [kept, next(line for line in lines if b'"t":"consistency"' in line)]
    assert verify(game.lines(), checkpoint=beside).ok, "the proof may lie beside the checkpoint as well"
    assert verify(game.lines(), checkpoint=[checkpoint_line(feed, len(feed.leaves))]).ok, "the same size needs none"


def test_a_checkpoint_may_be_kept_as_the_service_replied(grown):
    """With other spaces, another order of keys, without a line feed: what counts is what was signed."""
    feed, game = grown
    reply = json.dumps({"t": "checkpoint", **dict(reversed(feed.signed(5).items()))}).encode()
    proof = next(line for line in game.lines(since=5) if b'"t":"consistency"' in line)
    assert verify(game.lines(), checkpoint=[reply + b"\n", b"\n", json.dumps(json.loads(proof)).encode()]).ok
    assert not verify(game.lines(), checkpoint=[reply.replace(b'"size": 5', b'"size": 4'), proof]).ok


def test_an_older_export_will_do_as_a_checkpoint():
    feed = Feed()
    game = small_game(feed=feed)
    older = game.lines()
    size = len(feed.leaves)
    game.add("answer")
    assert verify(game.lines(since=size), checkpoint=older).sections["consistency"].status == "ok"


def test_a_rewritten_history_does_not_continue_the_kept_checkpoint(grown):
    feed, game = grown
    other = Feed()
    Game("gam_0001", feed=other).begin().ready().add("answer", {"rewritten": True})
    kept = checkpoint_line(other, 5)
    report = verify(game.lines(since=5), checkpoint=[kept])
    assert report.sections["consistency"].status == "failed"
    assert "history was rewritten" in report.sections["consistency"].detail
    same_size = Feed([bytes(32)] * len(feed.leaves))
    assert not verify(game.lines(), checkpoint=[checkpoint_line(same_size, len(feed.leaves))]).ok


def test_consistency_that_was_asked_for_and_cannot_be_shown_fails(grown):
    feed, game = grown
    kept = checkpoint_line(feed, 5)
    for lines, beside, words in [
        (game.lines(), [kept], "neither file has the proof"),
        (game.lines(since=4), [kept], "neither file has the proof"),
        (game.lines(proof=False), [kept], "no verified checkpoint"),
        (game.lines(since=5), [], "there is none"),
        (game.lines(since=5), [b"{}\n"], "a line of it"),
        (game.lines(since=5), [kept.replace(b"arbiter.example", b"\\ud800")], "a line of it"),
        (game.lines(since=5), [b"[" * 100_000 + b"\n"], "a line of it"),
        (game.lines(since=5), [checkpoint_line(feed, 5, signature="0" * 128)], "signature does not fit"),
    ]:
        report = verify(lines, checkpoint=beside)
        assert report.sections["consistency"].status == "failed"
        assert words in report.sections["consistency"].detail


def test_two_logs_are_not_one_history(grown, monkeypatch):
    feed, game = grown
    monkeypatch.setattr("tests.verifier.exports.ORIGIN", "elsewhere")
    kept = checkpoint_line(feed, 5)
    monkeypatch.undo()
    assert "two logs" in verify(game.lines(since=5), checkpoint=[kept]).sections["consistency"].detail


# --- Ed25519 in plain integers against the library, and against RFC 8032 section 7.1 ---

RFC_8032 = [
    ("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
    ("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
    ("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
     "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"),
]  # fmt: skip


@pytest.mark.parametrize(("key", "message", "signature"), RFC_8032)
def test_signatures_of_the_rfc(key, message, signature):
    key, message, signature = map(bytes.fromhex, (key, message, signature))
    assert ed25519_verify(key, message, signature)
    assert not ed25519_verify(key, message + b"x", signature)
    s = int.from_bytes(signature[32:], "little") + ORDER  # the same signature in other bytes
    assert not ed25519_verify(key, message, signature[:32] + s.to_bytes(32, "little"))


@settings(max_examples=25, deadline=None)
@given(
    st.binary(min_size=32, max_size=32),
    st.binary(max_size=80),
    st.integers(0, 511),
    st.binary(min_size=32, max_size=32),
)
def test_signatures_of_the_library_and_no_changed_ones(seed, message, bit, noise):
    private = Ed25519PrivateKey.from_private_bytes(seed)
    key, signature = private.public_key().public_bytes_raw(), private.sign(message)
    assert ed25519_verify(key, message, signature)
    flipped = (int.from_bytes(signature, "big") ^ 1 << bit).to_bytes(64, "big")
    assert not ed25519_verify(key, message, flipped)
    assert not ed25519_verify(noise, message, signature)
