"""What was handed in, read from where it lies: sealed in the tournament's own log. Games are made with this and with
nothing else."""

from __future__ import annotations

from typing import Any

from accounts.models import User
from decks import services as decks
from decks.services import Sealed
from events import commands, heads, participants, store
from events.decider import Record
from tournaments import drafts, handing, services
from tournaments.state import Match, Tournament


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


# --- players hand in ---


def submit(stream: str, person: User, content: Any, command_id: str, expected_seq: int | None = None) -> store.Stored:
    """A list: checked in full against its format and, after a draft, against the own pool; then sealed in the log."""
    state: Tournament = services.look(stream).state
    actor = participants.find(stream, person.pk) or ""
    one = state.entrant_of(actor)
    once = drafts.salt(stream, actor, command_id)
    if state.format and one and not store.find(stream, actor, command_id):
        handing.in_time(state, one, commands.now_ms())  # before the deck is looked at: what is too late is not judged
        decks.refuse(decks.check(state.format, content, drafts.pool_of(state, one.number)))
    action = {
        "do": "submit_deck", "format": state.format, "deck": content, "salt": once.hex(),
        "hash": decks.sealed_hash(stream, state.format, once, content),
    }  # fmt: skip
    event = services.act(stream, person, action, command_id, expected_seq)
    if one:
        note(heads.current(stream).state, one.number)
    return event


def sideboard(
    stream: str, person: User, match_id: str, out: dict[str, int], in_: dict[str, int], command_id: str,
    expected_seq: int | None = None,
) -> store.Stored:  # fmt: skip
    """EP-18.2: what goes out of the registered deck, and what comes in, for the games of this match to come."""
    state: Tournament = services.look(stream).state
    one = state.entrant_of(participants.find(stream, person.pk) or "")
    deck = registered(state, one.number) if one else None
    if deck and deck.format:
        decks.swapped(deck.format, deck.content, out, in_)
    action = {"do": "sideboard", "match": match_id, "out": out, "in": in_}
    return services.act(stream, person, action, command_id, expected_seq)


def note(state: Tournament, only: int | None = None) -> None:
    """The rows behind GET /submissions, made from the log: whose list it is, and whether it is locked or open."""
    numbers = [only] if only else [n for n, one in state.entrants.items() if one.actor and one.deck_seq]
    known = {row.person_id: row.hash for row in decks.submissions(state.stream)} if not only else {}
    for number in numbers:
        one = state.entrants[number]
        person = participants.person_of(one.actor)
        if person and known.get(person) != one.deck and (deck := registered(state, number)) and deck.format:
            decks.keep(state.stream, person, deck)
    if state.phase in ("over", "closed"):
        decks.open_seals(state.stream)
    elif not only:
        decks.lock(state.stream, locked=state.phase == "running" and not state.preparing)
