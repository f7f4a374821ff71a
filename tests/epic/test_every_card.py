"""Every card of the set is played, and every one of its abilities works, through real decisions.

One test per card that plays it, one per ability that brings about what the ability waits for and sees it happen.
"""

from random import Random

import pytest

from games.kernel import to_dict
from games.kernel.decide import decide, waiting
from games.kernel.playout import random_answer
from games.rulebooks.epic import board as b
from games.rulebooks.epic.cards import CARDS, SET, ability_key
from games.rulebooks.epic.filters import is_unstoppable
from games.rulebooks.epic.values import board, fits, plain
from tests.rules import rule

from .scene import FILLER, Scene

ABILITIES = [(card, index) for card in SET for index in range(len(card.abilities))]
COMPANY = {0: [FILLER, "Grave Bell", "Human"], 1: ["Hired Muscle", "Tranquil Retreat", "Pitborn Brute"]}
KEY = b"every card" + b"\0" * 22


def stage(card, where="hand", step="build", **more):
    """A busy table with the card somewhere on P1's side."""
    hand = [card.name] if where == "hand" else []
    play = {0: [*COMPANY[0], *([card.name] if where == "play" else [])], 1: COMPANY[1]}
    discard = {0: ["Naturalist", *([card.name] if where == "discard" else [])], 1: ["Second Wind"]}
    hands = {0: [*hand, "Fenwater Viper", "Thrust", "Second Wind"], 1: ["Chapel Gargoyle", "Second Wind"]}
    return Scene(step, **{"hands": hands, "play": play, "discard": discard, "actions": 3} | more)


def act(scene, option):
    """Choose this option of the priority question; everything that must be named with it, at random."""
    ask = scene.s.asked(0, "priority")
    assert option in ask.shape.options, scene.options(0)
    return step(scene, ask, [option])


def moved(scene, card):
    return [effect for effect in scene.s.told if effect["e"] == "move" and card.id in effect["keys"]]


def in_hand(scene, card):
    return next(found.id for found in scene.t.cards("hand:0") if found.key == card.id)


def step(scene, ask, first=None):
    """Answer as told, or at random; the parts at random."""
    rng = Random(f"{ask.kind} {ask.id}")
    path = [random_answer(ask.shape, rng) if first is None else first]
    action = {"do": "answer", "seat": ask.chooser, "decision": ask.id, "path": path}
    decided = decide(scene.s.table, action, KEY, lambda part: random_answer(part.shape, rng))
    scene.s._go_on(decided.table, [to_dict(effect) for effect in decided.effects])
    return scene


def settle_down(scene, until=lambda scene: False):
    """Everybody says yes where they may, chooses at random where they must, else passes, until the line is empty."""
    for _ in range(60):
        if until(scene) or scene.outcome or (not scene.line and set(scene.waits_for.values()) == {"priority"}):
            return scene
        ask = waiting(scene.s.table)[0]
        wanted = next((word for word in ("pass", "yes") if word in getattr(ask.shape, "options", ())), None)
        step(scene, ask, [wanted] if wanted else None)
    raise AssertionError("it never settles")


def made(scene):
    """The abilities that have been on the line."""
    return [key for effect in scene.s.told if effect["e"] == "make" for key in effect["keys"]]


def response_to(filter_):
    """Something on the line that a card or ability can be a response to."""
    return "use:Grave Bell" if filter_["is"] == ["ability"] else "play:Second Wind"


def prepare_line(scene, targets):
    for target in targets:
        if target["filter"].get("zone") == "line":
            name = response_to(target["filter"])
            offered = dict(zip(scene.options(0), scene.s.asked(0, "priority").shape.options, strict=True))
            act(scene, next(option for named, option in offered.items() if named.startswith(name)))


@rule("epic", "EP-6.1", "EP-6.5")
@pytest.mark.parametrize("card", SET, ids=lambda card: f"{card.id} {card.name}")
def test_the_card_is_played(card):
    scene = stage(card)
    if card.type == "event":
        ability = next(ability for ability in card.abilities if ability["kind"] == "on_resolve")
        prepare_line(scene, ability.get("targets", []))
    act(scene, f"play:{in_hand(scene, card)}")
    assert moved(scene, card)[0]["to"] == "line"
    settle_down(scene)
    ends = {"event": ("discard:0", "deck:0"), "champion": ("play",), "object": ("play",)}[card.type]
    assert moved(scene, card)[1]["to"] in ends
    assert not scene.s.said("fails")
    spent = [effect for effect in scene.s.told if effect.get("name") == "actions" and effect["by"] < 0]
    assert bool(spent) >= (card.cost == "action")


@pytest.mark.parametrize(("card", "index"), ABILITIES, ids=lambda part: getattr(part, "name", str(part)))
def test_the_ability_works(card, index):
    ability = card.abilities[index]
    WORKS[ability["kind"]](card, index, ability)


def resolves(card, index, ability):
    """An event's own text: in every mode."""
    for mode in range(len(ability.get("modes", {"options": [0]})["options"])):
        scene = stage(card)
        prepare_line(scene, ability.get("targets", []))
        parts = [str(mode)] if "modes" in ability else []
        before = scene.s.table
        if parts:
            scene.play(0, card.name, *parts, *(["Hired Muscle"] if mode else []))
        else:
            act(scene, f"play:{in_hand(scene, card)}")
        settle_down(scene)
        assert differs(before, scene.s.table, card)


def differs(before, after, card):
    """Something is different besides the card itself having gone to the discard pile."""
    def state(table):
        zones = {name: sorted(table.cards[c].key for c in zone.cards if table.cards[c].key != card.id)
                 for name, zone in table.zones.items()}  # fmt: skip
        things = sorted((c.key, c.pose, sorted(c.n.items()), str(c.marks.get("mods"))) for c in table.cards.values())
        seats = [(seat.n.get("mojo"), str(seat.marks.get("limited"))) for seat in table.seats]
        return zones, things, seats, table.vars.get("extra")

    return state(before) != state(after)


def is_used(card, index, ability):
    scene = stage(card, "play")
    mine = scene.card(card.name).id
    for cost in ability["cost"]:
        if cost["c"] == "counter":
            scene.change(lambda t, cost=cost: t.count(mine, cost["kind"], cost["n"]))
        if cost["c"] in ("reveal", "discard"):
            scene.change(lambda t: t.make(["EP031"] * 2, 0, "hand:0"))
    prepare_line(scene, ability.get("targets", []))
    before = scene.s.table
    act(scene, f"use:{mine}:{index}")
    assert ability_key(card.id, index) in made(scene)
    settle_down(scene)
    assert differs(before, scene.s.table, card)
    assert not scene.s.said("fails")


def is_triggered(card, index, ability):
    """What the trigger waits for happens; the trigger is on the line, and resolves."""
    scene = PROVOKE[ability["event"]["on"]](card, ability)
    trigger = ability_key(card.id, index)
    settle_down(scene, until=lambda scene: trigger in made(scene))
    assert trigger in made(scene)
    before = scene.s.table
    settle_down(scene)
    assert differs(before, scene.s.table, card)


def arrives(card, ability):
    scene = stage(card)
    return act(scene, f"play:{in_hand(scene, card)}")


def is_unveiled(card, ability):
    scene = stage(card, "hand", play={0: [FILLER, f"~{card.name}"], 1: COMPANY[1]})
    return scene.unveil(0, card.name)


def something_is_played(card, ability):
    what = ability["event"]["what"]
    other = next(c for c in SET if c.id != card.id and c.type != "event" and fits(what, plain(c.id, 0), you=0))
    scene = stage(card, ability["zone"], hands={0: [other.name], 1: []})
    return scene.play(0, other.name, "up")


def an_opponent_draws(card, ability):
    scene = stage(card, "play")
    return scene.passes(0).play(1, "Second Wind")


def attacks(card, ability):
    return stage(card, "play", "battle", hands={0: [], 1: ["Naturalist"] * 2}).attack("s1", card.name)


def deals_damage(card, ability):
    return attacks(card, ability).block().fight()


def is_damaged(card, ability):
    scene = stage(card, "play", hands={0: ["Bolt from the Blue"]})
    return scene.play(0, "Bolt from the Blue", card.name)


def a_champion_is_broken(card, ability):
    scene = stage(card, "play", hands={0: ["Grim Bargain"]})
    return scene.play(0, "Grim Bargain", "Hired Muscle")


def a_step_begins(card, ability):
    return stage(card, "play", "prepare")


PROVOKE = {
    "comes_into_play": arrives, "unveiled": is_unveiled, "plays": something_is_played, "draws": an_opponent_draws,
    "attacks": attacks, "deals_damage": deals_damage, "is_damaged": is_damaged, "broken": a_champion_is_broken,
    "goes_to_discard": a_champion_is_broken, "step_begins": a_step_begins,
}  # fmt: skip


def happens_as(card, index, ability):
    """Part of the happening itself: nothing on the line."""
    event = ability["event"]["on"]
    if ability["mode"] == "also":
        scene = (is_unveiled if event == "unveiled" else arrives)(card, ability)
        plain_scene = scene.s.table
        settle_down(scene)
        assert ability_key(card.id, index) not in made(scene)
        assert differs(plain_scene, scene.s.table, card)
        return
    scene = stage(card, "play", hands={0: [], 1: ["Bolt from the Blue"]})
    scene.passes(0).play(1, "Bolt from the Blue", "s0").all_pass()
    if event == "would_be_damaged":
        assert (scene.mojo[0], scene.damage(card.name)) == (30, 2)
    else:
        assert scene.discard(1) == ["Second Wind"], "Bolt from the Blue went elsewhere"


def is_continuous(card, index, ability):
    """With the card in play things, players or cards on the line are not what they are without it."""
    def everything(scene):
        found = board(scene.t)
        values = {CARDS[scene.s.table.cards[c].key].name: v for c, v in found.values.items() if c != mine(scene)}
        own = found.values.get(mine(scene))
        return values, found.rules, found.damage_wards, own and (own.ctrl, own.keywords - card.plain, own.rules)

    def mine(scene):
        return next((c.id for c in scene.t.cards(b.PLAY) if c.key == card.id), None)

    company = {0: [FILLER, "Chapel Gargoyle"], 1: ["Hired Muscle", "Pitborn Brute"]}
    without, with_it = Scene(play=company), Scene(play=company | {0: [*company[0], card.name]})
    if isinstance(ability["affects"], dict) and ability["affects"]["all"].get("zone") == "line":
        origin = ability["affects"]["all"]["origin"][0]
        simple = (c for c in SET if c.type == "event" and c.origin == origin and not (c.plain or c.instantaneous))
        event = next(c for c in simple if not {"targets", "modes"} & set(c.abilities[0]))
        for scene, safe in ((Scene(hands={0: [event.name]}), False),
                            (Scene(hands={0: [event.name]}, play={0: [card.name]}), True)):  # fmt: skip
            scene.play(0, event.name)
            assert is_unstoppable(scene.t, scene.s.table.zones["line"].cards[0]) is safe
    elif ability["mods"][0].get("rule") == "enters_expended":
        scene = Scene(hands={0: [card.name]})
        assert scene.play(0, card.name).all_pass().pose(card.name) == "expended"
    else:
        assert everything(without) != everything(with_it)


WORKS = {
    "on_resolve": resolves, "activated": is_used, "when": is_triggered, "as": happens_as, "continuous": is_continuous,
}  # fmt: skip
