"""Bots: ordinary seats that see their own view, played by Celery tasks, each decision answered once."""

import json

import pytest

from events import commands, heads, store
from games import tasks
from games.models import Game as Row
from tests.conftest import wait_for
from tests.games.play import Player
from tests.http import problem


def bot_game(player: Player, seats: int = 2, rulebook: str = "highcard", **terms) -> str:
    made = player.do("/games", {"command_id": "g1", "rulebook": rulebook, "seats": seats} | terms)
    player.game = json.loads(made.content)["stream"]
    player.say("bots")
    return player.game


def test_a_table_of_bots_plays_to_its_end(person):
    player = Player(person())
    game = bot_game(player, seats=3)
    assert player.see()["phase"] == "play", "the house starts it"
    while tasks.play_on(game):
        pass
    assert player.see()["phase"] == "over"
    assert player.see("/verify")["ok"]
    assert {event.actor for event in store.read(game)[3:]} == {"bot-0", "bot-1", "bot-2"}


def test_greedy_bots_play_epic_to_its_end(person):
    """The whole game through the store: sealed packs, the line, battles; recomputed and found right."""
    player = Player(person())
    made = player.do("/games", {"command_id": "g1", "rulebook": "epic", "seats": 2, "options": {"format": "pack_war"}})
    player.game = json.loads(made.content)["stream"]
    player.say("bots", bot="greedy")
    while tasks.play_on(player.game):
        pass
    assert player.see()["phase"] == "over"
    assert player.see("/verify")["ok"]


def test_a_bot_sees_its_own_view_only(table, monkeypatch):
    game = table()
    game[0].say("hand-over", to="random")
    seen = []

    def spy(view, decision, rng, preview):
        seen.append(json.dumps(view))
        return [decision["shape"]["options"][: decision["shape"].get("lo", 1)]]

    monkeypatch.setitem(tasks.BOTS, "random", spy)
    theirs = [card["key"] for card in game[1].see()["table"]["zones"]["hand:1"]["cards"]]
    mine = game[1].see("/state?at=3")
    assert mine["you"] == 1
    tasks.play_on(game.game)
    assert seen
    assert not any(f'"{key}"' in view for key in theirs for view in seen)


def test_several_workers_answer_each_decision_once(person):
    player = Player(person())
    game = bot_game(player)
    state = heads.current(game).state
    for _ in range(3):
        tasks.answer(state, 0, "d0")
    assert [event.seq for event in store.read(game) if event.actor == "bot-0"] == [4]


def test_a_person_against_a_bot(person, worker):
    """Through the queue: the person answers, the bot goes on by itself."""
    player = Player(person())
    bot_game(player, join={"seat": 0})
    while True:
        view = wait_for(lambda: (v := player.see())["waits_for"] in ([0], [0, 1], []) and v)
        if view["phase"] == "over":
            break
        if not player.asked:
            continue
        player.answer_first()
    assert player.see("/verify")["ok"]


def test_a_forgotten_game_is_found_by_the_sweep(person, monkeypatch):
    """The queue lost the message, or the worker was killed: the rows know who waits."""
    player = Player(person())
    monkeypatch.setattr(tasks, "enqueue", lambda stream: None)
    game = bot_game(player)
    assert Row.objects.get(stream=game).bots_wait
    queued = []
    monkeypatch.setattr(tasks, "enqueue", queued.append)
    now = commands.now_ms()
    monkeypatch.setattr(commands, "now_ms", lambda: now + 10_000)
    tasks.sweep_bots()
    assert game in queued


def test_bots_wait_while_the_game_is_paused(table, person):
    game = table()
    game[0].say("hand-over", to="random")
    judge = Player(person("judge"), game.game)
    judge.say("pause", reason="?", expected_seq=store.head_seq(game.game))
    assert tasks.play_on(game.game) == 0
    judge.say("resume", reason="!", expected_seq=store.head_seq(game.game))
    assert tasks.play_on(game.game) == 1


@pytest.mark.parametrize("bad", [{"bot": "genius"}, {"seats": [0]}, {"seats": [5]}])
def test_bots_that_do_not_fit(person, bad):
    player = Player(person())
    made = player.do("/games", {"command_id": "x", "rulebook": "highcard", "join": {"seat": 0}})
    player.game = json.loads(made.content)["stream"]
    problem(player.say("bots", None, **bad), 422, "illegal")
