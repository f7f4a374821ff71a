"""Followers added, removed, stolen, migrated (TH-13, TH-15.1 to 15.4)."""

from __future__ import annotations

from collections.abc import Sequence

from games.kernel.play import T
from games.kernel.questions import Ask, number, pick
from games.kernel.table import Card, Table

from .abilities import Registers, effect_of, in_use, registers, tell_did
from .board import FOLLOWERS, active_player, followers, room, supply
from .book import book
from .cards import Add, Migrate, Remove, Steal, Transfer
from .choosing import key, operation, record, tag
from .targets import BY_NAME, Use, is_immune, limit, targets
from .triggers import happen


@operation(Add)
def add(t: T, effect: Add, use: Use, chosen: list[Card]) -> None:
    """TH-15.1: from the Supply to a card."""
    transfer(t, effect, use, [(None, card) for card in chosen])


@operation(Remove)
def remove(t: T, effect: Remove, use: Use, chosen: list[Card]) -> None:
    """TH-15.2: from a card to the Supply."""
    transfer(t, effect, use, [(card, None) for card in chosen])


@operation(Steal)
def steal(t: T, effect: Steal, use: Use, chosen: list[Card]) -> None:
    """TH-15.3: from a card of another team; without a stated destination to the card using the ability."""
    thief = next(iter(targets(t.s, effect.to, use)), None)
    if thief is not None:
        team = t.s.seats[thief.owner].team
        transfer(t, effect, use, [(card, thief) for card in chosen if t.s.seats[card.owner].team != team])


def destinations(table: Table, effect: Migrate, use: Use, source: Card) -> list[Card]:
    """TR-44: any card the words allow but the source, of the same team."""
    own = table.seats[source.owner].team
    found = targets(table, effect.to, use)
    return [card for card in found if card.id != source.id and table.seats[card.owner].team == own]


def migrating(table: Table, effect: Migrate, use: Use) -> list[Card]:
    """A source without any legal destination is not offered (section 5.3)."""
    return [card for card in targets(table, effect.source, use) if destinations(table, effect, use, card)]


@operation(Migrate, migrating)
def migrate(t: T, effect: Migrate, use: Use, chosen: list[Card]) -> None:
    """TH-15.4: source, then destination, then amount."""
    (source,) = chosen
    if effect.to.who in BY_NAME:
        transfer(t, effect, use, [(source, card) for card in destinations(t.s, effect, use, source)])
    else:
        t.ask(choose_destination, registers(use), source.id)


@book.question
def choose_destination(t: T, use: Registers, source: str) -> Ask | None:
    """DP-14: where the Followers go."""
    using = in_use(use)
    effect, giver = effect_of(using), t.find(source)
    assert isinstance(effect, Migrate)
    found = destinations(t.s, effect, using, giver) if giver else []
    if not found:
        return None
    return Ask(active_player(t.s), pick([card.id for card in found]), about=using.ability, rule="TH-15.4")


@choose_destination.answered
def destination_chosen(t: T, use: Registers, source: str, answer: list[str]) -> None:
    using = in_use(use)
    effect = effect_of(using)
    assert isinstance(effect, Migrate)
    transfer(t, effect, using, [(t.card(source), t.card(answer[0]))])


def transfer(t: T, effect: Transfer, use: Use, routes: Sequence[tuple[Card | None, Card | None]]) -> None:
    """The amount is a choice only if it says "up to" (TH-13.3); None is the Supply."""
    if effect.amount.mode == "up_to" and len(routes) == 1:
        source, to = routes[0]
        t.ask(choose_amount, registers(use), source.id if source else "", to.id if to else "")
    else:
        most = limit(t.s, effect.amount, use)
        carry(t, effect, use, [(source, to, most) for source, to in routes])


@book.question
def choose_amount(t: T, use: Registers, source: str, to: str) -> Ask | None:
    """DP-16, TR-42: 0 to the number that can really move."""
    if any(end and t.find(end) is None for end in (source, to)):
        return None
    using = in_use(use)
    effect = effect_of(using)
    assert isinstance(effect, Transfer)
    most = movable(t.s, effect, using, t.find(source), t.find(to), limit(t.s, effect.amount, using), supply(t.s))
    return Ask(active_player(t.s), number(0, most), about=using.ability, rule="TH-13.3")


@choose_amount.answered
def amount_chosen(t: T, use: Registers, source: str, to: str, answer: int) -> None:
    using = in_use(use)
    effect = effect_of(using)
    assert isinstance(effect, Transfer)
    carry(t, effect, using, [(t.find(source), t.find(to), answer)])


def movable(
    table: Table,
    effect: Transfer,
    use: Use,
    source: Card | None,
    to: Card | None,
    most: int,
    left: int,
) -> int:
    """TH-13: as much as possible, cut by what is there, by Max and by the Supply, stopped by immunity."""
    n = min(most, left if source is None else followers(source))
    if to is not None:
        n = min(n, room(to))
    if n and source is not None and not isinstance(effect, Migrate) and is_immune(table, source, tag(effect), use):
        return 0
    return n


def carry(t: T, effect: Transfer, use: Use, routes: Sequence[tuple[Card | None, Card | None, int]]) -> None:
    """Move Followers along all routes at the same instant (TR-54), then look what that triggers."""
    op, left = tag(effect), supply(t.s)
    stock = left
    moved: list[tuple[Card | None, Card | None, int]] = []
    for source, to, most in routes:
        n = movable(t.s, effect, use, source, to, most, left)
        if n:
            moved.append((source, to, n))
            left += (n if to is None else 0) - (n if source is None else 0)
    record(t, op, use, moved=[{"from": key(source), "to": key(to), "n": n} for source, to, n in moved])
    if not moved:
        return
    for source, to, n in moved:
        if source is not None:
            t.count(source.id, FOLLOWERS, -n)
        if to is not None:
            t.count(to.id, FOLLOWERS, n)
    if left != stock:
        t.set("supply", left)
    source, to, _ = moved[-1]
    tell_did(t, use, last=either(to, source).id)
    if op != "migrate":  # TR-40: a migration neither adds nor removes
        happen(t, [(op, either(source, to).id) for source, to, _ in moved], use)


def either(first: Card | None, second: Card | None) -> Card:
    """One end of a route: the card there, or at the other end if this one is the Supply."""
    card = first or second
    assert card is not None, "Followers do not go from the Supply to the Supply"
    return card


def strip(t: T, cards: Sequence[Card]) -> None:
    """All Followers of these cards go back to the Supply."""
    given_up = 0
    for card in cards:
        if n := followers(card):
            t.count(card.id, FOLLOWERS, -n)
            given_up += n
    if given_up:
        t.set("supply", supply(t.s) + given_up)
