"""Open drafts, one seat after the other: rotisserie, Rochester, grid. Everything lies face up; picks are public."""

from __future__ import annotations

from games.kernel import PUBLIC, Ask, T, pick

from .book import book
from .options import GRID, plan_of, rounds_of
from .packs import ASIDE, STOCK, TABLE, house_choice, open_one, pool

LINES = {
    **{f"row {n + 1}": [3 * n, 3 * n + 1, 3 * n + 2] for n in range(3)},
    **{f"column {n + 1}": [n, n + 3, n + 6] for n in range(3)},
}


def snake(seats: int, turn: int, first: int = 0) -> int:
    """Whose turn it is: once around and back again."""
    round_, place = divmod(turn, seats)
    return (first + (place if round_ % 2 == 0 else seats - 1 - place)) % seats


def take(t: T, seat: int, cards: list[str]) -> None:
    t.count(seat, "picks", len(cards))
    for card in t.move_all(cards, pool(seat)):
        t.give(card, seat, seat)


# -- rotisserie: the whole cube on the table ------------------------------------------------------------------------


@book.step
def rotisserie(t: T, turn: int) -> None:
    seats = len(t.s.seats)
    if turn < rounds_of(plan_of(t), seats) * seats:
        t.seq(pick_card(snake(seats, turn)), rotisserie(turn + 1))
    else:
        t.move_all(t.ids(TABLE), ASIDE)


@book.question
def pick_card(t: T, seat: int) -> Ask:
    """Any card that lies open."""
    cards = t.ids(TABLE)
    return Ask(seat, pick(cards), default=house_choice(t, cards, 1))


@pick_card.answered
def card_picked(t: T, seat: int, answer: list[str]) -> None:
    take(t, seat, answer)


# -- Rochester: pack after pack, from a new first seat each time ------------------------------------------------------


@book.step
def rochester(t: T, number: int) -> None:
    seats = len(t.s.seats)
    if number < plan_of(t).packs * seats:
        open_one(t, TABLE, f"pack {number + 1}")
        t.seq(rochester_turn(number % seats, 0), rochester(number + 1))


@book.step
def rochester_turn(t: T, first: int, turn: int) -> None:
    if t.size(TABLE):
        t.seq(pick_card(snake(len(t.s.seats), turn, first)), rochester_turn(first, turn + 1))


# -- grid: nine cards, a row or a column each ------------------------------------------------------------------------


@book.step
def grid(t: T, number: int) -> None:
    """The first seat changes with every grid; what nobody took leaves the draft."""
    t.move_all(t.ids(TABLE), ASIDE)
    seats = len(t.s.seats)
    if number < rounds_of(plan_of(t), seats):
        for place, card in enumerate(t.move_all(t.ids(STOCK)[:GRID], TABLE)):
            t.mark(card, "place", place)
        t.seq(*(pick_line((number + turn) % seats) for turn in range(seats)), grid(number + 1))
    else:
        t.move_all(t.ids(STOCK), ASIDE)


def on_line(t: T, line: str) -> list[str]:
    return [card.id for card in t.cards(TABLE) if card.marks["place"] in LINES[line]]


@book.question
def pick_line(t: T, seat: int) -> Ask | None:
    lines = [line for line in LINES if on_line(t, line)]
    if not lines:
        return None
    ratings = plan_of(t).ratings
    worth = {line: sum(ratings.get(t.card(card).key, 0) for card in on_line(t, line)) for line in lines}
    best = [max(lines, key=lambda line: worth[line])] if ratings else None
    return Ask(seat, pick(lines), default=best)


@pick_line.answered
def line_picked(t: T, seat: int, answer: list[str]) -> None:
    take(t, seat, on_line(t, answer[0]))


def lay_open(t: T) -> None:
    t.zone(TABLE, ids=PUBLIC, faces=PUBLIC)
