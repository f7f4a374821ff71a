"""What a simple player would do, seen from its own view: values on the board and Mojo. For games/bots/greedy.py.

Not rules: nothing here is asked when a game is decided. No search, no memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .book import book
from .cards import CARDS, CardDef, Data

KEYWORDS = {"airborne": 2.0, "unblockable": 3.0, "breakthrough": 1.0, "deadly": 2.0, "unbreakable": 3.0, "range": 1.5,
            "untargetable": 1.0, "hunter": 1.0}  # fmt: skip
DRAW, MOJO, ACTION, EXTRA_TURN = 1.5, 0.4, 3.0, 9.0
WORTH_IT = 0.6
"""Less is not worth doing."""


class Sight:
    """The own view, with the words the advice needs."""

    def __init__(self, view: Data, seat: int) -> None:
        self.view, self.seat = view, seat
        self.things: dict[str, Data] = {card["id"]: card for card in view["zones"]["play"]["cards"]}
        self.hand: dict[str, str] = {
            card["id"]: card["key"] for card in view["zones"][f"hand:{seat}"].get("cards", []) if card and "key" in card
        }
        self.values: dict[str, Data] = view["shown"]["values"]

    def mojo(self, seat: int) -> int:
        return int(self.view["seats"][seat]["n"].get("mojo", 0))

    def is_mine(self, thing: str) -> bool:
        if thing[0] == "s":
            return thing == f"s{self.seat}"
        card = self.things.get(thing)
        return card is not None and bool(card.get("ctrl", card.get("owner")) == self.seat)

    def offense(self, thing: str) -> int:
        """As it is now; a face-down stranger is taken for a 4/4."""
        return int(self.values.get(thing, {}).get("offense", 4))

    def defense(self, thing: str) -> int:
        """What it still takes to break it."""
        damage = self.things[thing].get("n", {}).get("damage", 0)
        return int(self.values.get(thing, {}).get("defense", 4)) - int(damage)

    def keywords(self, thing: str) -> frozenset[str]:
        return frozenset(self.values.get(thing, {}).get("keywords", ()))

    def worth(self, thing: str) -> float:
        """What a thing in play is worth to its controller."""
        card = self.things.get(thing)
        if card is None:
            return 0.0
        if "key" in card and CARDS[card["key"]].type != "champion":
            return 4.0
        keywords = sum(KEYWORDS.get(word, 0.0) for word in self.keywords(thing))
        return max(0, self.offense(thing)) + 0.6 * max(0, self.defense(thing)) + keywords

    def champions(self, mine: bool) -> list[str]:
        return [
            thing
            for thing, card in self.things.items()
            if self.is_mine(thing) is mine and ("key" not in card or CARDS[card["key"]].type == "champion")
        ]


def card_worth(card: CardDef) -> float:
    """What a card is worth in hand or on its way into play."""
    if card.type == "champion":
        return card.offense + 0.6 * card.defense + sum(KEYWORDS.get(word, 0.0) for word in card.plain)
    return 4.0


# -- what an ability would bring ---------------------------------------------------------------------------------------


def gain(sight: Sight, ability: Data, target: str | None = None) -> float:
    """The worth of an ability's operations, aimed at this target, or at the best one."""
    return sum(_op_gain(sight, op, target) for op in ability["do"])


def _op_gain(sight: Sight, op: Data, target: str | None) -> float:
    kind, who = op["op"], op.get("who")
    sign = 1.0 if who == "you" else 0.0 if who == "each_player" else -1.0
    n = op["n"] if isinstance(op.get("n"), int) else 2
    if kind in ("draw", "gain_mojo", "gain_action", "extra_turn"):
        return float(sign * n * {"draw": DRAW, "gain_mojo": MOJO, "gain_action": ACTION}.get(kind, EXTRA_TURN))
    if kind in ("lose_mojo", "discard"):
        return float(-sign * n * (MOJO if kind == "lose_mojo" else DRAW))
    if kind == "lose_game":
        return 100.0 if target is None or not sight.is_mine(target) else -100.0
    if kind == "token":
        return card_worth(CARDS[op["name"]]) * float(op["n"])
    if kind == "may":
        return 0.5
    if kind in HARM:
        return _on_targets(sight, op, target, HARM[kind])
    if kind in HELP:
        return -_on_targets(sight, op, target, HELP[kind])
    if kind == "stop":
        return 5.0 if _their_turn_to_lose(sight) else -5.0
    return 0.0


def _on_targets(sight: Sight, op: Data, target: str | None, hurt: Callable[[Sight, Data, str], float]) -> float:
    """Positive for what is lost on the other side; everything, or the target (the best one if it is open)."""
    what = op.get("what", op.get("to"))
    if isinstance(what, dict) and "all" in what:
        filter_ = what["all"]
        if filter_.get("zone"):
            return 0.3
        mine = filter_.get("controller") == "you"
        covered = [thing for thing in sight.things if not mine or sight.is_mine(thing)]
        fitting = [thing for thing in covered if _covers(sight, filter_, thing)]
        return sum((-1 if sight.is_mine(thing) else 1) * hurt(sight, op, thing) for thing in fitting)
    if target is not None:
        return (-1 if sight.is_mine(target) else 1) * hurt(sight, op, target)
    return max((hurt(sight, op, thing) for thing in sight.champions(False)), default=0.0)


def _covers(sight: Sight, filter_: Data, thing: str) -> bool:
    key = sight.things[thing].get("key")
    if key is None:
        return "champion" in filter_["is"]
    card = CARDS[key]
    return card.type in filter_["is"] and card.alignment in filter_.get("alignment", [card.alignment]) and (
        card.origin in filter_.get("origin", [card.origin]) and filter_.get("lacks", "") not in card.plain
    )


def _lost(sight: Sight, op: Data, thing: str) -> float:
    return 0.0 if thing[0] == "s" or "unbreakable" in sight.keywords(thing) else sight.worth(thing)


def _damaged(sight: Sight, op: Data, thing: str) -> float:
    n = op["n"] if isinstance(op["n"], int) else 3
    if thing[0] == "s":
        return float(n * MOJO + (50.0 if sight.mojo(int(thing[1:])) <= n else 0.0))
    return _lost(sight, op, thing) if op.get("deadly") or n >= sight.defense(thing) else 0.2


def _modified(sight: Sight, op: Data, thing: str) -> float:
    """A bonus helps a little, a malus hurts a little: cards that also draw are worth playing for it."""
    ups = sum(mod.get("n", 1) for mod in op["mods"] if not mod.get("lose"))
    return -0.1 if ups >= 0 else 0.1


HARM: dict[str, Callable[[Sight, Data, str], float]] = {
    "break": _lost, "banish": _lost, "damage": _damaged, "gain_control": lambda s, op, thing: 1.5 * _lost(s, op, thing),
    "move": lambda s, op, thing: 0.7 * _lost(s, op, thing), "expend": lambda s, op, thing: 0.5,
    "skip_prepare": lambda s, op, thing: 0.5, "modify": _modified,
    "counters": lambda s, op, thing: 0.5 * _lost(s, op, thing),
}  # fmt: skip
HELP: dict[str, Callable[[Sight, Data, str], float]] = {"prepare": lambda s, op, thing: -0.3}


def _their_turn_to_lose(sight: Sight) -> bool:
    line = sight.view["zones"]["line"]["cards"]
    return bool(line) and line[-1].get("ctrl", line[-1].get("owner")) != sight.seat


def _price(sight: Sight, ability: Data, source: str) -> float:
    prices = {"action": ACTION, "mojo": MOJO, "discard": DRAW, "reveal": 1.0, "expend": 0.2, "flip": 0.2}
    total = float(sum(prices.get(cost["c"], 0.0) * cost.get("n", 1) for cost in ability["cost"]))
    for cost in ability["cost"]:
        if cost["c"] in ("break", "banish"):
            total += sight.worth(source) if cost["what"] == "self" else 4.0
    return total


# -- the answers -------------------------------------------------------------------------------------------------------


@book.advice
def advice(view: Data, decision: Data, path: list[Any], shape: Data) -> Any:
    """An answer to this decision, or to the next part of its path; None: nothing better than any."""
    sight = Sight(view, decision["chooser"])
    wanted = ANSWERS.get(decision["kind"])
    return wanted(sight, path, shape) if wanted else None


def priority(sight: Sight, path: list[Any], shape: Data) -> Any:
    if path:
        return _part(sight, path, shape)
    scored = {option: _play_gain(sight, option) for option in shape["options"] if option != "pass"}
    best = max(scored, key=lambda option: scored[option], default="pass")
    return [best] if scored.get(best, 0.0) > WORTH_IT else ["pass"]


def _play_gain(sight: Sight, option: str) -> float:
    what, _, rest = option.partition(":")
    source, _, index = rest.partition(":")
    if what == "unveil":
        return 0.0
    if what == "use":
        ability = CARDS[sight.things[source]["key"]].abilities[int(index)]
        return gain(sight, ability) - _price(sight, ability, source)
    card = CARDS[sight.hand[source]]
    worth = card_worth(card) if card.type != "event" else max(
        gain(sight, option) for option in _options(card.abilities)
    )
    arrivals = [ability for ability in card.abilities if ability.get("event", {}).get("on") == "comes_into_play"]
    return worth + sum(gain(sight, ability) for ability in arrivals) - (1.0 if card.cost == "action" else 0.0)


def _options(abilities: tuple[Data, ...]) -> list[Data]:
    ability = next(ability for ability in abilities if ability["kind"] == "on_resolve")
    modes: list[Data] = ability["modes"]["options"] if "modes" in ability else [ability]
    return modes


def _part(sight: Sight, path: list[Any], shape: Data) -> Any:
    """A part of a play: its face, mode, targets, shares, payment."""
    what, _, rest = path[0][0].partition(":")
    source, _, index = rest.partition(":")
    options = shape.get("options", [])
    if "up" in options or "down" in options:
        return ["up" if "up" in options else "down"]
    key = sight.hand[source] if what == "play" else sight.things[source]["key"]
    if options == ["0", "1"]:
        return ["0"]
    if shape["is"] == "split":
        return _kill(sight, shape)
    if all(option in sight.hand for option in options):
        return sorted(options, key=lambda card: card_worth(CARDS[sight.hand[card]]))[: shape.get("lo", 1)]
    abilities = CARDS[key].abilities
    ability = abilities[int(index)] if index else _options(abilities)[-1]
    scored = sorted(options, key=lambda thing: _aim(sight, ability, thing), reverse=True)
    return scored[: max(1, shape.get("lo", 1))]


def _aim(sight: Sight, ability: Data, thing: str) -> float:
    if thing[0] == "c" and thing not in sight.things:
        return 1.0
    if any(_helps(op) for op in ability["do"]):
        return sight.worth(thing) * (1 if sight.is_mine(thing) else -1)
    if thing[0] == "s":
        return (gain(sight, ability, thing) or 0.1) if not sight.is_mine(thing) else -10.0
    return gain(sight, ability, thing) if not sight.is_mine(thing) else -sight.worth(thing)


def _helps(op: Data) -> bool:
    harms = any(mod.get("n", 0) < 0 or "lose" in mod for mod in op.get("mods", ()))
    return op["op"] in ("prepare", "modify") and not harms


def _kill(sight: Sight, shape: Data) -> dict[str, int]:
    """Damage where it breaks most: the cheapest kills first, the rest on the last one."""
    left, floors = shape["total"], shape.get("floors", {})
    caps = shape.get("caps", {})
    shares = {option: floors.get(option, 0) for option in shape["options"]}
    left -= sum(shares.values())
    order = sorted(shares, key=lambda thing: sight.defense(thing) if thing in sight.things else 99)
    for thing in [*order, *reversed(order)]:
        need = sight.defense(thing) if thing in sight.things else left
        more = max(0, min(left, need - shares[thing], caps.get(thing, left) - shares[thing]))
        shares[thing] += more
        left -= more
    for thing in order:
        more = min(left, caps.get(thing, left + shares[thing]) - shares[thing])
        shares[thing] += more
        left -= more
    return {thing: share for thing, share in shares.items() if share}


def attack(sight: Sight, path: list[Any], shape: Data) -> Any:
    """One after the other: whoever can hit a player without being eaten; the weakest player first."""
    if path:
        return [max(shape["options"], key=lambda card: _boldness(sight, card))]
    aims = [option for option in shape["options"] if option.startswith("attack:")]
    if not aims:
        return ["end"] if "end" in shape["options"] else None
    ready = [card for card in sight.champions(True) if not sight.things[card].get("pose")]
    bold = any(_boldness(sight, card) > 0 for card in ready)
    if not bold and "end" in shape["options"]:
        return ["end"]
    return [min(aims, key=lambda aim: sight.mojo(int(aim[8:])))]


def _boldness(sight: Sight, card: str) -> float:
    """What an attack brings, less what it risks: a prepared blocker that breaks it and lives."""
    keywords = sight.keywords(card)
    if "unblockable" in keywords:
        return float(sight.offense(card))
    foes = [foe for foe in sight.champions(False) if not sight.things[foe].get("pose")]
    if "airborne" in keywords:
        foes = [foe for foe in foes if sight.keywords(foe) & {"airborne", "range"}]
    mine, life = sight.offense(card), sight.defense(card)
    eaten = any(sight.offense(foe) >= life and mine < sight.defense(foe) for foe in foes)
    return mine - (sight.worth(card) if eaten and "unbreakable" not in keywords else 0.0)


def block(sight: Sight, path: list[Any], shape: Data) -> Any:
    """A blocker that lives, or one that takes something better with it; everybody if it is about the game."""
    fight = sight.view["vars"]["battle"]
    attackers = [card for card in fight["attackers"] if card in sight.things]
    damage = sum(max(0, sight.offense(card)) for card in attackers)
    deadly = any("deadly" in sight.keywords(card) for card in attackers)
    if not fight["hunt"] and damage >= sight.mojo(sight.seat):
        return shape["options"]
    for blocker in sorted(shape["options"], key=sight.worth):
        lives = damage < sight.defense(blocker) and not deadly
        beaten = [card for card in attackers if sight.offense(blocker) >= sight.defense(card)]
        trades = any(sight.worth(card) >= sight.worth(blocker) for card in beaten)
        if lives or trades or "unbreakable" in sight.keywords(blocker):
            return [blocker]
    return []


def cheapest(sight: Sight, path: list[Any], shape: Data) -> Any:
    """Out of the own hand the least, of others' things the best."""
    def worth(thing: str) -> float:
        if thing in sight.hand:
            return -card_worth(CARDS[sight.hand[thing]])
        return -sight.worth(thing) if sight.is_mine(thing) else sight.worth(thing)

    return sorted(shape["options"], key=worth, reverse=True)[: max(shape.get("lo", 1), 0)]


def hurtful(sight: Sight, path: list[Any], shape: Data) -> Any:
    """A trigger's target: an opponent's best champion where only champions are offered, else an opponent."""
    theirs = [thing for thing in shape["options"] if not sight.is_mine(thing)] or shape["options"]
    players = [thing for thing in theirs if thing[0] == "s"]
    return [min(players, key=lambda thing: sight.mojo(int(thing[1:]))) if players else max(theirs, key=sight.worth)]


ANSWERS: dict[str, Callable[[Sight, list[Any], Data], Any]] = {
    "mulligan": lambda sight, path, shape: [], "priority": priority, "attack_or_end": attack, "declare_attack": attack,
    "declare_blockers": block, "may_do": lambda s, path, shape: ["yes"] if "yes" in shape.get("options", ()) else None,
    "use_trigger": lambda sight, path, shape: ["yes"], "pick_from_zone": cheapest, "discard_choice": cheapest,
    "hand_limit_discard": cheapest, "trigger_targets": hurtful, "as_trigger_targets": hurtful,
    "split_damage": lambda sight, path, shape: _kill(sight, shape),
}  # fmt: skip
