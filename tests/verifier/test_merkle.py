"""Merkle proofs, of the service and of the verifier, against RFC 6962 read literally (tests/verifier/exports.py)."""

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events import merkle, verifier
from tests.verifier import exports

pytestmark = pytest.mark.embedded  # no database in it: once is enough

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


DATA = [hashlib.sha256(b"%d" % n).digest() for n in range(1100)]
SIZES = [1, 2, 3, 7, 8, 255, 256, 257, 511, 513, 700, 1024, 1099, 1100]


def filled(spans):
    return [exports.tree_hash(DATA[lo:hi]) for lo, hi in spans]


def service_says_included(leaf, index, size, path, root):
    return merkle.root_by_inclusion(leaf, index, size, path) == root


def verifier_says_included(leaf, index, size, path, root):
    return verifier.included(verifier.leaf_hash(leaf), index, size, path, root)


INCLUDED = (service_says_included, verifier_says_included)
CONSISTENT = (merkle.consistent, verifier.consistent)


def test_the_roots_of_the_known_trees():
    """Leaf and node hashes as every implementation of RFC 6962 has them."""
    for size, root in enumerate(CT_ROOTS, 1):
        leaves = CT_LEAVES[:size]
        assert exports.tree_hash(leaves).hex() == root
        for index, leaf in enumerate(leaves):
            path = [exports.tree_hash(leaves[lo:hi]) for lo, hi in merkle.inclusion(index, size)]
            assert all(check(leaf, index, size, path, bytes.fromhex(root)) for check in INCLUDED)


@pytest.mark.parametrize("size", SIZES)
def test_inclusion_is_that_of_the_rfc(size):
    leaves, root = DATA[:size], exports.tree_hash(DATA[:size])
    for index in {0, 1, size // 2, 255, 256, size - 2, size - 1} & set(range(size)):
        path = filled(merkle.inclusion(index, size))
        assert path == exports.path(index, leaves)
        assert all(check(leaves[index], index, size, path, root) for check in INCLUDED)


@pytest.mark.parametrize("new", SIZES)
def test_consistency_is_that_of_the_rfc(new):
    root = exports.tree_hash(DATA[:new])
    for old in (size for size in SIZES if size <= new):
        path = filled(merkle.consistency(old, new))
        assert path == exports.consistency(old, DATA[:new])
        assert all(check(old, exports.tree_hash(DATA[:old]), new, root, path) for check in CONSISTENT)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_no_changed_proof_is_accepted(data):
    """Each proof with one thing changed: a step, their number, the place, a size, a root."""
    new = data.draw(st.integers(2, 150))
    old = data.draw(st.integers(1, new - 1))
    index = data.draw(st.integers(0, new - 1))
    root, old_root, leaf, other = exports.tree_hash(DATA[:new]), exports.tree_hash(DATA[:old]), DATA[index], bytes(32)
    path, bridge = filled(merkle.inclusion(index, new)), filled(merkle.consistency(old, new))

    def mutants(path):
        yield [*path, other]
        for at in range(len(path)):
            yield path[:at] + path[at + 1 :]
            yield [*path[:at], other, *path[at + 1 :]]
            if at and path[at - 1] != path[at]:
                yield [*path[: at - 1], path[at], path[at - 1], *path[at + 1 :]]

    for check in INCLUDED:
        assert not any(check(leaf, index, new, wrong, root) for wrong in mutants(path))
        places = [(index ^ 1, new), (index, 0), (-1, new), (new, new), (index + 2 ** new.bit_length(), new)]
        assert not any(check(leaf, place, size, path, root) for place, size in places)
        assert not check(leaf, index, new, path, other)
        assert not check(other, index, new, path, root)
    for check in CONSISTENT:
        assert not any(check(old, old_root, new, root, wrong) for wrong in mutants(bridge))
        assert not check(old, other, new, root, bridge)
        assert not check(old, old_root, new, other, bridge)
        assert not check(new, root, new, old_root, [])
