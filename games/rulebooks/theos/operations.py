"""What the other words of a card do (TH-15.5 to 15.9, TH-15.14): destroy, raise, copy, empower, swap, set active."""

from __future__ import annotations

from functools import cache

from games.kernel.play import T
from games.kernel.questions import Ask, pick
from games.kernel.table import Card, Table

from .abilities import OPERATIONS, Operation, Registers, effect_of, in_use, registers, tell_did, use_ability
from .board import (
    BLANKS,
    DECK,
    DESTROYED,
    HAND,
    RESOLVED,
    ROW,
    active_player,
    followers,
    is_in_play,
    is_resolved,
    is_resolving,
    passive_gods,
    realm,
    realms,
    symbols,
)
from .book import book
from .cards import BLANK, CARDS, Copy, Destroy, Empower, Raise, SetActive, Swap
from .choosing import operation, record
from .followers import strip
from .targets import Use, is_immune, targets, you
from .triggers import Change, happen


@operation(Destroy)
def destroy(t: T, effect: Destroy, use: Use, chosen: list[Card]) -> None:
    """TH-15.5, TR-47: first all Followers are removed, and that triggers; then the cards are turned."""
    struck = [card for card in chosen if not is_immune(t.s, card, "destroy", use)]
    if len(struck) < len(chosen):
        record(t, "immune", use, cards=[card.key for card in chosen if card not in struck])
    devoted = [card for card in struck if followers(card)]
    t.push(turn_down, registers(use), [card.id for card in struck])
    if devoted:
        record(t, "remove", use, moved=[{"from": card.key, "to": "", "n": followers(card)} for card in devoted])
        strip(t, devoted)
        happen(t, [("remove", card.id) for card in devoted], use)


@book.step
def turn_down(t: T, use: Registers, cards: list[str]) -> None:
    """The second half of TH-15.5. What has reached the card meanwhile goes to the Supply silently (TR-48)."""
    using = in_use(use)
    standing = [card for id in cards if (card := t.find(id)) and is_in_play(card) and card.pose != DESTROYED]
    if not standing:
        return
    strip(t, standing)
    record(t, "destroyed", using, cards=[card.key for card in standing])
    turned = [turn_sideways(t, card) for card in standing]
    tell_did(t, using, last=turned[-1])
    happen(t, [("destroy", card) for card in turned], using)


def turn_sideways(t: T, card: Card) -> str:
    """TH-10.3: a destroyed card is resolved at once; an unresolved one goes to its row. Returns its id."""
    resolving = is_resolving(t.s, card)
    t.turn(card.id, DESTROYED)
    if card.zone == ROW[card.owner] or resolving:
        return card.id
    return t.move(card.id, ROW[card.owner], keep=True)


@operation(Raise)
def raise_cards(t: T, effect: Raise, use: Use, chosen: list[Card]) -> None:
    """TH-15.6: upright again, without Followers; its abilities work, its Instants are not used."""
    risen = [card for card in chosen if card.pose == DESTROYED and not is_immune(t.s, card, "raise", use)]
    if len(risen) < len(chosen):
        record(t, "immune", use, cards=[card.key for card in chosen if card not in risen])
    if not risen:
        return
    record(t, "raised", use, cards=[card.key for card in risen])
    for card in risen:
        t.turn(card.id)
        if card.zone != ROW[card.owner]:
            t.mark(card.id, RESOLVED)
    tell_did(t, use, last=risen[-1].id)
    happen(t, [("raise", card.id) for card in risen], use)


def copyable(table: Table, effect: Copy, use: Use) -> list[Card]:
    """TR-64, TR-65: any card the words fit, also without such abilities, but none twice in one chain."""
    return [card for card in targets(table, effect.target, use) if card.id not in use.chain]


@operation(Copy, copyable)
def copy(t: T, effect: Copy, use: Use, chosen: list[Card]) -> None:
    """TH-15.7, TR-63: the named kind of abilities, top to bottom, as if printed on the copying card."""
    (model,) = chosen
    record(t, "copies", use, model=model.key, kind=effect.abilities)
    tell_did(t, use, last=model.id)
    chain = [*use.chain, model.id]
    t.seq(
        *(
            use_ability(ability.id, use.card, use.owner, "", chain)
            for ability in CARDS[model.key].of_kind(effect.abilities)
        )
    )


def empowerable(table: Table, effect: Empower, use: Use) -> list[Card]:
    return [card for card in targets(table, effect.target, use) if may_be_empowered(card)]


def may_be_empowered(card: Card) -> bool:
    """TH-7.5, TR-62: resolved, raised, with at least one Power ability."""
    return card.pose != DESTROYED and is_resolved(card) and has_power(card.key)


@cache
def has_power(key: str) -> bool:
    return bool(CARDS[key].of_kind("power"))


@operation(Empower, empowerable)
def empower_by_ability(t: T, effect: Empower, use: Use, chosen: list[Card]) -> None:
    """TH-15.9: empowering in addition to TH-7.4."""
    tell_did(t, use, last=chosen[0].id)
    empower(t, chosen[0], use)


def empower(t: T, card: Card, by: Use) -> None:
    """TH-7.5, TR-61: first whatever waits for it, then all its Power abilities, top to bottom, by the Active Player."""
    record(t, "empowered", by, card=card.key, seat=active_player(t.s))
    t.seq(*(use_ability(ability.id, card.id, card.owner) for ability in CARDS[card.key].of_kind("power")))
    changes: list[Change] = [("empower", card.id)]
    happen(t, changes, by)


def swappable(table: Table, effect: Swap, use: Use) -> list[Card]:
    """Section 5.3: needs at least one card in that zone."""
    return targets(table, effect.target, use) if table.zones[swap_zone(table, effect, use)].cards else []


def swap_zone(table: Table, effect: Swap, use: Use) -> str:
    """TR-69: always the own hand or deck."""
    return (HAND if effect.zone == "hand" else DECK)[you(table, use)]


@operation(Swap, swappable)
def swap(t: T, effect: Swap, use: Use, chosen: list[Card]) -> None:
    """TH-15.8: the row card first, then what it trades places with."""
    t.ask(choose_swap_card, registers(use), chosen[0].id)


@book.question
def choose_swap_card(t: T, use: Registers, leaving: str) -> Ask | None:
    """DP-20: only the Active Player sees the options; what is chosen becomes public."""
    using = in_use(use)
    effect = effect_of(using)
    assert isinstance(effect, Swap)
    options = t.ids(swap_zone(t.s, effect, using))
    if not options or t.find(leaving) is None:
        return None
    return Ask(active_player(t.s), pick(options), about=using.ability, public=False, rule="TH-15.8")


@choose_swap_card.answered
def swap_card_chosen(t: T, use: Registers, leaving: str, answer: list[str]) -> None:
    """TR-66 to TR-68: it takes the place in the row, raised and empty; a Blank returns to the supply instead."""
    using = in_use(use)
    effect = effect_of(using)
    assert isinstance(effect, Swap)
    old, new = t.card(leaving), t.card(answer[0])
    zone, row = swap_zone(t.s, effect, using), ROW[old.owner]
    record(t, "swap", using, seat=old.owner, leaves=old.key, n=followers(old), enters=new.key, zone=effect.zone)
    strip(t, [old])
    at = t.ids(row).index(leaving) if old.zone == row else None
    if new.key == BLANK:
        t.count(old.owner, BLANKS, -1)
        t.remove(new.id)
    t.move(leaving, zone)
    tell_did(t, using, last=t.move(new.id, row, at=at) if new.key != BLANK else "")


def settable(table: Table, effect: SetActive, use: Use) -> list[str]:
    """TR-43, TR-77: the passive gods of your Realm, or of any."""
    where = [realm(table, you(table, use))] if effect.realm == "own" else list(realms(table))
    return [f"{god} in Realm {number}" for number in where for god in passive_gods(table, number)]


def ask_for_a_god(t: T, effect: SetActive, use: Use) -> None:
    t.ask(choose_god, registers(use))


OPERATIONS[SetActive] = Operation(settable, ask_for_a_god)


@book.question
def choose_god(t: T, use: Registers) -> Ask:
    """DP-21, TH-15.14: which god, and where."""
    using = in_use(use)
    effect = effect_of(using)
    assert isinstance(effect, SetActive)
    return Ask(active_player(t.s), pick(settable(t.s, effect, using)), about=using.ability, rule="TH-15.14")


@choose_god.answered
def god_chosen(t: T, use: Registers, answer: list[str]) -> None:
    god, where = answer[0].split(" in Realm ")
    using = in_use(use)
    record(t, "active", using, god=god, realm=int(where))
    set_god_active(t, god, int(where))
    tell_did(t, using)


def set_god_active(t: T, god: str, where: int) -> None:
    """TH-2.5: its pair is flipped, so its opponent becomes passive. Immediate."""
    pair = next(pair for pair in t.var("pairs") if god in pair)
    t.set(f"symbols {where}", [god if shown in pair else shown for shown in symbols(t.s, where)])
