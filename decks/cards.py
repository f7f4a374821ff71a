"""The card catalogue: every rulebook's cards in one form, with their generated text and their data. Read once."""

from __future__ import annotations

import importlib
import json
import unicodedata
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from events.canonical import digest
from games.kernel import names as rulebook_names
from games.kernel import rulebook

RULEBOOKS = Path(__file__).resolve().parent.parent / "games" / "rulebooks"


class Card(Struct, frozen=True, kw_only=True):
    """One card as a deck builder looks for it. `data` is what the rules run, and `text` is made from it."""

    rulebook: str
    key: str
    name: str
    type: str = ""
    cost: str | int | None = None
    keywords: list[str] = []
    text: str = ""
    set: str = ""
    aliases: list[str] = []
    data: dict[str, Any] = {}


# --- one reader per rulebook ---


def _theos() -> Iterator[Card]:
    from games.rulebooks.theos import text
    from games.rulebooks.theos.cards import CARDS

    for key, card in CARDS.items():
        statuses = sorted({ability.status for ability in card.abilities if ability.status})
        yield Card(
            rulebook="theos", key=key, name=card.name, type=card.type, text="\n".join(text.card(card)), set="prayers",
            keywords=[card.god, *statuses], data=msgspec.to_builtins(card),
        )  # fmt: skip


def _epic() -> Iterator[Card]:
    from games.rulebooks.epic.cards import SET, word
    from games.rulebooks.epic.text import text

    forms = _document("epic")
    raw = {form["id"]: form for form in forms["cards"]}
    for card in SET:
        yield Card(
            rulebook="epic", key=card.id, name=card.name, type=card.type, cost=card.cost, text=text(card),
            set=forms["set"]["code"], keywords=[word(keyword) for keyword in card.keywords],
            aliases=raw[card.id].get("aliases", []), data=raw[card.id],
        )  # fmt: skip


def _titans() -> Iterator[Card]:
    from games.rulebooks.titans.cards import CARDS

    for key, card in CARDS.items():
        yield Card(
            rulebook="titans", key=key, name=card.name, type=card.species, cost=card.cost, set="titans",
            keywords=[card.element, *(ability.label for ability in card.abilities)],
            text="\n".join(ability.text for ability in card.abilities),
            data={"element": card.element, "species": card.species, "cost": card.cost, "power": card.power,
                  "abilities": [ability.text for ability in card.abilities], "status": card.status},
        )  # fmt: skip


READERS: dict[str, Callable[[], Iterator[Card]]] = {"theos": _theos, "epic": _epic, "titans": _titans}


def _plain(name: str) -> Iterator[Card]:
    """A rulebook without a reader of its own: every record of its cards.json that has an id and a name."""
    sentences = _text_of(name)
    for form in _records(_document(name)):
        yield Card(
            rulebook=name, key=form["id"], name=form["name"], type=str(form.get("type", "")), cost=form.get("cost"),
            keywords=[str(word) for word in form.get("traits", form.get("keywords", [])) if isinstance(word, str)],
            text=sentences(form), set=name, data=form,
        )  # fmt: skip


def _document(name: str) -> Any:
    path = RULEBOOKS / name / "cards.json"
    return json.loads(path.read_text()) if path.exists() else {}


def _records(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if isinstance(value.get("id"), str) and isinstance(value.get("name"), str) and ("type" in value):
            yield value
        for inner in value.values():
            yield from _records(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _records(inner)


def _text_of(name: str) -> Callable[[dict[str, Any]], str]:
    try:
        sentences = importlib.import_module(f"games.rulebooks.{name}.text").printed
    except (ImportError, AttributeError):
        return lambda form: str(form.get("text", ""))
    return lambda form: str(sentences(form["id"]))


# --- reading ---


@cache
def catalogue(name: str) -> dict[str, Card]:
    """The cards of a rulebook by key, in the order of its list. Empty for games that are played without a set."""
    return {card.key: card for card in (READERS[name]() if name in READERS else _plain(name))}


@cache
def version(name: str) -> str:
    """Changes when any card of the rulebook does."""
    return digest("cards", msgspec.json.encode(list(catalogue(name).values()), order="sorted")).hex()[:16]


def sets() -> list[str]:
    """The rulebooks that have cards."""
    return [name for name in rulebook_names() if catalogue(name)]


def rulebook_id(name: str) -> str:
    return rulebook(name).id


def search(name: str | None, /, **wanted: Any) -> list[Card]:
    """Cards that fit everything that is wanted, in the order of the lists."""
    tests = [TESTS[field](value) for field, value in wanted.items() if value is not None]
    listed = sets() if name is None else [name]
    return [card for one in listed for card in catalogue(one).values() if all(test(card) for test in tests)]


def folded(text: str) -> str:
    """As people type it: no case, no accents, straight quotes, single spaces."""
    text = unicodedata.normalize("NFKD", text.replace("’", "'").replace("‘", "'"))
    return " ".join("".join(c for c in text if not unicodedata.combining(c)).casefold().split())


def _contains(read: Callable[[Card], str]) -> Callable[[str], Callable[[Card], bool]]:
    return lambda value: lambda card: folded(value) in folded(read(card))


TESTS: dict[str, Callable[[Any], Callable[[Card], bool]]] = {
    "name": _contains(lambda card: " / ".join([card.name, *card.aliases])),
    "text": _contains(lambda card: card.text),
    "type": lambda value: lambda card: folded(card.type) == folded(value),
    "set": lambda value: lambda card: folded(card.set) == folded(value),
    "cost": lambda value: lambda card: folded(str(card.cost)) == folded(value),
    "keyword": lambda value: lambda card: any(folded(value) in folded(word) for word in card.keywords),
}


@cache
def _by_name(name: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for card in catalogue(name).values():
        for called in (card.key, card.name, *card.aliases):
            found.setdefault(folded(called), card.key)
    return found


def key_of(name: str, called: str) -> str | None:
    """The card of this key, name or alias, however it is typed."""
    return _by_name(name).get(folded(called))


def close_to(name: str, called: str) -> list[str]:
    """Names that somebody who typed this may have meant, the closest first."""
    known = _by_name(name)
    found = get_close_matches(folded(called)[:80], known, n=3, cutoff=0.72)
    return list(dict.fromkeys(catalogue(name)[known[match]].name for match in found))
