"""What judges can do: look (recorded before it is given), rule, rewind, reseat, open the seals; and sandboxes."""

from typing import Any

import msgspec

from accounts.models import User
from events import audit, commands, heads, store
from events.decider import Record, Viewer
from events.errors import Rejected
from games.access import Look, acting, actor_of, look, may_watch, not_found, takes_part
from games.evolution import evolve_action, evolve_effect
from games.information import told
from games.kernel import PUBLIC, bit, from_dict
from games.kernel.table import Table
from games.lists import KINDS
from games.services import needed, repeated, table_at
from games.state import Game, clone


def look_as(stream: str, person: User, viewer: Viewer, *, seq: int | None = None, what: str) -> Look:
    """A judge looks through a seat's eyes, or at everything, at a moment. No record, no look."""
    head = heads.current(stream) if seq is None else heads.at(stream, seq)
    if head.key.kind not in KINDS:
        raise not_found(stream)
    actor = actor_of(stream, person)
    if takes_part(heads.current(stream).state, actor) and not head.state.seals_open:
        raise Rejected("not_yours", "You play or played in this game, so you cannot look at it as a judge.")
    if isinstance(viewer, int) and not 0 <= viewer < head.key.seats:
        raise Rejected("illegal", f"The seats are 0 to {head.key.seats - 1}.")
    audit.record_look(person.pk, stream, seq=head.seq, viewer=viewer, what=what)
    if audit.has_sat_down(person.pk, stream) and not head.state.seals_open:
        raise Rejected("not_yours", "You have asked for a seat here, so you cannot look at it as a judge.")
    return Look(head, actor, viewer)


def rule(
    stream: str, person: User, action: Record, command_id: str, expected_seq: int | None, **written: str
) -> store.Stored:
    """Anything a judge does in a game: it acts on the state the judge has seen, and on no other."""
    return commands.execute(
        stream, actor=judging(stream, person), action=action, command_id=command_id,
        expected_seq=needed(expected_seq), written=written or None,
    )  # fmt: skip


def seats_of(stream: str) -> int:
    return heads.known(stream).key.seats


def judging(stream: str, person: User) -> str:
    if heads.known(stream).key.kind not in KINDS:
        raise not_found(stream)
    return acting(stream, person)


def rewind(
    stream: str, person: User, to: int, command_id: str, expected_seq: int | None, *,
    reshuffle: bool, clocks_then: bool, **written: str,
) -> store.Stored:  # fmt: skip
    """Back to the moment right after event `to`: as it was, or with the hidden piles that were seen shuffled anew."""
    actor, seq = judging(stream, person), needed(expected_seq)
    said: Record = {
        "do": "rewind", "to": to, "mode": "reshuffle" if reshuffle else "as_it_was",
        "clocks_of": "then" if clocks_then else "now",
    }  # fmt: skip
    if earlier := repeated(stream, actor, command_id, said, **written):
        return earlier
    head = heads.current(stream)
    if head.seq != seq:
        raise Rejected("stale", f"You act on seq {seq}; the stream is at {head.seq}.", seq=head.seq)
    if not 1 <= to < head.seq:
        raise Rejected("illegal", f"Rewind to a seq from 1 to {head.seq - 1}.", seq=head.seq)
    then: Game = heads.at(stream, to).state
    if not then.table.rulebook:
        raise Rejected("illegal", f"At seq {to} the game had not begun.", seq=head.seq)
    learned, seen_zones = since(then, store.read(stream, to, upto=head.seq))
    clocks = then.clocks if clocks_then else head.state.clocks
    action = {
        **said, "table": table_at(stream, to), "learned": learned, "reshuffle": seen_zones if reshuffle else [],
        "clocks": [[clock.bank, clock.spent] for clock in clocks],
    }  # fmt: skip
    return commands.execute(
        stream, actor=actor, action=action, command_id=command_id, expected_seq=seq, written=written or None
    )


def since(then: Game, events: list[store.Stored]) -> tuple[list[list[str]], list[str]]:
    """What each seat has learned in these events, and which piles that were hidden then they came from."""
    game, start = clone(then), then.table
    learned: list[set[str]] = [set() for _ in range(then.seats)]
    zones: set[str] = set()
    for event in events:
        action, *effects = event.records("table")
        evolve_action(game, action, event.moment)
        for record in effects:
            if record["e"] in KNOWN_TO_THE_KERNEL:
                effect = from_dict(record)
                for mask, key in told(game.table, effect):
                    for seat in range(then.seats):
                        if key and mask & bit(seat):
                            learned[seat].add(key)
                    if mask:
                        zones |= {str(getattr(effect, name, "")) for name in ("src", "zone")}
            evolve_effect(game, record, event.moment)
    return [sorted(keys) for keys in learned], sorted(zone for zone in zones if is_hidden_pile(start, zone))


KNOWN_TO_THE_KERNEL = frozenset({"move", "know", "look", "zone", "draw"})


def is_hidden_pile(table: Table, name: str) -> bool:
    zone = table.zones.get(name)
    return zone is not None and zone.ordered and zone.faces != PUBLIC and len(zone.cards) > 1


# --- sandboxes ---


def sandbox(stream: str, person: User, seq: int | None, command_id: str, *, judge: bool) -> store.Stored:
    """Any moment of a game as a table of one's own, all seats, nothing hidden. So only of games whose seals are open,
    or by a judge, whose look is recorded."""
    head = look(stream, person).head if not judge else heads.current(stream)
    if not head.state.seals_open or (judge and not may_watch(head.state, actor_of(stream, person))):
        if not judge:
            raise Rejected(
                "sealed", "The seals of this game are closed: a sandbox would show what you may not know. "
                "It can be opened when they are, or by a judge.", seq=head.seq,
            )  # fmt: skip
        look_as(stream, person, "table", seq=seq, what="sandbox")
    at = head.seq if seq is None else seq
    then: Game = heads.at(stream, at).state
    if not then.table.rulebook:
        raise Rejected("illegal", f"At seq {at} the game had not begun.", seq=head.seq)
    terms: dict[str, Any] = {
        "rulebook": then.terms_.rulebook, "options": then.terms_.options, "visibility": "private", "sandbox": True,
        "table": table_at(stream, at), "from": {"game": stream, "seq": at},
    }  # fmt: skip
    new = commands.new_stream_id("game", str(person.pk), command_id)
    action = {"do": "create", **terms, "decks": msgspec.to_builtins(then.terms_.decks)}
    return commands.open_stream(
        "game", then.seats, stream=new, actor=acting(new, person), action=action, command_id=command_id
    )
