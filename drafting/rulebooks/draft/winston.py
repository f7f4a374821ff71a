"""Winston draft: three piles face down. Look at one: take it all, or let it grow by a card and look at the next; who
wants none gets the top card of the stock unseen."""

from __future__ import annotations

from games.kernel import Ask, T, pick
from games.rulebooks.epic.formats import open_pack

from .book import book
from .options import plan_of
from .packs import ASIDE, STOCK
from .turns import take

PILES = ("pile:0", "pile:1", "pile:2")


def lay_piles(t: T) -> None:
    """The packs of all seats, or so much of the cube, shuffled into one stock."""
    plan, seats = plan_of(t), len(t.s.seats)
    if plan.dealt:
        surplus = t.ids(STOCK)[plan.packs * plan.size * seats :]
        t.move_all(surplus, ASIDE)
    else:
        t.zone(STOCK, ids=0, faces=0)
        for number in range(plan.packs * seats):
            t.make(open_pack(t, f"pack {number + 1}"), -1, STOCK)
        t.shuffle(STOCK, "stock")
    for pile in PILES:
        t.zone(pile, ids=0, faces=0, ordered=False)
        t.move_all(t.ids(STOCK)[:1], pile)


@book.step
def winston(t: T, seat: int) -> None:
    """Until stock and piles are empty."""
    seat %= len(t.s.seats)
    if any(t.size(pile) for pile in PILES) or t.size(STOCK):
        t.seq(look_at(seat, 0), winston(seat + 1))


@book.step
def look_at(t: T, seat: int, number: int) -> None:
    """The next pile that has cards; after the last one the top of the stock."""
    left = [place for place in range(number, len(PILES)) if t.size(PILES[place])]
    if left:
        pile = PILES[left[0]]
        t.sight(pile, [seat], [seat])
        t.look(t.ids(pile), [seat])
        t.ask(take_or_leave, seat, left[0])
    elif t.size(STOCK):
        take(t, seat, t.ids(STOCK)[:1])


@book.question
def take_or_leave(t: T, seat: int, number: int) -> Ask:
    """Leaving is possible while something else is there to be had."""
    more = t.size(STOCK) or any(t.size(pile) for pile in PILES[number + 1 :])
    return Ask(seat, pick(["take", "leave"] if more else ["take"]), default=["take"])


@take_or_leave.answered
def taken_or_left(t: T, seat: int, number: int, answer: list[str]) -> None:
    pile = PILES[number]
    t.say("winston", seat=seat, pile=number + 1, choice=answer[0])
    if answer == ["take"]:
        take(t, seat, t.ids(pile))
        t.sight(pile, 0, 0)
        t.move_all(t.ids(STOCK)[:1], pile)
    else:
        t.sight(pile, 0, 0)
        t.move_all(t.ids(STOCK)[:1], pile)
        t.push(look_at, seat, number + 1)
