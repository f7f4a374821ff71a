"""A play of several choices is one action; a preview shows the next part; nothing half-made leaves a trace."""

import pytest

from games.kernel import (
    Ask,
    May,
    Rejected,
    RulebookError,
    assign,
    decide,
    default_path,
    least,
    misfits,
    number,
    part_view,
    pick,
    preview,
    split,
)
from games.kernel.table import encode


@pytest.fixture
def duel(book, table):
    """Play a card, divide its 3 points over up to two targets, choose how much to pay: then it happens."""

    @book.question()
    def act(t):
        return Ask(0, pick(["pass", *(f"play:{card}" for card in t.ids("hand:0"))]), public=False, default=["pass"])

    @act.answered
    def acted(t, answer):
        if answer == ["pass"]:
            t.end("tie")
        else:
            t.push(compose, play={"card": answer[0].removeprefix("play:")})

    @book.step
    def compose(t, play):
        for word, question in (("targets", targets), ("shares", shares), ("pay", pay)):
            if word not in play:
                return t.part(question, play=play)
        t.ask(act)
        return t.say("played", pay=play["pay"], shares=play["shares"], card=t.move(play["card"], "pile"))

    @book.question()
    def targets(t, play):
        return Ask(0, pick(["left", "right"], lo=1, hi=2), rule="T-1")

    @targets.answered
    def targeted(t, play, answer):
        t.push(compose, play={**play, "targets": answer})

    @book.question()
    def shares(t, play):
        return Ask(0, split(3, play["targets"], floors=dict.fromkeys(play["targets"], 1)))

    @shares.answered
    def shared(t, play, answer):
        t.push(compose, play={**play, "shares": answer})

    @book.question()
    def pay(t, play):
        return Ask(0, number(0, 2), default=1, sealed=True)

    @pay.answered
    def paid(t, play, answer):
        t.push(compose, play={**play, "pay": answer})

    return table(act)


def action(game, *path):
    return {"do": "answer", "seat": 0, "decision": game.asked(0, "act").id, "path": list(path)}


def test_a_path_is_one_event(duel):
    duel.answer(0, act=("play:B", ["left", "right"], {"left": 2, "right": 1}, 2))
    assert duel.keys("pile") == ["B"]
    assert duel.said("played")[0]["shares"] == {"left": 2, "right": 1}
    answers = [(effect["kind"], effect["value"]) for effect in duel.last if effect["e"] == "answer"]
    assert [kind for kind, _ in answers] == ["act", "targets", "shares", "pay"]
    assert duel.waits_for == {0: "act"}


def test_a_sealed_part_seals_the_path(duel):
    stored = decide(duel.table, duel.action(0, "act", ("play:B", ["left"], 2))).action
    assert stored["only"] == {"path": 1}


def test_a_part_with_one_answer_is_not_asked(duel):
    """One target gets all three points: the split is recorded as forced."""
    duel.answer(0, act=("play:A", ["left"], 0))
    assert [effect["value"] for effect in duel.last if effect.get("forced")] == [{"left": 3}]


def test_a_preview_gives_the_next_part_and_changes_nothing(duel):
    before = encode(duel.table)
    card = duel.action(0, "act", "play:A")["path"][0]
    parts = []
    path = [card]
    while (missing := preview(duel.table, action(duel, *path))) is not None:
        parts.append(part_view(missing)["kind"])
        path.append({"targets": ["right", "left"], "shares": {"left": 2, "right": 1}, "pay": 0}[parts[-1]])
    assert parts == ["targets", "shares", "pay"]
    assert encode(duel.table) == before
    assert default_path(duel.table, duel.asked(0, "act").id) == [["pass"]]


@pytest.mark.parametrize(
    ("path", "code", "pointer"),
    [
        (["play"], "incomplete", "/path/1"),
        (["play", ["left", "middle"]], "illegal", "/path/1/1"),
        (["play", ["left"], 3], "illegal", "/path/2"),
        (["play", ["left"], 1, 1], "illegal", "/path/3"),
        (["play", ["left", "right"], {"left": 3}, 1], "illegal", "/path/2/right"),
    ],
)
def test_a_path_that_does_not_fit_is_refused_with_its_place(duel, path, code, pointer):
    before = encode(duel.table)
    path[0] = duel.action(0, "act", "play:A")["path"][0]
    with pytest.raises(Rejected) as refused:
        duel.do(action(duel, *path))
    assert refused.value.code == code
    assert refused.value.errors[0]["pointer"] == pointer
    assert encode(duel.table) == before


def test_the_rule_is_named(duel):
    with pytest.raises(Rejected) as refused:
        duel.do(action(duel, duel.action(0, "act", "play:A")["path"][0], []))
    assert refused.value.errors == [
        {"pointer": "/path/1", "code": "too_few", "detail": "at least 1, 0 given", "rule": "T-1"}
    ]


def test_a_part_after_something_happened_is_the_rulebooks_mistake(book, table):
    @book.question()
    def act(t):
        return Ask(0, pick(["draw", "pass"]))

    @act.answered
    def acted(t, answer):
        t.look(t.ids("deck")[:1], [0])
        t.part(late)

    @book.question()
    def late(t):
        return Ask(0, number(0, 1))

    @late.answered
    def answered(t, answer):
        t.end("tie")

    game = table(act)
    with pytest.raises(RulebookError, match="before anything"):
        game.answer(0, act="draw")


def test_an_any_time_act_has_parts_too(book, table):
    @book.question()
    def wait(t):
        return Ask(0, number(0, 1))

    @wait.answered
    def waited(t, answer):
        t.end("tie")

    @book.question()
    def which(t, seat):
        return Ask(seat, pick(t.ids(f"hand:{seat}")), public=False)

    @which.answered
    def chosen(t, seat, answer):
        t.move(answer[0], "pile")

    @book.anytime
    def anytime(t, seat):
        return [May("discard", sealed=True)]

    @book.use
    def use(t, seat, option):
        t.part(which, seat)

    game = table(wait)
    use_it = {"do": "use", "seat": 1, "option": "discard"}
    missing = preview(game.table, use_it)
    option = missing.ask.shape.options[1]
    assert preview(game.table, {**use_it, "path": [[option]]}) is None
    before = game.asked(0, "wait").id
    game.do({**use_it, "path": [[option]]})
    assert game.keys("pile") == ["B"]
    assert game.asked(0, "wait").id == before
    with pytest.raises(Rejected, match="cannot be done now"):
        game.use(1, "dance")


def test_assignments_respect_caps_and_the_least_answer_fits():
    shape = assign({"a": ["x"], "b": ["x", "y"], "c": ["y", "z"]}, required=["b", "a"], caps={"x": 1})
    assert least(shape) == {"a": "x", "b": "y"}
    assert misfits(shape, least(shape)) == []
    assert [error["code"] for error in misfits(shape, {"a": "x", "b": "x"})] == ["too_many"]
    with pytest.raises(RulebookError, match="no bin left"):
        assign({"a": ["x"], "b": ["x"]}, required=["a", "b"], caps={"x": 1})
