"""Formats as data: what a deck is made of and how far each limit goes, with the rule that says so.

A format names its sections and its limits. What a limit means is in checking.py, one function each; a new format is a
new entry here. Numbers come from the rulebooks' own data wherever they stand there.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec import Struct

from games.rulebooks.epic.cards import LIMITS as EPIC
from games.rulebooks.epic.cards import LISTS as EPIC_LISTS
from games.rulebooks.theos.cards import LIMITS as THEOS
from games.rulebooks.theos.cards import SETS as THEOS_SETS
from games.rulebooks.titans.cards import ELEMENTS
from games.rulebooks.titans.spellbooks import COPIES, SIZE

Limit = dict[str, Any]


class Format(Struct, frozen=True, kw_only=True):
    """`options` go with it when a game is made; `needs_pool`: the cards come from packs or a draft of one's own."""

    id: str
    rulebook: str
    title: str
    sections: list[str]
    limits: list[Limit]
    options: dict[str, Any] = {}
    needs_pool: bool = False
    rules: str = ""


SIDEBOARD = {"limit": "size", "section": "sideboard", "one_of": EPIC["sideboard"], "rule": "EP-18.1"}
FROM_POOL = {"limit": "pool", "rule": "EP-17.2"}
LEGALITY = [
    {"name": "print", "from": "2015-07-01", **EPIC_LISTS["print"]},
    {"name": "later", "from": "2016-03-01", **EPIC_LISTS["later"]},
]
"""EP-17.7: versioned configuration; the list in force is the last one whose day has come. The days are this service's
own: the rulebook has none."""


def _epic_pool(name: str, title: str, least: int, rule: str, packs: int, **more: Any) -> Format:
    return Format(
        id=f"epic/{name}", rulebook="epic", title=title, sections=["deck", "sideboard"], needs_pool=True, rules=rule,
        limits=[
            {"limit": "size", "section": "deck", "least": least, "rule": rule}, SIDEBOARD, FROM_POOL | {"rule": rule},
            *more.pop("limits", []),
        ],
        options={"format": "sealed", "packs": packs} | more,
    )  # fmt: skip


def _theos(name: str, title: str, rule: str, size: int, *limits: Limit, **more: Any) -> Format:
    return Format(
        id=f"theos/{name}", rulebook="theos", title=title, sections=["deck"], rules=rule,
        limits=[
            {"limit": "size", "section": "deck", "one_of": [size], "rule": "TH-4.1"},
            {"limit": "copies", "most": 1, "rule": "TH-4.2"}, *limits,
        ],
        **more,
    )  # fmt: skip


def _titans(name: str, title: str, *sections: str) -> Format:
    sizes = [{"limit": "size", "section": one, "one_of": [SIZE], "rule": "TI-2.21"} for one in sections]
    return Format(
        id=f"titans/{name}", rulebook="titans", title=title, sections=list(sections), rules="TI-2.20",
        limits=[
            *sizes, {"limit": "copies", "most": COPIES, "each_section": True, "rule": "TI-2.21"},
            {"limit": "only", "field": "element", "values": list(ELEMENTS), "called": "elementals", "rule": "TI-2.21"},
        ],
        options={"mode": "constructed"},
    )  # fmt: skip


PRINTED = {one.name: list(one.cards) for printed in THEOS_SETS.values() for one in printed.decks}
ROSTERS = {one.name: list(one.cards) for printed in THEOS_SETS.values() for one in printed.rosters}
SMALL, LARGE = THEOS.deck_size[6], THEOS.deck_size[2]

ALL = [
    Format(
        id="epic/designed", rulebook="epic", title="Epic: designed deck", sections=["deck", "sideboard"],
        rules="EP-17.6", options={"format": "designed"},
        limits=[
            {"limit": "size", "section": "deck", "least": EPIC["min_deck"], "rule": "EP-17.6"},
            SIDEBOARD,
            {"limit": "copies", "most": EPIC["max_copies"], "rule": "EP-17.6"},
            {"limit": "with", "field": "cost", "value": "free", "most": EPIC["max_free"], "rule": "EP-17.6"},
            {"limit": "with", "field": "gift", "value": True, "most": EPIC["max_gift"], "rule": "EP-17.6"},
            {"limit": "listed", "restricted": EPIC["max_restricted_copies"], "lists": LEGALITY, "rule": "EP-17.7"},
        ],
    ),
    _epic_pool("sealed-2", "Epic: Sealed Pack 2", 30, "EP-17.2", 2, limits=[{"limit": "all", "rule": "EP-17.2"}]),
    _epic_pool("sealed", "Epic: Sealed Pack 3 and more", 30, "EP-17.2", 3),
    _epic_pool("pack-war", "Epic: Pack War", 15, "EP-17.4", 1, limits=[{"limit": "all", "rule": "EP-17.4"}],
               format="pack_war"),
    _epic_pool("draft", "Epic: Draft", 30, "EP-17.5", 2),
    _theos("prebuilt", "Theos: printed decks", "TH-4.5", LARGE,
           {"limit": "printed", "lists": PRINTED, "exactly": True, "rule": "TH-4.7"}),
    _theos("roster", "Theos: rosters", "TH-4.30", LARGE,
           {"limit": "printed", "lists": ROSTERS, "exactly": False, "rule": "TH-4.31"}),
    _theos("host-made", "Theos: decks made by the host, 2 to 5 players", "TH-4.5", LARGE),
    _theos("host-made-6", "Theos: decks made by the host, 6 players", "TH-4.8", SMALL),
    _theos("draft", "Theos: drafted decks, 2 to 5 players", "TH-4.9", LARGE,
           {"limit": "pool", "rule": "TH-4.2"}, {"limit": "all", "rule": "TH-4.1"}, needs_pool=True),
    _theos("draft-6", "Theos: drafted decks, 6 players", "TH-4.20", SMALL,
           {"limit": "pool", "rule": "TH-4.2"}, {"limit": "all", "rule": "TH-4.1"}, needs_pool=True),
    _titans("constructed", "Titans: constructed", "spellbook"),
    _titans("constructed-solo", "Titans: constructed, one player with two arenas", "spellbook", "spellbook 2"),
]  # fmt: skip

_BY_ID = {one.id: one for one in ALL}


def format_named(name: str) -> Format:
    """Raises LookupError with the formats there are."""
    if name not in _BY_ID:
        raise LookupError(f"there is no format {name!r}; there are {', '.join(_BY_ID)}")
    return _BY_ID[name]


@cache
def formats_of(rulebook: str) -> list[Format]:
    return [one for one in ALL if one.rulebook == rulebook]
