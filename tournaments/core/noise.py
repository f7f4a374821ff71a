"""The luck of the draw: forty bits for each possible pair, from the round's key and nothing else.

A round's key is drawn when the round is called (docs/format.md, "Randomness"), before anybody can know what it will do.
noise(key, a, b) = the first 40 bits of SHA-256("arbiter/noise/v1" NUL ‖ key ‖ low number as u32 ‖ high number as u32).
"""

import struct
from hashlib import sha256

BITS = 40
DOMAIN = b"arbiter/noise/v1\0"
pair = struct.Struct(">II").pack


def noise(key: bytes, a: int, b: int) -> int:
    low, high = (a, b) if a < b else (b, a)
    return int.from_bytes(sha256(DOMAIN + key + pair(low, high)).digest()[:5], "big")


def lot(key: bytes, number: int) -> int:
    """One entrant's place in a random order of all."""
    return noise(key, number, number)
