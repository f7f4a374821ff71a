"""Keys that sign checkpoints (Ed25519). The public halves are in the database with the time they are valid; the
private half is where the sequencer runs and nowhere else: in the environment, or in a file only its owner can read."""

import os
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from django.conf import settings
from django.db import transaction
from django.db.models import Q

from events.commands import now_ms
from events.models import SigningKey

VARIABLE = "ARBITER_SIGNING_KEY"


class NoKey(Exception):
    """Nothing can be signed; the message says what is missing and how to get it."""


def key_id(public: bytes) -> str:
    return sha256(public).hexdigest()[:16]


def folder() -> Path:
    return Path(os.environ.get("ARBITER_KEYS") or settings.DATA_DIR / "keys")


def make() -> SigningKey:
    """A new key, valid from now on; the one before it ends now. Its private half goes into a file here."""
    private = Ed25519PrivateKey.generate()
    public = private.public_key().public_bytes_raw()
    write(folder() / f"{key_id(public)}.key", private.private_bytes_raw().hex())
    return publish(public)


def publish(public: bytes) -> SigningKey:
    """Make this key the one that signs from now on."""
    now = now_ms()
    with transaction.atomic():
        SigningKey.objects.filter(until_ms=None).exclude(id=key_id(public)).update(until_ms=now)
        key, _ = SigningKey.objects.get_or_create(id=key_id(public), defaults={"public": public, "from_ms": now})
    if key.until_ms is not None:
        raise NoKey(f"key {key.id} was retired; a retired key does not sign again. Make a new one: manage.py keys make")
    return key


def ensure() -> SigningKey:
    """The key that signs, made if there never was one: how the embedded stack starts."""
    if seed := os.environ.get(VARIABLE):
        return publish(private_of(seed).public_key().public_bytes_raw())
    return current() or make()


def current() -> SigningKey | None:
    return SigningKey.objects.filter(until_ms=None).first()


def signer() -> tuple[SigningKey, Ed25519PrivateKey]:
    """The key that signs now, with its private half; NoKey when it is not to be had here. In a transaction: until its
    end the key is not retired, so nothing is signed with a key that is not valid any more."""
    key = SigningKey.objects.select_for_update().filter(until_ms=None).first()
    if key is None:
        raise NoKey("there is no signing key; make one where the sequencer runs: manage.py keys make")
    if seed := os.environ.get(VARIABLE):
        private = private_of(seed)
        if key_id(private.public_key().public_bytes_raw()) != key.id:
            raise NoKey(f"{VARIABLE} is not the key that signs now ({key.id}); after a rotation give the new one")
        return key, private
    file = folder() / f"{key.id}.key"
    try:
        return key, private_of(file.read_text().strip())
    except OSError as problem:
        raise NoKey(
            f"the private half of key {key.id} is not here ({file}: {problem.strerror}); "
            "bring it, or rotate: manage.py keys rotate"
        ) from None


def private_of(seed: str) -> Ed25519PrivateKey:
    try:
        return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed))
    except ValueError:
        raise NoKey("a private key is 64 hexadecimal digits; this one is not") from None


@lru_cache(maxsize=100)
def public_of(key: str) -> bytes:
    """Never changes: the id is its hash."""
    return bytes(SigningKey.objects.get(id=key).public)


def valid_at(key: str, at: int) -> SigningKey | None:
    """The key of that id, if it was valid at that time."""
    return SigningKey.objects.filter(Q(until_ms=None) | Q(until_ms__gte=at), id=key, from_ms__lte=at).first()


def signed(public: bytes, signature: bytes, message: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def write(file: Path, text: str) -> None:
    """Readable by its owner alone from its first moment."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
        opened.write(text + "\n")
