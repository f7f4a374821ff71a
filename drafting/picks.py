"""Picking and building: what a person says by card id, key or name, as the answer the rules take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from accounts.models import User
from drafting import shown
from drafting.services import state
from events import heads, store
from events.decider import Record
from events.errors import Rejected
from games import services as games
from games.access import actor_of
from games.kernel import rulebook


def pick(
    draft: str, person: User, decision: str, take: list[str], burn: list[str], command_id: str, expected: int | None
) -> store.Stored:
    """Take these, burn those: by card id, key or name."""
    asked = asked_of(draft, person, decision, command_id)
    if asked and (wrong := [*miscounted("take", len(take), asked.least, asked.most),
                            *miscounted("burn", len(burn), asked.burn, asked.burn)]):  # fmt: skip
        raise Rejected("illegal", " ".join(f"{one['detail']}." for one in wrong), wrong)
    named = [*resolved(asked.options if asked else {}, [*take, *burn])]
    try:
        return games.answer(draft, person, decision, [named], command_id, expected)
    except Rejected as refusal:
        for error in refusal.errors:
            error["pointer"] = in_pick(error["pointer"], len(take))
        raise


def miscounted(field: str, given: int, least: int, most: int) -> list[Record]:
    if least <= given <= most:
        return []
    wanted = f"{least} to {most}" if least != most else str(least)
    code = "too_few" if given < least else "too_many"
    return [{"pointer": f"/{field}", "code": code, "detail": f"{field} {wanted}, {given} given"}]


def in_pick(pointer: str, taken: int) -> str:
    """The rules see one list, those taken first; the caller sent two."""
    place = pointer.removeprefix("/path/0").removeprefix("/")
    if not place.isdecimal():
        return "/take" if pointer.startswith("/path") else pointer
    return f"/take/{place}" if int(place) < taken else f"/burn/{int(place) - taken}"


def build(
    draft: str, person: User, decision: str, cards: dict[str, int], command_id: str, expected: int | None
) -> store.Stored:
    """A deck (or the sideboard) out of the own pool, as {card: copies}."""
    asked = asked_of(draft, person, decision, command_id)
    options = asked.options if asked else {}
    wanted = [name for name, n in cards.items() for _ in range(n)]
    named = list(resolved(options, wanted))
    strange = [(name, chosen) for name, chosen in zip(wanted, named, strict=True) if options and chosen not in options]
    if strange:
        held = Counter(name for called in options.values() for name in called)
        errors = [
            {"pointer": f"/cards/{name}", "code": "not_in_pool", "rule": "EP-17.2",
             "detail": f"{name} is in your pool {held.get(name, 0)} times, {cards[name]} wanted"}
            for name in dict.fromkeys(name for name, _ in strange)
        ]  # fmt: skip
        raise Rejected("illegal", " ".join(error["detail"] + "." for error in errors), errors)
    try:
        return games.answer(draft, person, decision, [named], command_id, expected)
    except Rejected as refusal:
        for error in refusal.errors:
            error["pointer"] = "/cards" if error["pointer"].startswith("/path") else error["pointer"]
        raise


class Asked(Struct, frozen=True):
    """What somebody is asked: how many to take and to burn, and the options with what else they may be called."""

    least: int
    most: int
    burn: int
    options: dict[str, tuple[str, ...]]


def asked_of(draft: str, person: User, decision: str, command_id: str) -> Asked | None:
    """The open decision; None, if it is somebody else's: what this person cannot see must not show in a refusal. To
    whoever repeats a command the words mean what they meant the first time."""
    game, actor = state(draft), actor_of(draft, person)
    if actor and decision not in game.table.open and (earlier := store.find(draft, actor, command_id)):
        game = heads.at(draft, earlier.seq - 1).state
    ask = game.table.open.get(decision)
    if ask is None or actor is None or not game.may_play(ask.chooser, actor):
        return None
    found: dict[str, tuple[str, ...]] = {}
    for option in getattr(ask.shape, "options", []):
        card = game.table.cards.get(option)
        found[option] = (card.key, rulebook(game.table.rulebook).name_of(card.key)) if card else ()
    return Asked(*shown.how_many(game.table, ask), found)


def resolved(options: dict[str, tuple[str, ...]], names: list[str]) -> Iterator[str]:
    """Option ids for ids, keys or names; several of a name take one card each; strangers stay what they are."""
    taken: set[str] = set()
    for name in names:
        free = (one for one, called in options.items() if one not in taken and (name == one or name in called))
        chosen = name if name in options and name not in taken else next(free, name)
        taken.add(chosen)
        yield chosen
