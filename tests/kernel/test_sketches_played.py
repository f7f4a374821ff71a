"""The fifteen hard moments of docs/kernel.md, played: the code of the page, on a world of a few words each."""

from types import SimpleNamespace

import pytest

import games.kernel as kernel
from games.kernel import PUBLIC, Ask, pick
from games.kernel.testing import given
from tests.kernel.test_sketches import SKETCHES

CODE = {int(number): code for number, _, code in SKETCHES}
OPEN = ("slot", "row", "threats", "market", "discard", "line", "limbo", "play")


def zone(kind):
    return lambda seat: f"{kind}:{seat}"


@pytest.fixture
def sketch(book):
    """sketch(number, words): the page's code, on the words it leaves open; its steps and questions by name."""

    @book.step
    def done(t):
        t.end("tie")

    def run(number, **words):
        steps = {word: book.step(what) for word, what in words.items() if what.__doc__ == "step"}
        world = {kind: zone(kind) for kind in ("hand", "deck", "slot", "row")}
        names = {**vars(kernel), **world, "book": book, "NOTHING": {}, **words, **steps, "done": done}
        exec(compile(CODE[number], f"docs/kernel.md sketch {number}", "exec"), names)
        return SimpleNamespace(**names)

    return run


@pytest.fixture
def table(book):
    """table(first steps, zones with their keys): what is open lies open, hands and decks do not."""

    def begin(*first, seats=2, lay=lambda t: None, **zones):
        def build(t):
            for name, keys in zones.items():
                kind, _, owner = name.partition("_")
                seat = int(owner) if owner else -1
                sees = PUBLIC if kind in OPEN else [seat] if kind == "hand" else 0
                t.zone(f"{kind}:{seat}" if owner else kind, sees, sees, ordered=kind != "hand", owner=seat)
                t.make(list(keys), seat, f"{kind}:{seat}" if owner else kind)
            lay(t)
            t.seq(*(step() if callable(step) else step for step in first))

        return given(book.name, seats, lay=build)

    return begin


def step(what):
    """Marks a word of the world as a step of it."""
    what.__doc__ = "step"
    return what


def said(scene):
    return [effect["what"] for effect in scene.told if effect["e"] == "say"]


def test_1_a_trigger_in_the_middle_of_an_ability(sketch, table):
    lines = {"main": ["first", "second"], "t1": ["t1"], "t2": ["t2"]}

    def operation(word):
        return lambda t, use: t.say(word) or (["boom"] if word == "first" else [])

    page = sketch(
        1, lines=lambda use: [{"op": word} for word in lines[use]], active_player=lambda t: 0,
        OPERATIONS={word: operation(word) for words in lines.values() for word in words},
        triggered_by=lambda t, happening: ["t1", "t2"], is_raised=lambda t, trigger: True, names=list,
        take=lambda waiting, answer: (answer[0], [one for one in waiting if one not in answer]),
    )  # fmt: skip
    scene = table(page.perform("main", 0, False), page.done)
    assert scene.waits_for == {0: "choose_trigger"}
    scene.answer(0, choose_trigger="t2")
    assert said(scene) == ["first", "t2", "t1", "second"], "what a line triggers comes before the next line"
    assert scene.outcome == ("tie", [])


def test_2_simultaneous_play(sketch, table):
    page = sketch(2, is_blank=lambda card: card.key == "blank")
    scene = table(page.play_card, page.done, hand_0=["A"], hand_1=["blank", "B"], slot_0=[], slot_1=[])
    assert scene.waits_for == {0: "play_card", 1: "play_card"}, "asked even with one card left"
    scene.answer(0, play_card="A")
    assert [effect.get("value") for effect in scene.seen(1) if effect["e"] == "answer"] == [None]
    scene.answer(1, play_card="blank")
    assert (scene.keys("slot:0"), scene.keys("slot:1"), scene.keys("hand:1")) == (["A"], [], ["B"])


def test_3_cleanup_team_by_team(sketch, table):
    page = sketch(3, realms=lambda t, seat: ["1", "2"], BLANK="blank")
    zones = {f"{kind}_{seat}": [] for kind in ("hand", "deck") for seat in (0, 1)}
    scene = table(page.cleanup([1, 0]), page.done, row_0=["A"], row_1=["B", "C"], **zones)
    assert scene.waits_for == {1: "clean_up"}
    assert scene.refuses(1, clean_up={"B": "stay", "me": "2"}).errors[0]["code"] == "too_few"
    scene.answer(1, clean_up={"B": "stay", "C": "return", "me": "2"})
    assert (scene.keys("row:1"), scene.keys("deck:1"), scene.keys("hand:1")) == (["B"], ["C"], ["blank"])
    assert scene.waits_for == {0: "clean_up"}
    scene.answer(0, clean_up={"A": "return", "me": "1"})
    assert [seat.marks["realm"] for seat in scene.table.seats] == ["1", "2"]


def test_4_the_window(sketch, table):
    @step
    def compose(t, play):
        t.move(play["what"], "line", at=0)

    @step
    def resolve_top(t):
        t.move(t.ids("line")[0], "discard")

    @step
    def flush_triggers(t):
        t.say("flush")

    page = sketch(4, compose=compose, resolve_top=resolve_top, flush_triggers=flush_triggers, active=lambda t: 0,
                  plays=lambda t, seat: t.ids(f"hand:{seat}"), could_act=lambda t, seat: True)  # fmt: skip
    scene = table(page.window(0, []), page.done, hand_0=["A"], hand_1=["B"], line=[], discard=[])
    scene.answer(0, priority="A").answer(0, priority="pass").answer(1, priority="B")
    assert scene.keys("line") == ["B", "A"], "on top of it"
    scene.answer(1, priority="pass").answer(0, priority="pass")
    assert (scene.keys("line"), scene.keys("discard")) == (["A"], ["B"])
    scene.answer(0, priority="pass").answer(1, priority="pass")
    assert scene.keys("discard") == ["B", "A"]
    scene.answer(0, priority="pass").answer(1, priority="pass")
    assert scene.outcome == ("tie", [])


def test_5_a_play_with_all_its_choices(sketch, table, book):
    def choice(word, options):
        return SimpleNamespace(applies=lambda t, play: bool(options), shape=lambda t, play: pick(options), rule=word)

    @step
    def pay(t, play):
        t.say("paid")

    offered = {"face": ["up", "down"], "targets": ["x", "y"]}
    words = ("face", "mode", "targets", "division", "extra", "payment")
    page = sketch(5, CHOICES={word: choice(word, offered.get(word)) for word in words}, pay=pay)

    @book.question
    def act(t):
        return Ask(0, pick(t.ids("hand:0")), public=False)

    @act.answered
    def acting(t, answer):
        t.push(page.compose, {"by": 0, "what": answer[0]})

    scene = table(act, act, page.done, hand_0=["A", "B", "C"], line=[])
    assert scene.refuses(0, act="A").code == "incomplete"
    scene.answer(0, act=("A", "down", "y"))
    top = scene.card("A")
    assert (top.zone, top.down, top.known, top.marks["play"]) == ("line", True, 1, {"targets": ["y"]})
    assert said(scene) == ["paid"]
    assert "key" not in scene.view(1)["zones"]["line"]["cards"][0]


def test_6_a_happening_replaced_before_it_happens(sketch, table):
    @step
    def settle(t):
        t.say("settled")

    @step
    def if_you_do(t, did=None):
        t.say("did", parts=did)

    page = sketch(6, settle=settle, if_you_do=if_you_do, entitled=lambda t, rivals: 1,
                  insteads=lambda t, part: ["shield", "ward"] if part == "destroy" else [],
                  instead=lambda t, parts, index, trigger: [*parts[:index], trigger, *parts[index + 1 :]],
                  carry=lambda t, part: part)  # fmt: skip
    scene = table(page.happen(["discard", "destroy"], []), page.if_you_do, page.done)
    assert scene.waits_for == {1: "choose_as_trigger"}
    scene.answer(1, choose_as_trigger="ward")
    assert said(scene) == ["settled", "did"]
    assert scene.said("did") == [{"parts": ["discard", "ward"]}]


def test_7_commit_delayed_controlled_blind(sketch, table):
    @step
    def reveal(t):
        for side in ("north", "south"):
            t.know(t.ids(f"slot:{side}"), PUBLIC)

    seats = {"north": 0, "south": 1}
    page = sketch(7, reveal=reveal, by_priority=lambda t: list(seats), is_delayed=lambda t, side: side == "south",
                  player_of=seats.get, cards_needed=lambda t, side: 1, controller=lambda t, seat: 0,
                  delayers=lambda t, side: [0] if side == "south" else [], sharing=lambda t, seat: [])  # fmt: skip

    def lay(t):
        for side in seats:
            t.zone(f"slot:{side}", PUBLIC, PUBLIC)

    scene = table(page.commit, page.commit, lay=lay, hand_0=["A"], deck_0=["X"], hand_1=["B"], deck_1=["Y"])
    asked = scene.asked(0, "commit_cards")
    assert (asked.seat, asked.chooser, asked.only["shape"]) == (1, 0, 1), "the delayed side first; seat 0 controls it"
    scene.answer(0, commit_cards="B").answer(0, commit_cards="top:1")
    effects = [effect for effect in scene.told if effect["e"] == "move"]
    assert [effect["only"]["keys"] for effect in effects] == [0b11, 0], "shown to the delayer; a blind card to nobody"
    assert (scene.keys("slot:south"), scene.keys("slot:north")) == (["B"], ["X"])
    assert "key" in scene.view(None)["zones"]["slot:north"]["cards"][0]


def test_8_declared_in_order_carried_out_together(sketch, table):
    def use_up(t, kind):
        t.set("pending", [other for other in t.var("pending") if other != kind])

    def batch(t, kind):
        return [SimpleNamespace(seat=seat, id=f"u{seat}", least=1, rule="") for seat in (0, 1)]

    page = sketch(8, pending=lambda t: t.var("pending"), PRIORITY={"swap": 0, "strike": 1}, use_up=use_up, batch=batch,
                  legal=lambda t, use, declared: [x for x in "xyz" if [x] not in declared.values()],
                  place=lambda t, seat: seat,
                  EXECUTE={kind: lambda t, use, chosen, kind=kind: t.say(kind, use=use, on=chosen)
                           for kind in ("swap", "strike")})  # fmt: skip
    scene = table(page.now, page.done, lay=lambda t: t.set("pending", ["strike", "swap"]))
    scene.answer(0, declare="y")
    assert said(scene) == []
    assert scene.options(1, "declare") == ["x", "z"], "later declarations see the earlier ones"
    scene.answer(1, declare="z")
    assert scene.said("swap") == [{"use": "u0", "on": ["y"]}, {"use": "u1", "on": ["z"]}]
    scene.answer(0, declare="x").answer(1, declare="y")
    assert said(scene) == ["swap", "swap", "strike", "strike"]
    assert scene.outcome == ("tie", [])


def test_9_the_surge_window_and_a_shared_hand(sketch, table):
    def draw(t, seat, count):
        t.move_all(t.ids(f"deck:{seat}")[:count], f"hand:{seat}")

    page = sketch(9, draw=draw, discard=zone("discard"), mates=lambda t, seat: [1 - seat])
    zones = {"hand_0": ["A"], "hand_1": ["B"], "deck_0": ["X"], "deck_1": [], "discard_0": [], "discard_1": []}
    scene = table(page.surge, page.done, lay=lambda t: [t.count(seat, "surge", 1) for seat in (0, 1)], **zones)
    scene.answer(1, surge=[]).answer(0, surge="surge")
    assert (scene.keys("hand:0"), scene.keys("discard:0")) == (["X"], ["A"])
    assert scene.waits_for == {1: "surge"}, "who had passed thinks again"
    scene.use(1, "share")
    assert scene.view(0)["zones"]["hand:1"]["cards"][0]["key"] == "B"
    scene.use(1, "unshare").answer(1, surge=[])
    assert scene.outcome == ("tie", [])


def test_10_the_boost_window(sketch, table):
    @step
    def add_boost(t, play, seat, card):
        t.move(card, "discard")

    page = sketch(10, add_boost=add_boost, active=lambda t: 0, means=lambda t, seat: t.size(f"hand:{seat}"),
                  boosted=lambda t, play: t.size("discard"), boosts_of=lambda t, seat, play: t.ids(f"hand:{seat}"))
    scene = table(page.boosts("strike", []), page.done, seats=3, hand_0=["A"], hand_1=["B"], hand_2=["C"], discard=[])
    for seat in (1, 2, 1):
        assert scene.waits_for == {seat: "boost"}
        scene.answer(seat, boost="pass")
    scene.answer(2, boost="C")
    assert scene.keys("discard") == ["C"]
    assert scene.outcome == ("tie", [])


def test_11_a_reward_proposed_and_answered(sketch, table, book):
    @step
    def give_reward(t, reward, to):
        t.say("given", reward=reward, to=to)

    @book.question
    def confirm(t, reward, proposal):
        return Ask(0, pick(["s0", "s1", "s2"]))

    @confirm.answered
    def confirmed(t, reward, proposal, answer):
        t.push(book.steps["give_reward"], reward, answer[0])

    page = sketch(11, give_reward=give_reward, confirm=confirm, active=lambda t: 0,
                  players=lambda t: [f"s{seat}" for seat in t.seats])  # fmt: skip
    scene = table(page.propose("gem"), page.propose("coin"), page.done, seats=3)
    scene.answer(0, propose="s1").answer(1, respond="agree").answer(2, respond="agree")
    assert scene.said("given") == [{"reward": "gem", "to": "s1"}], "nobody suggests another: not asked again"
    scene.answer(0, propose="s1").answer(1, respond="s2").answer(2, respond="agree")
    assert scene.said("suggestions") == [{"proposal": "s1", "answers": {"s1": "s2", "s2": "agree"}}]
    scene.answer(0, confirm="s2")
    assert scene.said("given") == [{"reward": "coin", "to": "s2"}]


def test_12_the_abomination_and_an_end_at_any_depth(sketch, table):
    @step
    def enemy_line(t, threat, line):
        t.push(page.wound, 0, line)

    @step
    def reveal_threat(t):
        t.say("revealed")

    threats = {"claw": SimpleNamespace(lines=[1]), "maw": SimpleNamespace(lines=[9, 2])}
    page = sketch(12, enemy_line=enemy_line, reveal_threat=reveal_threat, THREATS=threats,
                  has_creation=lambda t, seat: False)  # fmt: skip

    def lay(t):
        t.count(0, "vitality", 10)

    scene = table(page.abomination_step, page.abomination_step, seats=1, lay=lay, threats=["claw", "maw"])
    assert scene.outcome == ("loss", [])
    assert said(scene) == [], "nothing after the end"
    assert scene.n(0, "vitality") == 0, "the claw's 1, the maw's 9; its second line is never reached"


def test_13_limbo(sketch, table, book):
    @step
    def compose(t, play):
        t.move(play["what"], "limbo", at=0)

    @step
    def resolve_top(t):
        t.move(t.ids("limbo")[0], "discard")

    @step
    def state_check(t):
        t.say("checked")

    @step
    def next_round(t):
        if t.size("limbo"):
            t.push(page.respond_round, 0, [])

    @book.question
    def respond(t, seat, first, passed):
        return Ask(seat, pick(["pass", *t.ids(f"hand:{seat}")]), public=False)

    page = sketch(13, compose=compose, resolve_top=resolve_top, state_check=state_check, next_round=next_round,
                  respond=respond, usable=lambda t, seat: False)  # fmt: skip
    zones = {"hand_0": ["A"], "hand_1": ["B", "C"], "hand_2": [], "limbo": ["S"], "discard": []}
    scene = table(page.respond_round(0, []), page.done, seats=3, **zones)
    scene.answer(0, respond="pass").answer(1, respond="B")
    assert scene.waits_for == {1: "respond"}, "the round starts anew with whoever responded"
    scene.answer(1, respond="pass").answer(0, respond="pass")
    assert scene.keys("discard") == ["B"], "seat 2 has public means for nothing and is not asked"
    scene.answer(0, respond="pass").answer(1, respond="pass")
    assert scene.keys("discard") == ["B", "S"]
    assert scene.outcome == ("tie", [])


def test_14_buying_with_any_sources(sketch, table, book):
    worth = {"one": 1, "two": 2, "four": 4}

    @step
    def spend(t, source):
        t.move(source, "discard")

    @step
    def take_card(t, seat, card):
        t.move(card, f"hand:{seat}")

    def gold(t, sources):
        return sum(worth[t.card(source).key] for source in sources)

    def cost(card):
        return int(card.key[1:])

    def enough(t, seat, card, sources):
        return gold(t, t.ids(f"hand:{seat}")) >= cost(t.card(card))

    page = sketch(14, spend=spend, take_card=take_card, gold=gold, cost=cost, enough=enough,
                  price=lambda t, card: cost(t.card(card)), gold_sources=lambda t, seat: t.ids(f"hand:{seat}"))

    @book.question
    def shop(t):
        return Ask(0, pick(t.ids("market")))

    @shop.answered
    def shopping(t, answer):
        t.push(page.buy, 0, answer[0], [])

    @page.spend_rest.answered
    def rest_spent(t, seat, rest, answer):
        t.say("rest", rest=rest, on=[word.partition(":")[0] for word in answer])

    scene = table(shop, page.done, hand_0=["one", "two", "four"], market=["m3", "m1", "m2"], discard=[])
    assert scene.refuses(0, shop=("m3", "one")).code == "incomplete"
    scene.answer(0, shop=("m3", "one", "four"))
    assert sorted(scene.keys("discard")) == ["four", "one"]
    assert sorted(scene.keys("hand:0")) == ["m3", "two"]
    scene.answer(0, spend_rest="buy:m2")
    assert scene.said("rest") == [{"rest": 2, "on": ["buy"]}]


def test_15_the_active_player_leaves_in_the_middle_of_an_attack(sketch, table):
    @step
    def turns(t):
        t.set("active", t.seats_from(t.var("active", -1) + 1)[0])
        t.push(page.turns)
        t.ask(page.attackers, t.var("active"))

    def everything_of(t, seat):
        t.move_all(t.ids(f"play:{seat}"), "discard")

    def active(t):
        return t.var("active")

    def foes(t, seat):
        return [f"s{other}" for other in t.seats if other != seat]

    def blockable(t, card, battle):
        return sorted(attacker for attacker, foe in battle.items() if foe == f"s{card.owner}")

    page = sketch(15, turns=turns, active=active, play=zone("play"), may_attack=lambda t, card: True, foes=foes,
                  must_attack=lambda card: card.key == "berserk", blockable=blockable,
                  ready=lambda t, seat: t.cards(f"play:{seat}"), remove_everything_of=everything_of,
                  attacked=lambda battle, seat: f"s{seat}" in battle.values())  # fmt: skip

    @page.attackers.answered
    def attacking(t, seat, answer):
        t.ask(page.blockers, answer)

    @page.blockers.answered
    def blocking(t, battle, answer):
        t.say("blocked", by={f"s{seat}": blocks for seat, blocks in answer.items()})

    scene = table(page.turns, seats=3, play_0=["A", "berserk"], play_1=["B"], play_2=["C"], limbo=["S"], discard=[])
    assert scene.refuses(0, attackers={"A": "s1"}).errors[0]["code"] == "too_few"
    attacker = scene.card("A").id
    scene.answer(0, attackers={"A": "s1", "berserk": "s2"}).answer(1, blockers={"B": attacker})
    assert scene.waits_for == {2: "blockers"}, "each attacked opponent in turn"
    scene.concede(0)
    assert sorted(scene.keys("discard")) == ["A", "S", "berserk"]
    assert scene.waits_for == {1: "attackers"}, "the turn is dropped, the next living player's begins"
    scene.concede(1)
    assert scene.outcome == ("win", [2])
