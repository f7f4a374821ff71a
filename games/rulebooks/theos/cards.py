"""The 60 Prayer Cards as data, read once and typed.

The vocabulary of section 5 of the catalogue is closed: a field or an operation that is not named here
is refused when the file is read, so text (`text.py`) and behaviour (`abilities.py`) can never meet a word
that the other one does not know.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct, field

God = Literal["poseidon", "demeter", "hades", "gaia"]
CardType = Literal["betrayal", "offering", "power"]
Kind = Literal["instant", "power", "passive", "triggered"]
Status = Literal["devoted", "secluded"]
Event = Literal["add", "remove", "steal", "destroy", "raise", "empower", "reject"]
Who = Literal["self", "friendly", "enemy", "any", "yours", "event_card", "last"]

BLANK = "BLANK"
"""The key of every Blank (TH-9.4)."""


class Word(Struct, frozen=True, forbid_unknown_fields=True):
    """Part of the closed vocabulary."""


class Filter(Word, frozen=True):
    """The words that say which cards are meant (TH-12.5, section 5.2)."""

    who: Who
    state: Literal["raised", "destroyed", "unresolved"] = "raised"
    god: God | None = None
    type: CardType | None = None
    status: Status | None = None
    other: bool = False
    different: bool = False
    pick: Literal["one", "each", "up_to"] = "one"
    max_picks: int = 1


class Count(Word, frozen=True):
    """The "#" of a card: how many cards these words fit (TH-13.4)."""

    count: Filter


class Amount(Word, frozen=True):
    mode: Literal["exactly", "up_to", "all"]
    value: int | Count = 0


class Effect(Word, frozen=True, tag_field="op"):
    """One part of an ability. With `if_did` it needs the part before to have changed something (TH-12.8)."""

    if_did: bool = False


class Add(Effect, frozen=True, tag="add", kw_only=True):
    target: Filter
    amount: Amount


class Remove(Effect, frozen=True, tag="remove", kw_only=True):
    target: Filter
    amount: Amount


class Steal(Effect, frozen=True, tag="steal", kw_only=True):
    source: Filter = field(name="from")
    to: Filter
    amount: Amount


class Migrate(Effect, frozen=True, tag="migrate", kw_only=True):
    source: Filter = field(name="from")
    to: Filter
    amount: Amount


class Destroy(Effect, frozen=True, tag="destroy", kw_only=True):
    target: Filter


class Raise(Effect, frozen=True, tag="raise", kw_only=True):
    target: Filter


class Copy(Effect, frozen=True, tag="copy", kw_only=True):
    target: Filter
    abilities: Literal["instant", "power"]


class Swap(Effect, frozen=True, tag="swap", kw_only=True):
    target: Filter
    zone: Literal["hand", "deck"] = field(name="with")


class Empower(Effect, frozen=True, tag="empower", kw_only=True):
    target: Filter


class SetActive(Effect, frozen=True, tag="set_active", kw_only=True):
    realm: Literal["own", "any"]


class Immune(Effect, frozen=True, tag="immune", kw_only=True):
    scope: Filter
    to: tuple[Literal["remove", "steal", "destroy", "raise"], ...]
    source: Literal["enemy", "any"] = field(name="from")


class Accept(Effect, frozen=True, tag="accept", kw_only=True):
    scope: Filter


Transfer = Add | Remove | Steal | Migrate
"""What moves Followers."""
AnyEffect = Add | Remove | Steal | Migrate | Destroy | Raise | Copy | Swap | Empower | SetActive | Immune | Accept


class Trigger(Word, frozen=True):
    """What a "whenever" waits for (TH-14): something happening to a card, and by whose doing."""

    events: tuple[Event, ...]
    by: Literal["any", "enemy", "self"]
    card: Filter


class Ability(Word, frozen=True):
    id: str
    kind: Kind
    effects: tuple[AnyEffect, ...]
    text: str
    status: Status | None = None
    may: bool = False
    multi: bool = False
    trigger: Trigger | None = None


class Prayer(Word, frozen=True):
    """One Prayer Card. `speed` 1 is a Betrayal, 2-8 an Offering, 9-15 a Power (TH-9)."""

    id: str
    name: str
    god: God
    type: CardType
    speed: int
    god_speed: int
    god_speed_roman: str
    max: int
    abilities: tuple[Ability, ...]
    provenance: dict[str, str]

    def of_kind(self, kind: Kind) -> tuple[Ability, ...]:
        return tuple([ability for ability in self.abilities if ability.kind == kind])


class GodCard(Word, frozen=True):
    id: God
    letter: str
    name: str
    god_speed: int
    god_speed_roman: str


class PrintedList(Word, frozen=True):
    """One printed deck (12 cards) or roster (20 or 30)."""

    id: str
    name: str
    cards: tuple[str, ...]


Pair = tuple[God, God]


class PrintedSet(Word, frozen=True):
    id: str
    name: str
    listed_players: int
    pairs: tuple[Pair, Pair]
    decks: tuple[PrintedList, ...] = ()
    rosters: tuple[PrintedList, ...] = ()

    @property
    def lists(self) -> tuple[PrintedList, ...]:
        return self.decks or self.rosters


class Limits(Word, frozen=True):
    follower_supply: int
    blank_supply: None
    hand_size: int
    ascension_start: int
    ascension_floor: int
    deck_size: dict[int, int]


class Manual(Struct, frozen=True):
    """What the file holds, but its own description of itself."""

    gods: tuple[GodCard, ...]
    default_pairs: tuple[Pair, Pair]
    limits: Limits
    cards: tuple[Prayer, ...]
    prebuilt_sets: tuple[PrintedSet, ...]
    roster_sets: tuple[PrintedSet, ...]


MANUAL = msgspec.json.decode((Path(__file__).parent / "cards.json").read_bytes(), type=Manual)

LIMITS = MANUAL.limits
GODS: dict[str, GodCard] = {god.id: god for god in MANUAL.gods}
CARDS: dict[str, Prayer] = {card.id: card for card in MANUAL.cards}
SETS: dict[str, PrintedSet] = {printed.id: printed for printed in (*MANUAL.prebuilt_sets, *MANUAL.roster_sets)}
LISTS: dict[str, PrintedList] = {one.id: one for printed in SETS.values() for one in printed.lists}
ABILITIES: dict[str, Ability] = {ability.id: ability for card in MANUAL.cards for ability in card.abilities}


@cache
def speed(key: str) -> tuple[int, int]:
    """TH-6.6: Speed, then God Speed; lower is faster, and no two cards have the same pair."""
    card = CARDS[key]
    return card.speed, card.god_speed


def printed_name(key: str) -> str:
    return "Blank" if key == BLANK else f"{key} {CARDS[key].name}"
