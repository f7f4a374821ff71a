"""Lists: handed in by players before a deadline, or by the house for bots and for who was late; and, between the games
of a match, exchanged with the sideboard. What is in them is sealed until the event is closed; hashes are public."""

from __future__ import annotations

import re

from decks.formats import format_named
from events.decider import Due, Record
from events.errors import Rejected
from events.participants import ARBITER
from tournaments import results
from tournaments.state import Entrant, Match, Tournament
from tournaments.turn import Turn, illegal

HEX64 = re.compile(r"[0-9a-f]{64}")


def submit_deck(turn: Turn, action: Record) -> None:
    """A list behind its salted hash. It was checked where decks are known (decks.services), against the own pool where
    there is one. `auto`: built by the house."""
    turn.phase("registration", "running")
    if turn.moment.by == ARBITER:
        one = entrant_for_house(turn, action)
    else:
        one = turn.entrant({})  # a list is a player's own: staff cannot hand in for them
        in_time(turn.state, one, turn.moment.at)
    if not HEX64.fullmatch(str(action.get("hash"))):
        raise illegal("/hash", "wrong_shape", "the hash of the list, 64 hex digits")
    turn.take({**action, "number": one.number, "only": {"deck": 0, "salt": 0}})
    turn.emit("entrant", number=one.number, set={
        "deck": action["hash"], "deck_seq": turn.moment.seq, "auto": bool(action.get("auto")),
    })  # fmt: skip


def in_time(state: Tournament, one: Entrant, at: int) -> None:
    """Constructed: before the start, or the organiser's deadline; late entries until they play. After a draft: until
    the time for building is over, or everybody has handed in."""
    rules, now = state.rules_, state.preparing
    if now:
        if now.pod_of(one.number) is None or one.status != "in":
            raise Rejected("not_yours", "You are not in this draft.")
        if now.status == "late" or (now.status == "building" and at > now.until):
            raise Rejected("over", "The time for building decks is over.")
        if now.status != "building":
            raise Rejected("illegal", "Decks are built when all drafts of this stage are over.")
        return
    if state.drafted:
        raise Rejected("over", "Everybody has handed in a deck, and yours stands.")
    if not rules.decks:
        raise Rejected("illegal", "This tournament asks for no lists.")
    if state.phase == "running":
        if one.deck:
            raise Rejected("over", "The tournament has begun; the list you handed in stands.")
        if rules.late == "no":
            raise Rejected("over", "The tournament has begun; it is too late for a list.")
    elif rules.decks_until and at > rules.decks_until:
        raise Rejected("over", "The time for handing in lists is over.")


def entrant_for_house(turn: Turn, action: Record) -> Entrant:
    one = turn.state.entrants[action["number"]]
    if one.deck:
        raise Rejected("exists", f"Entrant {one.number} has a deck.")
    return one


def no_deck(turn: Turn, action: Record) -> None:
    """Nothing legal can be built for this entrant (a draft that came to nothing): it is not in any more."""
    turn.house()
    one = entrant_for_house(turn, action)
    turn.take(action)
    turn.emit("entrant", number=one.number, set={"status": "dropped"})


# --- sideboarding (EP-18) ---


def played(turn: Turn, action: Record) -> None:
    """A game is over. Between it and the next of the match there is time for the sideboards."""
    results.played(turn, action)
    match = turn.state.matches[action["match"]]
    if match.score is None and has_sideboards(turn.state, match):
        bots = [n for n in match.players if turn.state.entrants[n].bot]
        if len(bots) < len(match.players):
            until = turn.moment.at + turn.state.rules_.sideboard_ms
            turn.emit("match", id=match.id, set={"waits_until": until, "settled": bots})


def has_sideboards(state: Tournament, match: Match) -> bool:
    if not state.format or not state.rules_.sideboard_ms or len(match.players) != 2 or state.rules_.team > 1:
        return False
    return "sideboard" in format_named(state.format).sections


def sideboard(turn: Turn, action: Record) -> None:
    """EP-18.2, 18.7: one for one, in secret; nothing exchanged looks the same from outside. It holds for the rest of
    the match unless said anew, and always starts from what was registered (EP-18.3)."""
    match = results.open_match(turn, action)
    me = results.seat_at(turn, match)
    if not match.waits_until:
        raise Rejected("illegal", "There is nothing to exchange now: sideboarding is between the games of a match.")
    turn.take({**action, "number": me, "only": {"out": 0, "in": 0}})
    settled = sorted({*match.settled, me})
    change = {"settled": settled, "swaps": {**match.swaps, str(me): turn.moment.seq}}
    turn.emit("match", id=match.id, set=change)
    if set(settled) >= set(match.players):
        turn.emit("match", id=match.id, set={"waits_until": 0})


def go_on(turn: Turn, action: Record) -> None:
    """The time for the sideboards is over: the next game begins with what was said."""
    turn.house()
    match = results.open_match(turn, action)
    if match.waits_until != action["until"] or turn.moment.at < match.waits_until:
        raise Rejected("stale", "That deadline no longer stands.")
    turn.take(action)
    turn.emit("match", id=match.id, set={"waits_until": 0})


def due(state: Tournament) -> list[Due]:
    if state.phase != "running" or not state.now or state.now.status != "published":
        return []
    return [
        Due(f"side-{match.id}-{state.now.attempt}-{len(match.games)}", match.waits_until, ARBITER,
            {"do": "go_on", "match": match.id, "until": match.waits_until})
        for match in state.open_matches() if match.waits_until
    ]  # fmt: skip
