"""The Merkle tree over the feed, kept in tiles: a proof reads one row per level, not one per node.

A tile holds 256 neighbouring hashes. Level 0 are the leaves; entry i of level n is the root of tile i of level n-1,
once that tile is full. The hash of any span of leaves follows from at most two tiles per level.
"""

from functools import cached_property

from events import feed, merkle
from events.models import Sequencer, Tile

WIDTH = 256
HASH = 32
AT_ONCE = 16 * WIDTH


class Tree:
    """The tree as it is kept, with the tiles that were read so far. Its hashes never change, only more are added."""

    def __init__(self) -> None:
        self._tiles: dict[tuple[int, int], bytes] = {}
        self._grown: set[tuple[int, int]] = set()

    @cached_property
    def _state(self) -> Sequencer:
        return Sequencer.objects.get_or_create(id=1)[0]

    def tile(self, level: int, number: int) -> bytes:
        place = (level, number)
        if place not in self._tiles:
            row = Tile.objects.filter(level=level, number=number).values_list("hashes", flat=True).first()
            self._tiles[place] = bytes(row or b"")
        return self._tiles[place]

    def span(self, lo: int, hi: int) -> bytes:
        """The hash of the subtree over leaves lo..hi-1, as RFC 6962 defines it."""
        if hi == lo:
            return merkle.EMPTY
        level, unit = 0, 1
        while unit * WIDTH <= hi - lo and lo % (unit * WIDTH) == 0:
            level, unit = level + 1, unit * WIDTH
        if hi - lo == unit:
            return self.entry(level, lo // unit)
        middle = lo + merkle.split(hi - lo)
        return merkle.node(self.span(lo, middle), self.span(middle, hi))

    def entry(self, level: int, number: int) -> bytes:
        at = number % WIDTH * HASH
        hash_ = self.tile(level, number // WIDTH)[at : at + HASH]
        if len(hash_) != HASH:
            raise LookupError(f"the tree has no entry {number} at level {level}; it has {self._state.tree_size} leaves")
        return hash_

    def grow(self, size: int) -> None:
        """Add the leaves of the feed up to `size`. Within the caller's transaction."""
        while self._state.tree_size < size:
            upto = min(size, self._state.tree_size + AT_ONCE)
            leaves = [merkle.leaf(hash_) for hash_ in feed.hashes(self._state.tree_size, upto)]
            if len(leaves) != upto - self._state.tree_size:
                raise LookupError(f"the feed has {len(leaves)} events after {self._state.tree_size}, not up to {upto}")
            self._add(0, self._state.tree_size, leaves)
            self._state.tree_size = upto
        self._state.save(update_fields=["tree_size"])
        Tile.objects.bulk_create(
            [Tile(level=level, number=number, hashes=self._tiles[level, number]) for level, number in self._grown],
            update_conflicts=True, unique_fields=["level", "number"], update_fields=["hashes"], batch_size=200,
        )  # fmt: skip
        self._grown.clear()

    def _add(self, level: int, first: int, hashes: list[bytes]) -> None:
        """Append entries first, first+1, … to a level; tiles that become full go into the level above."""
        full: list[bytes] = []
        number = first
        while hashes:
            tile, room = number // WIDTH, WIDTH - number % WIDTH
            part, hashes = hashes[:room], hashes[room:]
            self._tiles[level, tile] = self.tile(level, tile)[: number % WIDTH * HASH] + b"".join(part)
            self._grown.add((level, tile))
            number += len(part)
            if number % WIDTH == 0:
                full.append(root_of(self._tiles[level, tile]))
        if full:
            self._add(level + 1, number // WIDTH - len(full), full)


def root_of(tile: bytes) -> bytes:
    """The root of a full tile."""
    row = [tile[at : at + HASH] for at in range(0, len(tile), HASH)]
    while len(row) > 1:
        row = [merkle.node(row[at], row[at + 1]) for at in range(0, len(row), 2)]
    return row[0]
