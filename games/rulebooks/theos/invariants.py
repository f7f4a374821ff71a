"""What must hold after every recorded fact (section 7)."""

from __future__ import annotations

from collections.abc import Iterator

from games.kernel.table import Table

from .board import (
    DECK,
    DESTROYED,
    HAND,
    ROW,
    SLOT,
    blanks_in_hand,
    cards,
    followers,
    is_in_play,
    is_resolved,
    is_unresolved,
    realms,
    supply,
    symbols,
)
from .book import book
from .cards import BLANK, CARDS, LIMITS
from .decks import deck_size


@book.invariants
def broken(table: Table) -> list[str]:
    """All that is wrong with this table; nothing, one hopes."""
    if "round" not in table.vars:
        return []  # the set-up is still going on
    found = [*followers_conserved(table), *cards_conserved(table), *symbols_opposed(table)]
    if table.outcome is None:
        found += [*hands_equal(table), *active_player_alone(table), *triggers_once(table)]
    else:
        found += ended_in_a_win_check(table)
    return found


def followers_conserved(table: Table) -> Iterator[str]:
    """1, 2: 60 Followers; none beyond Max, none on destroyed, unresolved, hidden or Blank cards."""
    on_cards = 0
    for card in table.cards.values():
        n = followers(card)
        on_cards += n
        if n and (not is_in_play(card) or card.pose == DESTROYED or is_unresolved(table, card)):
            yield f"{n} Followers on {card.key}, which is {card.pose or card.zone}"
        elif n and not 0 <= n <= CARDS[card.key].max:
            yield f"{n} Followers on {card.key}, its Max is {CARDS[card.key].max}"
    if on_cards + supply(table) != LIMITS.follower_supply:
        yield f"{on_cards} Followers on cards and {supply(table)} in the Supply are not {LIMITS.follower_supply}"


def cards_conserved(table: Table) -> Iterator[str]:
    """3, 4, 5: each card in one place, every player's cards complete, no row longer than 7."""
    keys = [card.key for card in table.cards.values() if card.key != BLANK]
    if len(keys) != len(set(keys)):
        yield f"cards twice in the game: {sorted(key for key in set(keys) if keys.count(key) > 1)}"
    for seat in range(len(table.seats)):
        own = [card for zone in (DECK, HAND, SLOT, ROW) for card in cards(table, zone[seat])]
        real = [card for card in own if card.key != BLANK]
        if len(real) != deck_size(len(table.seats)):
            yield f"seat {seat} has {len(real)} cards"
        if any(card.owner != seat for card in own):
            yield f"seat {seat} holds somebody else's card"
        if len(table.zones[ROW[seat]].cards) + len(table.zones[SLOT[seat]].cards) > LIMITS.hand_size:
            yield f"the row of seat {seat} is too long"
        if sum(card.key == BLANK for card in own) != blanks_in_hand(table, seat):
            yield f"seat {seat} is said to hold {blanks_in_hand(table, seat)} Blanks"
        if any(card.pose for zone in (DECK, HAND) for card in cards(table, zone[seat])):
            yield f"a card in hand or deck of seat {seat} is not upright"


def symbols_opposed(table: Table) -> Iterator[str]:
    """7: in each pair of each Realm exactly one god is active."""
    for realm in realms(table):
        if [sum(god in symbols(table, realm) for god in pair) for pair in table.vars["pairs"]] != [1, 1]:
            yield f"Realm {realm} shows {symbols(table, realm)}"


def hands_equal(table: Table) -> Iterator[str]:
    """5, 6: all hands have the same size while cards are committed; after cleanup a hand is as many Blanks as
    the row has cards."""
    asked = {ask.kind for ask in table.open.values()}
    if "play_card" in asked and len({len(table.zones[HAND[seat]].cards) for seat in range(len(table.seats))}) > 1:
        yield "the hands differ in size"
    if "build_hand" in asked:
        for seat in range(len(table.seats)):
            hand, row = len(table.zones[HAND[seat]].cards), len(table.zones[ROW[seat]].cards)
            if not hand == row == blanks_in_hand(table, seat):
                yield f"seat {seat} starts with {hand} cards in hand and {row} in the row"


def active_player_alone(table: Table) -> Iterator[str]:
    """8: an Active Player exists exactly while a card resolves, and only that player is asked then."""
    active = table.vars.get("active")
    waiting = {ask.chooser for ask in table.open.values()}
    if active is not None and waiting - {active["seat"]}:
        yield f"seat {active['seat']} is Active Player, but {sorted(waiting)} are asked"
    if active is None and any(card for seat in range(len(table.seats)) for card in cards(table, SLOT[seat])):
        yield "a card is in a slot, but nobody is Active Player"
    if active is not None and active["card"] not in table.cards:
        yield "the resolving card is gone"
    for seat in range(len(table.seats)):
        for card in cards(table, SLOT[seat]):
            if is_resolved(card) and active is not None and card.id != active["card"]:
                yield f"{card.key} is resolved but still in its slot"


def triggers_once(table: Table) -> Iterator[str]:
    """9: no triggered ability is being resolved twice at the same time."""
    now = [step.args["now"] for step in table.agenda if step.name == "resolve_triggers" and step.args.get("now")]
    if len(now) != len(set(now)):
        yield f"triggers are resolved twice at once: {now}"


def ended_in_a_win_check(table: Table) -> Iterator[str]:
    """10: a game that the rules ended has exactly one winning team."""
    outcome = table.outcome
    if outcome is not None and outcome.reason == "rules":
        if len({table.seats[seat].team for seat in outcome.winners}) != 1 or outcome.result != "win":
            yield f"the game ended with {outcome}"
