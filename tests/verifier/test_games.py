"""A game of the service while it is played: checked without its seed as its viewers can, and with it as we can."""

import json

from events import export, verification
from events.verifier import verify
from tests.games.play import Player, number_and_commit
from tests.http import api, person  # noqa: F401


def test_a_game_can_be_checked_while_it_is_played(db, person):  # noqa: F811
    ada, ben = Player(person()), Player(person())
    made = ada.do("/games", {"command_id": "c1", "rulebook": "highcard"})
    ada.game = ben.game = game = json.loads(made.content)["stream"]
    assert verification.check(game).ok, "before anybody sits down"
    number, commit = number_and_commit(game, 0)
    ada.say("join", seat=0, number_commit=commit)
    ben.say("join", seat=1, ready=True)
    ada.say("ready", number_open=number)
    for viewer in (None, 0, 1, "table"):
        report = verify(export.export(game, viewer))
        assert report.ok, str(report)
        assert "1 seats' numbers match" in report.sections["shuffles"].detail
    report = verification.check(game)
    assert report.ok, str(report)
    assert report.sections["shuffles"].status == "ok", "the database holds the seed: cheating is found before the end"
    assert " 0 draws" not in report.sections["shuffles"].detail
