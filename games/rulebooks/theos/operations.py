"""What the words of a card do (TH-15): one small function for each operation of section 5.3."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from games.kernel.play import T
from games.kernel.questions import Ask, number, pick
from games.kernel.table import Card, Table

from .abilities import OPERATIONS, Operation, Registers, effect_of, in_use, registers, tell_did, use
from .board import (
    DECK,
    DESTROYED,
    FOLLOWERS,
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
    room,
    supply,
    symbols,
)
from .book import book
from .cards import (
    ABILITIES,
    BLANK,
    CARDS,
    Add,
    AnyEffect,
    Copy,
    Destroy,
    Effect,
    Empower,
    Migrate,
    Raise,
    Remove,
    SetActive,
    Steal,
    Swap,
)
from .targets import BY_NAME, Use, is_immune, limit, targets, you
from .triggers import Change, happen

Apply = Callable[[T, Any, Use, list[Card]], None]
APPLY: dict[type[Effect], Apply] = {}
"""What happens once the targets (or the source of a migration) are known."""


def words_of(effect: Any) -> Any:
    """The filter that the first choice is about."""
    return effect.source if isinstance(effect, Steal | Migrate) else effect.target


def any_target(table: Table, effect: AnyEffect, use: Use) -> list[Card]:
    return targets(table, words_of(effect), use)


def operation(
    kind: type[Effect], valid: Callable[[Table, Any, Use], Sequence[Any]] = any_target
) -> Callable[[Apply], Apply]:
    """Register how a word is carried out on the chosen cards; `valid` says which may be chosen."""

    def register(apply: Apply) -> Apply:
        OPERATIONS[kind] = Operation(valid, on_targets)
        APPLY[kind] = apply
        return apply

    return register


def on_targets(t: T, effect: Any, use: Use) -> None:
    """TH-12.4: no valid target, nothing happens; "each" and "this card" leave no choice; else one must be chosen."""
    found = OPERATIONS[type(effect)].valid(t.s, effect, use)
    words = words_of(effect)
    if not found:
        t.say("no target", ability=use.ability)
    elif words.pick == "each" or words.who in BY_NAME:
        APPLY[type(effect)](t, effect, use, list(found))
    elif words.pick == "up_to":
        t.ask(choose_targets_up_to, registers(use))
    else:
        t.ask(choose_target, registers(use))


@book.question
def choose_target(t: T, use: Registers) -> Ask:
    """DP-14, DP-19: the Active Player chooses, also for other players' cards (TH-12.1)."""
    using = in_use(use)
    effect = effect_of(using)
    found = OPERATIONS[type(effect)].valid(t.s, effect, using)
    return Ask(active_player(t.s), pick([card.id for card in found]), about=using.ability, rule="TH-12.4")


@choose_target.answered
def target_chosen(t: T, use: Registers, answer: list[str]) -> None:
    using = in_use(use)
    effect = effect_of(using)
    APPLY[type(effect)](t, effect, using, [t.card(answer[0])])


@book.question
def choose_targets_up_to(t: T, use: Registers) -> Ask:
    """DP-15, TH-13.3: any set of 0 to n valid cards."""
    using = in_use(use)
    effect = effect_of(using)
    found = OPERATIONS[type(effect)].valid(t.s, effect, using)
    options = [card.id for card in found]
    return Ask(active_player(t.s), pick(options, 0, words_of(effect).max_picks), about=using.ability, rule="TH-13.3")


@choose_targets_up_to.answered
def targets_chosen(t: T, use: Registers, answer: list[str]) -> None:
    using = in_use(use)
    effect = effect_of(using)
    APPLY[type(effect)](t, effect, using, [t.card(card) for card in answer])


# -- Followers ------------------------------------------------------------------------------------------------------


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
        transfer(t, effect, use, [(card, thief) for card in chosen])


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
def choose_destination(t: T, use: Registers, source: str) -> Ask:
    """DP-14: where the Followers go."""
    using = in_use(use)
    effect = effect_of(using)
    assert isinstance(effect, Migrate)
    found = destinations(t.s, effect, using, t.card(source))
    return Ask(active_player(t.s), pick([card.id for card in found]), about=using.ability, rule="TH-15.4")


@choose_destination.answered
def destination_chosen(t: T, use: Registers, source: str, answer: list[str]) -> None:
    using = in_use(use)
    effect = effect_of(using)
    assert isinstance(effect, Migrate)
    transfer(t, effect, using, [(t.card(source), t.card(answer[0]))])


def transfer(
    t: T, effect: Add | Remove | Steal | Migrate, use: Use, routes: Sequence[tuple[Card | None, Card | None]]
) -> None:
    """The amount is a choice only if it says "up to" (TH-13.3); None is the Supply."""
    if effect.amount.mode == "up_to" and len(routes) == 1:
        source, to = routes[0]
        t.ask(choose_amount, registers(use), source.id if source else "", to.id if to else "")
    else:
        most = limit(t.s, effect.amount, use)
        carry(t, effect, use, [(source, to, most) for source, to in routes])


@book.question
def choose_amount(t: T, use: Registers, source: str, to: str) -> Ask:
    """DP-16, TR-42: 0 to the number that can really move."""
    using = in_use(use)
    effect = effect_of(using)
    assert isinstance(effect, Add | Remove | Steal | Migrate)
    most = movable(t.s, effect, using, t.find(source), t.find(to), limit(t.s, effect.amount, using), supply(t.s))
    return Ask(active_player(t.s), number(0, most), about=using.ability, rule="TH-13.3")


@choose_amount.answered
def amount_chosen(t: T, use: Registers, source: str, to: str, answer: int) -> None:
    using = in_use(use)
    effect = effect_of(using)
    assert isinstance(effect, Add | Remove | Steal | Migrate)
    carry(t, effect, using, [(t.find(source), t.find(to), answer)])


def movable(
    table: Table, effect: AnyEffect, use: Use, source: Card | None, to: Card | None, most: int, left: int
) -> int:
    """TH-13: as much as possible, cut by what is there, by Max and by the Supply, stopped by immunity."""
    n = min(most, left if source is None else followers(source))
    if to is not None:
        n = min(n, room(to))
    if n and source is not None and is_immune(table, source, tag(effect), use):
        return 0
    return n


def carry(
    t: T, effect: Add | Remove | Steal | Migrate, use: Use, routes: Sequence[tuple[Card | None, Card | None, int]]
) -> None:
    """Move Followers along all routes at the same instant (TR-54), then look what that triggers."""
    op, left = tag(effect), supply(t.s)
    stock = left
    moved: list[tuple[Card | None, Card | None, int]] = []
    for source, to, most in routes:
        n = movable(t.s, effect, use, source, to, most, left)
        if n:
            moved.append((source, to, n))
            left += (n if to is None else 0) - (n if source is None else 0)
    record = [{"from": key(source), "to": key(to), "n": n} for source, to, n in moved]
    t.say(op, ability=use.ability, card=key(t.find(use.card)), moved=record)
    if not moved:
        return
    for source, to, n in moved:
        if source is not None:
            t.count(source.id, FOLLOWERS, -n)
        if to is not None:
            t.count(to.id, FOLLOWERS, n)
    if left != stock:
        t.set("supply", left)
    tell_did(t, use, last=(moved[-1][1] or moved[-1][0] or routes[0][1]).id)  # type: ignore[union-attr]
    if op != "migrate":  # TR-40: nothing waits for a migration
        happen(t, [(op, (to if op == "add" else source).id) for source, to, _ in moved], use)  # type: ignore[union-attr, misc]


def tag(effect: AnyEffect) -> str:
    return str(effect.__struct_config__.tag)


def key(card: Card | None) -> str:
    return card.key if card else ""


# -- destroying and raising -----------------------------------------------------------------------------------------


@operation(Destroy)
def destroy(t: T, effect: Destroy, use: Use, chosen: list[Card]) -> None:
    """TH-15.5, TR-47: first all Followers are removed, and that triggers; then the cards are turned."""
    struck = [card for card in chosen if not is_immune(t.s, card, "destroy", use)]
    if len(struck) < len(chosen):
        t.say("immune", ability=use.ability, cards=[card.key for card in chosen if card not in struck])
    devoted = [card for card in struck if followers(card)]
    t.push(turn_down, registers(use), [card.id for card in struck])
    if devoted:
        t.say("removed", cards=[{"card": card.key, "n": followers(card)} for card in devoted], ability=use.ability)
        strip(t, devoted)
        happen(t, [("remove", card.id) for card in devoted], use)


def strip(t: T, cards: Sequence[Card]) -> None:
    """All Followers of these cards go back to the Supply."""
    given_up = 0
    for card in cards:
        if n := followers(card):
            t.count(card.id, FOLLOWERS, -n)
            given_up += n
    if given_up:
        t.set("supply", supply(t.s) + given_up)


@book.step
def turn_down(t: T, use: Registers, cards: list[str]) -> None:
    """The second half of TH-15.5. What has reached the card meanwhile goes to the Supply silently (TR-48)."""
    using = in_use(use)
    standing = [card for id in cards if (card := t.find(id)) and is_in_play(card) and card.pose != DESTROYED]
    if not standing:
        return
    strip(t, standing)
    t.say("destroyed", ability=using.ability, cards=[card.key for card in standing])
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
        t.say("immune", ability=use.ability, cards=[card.key for card in chosen if card not in risen])
    if not risen:
        return
    t.say("raised", ability=use.ability, cards=[card.key for card in risen])
    for card in risen:
        t.turn(card.id)
        if card.zone != ROW[card.owner]:
            t.mark(card.id, RESOLVED)
    tell_did(t, use, last=risen[-1].id)
    happen(t, [("raise", card.id) for card in risen], use)


# -- copying, empowering, swapping, the gods ------------------------------------------------------------------------


def copyable(table: Table, effect: Copy, use: Use) -> list[Card]:
    """TR-64, TR-65: any card the words fit, also without such abilities, but none twice in one chain."""
    return [card for card in targets(table, effect.target, use) if card.id not in use.chain]


@operation(Copy, copyable)
def copy(t: T, effect: Copy, use: Use, chosen: list[Card]) -> None:
    """TH-15.7, TR-63: the named kind of abilities, top to bottom, as if printed on the copying card."""
    (model,) = chosen
    t.say("copies", card=key(t.find(use.card)), model=model.key, kind=effect.abilities)
    tell_did(t, use, last=model.id)
    chain = [*use.chain, model.id]
    t.seq(*(run(ability.id, use.card, use.owner, "", chain) for ability in CARDS[model.key].of_kind(effect.abilities)))


run = use
"""`use` is also the word for what is in use; here it is the step."""


def empowerable(table: Table, effect: Empower, use: Use) -> list[Card]:
    return [card for card in targets(table, effect.target, use) if may_be_empowered(card)]


def may_be_empowered(card: Card) -> bool:
    """TH-7.5, TR-62: resolved, raised, with at least one Power ability."""
    return card.pose != DESTROYED and is_resolved(card) and bool(CARDS[card.key].of_kind("power"))


@operation(Empower, empowerable)
def empower_by_ability(t: T, effect: Empower, use: Use, chosen: list[Card]) -> None:
    """TH-15.9: empowering in addition to TH-7.4."""
    tell_did(t, use, last=chosen[0].id)
    empower(t, chosen[0], use)


def empower(t: T, card: Card, by: Use) -> None:
    """TH-7.5, TR-61: first whatever waits for it, then all its Power abilities, top to bottom, by the Active Player."""
    t.say("empowered", card=card.key, seat=active_player(t.s))
    t.seq(*(run(ability.id, card.id, card.owner) for ability in CARDS[card.key].of_kind("power")))
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
def choose_swap_card(t: T, use: Registers, leaving: str) -> Ask:
    """DP-20: only the Active Player sees the options; what is chosen becomes public."""
    using = in_use(use)
    effect = effect_of(using)
    assert isinstance(effect, Swap)
    options = t.ids(swap_zone(t.s, effect, using))
    return Ask(active_player(t.s), pick(options), about=using.ability, public=False, rule="TH-15.8")


@choose_swap_card.answered
def swap_card_chosen(t: T, use: Registers, leaving: str, answer: list[str]) -> None:
    """TR-66 to TR-68: it takes the place in the row, raised and empty; a Blank returns to the supply instead."""
    using = in_use(use)
    effect = effect_of(using)
    assert isinstance(effect, Swap)
    old, new = t.card(leaving), t.card(answer[0])
    zone, row = swap_zone(t.s, effect, using), ROW[old.owner]
    t.say("swap", ability=using.ability, seat=old.owner, leaves=old.key, enters=new.key, zone=effect.zone)
    strip(t, [old])
    at = t.ids(row).index(leaving) if old.zone == row else None
    if new.key == BLANK:
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
    set_god_active(t, god, int(where))
    tell_did(t, in_use(use))


def set_god_active(t: T, god: str, where: int) -> None:
    """TH-2.5: its pair is flipped, so its opponent becomes passive. Immediate."""
    if god in symbols(t.s, where):
        return
    t.say("active", god=god, realm=where)
    pair = next(pair for pair in t.var("pairs") if god in pair)
    t.set(f"symbols {where}", [god if shown in pair else shown for shown in symbols(t.s, where)])


def printed(ability: str) -> str:
    return ABILITIES[ability].text
