"""What happened, in sentences. The kernel tells the table's effects; here is what lies around it. A pure function of
what the viewer may see: what is hidden is not told."""

from collections.abc import Sequence
from typing import Any

from events.decider import Viewer
from events.participants import ARBITER
from games.evolution import OURS
from games.kernel import Table, rulebook, view
from games.kernel.narrate import Teller

Record = dict[str, Any]

ACTIONS: dict[str, str] = {
    "create": "A {kind} of {rulebook} is made, for {seats}.",
    "leave": "{who} leaves.",
    "ready": "{who} is ready.",
    "start": "Everybody is ready; the {kind} begins.",
    "abort": "The {kind} is called off ({why}).",
    "concede": "{who} concedes.",
    "timeout": "{whose} has run out of time on {decision}.",
    "offer": "{who} offers a {offer}.",
    "accept": "{who} accepts.",
    "decline": "{who} declines.",
    "hand_over": "{who} hands the seat over to {to}.",
    "reseat": "A judge hands {whose} over to {to}.",
    "take_over": "Another player takes over for {who}.",
    "dispute": "{who} disputes what happened at event {about}.",
    "settle": "A judge settles dispute {dispute}: {finding}.",
    "ruling": "A judge rules: {ruling}.",
    "rewind": "A judge takes the game back to event {to} ({mode}).",
    "pause": "A judge stops the clocks.",
    "resume": "The {kind} goes on.",
    "open": "The seals are opened: everybody may see everything.",
}
IN_DRAFTS: dict[str, str] = {
    "create": "A draft ({rulebook}) is made, for {seats}.",
    "concede": "{who} drops out.",
    "timeout": "Time is up for {whose}: the house picks.",
}
EFFECTS: dict[str, str] = {
    "void": "The {kind} comes to nothing ({why}).",
    "paused": "The {kind} is paused.",
    "resumed": "The {kind} goes on.",
    "rematch": "The rematch is {game}.",
    "clock": "The clock of {who} is set to {bank} ms.",
}


class Narrator:
    """Tells the events of one game to one viewer, in order, from where `table` stands."""

    def __init__(self, book: str, table: Table, viewer: Viewer, players: Sequence[str] = ()) -> None:
        self.teller = Teller(rulebook(book), viewer, players)
        self.actions = ACTIONS | (IN_DRAFTS if self.teller.book.kind == "draft" else {})
        if table.rulebook:
            self.teller.learn(view(table, viewer))

    def tell(self, seen: Record) -> list[str]:
        """The sentences of one event, as `events.history.seen` shows it."""
        lines = []
        if sentence := self.actions.get(seen["do"]):
            lines.append(sentence.format_map(_Words(seen["action"], seen["by"], self.teller)))
        for effect in seen["effects"]:
            if effect["e"] == "seated":
                lines.append(_seated(effect, self.teller))
            elif sentence := EFFECTS.get(effect["e"]):
                lines.append(sentence.format_map(_Words(effect, seen["by"], self.teller)))
        lines += [f"In their words ({name}): “{words}”" for name, words in seen.get("words", {}).items()]
        return lines + self.teller.tell([effect for effect in seen["effects"] if effect["e"] not in OURS])


def _seated(effect: Record, teller: Teller) -> str:
    who = f"a bot ({effect['bot']})" if effect.get("bot") else "a player"
    number = "a number of its own" if effect.get("number_commit") else "a house number"
    return f"{teller.player(effect['seat'])}: {who} takes the seat, with {number}."


class _Words(dict[str, Any]):
    """The fields of a record; what is not there, or not for this viewer, stays unsaid."""

    def __init__(self, record: Record, by: str, teller: Teller) -> None:
        seat, of = record.get("seat"), record.get("of")
        who = "The house" if by == ARBITER else "Somebody without a seat" if seat is None else teller.player(seat)
        whose = "" if of is None else teller.player(of)
        super().__init__(record | {"by": by, "who": who, "whose": whose, "kind": teller.book.kind})

    def __missing__(self, key: str) -> str:
        return "…"
