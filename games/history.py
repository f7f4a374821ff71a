"""Reading back: events as a viewer may know them, any moment, the story in sentences, and whether all of it holds."""

from typing import Any

from events import heads, history, store, texts, verification
from events.decider import Viewer
from events.errors import Rejected
from games.access import Look, names_of
from games.kernel import new_table
from games.narration import Narrator
from games.state import Game


def events(look: Look, since: int, limit: int, *, proof: bool = False, text: bool = False) -> list[dict[str, Any]]:
    """The events after `since`, redacted; if wanted with what they say in words, and with what proves them. None that
    came after the look: by then the seat may be somebody else's."""
    found = []
    for event in store.read(look.stream, since, upto=look.head.seq, limit=limit):
        seen = history.seen(event, look.viewer)
        if proof:
            seen["proof"] = history.proof(event, look.head.key, look.viewer)
        found.append(seen)
    words = texts.named_in(seen["action"] for seen in found)
    for seen in found if words else ():
        if said := {name: words[value["text"]] for name, value in seen["action"].items()
                    if texts.is_reference(value) and value["text"] in words}:  # fmt: skip
            seen["words"] = said
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
    names = names_of([chair.actor for chair in game.chairs if chair.actor])
    return [names.get(chair.actor) or f"{chair.bot or 'seat'} {seat}" for seat, chair in enumerate(game.chairs)]


def at(look: Look, seq: int) -> Look:
    """The same game for the same viewer, right after event `seq`."""
    return Look(heads.at(look.stream, seq), look.actor, look.viewer)


def verify(look: Look) -> dict[str, Any]:
    """What holds and what does not. The check opens every seal; how it went in detail is only for those who may."""
    report = verification.check(look.stream).as_dict()
    if look.viewer != "table":
        report["about"] = look.stream
        for finding in report["sections"].values():
            finding["detail"] = ""
    return report


def viewer_named(name: str, seats: int) -> Viewer:
    """`as=` of a query: a seat, `public` or `table`."""
    if name == "table":
        return "table"
    if name == "public":
        return None
    if name.isdecimal() and int(name) < seats:
        return int(name)
    raise Rejected("illegal", f"`as` is a seat from 0 to {seats - 1}, `public` or `table`.")
