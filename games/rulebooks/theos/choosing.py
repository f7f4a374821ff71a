"""Choosing what an effect is used on (TH-12.4, TH-12.7; DP-14, DP-15, DP-19)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, cast

from games.kernel.play import T
from games.kernel.questions import Ask, pick
from games.kernel.table import Card, Table

from .abilities import OPERATIONS, Operation, Registers, effect_of, in_use, registers
from .board import active_player
from .book import book
from .cards import AnyEffect, Effect, Filter, Migrate, Steal, Transfer
from .targets import BY_NAME, Use, targets

TransferWord = Literal["add", "remove", "steal", "migrate"]
Apply = Callable[[T, Any, Use, list[Card]], None]
APPLY: dict[type[Effect], Apply] = {}
"""What happens once the targets (or the source of a migration) are known."""
FROM_A_SOURCE = (Steal, Migrate)


def record(t: T, what: str, use: Use, **facts: Any) -> None:
    """TH-17.3: what happened, with its cause: the ability and the card using it."""
    t.say(what, ability=use.ability, by=key(t.find(use.card)), **facts)


def words_of(effect: Any) -> Filter:
    """The filter that the first choice is about."""
    words: Filter = effect.source if isinstance(effect, FROM_A_SOURCE) else effect.target
    return words


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
        record(t, "no target", use)
    elif words.pick == "each" or words.who in BY_NAME:
        APPLY[type(effect)](t, effect, use, list(found))
    elif words.pick == "up_to":
        t.ask(choose_targets_up_to, registers(use))
    else:
        t.ask(choose_target, registers(use))


@book.question
def choose_target(t: T, use: Registers) -> Ask | None:
    """DP-14, DP-19: the Active Player chooses, also for other players' cards (TH-12.1)."""
    using = in_use(use)
    effect = effect_of(using)
    found = OPERATIONS[type(effect)].valid(t.s, effect, using)
    if not found:  # a ruling may have taken the last one away
        return None
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


def tag(effect: Transfer) -> TransferWord:
    return cast("TransferWord", effect.__struct_config__.tag)


def key(card: Card | None) -> str:
    return card.key if card else ""
