"""What was handed in, read from where it lies: sealed in the tournament's own log. Games are made with this and with
nothing else."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from decks import services as decks
from decks.services import Sealed
from events import participants, store
from events.canonical import keyed
from events.decider import Record
from tournaments.state import Match, Tournament


def salt(stream: str, actor: str, command_id: str) -> bytes:
    """Keyed, not drawn: a repeated command hands in the same bytes."""
    return keyed(settings.SECRET_KEY.encode(), "deck-salt", stream, actor, command_id)


def action_at(state: Tournament, seq: int) -> Record:
    """The action of an event with what is sealed in it."""
    found: Record = store.read(state.stream, seq - 1, upto=seq)[0].records("table")[0]
    return found


def registered(state: Tournament, number: int) -> Sealed | None:
    seq = state.entrants[number].deck_seq
    if not seq:
        return None
    action = action_at(state, seq)
    return Sealed(action.get("format", ""), action["deck"], bytes.fromhex(action["salt"]), action["hash"])


def deck_for(state: Tournament, match: Match, number: int) -> Any:
    """The deck for the next game of a match, as the rulebook takes it: as registered, or as last exchanged in this
    match (EP-18.2, 18.3). None, if nothing was handed in."""
    deck = registered(state, number)
    if deck is None:
        return None
    if not deck.format:
        return deck.content
    content, seq = deck.content, match.swaps.get(str(number))
    if seq:
        swap = action_at(state, seq)
        content = decks.swapped(deck.format, content, swap["out"], swap["in"])
    return decks.brought(deck.format, content)


def note(state: Tournament) -> None:
    """The rows behind GET /submissions, made from the log: whose list it is, and whether it is locked or open."""
    decks.lock(state.stream, locked=False)
    known = {row.person_id: row.hash for row in decks.submissions(state.stream)}
    for number, one in state.entrants.items():
        person = participants.person_of(one.actor) if one.actor and one.deck_seq else None
        if person and known.get(person) != one.deck and (deck := registered(state, number)) and deck.format:
            decks.keep(state.stream, person, deck)
    if state.phase in ("over", "closed"):
        decks.open_seals(state.stream)
    elif state.phase == "running" and not state.preparing:
        decks.lock(state.stream)
