"""When-triggers: what meets them, and the queue in which they wait (EP-0.5, EP-10.3 to 10.8)."""

from __future__ import annotations

from typing import Any

from games.kernel.play import T
from games.kernel.table import Card

from .board import DISCARD, Run, in_play
from .cards import CARDS, WHEN, Data
from .values import Value, board, fits

QUEUE = "_queue"
"""Met and waiting: one list for each happening that met some (EP-0.5)."""
LOOKS_BACK = {"broken", "goes_to_discard"}
"""EP-10.8: about leaving play; seen by whatever was in play before."""

Fact = dict[str, Any]
"""Something that happened: {on, card?, value?, seat?, n?, …}."""


def met(t: T, facts: list[Fact], before: list[tuple[Card, Value]]) -> list[Run]:
    """The when-triggers whose conditions these facts meet, once per occurrence (EP-10.6)."""
    found: list[Run] = []
    for fact in facts:
        waiting = WHEN.get(fact["on"])
        if waiting is None:
            continue
        back = fact["on"] in LOOKS_BACK
        sources = [card for card, _ in before] if back else in_play(t)
        for source in sources:
            if source.key in waiting and not source.down:
                found += [
                    triggered(t, source, source.ctrl, index, fact)
                    for index in waiting[source.key]
                    if _meets(CARDS[source.key].abilities[index], source, source.ctrl, fact)
                ]
        if fact["on"] == "plays":
            found += _from_discard(t, fact, waiting)
    return found


def _from_discard(t: T, fact: Fact, waiting: dict[str, list[int]]) -> list[Run]:
    """EP-10.7, 15.8: abilities that say they work from the discard pile belong to the player whose pile it is."""
    seat = fact["seat"]
    return [
        triggered(t, source, seat, index, fact)
        for source in t.cards(DISCARD[seat])
        if source.key in waiting
        for index in waiting[source.key]
        if CARDS[source.key].abilities[index]["zone"] == "discard"
        and _meets(CARDS[source.key].abilities[index], source, seat, fact, "discard")
    ]


def _meets(ability: Data, source: Card, ctrl: int, fact: Fact, zone: str = "play") -> bool:
    event = ability["event"]
    if ability["zone"] != zone:
        return False
    who = event.get("who") or event.get("whose")
    if who is not None and (fact["seat"] == ctrl) is not (who == "you"):
        return False
    what = event.get("what")
    if what == "self":
        if fact["card"] != source.id:
            return False
    elif what is not None and not fits(what, fact["value"], you=ctrl, other=fact["card"] != source.id):
        return False
    if event.get("from", "any") == "play" and not fact["from_play"]:
        return False
    if event.get("to") == "player" and not fact["to_player"]:
        return False
    return "step" not in event or event["step"] == fact["step"]


def triggered(t: T, source: Card, ctrl: int, index: int, fact: Fact) -> Run:
    """The trigger as it waits: its controller is the source's as it triggered (EP-6.4)."""
    that = {name: fact[name] for name in ("seat", "card", "n") if name in fact}
    values = board(t).values
    kinds = values[source.id].kinds if source.id in values else CARDS[source.key].kinds
    return {"by": ctrl, "src": source.id, "key": source.key, "ab": index, "that": that, "kinds": sorted(kinds)}


def queue(t: T, batch: list[Run]) -> None:
    """Triggers met by one happening wait together."""
    if batch:
        t.set(QUEUE, [*t.var(QUEUE, []), batch])
