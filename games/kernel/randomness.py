"""Draws from one keyed, counter-based source per stream: docs/format.md, "Randomness".

The key comes from outside and is never on the table. Anyone who holds it can recompute every draw from its number,
its label and its sorted input.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item", str, int)


def _fields(*fields: bytes) -> bytes:
    return b"".join(struct.pack(">I", len(field)) + field for field in fields)


def words(key: bytes, n: int, label: str) -> Iterator[int]:
    """The endless big-endian 32-bit words of draw `n`."""
    drawn = _fields(str(n).encode(), label.encode())
    draw_key = hmac.digest(key, b"arbiter/draw/v1\0" + drawn, hashlib.sha256)
    counter = 0
    while True:
        yield from struct.unpack(">8I", hmac.digest(draw_key, struct.pack(">Q", counter), hashlib.sha256))
        counter += 1


def index_below(source: Iterator[int], m: int) -> int:
    """Unbiased: words from the last, incomplete run of m are dropped."""
    limit = 2**32 - 2**32 % m
    while (word := next(source)) >= limit:
        pass
    return word % m


def shuffled(key: bytes, n: int, label: str, items: Sequence[Item]) -> list[Item]:
    """Fisher-Yates from the last index down, over the sorted input."""
    result = sorted(items)
    source = words(key, n, label)
    for i in range(len(result) - 1, 0, -1):
        j = index_below(source, i + 1)
        result[i], result[j] = result[j], result[i]
    return result


def below(key: bytes, n: int, label: str, m: int) -> int:
    return index_below(words(key, n, label), m)


def delay_ms(key: bytes, decision: str, lo: int = 400, hi: int = 1600) -> int:
    """How long the server waits before it carries out a standing pass: keyed, and the same for every reason."""
    digest = hmac.digest(key, b"arbiter/delay/v1\0" + _fields(decision.encode()), hashlib.sha256)
    return lo + int.from_bytes(digest[:8], "big") % (hi - lo)
