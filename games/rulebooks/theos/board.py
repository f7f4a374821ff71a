"""The board: where cards lie, who is with whom, and how things stand (TH-1.3 to 1.7, TH-10).

Only questions about the table, no changes. The words are the manual's: slot, row, Supply, Realm, Symbols.
"""

from __future__ import annotations

from collections.abc import Container
from itertools import chain
from typing import cast

from games.kernel.table import Card, Table

from .cards import CARDS, Status, speed

SEATS = range(6)
DECK = tuple(f"deck:{seat}" for seat in SEATS)
HAND = tuple(f"hand:{seat}" for seat in SEATS)
SLOT = tuple(f"slot:{seat}" for seat in SEATS)
ROW = tuple(f"row:{seat}" for seat in SEATS)
IN_PLAY = tuple(zip(ROW, SLOT, strict=True))
"""TH-1.6: where the cards of a seat are in play."""
GONE = "gone"
"""Cards out of the game."""

FOLLOWERS, BLANKS = "followers", "blanks"
REALM = "realm"
DESTROYED = "destroyed"
"""The pose of a card turned sideways (TH-10.5). Upright, raised, is the pose of every other card."""
RESOLVED = "resolved"
"""The mark of a card raised again in its slot: destroyed cards are resolved at once (TH-10.3) and stay so."""


def cards(table: Table, zone: str) -> list[Card]:
    everything = table.cards
    return [everything[id] for id in table.zones[zone].cards]


def team(table: Table, seat: int) -> int:
    return table.seats[seat].team


def teams(table: Table) -> dict[int, list[int]]:
    """TH-1.4: team -> its seats, also those whose player has left."""
    found: dict[int, list[int]] = {}
    for seat, player in enumerate(table.seats):
        found.setdefault(player.team, []).append(seat)
    return dict(sorted(found.items()))


def realm(table: Table, seat: int) -> int:
    """TH-3.8: the Realm the player is in, 1 or 2."""
    return cast(int, table.seats[seat].marks[REALM])


def realms(table: Table) -> range:
    return range(1, 3 if len(table.seats) >= 5 else 2)


def symbols(table: Table, realm: int) -> list[str]:
    """TH-2.5: the two gods that are active in a Realm, one of each pair."""
    return cast("list[str]", table.vars[f"symbols {realm}"])


def passive_gods(table: Table, realm: int) -> list[str]:
    active = symbols(table, realm)
    return [god for pair in table.vars["pairs"] for god in pair if god not in active]


def supply(table: Table) -> int:
    """TH-1.3: the Followers that are not on cards."""
    return cast(int, table.vars["supply"])


def active_player(table: Table) -> int:
    """TR-31: there is one only while a card resolves."""
    return cast(int, table.vars["active"]["seat"])


def resolving(table: Table) -> str:
    """The id of the card that the Active Player resolves; "" while there is none."""
    active = table.vars.get("active")
    return active["card"] if active else ""


def clockwise(table: Table) -> list[int]:
    """TH-3.4: the seats in the order they sit around the table."""
    return cast("list[int]", table.vars["around"])


def followers(card: Card) -> int:
    return card.n.get(FOLLOWERS, 0)


def has_status(card: Card, status: Status) -> bool:
    """TH-15.12, 15.13. Destroyed cards have neither (TR-46)."""
    return card.pose != DESTROYED and (FOLLOWERS in card.n) == (status == "devoted")


def is_resolved(card: Card) -> bool:
    """TH-10.3: in a row; or destroyed, though TH-7.8 has not placed it yet."""
    return card.zone[0] == "r" or card.pose == DESTROYED or RESOLVED in card.marks


def is_resolving(table: Table, card: Card) -> bool:
    """TH-10.2. A card destroyed meanwhile is resolved."""
    return card.id == resolving(table) and not is_resolved(card)


def is_unresolved(table: Table, card: Card) -> bool:
    """TH-10.1: revealed this turn and not yet taken up."""
    return card.zone[0] == "s" and card.id != resolving(table) and not is_resolved(card)


def is_in_play(card: Card) -> bool:
    """TH-1.6: in a slot or a row."""
    return card.zone[0] in "rs"


def in_play(table: Table) -> list[Card]:
    """All rows and slots, in the order of TR-56 seen from the Active Player."""
    zones = table.zones
    order = table.vars["_orders"][table.vars["active"]["seat"]]
    ids = chain.from_iterable([zones[zone].cards for seat in order for zone in IN_PLAY[seat]])
    return list(map(table.cards.__getitem__, ids))


def holders(table: Table, keys: Container[str]) -> list[Card]:
    """The cards in play that are one of these, in the same order."""
    return [card for card in in_play(table) if card.key in keys]


def unresolved(table: Table) -> list[Card]:
    """TH-6.4: the cards that still wait to be taken up."""
    everything, zones, now = table.cards, table.zones, resolving(table)
    played = [everything[id] for seat in range(len(table.seats)) for id in zones[SLOT[seat]].cards]
    return [card for card in played if card.id != now and not is_resolved(card)]


def fastest(found: list[Card]) -> Card:
    """TH-6.6."""
    return min(found, key=lambda card: speed(card.key))


def total(table: Table, seats: list[int]) -> int:
    """TH-8.1: Followers on all cards of all players of a team."""
    return sum(followers(card) for seat in seats for card in cards(table, ROW[seat]))


def final_card(table: Table, seats: list[int]) -> Card | None:
    """TH-8.5, TR-73: the fastest of its players' rightmost cards; none without any card in a row (TR-74)."""
    last = [cards(table, ROW[seat])[-1] for seat in seats if table.zones[ROW[seat]].cards]
    return fastest(last) if last else None


def blanks_in_hand(table: Table, seat: int) -> int:
    """How many Blanks a player holds is public: they are taken, revealed and swapped openly (section 3)."""
    return table.seats[seat].n.get(BLANKS, 0)


def has_only_blanks(table: Table, seat: int) -> bool:
    return blanks_in_hand(table, seat) == len(table.zones[HAND[seat]].cards)


def room(card: Card) -> int:
    """TH-13.1: how many Followers still fit. A destroyed card takes none (TH-10.5)."""
    return CARDS[card.key].max - card.n.get(FOLLOWERS, 0) if card.pose != DESTROYED else 0
