"""The parts of a happening and how each is carried out (EP-0.3). A part is data: {"p": kind, …}.

    move      card, to (discard, deck, hand, play, under, removed), seat, why      EP-3.8, 13.7, 14.2, 15.3
    damage    src, kinds, to, n, deadly                                            EP-13.2, 13.3
    draw      seat, n          mojo      seat, n          action    seat, n, only?
    token     name, n, seat    counters  card, kind, n    mod       on, mod
    pose      card, pose       skip      card             unveil    card
    reveal    cards            look      cards, seat      spend     seat, n, kinds
    extra     seat, max        lose      seat             attacks   card

A part with `kinds` comes from a source of these kinds: a warded thing in play is not affected by it (EP-16.14).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.kernel.play import T
from games.kernel.table import PUBLIC, Card

from .board import (
    DECK,
    DISCARD,
    EXPENDED,
    HAND,
    LINE,
    PLAY,
    REMOVED,
    UNDER,
    opponents,
    seat_of,
    turn_of,
)
from .cards import CARDS, COUNTERS, is_ability
from .values import Value, board, plain

Part = dict[str, Any]
Fact = dict[str, Any]


def break_(card: Card, **more: Any) -> Part:
    """EP-13.7: into the controller's discard pile."""
    return {"p": "move", "card": card.id, "to": "discard", "seat": card.ctrl, "why": "break", **more}


def banish(card: Card, **more: Any) -> Part:
    """EP-13.7: to the bottom of the owner's deck."""
    return {"p": "move", "card": card.id, "to": "deck", "seat": card.owner, "why": "banish", **more}


def to_discard(card: Card, seat: int, why: str) -> Part:
    return {"p": "move", "card": card.id, "to": "discard", "seat": seat, "why": why}


def pose(card: str, pose: str, **more: Any) -> Part:
    return {"p": "pose", "card": card, "pose": pose, **more}


def stamp(t: T) -> int:
    """The age of an effect, between the cards already there and those to come (values.py)."""
    return 2 * t.s.ids - 1


# -- carrying out ------------------------------------------------------------------------------------------------------


def carry(t: T, parts: list[Part]) -> list[Fact]:
    """All parts at once; returns what happened."""
    facts: list[Fact] = []
    values = board(t).values
    banished: dict[int, int] = {}
    for part in parts:
        if part["p"] == "move" and part["to"] == "deck":
            banished[part["seat"]] = banished.get(part["seat"], 0) + _move(t, part, facts, values)
        else:
            CARRY[part["p"]](t, part, facts, values)
    for seat, count in banished.items():
        if count > 1:
            t.shuffle(DECK[seat], f"bottom of {DECK[seat]}", last=count)
    return facts


def _move(t: T, part: Part, facts: list[Fact], values: dict[str, Value]) -> bool:
    card = t.find(part["card"])
    if card is None:
        return False
    from_play = card.zone == PLAY
    to, seat = part["to"], part["seat"]
    value = values.get(card.id) or plain(card.key, card.ctrl, card.down)
    if from_play:
        _remember_source(t, card, value)
        if part["why"] == "break":
            facts.append({"on": "broken", "card": card.id, "value": value, "seat": card.ctrl})
    if value.token or is_ability(card.key):
        t.remove(card.id)
        return False
    if to == "discard":
        facts.append({"on": "goes_to_discard", "card": card.id, "value": value, "from_play": from_play})
        t.move(card.id, DISCARD[seat])
    elif to == "deck":
        t.move(card.id, DECK[seat])
    elif to == "hand":
        t.move(card.id, HAND[seat], ctrl=seat, known=0 if card.owner == seat else PUBLIC)
    elif to == "removed":
        t.move(card.id, REMOVED)
    elif to == "under":
        t.attach(t.move(card.id, UNDER), part["under"])
    else:
        _arrive(t, card, seat, facts)
    return True


def _arrive(t: T, card: Card, seat: int, facts: list[Fact]) -> None:
    """EP-3.7, 6.5: into play, prepared and face up unless something says otherwise."""
    down = card.zone == LINE and card.down
    new = t.move(card.id, PLAY, ctrl=seat, down=down, known=[seat] if down else 0)
    if not down:
        if "enters_expended" in CARDS[card.key].rules:
            t.turn(new, EXPENDED)
        facts.append({"on": "comes_into_play", "card": new, "value": plain(card.key, seat), "seat": seat})


def _remember_source(t: T, card: Card, value: Value) -> None:
    """EP-10.2: facts about a departed source are its last ones in play."""
    for item in t.cards(LINE):
        run = item.marks.get("play")
        if run and run["src"] == card.id:
            t.mark(item.id, "last", sorted(value.kinds))


def _damage(t: T, part: Part, facts: list[Fact], values: dict[str, Value]) -> None:
    """EP-13.2, 13.3, 16.4."""
    seat = seat_of(part["to"])
    if seat is not None:
        t.count(seat, "mojo", -part["n"])
    else:
        if part["to"] not in t.s.cards:
            return
        t.count(part["to"], "damage", part["n"])
        if part.get("deadly"):
            t.mark(part["to"], "deadly")
    for fact in facts:
        if fact["on"] == "deals_damage" and (fact["card"], fact["to"]) == (part["src"], part["to"]):
            fact["n"] += part["n"]
            fact["twin"]["n"] += part["n"]
            return
    hurt = {"on": "is_damaged", "card": part["to"], "n": part["n"]}
    deal = {"on": "deals_damage", "card": part["src"], "to": part["to"], "n": part["n"], "to_player": seat is not None}
    facts += [{**deal, "twin": hurt} | ({} if seat is None else {"seat": seat}), hurt]


def _draw(t: T, part: Part, facts: list[Fact], values: dict[str, Value]) -> None:
    """EP-2.8, 17.4."""
    seat, n = part["seat"], part["n"]
    top = t.ids(DECK[seat])[:n]
    t.move_all(top, HAND[seat])
    facts += [{"on": "draws", "seat": seat}] * len(top)
    if len(top) < n and t.var("pack_war"):
        for other in opponents(t, seat):
            t.count(other, "mojo", -5 * (n - len(top)))
        t.say("nothing_to_draw", seat=seat, n=n - len(top))


def _mojo(t: T, part: Part, facts: list[Fact], values: dict[str, Value]) -> None:
    """EP-13.2, 13.8: losing and paying Mojo is no damage."""
    if part["n"] < 0 or "may_not_gain_mojo" not in board(t).rules[part["seat"]]:
        t.count(part["seat"], "mojo", part["n"])


def _action(t: T, part: Part, facts: list[Fact], values: dict[str, Value]) -> None:
    """EP-4.3: an action for this turn, or one for certain cards and abilities only."""
    if "only" in part:
        limited = t.seat(part["seat"]).marks.get("limited", [])
        t.mark(part["seat"], "limited", [*limited, *[part["only"]] * part["n"]])
    else:
        t.count(part["seat"], "actions", part["n"])


def _spend(t: T, part: Part, facts: list[Fact], values: dict[str, Value]) -> None:
    """EP-4.3: the limited action is used first."""
    for _ in range(part["n"]):
        limited = t.seat(part["seat"]).marks.get("limited", [])
        fitting = next((only for only in limited if set(only["alignment"]) & set(part["kinds"])), None)
        if fitting is None:
            t.count(part["seat"], "actions", -1)
        else:
            left = list(limited)
            left.remove(fitting)
            t.mark(part["seat"], "limited", left or None)


def _token(t: T, part: Part, facts: list[Fact], values: dict[str, Value]) -> None:
    """EP-14.1, 14.4."""
    seat = part["seat"]
    for new in t.make([part["name"]] * part["n"], seat, PLAY):
        facts.append({"on": "comes_into_play", "card": new, "value": plain(part["name"], seat), "seat": seat})


def _counters(t: T, part: Part, facts: list[Fact], values: dict[str, Value]) -> None:
    t.count(part["card"], part["kind"], part["n"])
    if COUNTERS.get(part["kind"], {}).get("class") == "are":
        t.mark(part["card"], f"{part['kind']} since", stamp(t))


def _mod(t: T, part: Part, facts: list[Fact], values: dict[str, Value]) -> None:
    """EP-11.4: an effect with a duration, on a thing or a player."""
    seat = seat_of(part["on"])
    on: int | str = part["on"] if seat is None else seat
    old = (t.seat(seat) if seat is not None else t.card(part["on"])).marks.get("mods", [])
    t.mark(on, "mods", [*old, {**part["mod"], "at": stamp(t)}])


def _pose(t: T, part: Part, facts: list[Fact], values: dict[str, Value]) -> None:
    t.turn(part["card"], part["pose"])


def _skip(t: T, part: Part, facts: list[Fact], values: dict[str, Value]) -> None:
    t.mark(part["card"], "skip_prepare")


def _unveil(t: T, part: Part, facts: list[Fact], values: dict[str, Value]) -> None:
    """EP-16.13c, e: turned face up, for everybody and for good."""
    t.know(part["card"], PUBLIC)
    card = t.card(part["card"])
    facts.append({"on": "unveiled", "card": card.id, "value": plain(card.key, card.ctrl), "seat": card.ctrl})


def _reveal(t: T, part: Part, facts: list[Fact], values: dict[str, Value]) -> None:
    """EP-3.10: shown to everybody once; the record stays."""
    t.look(part["cards"], PUBLIC)


def _look(t: T, part: Part, facts: list[Fact], values: dict[str, Value]) -> None:
    t.look(part["cards"], [part["seat"]])


def _extra(t: T, part: Part, facts: list[Fact], values: dict[str, Value]) -> None:
    """EP-8.11: directly after this turn, unless that makes too many in a row, turns already scheduled included."""
    seat, scheduled = part["seat"], [part["seat"], *t.var("extra", [])]
    normal = t.seats_from(t.var("normal") + 1)
    past = [turn_of(t)] * t.var("in_a_row")
    run = longest = 0
    for whose in [*past, *scheduled, *normal]:
        run = run + 1 if whose == seat else 0
        longest = max(longest, run)
    if longest > part["max"]:
        t.say("no_extra_turn", seat=seat)
    else:
        t.set("extra", scheduled)


def _lose(t: T, part: Part, facts: list[Fact], values: dict[str, Value]) -> None:
    t.mark(part["seat"], "lost", "effect")


def _attacks(t: T, part: Part, facts: list[Fact], values: dict[str, Value]) -> None:
    facts.append({"on": "attacks", "card": part["card"]})


CARRY: dict[str, Callable[[T, Part, list[Fact], dict[str, Value]], Any]] = {
    "move": _move, "damage": _damage, "draw": _draw, "mojo": _mojo, "action": _action, "spend": _spend,
    "token": _token, "counters": _counters, "mod": _mod, "pose": _pose, "skip": _skip, "unveil": _unveil,
    "reveal": _reveal, "look": _look, "extra": _extra, "lose": _lose, "attacks": _attacks,
}  # fmt: skip
