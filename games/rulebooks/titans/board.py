"""Reading the table: sides and arenas, who plays where, which abilities work, who is served (TI-0, 2, 4, 12, 15).

Side 2a and side 2a+1 face each other in arena a. Cards in play lie in the arena's zone and their controller says on
which side: a stolen card changes hands, not places. A subversion is a mark on the card: its name, and who placed it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from games.kernel import Card, T, mask

from .cards import (
    ABILITY,
    BEARERS,
    CARDS,
    EXHAUSTED,
    FERAL,
    MINDLESS,
    PRINTED,
    SUBVERSIONS,
    TRAITOROUS,
    Ability,
)

ARENA = ("arena:0", "arena:1", "arena:2")
SLOT = tuple(f"slot:{side}" for side in range(6))
SPELLBOOK = tuple(f"spellbook:{side}" for side in range(6))
HAND = tuple(f"hand:{seat}" for seat in range(6))
DECK = tuple(f"deck:{seat}" for seat in range(6))
DISCARD = tuple(f"discard:{seat}" for seat in range(6))
PILE = tuple({key: f"pile:{arena}:{key}" for key in CARDS} for arena in range(3))
"""The pile of a card name in an arena: PILE[arena][key]."""
REMOVED = "removed"
LAST_AGE = 3


# -- seats, sides, teams --------------------------------------------------------------------------------------------


def sides(t: T) -> list[int]:
    """The player of each side."""
    found: list[int] = t.s.vars["sides"]
    return found


def arenas(t: T) -> range:
    return range(len(t.s.vars["sides"]) // 2)


def sides_of(t: T, seat: int) -> list[int]:
    """TI-0.3: a solo player runs two sides."""
    return [side for side, player in enumerate(sides(t)) if player == seat]


def side_in(t: T, arena: int, seat: int) -> int:
    """The side of this player in this arena."""
    return 2 * arena + int(t.s.vars["sides"][2 * arena] != seat)


def opponent(t: T, arena: int, seat: int) -> int:
    """TI-0.2: the player on the other side of the same arena."""
    a, b = t.s.vars["sides"][2 * arena : 2 * arena + 2]
    return int(b if seat == a else a)


def is_solo(t: T, seat: int) -> bool:
    return len(sides_of(t, seat)) == 2


def mates(t: T, seat: int) -> list[int]:
    """The teammates of a seat."""
    team = t.s.seats[seat].team
    return [other for other, state in enumerate(t.s.seats) if state.team == team and other != seat]


def team_count(t: T) -> int:
    return 2 if len(t.s.vars["sides"]) < 6 else 3


def place(t: T, seat: int) -> int:
    """TI-4.1, 4.2: the Avatar holder's team first, then clockwise; teammates at the same place."""
    table = t.s
    known = table.vars
    avatar: int = known["avatar"]
    return (table.seats[seat].team - avatar) % (3 if len(known["sides"]) == 6 else 2)


def by_priority(t: T, seats: Iterable[int]) -> list[int]:
    avatar, teams, seat_of = t.s.vars["avatar"], team_count(t), t.s.seats
    return sorted(seats, key=lambda seat: (seat_of[seat].team - avatar) % teams)


# -- cards in play --------------------------------------------------------------------------------------------------


def arena_of(card: Card) -> int:
    return int(card.zone[6:])


def in_play(t: T, arena: int, seat: int) -> list[Card]:
    """The cards this player controls in this arena."""
    cards = t.s.cards
    return [card for name in t.s.zones[ARENA[arena]].cards if (card := cards[name]).ctrl == seat]


def everything_in_play(t: T) -> list[Card]:
    return [card for arena in arenas(t) for card in t.cards(ARENA[arena])]


def is_in_play(t: T, card: str) -> bool:
    found = t.s.cards.get(card)
    return found is not None and found.zone[:6] == "arena:"


def was_played_this_age(t: T, card: Card) -> bool:
    return card.id in t.s.vars["played"]


def is_stolen(card: Card) -> bool:
    return card.ctrl != card.owner


# -- abilities ------------------------------------------------------------------------------------------------------


def held(card: Card) -> tuple[Ability, ...]:
    """All abilities on a card, whether they work or not: printed ones, then those gained by Mimic."""
    printed = PRINTED[card.key]
    gained = card.marks.get("gained")
    return printed + tuple(ABILITY[text] for text in gained) if gained else printed


def abilities(card: Card) -> tuple[Ability, ...]:
    """The abilities that work: none under Mindless (TI-14.25), only Now abilities under Exhausted (TI-14.21)."""
    marks = card.marks
    if not marks:
        return PRINTED[card.key]
    if MINDLESS in marks:
        return ()
    if EXHAUSTED in marks:
        return tuple(ability for ability in held(card) if ability.now)
    return held(card)


def has(card: Card, family: str) -> bool:
    """Does an ability of this family work on this card?"""
    return card.key in BEARERS[family] and any(ability.family == family for ability in abilities(card))


class Use(Struct, frozen=True, gc=False):
    """An ability at work for one player. Floating: the other player's share of a Feral card (TI-15.1)."""

    user: int
    arena: int
    card: Card
    ability: Ability
    at: int
    floating: bool = False


def shared(t: T, arena: int, card: Card, ability: Ability, index: int) -> list[Use]:
    """TI-15.1: the controller's use, and on a Feral card the other player's floating one."""
    own = Use(card.ctrl, arena, card, ability, index)
    if FERAL in card.marks:
        return [own, Use(opponent(t, arena, card.ctrl), arena, card, ability, index, True)]
    return [own]


def uses(t: T, family: str, only: int | None = None) -> list[Use]:
    """Every use of a family that works now (in one arena), in priority order."""
    bearers = BEARERS[family]
    cards, zones = t.s.cards, t.s.zones
    found: list[Use] = []
    for arena in arenas(t) if only is None else (only,):
        for name in zones[ARENA[arena]].cards:
            card = cards[name]
            if card.key in bearers:
                for index, ability in enumerate(abilities(card)):
                    if ability.family == family:
                        found += shared(t, arena, card, ability, index)
    return in_order(t, found) if len(found) > 1 else found


def in_order(t: T, found: list[Use]) -> list[Use]:
    """TI-4.3: in priority order of those who use them."""
    return sorted(found, key=lambda use: place(t, use.user))


def uses_for(t: T, family: str, side: int) -> list[Use]:
    """The uses of a family that work now for the player of this side: of its own cards, and floating ones."""
    bearers = BEARERS[family]
    cards, arena, player = t.s.cards, side >> 1, t.s.vars["sides"][side]
    found: list[Use] = []
    for name in t.s.zones[ARENA[arena]].cards:
        card = cards[name]
        if card.key in bearers and (card.ctrl == player or FERAL in card.marks):
            for index, ability in enumerate(abilities(card)):
                if ability.family == family:
                    found.append(Use(player, arena, card, ability, index, card.ctrl != player))
    return found


def copies(t: T, family: str, side: int) -> int:
    """How many copies of a family this side's player has in this arena, floating ones included."""
    return sum(use.ability.copies for use in uses_for(t, family, side))


def subversions(card: Card) -> dict[str, int]:
    """Subversion → who placed it."""
    return {name: card.marks[name] for name in SUBVERSIONS if name in card.marks} if card.marks else {}


# -- protection, Control --------------------------------------------------------------------------------------------


def is_protected(t: T, side: int) -> bool:
    """TI-12.30, 12.34: a state of the side."""
    return str(side) in t.s.vars["protected"]


def protect(t: T, card: Card) -> None:
    """TI-12.30, 12.31, 12.35: from now to the end of the age or, Eternal, of the turn; on a Feral card both sides."""
    for index, ability in enumerate(abilities(card)):
        if ability.family == "protect":
            until = "turn" if ability.label == "Protect: Eternal" else "age"
            for use in shared(t, arena_of(card), card, ability, index):
                side = str(side_in(t, use.arena, use.user))
                protected: dict[str, Any] = t.s.vars["protected"]
                if protected.get(side) != "turn":
                    t.set("protected", {**protected, side: until})


def controlled(t: T) -> dict[int, int]:
    """TI-12.10, 12.14: in the third age, side → the opponent whose Control works there now."""
    if t.s.vars["age"] != LAST_AGE:
        return {}
    return {side_in(t, use.arena, use.user) ^ 1: use.user for use in uses(t, "control")}


def controller(t: T, side: int) -> int:
    """TI-12.10: who chooses what is played on this side: its player, unless the opponent has Control now."""
    return controlled(t).get(side, sides(t)[side])


def shares(t: T, seat: int) -> list[int]:
    """TI-6.6, TH-2: the teammates who see this player's hand; on by default (TR-51)."""
    return [] if "hides_hand" in t.s.seats[seat].marks else mates(t, seat)


def watch_hands(t: T) -> None:
    """TH-2, TH-10: a hand is seen by its player, by teammates while it is shared, by who controls the player now."""
    ruled = [(sides(t)[side], who) for side, who in controlled(t).items()]
    if not ruled and "watched" not in t.s.vars:
        return
    for seat in range(len(t.s.seats)):
        seen = mask([seat, *shares(t, seat), *(who for ruled_seat, who in ruled if ruled_seat == seat)])
        if t.s.zones[HAND[seat]].faces != seen:
            t.sight(HAND[seat], seen, seen)
    if bool(ruled) != ("watched" in t.s.vars):
        t.set("watched", True if ruled else None)


# -- leaving play ---------------------------------------------------------------------------------------------------


def leave(t: T, card: str, to: str = "discard") -> None:
    """TI-19.1, 19.2: to its owner's zone, without anything on it; a stolen card always to its owner's discard pile."""
    found = t.s.cards.get(card)
    if found is None:
        return
    if is_stolen(found) or to == "discard":
        t.move(card, DISCARD[found.owner])
    else:
        t.move(card, HAND[found.owner] if to == "hand" else REMOVED)


def attach(t: T, card: str, subversion: str, placer: int, source: str = "") -> None:
    """TI-14.2, 14.3, 14.8, 14.10: one of each type, the first placer counts, nothing on a card that has left."""
    found = t.s.cards.get(card)
    if found is None or subversion in found.marks:
        return
    t.mark(card, subversion, placer)
    if subversion == FERAL and source:
        t.mark(card, "feral_by", source)
    if subversion == TRAITOROUS:
        t.give(card, placer)


def lift(t: T, card: str, subversion: str) -> None:
    """A subversion goes back to the supply; without Traitorous the card goes back to its owner's side (TI-14.44)."""
    found = t.s.cards.get(card)
    if found is None or subversion not in found.marks:
        return
    t.mark(card, subversion, None)
    if subversion == FERAL and "feral_by" in found.marks:
        t.mark(card, "feral_by", None)
    if subversion == TRAITOROUS:
        t.give(card, found.owner)


def draw(t: T, seat: int, count: int) -> None:
    """TI-3.7, 11.2: what the deck has; there is no reshuffle during a turn."""
    if drawn := t.s.zones[DECK[seat]].cards[: max(0, count)]:
        t.move_all(drawn, HAND[seat])


def take(t: T, card: str, seat: int, to: str) -> str:
    """TI-0.7: a card of a pile or spellbook becomes this player's."""
    return t.move(card, to, owner=seat)


def delayer(t: T, side: int) -> int:
    """TI-12.20, 12.21: the opponent who has more Delay than this side, or -1. Equal counts cancel."""
    if not (found := uses(t, "delay", side >> 1)):
        return -1
    rival: int = t.s.vars["sides"][side ^ 1]
    lead = sum(use.ability.copies if use.user == rival else -use.ability.copies for use in found)
    return rival if lead > 0 else -1
