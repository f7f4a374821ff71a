"""How the log of a draft reads: who took what and passed how much, as far as the reader may know it.

A seat reads its own packs and picks while the draft is on; everybody reads everything once the seals are open.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.kernel.narrate import Teller, listed

from .book import book
from .packs import ASIDE, STOCK, TABLE

Form = dict[str, Any]


def number(n: int, noun: str = "card") -> str:
    return f"a {noun}" if n == 1 else f"{n} {noun}s"


def named(tell: Teller, form: Form) -> str:
    """The cards where the reader knows them, else how many there are."""
    return tell.cards(form["keys"]) if "keys" in form else number(form.get("n", 1))


def with_names(tell: Teller, form: Form) -> str:
    """ "15 cards: this, that and the other", or only "15 cards"."""
    count = number(form.get("n", 1))
    return f"{count}: {tell.cards(form['keys'])}" if "keys" in form else count


def parted(zone: str) -> tuple[str, int]:
    """The kind of a zone and the seat it belongs to."""
    name, _, seat = zone.partition(":")
    return name, int(seat or 0)


def moved(tell: Teller, form: Form) -> str:
    (source, _), (to, seat) = parted(form["src"]), parted(form["to"])
    who, alone = tell.player(seat), form.get("n", 1) == 1
    if source == to:
        return ""  # shuffled
    match source, to:
        case (_, "deck"):
            return f"{who} builds a deck of {with_names(tell, form)}."
        case (_, "sideboard"):
            return f"{who} has a sideboard of {with_names(tell, form)}."
        case ("stock", "pool"):
            return f"{who} gets the top card of the stock{f': {named(tell, form)}' if 'keys' in form else ''}."
        case ("pile", "pool") if "keys" not in form:
            return ""  # that the pile was taken is said
        case (_, "pool"):
            return f"{who} takes {named(tell, form)}."
        case ("stock", "table"):
            return f"laid out: {named(tell, form)}."
        case ("pack", _) if form["to"] == ASIDE:
            return f"{named(tell, form)} {'is' if alone else 'are'} burned."
        case ("table", _) if form["to"] == ASIDE:
            return f"nobody takes {named(tell, form)}."
    return ""


def made(tell: Teller, form: Form) -> str:
    zone, seat = parted(form["zone"])
    if form["zone"] == TABLE:
        return f"on the table lie {with_names(tell, form)}."
    if form["zone"] == STOCK:
        return f"the stock has {number(form.get('n', 1))} more."
    return f"{tell.player(seat)} opens {with_names(tell, form)}." if zone == "pool" else ""


def looked(tell: Teller, form: Form) -> str:
    """Only what one sees oneself is worth a sentence: the pack in hand, a pile."""
    if "keys" not in form:
        return ""
    zone, place = parted(form["zone"])
    seats = [tell.player(seat) for seat in range(form["seats"].bit_length()) if form["seats"] >> seat & 1]
    what = f"pile {place + 1}" if zone == "pile" else "the next pack"
    return f"{listed(seats)} looks at {what}, {with_names(tell, form)}."


def round_begins(tell: Teller, form: Form) -> str:
    way = "left" if form["value"] % 2 else "right"
    return f"pack {form['value']}: everybody opens a pack; the rest of it goes to the {way}."


def queued(tell: Teller, form: Form) -> str:
    """Where packs pile up: who is waited for."""
    waiting = [(seat, len(packs)) for seat, packs in enumerate(form["value"]) if len(packs) > 1]
    return "; ".join(f"{tell.player(seat)} has {count} packs waiting" for seat, count in waiting) + "." * bool(waiting)


def of_pile(tell: Teller, form: Form) -> str:
    verb = "takes" if form["choice"] == "take" else "leaves"
    return f"{tell.player(form['seat'])} {verb} pile {form['pile']}."


def ended(tell: Teller, form: Form) -> str:
    return "the draft is over." if form["result"] == "drafted" else "nobody is left: the draft comes to nothing."


LEAVES_AND_ENDS: dict[str, str | Callable[[Teller, Form], str]] = {
    "out": "{seat!p} is out; the house picks for that seat from now on.",
    "end": ended,
}
SENTENCES: dict[str, str | Callable[[Teller, Form], str]] = LEAVES_AND_ENDS | {
    "move": moved, "make": made, "look": looked, "set:round": round_begins, "set:queues": queued, "winston": of_pile,
    "answer:pick_line": "{who} takes {told}.",
    **dict.fromkeys(
        ("zone", "give", "draw", "mark:place", "count:picks", "answer:pick_cards", "sealed:pick_cards",
         "answer:pick_card", "answer:take_or_leave", "answer:build_deck", "answer:build_sideboard"), ""),
    "sealed:build_deck": "{who} has built a deck.",
    "sealed:build_sideboard": "{who} has chosen a sideboard.",
}  # fmt: skip
book.sentences.update(SENTENCES)
