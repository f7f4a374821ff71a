"""Battle, temples and winning (TI-9), end of turn and Shuffle (TI-10)."""

from __future__ import annotations

from games.kernel import Ask, T, pick

from .board import (
    DECK,
    DISCARD,
    HAND,
    arenas,
    draw,
    everything_in_play,
    is_solo,
    sides,
    team_count,
    uses,
    watch_hands,
)
from .book import book
from .declare import declare
from .power import total

MARGIN = 2
HAND_SIZE, SOLO_HAND_SIZE = 6, 9


@book.step
def battle(t: T) -> None:
    """TI-9.1, 9.2: all arenas together; a side wins with at least 2 more. TH-10: Control shows no hand any more."""
    t.set("age", 0)
    watch_hands(t)
    won: list[int] = []
    for arena in arenas(t):
        players = sides(t)[2 * arena : 2 * arena + 2]
        a, b = total(t, arena, players[0]), total(t, arena, players[1])
        winner = 2 * arena + (b > a) if abs(a - b) >= MARGIN else -1
        t.say("battle", arena=arena, players=players, totals=[a, b], winner=winner)
        if winner >= 0:
            won.append(winner)
    if t.s.vars["robbed"]:
        t.set("robbed", [])
    for winner, loser in takings(t, won):
        take_temple(t, winner, loser)
    if t.s.vars["robbed"]:
        check_victory(t)


def takings(t: T, won: list[int]) -> list[tuple[int, int]]:
    """TI-9.3 to 9.7: which side takes a temple from which. In two arenas the team does, for the combined result."""
    if not won or len(sides(t)) != 4:
        return [(side, side ^ 1) for side in won]
    teams = [t.s.seats[sides(t)[side]].team for side in won]
    return [(won[0], won[0] ^ 1)] if len(set(teams)) == 1 else []


def mat(t: T, side: int) -> int:
    """TI-1.8, 2.4, 2.12: whose temples are at stake: the player's or team's, in three arenas the side's own."""
    return side if len(sides(t)) == 6 else t.s.seats[sides(t)[side]].team


def take_temple(t: T, winner: int, loser: int) -> None:
    """TI-9.3, 9.5, 9.7: captured by who is down to the last temple (three arenas: has none there), else destroyed."""
    temples = list(t.s.vars["temples"])
    to, of = mat(t, winner), mat(t, loser)
    if not temples[of]:
        return
    captured = temples[to] == (0 if len(sides(t)) == 6 else 1)
    temples[of] -= 1
    temples[to] += captured
    t.say("temple", winner=sides(t)[winner], loser=sides(t)[loser], captured=captured)
    t.set("temples", temples)
    t.set("robbed", [*t.s.vars["robbed"], *(side for side in range(len(sides(t))) if mat(t, side) == of)])


def check_victory(t: T) -> None:
    """TI-9.3, 9.6, 9.9, 9.10: right after battle; a team wins when all it faces has no temples."""
    temples = t.s.vars["temples"]
    for team in range(team_count(t)):
        own = [side for side, seat in enumerate(sides(t)) if t.s.seats[seat].team == team]
        if all(temples[mat(t, side ^ 1)] == 0 for side in own) and not t.s.seats[sides(t)[own[0]]].out:
            t.end("win", [seat for seat, state in enumerate(t.s.seats) if state.team == team])


# -- end of turn ------------------------------------------------------------------------------------------------------


@book.step
def end_of_turn(t: T) -> None:
    """TI-10.1 to 10.5, 3.11: Rage, then Spite, then the Shuffle step."""
    t.seq(discard_hand(), new_decks())
    if t.s.vars["robbed"]:
        t.push(spite_step)
    if uses(t, "rage"):
        declare(t, "rage")


@book.step
def spite_step(t: T) -> None:
    """TI-17.22."""
    if uses(t, "spite"):
        declare(t, "spite")


@book.question(mode="all")
def discard_hand(t: T) -> list[Ask]:
    """TI-10.2, 10.6, TD-30: any number of cards, in secret and together."""
    return [Ask(seat, pick(t.ids(HAND[seat]), 0), rule="TI-10.2") for seat in t.seats if t.size(HAND[seat])]


@discard_hand.answered
def hand_discarded(t: T, answer: dict[int, list[str]]) -> None:
    """TH-22: straight into the deck that is about to be shuffled; only the number is public."""
    for seat, cards in answer.items():
        t.move_all(cards, DECK[seat])


@book.step
def new_decks(t: T) -> None:
    """TI-10.3 to 10.5, 19.1: everything in play and discarded is shuffled into its owner's deck; hands are filled."""
    lying = everything_in_play(t)
    for seat in t.seats:
        t.move_all([card.id for card in lying if card.owner == seat], DECK[seat])
        t.move_all(t.ids(DISCARD[seat]), DECK[seat])
        t.shuffle(DECK[seat])
        full = SOLO_HAND_SIZE if is_solo(t, seat) else HAND_SIZE
        draw(t, seat, full - t.size(HAND[seat]))
    if t.s.vars["protected"]:
        t.set("protected", {})
    for card in lying:
        if t.s.seats[card.owner].out:
            t.move(card.id, DISCARD[card.owner])
    pass_the_avatar(t)


def pass_the_avatar(t: T) -> None:
    """TI-3.11, TR-10: to the other player or team, in three arenas clockwise."""
    living = sorted(t.teams())
    t.set("avatar", next((team for team in living if team > t.s.vars["avatar"]), living[0]))

