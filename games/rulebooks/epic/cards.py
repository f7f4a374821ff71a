"""The 120 cards, the tokens and the counters as data (EP-3.1, section 5), and what the engine often looks up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from msgspec import Struct

Data = dict[str, Any]
"""An ability, an operation, a filter, a selector, a cost: the closed vocabulary of section 5."""


class CardDef(Struct, frozen=True):
    """One card or token as printed."""

    id: str
    name: str
    type: str
    alignment: str
    origin: str
    keywords: tuple[Data, ...] = ()
    abilities: tuple[Data, ...] = ()
    cost: str = "free"
    speed: str = "build"
    instantaneous: bool = False
    offense: int = 0
    defense: int = 0
    rarity: str = ""
    gift: bool = False
    provenance: str = ""
    token: bool = False
    plain: frozenset[str] = frozenset()
    """Keywords as words: "airborne", "ward:evil"."""
    damage_ward: int = 0
    kinds: frozenset[str] = frozenset()
    """What an X ward asks about a source: alignment, origin, type (EP-16.14)."""
    rules: frozenset[str] = frozenset()
    """Permissions and prohibitions about the card itself."""


SELF_RULES = {"enters_expended", "must_attack", "may_not_attack", "may_not_block", "blocks_without_flipping"}


def word(keyword: Data) -> str:
    """A keyword as one word; a ward names what it is against."""
    return f"ward:{keyword['x']}" if "x" in keyword else str(keyword["kw"])


def _define(form: Data, *, token: bool = False) -> CardDef:
    keywords = tuple(form["keywords"])
    abilities = tuple(form.get("abilities", ()))
    own = [a for a in abilities if a["kind"] == "continuous" and a["class"] == "rule" and a["affects"] == "self"]
    return CardDef(
        id=form["name"] if token else form["id"], name=form["name"], type=form["type"], alignment=form["alignment"],
        origin=form["origin"], keywords=keywords, abilities=abilities, cost=form.get("cost", "free"),
        speed=form.get("speed", "build"), instantaneous=form.get("instantaneous", False),
        offense=form["offense"] or 0, defense=form["defense"] or 0, rarity=form.get("rarity", ""),
        gift=form.get("gift", False), provenance=form["provenance"], token=token,
        plain=frozenset(word(keyword) for keyword in keywords if keyword["kw"] != "damage_ward"),
        damage_ward=sum(keyword["n"] for keyword in keywords if keyword["kw"] == "damage_ward"),
        kinds=frozenset((form["alignment"], form["origin"], form["type"])),
        rules=frozenset(mod["rule"] for ability in own for mod in ability["mods"]),
    )  # fmt: skip


_DATA: Data = json.loads((Path(__file__).parent / "cards.json").read_text())
SET: tuple[CardDef, ...] = tuple(_define(form) for form in _DATA["cards"])
TOKENS: dict[str, CardDef] = {form["name"]: _define(form, token=True) for form in _DATA["tokens"]}
CARDS: dict[str, CardDef] = {card.id: card for card in SET} | TOKENS
BY_NAME: dict[str, CardDef] = {card.name: card for card in SET} | {
    alias: CARDS[form["id"]] for form in _DATA["cards"] for alias in form.get("aliases", ())
}
COUNTERS: dict[str, Data] = {form["kind"]: form["continuous"] for form in _DATA["counters"] if form["continuous"]}
PACK: Data = _DATA["pack_recipe"]
LISTS: Data = _DATA["legality_lists"]
LIMITS: Data = _DATA["designed_deck_limits"]


def _indexed(kind: str) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for card in CARDS.values():
        if places := [index for index, ability in enumerate(card.abilities) if ability["kind"] == kind]:
            found[card.id] = places
    return found


ACTIVATED = _indexed("activated")
"""Card key → which of its abilities are activated."""
WHEN: dict[str, dict[str, list[int]]] = {}
"""Trigger event → card key → which of its abilities wait for it."""
AS: dict[str, dict[str, list[int]]] = {}
for _table, _kind in ((WHEN, "when"), (AS, "as")):
    for _key, _places in _indexed(_kind).items():
        for _place in _places:
            _table.setdefault(CARDS[_key].abilities[_place]["event"]["on"], {}).setdefault(_key, []).append(_place)

CONTINUOUS: dict[str, list[Data]] = {
    card.id: found
    for card in CARDS.values()
    if (
        found := [
            ability
            for ability in card.abilities
            if ability["kind"] == "continuous" and not (ability["class"] == "rule" and ability["affects"] == "self")
        ]
    )
}
"""What a card does all the time to others, to players, or to itself beyond a plain rule about itself."""


ABOUT_THAT = {
    (card.id, index)
    for card in SET
    for index, ability in enumerate(card.abilities)
    if ability["kind"] == "when" and '"that' in json.dumps(ability["do"])
}
"""Triggers whose text asks what they are about: that player, that damage."""


def ability_key(key: str, index: int) -> str:
    """How an ability on the line is named: the card and which of its abilities."""
    return f"{key}:{index}"


def on_resolve(key: str) -> int:
    """Which ability of an event says what it does."""
    return next(index for index, ability in enumerate(CARDS[key].abilities) if ability["kind"] == "on_resolve")


def is_ability(key: str) -> bool:
    return ":" in key


def printed(key: str) -> CardDef:
    """The card of this key; for an ability on the line, its source's."""
    return CARDS[key.partition(":")[0]]


def noun(key: str) -> str:
    """A card's name for people."""
    return f"{printed(key).name}'s ability" if is_ability(key) else CARDS[key].name
