"""Vectors that are checked in: whoever writes another client or verifier can hold it against these files.

A change here is a change of the format, hence a `v2`. `python -m tests.verifier.test_golden` writes them anew."""

import json
import re
from pathlib import Path

import pytest

from events import canonical, seals, verifier
from games.kernel import randomness
from tests.verifier.exports import H, below, dumps, keyed, shuffle, small_game, tree_hash, words

pytestmark = pytest.mark.embedded  # no database in it: once is enough

GOLDEN = Path(__file__).parent / "golden"
EXPORTS = {"public": {}, "seat-0": {"viewer": 0}, "table": {"viewer": "table"}, "opened": {"opened": True}}

STREAM, SEED, P0, P1 = "game-0001", bytes(range(32)), b"\x11" * 32, b"\x22" * 32
ANCHOR, LABEL, ITEMS = "ab" * 32, "library:1", list(range(10))
OPENING = [{"at": 1, "effect": {"e": "know", "card": "c7", "text": 'Ägäis "\\\n\u2028'}}]


def vectors():
    """By the generator of the tests, which follows docs/format.md and nothing else."""
    key = keyed(SEED, "key", STREAM, ANCHOR, P0, P1)
    draw = keyed(key, "draw", 0, LABEL)
    source, dropping = words(draw), words(draw)
    salt = keyed(H("salt-key", STREAM, SEED), "salt", 7, "1")
    return {
        "given": {
            "stream": STREAM, "kind": "game", "seats": 2, "seed": SEED.hex(), "p0": P0.hex(), "p1": P1.hex(),
            "completed": ANCHOR, "label": LABEL, "input": ITEMS, "seq": 7, "slot": "1", "opening": OPENING,
        },
        "genesis": H("genesis", STREAM, "game", 2).hex(),
        "commit": H("commit", STREAM, SEED).hex(),
        "number_commit_0": H("seat", STREAM, 0, P0).hex(),
        "house_number_1": H("house", STREAM, 1, SEED).hex(),
        "key": key.hex(),
        "draw_key_0": draw.hex(),
        "words": [next(source) for _ in range(10)],
        "shuffle": shuffle(words(draw), ITEMS),
        "below_6": below(words(draw), 6),
        "below_3000000000": [below(dropping, 3_000_000_000) for _ in range(5)],  # words beyond are dropped
        "salt": salt.hex(),
        "opening": dumps(OPENING).decode(),
        "leaf": H("seal", STREAM, 7, "1", salt, dumps(OPENING)).hex(),
        "text": H("text", STREAM, salt, "ça va").hex(),
        "root_of_three": tree_hash([b"a" * 32, b"b" * 32, b"c" * 32]).hex(),
    }  # fmt: skip


@pytest.fixture(scope="module")
def golden():
    return json.loads((GOLDEN / "vectors.json").read_text())


def test_the_generator_still_follows_the_format(golden):
    assert vectors() == golden


def test_the_verifier_agrees_with_the_vectors(golden):
    v = verifier
    key = v.mac(SEED, "key", STREAM, ANCHOR, P0, P1)
    draw = v.mac(key, "draw", 0, LABEL)
    source, dropping = v.words_of(draw), v.words_of(draw)
    salt = v.mac(v.H("salt-key", STREAM, SEED), "salt", 7, "1")
    root = v.node_hash(v.node_hash(v.leaf_hash(b"a" * 32), v.leaf_hash(b"b" * 32)), v.leaf_hash(b"c" * 32))
    assert golden == golden | {
        "key": key.hex(), "draw_key_0": draw.hex(), "words": [next(source) for _ in range(10)],
        "shuffle": v.shuffled(v.words_of(draw), ITEMS), "below_6": v.below(v.words_of(draw), 6),
        "below_3000000000": [v.below(dropping, 3_000_000_000) for _ in range(5)], "salt": salt.hex(),
        "leaf": v.H("seal", STREAM, 7, "1", salt, v.canonical(OPENING)).hex(), "opening": v.canonical(OPENING),
        "root_of_three": root.hex(),
    }  # fmt: skip


def test_the_service_agrees_with_the_vectors(golden):
    c = canonical
    key = c.keyed(SEED, "key", STREAM, ANCHOR, P0, P1)
    source, dropping = randomness.words(key, 0, LABEL), randomness.words(key, 0, LABEL)
    salt = seals.salt(seals.salt_key(STREAM, SEED), 7, 1)
    assert golden == golden | {
        "genesis": c.digest("genesis", STREAM, "game", 2).hex(), "commit": c.digest("commit", STREAM, SEED).hex(),
        "number_commit_0": c.digest("seat", STREAM, 0, P0).hex(),
        "house_number_1": c.digest("house", STREAM, 1, SEED).hex(),
        "key": key.hex(), "words": [next(source) for _ in range(10)],
        "shuffle": randomness.shuffled(key, 0, LABEL, ITEMS), "below_6": randomness.below(key, 0, LABEL, 6),
        "below_3000000000": [randomness.index_below(dropping, 3_000_000_000) for _ in range(5)], "salt": salt.hex(),
        "leaf": c.digest("seal", STREAM, 7, 1, salt, c.encode(OPENING)).hex(), "opening": c.encode(OPENING).decode(),
        "text": c.digest("text", STREAM, salt, "ça va").hex(),
    }  # fmt: skip


@pytest.mark.parametrize("name", EXPORTS)
def test_the_exports_that_are_checked_in_are_right(name):
    data = (GOLDEN / f"{name}.jsonl").read_bytes()
    assert data == b"".join(small_game().lines(**EXPORTS[name]))
    report = verifier.verify(verifier.lines_of(str(GOLDEN / f"{name}.jsonl")))
    assert report.ok, str(report)


def test_the_example_in_the_format_is_what_the_verifier_says(capsys):
    """docs/format.md, "How to check a game yourself"."""
    page = (Path(__file__).parents[2] / "docs/format.md").read_text()
    shown = re.search(r"^ +\$ python3 verifier.py game.jsonl.*?\n(.*?)\n\n", page, re.M | re.S)[1]
    key = json.loads((GOLDEN / "checkpoint.jsonl").read_text())["public_key"]
    arguments = [str(GOLDEN / "opened.jsonl"), "--key", key, "--checkpoint", str(GOLDEN / "checkpoint.jsonl")]
    assert verifier.main(arguments) == 0
    said = re.sub(r"\b([0-9a-f]{8})[0-9a-f]{56}\b", r"\1…", capsys.readouterr().out)
    assert [line.strip() for line in shown.splitlines()] == [line.strip() for line in said.splitlines()]


if __name__ == "__main__":
    (GOLDEN / "vectors.json").write_text(json.dumps(vectors(), indent=1, ensure_ascii=False) + "\n")
    for file, view in EXPORTS.items():
        (GOLDEN / f"{file}.jsonl").write_bytes(b"".join(small_game().lines(**view)))
    (GOLDEN / "checkpoint.jsonl").write_bytes(dumps({"t": "checkpoint", **small_game().feed.signed()}) + b"\n")
