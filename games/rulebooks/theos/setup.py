"""Laying the table (TH-2, TH-3, TH-4.6, TH-4.30): gods, teams, decks, seats and Realms, in the order of TH-2.1."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from games.kernel.play import T
from games.kernel.questions import Ask, pick
from games.kernel.table import PUBLIC, Table

from .board import DECK, GONE, HAND, REALM, ROW, SLOT, realms, teams
from .book import book
from .cards import CARDS, GODS, LIMITS
from .decks import deck_size
from .draft import start_draft
from .options import RANDOM, TEAM_SIZE, Plan, plan
from .round import start_phase

Cards = list[str] | tuple[str, ...]

SPLITS = (
    (("poseidon", "demeter"), ("hades", "gaia")),
    (("poseidon", "hades"), ("demeter", "gaia")),
    (("poseidon", "gaia"), ("hades", "demeter")),
)
"""TH-2.4: the three ways to oppose four gods."""


def host(table: Table) -> Plan:
    """The host's choices; they are public and stand on the table."""
    brought = {"decks": RANDOM} if table.vars["decks"] == "given" else {}
    return _host(len(table.seats), msgspec.json.encode(table.options | brought))


@lru_cache(maxsize=64)
def _host(seats: int, options: bytes) -> Plan:
    return plan(seats, msgspec.json.decode(options))


@book.setup
def setup(t: T, options: dict[str, Any], decks: list[Any]) -> None:
    """TH-2.1: gods and pairs, game type and teams, decks, seats and Realms, starting sides, then round 1."""
    chosen = plan(len(t.s.seats), options, decks)
    lay_zones(t)
    t.set("decks", chosen.source)
    t.set("pairs", chosen.pairs or SPLITS[t.below(len(SPLITS), "opposing pairs", public=True)])
    seat_teams(t, chosen)
    t.set("supply", LIMITS.follower_supply)
    t.seq(take_decks, start_realms, start_symbols, start_phase)
    for seat, deck in enumerate(chosen.given):
        if deck is not None and chosen.source == "roster":
            receive(t, seat, deck)
        elif deck is not None:
            show_and_receive(t, seat, "the deck brought along", deck)


def lay_zones(t: T) -> None:
    """TH-1.5: decks and hands are their owner's secret, teammates included (TH-16.2)."""
    t.zone(GONE, ids=PUBLIC, faces=0)
    for seat in range(len(t.s.seats)):
        t.zone(DECK[seat], ids=[seat], faces=[seat], ordered=False, owner=seat)
        t.zone(HAND[seat], ids=[seat], faces=[seat], ordered=False, owner=seat)
        t.zone(SLOT[seat], ids=PUBLIC, faces=PUBLIC, owner=seat)
        t.zone(ROW[seat], ids=PUBLIC, faces=PUBLIC, owner=seat)


def seat_teams(t: T, chosen: Plan) -> None:
    """TH-3.2, 3.4: teams agreed or drawn; teammates sit side by side, everybody else in the order of the seats."""
    sides = chosen.teams
    if sides is None:
        drawn = [int(seat) for seat in t.shuffled(map(str, range(chosen.seats)), "teams", public=True)]
        size = TEAM_SIZE[chosen.type]
        sides = tuple(tuple(sorted(drawn[at : at + size])) for at in range(0, chosen.seats, size))
    team_of = {seat: side for side, members in enumerate(sides) for seat in members}
    t.team([team_of[seat] for seat in range(chosen.seats)])
    around = [seat for members in sides for seat in members]
    t.set("around", around)
    t.set("_orders", [from_seat(around, team_of, seat) for seat in range(chosen.seats)])


def from_seat(around: list[int], team_of: dict[int, int], seat: int) -> list[int]:
    """TR-56: this player, then teammates and then others, clockwise."""
    start = around.index(seat)
    clockwise = around[start:] + around[:start]
    return sorted(clockwise, key=lambda other: team_of[other] != team_of[seat])


# -- decks ----------------------------------------------------------------------------------------------------------


@book.step
def take_decks(t: T) -> None:
    """TH-4.4: prebuilt, draft or roster. Decks brought along need nothing more."""
    source = t.var("decks")
    if source == "draft":
        t.push(start_draft)
    elif source == RANDOM:
        deal_at_random(t)
    elif source == "roster":
        t.seq(take_list(0), build_roster_deck())
    elif source == "lists":
        t.push(take_list, 0)


def deal_at_random(t: T) -> None:
    """TH-4.5: the host makes the decks blindly from the whole pool."""
    size = deck_size(len(t.s.seats))
    order = t.shuffled(CARDS, "decks", public=True)
    for seat in range(len(t.s.seats)):
        show_and_receive(t, seat, f"deck {seat + 1}", order[seat * size : (seat + 1) * size])
    t.make(order[len(t.s.seats) * size :], -1, GONE, known=PUBLIC)


def show_and_receive(t: T, seat: int, name: str, deck: Cards) -> None:
    """Decks that are not built in secret are public, and who took which (section 3)."""
    t.say("takes", seat=seat, list=name, cards=deck)
    receive(t, seat, deck)


def receive(t: T, seat: int, deck: Cards) -> None:
    """TH-1.7: the cards belong to this player for the whole game."""
    t.make(deck, seat, DECK[seat])


@book.step
def take_list(t: T, seat: int) -> None:
    """TH-4.6, TH-4.30: each takes a different deck or roster, by choice in seat order, at random, or as agreed."""
    chosen = host(t.s)
    if seat == chosen.seats:
        return
    t.push(take_list, seat + 1)
    if isinstance(chosen.take, tuple):
        take(t, seat, chosen.take[seat])
    elif chosen.take == RANDOM:
        left = untaken(t)
        take(t, seat, left[t.below(len(left), "list taken next", public=True)])
    elif chosen.source == "roster":
        t.ask(choose_roster, seat)
    else:
        t.ask(choose_prebuilt_deck, seat)


def untaken(t: T) -> list[int]:
    taken = t.var("lists", {}).values()
    return [n for n in range(len(host(t.s).lists)) if n not in taken]


@book.question
def choose_prebuilt_deck(t: T, seat: int) -> Ask:
    """DP-4: one of the decks not yet taken."""
    return Ask(seat, pick([host(t.s).lists[n][0] for n in untaken(t)]), rule="TH-4.6")


@choose_prebuilt_deck.answered
def prebuilt_deck_chosen(t: T, seat: int, answer: list[str]) -> None:
    take(t, seat, [name for name, _ in host(t.s).lists].index(answer[0]))


@book.question
def choose_roster(t: T, seat: int) -> Ask:
    """DP-8: one of the rosters not yet taken (TR-23)."""
    return Ask(seat, pick([host(t.s).lists[n][0] for n in untaken(t)]), rule="TH-4.30")


@choose_roster.answered
def roster_chosen(t: T, seat: int, answer: list[str]) -> None:
    take(t, seat, [name for name, _ in host(t.s).lists].index(answer[0]))


def take(t: T, seat: int, n: int) -> None:
    """Lists and who took which are public (section 3). A roster is not yet a deck."""
    chosen = host(t.s)
    name, cards = chosen.lists[n]
    t.set("lists", t.var("lists", {}) | {str(seat): n})
    if chosen.source == "roster":
        t.say("takes", seat=seat, list=name, cards=cards)
    else:
        show_and_receive(t, seat, name, cards)


@book.question(mode="all")
def build_roster_deck(t: T) -> list[Ask]:
    """DP-9, TH-4.31: secretly 12 different cards of the own roster; decks brought along are built already."""
    return [Ask(seat, pick(roster_of(t, seat), deck_size(len(t.s.seats))), rule="TH-4.31") for seat in without_deck(t)]


def without_deck(t: T) -> list[int]:
    return [seat for seat in range(len(t.s.seats)) if not t.size(DECK[seat])]


def roster_of(t: T, seat: int) -> tuple[str, ...]:
    taken: dict[str, int] = t.var("lists")
    return host(t.s).lists[taken[str(seat)]][1]


@build_roster_deck.answered
def roster_decks_built(t: T, answer: dict[int, list[str]]) -> None:
    """TR-24: nobody else learns the choice, now or later."""
    size = deck_size(len(t.s.seats))
    for seat in without_deck(t):
        receive(t, seat, answer.get(seat) or roster_of(t, seat)[:size])


# -- Realms and Symbols ---------------------------------------------------------------------------------------------


@book.step
def start_realms(t: T) -> None:
    """TH-3.5 to 3.8: with two Realms the start is random, but in 3v3 the teams choose, the more experienced first."""
    chosen, seats = host(t.s), range(len(t.s.seats))
    if len(realms(t.s)) == 1:
        for seat in seats:
            t.mark(seat, REALM, 1)
    elif chosen.type == "3v3":
        first = t.below(2, "more experienced team", public=True) if chosen.experienced is None else chosen.experienced
        t.seq(choose_start_realms(first), choose_start_realms(1 - first))
    elif chosen.type == "2v2v2":
        for side, members in teams(t.s).items():
            begins = t.below(2, f"starting Realm of team {side}", public=True)
            for at, seat in enumerate(members):
                t.mark(seat, REALM, 1 + (at + begins) % 2)
    else:
        drawn = t.shuffled(map(str, seats), "starting Realms", public=True)
        for at, name in enumerate(drawn):
            t.mark(int(name), REALM, 1 if at < 3 else 2)


@book.question
def choose_start_realms(t: T, side: int) -> Ask:
    """DP-10, TR-25: the captain says which member is alone, and in which Realm."""
    members = teams(t.s)[side]
    captain = next((seat for seat in members if not t.s.seats[seat].out), members[0])
    options = [f"seat {seat} alone in Realm {where}" for seat in members for where in realms(t.s)]
    return Ask(captain, pick(options), rule="TH-3.5")


@choose_start_realms.answered
def start_realms_chosen(t: T, side: int, answer: list[str]) -> None:
    _, alone, _, _, _, where = answer[0].split()
    for seat in teams(t.s)[side]:
        t.mark(seat, REALM, int(where) if seat == int(alone) else 3 - int(where))


@book.step
def start_symbols(t: T) -> None:
    """TH-2.5, 2.6, TR-1, TR-3: in every pair of every Realm one god is active, drawn or fixed by the host."""
    fixed = host(t.s).active
    for where in realms(t.s):
        if fixed is not None:
            shown = list(fixed[where - 1])
        else:
            shown = [
                pair[t.below(2, f"Realm {where}, {GODS[pair[0]].name} (0) or {GODS[pair[1]].name} (1)", public=True)]
                for pair in t.var("pairs")
            ]
        t.set(f"symbols {where}", shown)
        t.say("starting sides", gods=shown, realm=where)
