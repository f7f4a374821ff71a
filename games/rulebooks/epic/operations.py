"""The 24 operations of a card's text (section 5.7), each turned into the parts of one happening.

What must be chosen at resolution (a {pick}, a discard, a may) is asked by perform.py and stands in the run's `chosen`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.kernel.play import T

from .board import EXPENDED, HAND, PREPARED, Run
from .cards import CARDS, Data, is_ability
from .filters import is_unstoppable, players, things
from .parts import Part, banish, break_, pose, to_discard
from .values import board


def parts_of(t: T, run: Run, op: Data) -> list[Part]:
    """One instruction applied to all its recipients: one happening (EP-0.3, EP-12.7)."""
    return OPERATIONS[op["op"]](t, run, op)


def source_kinds(t: T, run: Run) -> list[str]:
    """What the source is: in play as it is now, else as it last was there, else as printed (EP-10.2)."""
    values = board(t).values
    if run["src"] in values:
        return sorted(values[run["src"]].kinds)
    kinds: list[str] = run.get("kinds") or sorted(CARDS[run["key"]].kinds)
    return kinds


def amount(run: Run, n: Any) -> int:
    return int(run["that"]["n"]) if isinstance(n, dict) else int(n)


# -- players -----------------------------------------------------------------------------------------------------------


def _draw(t: T, run: Run, op: Data) -> list[Part]:
    return [{"p": "draw", "seat": seat, "n": op["n"]} for seat in players(t, run, op["who"])]


def _gain_mojo(t: T, run: Run, op: Data) -> list[Part]:
    return [{"p": "mojo", "seat": seat, "n": amount(run, op["n"])} for seat in players(t, run, op["who"])]


def _lose_mojo(t: T, run: Run, op: Data) -> list[Part]:
    return [{"p": "mojo", "seat": seat, "n": -amount(run, op["n"])} for seat in players(t, run, op["who"])]


def _gain_action(t: T, run: Run, op: Data) -> list[Part]:
    only = {"only": op["only"]} if "only" in op else {}
    return [{"p": "action", "seat": seat, "n": op["n"], **only} for seat in players(t, run, op["who"])]


def _extra_turn(t: T, run: Run, op: Data) -> list[Part]:
    return [{"p": "extra", "seat": seat, "max": op["max_consecutive"]} for seat in players(t, run, op["who"])]


def _lose_game(t: T, run: Run, op: Data) -> list[Part]:
    return [{"p": "lose", "seat": seat} for seat in players(t, run, op["who"])]


def _token(t: T, run: Run, op: Data) -> list[Part]:
    return [{"p": "token", "name": op["name"], "n": op["n"], "seat": seat} for seat in players(t, run, op["who"])]


def _discard(t: T, run: Run, op: Data) -> list[Part]:
    """EP-3.11: whole hands, cards chosen by their holders, at random, or a card selected before."""
    if "what" in op:
        chosen = things(t, run, op["what"])
    elif op["n"] == "all":
        chosen = [card for seat in players(t, run, op["who"]) for card in t.ids(HAND[seat])]
    else:
        named: dict[str, list[str]] = run["chosen"]["discards"]
        chosen = [card for seat in sorted(named) for card in named[seat]]
    cards = [t.card(card) for card in chosen if t.find(card)]
    return [to_discard(card, int(card.zone.partition(":")[2]), "discard") for card in cards]


# -- things ------------------------------------------------------------------------------------------------------------


def _damage(t: T, run: Run, op: Data) -> list[Part]:
    """EP-13: dealt by the source; a share of divided damage for each target (EP-12.5)."""
    kinds = source_kinds(t, run)
    values = board(t).values
    deadly = bool(op.get("deadly")) or (run["src"] in values and "deadly" in values[run["src"]].keywords)
    divided = isinstance(op["n"], dict) and op["n"]["amount"] == "divided"
    return [
        {
            "p": "damage", "src": run["src"], "kinds": kinds, "to": thing, "deadly": deadly,
            "n": run["shares"][thing] if divided else amount(run, op["n"]),
        }
        for thing in things(t, run, op["to"])
    ]  # fmt: skip


def _break(t: T, run: Run, op: Data) -> list[Part]:
    kinds = source_kinds(t, run)
    return [break_(t.card(thing), kinds=kinds) for thing in things(t, run, op["what"])]


def _banish(t: T, run: Run, op: Data) -> list[Part]:
    kinds = source_kinds(t, run)
    return [banish(t.card(thing), kinds=kinds) for thing in things(t, run, op["what"])]


def _move(t: T, run: Run, op: Data) -> list[Part]:
    """EP-3.8, 15.3: to a hand, a discard pile, into play or under the source."""
    kinds = source_kinds(t, run)
    if op["to"] == "under_self" and run["src"] not in t.s.cards:
        return []
    found = []
    for thing in things(t, run, op["what"]):
        card = t.card(thing)
        seat = {"you": run["by"], "controller": card.ctrl, "owner": card.owner}[op["whose"]]
        part: Part = {"p": "move", "card": thing, "to": op["to"], "seat": seat, "why": "effect", "kinds": kinds}
        found.append(part | ({"to": "under", "under": run["src"]} if op["to"] == "under_self" else {}))
    return found


def _stop(t: T, run: Run, op: Data) -> list[Part]:
    """EP-6.6, 16.10: off the line, unresolved; a card into its controller's discard pile, an ability vanishes."""
    cards = [t.card(thing) for thing in things(t, run, op["what"]) if not is_unstoppable(t, thing)]
    return [
        {"p": "move", "card": card.id, "to": "removed" if is_ability(card.key) else "discard", "seat": card.ctrl,
         "why": "stop"}
        for card in cards
    ]  # fmt: skip


def _posed(into: str) -> Callable[[T, Run, Data], list[Part]]:
    def turned(t: T, run: Run, op: Data) -> list[Part]:
        kinds = source_kinds(t, run)
        return [pose(thing, into, kinds=kinds) for thing in things(t, run, op["what"])]

    return turned


def _skip_prepare(t: T, run: Run, op: Data) -> list[Part]:
    kinds = source_kinds(t, run)
    return [{"p": "skip", "card": thing, "kinds": kinds} for thing in things(t, run, op["what"])]


def _modify(t: T, run: Run, op: Data) -> list[Part]:
    """EP-11.4: the things that match now; later arrivals are not included."""
    mod = {"class": op["class"], "mods": op["mods"], "until": op["duration"]}
    kinds = source_kinds(t, run)
    return [{"p": "mod", "on": thing, "mod": mod, "kinds": kinds} for thing in things(t, run, op["what"])]


def _counters(t: T, run: Run, op: Data) -> list[Part]:
    n, kinds = amount(run, op["n"]), source_kinds(t, run)
    return [
        {"p": "counters", "card": thing, "kind": op["kind"], "n": n, "kinds": kinds}
        for thing in things(t, run, op["what"])
        if t.card(thing).zone == "play"
    ]


def _gain_control(t: T, run: Run, op: Data) -> list[Part]:
    """EP-15.4."""
    kinds = source_kinds(t, run)
    return [
        {"p": "mod", "on": thing, "mod": {"ctrl": seat, "until": op["duration"]}, "kinds": kinds}
        for seat in players(t, run, op["who"])
        for thing in things(t, run, op["what"])
    ]


def _look(t: T, run: Run, op: Data) -> list[Part]:
    cards = things(t, run, op["what"])
    return [{"p": "look", "cards": cards, "seat": seat} for seat in players(t, run, op["who"]) if cards]


def _unveil(t: T, run: Run, op: Data) -> list[Part]:
    kinds = source_kinds(t, run)
    return [
        {"p": "unveil", "card": thing, "kinds": kinds} for thing in things(t, run, op["what"]) if t.card(thing).down
    ]


OPERATIONS: dict[str, Callable[[T, Run, Data], list[Part]]] = {
    "draw": _draw, "discard": _discard, "gain_mojo": _gain_mojo, "lose_mojo": _lose_mojo,
    "gain_action": _gain_action, "damage": _damage, "break": _break, "banish": _banish, "move": _move,
    "token": _token, "prepare": _posed(PREPARED), "expend": _posed(EXPENDED), "skip_prepare": _skip_prepare,
    "modify": _modify, "counters": _counters, "gain_control": _gain_control, "stop": _stop, "look": _look,
    "unveil": _unveil, "extra_turn": _extra_turn, "lose_game": _lose_game,
}  # fmt: skip
"""`select` and `may` are perform.py's, `redirect` is an as-trigger's (happen.py)."""
