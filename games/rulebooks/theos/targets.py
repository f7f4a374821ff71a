"""Which cards an ability means, how many, and what it cannot touch (TH-12.4 to 12.7, TH-13.4, section 5.2)."""

from __future__ import annotations

from msgspec import Struct

from games.kernel.table import Card, Table

from .board import (
    DESTROYED,
    active_player,
    has_status,
    holders,
    in_play,
    is_in_play,
    is_resolved,
    is_resolving,
    is_unresolved,
)
from .cards import ABILITIES, CARDS, Ability, Accept, Amount, Count, Effect, Filter, Immune

BY_NAME = ("self", "event_card", "last")
UNLIMITED = 1_000


class Use(Struct, frozen=True, omit_defaults=True, gc=False):
    """An ability in use: what the steps that perform it hand on (TH-12)."""

    ability: str
    card: str
    """The card using it (TH-12.9): the one it is printed on, or the one that copies it."""
    owner: int
    about: str = ""
    """The card a trigger happened to."""
    enemy: int = -1
    """The team whose turn it is in a Multi."""
    chain: tuple[str, ...] = ()
    """The cards copied from on the way here (TR-65)."""
    at: int = 0
    """Which of the ability's effects is being performed."""
    last: str = ""
    """The card most recently handled."""


def you(table: Table, use: Use) -> int:
    """TR-33: the Active Player, but the card's owner in Passive and Triggered abilities."""
    return use.owner if ABILITIES[use.ability].kind in ("triggered", "passive") else active_player(table)


def targets(table: Table, f: Filter, use: Use) -> list[Card]:
    """TH-12.5: the valid targets, in the order of TR-56. Valid is enough (TH-12.7)."""
    if f.who in BY_NAME:
        named = {"self": use.card, "event_card": use.about, "last": use.last}[f.who]
        card = table.cards.get(named)
        return [card] if card and is_in_play(card) else []
    player = you(table, use) if f.who == "yours" else -1
    team = table.seats[use.owner].team
    sideways, user, enemy = f.state == "destroyed", use.card, use.enemy
    return [
        card
        for card in in_play(table)
        if (card.pose == DESTROYED) == sideways  # looked at first: it rules out most
        and is_described(table, f, card, user, team, player, enemy)
        and is_in_state(table, f, card)
    ]


def fits(table: Table, f: Filter, card: Card, user: str, team: int, player: int = -1) -> bool:
    """TH-12.5, 12.6: each word narrows the choice. Sides are read from the user's team (TR-32)."""
    if (card.pose == DESTROYED) != (f.state == "destroyed"):
        return False
    return is_described(table, f, card, user, team, player) and is_in_state(table, f, card)


def is_in_state(table: Table, f: Filter, card: Card) -> bool:
    """Resolved or resolving unless the words say otherwise; `enemy` and `other` mean resolved cards only (TR-34)."""
    if f.state == "unresolved":
        return is_unresolved(table, card)
    if not is_resolved(card) and (f.who == "enemy" or f.other or not is_resolving(table, card)):
        return False
    return f.status is None or has_status(card, f.status)


def is_described(table: Table, f: Filter, card: Card, user: str, team: int, player: int = -1, enemy: int = -1) -> bool:
    """The words that ask who and what a card is, not how it lies (all a trigger looks at)."""
    who = f.who
    if who == "enemy":
        theirs = table.seats[card.owner].team
        if theirs == team or enemy not in (-1, theirs):
            return False
    elif who == "friendly":
        if table.seats[card.owner].team != team:
            return False
    elif who == "yours":
        if card.owner != player:
            return False
    elif who != "any" and card.id != user:
        return False
    if f.other and card.id == user:
        return False
    if f.god is None and f.type is None:
        return True
    printed = CARDS[card.key]
    return f.god in (None, printed.god) and f.type in (None, printed.type)


def limit(table: Table, amount: Amount, use: Use) -> int:
    """TH-13.2, 13.4: the number an amount states; "#" is what the table gives right now."""
    if amount.mode == "all":
        return UNLIMITED
    if isinstance(amount.value, Count):
        return len(targets(table, amount.value.count, use))
    return amount.value


def _passives(kind: type[Effect]) -> dict[str, tuple[tuple[Ability, Effect], ...]]:
    found = {
        key: tuple((a, e) for a in card.of_kind("passive") for e in a.effects if isinstance(e, kind))
        for key, card in CARDS.items()
    }
    return {key: passives for key, passives in found.items() if passives}


IMMUNE = _passives(Immune)
ACCEPT = _passives(Accept)


def is_immune(table: Table, card: Card, op: str, use: Use) -> bool:
    """TH-15.10, TR-39: this operation of that side does nothing to the card. Read afresh every time."""
    side = table.seats[use.owner].team
    for holder in holders(table, IMMUNE):
        for ability, effect in IMMUNE[holder.key]:
            assert isinstance(effect, Immune)
            team = table.seats[holder.owner].team
            if (
                op in effect.to
                and (effect.source == "any" or side != team)
                and is_in_force(table, ability, holder)
                and fits(table, effect.scope, card, holder.id, team, holder.owner)
            ):
                return True
    return False


def patron_of(table: Table, card: Card) -> Card | None:
    """TH-15.15: a card whose Passive ability in force makes the gods accept the resolving card."""
    for holder in holders(table, ACCEPT):
        for ability, effect in ACCEPT[holder.key]:
            assert isinstance(effect, Accept)
            team = table.seats[holder.owner].team
            if (
                holder.id != card.id
                and is_in_force(table, ability, holder)
                and fits(table, effect.scope, card, holder.id, team, holder.owner)
            ):
                return holder
    return None


def is_in_force(table: Table, ability: Ability, card: Card) -> bool:
    """TH-11.3, TR-35: while its card is raised, accepted, and any status prefix holds."""
    if card.pose == DESTROYED or (ability.status and not has_status(card, ability.status)):
        return False
    return not is_unresolved(table, card)
