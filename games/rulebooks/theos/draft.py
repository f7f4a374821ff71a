"""Drafting decks (TH-4.9 to 4.29): the open draft of two players, the pass draft of three to six.

What is public stays public: pools, picks and growing decks lie face up until the game starts (TR-19).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from games.kernel.play import T
from games.kernel.questions import Ask, pick
from games.kernel.table import PUBLIC

from .board import DECK, GONE, SEATS
from .book import book
from .cards import CARDS, GODS
from .decks import deck_size
from .options import plan

POOL, ASIDE = "draft pool", "set aside"
PACK = tuple(f"pack:{seat}" for seat in SEATS)
DRAFTED = tuple(f"drafted:{seat}" for seat in SEATS)
PILE = 12


class Deals(Struct, frozen=True):
    """One line of the table in TH-4.23."""

    aside: int
    deals: int
    dealt: int
    picks: int


PASS_DRAFT = {3: Deals(6, 2, 8, 6), 4: Deals(2, 2, 7, 6), 5: Deals(0, 1, 12, 12), 6: Deals(0, 1, 10, 10)}


@book.step
def start_draft(t: T) -> None:
    """TH-4.4: two players draft openly, three or more pass packs."""
    t.zone(POOL, ids=PUBLIC, faces=PUBLIC if len(t.s.seats) == 2 else 0)
    t.zone(ASIDE, ids=PUBLIC, faces=PUBLIC)
    for seat in range(len(t.s.seats)):
        t.zone(DRAFTED[seat], ids=PUBLIC, faces=PUBLIC, owner=seat)
        t.zone(PACK[seat], ids=[seat], faces=[seat], ordered=False, owner=seat)
    t.seq(open_draft if len(t.s.seats) == 2 else pass_draft, end_draft)


@book.step
def end_draft(t: T) -> None:
    """TH-4.15, TH-4.29: decks are turned face down; what nobody took leaves the game."""
    t.move_all(t.ids(POOL), GONE, known=PUBLIC if t.s.zones[POOL].faces == PUBLIC else 0)
    t.move_all(t.ids(ASIDE), GONE, known=PUBLIC)
    for seat in range(len(t.s.seats)):
        t.move_all(t.ids(DRAFTED[seat]), DECK[seat])


def draft_card(t: T, seat: int, card: str) -> None:
    """A pick joins the deck of its new owner, face up."""
    t.say("drafts", seat=seat, card=t.card(card).key)
    t.give(t.move(card, DRAFTED[seat]), seat, owner=seat)


# -- the open draft -------------------------------------------------------------------------------------------------


class OpenPool(Struct, frozen=True):
    pool: list[str]
    discarded: list[str]
    """Turned up and thrown away: everybody saw them."""
    unseen: list[str]


def open_pool(order: Sequence[str], shuffle_again: Callable[[list[str]], list[str]]) -> OpenPool:
    """TH-4.9 to 4.12: 12 Offerings and 12 Powers from the top of the shuffled 56, every god in both piles."""
    stock, discarded = list(order), list[str]()
    piles: dict[str, list[str]] = {"offering": [], "power": []}
    while any(len(pile) < PILE for pile in piles.values()):
        card = stock.pop(0)
        pile = piles[CARDS[card].type]
        (pile if len(pile) < PILE else discarded).append(card)
    for kind, pile in piles.items():
        for god in missing_gods(pile):
            surplus = last_of_the_most(pile)
            pile.remove(surplus)
            discarded.append(surplus)
            while True:
                if not stock:  # TR-15: the missing cards may all have been discarded as surplus
                    stock, discarded = shuffle_again(discarded), []
                card = stock.pop(0)
                if CARDS[card].type == kind and CARDS[card].god == god:
                    pile.append(card)
                    break
                discarded.append(card)
    betrayals = [key for key, card in CARDS.items() if card.speed == 1]
    return OpenPool([*betrayals, *piles["offering"], *piles["power"]], discarded, stock)


def missing_gods(pile: Sequence[str]) -> list[str]:
    """TR-14: in the order Poseidon, Demeter, Hades, Gaia."""
    return [god for god in GODS if all(CARDS[card].god != god for card in pile)]


def last_of_the_most(pile: Sequence[str]) -> str:
    """TH-4.11 (a), TR-13: of the god with the most cards, or of all gods that share the most, the one drawn last."""
    counts = {god: sum(CARDS[card].god == god for card in pile) for god in GODS}
    return next(card for card in reversed(pile) if counts[CARDS[card].god] == max(counts.values()))


@book.step
def open_draft(t: T) -> None:
    """TH-4.9 to 4.13: the pool lies open; the first picker is random, or the less experienced player's choice."""
    order = t.shuffled((key for key, card in CARDS.items() if card.speed > 1), "open draft")
    laid = open_pool(order, lambda cards: t.shuffled(cards, "open draft, discards"))
    t.say("draft pool", pool=laid.pool, discarded=laid.discarded)
    t.make(laid.pool, -1, POOL)
    t.make(laid.discarded, -1, GONE, known=PUBLIC)
    t.make(laid.unseen, -1, GONE)
    novice = plan(2, t.s.options).novice
    if novice is None:
        t.push(open_draft_turn, t.below(2, "first picker", public=True))
    else:
        t.ask(open_draft_order, novice)


@book.question
def open_draft_order(t: T, seat: int) -> Ask:
    """DP-5, TH-4.13, TR-16."""
    return Ask(seat, pick(["pick first", "pick second"]), rule="TH-4.13")


@open_draft_order.answered
def open_draft_ordered(t: T, seat: int, answer: list[str]) -> None:
    t.push(open_draft_turn, seat if answer[0] == "pick first" else 1 - seat)


@book.step
def open_draft_turn(t: T, seat: int) -> None:
    """TH-4.14: strict alternation until both have 12."""
    if t.size(DRAFTED[seat]) < deck_size(2):
        t.seq(open_draft_pick(seat), open_draft_turn(1 - seat))


@book.question
def open_draft_pick(t: T, seat: int) -> Ask:
    """DP-6: any card left in the Draft Pool."""
    return Ask(seat, pick(t.ids(POOL)), rule="TH-4.14")


@open_draft_pick.answered
def open_draft_picked(t: T, seat: int, answer: list[str]) -> None:
    draft_card(t, seat, answer[0])


# -- the pass draft -------------------------------------------------------------------------------------------------


def turn_up(order: Sequence[str], each: int) -> tuple[list[str], list[str]]:
    """TH-4.22, TR-17: what is kept out of the game, and what was turned up and goes back."""
    kept, back = list[str](), list[str]()
    left = {"offering": each, "power": each, "betrayal": 0}
    for card in order:
        if not left["offering"] and not left["power"]:
            break
        kind = CARDS[card].type
        (kept if left[kind] else back).append(card)
        left[kind] -= bool(left[kind])
    return kept, back


@book.step
def pass_draft(t: T) -> None:
    """TH-4.20 to 4.23: seats for passing, the shuffled pool, with 3-4 players some cards set aside face up."""
    numbers = PASS_DRAFT[len(t.s.seats)]
    chosen = plan(len(t.s.seats), t.s.options).draft_seats
    if chosen is None:
        drawn = t.shuffled((str(seat) for seat in range(len(t.s.seats))), "draft seats", public=True)
        chosen = tuple(map(int, drawn))
    t.set("draft seats", chosen)
    t.make(list(CARDS), -1, POOL)
    t.shuffle(POOL, "pass draft")
    if numbers.aside:
        kept, back = turn_up([card.key for card in t.cards(POOL)], numbers.aside)
        t.say("set aside", kept=kept, back=back)
        t.move_all(t.ids(POOL, lambda card: card.key in kept), ASIDE)
        t.shuffle(POOL, "pass draft, again")
    t.push(deal, 1)


@book.step
def deal(t: T, number: int) -> None:
    """TH-4.23, 4.28: one deal, with 3-4 players two."""
    numbers = PASS_DRAFT[len(t.s.seats)]
    if number > numbers.deals:
        return
    for seat in t.var("draft seats"):
        t.move_all(t.ids(POOL)[: numbers.dealt], PACK[seat])
    t.seq(draft_turn(number, numbers.picks), deal(number + 1))


@book.step
def draft_turn(t: T, number: int, left: int) -> None:
    """TH-4.27: pick, reveal, pass, until the picks of the deal are made; leftovers leave unseen (TR-18)."""
    if left:
        t.seq(pass_draft_pick(number, left), draft_turn(number, left - 1))
        return
    for seat in range(len(t.s.seats)):
        t.move_all(t.ids(PACK[seat]), GONE)


@book.question(mode="all")
def pass_draft_pick(t: T, number: int, left: int) -> list[Ask]:
    """DP-7, TH-4.24: one card of the held pack, secretly; asked even for the last card (TR-27)."""
    return [Ask(seat, pick(t.ids(PACK[seat])), rule="TH-4.24") for seat in range(len(t.s.seats))]


@pass_draft_pick.answered
def picks_revealed(t: T, number: int, left: int, answer: dict[int, list[str]]) -> None:
    """TH-4.25, 4.26: all are shown at once, then the packs go left in the first deal, right in the second."""
    for seat in range(len(t.s.seats)):
        (card,) = answer.get(seat) or t.ids(PACK[seat])[:1]
        draft_card(t, seat, card)
    if left > 1:
        pass_packs(t, 1 if number == 1 else -1)


def pass_packs(t: T, step: int) -> None:
    seats: list[int] = t.var("draft seats")
    packs = [t.ids(PACK[seat]) for seat in seats]
    for at, pack in enumerate(packs):
        t.move_all(pack, PACK[seats[(at + step) % len(seats)]])
