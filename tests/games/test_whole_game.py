"""A game from the first command to the verified export, over HTTP."""

import json
import secrets

from tests.games.play import Player, number_and_commit


def test_two_people_play_to_the_end(table):
    game = table()
    answers = game.play_out()
    end = game[0].see()
    assert end["phase"] == "over"
    assert end["table"]["outcome"]["result"] in ("win", "tie")
    assert end["waits_for"] == []
    assert end["seq"] == answers + 3
    report = game[1].see("/verify")
    assert (report["ok"], report["first_bad"]) == (True, None)
    checked = {name for name, found in report["sections"].items() if found["status"] == "ok"}
    assert checked >= {"chain", "seals", "shuffles", "rows", "fold", "decide"}


def test_numbers_of_their_own(person):
    """Committed at the join, opened when all are in; nobody can change one after the last has joined."""
    ada, ben = Player(person()), Player(person())
    made = ada.do("/games", {"command_id": "c1", "rulebook": "highcard"})
    ada.game = ben.game = json.loads(made.content)["stream"]
    (p0, c0), (p1, c1) = number_and_commit(ada.game, 0), number_and_commit(ada.game, 1)

    assert ada.say("join", seat=0, number_commit=c0)["effects"][0]["number_commit"] == c0
    early = ada.say("ready", None, number_open=p0)
    assert early.status_code == 422
    ben.say("join", seat=1, number_commit=c1)
    wrong = ben.say("ready", None, number_open=secrets.token_hex(32))
    assert wrong.status_code == 422
    assert json.loads(wrong.content)["errors"][0]["pointer"] == "/number_open"
    ada.say("ready", number_open=p0)
    assert ada.see()["phase"] == "ready"
    ben.say("ready", number_open=p1)
    assert ada.see()["phase"] == "play"
    assert ada.see()["waits_for"] == [0, 1]


def test_theos_to_the_end(table):
    game = table(seats=2, rulebook="theos")
    game.play_out(seed=3)
    assert game[0].see()["table"]["outcome"]["result"] in ("win", "tie")
    assert game[1].see("/verify")["ok"]


def test_events_and_the_story_come_in_pages_that_leave_nothing_out(table):
    game = table()
    game.play_out()
    for what in ("events", "narration"):
        whole = game[0].see(f"/{what}?limit=200")
        assert (whole["has_more"], whole["next"]) == (False, None)
        pages, where = [], f"/{what}?limit=4"
        while where:
            page = game[0].see(where)
            pages += page["data"]
            where = page["next"] and page["next"].partition(game.game)[2]
        assert pages == whole["data"]
