"""Actions beside plain answers: starting, conceding, rulings, rewinds, standing passes."""

import pytest

from games.kernel import (
    Ask,
    May,
    Rejected,
    Violation,
    auto_answer,
    decide,
    new_table,
    number,
    pick,
    start,
    to_form,
    view,
)


def refused(table, action):
    with pytest.raises(Rejected) as refusal:
        decide(table, action, b"k" * 32)
    return refusal.value


def test_a_set_up_that_breaks_a_rule_is_refused_with_the_rule(book):
    @book.check_setup
    def check(seats, options, decks):
        return [Violation("/options/size", "out_of_range", "a deck has 12 cards", "T-4.1")] if options else []

    action = {"do": "start", "rulebook": book.name, "seats": 2, "options": {"size": 3}}
    assert refused(new_table(), action).errors == [
        {"pointer": "/options/size", "code": "out_of_range", "detail": "a deck has 12 cards", "rule": "T-4.1"}
    ]
    assert "played by 1, 2" in refused(new_table(), {**action, "seats": 9}).detail
    assert refused(new_table(), {**action, "seats": "two"}).errors[0]["code"] == "wrong_shape"
    assert "no rulebook 'chess'" in refused(new_table(), {**action, "rulebook": "chess"}).detail
    assert refused(new_table(), {"do": "answer"}).detail == "The game has not begun."
    assert refused(new_table(), {"do": "dance"}).errors[0]["pointer"] == "/do"


def test_event_one_pins_the_version_and_seals_secret_decks(book):
    @book.setup
    def setup(t, options, decks):
        for seat, deck in enumerate(decks):
            t.zone(f"deck:{seat}", ids=0, faces=[seat], owner=seat)
            t.make(deck, seat, f"deck:{seat}")
        t.end("void")

    action = {"do": "start", "rulebook": book.name, "seats": 2, "decks": [["A"], ["B"]], "sealed": True}
    decided = decide(new_table(), action, b"k" * 32)
    assert decided.action["rulebook"] == decided.table.rulebook == f"{book.name}@1"
    assert decided.action["only"] == {"decks": 0}
    assert view(decided.table, 1)["zones"]["deck:0"] == {"count": 1}


def test_the_last_team_left_wins():
    game = start("highcard", 3, b"k" * 32).table
    game = decide(game, {"do": "concede", "seat": 1}).table
    assert game.outcome is None
    assert refused(game, {"do": "concede", "seat": 1}).code == "over"
    game = decide(game, {"do": "concede", "seat": 0, "reason": "time"}).table
    assert (game.outcome.result, game.outcome.winners, game.outcome.reason) == ("win", [2], "time")
    assert refused(game, {"do": "concede", "seat": 2}).code == "over"


def test_a_ruling_sets_something_right_and_asks_again():
    game = start("highcard", 2, b"k" * 32).table
    card = game.zones["hand:0"].cards[0]
    ruling = {"do": "ruling", "verbs": [{"verb": "move", "args": {"card": card, "to": "discard"}}]}
    decided = decide(game, ruling, b"k" * 32)
    assert len(decided.table.zones["hand:0"].cards) == 4
    assert [ask.id for ask in decided.table.open.values()] == ["d1", "d2"], "seat 1's question is as it was"
    assert refused(game, {"do": "ruling", "verbs": [{"verb": "emit"}]}).errors[0]["pointer"] == "/verbs/0/verb"
    wrong = {"do": "ruling", "verbs": [{"verb": "move", "args": {"card": "c9999", "to": "discard"}}]}
    assert refused(game, wrong).errors[0]["pointer"] == "/verbs/0/args"
    over = decide(game, {"do": "ruling", "verbs": [{"verb": "end", "args": {"result": "void", "reason": "ruling"}}]})
    assert over.table.outcome.result == "void"
    win = {"do": "ruling", "verbs": [{"verb": "end", "args": {"result": "win", "winners": [1], "reason": "ruling"}}]}
    assert decide(over.table, win).table.outcome.winners == [1], "an outcome can be corrected"


def test_a_rewind_brings_the_table_back_but_no_counter():
    key = b"k" * 32
    first = start("highcard", 2, key).table
    card = first.zones["hand:0"].cards[0]
    second = decide(first, {"do": "answer", "seat": 0, "decision": "d0", "path": [[card]]}).table
    back = decide(second, {"do": "restore", "table": to_form(first)}, key)
    assert back.table.zones == first.zones
    assert list(back.table.open) == ["d2", "d3"]
    assert back.action["only"] == {"table": 0}
    assert refused(back.table, {"do": "answer", "seat": 0, "decision": "d0", "path": [["c1"]]}).code == "stale"
    shuffled = decide(second, {"do": "restore", "table": to_form(first), "reshuffle": ["deck"]}, key).table
    assert not set(shuffled.zones["deck"].cards) & set(first.zones["deck"].cards)
    assert shuffled.draws == first.draws + 1
    assert refused(second, {"do": "restore", "table": {"cards": 3}}).errors[0]["pointer"] == "/table"


@pytest.fixture
def window(book, table):
    """Priority goes round; the private options of each seat are its hand."""

    @book.step
    def turns(t):
        t.set("turn", [t.var("turn", [0, 0])[0] + 1, 0])
        t.seq(priority(0), priority(1), turns())

    @book.question()
    def priority(t, seat):
        hand = t.ids(f"hand:{seat}") if t.var("hands", True) else []
        bare = not t.size(f"hand:{seat}")
        return Ask(seat, pick(["pass", *hand]), public=False, default=["pass"], passes=True, bare=bare)

    @priority.answered
    def acted(t, seat, answer):
        if answer != ["pass"]:
            t.move(answer[0], "pile")

    @book.anytime
    def anytime(t, seat):
        return [May("nothing")]

    return table(turns)


def stops(seat, **setting):
    return {"do": "use", "seat": seat, "option": "stops", "set": setting}


def test_standing_passes_are_a_seats_secret(window):
    stored = decide(window.table, stops(1, **{"pass": "turn"})).action
    assert stored["only"] == {"option": 2, "set": 2}
    window.do(stops(1, **{"pass": "turn"}))
    assert window.seen(0) == []
    assert window.view(1)["stops"]["pass"] == "turn"
    assert "stops" not in window.view(None)
    assert window.view(0)["stops"] is None


def passes(window, seat):
    return auto_answer(window.table, window.asked(seat, "priority"))


def test_a_standing_pass_until_the_turn_ends(window):
    window.do(stops(0, **{"pass": "turn"}))
    assert passes(window, 0).path == [["pass"]]
    assert not passes(window, 0).public
    window.answer(0, priority="pass")
    assert passes(window, 1) is None
    window.answer(1, priority="pass")
    assert passes(window, 0) is None, "a new turn"


def test_a_standing_pass_until_the_own_turn_and_stops(window):
    window.do(stops(1, **{"pass": "mine"})).answer(0, priority="pass")
    assert passes(window, 1).path == [["pass"]]
    window.do(stops(1, **{"pass": "mine", "stops": ["priority"]}))
    assert passes(window, 1) is None
    window.do({"do": "use", "seat": 1, "option": "stops"})
    assert passes(window, 1) is None
    assert refused(window.table, stops(1, **{"pass": "always"})).errors[0]["pointer"] == "/set"


def test_passing_when_nothing_is_possible_is_not_public_knowledge(window):
    """No play although cards are in hand: only the seat may know. An empty hand everybody sees."""
    window.lay(lambda t: t.set("hands", False))
    assert passes(window, 0) is None
    window.do(stops(0, **{"pass": "idle"}))
    assert passes(window, 0) == (window.asked(0, "priority").id, [["pass"]], False)
    window.lay(lambda t: t.move_all(t.ids("hand:0"), "pile"))
    assert passes(window, 0).public


def test_a_question_that_is_no_window_is_never_passed(book, table):
    @book.question()
    def choose(t):
        return Ask(0, number(0, 3))

    @choose.answered
    def chosen(t, answer):
        t.end("tie")

    game = table(choose)
    game.do(stops(0, **{"pass": "idle"}))
    assert auto_answer(game.table, game.asked(0, "choose")) is None
