"""Random games in bulk: what `manage.py playout` counts, and that it fails where it should."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from games.kernel import Ask, Setup, number
from games.playouts import play_many


def playout(*args):
    out = io.StringIO()
    call_command("playout", *args, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def test_one_object_a_line():
    [line] = playout("highcard", "--seats", "3", "--games", "4", "--json").splitlines()
    report = json.loads(line)
    assert list(report) == [
        "rulebook", "seats", "games", "finished", "stuck", "decisions", "decisions_per_cpu_s", "mean_decisions",
        "outcomes",
    ]  # fmt: skip
    assert (report["games"], report["finished"], report["stuck"]) == (4, 4, 0)
    assert report["decisions"] >= 4 * 15
    assert sum(report["outcomes"].values()) == 4


def test_the_same_seed_plays_the_same_games():
    first, again = (play_many("highcard", Setup(2), 3, seed=5) for _ in range(2))
    assert (first.decisions, first.outcomes) == (again.decisions, again.outcomes)


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["chess"], "there is no rulebook 'chess'"),
        (["highcard", "--seats", "9"], "played by 2, 3, 4, 5, not by 9"),
        (["highcard", "--option", "nonsense"], "name=value"),
    ],
)
def test_what_cannot_be_played_is_said(args, says):
    with pytest.raises(CommandError, match=says):
        playout(*args)


@pytest.fixture
def endless(book):
    @book.setup
    def setup(t, options, decks):
        t.push(turn)

    @book.step
    def turn(t):
        t.count(0, "turns", 1)
        t.seq(wait(), turn())

    @book.question()
    def wait(t):
        return Ask(0, number(0, 1))

    @wait.answered
    def waited(t, answer):
        """And so on."""

    return book


def test_a_game_that_does_not_end_is_stuck(endless):
    played = play_many(endless.name, Setup(1), 2, limit=50)
    assert (played.stuck, played.finished) == (2, 0)
    assert "not over after 50 decisions" in played.broken[0]


def test_a_broken_invariant_fails_the_run(endless):
    @endless.invariants
    def invariants(table):
        return ["too many turns"] if table.seats[0].n.get("turns", 0) > 3 else []

    assert play_many(endless.name, Setup(1), 1, limit=50).broken == ["seed 0: too many turns"]
    with pytest.raises(CommandError, match="too many turns"):
        playout(endless.name, "--games", "1", "--seats", "1")
