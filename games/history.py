"""Reading back: events as a viewer may know them, any moment, the story in sentences, and whether all of it holds."""

from typing import Any

from events import heads, history, participants, seals, store
from events.canonical import decode, digest, encode
from events.decider import Viewer, decider_for
from events.errors import Rejected
from games.access import Look
from games.kernel import new_table
from games.narration import Narrator
from games.state import Game


def events(look: Look, since: int, limit: int, *, proof: bool = False, text: bool = False) -> list[dict[str, Any]]:
    """The events after `since`, redacted; if wanted with what they say in words, and with what proves them."""
    found = []
    for event in store.read(look.stream, since, limit=limit):
        seen = history.seen(event, look.viewer)
        if proof:
            seen["proof"] = history.proof(event, look.head.key, look.viewer)
        found.append(seen)
    if text and found:
        narrator = narrator_at(look, since)
        for seen in found:
            seen["text"] = narrator.tell(seen)
    return found


def narrator_at(look: Look, since: int) -> Narrator:
    """Somebody who tells this viewer what happens after event `since`."""
    table = heads.at(look.stream, since).state.table if since else new_table()
    return Narrator(look.game.terms_.rulebook, table, look.viewer, players(look.game))


def players(game: Game) -> list[str]:
    """What the seats are called: by name as long as the person is known."""
    names = participants.names([chair.actor for chair in game.chairs if chair.actor])
    return [names.get(chair.actor) or f"{chair.bot or 'seat'} {seat}" for seat, chair in enumerate(game.chairs)]


def at(look: Look, seq: int) -> Look:
    """The same game for the same viewer, right after event `seq`."""
    return Look(heads.at(look.stream, seq), look.actor, look.viewer)


def narration(look: Look, since: int, limit: int) -> list[dict[str, Any]]:
    return [
        {"seq": seen["seq"], "at": seen["at"], "text": line}
        for seen in events(look, since, limit, text=True)
        for line in seen["text"]
    ]


# --- does it hold? ---


def verify(stream: str) -> dict[str, Any]:
    """Both ways to the state: folding the effects, and deciding every action again; and chain and seals on the way.
    Names the first event that does not hold."""
    key = store.stream_key(stream)
    if key is None:
        raise Rejected("unknown", f"There is no stream {stream!r}.")
    decider, head = decider_for(key.kind), heads.beginning(key)
    checked = 0
    for event in store.read(stream):
        if fault := _fault(decider, key, head, event):
            return {"ok": False, "events": checked, "head": head.hash.hex(), "bad_seq": event.seq, "fault": fault}
        head, checked = heads.fold(head, [event]), checked + 1
    return {"ok": True, "events": checked, "head": head.hash.hex(), "bad_seq": None, "fault": None}


def _fault(decider: Any, key: store.StreamKey, head: heads.Head, event: store.Stored) -> str | None:
    envelope = decode(event.envelope)
    if event.seq != head.seq + 1 or event.prev != head.hash or envelope["prev"] != head.hash.hex():
        return "it does not continue the chain"
    if digest("event", event.envelope) != event.hash:
        return "its hash is not that of its bytes"
    if seals.root(event.leaves(key)).hex() != envelope["body"]["seals"]:
        return "its sealed part is not what was committed to"
    action, *effects = event.records("table")
    try:
        decided = decider.decide(head.state, _plain(action), key.seed, event.moment)
    except Rejected as refusal:
        return f"the rules refuse its action now: {refusal.detail}"
    if encode([decided.action, *decided.effects]) != encode([action, *effects]):
        return "deciding its action again gives other effects"
    if (to := action.get("to")) and "table" in action and not _same_table(key, to, action["table"]):
        return f"the table it goes back to is not the one of event {to}"
    if decider.encode(decided.state) != decider.encode(heads.fold(head, [event]).state):
        return "its effects do not lead to the state that was decided"
    return None


def _plain(action: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in action.items() if name != "only"}


def _same_table(key: store.StreamKey, seq: int, table: dict[str, Any]) -> bool:
    from games.services import table_at

    return encode(table_at(key.id, seq)) == encode(table)


def viewer_named(name: str, seats: int) -> Viewer:
    """`as=` of a query: a seat, `public` or `table`."""
    if name == "table":
        return "table"
    if name == "public":
        return None
    if name.isdecimal() and int(name) < seats:
        return int(name)
    raise Rejected("illegal", f"`as` is a seat from 0 to {seats - 1}, `public` or `table`.")
