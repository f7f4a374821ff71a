"""Clocks: one per chooser, a fold over event times; what happens when one runs out; the lobby's deadlines."""

import json

import pytest

from events import deadlines, heads
from tests.games.play import Player
from tests.http import problem

TIME = {"decision_ms": 10_000, "bank_ms": 30_000, "increment_ms": 2_000}


def clocks(game) -> list[tuple[int, int | None]]:
    """(bank, ms until the deadline) by seat."""
    view = game[0].see()
    return [(c["bank"], c["deadline"] and c["deadline"] - view["server_now"]) for c in view["clocks"]]


def sweep(game) -> None:
    """What the sweep does, on this game alone."""
    deadlines.project(heads.current(game))
    deadlines.fire_stream(game)


def test_a_decision_has_its_own_time_then_the_bank_pays(table, clock):
    game = table(time=TIME)
    assert clocks(game) == [(30_000, 40_000), (30_000, 40_000)]
    clock.forward(4_000)
    game[0].answer_first()
    assert clocks(game) == [(32_000, None), (30_000, 36_000)], "an answer earns the increment, its clock stands"
    clock.forward(16_000)
    game[1].answer_first()
    bank = 30_000 - (20_000 - 10_000) + 2_000
    assert clocks(game)[1][0] == bank, "20 s were used, 10 of them the decision's own"


def test_a_changed_mind_earns_nothing(table, clock):
    """A sealed answer may be replaced until the last is in; the increment is for the first one only."""
    game = table(seats=3, time=TIME)
    ask = game[0].asked[0]
    for option in ask["shape"]["options"][:3]:
        clock.forward(1_000)
        game[0].say("answers", decision=ask["id"], path=[[option]])
    assert clocks(game)[0] == (32_000, None)


def test_the_default_answer_when_time_is_out(table, clock):
    game = table(time=TIME)
    game[0].answer_first()
    clock.forward(39_999)
    sweep(game.game)
    assert game.waits_for() == [1]
    clock.forward(1)
    sweep(game.game)
    event = game[0].see("/events?since=4")["data"][0]
    assert (event["do"], event["by"], event["action"]["of"]) == ("timeout", "arbiter", 1)
    assert "value" not in next(e for e in event["effects"] if e["e"] == "answer"), "sealed, as any other answer"
    assert clocks(game)[1][0] == 0
    sweep(game.game)
    assert len(game[0].see("/events?since=4")["data"]) == 1, "twice is once"
    assert game[0].see("/verify")["ok"]


def test_loss_on_time(table, clock):
    game = table(time=TIME, on_timeout="loss")
    game[1].answer_first()
    clock.forward(50_000)
    sweep(game.game)
    outcome = game[0].see()["table"]["outcome"]
    assert (outcome["result"], outcome["winners"], outcome["reason"]) == ("win", [1], "time")


def test_a_bot_takes_over_on_time(table, clock):
    from games.tasks import play_on

    game = table(time=TIME, on_timeout="bot")
    game[1].answer_first()
    clock.forward(50_000)
    sweep(game.game)
    assert game[1].see()["seats"][0]["bot"] == "random"
    assert play_on(game.game) >= 1
    assert game[0].see()["you"] is None
    game[0].say("take-over", seat=0)
    assert game[0].see()["you"] == 0, "who comes back has the seat again"


def test_a_pause_stops_the_clocks_and_the_game(table, clock):
    game = table(time=TIME)
    clock.forward(15_000)
    offer = game[0].say("offers", offer="pause", length_ms=60_000)["effects"][0]["offer"]
    assert clocks(game)[0] == (25_000, 25_000), "an offer stops nothing"
    game[1].say(f"offers/{offer['id']}/accept")
    clock.forward(50_000)
    assert clocks(game) == [(25_000, None), (25_000, None)]
    ask = game[0].asked
    problem(game[0].say("answers", None, decision=ask[0]["id"], path=[ask[0]["shape"]["options"][:1]]), 409, "paused")
    sweep(game.game)
    assert game[0].see()["paused"]
    clock.forward(10_000)
    sweep(game.game)
    assert game[0].see()["paused"] is None, "its time is over"
    assert clocks(game)[0] == (25_000, 25_000)
    game[0].answer_first()


def test_players_can_end_a_pause_together(table, clock):
    game = table(time=TIME)
    pause = game[0].say("offers", offer="pause")["effects"][0]["offer"]["id"]
    game[1].say(f"offers/{pause}/accept")
    resume = game[1].say("offers", offer="resume")["effects"][0]["offer"]["id"]
    clock.forward(5_000)
    game[0].say(f"offers/{resume}/accept")
    assert clocks(game) == [(30_000, 40_000), (30_000, 40_000)]


@pytest.mark.parametrize(("guest", "why"), [(False, "join"), (True, "ready")])
def test_who_does_not_come_in_time_voids_the_game(person, clock, guest, why):
    host = Player(person())
    terms = {"join_within_ms": 60_000, "ready_within_ms": 30_000, "join": {"ready": False}}
    host.game = json.loads(host.do("/games", {"command_id": "a", "rulebook": "highcard"} | terms).content)["stream"]
    if guest:
        Player(person(), host.game).say("join")
    clock.forward(29_999)
    sweep(host.game)
    assert host.see()["phase"] == ("ready" if guest else "lobby")
    clock.forward(30_001)
    sweep(host.game)
    assert (host.see()["phase"], host.see()["void"]) == ("void", why)
    problem(Player(person(), host.game).say("join", None), 409, "over")


def test_standing_passes_are_ordinary_answers(table, clock, shapes):
    """The house gives the pass after a delay that tells nothing, and only that seat sees why it came."""
    game = table(rulebook=shapes, options={"respond": True})
    game[1].say("acts", option="stops", set={"pass": "turn"})
    before = game[0].see()["seq"]
    clock.forward(399)
    sweep(game.game)
    assert game[0].see()["seq"] == before
    clock.forward(1_300)
    sweep(game.game)
    assert game[0].see()["seq"] == before + 1
    mine, theirs = (game[seat].see(f"/events?since={before}")["data"][0] for seat in (1, 0))
    assert mine["action"].pop("auto") is True
    assert theirs["action"] == mine["action"], "to the others it is an answer like any other"
    assert theirs["by"] == game[0].see()["seats"][1]["player"]
    assert game.waits_for() == [0], "who has set nothing is asked"
    assert game[0].see("/verify")["ok"]


def test_what_everybody_sees_is_passed_at_once(table, shapes):
    """No clock, no sweep: right after the answer that asked for it; and a deadline in case that was lost."""
    from games import tasks

    game = table(rulebook=shapes, options={"respond": True, "bare": True})
    game[1].say("answers", decision=game[1].asked[0]["id"], path=[["thunder"]])
    assert tasks.soon.settle()
    assert game.waits_for() == [1], "seat 0 was asked and has passed"
    passed = game[1].see()["seq"]
    assert game[1].see(f"/events?since={passed - 1}")["data"][0]["by"] == game[1].see()["seats"][0]["player"]


def test_a_lost_pass_is_a_deadline(table, clock, shapes, monkeypatch):
    from games import tasks

    monkeypatch.setattr(tasks, "give", lambda *_: None)
    game = table(rulebook=shapes, options={"respond": True, "bare": True})
    game[1].say("answers", decision=game[1].asked[0]["id"], path=[["thunder"]])
    sweep(game.game)
    assert game.waits_for() == [0]
    clock.forward(2_000)
    sweep(game.game)
    assert game.waits_for() == [1]
