"""Attacks that once worked: by players, by people at the door, by judges, and by accident."""

import json
import time
from random import Random

import pytest

from events import audit, commands, deadlines, heads, store, texts
from events.export import export
from events.models import Snapshot
from games import history
from games.access import look
from tests.games.play import Player, stands
from tests.http import problem


def sweep(game: str) -> None:
    deadlines.project(heads.current(game))
    deadlines.fire_stream(game)


def test_who_was_refused_a_seat_has_no_voice(table, person):
    """A refused join makes nobody a participant who may dispute, nor tells how a private game goes on."""
    game = table(visibility="private")
    stranger = Player(person(), game.game)
    problem(stranger.say("join", None), 404, "unknown")
    ada, ben, eve = (Player(person()) for _ in range(3))
    ada.game = ben.game = eve.game = json.loads(
        ada.do("/games", {"command_id": "a", "rulebook": "highcard", "visibility": "private", "join": {}}).content
    )["stream"]
    problem(eve.say("join", None, seat=0), 409, "exists")
    ben.say("join", ready=True)
    before = stands(ada.game)
    problem(eve.say("disputes", None, about=1, reason="!"), 404, "unknown")
    problem(eve.say("answers", None, decision="d0", path=[[]]), 404, "unknown")
    assert stands(ada.game) == before


def test_a_spectator_disputes_nothing(table, person):
    game = table()
    eve = Player(person(), game.game)
    problem(eve.say("join", None), 422, "illegal")
    problem(eve.say("disputes", None, about=1, reason="!"), 403, "not_yours")


def test_state_before_the_first_event(table, person):
    game = table()
    problem(game[0].read(f"/games/{game.game}/state?at=0"), 400, "invalid_query")
    judge = Player(person("judge"), game.game)
    problem(judge.read(f"/games/{game.game}/state?at=0&as=0"), 400, "invalid_query")


def test_a_clock_runs_out_again_after_coming_back(table, clock):
    game = table(time={"decision_ms": 10_000}, on_timeout="bot")
    game[1].answer_first()
    for _ in range(2):
        clock.forward(20_000)
        sweep(game.game)
        assert game[1].see()["seats"][0]["bot"] == "random"
        game[0].say("take-over", seat=0)


def test_a_judge_who_played_stays_partial(table, person):
    judge, heir = person("judge"), person()
    game = table(people=[judge, person()])
    game[0].say("hand-over", to="anybody")
    Player(heir, game.game).say("take-over", seat=0)
    problem(game[0].read(f"/games/{game.game}/state?as=1"), 403, "not_yours")
    problem(game[0].say("pause", None, reason="?", expected_seq=stands(game.game)[0]), 403, "not_yours")


def test_who_played_one_seat_takes_no_other(table, person):
    game = table(seats=3)
    game[0].say("hand-over", to="anybody")
    Player(person(), game.game).say("take-over", seat=0)
    game[1].say("hand-over", to="anybody")
    problem(game[0].say("take-over", None, seat=1), 403, "not_yours")


def test_a_judge_who_looked_or_ruled_takes_no_seat(table, person):
    game = table(seats=3)
    looker, ruler = Player(person("judge"), game.game), Player(person("judge"), game.game)
    looker.see("/state?as=table")
    ruler.say("reseat", of=0, to="anybody", reason="?", expected_seq=stands(game.game)[0])
    problem(ruler.say("take-over", None, seat=0), 403, "not_yours")
    problem(looker.say("take-over", None, seat=0), 403, "not_yours")


BAD_REPAIRS = [
    ("turn", {"pose": 5}), ("turn", {"card": "c999", "pose": "x"}), ("count", {"on": 0, "name": 7, "by": 1}),
    ("move", {"to": 9}), ("move", {"card": 9, "to": "deck"}), ("move", {"to": "deck", "at": "x"}),
    ("make", {"keys": [1], "owner": 0, "zone": "deck"}), ("make", {"keys": "abc", "owner": "x", "zone": "deck"}),
    ("give", {"ctrl": "x"}), ("attach", {"to": "nowhere"}), ("attach", {"to": 5}), ("know", {"seats": "x"}),
    ("know", {"seats": [99]}), ("set", {"name": 5, "value": 1}), ("set", {"name": "x", "value": 1, "seats": [60]}),
    ("shuffle", {"zone": "nope"}), ("shuffle", {"zone": "deck", "last": "x"}), ("out", {"seat": 99, "reason": "x"}),
    ("out", {"seat": 0, "reason": 5}), ("end", {"result": 5, "winners": [], "reason": "x"}), ("say", {"what": 5}),
    ("end", {"result": "win", "winners": "x", "reason": "x"}), ("remove", {"card": None}),
]  # fmt: skip


def test_a_repair_that_could_not_be_read_back_is_refused(table, person):
    """A pose that was a number was taken, and then no process could read the game again."""
    game = table()
    judge = Player(person("judge"), game.game)
    card = game[0].see()["table"]["zones"]["hand:0"]["cards"][0]["id"]
    needs = {"turn": "card", "move": "card", "give": "card", "attach": "card", "know": "cards"}
    before = stands(game.game)
    for verb, args in BAD_REPAIRS:
        if (name := needs.get(verb)) and name not in args:
            args = {**args, name: [card] if name == "cards" else card}
        body = {"ruling": "repair", "reason": "?", "expected_seq": before[0], "verbs": [{"verb": verb, "args": args}]}
        document = problem(judge.say("rulings", None, **body), 422, "illegal")
        assert document["errors"][0]["pointer"] == "/verbs/0/args", (verb, args)
    assert stands(game.game) == before


def test_erased_words_cannot_be_guessed_from_what_is_left(table):
    """The hash that tells a repeated command from another must not be one of the words: it is shown with the seals."""
    game = table()
    said = {"about": 1, "reason": "my number is 555 0100"}
    event = game[0].say("disputes", command_id="c1", **said)
    other = game[0].say("disputes", command_id="c2", **said | {"reason": "something else"})
    first, second = (store.read(game.game, event["seq"] - 1, upto=other["seq"])[at].request for at in (0, 1))
    assert first == second
    problem(game[0].say("disputes", None, command_id="c1", **said | {"reason": "something else"}), 422, "key_reused")
    assert game[0].say("disputes", command_id="c1", **said) == event
    texts.erase(event["by"])
    assert game[0].say("disputes", command_id="c1", **said) == event


def test_a_spoilt_snapshot_is_dropped(table):
    game = table()
    heads.save_snapshot(heads.current(game.game))
    Snapshot.objects.filter(stream=game.game).update(state=b"\x93nonsense")
    heads.heads.forget(game.game)
    assert game[0].see()["phase"] == "play"


def test_other_events_do_not_put_a_standing_pass_off(table, clock, shapes):
    game = table(rulebook=shapes, options={"respond": True})
    game[1].say("acts", option="stops", set={"pass": "turn"})
    before = game[0].see()["seq"]
    for _ in range(9):
        offer = game[0].say("offers", offer="pause")["effects"][0]["offer"]["id"]
        game[0].say(f"offers/{offer}/decline")
        clock.forward(300)
        sweep(game.game)
    assert any(event["do"] == "answer" for event in game[0].see(f"/events?since={before}")["data"])


def test_a_long_poll_does_not_outlive_the_seat(table, person, monkeypatch):
    from games import waiting

    game = table()
    seq = stands(game.game)[0]

    def meanwhile(stream, since, seconds):
        game[0].say("hand-over", to="anybody")
        heir = Player(person(), game.game)
        heir.say("take-over", seat=0)
        heir.answer_first()

    monkeypatch.setattr(waiting, "for_more", meanwhile)
    data = game[0].see(f"/events?since={seq}&wait=5")["data"]
    answer = next(event for event in data if event["do"] == "answer")
    assert "path" not in answer["action"]


def test_a_rematch_whose_making_was_cut_off_is_made_when_asked_for_again(table, monkeypatch):
    from games import services

    game = table()
    game[0].say("concede")
    offer = game[0].say("offers", offer="rematch")["effects"][0]["offer"]["id"]
    with monkeypatch.context() as cut:
        cut.setattr(services, "make_rematch", lambda stream: (_ for _ in ()).throw(RuntimeError("killed")))
        assert game[1].say(f"offers/{offer}/accept", None).status_code == 500
    new = game[0].see()["rematch"]
    assert new
    problem(game[0].say("offers", None, offer="rematch"), 409, "exists")
    assert game[0].read(f"/games/{new}").status_code == 200


def test_players_do_not_end_a_judges_pause(table, person):
    game = table()
    judge = Player(person("judge"), game.game)
    judge.say("pause", reason="let me look", expected_seq=stands(game.game)[0])
    problem(game[0].say("offers", None, offer="resume"), 403, "not_yours")
    judge.say("resume", reason="go on", expected_seq=stands(game.game)[0])
    game[0].answer_first()


def test_a_judge_reads_why_something_is_disputed(table, person):
    game = table()
    event = game[0].say("disputes", about=2, reason="I had said “pass”.")
    judge = Player(person("judge"), game.game)
    [seen] = judge.see(f"/events?as=public&since={event['seq'] - 1}&text=1")["data"]
    assert seen["words"] == {"reason": "I had said “pass”."}
    assert any("I had said “pass”." in line for line in seen["text"])
    texts.erase(event["by"])
    assert "words" not in judge.see(f"/events?as=public&since={event['seq'] - 1}")["data"][0]


def test_who_looks_and_sits_down_at_once_does_only_one_of_them(table, person, monkeypatch):
    """Between the check and the commit of a take-over the same person asks, as a judge, to see everything."""
    game, judge = table(), Player(person("judge"))
    judge.game = game.game
    game[1].say("hand-over", to="anybody")
    real, looks = commands.execute, []

    def meanwhile(stream, *, action, **rest):
        if action["do"] == "take_over":
            looks.append(judge.read(f"/games/{game.game}/state?as=table"))
        return real(stream, action=action, **rest)

    monkeypatch.setattr(commands, "execute", meanwhile)
    judge.say("take-over", seat=1)
    problem(looks[0], 403, "not_yours")
    assert judge.see()["you"] == 1


def test_a_look_ends_where_it_was_taken(table, person):
    """Between finding out who asks and reading the log the seat can change hands: its new player's cards are not the
    old one's to see."""
    game = table()
    looked = look(game.game, game[1].someone.user)
    cleo = Player(person(), game.game)
    game[1].say("hand-over", to="anybody")
    cleo.say("take-over", seat=1)
    secret = cleo.answer_first()
    assert [event["seq"] for event in history.events(looked, 0, 100)] == [1, 2, 3]
    lines = [json.loads(line) for line in export(game.game, looked.viewer, head=looked.head)]
    assert [line["seq"] for line in lines if line["t"] == "event"] == [1, 2, 3]
    assert secret["seq"] > 3


def test_those_who_wait_leave_room_for_those_who_play(table, settings):
    game = table()
    settings.LONG_POLLS = 0
    began = time.monotonic()
    assert game[0].see(f"/events?since={stands(game.game)[0]}&wait=20")["data"] == []
    assert time.monotonic() - began < 5


def test_reading_whole_games_has_a_budget_of_its_own(table, settings):
    game = table()
    settings.API_BUDGETS = settings.API_BUDGETS | {"checks": "1/60"}
    game[0].see("/verify")
    assert problem(game[0].read(f"/games/{game.game}/export"), 429, "too_many_requests")["budget"] == "checks"
    game[0].answer_first()


DECK = [f"P{n}" for n in range(1, 13)]


def lobby(*people: Player, **terms) -> None:
    made = people[0].do("/games", {"command_id": "a", "rulebook": "theos", "seats": len(people)} | terms)
    assert made.status_code == 201, made.content
    for one in people:
        one.game = json.loads(made.content)["stream"]


@pytest.mark.parametrize("book", ["theos", "epic", "titans", "highcard"])
@pytest.mark.parametrize("deck", [5, "P1", [[1]], [{"a": 1}], {"a": [1]}, [None], [1, 2], [], {}, [True], ["P1"] * 500])
def test_a_deck_of_any_shape_is_refused_with_a_reason(person, book, deck):
    ada = Player(person())
    lobby(ada, rulebook=book, seats=2)
    reply = ada.say("join", None, seat=0, deck=deck)
    if reply.status_code != 201:
        assert problem(reply, 422, "illegal")["errors"]


@pytest.mark.parametrize("ready", [True, False])
def test_decks_that_do_not_go_together_end_the_game_and_tell_nobody_why(person, ready):
    """A refusal would name the card that both have, and nobody could ever start or change the game."""
    ada, ben = Player(person()), Player(person())
    lobby(ada, ben)
    other = [*DECK[:1], *(f"G{n}" for n in range(1, 12))]
    for seat, (player, deck) in enumerate([(ada, DECK), (ben, other)]):
        player.say("join", seat=seat, deck=deck, ready=ready)
    if not ready:
        ada.say("ready")
        assert "P1" not in json.dumps(ben.say("ready"))
    assert (ben.see()["phase"], ben.see()["void"]) == ("void", "decks")
    assert "deck" not in ben.see()["seats"][0]


def test_who_walks_out_does_not_see_the_decks(person):
    """A game that never began opens no seals: else anybody could sit down, stand up, and read what others brought."""
    ada, ben = Player(person()), Player(person())
    lobby(ada, ben)
    ada.say("join", seat=0, deck=DECK)
    ben.say("join", seat=1, deck=[f"G{n}" for n in range(1, 13)])
    ben.say("leave")
    assert ben.see()["phase"] == "void"
    for path in ("", "/events?proof=1", "/state?at=2"):
        assert '"P7"' not in json.dumps(ben.see(path))
    assert b'"P7"' not in b"".join(ben.read(f"/games/{ben.game}/export").streaming_content)


def test_a_rewind_shuffles_what_was_seen_of_hidden_piles(table, person):
    """Cards were drawn since: both decks are shuffled anew, by draws that the verifier recomputes."""
    game = table(rulebook="epic")
    judge = Player(person("judge"), game.game)
    to, rng = stands(game.game)[0], Random(3)
    for _ in range(30):
        game[game.waits_for()[0]].answer_first(rng)

    def decks() -> list[list[str]]:
        zones = judge.see("/state?as=table")["table"]["zones"]
        return [[card["key"] for card in zones[f"deck:{seat}"]["cards"]] for seat in (0, 1)]

    assert game.waits_for(), "the house has passed where it could: the seq stands"
    rewound = judge.say("rewinds", to=to, mode="reshuffle", reason="misdeal", expected_seq=stands(game.game)[0])
    assert rewound["action"]["reshuffle"] == ["deck:0", "deck:1"]
    drawn = [effect for effect in rewound["effects"] if effect["e"] == "draw"]
    assert [effect["zone"] for effect in drawn] == ["deck:0", "deck:1"]
    assert not any({"input", "result"} & effect.keys() for effect in drawn)
    then = judge.see(f"/state?as=table&at={to}")["table"]["zones"]
    before = [[card["key"] for card in then[f"deck:{seat}"]["cards"]] for seat in (0, 1)]
    assert [sorted(deck) for deck in decks()] == [sorted(deck) for deck in before]
    assert decks() != before
    assert game[0].see("/verify")["ok"]


def test_a_judges_sandbox_of_a_private_game_is_on_record_also_when_the_seals_are_open(table, person):
    game = table(visibility="private")
    game[0].say("concede")
    judge = Player(person("judge"), game.game)
    judge.say("sandbox", at=3)
    assert [event.do for event in store.read(audit.audit_stream(game.game))] == ["begin", "look"]
    game[1].say("sandbox", at=3)
    assert len(store.read(audit.audit_stream(game.game))) == 2, "players look at their own game"


def test_a_judge_checks_a_private_game_and_is_told_why(table, person):
    game = table(visibility="private")
    judge = Player(person("judge"), game.game)
    problem(judge.read(f"/games/{game.game}/verify"), 404, "unknown")
    report = judge.see("/verify?as=table")
    assert report["ok"]
    assert "draws recomputed" in report["sections"]["shuffles"]["detail"]
    assert store.read(audit.audit_stream(game.game))[-1].content["body"]["action"]["what"] == "verify"
    problem(game[0].read(f"/games/{game.game}/verify?as=table"), 403, "missing_scope")
