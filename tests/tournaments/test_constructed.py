"""Constructed events: lists handed in before a deadline, games made with them, sideboards between the games."""

import json
from collections import Counter

import pytest

from decks import services as decks
from decks.cards import catalogue
from events import commands, deadlines, heads, store, verification
from games import tasks as bots
from tests.games.play import Player
from tests.games.test_agreements import offer
from tests.http import Api, problem
from tests.rules import rule
from tests.tournaments.test_games import play_out
from tests.tournaments.test_limited import late  # noqa: F401
from tournaments import play
from tournaments.models import MatchGame

CARDS = [card for card in catalogue("epic").values() if card.cost == "action" and not card.data["gift"]]
SOME, OTHER = [card.key for card in CARDS[:35]], [card.key for card in CARDS[5:40]]
RULES = {"rulebook": "epic", "decks": True, "format": "epic/designed"}


def listed(keys) -> dict[str, dict[str, int]]:
    return {"deck": dict.fromkeys(keys[:20], 3), "sideboard": dict.fromkeys(keys[20:35], 1)}


def test_an_illegal_list_is_refused_with_everything_that_is_wrong(desk):
    event = desk(2, **RULES)
    wrong = {"deck": {SOME[0]: 4, "EP022": 1}, "sideboard": {SOME[1]: 3}}
    refused = problem(event.say("decks", None, event.players[1], deck=wrong), 422, "illegal")
    assert {error["code"] for error in refused["errors"]} == {"too_few", "wrong_size", "copies", "banned"}
    assert {error["rule"] for error in refused["errors"]} == {"EP-17.6", "EP-18.1", "EP-17.7"}
    assert not event.state.entrants[1].deck
    problem(event.say("decks", None, event.players[1], text="3 Flesh Fire"), 422, "illegal")
    said = event.say("decks", who=event.players[1], command_id="mine", deck=listed(SOME))
    again = event.say("decks", who=event.players[1], command_id="mine", deck=listed(SOME))
    assert again == said, "the same command, the same answer"
    problem(event.say("decks", None, event.players[1], command_id="mine", deck=listed(OTHER)), 422, "key_reused")
    [shown] = json.loads(event.players[2].read(f"/submissions?event={event.stream}").content)["data"]
    assert (shown["hash"], shown["deck"], shown["locked"]) == (event.state.entrants[1].deck, None, False)


def test_a_list_after_the_deadline(desk, late):  # noqa: F811
    event = desk(2, **RULES, decks_until=commands.now_ms() + 60_000, late="no")
    event.say("decks", who=event.players[1], deck=listed(SOME))
    late(61_000)
    problem(event.say("decks", None, event.players[1], deck=listed(OTHER)), 409, "over")
    problem(event.say("decks", None, event.players[2], deck={"deck": {}}), 409, "over")


def test_games_are_played_with_what_was_handed_in(desk, person):
    """Bots get lists of the house; a late entry plays when the list is in; everything opens when the event is over."""
    event = desk(1, **RULES, best_of=1, late="loss")
    event.say("bots", count=3)
    event.say("decks", who=event.players[1], deck=listed(SOME))
    event.say("start")
    event.house()
    assert all(one.deck for one in event.state.entrants.values())
    event.round()
    event.house()
    brought = {}
    for row in MatchGame.objects.filter(tournament=event.stream):
        table = heads.current(row.game).state
        assert table.terms_.options == {"format": "designed"}
        brought |= {number: table.brought[str(seat)] for seat, number in enumerate(row.seats)}
    assert brought[1] == decks.brought("epic/designed", listed(SOME))
    assert len({json.dumps(deck, sort_keys=True) for deck in brought.values()}) == 4
    event.register(person())
    event.rule_all(1)
    assert 5 not in [n for match in event.round() for n in match["players"]], "no list, no table"
    event.say("decks", who=event.players[5], deck=listed(OTHER))
    problem(event.say("decks", None, event.players[1], deck=listed(OTHER)), 409, "over")
    event.rule_all(1)
    event.say("finish")
    event.house()
    assert event.see("/decks/2", who=event.players[1])["auto"]
    [shown] = [
        one
        for one in json.loads(event.players[5].read(f"/submissions?event={event.stream}").content)["data"]
        if one["hash"] == event.state.entrants[1].deck
    ]
    assert (shown["deck"], shown["opened"]) == (listed(SOME), True)
    event.say("close")
    assert verification.check(event.stream).ok


@pytest.fixture
def match(desk, person):
    """Best of three between two people: game one is over, and the first in the match has conceded it."""
    event = desk(0, [{"kind": "swiss", "rounds": 1}], **RULES, best_of=3)
    event.people = {1: person(), 2: person()}
    for number, keys in ((1, SOME), (2, OTHER)):
        event.register(event.people[number])
        event.say("decks", who=event.players[number], deck=listed(keys))
    event.say("start")
    [found] = event.round()
    event.house()
    event.id = found["id"]
    game_of(event, concedes=1)
    return event


def game_of(event, concedes: int = 0) -> str:
    """Both sit down at the open game, and one gives it up; or, if nobody does, they agree on a draw."""
    seats = {}
    for number, someone in event.people.items():
        game = event.see("/me", who=event.players[number])["games"][-1]
        seats[number] = Player(someone, game["game"])
        seats[number].say("join", seat=game["seat"], ready=True)
    if concedes:
        seats[concedes].say("concede")
    else:
        seats[2].say(f"offers/{offer(seats[1], 'draw')}/accept")
    play.report(game["game"])
    return game["game"]


def open_game(event):
    event.house()
    row = MatchGame.objects.get(tournament=event.stream, reported=False)
    return row, heads.current(row.game).state


@rule("epic", "EP-18.2", "EP-18.3", "EP-18.4", "EP-18.6", "EP-18.7", "SC-65")
def test_sideboards_between_the_games(match):
    place = f"matches/{match.id}/sideboard"
    assert match.see("/me", who=match.players[1])["say"] == "Exchange cards with your sideboard, or nothing."
    assert match.house() == "0 games made", "the next game waits for the sideboards"
    out, into = {SOME[0]: 2}, {SOME[20]: 1, SOME[21]: 1}
    for wrong in ({"out": out, "in": {}}, {"out": {SOME[0]: 4}, "in": into}, {"out": {"EP999": 2}, "in": into}):
        refused = problem(match.say(place, None, match.players[1], **wrong), 422, "illegal")
        assert {error["rule"] for error in refused["errors"]} == {"EP-18.2"}
    problem(match.say(place, None, out=out, **{"in": into}), 403, "not_yours")
    said = match.say(place, who=match.players[1], out=out, **{"in": into})
    assert {"out", "in"}.isdisjoint(said["action"]), "swaps are secret"
    assert match.house() == "0 games made"
    nothing = match.say(place, who=match.players[2])
    assert set(nothing["action"]) == set(said["action"]), "an exchange of nothing looks the same"
    row, table = open_game(match)
    swapped = decks.swapped("epic/designed", listed(SOME), out, into)
    expected = {1: decks.brought("epic/designed", swapped), 2: decks.brought("epic/designed", listed(OTHER))}
    assert {n: table.brought[str(seat)] for seat, n in enumerate(row.seats)} == expected
    assert row.seats[table.terms_.options["chooser"]] == 1, "who lost says who goes first"
    problem(match.say(place, None, match.players[1]), 422, "illegal")  # not during the game

    game_of(match, concedes=2)
    match.say(place, who=match.players[2], out={OTHER[1]: 1}, **{"in": {OTHER[20]: 1}})
    match.say(place, who=match.players[1])  # back to what was registered
    row, table = open_game(match)
    assert table.brought[str(row.seats.index(1))] == decks.brought("epic/designed", listed(SOME))
    assert row.seats[table.terms_.options["chooser"]] == 2
    game_of(match, concedes=2)
    assert match.see()["round"]["status"] == "closed"
    assert match.state.matches[match.id].score.wins in ([2, 1], [1, 2])
    registered = match.see("/decks/2", who=match.players[2])["deck"]
    assert registered == listed(OTHER), "after the match everything is as it was"


@rule("epic", "EP-18.6")
def test_after_a_drawn_game_somebody_by_lot_chooses(match):
    for number in (1, 2):
        match.say(f"matches/{match.id}/sideboard", who=match.players[number])
    open_game(match)
    game_of(match)
    assert sorted(match.state.matches[match.id].games[-1].winners) == [1, 2]
    for number in (1, 2):
        match.say(f"matches/{match.id}/sideboard", who=match.players[number])
    _, table = open_game(match)
    assert table.terms_.options["chooser"] == [0, 1]


def test_sideboarding_has_a_time(match, late):  # noqa: F811
    match.say(f"matches/{match.id}/sideboard", who=match.players[1], out={SOME[0]: 1}, **{"in": {SOME[20]: 1}})
    late(179_000)
    deadlines.project(heads.current(match.stream))
    assert deadlines.fire_stream(match.stream) == 0
    late(181_000)
    assert deadlines.fire_stream(match.stream) == 1
    assert deadlines.fire_stream(match.stream) == 0
    row, table = open_game(match)
    assert Counter(table.brought[str(row.seats.index(1))]["deck"])[SOME[20]] == 1
    problem(match.say(f"matches/{match.id}/sideboard", None, match.players[2]), 422, "illegal")
    assert [stored.do for stored in store.read(match.stream)].count("go_on") == 1


def test_bots_hold_no_match_up(desk):
    event = desk(0, [{"kind": "swiss", "rounds": 1}], **RULES, best_of=3)
    event.say("bots", count=2)
    event.say("start")
    event.house()
    event.round()
    play_out(event)
    [match] = event.state.matches.values()
    assert max(match.score.wins) == 2
    assert bots.play_on(match.games[0].game) == 0


def test_nobody_brings_a_deck_to_a_game_that_deals_them(desk, person):
    people = [person(), person()]
    event = desk(0, rulebook="epic", best_of=1)
    for someone in people:
        event.register(someone)
    event.say("start")
    event.round()
    event.house()
    game = event.see("/me", who=event.players[1])["games"][0]
    player = Player(people[0], game["game"])
    stacked = player.say("join", None, seat=game["seat"], ready=True, deck=[SOME[0]] * 30)
    assert problem(stacked, 422, "illegal")["errors"][0]["pointer"] == "/deck"
    player.say("join", seat=game["seat"], ready=True)


def test_nobody_brings_another_deck_by_making_the_game(person):
    """What the house brings, only the house brings."""
    stranger = Api(person().token)
    body = {"command_id": "x", "rulebook": "epic", "seats": 2, "options": {"format": "designed"}}
    problem(stranger.do("/games", body | {"brought": {"0": [], "1": []}}), 422, "invalid_body")
    assert stranger.do("/games", body).status_code == 201, "players bring their decks when they join"
