"""Golden games with everybody's view at every step, and perft counts: they guard each version of each rulebook.

A difference means that stored games would read or decide differently: that is a new version of the rulebook, or a
mistake. To write them anew on purpose: ARBITER_RECORD=1 pytest tests/conformance/test_golden.py
"""

import json
import lzma
from math import comb, perm
from pathlib import Path
from random import Random

import pytest

from games.kernel import assign, names, number, pick, redact, rulebook, split, to_dict, view, waiting
from games.kernel.playout import begin, random_game, random_move
from games.kernel.table import Number, Pick, Split

FOLDER = Path(__file__).parent / "golden"
DEPTH, WIDTH = 5, 3


def label(setup):
    return f"{setup.seats}{'-' + ''.join(filter(str.isalnum, setup.name)) if setup.name else ''}"


@pytest.fixture
def golden_game(case, record):
    """The stored lines of this case's game; written anew when recording."""
    book, setup = case
    file = FOLDER / f"{book.id}-{label(setup)}.game.xz"

    def stored(lines):
        if record:
            FOLDER.mkdir(exist_ok=True)
            file.write_bytes(lzma.compress("\n".join(lines).encode(), preset=9))
        assert file.exists(), f"{file.name} is not recorded: ARBITER_RECORD=1 (see above)"
        return lzma.decompress(file.read_bytes()).decode().split("\n")

    return stored


@pytest.fixture
def golden_counts(case, record):
    """The stored perft counts of this case: one small file per rulebook version."""
    book, setup = case
    file = FOLDER / f"{book.id}.perft.json"

    def stored(counts):
        if record:
            FOLDER.mkdir(exist_ok=True)
            known = json.loads(file.read_text()) if file.exists() else {}
            known[label(setup)] = counts
            lines = [f"{json.dumps(name)}: {json.dumps(found)}" for name, found in sorted(known.items())]
            file.write_text("{\n" + ",\n".join(lines) + "\n}\n")
        assert file.exists(), f"{file.name} is not recorded: ARBITER_RECORD=1 (see above)"
        return json.loads(file.read_text())[label(setup)]

    return stored


def test_a_golden_game_reads_as_it_did(case, golden_game):
    """Every action as stored, and the table as every seat and the public see it."""
    book, setup = case
    lines, before = [], {}
    for event in random_game(book, setup, seed=2026):
        views = {str(viewer): view(event.table, viewer) for viewer in (None, *range(setup.seats))}
        seen = {viewer: changes(before.get(viewer, {}), now) for viewer, now in views.items()}
        line = {"action": redact(event.action, "table"), "views": seen}
        lines.append(json.dumps(line, sort_keys=True, ensure_ascii=False))
        before = views
    stored = golden_game(lines)
    for index, (was, now) in enumerate(zip(stored, lines, strict=False)):
        assert now == was, f"event {index} is not what it was: a new version of the rulebook, or a mistake"
    assert len(stored) == len(lines)


def changes(before, now):
    """What is new in a view: a difference is then found where it arises, and the file stays small."""
    known = before.get("zones", {})
    zones = {name: zone for name, zone in now["zones"].items() if known.get(name) != zone}
    rest = {field: value for field, value in now.items() if field != "zones" and before.get(field) != value}
    return {**rest, "zones": zones} if zones else rest


def test_perft_counts_are_as_they_were(case, golden_counts):
    """From the start, WIDTH sampled answers deep into DEPTH: how many answers would fit at every moment."""
    book, setup = case
    key = b"perft" * 6
    counts = [[0, 0] for _ in range(DEPTH)]

    def descend(table, depth, path):
        if depth == DEPTH or table.outcome is not None:
            return
        for ask in waiting(table):
            counts[depth][0] += 1
            counts[depth][1] += fitting_answers(ask.shape)
        for branch in range(WIDTH):
            descend(random_move(table, Random(f"{path}/{branch}"), key).table, depth + 1, f"{path}/{branch}")

    descend(begin(book, setup, key).table, 0, book.id)
    assert counts == golden_counts(counts), "[questions, fitting answers] at each depth"


def fitting_answers(shape):
    """How many answers fit."""
    if isinstance(shape, Pick):
        count = perm if shape.ordered else comb
        return sum(count(len(shape.options), size) for size in range(shape.lo, shape.hi + 1))
    if isinstance(shape, Number):
        return shape.hi - shape.lo + 1
    if isinstance(shape, Split):
        ways = {0: 1}
        for option in shape.options:
            shares = range(shape.floors.get(option, 0), shape.caps.get(option, shape.total) + 1)
            sums = [(total + share, number) for total, number in ways.items() for share in shares]
            ways = {}
            for total, number in sums:
                if total <= shape.total:
                    ways[total] = ways.get(total, 0) + number
        return ways.get(shape.total, 0)
    ways = 1
    for thing, bins in shape.things.items():
        ways *= len(bins) + (thing not in shape.required)
    return ways


def test_fitting_answers_are_counted_right():
    assert fitting_answers(pick("abcd", lo=1, hi=2)) == 4 + 6
    assert fitting_answers(pick("abc", lo=2, ordered=True)) == 6
    assert fitting_answers(number(2, 5)) == 4
    assert fitting_answers(split(3, "ab", floors={"a": 1})) == 3
    assert fitting_answers(assign({"a": ["x", "y"], "b": ["x"]}, required=["a"])) == 4


def test_nothing_golden_is_left_over():
    """A golden file that no rulebook claims guards nothing."""
    claimed = {book.id for book in map(rulebook, [*names(), *names("draft")])}
    assert {file.name.partition("-")[0].partition(".")[0] for file in FOLDER.iterdir()} <= claimed


def test_events_of_a_game_are_one_effect_list_in_json(case):
    """What is stored is JSON-normal: whole numbers, texts, lists, objects with text keys."""
    book, setup = case
    for event in random_game(book, setup, seed=3):
        forms = [to_dict(effect) for effect in event.effects]
        assert json.loads(json.dumps(forms)) == forms
        assert json.loads(json.dumps(event.action)) == event.action
