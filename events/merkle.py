"""RFC 6962 Merkle trees, without a place to keep them: which subtrees make a proof, and whether a proof holds.

A subtree is named by the leaves below it, `(lo, hi)`, from 0, half-open. Who keeps the hashes fills a proof in."""

from hashlib import sha256

Span = tuple[int, int]
EMPTY = sha256(b"").digest()


def leaf(event_hash: bytes) -> bytes:
    return sha256(b"\0" + event_hash).digest()


def node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\1" + left + right).digest()


def split(size: int) -> int:
    """The largest power of two smaller than `size`: where RFC 6962 divides a tree."""
    return 1 << ((size - 1).bit_length() - 1)


def inclusion(index: int, size: int) -> list[Span]:
    """The proof that leaf `index` lies under the root of `size` leaves (RFC 6962, 2.1.1)."""
    spans: list[Span] = []
    lo, hi = 0, size
    while hi - lo > 1:
        middle = lo + split(hi - lo)
        if index < middle:
            spans.append((middle, hi))
            hi = middle
        else:
            spans.append((lo, middle))
            lo = middle
    return spans[::-1]


def consistency(old: int, new: int) -> list[Span]:
    """The proof that the tree of `old` leaves is the beginning of the tree of `new` (RFC 6962, 2.1.2)."""
    spans: list[Span] = []
    lo, hi = 0, new
    while old != hi:
        middle = lo + split(hi - lo)
        if old <= middle:
            spans.append((middle, hi))
            hi = middle
        else:
            spans.append((lo, middle))
            lo = middle
    if lo > 0:  # the verifier does not know this part of the old tree yet
        spans.append((lo, hi))
    return spans[::-1]


def root_by_inclusion(event_hash: bytes, index: int, size: int, proof: list[bytes]) -> bytes | None:
    """The root that `proof` leads to; None when it has not the length such a proof has (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        return None
    result, place, last = leaf(event_hash), index, size - 1
    for step in proof:
        if last == 0:
            return None
        if place & 1 or place == last:
            result = node(step, result)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            result = node(result, step)
        place, last = place >> 1, last >> 1
    return result if last == 0 else None


def consistent(old: int, old_root: bytes, new: int, new_root: bytes, proof: list[bytes]) -> bool:
    """Whether `proof` shows that the tree of `old` grew into the tree of `new` (RFC 9162, 2.1.4.2)."""
    if old == new:
        return old_root == new_root and not proof
    if not 0 < old < new:
        return False
    steps = [old_root, *proof] if old & (old - 1) == 0 else list(proof)
    if not steps:
        return False
    place, last = old - 1, new - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    first = second = steps[0]
    for step in steps[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            first, second = node(step, first), node(step, second)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            second = node(second, step)
        place, last = place >> 1, last >> 1
    return last == 0 and first == old_root and second == new_root
