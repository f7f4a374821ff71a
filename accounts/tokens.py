"""How a token looks: `arb_`, thirty random characters, six of checksum. Secret scanners find it by its prefix, and a
mistyped or invented one is refused without asking the database."""

import hashlib
import secrets
import string
from zlib import crc32

PREFIX = "arb_"
BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
RANDOM, CHECKSUM = 30, 6  # 178 bits; 62^6 > 2^32
LENGTH = len(PREFIX) + RANDOM + CHECKSUM


def new_token() -> str:
    body = PREFIX + "".join(secrets.choice(BASE62) for _ in range(RANDOM))
    return body + checksum(body)


def checksum(body: str) -> str:
    number, digits = crc32(body.encode()), ""
    for _ in range(CHECKSUM):
        number, digit = divmod(number, 62)
        digits = BASE62[digit] + digits
    return digits


def is_token(text: str) -> bool:
    """Whether this could be one of ours at all."""
    return (
        len(text) == LENGTH
        and text.isascii()
        and text.startswith(PREFIX)
        and text[-CHECKSUM:] == checksum(text[:-CHECKSUM])
    )


def digest(token: str) -> bytes:
    """What is stored. A plain hash is enough: 178 random bits cannot be guessed, and it must be one indexed look-up."""
    return hashlib.sha256(token.encode()).digest()
