"""The Merkle tree against RFC 6962, read literally (tests/verifier/exports.py), and against known vectors."""

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events import merkle, verifier
from tests.verifier import exports

# The inputs and roots that certificate-transparency implementations test with (Go, C++, Java).
CT_LEAVES = [bytes.fromhex(leaf) for leaf in (
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
)]  # fmt: skip
CT_ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


class Kept:
    """What a database would keep: the leaves, and the nodes of every eighth level."""

    def __init__(self, count):
        self.data = [hashlib.sha256(b"%d" % n).digest() for n in range(count)]
        leaves = [merkle.leaf_hash(data) for data in self.data]
        self.frontier = merkle.Frontier()
        self.levels, self.reads = {0: leaves}, 0
        for level, index, made in self.frontier.extend(leaves):
            row = self.levels.setdefault(level, [])
            assert index == len(row), "nodes come in order, so that they can be appended"
            row.append(made)

    def read(self, level, start, count):
        self.reads += 1
        return self.levels.get(level, [])[start : start + count]


def test_the_roots_of_the_known_trees():
    frontier = merkle.Frontier()
    assert frontier.root() == hashlib.sha256(b"").digest()
    for leaf, root in zip(CT_LEAVES, CT_ROOTS, strict=True):
        frontier.extend([merkle.leaf_hash(leaf)])
        assert frontier.root().hex() == root
        frontier = merkle.Frontier.decode(frontier.encode())


def test_a_frontier_that_does_not_fit_its_size_is_refused():
    with pytest.raises(ValueError, match="3 leaves has 2 peaks"):
        merkle.Frontier(3, [b"x" * 32])
    with pytest.raises(ValueError, match="8 bytes of size"):
        merkle.Frontier.decode(b"12345")


@pytest.fixture(scope="module")
def kept():
    return Kept(1100)  # four full tiles and a bit; one node of level 8 in four


SIZES = [1, 2, 3, 7, 8, 255, 256, 257, 511, 513, 700, 1024, 1099, 1100]


@pytest.mark.parametrize("size", SIZES)
def test_roots_and_inclusion_are_those_of_the_rfc(kept, size):
    tree, leaves = merkle.Tree(kept.read), kept.data[:size]
    root = exports.tree_hash(leaves)
    assert tree.root(size) == root
    for index in {0, 1, size // 2, 255, 256, size - 2, size - 1} & set(range(size)):
        path = tree.inclusion(index, size)
        assert path == exports.path(index, leaves)
        leaf = merkle.leaf_hash(leaves[index])
        for check in (merkle.verify_inclusion, verifier.included):
            assert check(leaf, index, size, path, root)


@pytest.mark.parametrize("new", SIZES)
def test_consistency_is_that_of_the_rfc(kept, new):
    tree = merkle.Tree(kept.read)
    for old in (size for size in SIZES if size <= new):
        path = tree.consistency(old, new)
        assert path == exports.consistency(old, kept.data[:new])
        for check in (merkle.verify_consistency, verifier.consistent):
            assert check(old, tree.root(old), new, tree.root(new), path)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_changed_proof_is_accepted(kept, data):
    """Each proof with one thing changed: a step, their number, the place, a size, a root."""
    tree = merkle.Tree(kept.read)
    new = data.draw(st.integers(2, 300))
    old = data.draw(st.integers(1, new - 1))
    index = data.draw(st.integers(0, new - 1))
    leaf, root, old_root = merkle.leaf_hash(kept.data[index]), tree.root(new), tree.root(old)
    included, consistent = tree.inclusion(index, new), tree.consistency(old, new)
    other = bytes(32)

    def mutants(path):
        yield [*path, other]
        for at in range(len(path)):
            yield path[:at] + path[at + 1 :]
            yield [*path[:at], other, *path[at + 1 :]]
            if at and path[at - 1] != path[at]:
                yield [*path[: at - 1], path[at], path[at - 1], *path[at + 1 :]]

    for check in (merkle.verify_inclusion, verifier.included):
        assert not any(check(leaf, index, new, path, root) for path in mutants(included))
        places = [(index ^ 1, new), (index, 0), (-1, new), (new, new), (index + 2 ** new.bit_length(), new)]
        assert not any(check(leaf, place, size, included, root) for place, size in places)
        assert not check(leaf, index, new, included, other)
        assert not check(other, index, new, included, root)
    for check in (merkle.verify_consistency, verifier.consistent):
        assert not any(check(old, old_root, new, root, path) for path in mutants(consistent))
        assert not check(old, other, new, root, consistent)
        assert not check(old, old_root, new, other, consistent)
        assert not check(new, old_root, old, root, consistent)
        assert not check(new, root, new, old_root, [])


def test_a_proof_reads_few_tiles():
    """What makes proofs over millions of leaves cheap: one read per eight levels on each side of the path."""
    kept = Kept(66_000)
    tree = merkle.Tree(kept.read)
    path = tree.inclusion(12_345, 66_000)
    assert merkle.verify_inclusion(kept.levels[0][12_345], 12_345, 66_000, path, kept.frontier.root())
    assert kept.reads <= 5
    assert {level: len(row) for level, row in kept.levels.items()} == {0: 66_000, 8: 257, 16: 1}


def test_asking_for_what_is_not_there_says_so(kept):
    tree = merkle.Tree(kept.read)
    with pytest.raises(ValueError, match="no leaf 5"):
        tree.inclusion(5, 5)
    with pytest.raises(ValueError, match="not from 5 to 4"):
        tree.consistency(5, 4)
    with pytest.raises(LookupError, match="not there yet"):
        tree.root(1101)
