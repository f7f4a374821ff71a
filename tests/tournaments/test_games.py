"""Matches that are games: made by the tournament, played by bots and people, reported by themselves."""

import hashlib
import time

import pytest

from events import commands, heads, store, verification
from games import tasks as bots
from tests.conftest import wait_for
from tests.games.play import Player
from tests.http import Api
from tournaments import lists, play, tasks
from tournaments.models import MatchGame


def play_out(event) -> None:
    """All games of the round, to the end, in this process."""
    tasks.run_house(event.stream)
    while waiting := list(MatchGame.objects.filter(tournament=event.stream, reported=False).order_by("game")):
        for row in waiting:
            while not heads.current(row.game).state.ended:
                assert bots.play_on(row.game), "nobody answers"
            play.report(row.game)


def test_an_event_of_bots_best_of_three(desk):
    event = desk(0, [{"kind": "swiss", "rounds": 2}, {"kind": "single", "cut": 2}], rulebook="highcard")
    event.say("bots", count=4)
    event.say("start")
    for _ in range(2):
        event.round()
        play_out(event)
    event.say("advance")
    event.round()
    play_out(event)
    event.say("advance")
    assert event.see()["phase"] == "over"
    for match in event.state.matches.values():
        for game in match.games:
            stored = store.read(game.game, game.seq - 1, upto=game.seq)[0]
            assert stored.hash.hex() == game.hash, "the result is tied to the game's stream"
        assert max(match.score.wins) <= 2
        assert len(match.games) == sum(match.score.wins) + match.score.draws
    assert lists.waits(event.state) == "seals"
    game = next(iter(event.state.matches.values())).games[0].game
    assert not heads.current(game).state.seals_open
    event.house()
    assert heads.current(game).state.seals_open, "the event is over: its games show everything"
    assert verification.check(event.stream).ok
    assert verification.check(game).ok


def test_everything_can_be_done_twice(desk):
    event = desk(0, rulebook="highcard", best_of=1)
    event.say("bots", count=4)
    event.say("start")
    event.round()
    assert play.make_games(event.stream) == 2
    assert play.make_games(event.stream) == 0
    MatchGame.objects.filter(tournament=event.stream).delete()  # a worker killed before it wrote the row
    assert play.make_games(event.stream) == 2
    play_out(event)
    MatchGame.objects.filter(tournament=event.stream).update(reported=False)  # and one killed after reporting
    for game in MatchGame.objects.filter(tournament=event.stream).values_list("game", flat=True):
        play.report(game)
    games = [game.game for match in event.state.matches.values() for game in match.games]
    assert len(set(games)) == len(games)
    assert [stored.do for stored in store.read(event.stream)].count("played") == len(games)


@pytest.fixture
def late(monkeypatch):
    real = commands.now_ms

    def later(ms: int) -> None:
        monkeypatch.setattr(commands, "now_ms", lambda: real() + ms)

    return later


def test_who_brings_no_number_in_time_is_a_no_show_never_a_void_game(desk, person, late):
    people = [person(), person()]
    event = desk(0, rulebook="highcard", best_of=1, show_up_ms=60_000)
    for someone in people:
        event.register(someone)
    event.say("start")
    [match] = event.round()
    event.house()
    first = match["players"][0]
    mine = event.see("/me", who=event.players[first])["games"][0]
    player = Player(people[first - 1], mine["game"])
    number = b"\7" * 32
    parts = (mine["game"].encode(), str(mine["seat"]).encode(), number)
    fields = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    commit = hashlib.sha256(b"arbiter/seat/v1\0" + fields).hexdigest()
    player.say("join", seat=mine["seat"], number_commit=commit)
    stranger = Player(person(), mine["game"])
    assert stranger.say("join", None, seat=1 - mine["seat"]).status_code == 403, "the other seat is kept"
    late(61_000)
    [due] = heads.current(mine["game"]).decider.due(heads.current(mine["game"]).state)
    commands.execute(mine["game"], actor=due.actor, action=due.action, command_id="late")
    play.report(mine["game"])
    result = event.state.matches[match["id"]].score
    assert result.kind == "forfeit"
    assert result.wins[match["players"].index(first)] == 1, "by the games it takes"
    assert event.see()["round"]["status"] == "closed"


def test_people_play_their_match(desk, person):
    people = [person(), person()]
    event = desk(0, rulebook="highcard", best_of=1)
    for someone in people:
        event.register(someone)
    event.say("start")
    event.round()
    event.house()
    [match] = event.state.matches.values()
    while match.score is None:  # a drawn game is played again
        seats = {}
        for someone in people:
            mine = event.see("/me", who=Api(someone.token))["games"][-1]
            assert not mine["reported"]
            seats[mine["seat"]] = Player(someone, mine["game"])
            seats[mine["seat"]].say("join", seat=mine["seat"], ready=True)
        game = seats[0].game
        while waits := seats[0].see()["waits_for"]:
            seats[waits[0]].answer_first()
        play.report(game)
        [match] = event.state.matches.values()
        assert match.games[-1].game == game
    assert all(len(drawn.winners) != 1 for drawn in match.games[:-1])


def test_boards_of_a_team_match_are_games(desk, person):
    event = desk(0, team=2, rulebook="highcard", best_of=1)
    people = [person() for _ in range(4)]
    for captain, mate in (people[:2], people[2:]):
        event.register(captain, members=[mate.user.name])
    event.say("start")
    event.round()
    event.house()
    assert MatchGame.objects.filter(tournament=event.stream).count() == 2


def test_workers_run_the_house(desk, worker):
    """Pairing, games, bots and results through the queue: the organiser only calls and publishes. A message may get
    lost (a locked database, a broker that is away): the sweeps that beat asks for are the guarantee."""
    event = desk(0, [{"kind": "swiss", "rounds": 2}], rulebook="highcard", best_of=1)

    def until(reached, seconds: int = 60) -> None:
        swept = [time.monotonic()]

        def asked() -> bool:
            if time.monotonic() > swept[0] + 2:
                swept[0] = time.monotonic()
                tasks.sweep_tournaments()
                bots.sweep_bots()
            return reached(heads.current(event.stream).state)

        wait_for(asked, seconds)

    event.say("bots", count=6)
    event.say("start")
    for _ in range(2):
        event.say("pair")
        until(lambda state: state.now.status == "proposed")
        event.say("publish")
        until(lambda state: state.now.status == "closed")
    event.say("advance")
    games = MatchGame.objects.filter(tournament=event.stream).values_list("game", flat=True)
    until(lambda _: all(heads.current(game).state.seals_open for game in games.all()))
    assert verification.check(event.stream).ok
