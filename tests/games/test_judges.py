"""Disputes, rulings, rewinds, looks: all of it events, nothing rewritten, every look on record."""

import json

import pytest

from events import audit, feed, readmodels, store, texts
from events import looks as looks_model
from tests.games.play import Player, stands
from tests.http import problem


@pytest.fixture
def judge(person):
    def robed(game: str) -> Player:
        return Player(person("judge"), game)

    return robed


def head(game) -> int:
    return stands(game.game)[0]


def test_a_dispute_and_how_it_is_settled(table, judge):
    game = table()
    judy = judge(game.game)
    game[0].answer_first()
    disputed = game[1].say("disputes", about=4, reason="That card was mine.")
    assert "That card was mine." not in json.dumps(disputed), "words are kept apart from history"
    assert texts.show(disputed["action"]["reason"]["text"]) == "That card was mine."
    [open_] = game[0].see()["disputes"]
    problem(game[0].say(f"disputes/{open_['id']}/settle", None, finding="noted", reason="?"), 403, "missing_scope")
    body = {"finding": "dismissed", "reason": "It was not.", "expected_seq": head(game)}
    judy.say(f"disputes/{open_['id']}/settle", **body)
    assert game[0].see()["disputes"][0]["settled"] == "dismissed"
    problem(judy.say(f"disputes/{open_['id']}/settle", None, **body | {"expected_seq": head(game)}), 409, "stale")
    problem(judy.say("disputes/q99/settle", None, **body | {"expected_seq": head(game)}), 404, "unknown")


def test_rulings(table, judge):
    game = table(time={"bank_ms": 60_000})
    judy = judge(game.game)

    def rule(expect=201, **ruling):
        return judy.say("rulings", expect, reason="so be it", expected_seq=head(game), **ruling)

    stale = judy.say("rulings", None, ruling="time", of=0, add_ms=1, reason="late", expected_seq=1)
    problem(stale, 409, "stale")
    rule(ruling="time", of=1, add_ms=5_000)
    assert game[0].see()["clocks"][1]["bank"] == pytest.approx(65_000, abs=2_000)
    ask = game[1].asked[0]
    forced = rule(ruling="answer", decision=ask["id"], path=[ask["shape"]["options"][:1]])
    assert "path" not in forced["action"], "the judge ruled on a sealed answer; the reply does not repeat it"
    assert game.waits_for() == [0]
    rule(ruling="repair", verbs=[{"verb": "count", "args": {"on": 0, "name": "tricks", "by": 2}}])
    assert game[1].see()["table"]["seats"][0]["n"]["tricks"] == 2
    problem(rule(None, ruling="repair", verbs=[{"verb": "steal", "args": {}}]), 422, "illegal")
    rule(ruling="outcome", result="win", winners=[1])
    assert game[0].see()["table"]["outcome"] == {"result": "win", "winners": [1], "reason": "ruling"}
    rule(ruling="outcome", result="tie", winners=[0, 1])
    assert game[0].see()["table"]["outcome"]["result"] == "tie", "also instead of how it ended"
    assert game[0].see("/verify")["ok"]


def test_removing_a_seat_ends_a_duel(table, judge):
    game = table()
    judge(game.game).say("rulings", ruling="remove", of=0, reason="absent", expected_seq=head(game))
    assert game[0].see()["table"]["outcome"] == {"result": "win", "winners": [1], "reason": "ruling"}


@pytest.mark.parametrize("mode", ["as_it_was", "reshuffle"])
def test_a_rewind(table, judge, mode):
    game = table(seats=3, time={"decision_ms": 1_000, "bank_ms": 60_000})
    judy = judge(game.game)
    hands = [player.see()["table"]["zones"][f"hand:{seat}"]["cards"] for seat, player in enumerate(game.players)]
    to, clocks = head(game), game[0].see()["clocks"]
    while head(game) < to + 6:
        game[game.waits_for()[0]].answer_first()
    old = game[game.waits_for()[0]].asked[0]["id"]
    zones = game[0].see()["table"]["zones"]
    played = {card["key"] for name, zone in zones.items() if name == "discard" or name[:5] == "shown"
              for card in zone.get("cards", [])}  # fmt: skip
    rewound = judy.say("rewinds", to=to, mode=mode, reason="misdeal", expected_seq=head(game), command_id="r1")
    assert {"table", "learned"}.isdisjoint(rewound["action"])
    assert [effect["seat"] for effect in rewound["effects"] if effect["e"] == "learned"] == [0, 1, 2]
    again = judy.say("rewinds", to=to, mode=mode, reason="misdeal", expected_seq=head(game), command_id="r1")
    assert again == rewound
    said = {"to": to, "mode": mode, "reason": "misdeal", "clocks": "then", "command_id": "r1"}
    for other in ({"clocks": "now"}, {"reason": "slip"}, {"to": to - 1}):
        problem(judy.say("rewinds", None, **said | other, expected_seq=head(game)), 422, "key_reused")
    for seat, player in enumerate(game.players):
        now = player.see()["table"]["zones"][f"hand:{seat}"]["cards"]
        assert sorted(card["key"] for card in now) == sorted(card["key"] for card in hands[seat])
        seen = player.see(f"/events?since={rewound['seq'] - 1}&limit=1")["data"][0]
        known = [effect.get("keys") for effect in seen["effects"] if effect["e"] == "learned"]
        assert [keys is not None for keys in known] == [who == seat for who in range(3)], "each its own"
        own = {card["key"] for card in hands[seat]}
        assert played
        assert set(known[seat]) >= played - own, "what the others have played since"
        assert own.isdisjoint(known[seat]), "what one held is not learned"
    assert [clock["bank"] for clock in game[0].see()["clocks"]] == [clock["bank"] for clock in clocks]
    draws = [effect for effect in rewound["effects"] if effect["e"] == "draw"]
    assert bool(draws) == (mode == "reshuffle" and any("zone" in draw for draw in draws))
    problem(game[0].say("answers", None, decision=old, path=[[]]), 409, "stale")
    game.play_out()
    assert game[0].see("/verify")["ok"]


def test_an_end_whose_seals_are_open_is_not_rewound(table, judge):
    game = table()
    game.play_out()
    reply = judge(game.game).say("rewinds", None, to=3, reason="?", expected_seq=head(game))
    assert "sandbox" in problem(reply, 422, "illegal")["detail"]


def test_a_judge_stops_the_clocks_and_reseats(table, judge):
    game = table()
    judy = judge(game.game)
    judy.say("pause", reason="lunch", expected_seq=head(game))
    problem(game[0].say("answers", None, decision=game[0].asked[0]["id"], path=[[]]), 409, "paused")
    judy.say("resume", reason="back", expected_seq=head(game))
    reply = judy.say("reseat", of=0, to="random", reason="gone", expected_seq=head(game))
    assert reply["effects"] == [{"e": "handed", "seat": 0, "bot": "random", "ruled": True}], "no view comes with it"
    assert game[0].see()["you"] is None


def test_who_was_put_out_by_a_judge_comes_back_by_a_judge(table, judge, person):
    game = table()
    judy, heir = judge(game.game), Player(person(), game.game)

    def reseat(expect=201, **seat):
        return judy.say("reseat", expect, reason="so be it", expected_seq=head(game), **seat)

    reseat(of=0, to="random")
    problem(game[0].say("take-over", None, seat=0), 403, "not_yours")
    reseat(of=0, to="anybody")
    problem(game[0].say("take-over", None, seat=0), 403, "not_yours")
    reseat(of=0, to="owner")
    assert game[0].see()["you"] == 0
    problem(reseat(None, of=0, to="owner"), 422, "illegal")
    reseat(of=1, to="anybody")
    problem(game[1].say("hand-over", None, to="nobody"), 403, "not_yours")
    heir.say("take-over", seat=1)
    assert (heir.see()["you"], game[1].see()["you"]) == (1, None)
    heir.say("hand-over", to="random")
    heir.say("take-over", seat=1)
    assert heir.see()["you"] == 1, "one's own bot gives the seat back"
    assert game[0].see("/verify")["ok"]


def test_a_judge_stops_a_game_that_the_players_have_paused(table, judge):
    game = table()
    judy = judge(game.game)
    made = game[0].say("offers", offer="pause")["effects"][0]["offer"]["id"]
    game[1].say(f"offers/{made}/accept")
    game[0].say("offers", offer="resume")
    judy.say("pause", reason="wait for me", expected_seq=head(game))
    problem(judy.say("pause", None, reason="again", expected_seq=head(game)), 409, "paused")
    [standing] = game[1].see()["offers"]
    problem(game[1].say(f"offers/{standing['id']}/accept", None), 403, "not_yours")
    judy.say("resume", reason="go on", expected_seq=head(game))
    assert game[0].see()["offers"] == [], "what it was about has happened"
    game.play_out()
    assert game[0].see("/verify")["ok"]


def looks(game: str) -> list[dict]:
    return [event.content["body"]["action"] for event in store.read(audit.audit_stream(game))[1:]]


def test_a_look_is_recorded_before_it_is_given(table, judge):
    game = table(visibility="private")
    judy = judge(game.game)
    before = stands(game.game)
    hand = game[1].see()["table"]["zones"]["hand:1"]["cards"]
    assert judy.see("/state?as=1&at=3")["table"]["zones"]["hand:1"]["cards"] == hand
    assert len(judy.see("/state?as=table")["table"]["zones"]["deck"]["cards"]) == 42
    judy.see("/events?as=table")
    judy.see("/narration?as=0")
    assert [(look["as"], look["what"], look["seq"]) for look in looks(game.game)] == [
        (1, "state", 3), ("table", "state", 3), ("table", "events", 3), (0, "narration", 3),
    ]  # fmt: skip
    assert stands(game.game) == before, "the players' stream knows nothing of it"


def test_looks_are_listed_for_those_who_may_look(table, judge, person, api):
    game, other = table(visibility="private"), table()
    judy, jack = judge(game.game), judge(game.game)
    judy.see("/state?as=1&at=3")
    jack.see("/narration?as=table")
    judy.game = other.game
    judy.see("/events?as=public")
    feed.Integrator().integrate()
    readmodels.catch_up(looks_model.MODEL)

    def listed(query: str, who=judy) -> list[tuple]:
        reply = who.read(f"/looks{query}")
        assert reply.status_code == 200, reply.content
        return [(look["by"], look["subject"], look["as"], look["what"], look["seq"]) for look in reply.json()["data"]]

    names = [one.someone.user.name for one in (judy, jack)]
    at_game = [(names[1], game.game, "table", "narration", 3), (names[0], game.game, "1", "state", 3)]
    assert listed(f"?subject={game.game}") == at_game
    elsewhere = (names[0], other.game, "public", "events", 3)
    assert listed(f"?person={names[0].upper()}", Player(person("admin"))) == [elsewhere, at_game[1]]
    first = judy.read(f"/looks?subject={game.game}&limit=1").json()
    assert first["has_more"]
    assert judy.read(first["next"].partition("/api/v1")[2]).json()["data"][0]["what"] == "state"
    problem(game[0].read("/looks"), 403, "missing_scope")
    robed = person("judge")
    theirs = table(people=[robed, person()])
    judy.game = theirs.game
    judy.see("/state?as=0")
    feed.Integrator().integrate()
    readmodels.catch_up(looks_model.MODEL)
    assert len(listed(f"?subject={theirs.game}")) == 1
    assert listed(f"?subject={theirs.game}", theirs[0]) == [], "no player learns that a judge has looked"
    before = listed(f"?subject={game.game}")
    readmodels.rebuild(looks_model.MODEL)
    assert listed(f"?subject={game.game}") == before


def test_games_in_dispute_are_listed_for_judges(table, judge):
    game = table(visibility="private")
    judy = judge(game.game)

    def listed() -> dict[str, int]:
        return {line["game"]: line["disputes"] for line in judy.read("/games?which=disputed").json()["data"]}

    assert game.game not in listed()
    for about in (2, 3):
        game[0].say("disputes", about=about, reason="?")
    assert listed()[game.game] == 2
    for dispute in ("q1", "q2"):
        judy.say(f"disputes/{dispute}/settle", finding="noted", reason="!", expected_seq=head(game))
    assert game.game not in listed()
    problem(game[0].read("/games?which=disputed"), 403, "missing_scope")


def test_no_record_no_look(table, judge, monkeypatch):
    def fails(*_, **__):
        raise RuntimeError("the audit stream does not answer")

    monkeypatch.setattr(audit, "record_look", fails)
    game = table()
    assert judge(game.game).read(f"/games/{game.game}/state?as=table").status_code == 500


def test_a_judge_who_plays_sees_and_judges_nothing(table, person):
    judge = person("judge")
    game = table(people=[judge, person()])
    for path in ("/state?as=1", "/state?as=table", "/events?as=table", "/narration?as=1"):
        problem(game[0].read(f"/games/{game.game}{path}"), 403, "not_yours")
    assert not store.read(audit.audit_stream(game.game))
    reply = game[0].say("rulings", None, ruling="outcome", result="win", winners=[0], reason="!", expected_seq=3)
    problem(reply, 403, "not_yours")
    game[1].answer_first()
    for what, body in {"reseat": {"of": 1, "to": "random"}, "pause": {}, "resume": {}, "open-seals": {},
                       "rewinds": {"to": 3}, "disputes/q1/settle": {"finding": "noted"}}.items():  # fmt: skip
        problem(game[0].say(what, None, reason="!", expected_seq=4, **body), 403, "not_yours")
    assert head(game) == 4
    problem(game[0].say("sandbox", None), 403, "not_yours")


def test_players_look_through_their_own_eyes(table):
    game = table()
    problem(game[0].read(f"/games/{game.game}/state?as=1"), 403, "missing_scope")
    problem(game[0].read(f"/games/{game.game}/events?as=table"), 403, "missing_scope")
