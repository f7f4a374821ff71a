"""Draws from one keyed, counter-based source per stream: docs/format.md, "Randomness".

The key comes from outside and is never on the table. Anyone who holds it can recompute every draw from its number,
its label and its sorted input.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import chain, count
from typing import TypeVar

Item = TypeVar("Item", str, int)


def _fields(*fields: bytes) -> bytes:
    return b"".join([len(field).to_bytes(4, "big") + field for field in fields])


SPAN = 2**32
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))
_eight_words = struct.Struct(">8I").unpack
_count = struct.Struct(">Q").pack


def mac(key: bytes) -> Callable[[bytes], bytes]:
    """HMAC-SHA256 (RFC 2104) under one key, whose pads are hashed once: a draw is many short messages under one key."""
    padded = (key if len(key) <= 64 else sha256(key).digest()).ljust(64, b"\0")
    inner, outer = sha256(padded.translate(_INNER)), sha256(padded.translate(_OUTER))

    def digest(message: bytes) -> bytes:
        first, second = inner.copy(), outer.copy()
        first.update(message)
        second.update(first.digest())
        return second.digest()

    return digest


def blocks(key: bytes, n: int, label: str) -> Iterator[tuple[int, ...]]:
    """The endless big-endian 32-bit words of draw `n`, eight at a time."""
    drawn = _fields(str(n).encode(), label.encode())
    draw = mac(mac(key)(b"arbiter/draw/v1\0" + drawn))
    for counter in count():
        yield _eight_words(draw(_count(counter)))


def words(key: bytes, n: int, label: str) -> Iterator[int]:
    """The endless words of draw `n`."""
    return chain.from_iterable(blocks(key, n, label))


def index_below(source: Iterator[int], m: int) -> int:
    """Unbiased: words from the last, incomplete run of m are dropped."""
    limit = SPAN - SPAN % m
    return next(word % m for word in source if word < limit)


def shuffled(key: bytes, n: int, label: str, items: Sequence[Item]) -> list[Item]:
    """Fisher-Yates from the last index down, over the sorted input; each index as `index_below` takes it."""
    result = sorted(items)
    left = len(result)
    if left < 2:
        return result
    never_dropped = SPAN - left
    for block in blocks(key, n, label):
        for word in block:
            if word < never_dropped or word < SPAN - SPAN % left:
                chosen = word % left
                left -= 1
                result[left], result[chosen] = result[chosen], result[left]
                if left == 1:
                    return result
    raise AssertionError("the words never end")


def below(key: bytes, n: int, label: str, m: int) -> int:
    return index_below(words(key, n, label), m)


def delay_ms(key: bytes, decision: str, lo: int = 400, hi: int = 1600) -> int:
    """How long the server waits before it carries out a standing pass: keyed, and the same for every reason."""
    digest = mac(key)(b"arbiter/delay/v1\0" + _fields(decision.encode()))
    return lo + int.from_bytes(digest[:8], "big") % (hi - lo)
