"""Whole games of the service, held against the verifier that shares no code with it."""

import json

import pytest

from events import export, verification
from events.verifier import verify
from tests.games.play import Player, Table, number_and_commit, table  # noqa: F401
from tests.http import api, person  # noqa: F401


def begun_with_own_numbers(person, rulebook):  # noqa: F811
    """Seat 0 brings a number of its own, seat 1 takes a house number; seat 1 first sat down, left, and came back."""
    ada, ben = Player(person()), Player(person())
    made = ada.do("/games", {"command_id": "c1", "rulebook": rulebook})
    assert made.status_code == 201, made.content
    ada.game = ben.game = json.loads(made.content)["stream"]
    number, commit = number_and_commit(ada.game, 0)
    ben.say("join", seat=1, number_commit=number_and_commit(ada.game, 1)[1])
    ben.say("leave")
    ada.say("join", seat=0, number_commit=commit)
    ben.say("join", seat=1, ready=True)
    ada.say("ready", number_open=number)
    return Table(ada.game, [ada, ben])


@pytest.mark.parametrize("rulebook", ["highcard", "theos"])
def test_a_game_can_be_checked_live_and_afterwards(db, person, rulebook):  # noqa: F811
    game = begun_with_own_numbers(person, rulebook)
    for viewer in (None, 0, 1, "table"):
        report = verify(export.export(game.game, viewer))
        assert report.ok, str(report)
        assert "1 seats' numbers match" in report.sections["shuffles"].detail
    report = verification.check(game.game)
    assert report.ok, str(report)
    assert report.sections["shuffles"].status == "ok", "with the database at hand, draws are checked while it is played"

    game.play_out(seed=5)
    report = verify(export.export(game.game, None))
    assert report.ok, str(report)
    assert "1 seats' own numbers match" in report.sections["shuffles"].detail
    assert " 0 draws" not in report.sections["shuffles"].detail
    report = verification.check(game.game)
    assert report.ok, str(report)
    assert report.sections["decide"].status == "ok"


def test_a_game_that_never_began_can_be_checked(db, person):  # noqa: F811
    ada = Player(person())
    made = ada.do("/games", {"command_id": "c1", "rulebook": "highcard"})
    game = json.loads(made.content)["stream"]
    assert verify(export.export(game, None)).ok
    assert verification.check(game).ok
