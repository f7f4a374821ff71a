"""A running game whose match is decided without it ends with it; the event's end opens every seal."""

import pytest

from events import commands, heads, store, verification
from events.errors import Rejected
from games import tasks as bots
from tests.games.play import Player
from tests.http import problem
from tests.tournaments.test_games import play_out
from tournaments import ends, pairing, play, services, tasks
from tournaments.models import MatchGame, Tournament


@pytest.fixture
def playing(desk, person):
    """playing(best_of=3) -> two people, and their first game has begun; the game."""

    def begun(**rules):
        event = desk(0, rulebook="highcard", **rules)
        people = [person(), person()]
        for someone in people:
            event.register(someone)
        event.say("start")
        [match] = event.round()
        event.house()
        game = join_all(event, people)
        return event, match, game

    return begun


def join_all(event, people) -> str:
    for number, someone in enumerate(people, 1):
        mine = event.see("/me", who=event.players[number])["games"][-1]
        Player(someone, mine["game"]).say("join", seat=mine["seat"], ready=True)
    assert heads.current(mine["game"]).state.phase == "play"
    return mine["game"]


def house(event) -> None:
    """Everything that is queued after a commit."""
    tasks.end_games(event.stream)
    for game in MatchGame.objects.filter(tournament=event.stream, reported=False).values_list("game", flat=True):
        play.report(game)
    event.house()


def test_a_drop_ends_the_game_and_the_opponent_has_won(playing):
    event, match, game = playing()
    event.say("drop", number=1)
    house(event)
    table = heads.current(game).state
    assert table.ended
    assert table.table.outcome.reason == "ruling"
    score = event.state.matches[match["id"]].score
    assert score.wins[match["players"].index(2)] == 2
    assert event.state.matches[match["id"]].games == [], "nobody played it out, so it is no game of the match"
    event.say("finish")
    event.house()
    assert heads.current(game).state.seals_open
    assert verification.check(game).ok
    assert not MatchGame.objects.filter(tournament=event.stream, reported=False).exists()


def test_a_game_loss_takes_the_game_that_is_on(playing):
    event, match, game = playing()
    event.say("penalties", number=1, kind="game_loss", reason="looked at the cards")
    house(event)
    assert heads.current(game).state.ended
    [lost] = event.state.matches[match["id"]].games
    assert (lost.game, lost.winners, lost.nth) == ("", [2], 1)
    assert event.state.matches[match["id"]].score is None
    rows = MatchGame.objects.filter(tournament=event.stream).order_by("nth")
    assert [(row.nth, row.reported) for row in rows] == [(1, True), (2, False)], "the second game is made"
    assert rows[1].seats[0] == 1, "the loser sits first"


def test_a_game_in_the_lobby_is_called_off(desk, person):
    event = desk(0, rulebook="highcard")
    for someone in (person(), person()):
        event.register(someone)
    event.say("start")
    event.round()
    event.house()
    [row] = MatchGame.objects.filter(tournament=event.stream)
    event.say("drop", number=2)
    house(event)
    assert heads.current(row.game).state.void == "match"


def test_a_judge_s_ruling_ends_the_game(playing):
    event, match, game = playing()
    problem(event.say(f"matches/{match['id']}/report", None, event.players[1], wins=[2, 0]), 422, "illegal")
    event.say(f"matches/{match['id']}/rule", wins=[1, 1], draws=1, reason="the building is on fire")
    house(event)
    assert heads.current(game).state.ended
    assert event.see()["round"]["status"] == "closed"


def test_pairing_again_calls_the_old_games_off_and_makes_new_ones(desk):
    event = desk(0, [{"kind": "swiss", "rounds": 1}], rulebook="highcard", best_of=1)
    event.say("bots", count=4)
    event.say("start")
    event.round()
    event.house()
    old = set(MatchGame.objects.filter(tournament=event.stream).values_list("game", flat=True))
    event.say("re-pair", reason="the wrong key on the board")
    event.house()
    event.say("publish")
    house(event)
    play_out(event)
    new = set(MatchGame.objects.filter(tournament=event.stream).values_list("game", flat=True)) - old
    assert len(new) >= 2
    assert all(heads.current(game).state.ended for game in old)
    counted = {game.game for match in event.state.matches.values() for game in match.games}
    assert counted <= new


def test_a_bot_that_is_removed_from_a_pod_leaves_the_game_to_the_others(desk):
    event = desk(0, [{"kind": "pods", "rounds": 1}], rulebook="highcard", best_of=1, family="pods")
    event.say("bots", count=4)
    event.say("start")
    [pod] = event.round()
    event.house()
    game = MatchGame.objects.get(tournament=event.stream).game
    out = pod["players"][2]
    event.say("penalties", number=out, kind="match_loss", reason="two hands of cards")
    ends.end_games(event.stream)
    table = heads.current(game).state
    assert table.table.seats[2].out
    assert not table.ended
    while not heads.current(game).state.ended:
        assert bots.play_on(game), "nobody answers"
    play.report(game)
    score = event.state.matches[pod["id"]].score
    assert score.lost == [out]
    assert dict(event.standings())[out] == "0"


def test_pairing_that_never_finds_time_is_handed_to_the_organisers(desk, monkeypatch):
    event = desk(4)
    event.say("start")
    event.say("pair")
    used = []

    def slow(stream, algorithm):
        used.append(algorithm)
        raise MemoryError("and no pairing")

    with monkeypatch.context() as patched:
        patched.setattr(services, "propose", slow)
        for _ in range(pairing.TRIES):
            with pytest.raises(MemoryError):
                event.house()
        assert event.house() == "given up"
    assert used[0] != used[-1], "the later tries take smaller blocks"
    assert event.see()["round"]["why"] == "no_time"
    assert [stored.do for stored in store.read(event.stream)].count("infeasible") == 1
    event.say("re-pair", reason="more memory")
    event.house()
    assert event.see()["round"]["status"] == "proposed"
    assert event.see("/rounds/1/verify")["ok"]


def test_when_the_time_is_over_the_match_ends_as_it_stands(desk, person, monkeypatch):
    """Not for the table that has more time. A game that is on is drawn."""
    event = desk(4, [{"kind": "swiss", "rounds": 1}], rulebook="highcard", round_ms=60_000, on_time="score")
    event.say("start")
    one, two = event.round()
    event.house()
    event.say("penalties", number=one["players"][0], kind="game_loss", reason="late")
    event.say(f"matches/{two['id']}/extend", ms=30_000)
    real, decider = commands.now_ms, heads.current(event.stream).decider

    def fire(ms: int) -> None:
        [due] = decider.due(event.state)
        monkeypatch.setattr(commands, "now_ms", lambda: real() + ms)
        commands.execute(event.stream, actor=due.actor, action=due.action, command_id=due.key)

    with pytest.raises(Rejected, match="no longer stands"):
        fire(0)
    fire(61_000)
    score = event.state.matches[one["id"]].score
    assert (score.wins, score.draws) == ([0, 1], 1)
    assert event.state.matches[two["id"]].score is None
    fire(95_000)
    assert event.see()["round"]["status"] == "closed"
    assert decider.due(event.state) == []
    tasks.end_games(event.stream)
    rows = MatchGame.objects.filter(tournament=event.stream)
    assert all(heads.current(row.game).state.ended for row in rows)
    assert verification.check(event.stream).ok
    body = {"command_id": "paper", "title": "x", "stages": [{"kind": "swiss"}], "round_ms": 1, "on_time": "score"}
    problem(event.organiser.do("/tournaments", body), 422, "illegal")


def test_the_sweep_gives_every_try_its_time(desk):
    """A slow pairing is not started again every two seconds: five seconds, ten, twenty; a new attempt begins anew."""
    event = desk(4)
    event.say("start")
    event.say("pair")

    def waits() -> list[bool]:
        row = Tournament.objects.get(stream=event.stream)
        return [pairing.may_try(row, row.tried_ms + ms) for ms in (4_000, 6_000, 11_000, 21_000)]

    assert waits() == [True] * 4, "nobody has tried it"
    pairing.count_try(event.stream, "1/1")
    assert waits() == [False, True, True, True]
    pairing.count_try(event.stream, "1/1")
    assert waits() == [False, False, True, True]
    assert pairing.count_try(event.stream, "1/1") == 3
    assert waits() == [False, False, False, True]
    assert pairing.count_try(event.stream, "1/2") == 1
