"""The record as sentences, for one viewer: told only from what that viewer gets.

A rulebook lends its words: `noun` for cards, `place` for zones, and `book.sentences`, keyed by the word of a `say`, or
"answer:<kind>" ("sealed:<kind>" for who may not read it), "count:<name>", "mark:<name>", "pose:<pose>",
"set:<variable>", or the effect's tag. A sentence is a template or a function (teller, fields) -> text; an empty one
tells nothing. In templates `{x!c}` names cards (ids or keys), `{x!p}` players (seat numbers), `{x!z}` a zone,
`{x!o}` an answer.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Sequence
from typing import Any

from .rulebook import Rulebook
from .table import PUBLIC, Viewer
from .views import redact_all

Form = dict[str, Any]
_CARD = re.compile(r"\bc\d+\b")
_SEAT = re.compile(r"s(\d+)")


class Teller(string.Formatter):
    """Tells the events of one game to one viewer, in order, and remembers which card is which."""

    def __init__(self, book: Rulebook, viewer: Viewer = None, players: Sequence[str] = ()) -> None:
        self.book = book
        self.viewer = viewer
        self.players = players
        self.keys: dict[str, str] = {}
        self.zones: set[str] = set()

    def tell(self, effects: Sequence[Form]) -> list[str]:
        """The sentences of one event, from its effects (whole ones: this viewer's part is told)."""
        told = [self._sentence(form) for form in redact_all(effects, self.viewer)]
        return [sentence[0].upper() + sentence[1:] for sentence in told if sentence]

    def learn(self, view: Form) -> None:
        """Start in the middle: what this viewer's view shows is known."""
        for name, zone in view["zones"].items():
            self.zones.add(name)
            for card in zone.get("cards", []):
                if card and "key" in card:
                    self.keys[card["id"]] = card["key"]

    # -- words ------------------------------------------------------------------------------------------------------

    def player(self, seat: int) -> str:
        return self.players[seat] if seat < len(self.players) else f"seat {seat}"

    def card(self, card: str) -> str:
        """A card by id or key, as far as the viewer knows it."""
        key = self.keys.get(card, "" if _CARD.fullmatch(card) else card)
        return self.book.name_of(key) if key else "a card"

    def cards(self, cards: str | Sequence[str]) -> str:
        names = [self.card(card) for card in ([cards] if isinstance(cards, str) else cards)]
        known = [name for name in names if name != "a card"]
        unknown = len(names) - len(known)
        return listed(known + ([_number(unknown, "card")] if unknown else []))

    def place(self, zone: str) -> str:
        if hook := self.book.hooks.get("place"):
            return str(hook(zone))
        name, _, seat = zone.partition(":")
        return f"{self.player(int(seat))}'s {name}" if seat.isdigit() else f"the {name}"

    def thing(self, on: str) -> str:
        return self.player(int(on[1:])) if on[0] == "s" else self.card(on)

    def answer(self, value: Any) -> str:
        if isinstance(value, list):
            return listed([self.answer(one) for one in value]) or "nothing"
        if isinstance(value, dict):
            return listed([f"{self.option(name)}: {self.answer(share)}" for name, share in value.items()]) or "nothing"
        return self.option(str(value))

    def option(self, option: str) -> str:
        if seat := _SEAT.fullmatch(option):
            return self.player(int(seat[1]))
        return _CARD.sub(lambda found: self.card(found[0]), option).replace(":", " ").replace("_", " ")

    def convert_field(self, value: Any, conversion: str | None) -> Any:
        if conversion == "c":
            return self.cards(value)
        if conversion == "p":
            return listed([self.player(seat) for seat in ([value] if isinstance(value, int) else value)])
        if conversion == "z":
            return self.place(value)
        if conversion == "o":
            return self.answer(value)
        return super().convert_field(value, conversion)

    def phrase(self, name: str, fields: Form) -> str | None:
        """The rulebook's own sentence under this name; None if it has none."""
        sentence: Any = self.book.sentences.get(name)
        if sentence is None:
            return None
        return str(sentence(self, fields)) if callable(sentence) else self.vformat(sentence, (), fields)

    # -- sentences --------------------------------------------------------------------------------------------------

    def _sentence(self, form: Form) -> str:
        """What the effect says is worded before it is remembered: a card is called what it was."""
        kind = form["e"]
        if kind == "make":
            self._remember(form.get("cards"), form.get("keys"))
        sentence = self.phrase(kind, form)
        if sentence is None:
            sentence = _SENTENCES[kind](self, form) if kind in _SENTENCES else ""
        self._note(form)
        return sentence

    def _note(self, form: Form) -> None:
        kind = form["e"]
        if kind == "move":
            old = form.get("cards")
            keys = form.get("keys") or (old and [self.keys.get(card, "") for card in old])
            for card in old or ():
                self.keys.pop(card, None)
            self._remember(form.get("new"), keys)
        elif kind in ("know", "look"):
            self._remember(form.get("cards"), form.get("keys"))
        elif kind == "zone":
            self.zones.add(form["zone"])

    def _remember(self, cards: Sequence[str] | None, keys: Sequence[str] | None) -> None:
        if cards and keys:
            self.keys.update((card, key) for card, key in zip(cards, keys, strict=True) if key)

    def _begin(self, form: Form) -> str:
        return f"{self.book.title} begins with {_number(len(form['teams']), 'player')}."

    def _zone(self, form: Form) -> str:
        if form["zone"] not in self.zones:
            return ""
        seats = form["faces"]
        who = "everybody" if seats == PUBLIC else listed(_seats(self, seats)) or "nobody"
        return f"{who} may now look into {self.place(form['zone'])}."

    def _make(self, form: Form) -> str:
        count = form.get("n", 1)
        cards = self.cards(form["keys"]) if "keys" in form and count <= 6 else _number(count, "card")
        return f"{cards} {_are(form)} laid into {self.place(form['zone'])}."

    def _move(self, form: Form) -> str:
        moved = self.cards(form["keys"]) if "keys" in form else _number(form.get("n", 1), "card")
        verb = "goes" if form.get("n", 1) == 1 else "go"
        down = ", face down" if form.get("down") else ""
        if form["src"] == form["to"]:
            return f"{moved} {verb} to another place in {self.place(form['to'])}{down}."
        return f"{moved} {verb} from {self.place(form['src'])} to {self.place(form['to'])}{down}."

    def _gone(self, form: Form) -> str:
        return f"{self.cards(form.get('keys') or ['c0'])} {_are(form)} gone."

    def _pose(self, form: Form) -> str:
        card = self.card(form.get("card", "c0"))
        own = self.phrase(f"pose:{form.get('pose', '')}", {**form, "card": card})
        return f"{card} is turned {form.get('pose') or 'back'}." if own is None else own

    def _count(self, form: Form) -> str:
        on, by, name = self.thing(form.get("on", "c0")), form["by"], form["name"]
        own = self.phrase(f"count:{name}", {**form, "on": on, "by": abs(by), "gains": "gains" if by > 0 else "loses"})
        return f"{on} {'gains' if by > 0 else 'loses'} {abs(by)} {name}." if own is None else own

    def _mark(self, form: Form) -> str:
        on, value = self.thing(form.get("on", "c0")), form.get("value")
        own = self.phrase(f"mark:{form['name']}", {**form, "on": on, "value": value})
        if own is not None:
            return own
        if value is None:
            return f"{on} is no longer marked {form['name']}."
        return f"{on} is marked {form['name']}{'' if value is True else f' ({self.answer(value)})'}."

    def _give(self, form: Form) -> str:
        return f"{self.player(form['ctrl'])} now controls {self.card(form.get('card', 'c0'))}."

    def _attach(self, form: Form) -> str:
        card = self.card(form.get("card", "c0"))
        return f"{card} is attached to {self.card(form['to'])}." if form.get("to") else f"{card} is taken off."

    def _know(self, form: Form) -> str:
        if "keys" not in form:
            return "a card is turned face down." if form.get("down") else "a card is shown to others."
        return f"{self.cards(form['keys'])} {'lies face down' if form.get('down') else 'is seen'}."

    def _look(self, form: Form) -> str:
        who = "everybody" if form["seats"] == PUBLIC else listed(_seats(self, form["seats"]))
        seen = self.cards(form["keys"]) if "keys" in form else _number(form.get("n", 1), "card")
        return f"{who} sees {seen} of {self.place(form['zone'])}."

    def _set(self, form: Form) -> str:
        return self.phrase(f"set:{form['name']}", form) or ""

    def _draw(self, form: Form) -> str:
        result = f": {self.answer(form['result'])}" if "result" in form and not form.get("zone") else ""
        return f"chance, draw {form['n']}: {form['label']}{result}."

    def _answer(self, form: Form) -> str:
        seat, kind = form["seat"], form["kind"]
        who = self.player(seat) if form.get("by", -1) < 0 else f"{self.player(form['by'])}, for {self.player(seat)},"
        if "value" not in form:
            own = self.phrase(f"sealed:{kind}", {**form, "who": who})
            return f"{who} has answered ({kind.replace('_', ' ')})." if own is None else own
        told = self.answer(form["value"])
        own = self.phrase(f"answer:{kind}", {**form, "who": who, "told": told})
        if own is not None:
            return own
        only = ", the only answer" if form.get("forced") else ""
        return f"{who} chooses {told} ({kind.replace('_', ' ')}{only})."

    def _out(self, form: Form) -> str:
        return f"{self.player(form['seat'])} leaves the game ({form['reason']})."

    def _end(self, form: Form) -> str:
        seats = form.get("winners", [])
        winners = listed([self.player(seat) for seat in seats])
        why = form.get("reason", "rules")
        won = f"{winners} {'win' if len(seats) > 1 else 'wins'}"
        how = {"win": won, "tie": f"a tie between {winners}", "loss": "the players lose", "void": "void"}
        return f"the game is over: {how.get(form['result'], form['result'])}{'' if why == 'rules' else f' ({why})'}."

    def _say(self, form: Form) -> str:
        fields = form.get("args", {})
        own = self.phrase(form["what"], fields)
        if own is not None:
            return own
        facts = ", ".join(f"{name} {self.answer(value)}" for name, value in fields.items())
        return f"{form['what']}{f': {facts}' if facts else ''}."

    def _restore(self, form: Form) -> str:
        return "the table is put back to an earlier moment."

    def _stops(self, form: Form) -> str:
        return "your standing passes are set."


_SENTENCES: dict[str, Callable[[Teller, Form], str]] = {
    "begin": Teller._begin, "zone": Teller._zone, "make": Teller._make, "move": Teller._move, "gone": Teller._gone,
    "pose": Teller._pose, "count": Teller._count, "mark": Teller._mark, "give": Teller._give,
    "attach": Teller._attach, "know": Teller._know, "look": Teller._look, "set": Teller._set, "draw": Teller._draw,
    "answer": Teller._answer, "out": Teller._out, "end": Teller._end, "say": Teller._say,
    "restore": Teller._restore, "stops": Teller._stops,
}


def listed(names: Sequence[str], joint: str = "and") -> str:
    """a, b and c"""
    return f"{', '.join(names[:-1])} {joint} {names[-1]}" if len(names) > 1 else "".join(names)


def _number(count: int, noun: str) -> str:
    return f"a {noun}" if count == 1 else f"{count} {noun}s"


def _are(form: Form) -> str:
    return "is" if form.get("n", 1) == 1 else "are"


def _seats(teller: Teller, seats: int) -> list[str]:
    return [teller.player(seat) for seat in range(seats.bit_length()) if seats >> seat & 1]
