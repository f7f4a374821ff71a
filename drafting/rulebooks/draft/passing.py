"""Booster draft (EP-17.5): everybody takes a card of the pack in hand and passes the rest on.

Nobody waits for a slow neighbour: packs queue at a seat and it sees only the first of them. A pack stays a zone of its
own; who holds it sees into it. What is left for the last one is no choice, so nobody is asked.
"""

from __future__ import annotations

from games.kernel import Ask, T, pick

from .book import book
from .options import plan_of
from .packs import ASIDE, best_first, house_choice, open_one, pool

QUEUES = "queues"
"""Which packs wait at each seat, the one in hand first. Everybody can see how many there are."""


def pack(number: int) -> str:
    return f"pack:{number}"


@book.step
def open_packs(t: T, number: int) -> None:
    """EP-17.5: all open the next pack; the first goes to the left, the second to the right, and so on."""
    plan, seats = plan_of(t), range(len(t.s.seats))
    if number > plan.packs:
        return
    t.set("round", number)
    for seat in seats:
        t.zone(pack(seat), ids=0, faces=0, ordered=False)
        open_one(t, pack(seat), f"pack {number} of seat {seat}")
    t.set(QUEUES, [[seat] for seat in seats])
    for seat in seats:
        hold(t, seat, seat)
    t.seq(pick_cards(number), open_packs(number + 1))
    play_for_the_absent(t)


def hold(t: T, seat: int, number: int) -> None:
    """This pack is in this seat's hand: nobody else sees into it."""
    t.sight(pack(number), [seat], [seat])
    t.look(t.ids(pack(number)), [seat])


@book.question(mode="each")
def pick_cards(t: T, number: int) -> list[Ask]:
    """D24: secret, and at one's own pace. Those named first are taken, then come those burned."""
    plan = plan_of(t)
    asked = []
    for seat, held in enumerate(t.var(QUEUES)):
        if held and t.size(pack(held[0])) > plan.picks and not t.s.seats[seat].out:
            cards = t.ids(pack(held[0]))
            count = min(len(cards), plan.picks + plan.burns)
            shape = pick(cards, count, ordered=plan.burns > 0)
            asked.append(
                Ask(seat, shape, public=False, sealed=True, default=house_choice(t, cards, count), rule="EP-17.5")
            )
    return asked


@pick_cards.answered
def picked(t: T, number: int, answer: dict[int, list[str]]) -> None:
    for seat, cards in answer.items():
        take_and_pass(t, seat, cards)
    play_for_the_absent(t)


def take_and_pass(t: T, seat: int, cards: list[str]) -> None:
    """EP-17.5: face down into the pool; the rest is shuffled and goes to the neighbour."""
    plan, queues = plan_of(t), [list(held) for held in t.var(QUEUES)]
    current = queues[seat].pop(0)
    taken, burned = cards[: plan.picks], cards[plan.picks :]
    t.count(seat, "picks", len(taken))
    for card in t.move_all(taken, pool(seat)):
        t.give(card, seat, seat)
    if burned:
        t.move_all(burned, ASIDE)
    if t.size(pack(current)):
        neighbour = (seat + (1 if t.var("round") % 2 else -1)) % len(queues)
        queues[neighbour].append(current)
        in_hand = len(queues[neighbour]) == 1
        t.sight(pack(current), *[[neighbour] if in_hand else 0] * 2)
        t.shuffle(pack(current), f"pack passed to seat {neighbour}")
        if in_hand:
            t.look(t.ids(pack(current)), [neighbour])
    t.set(QUEUES, queues)
    if queues[seat]:
        hold(t, seat, queues[seat][0])


def play_for_the_absent(t: T) -> None:
    """What needs no choice happens at once: the last cards of a pack, and a seat that has left for good."""
    plan = plan_of(t)
    while True:
        held = [(seat, queue[0]) for seat, queue in enumerate(t.var(QUEUES, [])) if queue]
        easy = [(s, p) for s, p in held if t.size(pack(p)) <= plan.picks or t.s.seats[s].out]
        if not easy:
            return
        seat, current = easy[0]
        take_and_pass(t, seat, best_first(t, t.ids(pack(current)))[: plan.picks + plan.burns])
