"""The ways of asking: all, first, each, sequence; who decides for whom; what is asked again and what is not asked."""

import pytest

from games.kernel import Ask, May, Rejected, RulebookError, Stuck, number, pick


def hands(t):
    return [Ask(seat, pick(t.ids(f"hand:{seat}"))) for seat in t.seats]


def play(t, answer):
    for _, [card] in answer.items():
        t.move(card, "pile")


def test_all_is_sealed_until_the_last_answer_and_replaceable_until_then(book, table):
    ask = book.question(mode="all")(lambda_named("ask", hands))

    @ask.answered
    def play_all(t, answer):
        play(t, answer)
        t.end("tie", answer)

    game = table(ask)
    game.answer(0, ask="A")
    assert game.seen(1)[0] == {"e": "answer", "kind": "ask", "seat": 0, "decision": "d0"}
    assert game.seen(0)[0]["value"] == ["c3"]
    assert game.keys("pile") == []
    game.do({"do": "answer", "seat": 0, "decision": "d0", "path": [["c4"]]})
    game.answer(1, ask="C")
    assert game.keys("pile") == ["B", "C"]
    assert game.outcome == ("tie", [0, 1])


def lambda_named(name, function):
    def named(t):
        return function(t)

    named.__name__ = name
    return named


def test_first_closes_with_the_first_act_and_opens_again(book, table):
    @book.question(mode="first")
    def surge(t):
        return [Ask(seat, pick(["surge"], lo=0)) for seat in t.seats if not t.n(seat, "surged")]

    @surge.answered
    def surged(t, answer):
        for seat in answer:
            t.count(seat, "surged", 1)
        if answer:
            t.ask(surge)
        else:
            t.end("tie")

    game = table(surge, seats=3)
    game.answer(2, surge=[])
    assert game.waits_for == {0: "surge", 1: "surge"}
    game.answer(0, surge="surge")
    assert game.waits_for == {1: "surge", 2: "surge"}, "a surge lets all others think again"
    game.answer(1, surge=[])
    game.answer(2, surge=[])
    assert game.outcome == ("tie", [])


def test_each_is_dealt_with_as_it_comes(book, table):
    """A draft in two lines: who has picked goes on picking without waiting for the others."""

    @book.question(mode="each")
    def draft(t):
        return [Ask(seat, pick(t.ids(f"hand:{seat}"))) for seat in t.seats if t.size(f"hand:{seat}") > 1]

    @draft.answered
    def drafted(t, answer):
        play(t, answer)
        if all(t.size(f"hand:{seat}") < 2 for seat in t.seats):
            t.end("tie")

    game = table(draft)
    waiting_for_1 = game.asked(1, "draft").id
    game.answer(0, draft="A")
    assert game.keys("pile") == ["A"]
    game.answer(0, draft="C")
    assert game.waits_for == {1: "draft"}
    assert game.asked(1, "draft").id == waiting_for_1, "an unchanged question keeps its id"
    game.answer(1, draft="B").answer(1, draft="A")
    assert game.keys("pile") == ["A", "C", "B", "A"]
    assert game.outcome == ("tie", [])


def test_sequence_declares_in_order_and_carries_out_together(book, table):
    """Teammates stand at one place; later ones see what was declared; nothing happens before the last."""

    @book.question(mode="sequence")
    def claim(t, declared):
        free = [name for name in ("x", "y", "z", "w") if [name] not in declared.values()]
        return [Ask(seat, pick(free), place=seat // 2) for seat in t.seats if seat not in declared]

    @claim.answered
    def claimed(t, answer):
        t.say("claims", claims={f"s{seat}": name for seat, [name] in answer.items()})
        t.end("tie")

    game = table(claim, seats=4)
    assert game.waits_for == {0: "claim", 1: "claim"}
    game.answer(1, claim="y")
    assert game.waits_for == {0: "claim"}
    assert game.options(0, "claim") == ["x", "z", "w"], "the question is asked again with what was declared"
    game.answer(0, claim="x")
    assert game.waits_for == {2: "claim", 3: "claim"}
    assert game.options(2, "claim") == ["z", "w"]
    game.answer(2, claim="w")
    assert game.said("claims") == [{"claims": {"s0": "x", "s1": "y", "s2": "w", "s3": "z"}}]
    assert game.outcome == ("tie", []), "the last had one answer left: recorded, not asked"
    assert {"kind": "claim", "seat": 3, "value": ["z"], "forced": True}.items() <= forced(game).items()


def forced(game):
    return next(effect for effect in game.last if effect["e"] == "answer" and effect.get("forced"))


def test_another_decides_for_a_seat_until_that_one_is_gone(book, table):
    @book.question()
    def ask(t):
        return Ask(0, pick(t.ids("hand:0")), chooser=1, public=False)

    @ask.answered
    def answered(t, answer):
        t.move(answer[0], "pile")
        t.end("win", [0])

    @book.leave
    def leave(t, seat, reason):
        t.out(seat, reason)

    game = table(ask, seats=3)
    assert game.waits_for == {1: "ask"}
    with pytest.raises(Rejected, match="Seat 1 decides this"):
        game.do({"do": "answer", "seat": 0, "decision": game.asked(1, "ask").id, "path": [["c3"]]})
    old = game.asked(1, "ask").id
    game.concede(1)
    assert game.waits_for == {0: "ask"}
    assert game.asked(0, "ask").id != old
    game.answer(0, ask="B")
    assert game.keys("pile") == ["B"]


def test_a_gone_seat_is_never_asked(book, table):
    @book.step
    def begin(t):
        t.out(1, "lost")
        t.seq(single(), group())

    @book.question()
    def single(t):
        return Ask(1, number(2, 9), default=5)

    @single.answered
    def singled(t, answer):
        t.set("single", answer)

    @book.question(mode="all")
    def group(t):
        return [Ask(seat, number(0, 9)) for seat in range(3)]

    @group.answered
    def grouped(t, answer):
        t.set("group", sorted(answer))
        t.end("tie")

    game = table(begin, seats=3)
    assert game.table.vars["single"] == 5
    assert game.waits_for == {0: "group", 2: "group"}
    game.answer(0, group=1).answer(2, group=2)
    assert game.table.vars["group"] == [0, 2]


def test_an_interruption_keeps_unchanged_questions_and_sealed_answers(book, table):
    ask = book.question(mode="all")(lambda_named("ask", hands))

    @ask.answered
    def answered(t, answer):
        play(t, answer)
        t.end("tie")

    @book.anytime
    def anytime(t, seat):
        return [May("draw"), May("nod")]

    @book.use
    def use(t, seat, option):
        if option == "draw":
            t.move(t.ids("deck")[0], f"hand:{seat}")

    game = table(ask, seats=3)
    game.answer(0, ask="A").answer(1, ask="B")
    game.use(2, "nod")
    assert game.waits_for == {2: "ask"}
    game.use(1, "draw")
    assert game.waits_for == {1: "ask", 2: "ask"}, "whose options changed is asked anew, the others' answers stay"
    game.answer(1, ask="X").answer(2, ask="C")
    assert sorted(game.keys("pile")) == ["A", "C", "X"]


def test_an_any_time_act_that_asks_suspends_what_was_asked(book, table):
    @book.question()
    def ask(t):
        return Ask(0, pick(t.ids("hand:0")), public=False)

    @ask.answered
    def answered(t, answer):
        t.move(answer[0], "pile")
        t.end("tie")

    @book.question()
    def give(t, seat):
        return Ask(seat, pick(t.ids(f"hand:{seat}")), public=False)

    @give.answered
    def given_card(t, seat, answer):
        t.move(answer[0], "hand:0")

    @book.anytime
    def anytime(t, seat):
        return [May("give")] if seat else []

    @book.use
    def use(t, seat, option):
        t.ask(give, seat)

    game = table(ask)
    first = game.asked(0, "ask").id
    game.use(1, "give")
    assert game.waits_for == {1: "give"}
    with pytest.raises(Rejected, match="not open"):
        game.do({"do": "answer", "seat": 0, "decision": first, "path": [["c3"]]})
    game.answer(1, give="A")
    assert game.waits_for == {0: "ask"}
    assert game.options(0, "ask") == ["A", "B", "C", "A"]
    assert game.asked(0, "ask").id != first


def test_public_questions_with_one_answer_are_recorded_private_ones_asked(book, table):
    @book.question()
    def open_one(t):
        return Ask(0, pick(["only"]))

    @open_one.answered
    def answered(t, answer):
        t.ask(private_one)

    @book.question()
    def private_one(t):
        return Ask(0, pick(["only"]), public=False)

    @private_one.answered
    def answered_too(t, answer):
        t.end("tie")

    game = table(open_one)
    assert forced(game)["value"] == ["only"]
    assert game.waits_for == {0: "private_one"}


def test_tell_hands_a_result_down_and_cut_drops_what_lies_above(book, table):
    @book.step
    def begin(t):
        t.seq(attempt(), if_you_do(did=0), bottom())

    @book.step
    def attempt(t):
        t.ask(how_many)

    @book.question()
    def how_many(t):
        return Ask(0, number(1, 3))

    @how_many.answered
    def so_many(t, answer):
        t.tell(did=answer)

    @book.step
    def if_you_do(t, did):
        t.set("did", did)
        t.seq(nested(), never())

    @book.step
    def nested(t):
        assert t.pending(never)
        t.cut(bottom)

    @book.step
    def never(t):
        raise AssertionError

    @book.step
    def bottom(t):
        t.end("tie")

    game = table(begin)
    game.answer(0, how_many=2)
    assert game.table.vars["did"] == 2
    assert game.outcome == ("tie", [])


def test_cut_takes_open_questions_along(book, table):
    @book.step
    def turn(t):
        t.seq(inner(), turn())

    @book.question()
    def inner(t):
        return Ask(t.seats[0], number(0, 9))

    @inner.answered
    def answered(t, answer):
        """Nothing."""

    @book.leave
    def leave(t, seat, reason):
        t.out(seat, reason)
        t.cut(turn)

    game = table(turn, seats=3)
    old = game.asked(0, "inner").id
    game.concede(0)
    assert game.waits_for == {1: "inner"}
    assert old not in game.table.open


def test_mistakes_of_a_rulebook_are_told_at_once(book, table):
    @book.step
    def nothing(t):
        """Neither asks nor ends."""

    with pytest.raises(Stuck, match="waits for nobody"):
        table(nothing)

    @book.step
    def circle(t):
        t.push(circle)

    with pytest.raises(Stuck, match="nobody is asked"):
        table(circle)

    @book.question(mode="all")
    def twice(t):
        return [Ask(0, number(0, 1)), Ask(0, number(0, 1))]

    with pytest.raises(RulebookError, match="one seat twice"):
        table(twice)

    @book.question()
    def changes(t):
        t.set("x", 1)
        return Ask(0, number(0, 1))

    with pytest.raises(RulebookError, match="must not change anything"):
        table(changes)
    with pytest.raises(RulebookError, match="must not be asked"):
        pick([], lo=1)
    with pytest.raises(RulebookError, match="two steps"):
        book.step(nothing.run)
    with pytest.raises(RulebookError, match="handler takes"):
        changes.answered(lambda t, seat, answer: None)


def test_what_is_picked_in_no_order_tells_no_order(book, table):
    """The order of a hand is the order of drawing; naming cards in that order must not show it."""

    @book.question()
    def discard(t):
        return Ask(0, pick(t.ids("hand:0"), lo=2), public=False)

    @discard.answered
    def discarded(t, answer):
        for card in answer:
            t.move(card, "pile")
        t.end("tie")

    game = table(discard, hand="ABC")
    c, a = game.asked(0, "discard").shape.options[2], game.asked(0, "discard").shape.options[0]
    game.do({"do": "answer", "seat": 0, "decision": "d0", "path": [[c, a]]})
    assert game.last[0]["value"] == [a, c]
    assert game.keys("pile") == ["A", "C"]
