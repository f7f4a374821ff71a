"""The round: Start Phase, Play Phase, End Phase (TH-5, TH-8)."""

from __future__ import annotations

from games.kernel.play import T
from games.kernel.questions import Ask, pick
from games.kernel.table import Table

from .board import (
    BLANKS,
    DECK,
    HAND,
    REALM,
    ROW,
    blanks_in_hand,
    cards,
    final_card,
    followers,
    realm,
    realms,
    teams,
    total,
)
from .book import book
from .cards import BLANK, LIMITS, speed
from .followers import strip
from .turn import play_card

MOVE = "move"
"""The option of a cleanup to change to the other Realm."""


@book.step
def start_phase(t: T) -> None:
    """TH-5.1, 5.2: the Ascension Die shows 10 in round 1, one less every round, never below 1."""
    number = t.var("round", 0) + 1
    t.set("round", number)
    t.set("die", ascension(number))
    t.say("round", round=number, die=ascension(number))
    t.seq(build_hand, play_phase)


def ascension(number: int) -> int:
    return max(LIMITS.ascension_floor, LIMITS.ascension_start + 1 - number)


def missing_cards(table: Table, seat: int) -> int:
    """TH-5.3, 5.4: with k Blanks exactly 7 - k deck cards are chosen."""
    return LIMITS.hand_size - blanks_in_hand(table, seat)


@book.question(mode="all")
def build_hand(t: T) -> list[Ask]:
    """DP-11: secretly and at the same time, any cards of the own deck."""
    asks = []
    for seat in range(len(t.s.seats)):
        missing = missing_cards(t.s, seat)
        # With seven Blanks everybody can see that there is nothing to choose; it is asked all the same (TR-27).
        idle = missing == 0
        asks.append(Ask(seat, pick(t.ids(DECK[seat]), missing, missing), rule="TH-5.3", passes=idle, bare=idle))
    return asks


@build_hand.answered
def hands_built(t: T, answer: dict[int, list[str]]) -> None:
    for seat in range(len(t.s.seats)):
        chosen = answer.get(seat)
        t.move_all(t.ids(DECK[seat])[: missing_cards(t.s, seat)] if chosen is None else chosen, HAND[seat])


@book.step
def play_phase(t: T) -> None:
    """TH-5.5: turns follow one another until all hands, which are of equal size, are empty."""
    if t.size(HAND[0]):
        t.seq(play_card, play_phase)
    else:
        t.push(end_phase)


@book.step
def end_phase(t: T) -> None:
    """TH-8.1 to 8.3: the win check, the only moment that counts."""
    die, sides = t.var("die"), teams(t.s)
    totals = {side: total(t.s, seats) for side, seats in sides.items()}
    t.say("win check", teams=[{"seats": s, "has": totals[side], "needs": die * len(s)} for side, s in sides.items()])
    leaders = [side for side in sides if totals[side] == max(totals.values())]
    if len(leaders) == 1 and totals[leaders[0]] >= die * len(sides[leaders[0]]):
        t.end("win", sides[leaders[0]])
        return
    order = sorted(sides, key=lambda side: (-totals[side], *final_speed(t.s, sides[side]), sides[side][0]))
    t.say("cleanup order", teams=[{"seats": sides[side], "final": final_key(t.s, sides[side])} for side in order])
    t.push(cleanup_next, order)


def final_speed(table: Table, seats: list[int]) -> tuple[int, ...]:
    """TH-8.5, TR-74: the faster final card goes first among the tied, a team without any comes last."""
    final = final_key(table, seats)
    return (0, *speed(final)) if final else (1, 0, 0)


def final_key(table: Table, seats: list[int]) -> str:
    final = final_card(table, seats)
    return final.key if final else ""


@book.step
def cleanup_next(t: T, order: list[int]) -> None:
    """TH-8.4, TR-72: team by team in the order fixed at the win check; then the next round."""
    if not order:
        t.push(start_phase)
        return
    t.seq(cleanup(order[0]), cleanup_next(order[1:]))


@book.question(mode="all")
def cleanup(t: T, side: int) -> list[Ask]:
    """DP-22, TH-8.6, 8.8: which cards of the own row stay; with two Realms also whether to move."""
    moves = [MOVE] if len(realms(t.s)) > 1 else []
    return [
        Ask(seat, pick([*t.ids(ROW[seat]), *moves], 0, t.size(ROW[seat]) + len(moves)), rule="TH-8.6")
        for seat in teams(t.s)[side]
    ]


@cleanup.answered
def cleaned_up(t: T, side: int, answer: dict[int, list[str]]) -> None:
    """TR-75: applied and shown when the whole team is done."""
    for seat in teams(t.s)[side]:
        clean_up(t, seat, answer.get(seat, []))


def clean_up(t: T, seat: int, chosen: list[str]) -> None:
    """TH-8.6 to 8.8: the others return to the deck without Followers, each card that stays costs a Blank."""
    row = cards(t.s, ROW[seat])
    returning = [card for card in row if card.id not in chosen]
    staying = [card for card in row if card.id in chosen]
    record = [{"card": card.key, "n": followers(card)} for card in returning]
    t.say("cleanup", seat=seat, returns=record, stays=[card.key for card in staying])
    strip(t, returning)
    t.move_all([card.id for card in returning], DECK[seat])
    t.make([BLANK] * len(staying), seat, HAND[seat])
    t.count(seat, BLANKS, len(staying))
    if MOVE in chosen:
        other = 3 - realm(t.s, seat)
        t.mark(seat, REALM, other)
        t.say("moves", seat=seat, realm=other)
