"""Every kind of bad input: a problem document that names the field or the rule, and nothing has changed."""

import json
import secrets

import pytest

from events.heads import heads
from tests.games.play import Player, stands
from tests.http import problem


@pytest.fixture
def game(table):
    return table(visibility="public")


def refused(game, reply, status, code, pointer=None, error=None):
    document = problem(reply, status, code)
    if pointer is not None:
        assert pointer in [one.get("pointer") for one in document["errors"]], document
    if error is not None:
        assert error in [one["code"] for one in document["errors"]], document
    return document


@pytest.fixture
def unchanged(game):
    """Seq, hash and every view are the same after the test as before it, in this process and read from the log."""

    def look():
        heads.forget(game.game)
        return stands(game.game), [{**player.see(), "server_now": 0} for player in game.players]

    before = look()
    yield
    assert look() == before


class TestAnswers:
    @pytest.fixture(autouse=True)
    def _unchanged(self, unchanged):
        pass

    def test_wrong_seat(self, game):
        ask = game[1].asked[0]
        refused(game, game[0].say("answers", None, decision=ask["id"], path=[[]]), 403, "not_yours")

    def test_no_seat(self, game, person):
        stranger = Player(person(), game.game)
        reply = stranger.say("answers", None, decision=game[0].asked[0]["id"], path=[[]])
        refused(game, reply, 403, "not_yours")

    def test_stale_seq(self, game):
        ask = game[0].asked[0]
        path = [ask["shape"]["options"][:1]]
        refused(game, game[0].say("answers", None, decision=ask["id"], path=path, expected_seq=1), 409, "stale")

    def test_unknown_decision(self, game):
        assert refused(game, game[0].say("answers", None, decision="d999", path=[[]]), 409, "stale")["seq"] == 3

    def test_unknown_option(self, game):
        ask = game[0].asked[0]
        reply = game[0].say("answers", None, decision=ask["id"], path=[["c999"]])
        document = refused(game, reply, 422, "illegal", "/path/0/0", "unknown_option")
        assert document["errors"][0]["rule"] == "HC-2"

    def test_somebody_elses_card(self, game):
        ask, theirs = game[0].asked[0], game[1].asked[0]
        reply = game[0].say("answers", None, decision=ask["id"], path=[theirs["shape"]["options"][:1]])
        refused(game, reply, 422, "illegal", "/path/0/0", "unknown_option")

    def test_duplicate_option(self, game):
        ask = game[0].asked[0]
        reply = game[0].say("answers", None, decision=ask["id"], path=[ask["shape"]["options"][:1] * 2])
        refused(game, reply, 422, "illegal", "/path/0/1", "duplicate_option")

    def test_too_many(self, game):
        ask = game[0].asked[0]
        reply = game[0].say("answers", None, decision=ask["id"], path=[ask["shape"]["options"][:2]])
        refused(game, reply, 422, "illegal", "/path/0", "too_many")

    def test_too_few(self, game):
        reply = game[0].say("answers", None, decision=game[0].asked[0]["id"], path=[[]])
        refused(game, reply, 422, "illegal", "/path/0", "too_few")

    @pytest.mark.parametrize("value", [7, "c1", {"c1": 1}, None, True, [1], [[]]])
    def test_wrong_shape(self, game, value):
        reply = game[0].say("answers", None, decision=game[0].asked[0]["id"], path=[value])
        refused(game, reply, 422, "illegal", "/path/0", "wrong_shape")

    def test_a_path_that_is_none(self, game):
        reply = game[0].say("answers", None, decision=game[0].asked[0]["id"], path="c1")
        refused(game, reply, 422, "invalid_body", "/path", "wrong_type")

    def test_an_empty_path(self, game):
        reply = game[0].say("answers", None, decision=game[0].asked[0]["id"], path=[])
        refused(game, reply, 422, "incomplete", "/path/0")

    def test_a_path_too_long(self, game):
        ask = game[0].asked[0]
        reply = game[0].say("answers", None, decision=ask["id"], path=[ask["shape"]["options"][:1], 3])
        refused(game, reply, 422, "illegal", "/path/1", "too_many")

    def test_a_fraction(self, game):
        reply = game[0].say("answers", None, decision=game[0].asked[0]["id"], path=[0.5])
        refused(game, reply, 422, "invalid_body", "/path/0", "wrong_type")

    def test_an_unknown_field(self, game):
        reply = game[0].say("answers", None, decision="d0", path=[], seat=1)
        refused(game, reply, 422, "invalid_body", "/seat", "unknown")

    def test_no_command_id(self, game):
        reply = game[0].do(f"/games/{game.game}/answers", {"decision": "d0", "path": []})
        assert reply.status_code in (400, 422)
        assert json.loads(reply.content)["code"] == "command_id_missing"

    def test_an_act_that_does_not_exist(self, game):
        reply = game[0].say("acts", None, option="fly", expected_seq=stands(game.game)[0])
        refused(game, reply, 422, "illegal", "/option", "unknown_option")

    def test_an_offer_that_does_not_stand(self, game):
        refused(game, game[0].say("offers/o9/accept", None), 409, "stale")

    def test_joining_a_full_game(self, game, person):
        refused(game, Player(person(), game.game).say("join", None), 422, "illegal")

    def test_joining_twice(self, game):
        refused(game, game[0].say("join", None), 422, "illegal")

    def test_a_rewind_without_a_seq(self, game, person):
        judge = Player(person("judge"), game.game)
        refused(game, judge.say("rewinds", None, to=3, reason="why"), 428, "precondition_required", "/expected_seq")

    def test_a_player_does_not_judge(self, game):
        reply = game[0].say("rulings", None, ruling="outcome", result="win", winners=[0], reason="me", expected_seq=3)
        refused(game, reply, 403, "missing_scope")


def test_number_out_of_range_and_splits_that_do_not_add_up(table, shapes):
    game = table(rulebook=shapes)
    before = stands(game.game)
    ask = game[0].asked[0]
    assert ask["shape"]["is"] == "number"
    for value in (-1, 4):
        reply = game[0].say("answers", None, decision=ask["id"], path=[value])
        refused(game, reply, 422, "illegal", "/path/0", "out_of_range")
    assert stands(game.game) == before

    game[0].say("answers", decision=ask["id"], path=[2])
    before = stands(game.game)
    ask = game[0].asked[0]
    assert ask["shape"]["is"] == "split"
    short = game[0].say("answers", None, decision=ask["id"], path=[{"left": 1}])
    refused(game, short, 422, "illegal", "/path/0", "does_not_add_up")
    over = game[0].say("answers", None, decision=ask["id"], path=[{"left": 9, "right": -4}])
    refused(game, over, 422, "illegal", "/path/0/left", "out_of_range")
    nowhere = game[0].say("answers", None, decision=ask["id"], path=[{"up": 5}])
    refused(game, nowhere, 422, "illegal", "/path/0/up", "unknown_option")
    assert stands(game.game) == before
    game[0].say("answers", decision=ask["id"], path=[{"left": 3, "right": 2}])


def test_after_the_end(table):
    game = table()
    game.play_out()
    before = stands(game.game)
    problem(game[0].say("answers", None, decision="d0", path=[[]]), 409, "over")
    problem(game[0].say("concede", None), 409, "over")
    problem(game[0].say("offers", None, offer="draw"), 409, "over")
    problem(game[0].say("acts", None, option="stops", set=None), 409, "over")
    assert stands(game.game) == before


class TestLobby:
    @pytest.fixture
    def host(self, person):
        host = Player(person())
        made = host.do("/games", {"command_id": "c1", "rulebook": "highcard", "join": {}})
        host.game = json.loads(made.content)["stream"]
        return host

    def test_joining_twice(self, host):
        before = stands(host.game)
        problem(host.say("join", None, seat=1), 409, "exists")
        assert stands(host.game) == before

    def test_a_seat_that_is_taken(self, host, person):
        document = problem(Player(person(), host.game).say("join", None, seat=0), 409, "exists")
        assert document["errors"][0]["pointer"] == "/seat"

    def test_a_seat_that_does_not_exist(self, host, person):
        document = problem(Player(person(), host.game).say("join", None, seat=2), 422, "illegal")
        assert document["errors"][0]["code"] == "out_of_range"

    def test_too_many_players(self, host, person):
        Player(person(), host.game).say("join", seat=1, ready=False)
        problem(Player(person(), host.game).say("join", None), 409, "full")

    def test_a_commitment_without_a_seat(self, host, person):
        reply = Player(person(), host.game).say("join", None, number_commit=secrets.token_hex(32))
        assert problem(reply, 422, "illegal")["errors"][0]["pointer"] == "/seat"

    def test_only_the_host_fills(self, host, person):
        other = Player(person(), host.game)
        problem(other.say("bots", None), 403, "not_yours")

    def test_nobody_plays_before_the_start(self, host):
        problem(host.say("answers", None, decision="d0", path=[[]]), 422, "illegal")
        problem(host.say("concede", None), 422, "illegal")


def make(player, **body):
    return player.do("/games", {"command_id": secrets.token_hex(8)} | body)


def test_terms_that_do_not_fit(person):
    host = Player(person())
    assert "highcard" in problem(make(host, rulebook="poker"), 422, "illegal")["detail"]
    seats = problem(make(host, rulebook="highcard", seats=9), 422, "illegal")
    assert seats["errors"][0]["pointer"] == "/seats"
    empty = problem(make(host, rulebook="highcard", time={"increment_ms": 5}), 422, "illegal")
    assert empty["errors"][0]["pointer"] == "/time"
    problem(make(host, rulebook="highcard", seals="never"), 422, "invalid_body")
    problem(make(host, rulebook="highcard", seats=2, join={"seat": 2}), 422, "illegal")
    problem(make(host, rulebook="highcard", colour="red"), 422, "invalid_body")


def test_a_deck_against_the_rules_is_refused_with_its_rule(person):
    """TH-4: two decks that share a card, of the wrong size."""
    reply = make(Player(person()), rulebook="theos", seats=2, options={"decks": [["P4", "P4"], ["P4"]]})
    document = problem(reply, 422, "illegal")
    assert all(one["rule"].startswith("TH-4") for one in document["errors"]), document
    assert all(one["pointer"].startswith("/options/decks") for one in document["errors"]), document


def test_unknown_games_are_not_found(person):
    player = Player(person(), "gam_0000000000000000000A")
    player.see(expect=404)
    player.see("/events", expect=404)
    problem(player.say("answers", None, decision="d0", path=[[]]), 404, "unknown")
    problem(player.say("join", None), 404, "unknown")
