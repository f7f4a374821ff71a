"""Draws, takebacks, rematches, handing seats over."""

import json

from events import after
from events.deadlines import sweep as sweep_rows
from tests.games.play import Player, stands
from tests.http import problem

DAY = 24 * 3600 * 1000


def sweep(now: int) -> None:
    after.rows.settle()
    sweep_rows(now)


def offer(player: Player, kind: str) -> str:
    return player.say("offers", offer=kind)["effects"][0]["offer"]["id"]


def test_a_takeback_by_agreement(table):
    """The first sealed answer told nobody anything: it can be taken back, and its decision has a new id."""
    game = table()
    ask = game[0].asked[0]
    game[0].say("answers", decision=ask["id"], path=[ask["shape"]["options"][:1]])
    assert game[0].see()["can_take_back_to"] == 3
    assert game[1].see()["can_take_back_to"] is None
    made = offer(game[0], "takeback")
    accepted = game[1].say(f"offers/{made}/accept", command_id="yes")
    assert [effect["e"] for effect in accepted["effects"]][:3] == ["accepted", "offer_closed", "restore"]
    assert "table" not in next(effect for effect in accepted["effects"] if effect["e"] == "restore")
    again = game[0].asked[0]
    assert again["id"] != ask["id"]
    assert again["shape"] == ask["shape"]
    stale = game[0].say("answers", None, decision=ask["id"], path=[ask["shape"]["options"][:1]])
    problem(stale, 409, "stale")
    assert game[1].say(f"offers/{made}/accept", command_id="yes") == accepted, "a repeat is a repeat"
    game.play_out()
    assert game[0].see("/verify")["ok"]


def test_what_is_known_is_not_taken_back(table):
    game = table()
    game[0].answer_first()
    game[1].answer_first()
    assert game[0].see()["can_take_back_to"] is None
    before = stands(game.game)
    assert "learned" in problem(game[0].say("offers", None, offer="takeback"), 422, "illegal")["detail"]
    assert stands(game.game) == before


def test_an_offer_overtaken_by_new_information(table):
    game = table()
    game[0].answer_first()
    made = offer(game[0], "takeback")
    game[1].answer_first()
    problem(game[1].say(f"offers/{made}/accept", None), 422, "illegal")


def test_public_answers_can_be_taken_back_too(table, shapes):
    game = table(rulebook=shapes)
    game[0].say("answers", decision=game[0].asked[0]["id"], path=[3])
    assert game[0].see()["table"]["seats"][0]["n"] == {"points": 3}
    game[1].say(f"offers/{offer(game[0], 'takeback')}/accept")
    assert game[0].see()["table"]["seats"][0]["n"] == {}


def test_a_draw_where_the_rulebook_allows_it(table, shapes):
    game = table(rulebook=shapes, seats=3)
    made = offer(game[1], "draw")
    problem(game[1].say(f"offers/{made}/accept", None), 403, "not_yours")
    game[0].say(f"offers/{made}/accept")
    assert game[0].see()["phase"] == "play"
    game[2].say(f"offers/{made}/accept")
    outcome = game[0].see()["table"]["outcome"]
    assert (outcome["result"], outcome["reason"]) == ("tie", "agreed")
    problem(table()[0].say("offers", None, offer="draw"), 422, "illegal")


def test_declined_and_withdrawn(table, shapes):
    game = table(rulebook=shapes)
    game[1].say(f"offers/{offer(game[0], 'draw')}/decline")
    made = offer(game[0], "draw")
    problem(game[1].say("offers", None, offer="draw"), 409, "exists")
    game[0].say(f"offers/{made}/decline")
    problem(game[1].say(f"offers/{made}/accept", None), 409, "stale")
    assert game[0].see()["offers"] == []


def test_a_play_of_several_parts(table, shapes):
    game = table(rulebook=shapes)
    game[0].say("answers", decision=game[0].asked[0]["id"], path=[1])
    game[0].say("answers", decision=game[0].asked[0]["id"], path=[{"left": 3, "right": 2}])
    ask = game[1].asked[0]
    part = game[1].preview(ask, [["praise"]])
    assert (part["complete"], part["next"]["kind"], part["next"]["rule"]) == (False, "whom", "TS-4")
    problem(game[1].say("answers", None, decision=ask["id"], path=[["praise"]]), 422, "incomplete")
    game[1].say("answers", decision=ask["id"], path=[["praise"], ["s0"]])
    assert game[0].see()["table"]["seats"][0]["n"]["praise"] == 1
    assert game[0].see()["table"]["may"] == [{"option": "wave", "label": "wave at everybody"}]
    problem(game[0].say("acts", None, option="wave"), 428, "precondition_required")
    problem(game[0].say("acts", None, option="wave", expected_seq=1), 409, "stale")
    game[0].say("acts", option="wave", expected_seq=stands(game.game)[0])
    assert game[1].see()["table"]["seats"][0]["n"]["waves"] == 1


def test_a_rematch(table):
    game = table(time={"decision_ms": 60_000})
    problem(game[0].say("offers", None, offer="rematch"), 422, "illegal")
    game[0].say("concede")
    made = offer(game[1], "rematch")
    accepted = game[0].say(f"offers/{made}/accept", command_id="yes")
    new = game[0].see()["rematch"]
    assert accepted["effects"][-1] == {"e": "rematch", "game": new}
    ada, ben = Player(game[0].someone, new), Player(game[1].someone, new)
    assert ada.see()["terms"]["time"] == {"decision_ms": 60_000}
    problem(ada.say("join", None, seat=1), 403, "not_yours")
    ada.say("join", ready=True)
    ben.say("join", ready=True)
    assert (ada.see()["phase"], ada.see()["you"], ben.see()["you"]) == ("play", 0, 1)


def test_a_bot_plays_on_and_the_player_comes_back(table):
    from games.tasks import play_on

    game = table()
    game[0].say("hand-over", to="random")
    assert game[0].see()["you"] is None
    assert play_on(game.game) == 1
    assert game.waits_for() == [1]
    game[0].say("take-over", seat=0)
    assert game[0].see()["you"] == 0
    game.play_out()
    assert game[0].see("/verify")["ok"]


def test_another_player_takes_the_seat(table, person):
    game = table()
    heir = Player(person(), game.game)
    problem(heir.say("take-over", None, seat=0), 403, "not_yours")
    hand = game[0].see()["table"]["zones"]["hand:0"]["cards"]
    game[0].say("hand-over", to="anybody")
    problem(game[1].say("take-over", None, seat=0), 409, "exists")
    heir.say("take-over", seat=0)
    assert heir.see()["table"]["zones"]["hand:0"]["cards"] == hand
    assert game[0].see()["table"]["zones"]["hand:0"] == {"count": 5}, "who left watches like anybody"
    problem(game[0].say("take-over", None, seat=0), 403, "not_yours")
    heir.answer_first()


def test_a_seat_that_nobody_took_is_no_longer_offered(table, person):
    game = table()
    problem(game[0].say("hand-over", None, to="nobody"), 409, "exists")
    game[0].say("hand-over", to="anybody")
    problem(game[0].say("hand-over", None, to="anybody"), 409, "exists")
    game[0].say("hand-over", to="nobody")
    assert game[0].see()["seats"][0]["free"] is False
    problem(Player(person(), game.game).say("take-over", None, seat=0), 403, "not_yours")
    game.play_out()
    assert game[0].see("/verify")["ok"]


def test_nobody_is_kept_in_a_pause_without_end(table, clock):
    """All agree to go on; or a day goes by after somebody asked for it, whatever the other one does."""
    game = table(time={"bank_ms": 60_000})
    game[1].say(f"offers/{offer(game[0], 'pause')}/accept")
    clock.forward(90 * DAY)
    sweep(clock.now)
    assert game[0].see()["paused"], "as long as nobody asks for its end"
    asked = offer(game[0], "resume")
    assert game[1].see()["offers"][0]["happens_at"] == clock.now + DAY
    problem(game[1].say(f"offers/{asked}/decline", None), 422, "illegal")
    game[0].say(f"offers/{asked}/decline")
    clock.forward(2 * DAY)
    sweep(clock.now)
    assert game[0].see()["paused"], "it was withdrawn"
    offer(game[0], "resume")
    clock.forward(DAY - 1)
    sweep(clock.now)
    assert game[0].see()["paused"]
    clock.forward(1)
    sweep(clock.now)
    assert (game[0].see()["paused"], game[0].see()["offers"]) == (None, [])
    assert game[1].see()["clocks"][1]["bank"] == 60_000, "nobody has paid for it"
    assert game[0].see("/verify")["ok"]


def test_a_pause_with_an_end_is_kept_unless_all_agree(table, clock):
    game = table()
    made = game[0].say("offers", offer="pause", length_ms=10 * DAY)["effects"][0]["offer"]["id"]
    game[1].say(f"offers/{made}/accept")
    asked = offer(game[0], "resume")
    clock.forward(2 * DAY)
    sweep(clock.now)
    assert game[0].see()["paused"]
    game[1].say(f"offers/{asked}/decline")
    clock.forward(8 * DAY)
    sweep(clock.now)
    assert game[0].see()["paused"] is None


def test_nobody_waits_for_who_is_erased(table, person, api):
    game, lobby = table(seats=2), Player(person())
    lobby.game = json.loads(lobby.do("/games", {"command_id": "a", "rulebook": "highcard"}).content)["stream"]
    ben = game[1].someone
    Player(ben, lobby.game).say("join", seat=1)
    assert api(ben.token).do("/me/erase", {"password": ben.password, "really": ben.user.name}).status_code == 204
    end = game[0].see()
    assert end["table"]["outcome"] == {"result": "win", "winners": [0], "reason": "conceded"}
    assert end["seats"][1]["name"] is None
    assert lobby.see()["seats"][1]["player"] is None
    assert game[0].see("/verify")["ok"]


def test_leaving_the_lobby_frees_the_seat_and_its_number(person):
    from tests.games.play import number_and_commit

    ada, ben = Player(person()), Player(person())
    ada.game = ben.game = json.loads(ada.do("/games", {"command_id": "a", "rulebook": "highcard"}).content)["stream"]
    ada.say("join", seat=0, number_commit=number_and_commit(ada.game, 0)[1])
    assert ada.say("leave")["action"]["number_withdrawn"] is True
    ben.say("join", seat=0)
    number, commit = number_and_commit(ada.game, 1)
    ada.say("join", seat=1, number_commit=commit)
    ben.say("ready")
    ada.say("ready", number_open=number)
    assert ada.see()["phase"] == "play"


def test_leaving_when_all_are_in_ends_it(person):
    ada, ben = Player(person()), Player(person())
    ada.game = ben.game = json.loads(
        ada.do("/games", {"command_id": "a", "rulebook": "highcard", "join": {"ready": False}}).content
    )["stream"]
    ben.say("join")
    ben.say("leave")
    assert (ada.see()["phase"], ada.see()["void"]) == ("void", "left")
