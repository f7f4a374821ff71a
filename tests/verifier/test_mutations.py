"""Issue 2, must show 6: every single-byte change, deletion, swap or transplant of an exported line is named."""

import json

import pytest

from events.verifier import verify
from tests.verifier.conftest import lines_of
from tests.verifier.exports import Game, dumps, small_game

pytestmark = pytest.mark.embedded  # no database in it: once is enough

VIEWS = [{"opened": True}, {"viewer": 0}, {"viewer": None}]


@pytest.mark.parametrize("view", [*VIEWS, {"viewer": "table"}, {"opened": True, "proof": False}])
def test_a_right_export_is_right(game, view):
    report = verify(game.lines(**view))
    assert report.ok, str(report)
    assert report.first_bad is None
    checked = {name for name, finding in report.sections.items() if finding.status == "ok"}
    expected = {"structure", "chain", "seals", "texts"}
    expected |= {"shuffles"} if view.get("opened") else set()
    expected |= {"signature", "inclusion"} if view.get("proof", True) else set()
    assert checked == expected  # and everything else is said to be not checked


@pytest.mark.parametrize("seats", [0, 1, 6, 12])
def test_any_number_of_seats(seats):
    """With twelve seats slot 10 sorts before slot 2 in a line, but not among the leaves."""
    game = Game("gam_many", seats).begin()
    if seats:
        game.ready()
    game.draw("shuffle", "deck", list(range(20)), only=1)
    assert verify(game.lines(opened=True)).ok
    assert "1 draws recomputed" in verify(game.lines(opened=True)).sections["shuffles"].detail


def owner(line: bytes) -> int | None:
    """The event a line belongs to."""
    item = json.loads(line)
    return item["seq"] if item["t"] in ("event", "text") else None


@pytest.mark.parametrize("view", VIEWS)
def test_every_changed_byte_is_named(tiny, view, fast_signatures):
    lines = tiny.lines(**view)
    blob, at = b"".join(lines), 0
    for line in lines:
        for place in range(at, at + len(line)):
            old = blob[place]
            new = (old ^ 1, old ^ 0x20, 0x0A, 0x30, 0x80 | old)[place % 5]
            new = old ^ 2 if new == old else new
            report = verify(lines_of(blob[:place] + bytes([new]) + blob[place + 1 :]))
            assert not report.ok, (place, old, new)
            if owner(line) and (place > at + 8 or new != 0x0A):  # the beginning of a text's line alone tells nothing
                assert report.first_bad == owner(line), (place, old, new, str(report))
        at += len(line)


@pytest.mark.parametrize("view", VIEWS)
def test_every_deleted_or_added_byte_is_named(tiny, view, fast_signatures):
    lines = tiny.lines(**view)
    blob, at = b"".join(lines), 0
    for line in lines:
        for place in {*range(at, at + len(line), 3), at + len(line) - 1}:
            added = b"\t" if place % 2 or blob[place] == 0x0A else blob[place : place + 1]
            for changed in (blob[:place] + blob[place + 1 :], blob[:place] + added + blob[place:]):
                report = verify(lines_of(changed))
                assert not report.ok, place
                if owner(line) and place > at:  # what is added before a line's first byte ends the line before
                    assert report.first_bad == owner(line), (place, str(report))
        at += len(line)


@pytest.mark.parametrize("view", VIEWS)
def test_every_deleted_duplicated_swapped_or_moved_line_is_named(game, view, fast_signatures):
    lines = game.lines(**view)
    for index, line in enumerate(lines):
        kind = json.loads(line)["t"]
        report = verify(lines[:index] + lines[index + 1 :])
        assert not report.ok, kind
        if kind == "event":
            assert report.first_bad == owner(line)
        report = verify([*lines[: index + 1], line, *lines[index + 1 :]])
        assert not report.ok, kind
        if kind == "event":
            assert report.first_bad == owner(line) + 1
        for other in range(index):
            swapped = list(lines)
            swapped[other], swapped[index] = swapped[index], swapped[other]
            report = verify(swapped)
            assert not report.ok, (index, other)
            if kind == json.loads(lines[other])["t"] == "event":
                assert report.first_bad == owner(lines[other])
            assert not verify([*lines[:other], line, *lines[other:index], *lines[index + 1 :]]).ok, (index, other)


@pytest.mark.parametrize("view", VIEWS)
def test_a_line_of_another_stream_is_named(game, view, fast_signatures):
    lines, foreign = game.lines(**view), small_game("gam_0002").lines(**view)
    for index, line in enumerate(lines):
        report = verify([*lines[:index], foreign[index], *lines[index + 1 :]])
        assert report.ok == (foreign[index] == line), index  # the end lines are the same
        if owner(line):
            assert report.first_bad == owner(line)


def test_a_file_cut_off_anywhere_is_refused(tiny, fast_signatures):
    blob = b"".join(tiny.lines(opened=True))
    assert verify(lines_of(blob)).ok
    for size in range(len(blob)):
        assert not verify(lines_of(blob[:size])).ok, size


WRONG = [None, True, False, 0, -1, 7, "", "x", "0" * 64, [], [0], ["0" * 64], {}, {"a": 1}]


def places(value, path=()):
    yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*path, key))


def changed(value, path, new):
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = changed(value[path[0]], path[1:], new)
    return copy


@pytest.mark.parametrize("view", VIEWS)
def test_every_field_with_every_wrong_value_is_named(tiny, view, fast_signatures):
    """Written canonically, so that the change itself must be found and not its form; and nothing crashes."""
    lines = tiny.lines(**view)
    for index, line in enumerate(lines):
        item = json.loads(line)
        for path in places(item):
            for wrong in WRONG:
                mutant = dumps(changed(item, path, wrong)) + b"\n"
                if mutant == line:
                    continue
                report = verify([*lines[:index], mutant, *lines[index + 1 :]])
                assert not report.ok, (path, wrong)
                if owner(line) and path not in [(), ("t",)]:
                    assert report.first_bad == owner(line), (path, wrong, str(report))
