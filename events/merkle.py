"""The RFC 6962 Merkle tree over the feed: append, root, proofs. Pure; who keeps the nodes decides where.

A node is named (level, index): it covers the 2^level leaves from index·2^level on. Only complete nodes are ever kept,
so a node once written never changes. Appending needs nothing but the `Frontier` (at most 64 hashes). Proofs need nodes;
keeping all of them would double the feed, so only every eighth level is: one row per 256 leaves, one more per 65,536,
and so on. The levels between are recomputed from a tile of at most 256 hashes, read in one go.

    nodes = frontier.extend(leaf_hash(event.hash) for event in batch)   # to be stored together with frontier.encode()
    tree = Tree(read); tree.inclusion(position - 1, size); tree.consistency(old, new)
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

STRIDE = 8  # levels 0, 8, 16, … are kept; level 0 is the feed itself
TILE = 1 << STRIDE


class Node(NamedTuple):
    level: int
    index: int
    hash: bytes


# read(level, start, count): the hashes kept at a level (a multiple of STRIDE; 0 are the leaf hashes themselves) from
# index `start` on, in order, at most `count`, fewer where there are no more.
Read = Callable[[int, int, int], list[bytes]]


def leaf_hash(data: bytes) -> bytes:
    return hashlib.sha256(b"\0" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()


EMPTY = hashlib.sha256(b"").digest()  # the root of no leaves


class Frontier:
    """The complete subtrees that make up the tree so far, largest first: all that appending needs."""

    def __init__(self, size: int = 0, peaks: Iterable[bytes] = ()) -> None:
        self.size, self.peaks = size, list(peaks)
        if len(self.peaks) != size.bit_count():
            raise ValueError(f"a tree of {size} leaves has {size.bit_count()} peaks; {len(self.peaks)} were given")

    def append(self, leaf: bytes) -> Iterator[Node]:
        """Add a leaf (its hash). Yields the nodes that became complete, the leaf first; consume it all."""
        index, made = self.size, leaf
        yield Node(0, index, made)
        level = 0
        while index & 1:
            made = node_hash(self.peaks.pop(), made)
            level, index = level + 1, index >> 1
            yield Node(level, index, made)
        self.peaks.append(made)
        self.size += 1

    def extend(self, leaves: Iterable[bytes]) -> list[Node]:
        """Add leaves; returns the nodes above them that are to be kept."""
        return [node for leaf in leaves for node in self.append(leaf) if node.level and node.level % STRIDE == 0]

    def root(self) -> bytes:
        return _fold(self.peaks) if self.peaks else EMPTY

    def encode(self) -> bytes:
        return self.size.to_bytes(8, "big") + b"".join(self.peaks)

    @classmethod
    def decode(cls, data: bytes) -> "Frontier":
        if len(data) % 32 != 8:
            raise ValueError("a stored frontier is 8 bytes of size and 32 for each peak")
        return cls(int.from_bytes(data[:8], "big"), [data[at : at + 32] for at in range(8, len(data), 32)])


class Tree:
    """Roots and proofs of the tree at any size up to what is kept. Reads each tile once."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._tiles: dict[tuple[int, int], list[list[bytes]]] = {}

    def root(self, size: int) -> bytes:
        return self._span(0, size) if size else EMPTY

    def inclusion(self, index: int, size: int) -> list[bytes]:
        """The audit path of leaf `index` (from 0) in the tree of `size` leaves (RFC 6962, 2.1.1)."""
        if not 0 <= index < size:
            raise ValueError(f"a tree of {size} leaves has no leaf {index}")
        path, start, end = [], 0, size
        while end - start > 1:
            middle = start + _split(end - start)
            if index < middle:
                path.append(self._span(middle, end))
                end = middle
            else:
                path.append(self._span(start, middle))
                start = middle
        return path[::-1]

    def consistency(self, old: int, new: int) -> list[bytes]:
        """That the tree of `new` leaves begins with the tree of `old` leaves (RFC 6962, 2.1.2)."""
        if not 1 <= old <= new:
            raise ValueError(f"consistency leads from a size of at least 1 to one not smaller, not from {old} to {new}")
        path, start, end = [], 0, new
        while old != end:
            middle = start + _split(end - start)
            if old <= middle:
                path.append(self._span(middle, end))
                end = middle
            else:
                path.append(self._span(start, middle))
                start = middle
        if start:  # else the old root itself, which whoever checks has
            path.append(self._span(start, end))
        return path[::-1]

    def _span(self, start: int, end: int) -> bytes:
        """The hash over the leaves start … end-1, a span that a tree is split into."""
        peaks = []
        while start < end:
            level = (end - start).bit_length() - 1
            peaks.append(self.node(level, start >> level))
            start += 1 << level
        return _fold(peaks)

    def node(self, level: int, index: int) -> bytes:
        """A complete node, recomputed from the tile it lies in."""
        base, above = level - level % STRIDE, level % STRIDE
        tile, place = divmod(index, TILE >> above)
        row = self._rows(base, tile)[above]
        if place >= len(row):
            raise LookupError(f"node {index} of level {level} is not there yet")
        return row[place]

    def _rows(self, base: int, tile: int) -> list[list[bytes]]:
        """A tile: its kept hashes, and the complete nodes above them, level by level."""
        rows = self._tiles.get((base, tile))
        if rows is None:
            rows = [self._read(base, tile * TILE, TILE)]
            for _ in range(STRIDE - 1):
                row = rows[-1]
                rows.append([node_hash(row[at], row[at + 1]) for at in range(0, len(row) - 1, 2)])
            self._tiles[base, tile] = rows
        return rows


def _split(count: int) -> int:
    """The largest power of two smaller than `count`."""
    return 1 << (count - 1).bit_length() - 1


def _fold(peaks: list[bytes]) -> bytes:
    made = peaks[-1]
    for peak in reversed(peaks[:-1]):
        made = node_hash(peak, made)
    return made


# --- checking proofs (RFC 9162, 2.1.3.2 and 2.1.4.2) ---


def verify_inclusion(leaf: bytes, index: int, size: int, path: list[bytes], root: bytes) -> bool:
    if not 0 <= index < size:
        return False
    start, end, sides = 0, size, []
    while end - start > 1:  # from the root down: on which side of each node the leaf lies
        middle = start + _split(end - start)
        sides.append(index < middle)
        start, end = (start, middle) if index < middle else (middle, end)
    if len(path) != len(sides):
        return False
    made = leaf
    for step, left in zip(path, reversed(sides), strict=True):
        made = node_hash(made, step) if left else node_hash(step, made)
    return made == root


def verify_consistency(old: int, old_root: bytes, new: int, new_root: bytes, path: list[bytes]) -> bool:
    if not 1 <= old <= new:
        return False
    if old == new:
        return not path and old_root == new_root
    start, end, sides = 0, new, []
    while old != end:
        middle = start + _split(end - start)
        sides.append(old <= middle)
        start, end = (start, middle) if old <= middle else (middle, end)
    steps = list(path)
    made_old = made_new = old_root if not start else steps.pop(0) if steps else b""
    if len(steps) != len(sides):
        return False
    for step, left in zip(steps, reversed(sides), strict=True):
        if left:
            made_new = node_hash(made_new, step)
        else:
            made_old, made_new = node_hash(step, made_old), node_hash(step, made_new)
    return made_old == old_root and made_new == new_root
