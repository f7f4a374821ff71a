"""What must hold on every table that waits for an answer."""

from __future__ import annotations

from collections import Counter

from games.kernel.table import PUBLIC, Table

from .board import DECK, DISCARD, GONE, HAND, LINE, PLAY, UNDER
from .book import book
from .cards import TOKENS, is_ability
from .setup import OWNED


@book.invariants
def invariants(table: Table) -> list[str]:
    if table.outcome is not None or table.vars.get("step") == "setup":
        return []
    return [*_places(table), *_players(table), *_battle(table)]


def _places(table: Table) -> list[str]:
    found = []
    decks = Counter[int]()
    for card in table.cards.values():
        if card.key in TOKENS and card.zone != PLAY:
            found.append(f"EP-14.2: the token {card.id} lies in {card.zone}")
        if is_ability(card.key) and card.zone != LINE:
            found.append(f"EP-0.1: the ability {card.id} lies in {card.zone}")
        if card.zone in DECK and card.zone != DECK[card.owner]:
            found.append(f"EP-15.1: {card.id} lies in another player's deck")
        if card.zone in HAND and card.zone != HAND[card.owner] and card.known != PUBLIC:
            found.append(f"EP-15.6: the foreign card {card.id} is not face up in {card.zone}")
        if card.down and card.zone not in (PLAY, LINE):
            found.append(f"EP-3.6: {card.id} is face down in {card.zone}")
        if card.zone == UNDER and not card.on:
            found.append(f"EP-3.12: {card.id} lies under nothing")
        if card.zone == PLAY and table.seats[card.ctrl].out:
            found.append(f"EP-19.3: {card.id} is controlled by a player who is gone")
        decks[card.owner] += card.key not in TOKENS and not is_ability(card.key)
    owned = table.vars.get(OWNED, [])
    wrong = [seat for seat, n in enumerate(owned) if decks[seat] != n]
    return found + [f"EP-15.1: seat {seat} owned {owned[seat]} cards and owns {decks[seat]}" for seat in wrong]


def _players(table: Table) -> list[str]:
    found = []
    for number, seat in enumerate(table.seats):
        if seat.out:
            if any(table.zones[zone].cards for zone in (HAND[number], DECK[number], DISCARD[number])):
                found.append(f"EP-19.3: the cards of seat {number} have not left")
            continue
        if seat.n.get("mojo", 0) <= 0:
            found.append(f"EP-2.1: seat {number} is in the game with {seat.n.get('mojo', 0)} Mojo")
        if not table.zones[DECK[number]].cards and not table.vars.get("pack_war"):
            found.append(f"EP-2.4: seat {number} has an empty deck and has not won")
        if seat.n.get("actions", 0) < 0:
            found.append(f"EP-4.5: seat {number} has spent more actions than there were")
        if table.zones[GONE[number]].cards:
            found.append(f"EP-19.3: cards of seat {number} are gone, the player is not")
    return found


def _battle(table: Table) -> list[str]:
    fight = table.vars.get("battle")
    if not fight:
        return []
    fighting = [*fight["attackers"], *fight["blockers"]]
    return [f"EP-9.12: {card} fights and is not in play" for card in fighting if card not in table.zones[PLAY].cards]
