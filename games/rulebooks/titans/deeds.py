"""What a declared ability does when its batch is carried out (TI-4.3), and what entering play means (TI-7.1)."""

from __future__ import annotations

from collections.abc import Callable

from games.kernel import PUBLIC, Ask, T, pick

from .board import (
    ARENA,
    DECK,
    DISCARD,
    HAND,
    PILE,
    REMOVED,
    attach,
    is_in_play,
    leave,
    lift,
    opponent,
    protect,
    take,
)
from .book import book
from .cards import ABILITY, BEARERS, CARDS, GHOST, HARMLESS, PRINTED

NOW_INDEXES = {
    key: tuple(index for index, ability in enumerate(printed) if ability.now) for key, printed in PRINTED.items()
}
"""Which of the abilities printed on a card are Now abilities."""
BUSY = frozenset(key for key, indexes in NOW_INDEXES.items() if indexes)


def entered(t: T, cards: list[str], *, anew: bool = False) -> None:
    """TI-5.8, 7.1: these cards have been played (`anew`: the first of this age): Protect starts and their Now abilities
    become pending."""
    t.set("played", cards if anew else [*t.s.vars["played"], *cards])
    keys = [t.s.cards[card].key for card in cards]
    if not BUSY.isdisjoint(keys):
        fresh = [[card, index] for card, key in zip(cards, keys, strict=True) for index in NOW_INDEXES[key]]
        t.set("pending", [*t.s.vars["pending"], *fresh])
    if not BEARERS["protect"].isdisjoint(keys):
        for card in cards:
            protect(t, t.s.cards[card])


def sacrifice(t: T, card: str) -> None:
    """TI-13.60, 13.61: openly out of the game."""
    t.move(card, REMOVED)


def gain(t: T, card: str, seat: int, side: int) -> None:
    """TI-0.7: to hand; or (Replicate) into play as if played (TI-14.34)."""
    if side < 0:
        take(t, card, seat, HAND[seat])
    else:
        entered(t, [take(t, card, seat, ARENA[side >> 1])])


def copy(t: T, card: str, texts: list[str]) -> None:
    """TI-13.21, 12.35: gained Now abilities are pending, a gained Protect starts."""
    if not is_in_play(t, card) or not texts:
        return
    known = len(PRINTED[t.s.cards[card].key])
    t.mark(card, "gained", texts)
    if fresh := [[card, known + index] for index, text in enumerate(texts) if ABILITY[text].now]:
        t.set("pending", [*t.s.vars["pending"], *fresh])
    protect(t, t.s.cards[card])


def haunt(t: T, user: int, arena: int, count: int) -> None:
    """TI-13.40 to 13.42: Ghosts into play on the opponent's side, Harmless, until the pile is empty; not played."""
    victim = opponent(t, arena, user)
    for ghost in t.s.zones[PILE[arena][GHOST]].cards[:count]:
        attach(t, take(t, ghost, victim, ARENA[arena]), HARMLESS, user)


def token(t: T, card: str) -> None:
    """TI-13.74."""
    if is_in_play(t, card):
        t.count(card, "token", 1)


def fury(t: T, seat: int) -> None:
    """TI-17.1."""
    t.move_all(t.ids(HAND[seat]), DISCARD[seat])


def spite(t: T, victim: int, arena: int, count: int) -> None:
    """TI-17.22, TR-59: Ghosts of the arena's pile into the deck."""
    for ghost in t.s.zones[PILE[arena][GHOST]].cards[:count]:
        take(t, ghost, victim, DECK[victim])


DEEDS: dict[str, Callable[..., None]] = {
    "leave": leave, "sacrifice": sacrifice, "lift": lift, "attach": attach, "copy": copy, "haunt": haunt, "gain": gain,
    "token": token, "fury": fury, "spite": spite,
}  # fmt: skip
"""In this order: who leaves takes no subversion along (TI-14.8), lifting comes before attaching (TI-13.18)."""


# -- No Escape ------------------------------------------------------------------------------------------------------


@book.step
def no_escape(t: T, escapes: list[tuple[int, int]]) -> None:
    """TI-13.43, 13.44: after the Ghosts each victim shows its hand and plays its desert cards."""
    victims = sorted({victim for victim, _ in escapes})
    for victim in victims:
        shown = t.cards(HAND[victim])
        t.look([card.id for card in shown], PUBLIC)
        desert = [card.id for card in shown if CARDS[card.key].element == "desert"]
        where = [arena for seat, arena in escapes if seat == victim]
        share = len(desert) // len(where)
        for index, arena in enumerate(where):
            play_desert(t, victim, arena, desert[index * share : (index + 1) * share])
        if odd := desert[share * len(where) :]:
            t.ask(odd_ghost, victim, odd[0])


def play_desert(t: T, victim: int, arena: int, cards: list[str]) -> None:
    """TI-7.1: played, and without Harmless."""
    if cards:
        entered(t, t.move_all(cards, ARENA[arena]))


@book.question()
def odd_ghost(t: T, victim: int, card: str) -> Ask:
    """TI-13.44, TD-19: the solo player picks the side for the odd one."""
    sides = [side for side, seat in enumerate(t.s.vars["sides"]) if seat == victim]
    return Ask(victim, pick([ARENA[side >> 1] for side in sides]), rule="TI-13.44")


@odd_ghost.answered
def odd_ghost_placed(t: T, victim: int, card: str, answer: list[str]) -> None:
    play_desert(t, victim, ARENA.index(answer[0]), [card])
