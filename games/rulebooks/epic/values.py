"""What things in play are at this moment: continuous abilities, counters and effects in their order (EP-11, EP-13.1).

`board(t)` is a pure function of the cards in play, the players' effects and whose turn it is. The last result is
kept: as long as these are the very same objects, or nothing has happened at all, it is the answer.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from msgspec import Struct

from games.kernel.play import T
from games.kernel.table import Card

from .board import PLAY
from .cards import CARDS, CONTINUOUS, COUNTERS, Data, printed, word

NONE: frozenset[str] = frozenset()


class Value(Struct, frozen=True, gc=False):
    """The characteristics of one thing (EP-3.1)."""

    ctrl: int
    type: str
    name: str
    alignment: str
    origin: str
    offense: int
    defense: int
    keywords: frozenset[str]
    damage_ward: int
    rules: frozenset[str]
    cost: str
    token: bool
    down: bool

    @property
    def kinds(self) -> frozenset[str]:
        """What an X ward asks about a source (EP-16.14)."""
        return frozenset((self.alignment, self.origin, self.type))

    def is_warded(self, kinds: frozenset[str] | list[str]) -> bool:
        return any(f"ward:{kind}" in self.keywords for kind in kinds) if self.keywords else False


class Board(Struct, gc=False):
    """Everything in play, evaluated."""

    values: dict[str, Value]
    damage_wards: list[int]
    """Of the players."""
    rules: list[frozenset[str]]
    """Permissions and prohibitions of the players."""
    contradicting: list[str]
    """Cards ("c5") and counters ("c5 stone") that must be removed from the game (EP-11.5)."""
    controls: bool
    """Does anything say who controls what?"""


class Source(NamedTuple):
    """Something that says how things are: its age, its card and kinds, and whether it can contradict (EP-11.4)."""

    stamp: int
    id: str
    you: int
    kinds: frozenset[str]
    lasting: bool


Mods = list[tuple[Source, list[Data]]]


@lru_cache(maxsize=4096)
def plain(key: str, ctrl: int, down: bool = False) -> Value:
    """A card as printed; face down it has stats and a type, nothing else (EP-16.13b)."""
    card = printed(key)
    if down:
        return Value(ctrl, card.type, "", "", "", card.offense, card.defense, NONE, 0, NONE, "", False, True)
    return Value(
        ctrl, card.type, card.name, card.alignment, card.origin, card.offense, card.defense, card.plain,
        card.damage_ward, card.rules, card.cost, card.token, False,
    )  # fmt: skip


def fits(filter_: Data, value: Value, *, you: int, other: bool = True) -> bool:
    """Does a thing fulfil the plain words of a filter? `other`: it is not the source itself."""
    kinds = filter_["is"]
    if value.type not in kinds and ("card" not in kinds or value.token):
        return False
    if filter_.get("controller") == "you" and value.ctrl != you:
        return False
    if "alignment" in filter_ and value.alignment not in filter_["alignment"]:
        return False
    if "origin" in filter_ and value.origin not in filter_["origin"]:
        return False
    if "token" in filter_ and value.token is not filter_["token"]:
        return False
    if "name" in filter_ and value.name != filter_["name"]:
        return False
    if "cost" in filter_ and value.cost != filter_["cost"]:
        return False
    if "lacks" in filter_ and filter_["lacks"] in value.keywords:
        return False
    return other or not filter_.get("other")


_last: tuple[list[Card], list[dict[str, Any]], int, Board] | None = None
_seen: tuple[T | None, int, Board | None] = (None, 0, None)


def board(t: T) -> Board:
    """EP-11.1: everything in play as it is now."""
    global _seen
    at, effects, seen = _seen
    if at is t and effects == len(t.effects) and seen is not None:
        return seen
    found = _current(t)
    _seen = (t, len(t.effects), found)
    return found


def _current(t: T) -> Board:
    global _last
    table = t.s
    cards = table.cards
    things = [cards[card] for card in table.zones[PLAY].cards]
    marks = [seat.marks for seat in table.seats]
    turn: int = table.vars["turn"][1]
    kept = _last
    if kept is not None and kept[0] == things and kept[1] == marks and kept[2] == turn:
        return kept[3]
    found = _evaluate(things, marks, turn)
    _last = (things, marks, turn, found)
    return found


def value(t: T, card: str) -> Value:
    """One thing in play."""
    return board(t).values[card]


def _evaluate(things: list[Card], marks: list[dict[str, Any]], turn: int) -> Board:
    values = {card.id: plain(card.key, card.ctrl, card.down) for card in things}
    count = len(marks)
    made = Board(values, [0] * count, [NONE] * count, [], False)
    speaking = [card for card in things if card.key in CONTINUOUS and not card.down]
    changed = [card for card in things if card.marks or card.n]
    if speaking or changed:
        _controllers(made, things, speaking, changed)
        _layers(made, things, speaking, changed, turn)
    for seat, mark in enumerate(marks):
        for effect in mark.get("mods", ()):
            made.rules[seat] |= {mod["rule"] for mod in effect["mods"] if "rule" in mod}
    return made


def _age(card: Card) -> int:
    """Ids are given in order of arrival; effects fall between them (EP-11.4)."""
    return 2 * int(card.id[1:])


# -- who controls what (EP-11.2, 11.8, 15.4) ---------------------------------------------------------------------------


def _controllers(made: Board, things: list[Card], speaking: list[Card], changed: list[Card]) -> None:
    """Control first: effects and abilities that set it, the latest wins, else the base controller."""
    values = made.values
    takers = [
        (card, ability["affects"]["all"])
        for card in speaking
        for ability in CONTINUOUS[card.key]
        if any(mod.get("set") == "controller" for mod in ability["mods"])
    ]
    if not takers and not any("base" in card.marks or _control_effects(card) for card in changed):
        return
    made.controls = True
    for card in things:
        was = values[card.id]
        base = card.marks.get("base", card.ctrl)
        effects = [(effect["at"], effect["ctrl"]) for effect in _control_effects(card)]
        claims = [
            (_age(taker), taker.ctrl, taker.id)
            for taker, filter_ in takers
            if fits(filter_, was, you=taker.ctrl) and not was.is_warded(CARDS[taker.key].kinds)
        ]
        if len({ctrl for _, ctrl, _ in claims}) > 1:
            made.contradicting += [taker for _, _, taker in claims]
            claims = []
        said = [*((age, ctrl) for age, ctrl, _ in claims), *effects]
        latest = max(reversed(said), key=lambda claim: claim[0], default=(0, base))
        if latest[1] != was.ctrl:
            values[card.id] = plain(card.key, latest[1], card.down)


def _control_effects(card: Card) -> list[Data]:
    return [effect for effect in card.marks.get("mods", ()) if "ctrl" in effect]


# -- are, then get (EP-11.2) -------------------------------------------------------------------------------------------


def _layers(made: Board, things: list[Card], speaking: list[Card], changed: list[Card], turn: int) -> None:
    said = [
        (Source(_age(card), card.id, made.values[card.id].ctrl, CARDS[card.key].kinds, True), ability)
        for card in speaking
        for ability in CONTINUOUS[card.key]
        if "while" not in ability or made.values[card.id].ctrl == turn
    ]
    for source, ability in said:
        if ability["affects"] == "you":
            _about_player(made, source.you, ability["mods"])
    for layer in ("are", "get"):
        spoken = [(source, ability) for source, ability in said if ability["class"] == layer]
        effects = {card.id: found for card in changed if (found := _effects(card, layer))}
        if not spoken and not effects:
            continue
        if layer == "get":
            spoken = [
                (source._replace(kinds=made.values[source.id].kinds) if source.id in made.values else source, ability)
                for source, ability in spoken
            ]
        results: dict[str, Value] = {}
        speakers = {source.id for source, _ in spoken}
        alike: dict[int, Value] = {}
        for card in things:
            was = made.values[card.id]
            own = effects.get(card.id)
            if own is None and card.id not in speakers:
                new = alike.get(id(was))
                if new is None:
                    new = alike[id(was)] = _layered(made, card, was, spoken, [], layer)
            else:
                new = _layered(made, card, was, spoken, own or [], layer)
            results[card.id] = new
        made.values.update(results)


def _layered(
    made: Board, card: Card, was: Value, spoken: list[tuple[Source, Data]], own: Mods, layer: str
) -> Value:
    """One thing after one layer. Things that are alike so far, and speak of nothing themselves, stay alike."""
    mods = [
        (source, ability["mods"])
        for source, ability in spoken
        if _affects(ability["affects"], card, was, source) and not was.is_warded(source.kinds)
    ] + own
    return (_are if layer == "are" else _get)(made, was, mods) if mods else was


def _about_player(made: Board, seat: int, mods: list[Data]) -> None:
    for mod in mods:
        if "rule" in mod:
            made.rules[seat] |= {mod["rule"]}
        elif "have" in mod and mod["have"]["kw"] == "damage_ward":
            made.damage_wards[seat] += mod["have"]["n"]


def _affects(affects: Any, card: Card, was: Value, source: Source) -> bool:
    if affects == "self":
        return card.id == source.id
    if affects == "you":
        return False
    if affects["all"].get("zone", "play") != "play":
        return False
    return fits(affects["all"], was, you=source.you, other=card.id != source.id)


def _effects(card: Card, layer: str) -> Mods:
    """Effects with a duration, and counters, as far as they belong to this layer (EP-11.3, 11.4)."""
    found: Mods = [
        (Source(effect["at"], "", -1, NONE, False), effect["mods"])
        for effect in card.marks.get("mods", ())
        if effect.get("class") == layer
    ]
    for kind, ability in COUNTERS.items():
        if (count := card.n.get(kind, 0)) and ability["class"] == layer:
            age = card.marks.get(f"{kind} since", _age(card))
            source = Source(age, f"{card.id} {kind}", -1, NONE, True)
            found += [(source, ability["mods"])] * (count if layer == "get" else 1)
    return found


def _are(made: Board, was: Value, mods: Mods) -> Value:
    """EP-11.2, 11.4, 11.5a: values that are set, from the printed ones."""
    settings: dict[str, list[tuple[Source, Any]]] = {}
    keywords, ward = was.keywords, was.damage_ward
    for source, said in mods:
        for mod in said:
            if "set" in mod and mod["set"] != "controller":
                settings.setdefault(mod["set"], []).append((source, mod["to"]))
            elif "have" in mod:
                if mod["have"]["kw"] == "damage_ward":
                    ward += mod["have"]["n"]
                else:
                    keywords = keywords | {word(mod["have"])}
    new = {name: getattr(was, name) for name in ("offense", "defense", "alignment", "origin")}
    for attribute, setters in settings.items():
        lasting = [(source, to) for source, to in setters if source.lasting]
        if len({to for _, to in lasting}) > 1:
            made.contradicting += [source.id for source, _ in lasting]
            setters = [setter for setter in setters if not setter[0].lasting]
        if setters:
            new[attribute] = max(reversed(setters), key=lambda setter: setter[0].stamp)[1]
    return Value(
        was.ctrl, was.type, was.name, new["alignment"], new["origin"], new["offense"], new["defense"], keywords, ward,
        was.rules, was.cost, was.token, was.down,
    )  # fmt: skip


def _get(made: Board, was: Value, mods: Mods) -> Value:
    """EP-11.2, 11.5b: numbers add up; of gain and lose of one keyword the latest wins, unless two cards contradict."""
    offense, defense = was.offense, was.defense
    turns: dict[str, list[tuple[Source, bool]]] = {}
    for source, said in mods:
        for mod in said:
            if "add" in mod:
                if mod["add"] == "offense":
                    offense += mod["n"]
                else:
                    defense += mod["n"]
            elif "gain" in mod or "lose" in mod:
                gains = "gain" in mod
                turns.setdefault(word(mod["gain" if gains else "lose"]), []).append((source, gains))
    keywords = was.keywords
    for keyword, votes in turns.items():
        lasting = [(source, gains) for source, gains in votes if source.lasting]
        if len({gains for _, gains in lasting}) > 1:
            made.contradicting += [source.id for source, _ in lasting]
            votes = [vote for vote in votes if not vote[0].lasting]
        if votes:
            gained = max(reversed(votes), key=lambda vote: vote[0].stamp)[1]
            keywords = keywords | {keyword} if gained else keywords - {keyword}
    return Value(
        was.ctrl, was.type, was.name, was.alignment, was.origin, offense, defense, keywords, was.damage_ward,
        was.rules, was.cost, was.token, was.down,
    )  # fmt: skip
