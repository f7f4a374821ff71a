"""Scenarios: given a table, when somebody answers, then this is seen. For the tests of every rulebook.

    table = given("theos", place={"hand:0": ["Blank", "P4"], "hand:1": ["G4", "D9"]})
    table.answer(0, commit="Blank")
    table.answer(1, commit="G4")
    assert table.keys("row:1") == ["G4"]
    assert table.waits_for == {0: "commit", 1: "commit"}

Answers are given by name: an option's id, or the same with card ids replaced by the cards' keys or nouns ("play:G4").
A text answers a pick of one, a list a pick of several, an int a number, a dict a split or an assignment, a tuple is a
path of parts. Every step also checks that folding the effects gives the same table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from .apply import fold
from .decide import Action, decide, new_table, preview, waiting
from .effects import Begin, from_dict, to_dict
from .errors import Rejected
from .play import T
from .rulebook import rulebook
from .table import Asked, Shape, Table, Viewer, clone
from .views import redact_all, view

KEY = b"scenario" * 4
_CARD = re.compile(r"\bc\d+\b")


def given(
    book: str, seats: int = 2, *, options: dict[str, Any] | None = None, decks: list[Any] | None = None,
    teams: list[int] | None = None, place: dict[str, list[str]] | None = None, vars: dict[str, Any] | None = None,
    lay: Callable[[T], None] | None = None, key: bytes = KEY,
) -> Scenario:
    """A table of this rulebook. With `lay` nothing but that function lays it (and pushes the first step);
    without, the rulebook's own set-up does, then `place` puts cards (by key) into zones and `vars` sets variables."""
    if lay is not None:
        chosen = rulebook(book)
        t = T(new_table(), chosen, key)
        begin = Begin(rulebook=chosen.id, teams=teams or list(range(seats)), options=options or {})
        t.emit(begin)
        lay(t)
        t.run()
        t.seal()
        scenario = Scenario(t.s, [to_dict(effect) for effect in t.effects], key)
    else:
        action: Action = {"do": "start", "rulebook": book, "seats": seats, "options": options or {}}
        action |= {"decks": decks or []} | ({"teams": teams} if teams else {})
        decided = decide(new_table(), action, key)
        scenario = Scenario(decided.table, [to_dict(effect) for effect in decided.effects], key)
    if place or vars:
        scenario.lay(lambda t: _arrange(t, place or {}, vars or {}))
    return scenario


def _arrange(t: T, place: dict[str, list[str]], variables: dict[str, Any]) -> None:
    for name, value in variables.items():
        t.set(name, value)
    wanted = {zone: list(keys) for zone, keys in place.items()}
    taken: set[str] = set()
    for zone, keys in wanted.items():
        owner = t.s.zones[zone].owner
        for key in keys:
            card = _somewhere(t, key, owner, zone, taken)
            taken.add(t.move(card, zone) if card else t.make(key, owner, zone)[0])
        surplus = [card for card in t.ids(zone) if card not in taken]
        home = _home(t, zone)
        if surplus and home:
            t.move_all(surplus, home)


def _somewhere(t: T, key: str, owner: int, zone: str, taken: set[str]) -> str | None:
    """A card of this key not yet placed: rather the owner's, rather from this very zone."""
    found = [card for card in t.s.cards.values() if card.key == key and card.id not in taken]
    found.sort(key=lambda card: (card.owner != owner, card.zone != zone, int(card.id[1:])))
    return found[0].id if found else None


def _home(t: T, zone: str) -> str | None:
    """Where surplus cards of a zone go: the deck of the same owner, else the common one."""
    owner = t.s.zones[zone].owner
    decks = [(other.owner != owner, name) for name, other in t.s.zones.items() if name.startswith("deck")]
    fits = (name for _, name in sorted(decks) if name != zone and t.s.zones[name].owner in (owner, -1))
    return next(fits, None)


class Scenario:
    """A table under test, with everything that happened on it."""

    def __init__(self, table: Table, effects: list[dict[str, Any]], key: bytes) -> None:
        self.table = table
        self.told = effects
        self.last = effects
        self._key = key

    # -- when -------------------------------------------------------------------------------------------------------

    def lay(self, build: Callable[[T], None]) -> Scenario:
        """Arrange things by hand, through the verbs; open questions are asked again."""
        t = T(clone(self.table), rulebook(self.table.rulebook), self._key)
        build(t)
        t.run()
        t.seal()
        return self._go_on(t.s, [to_dict(effect) for effect in t.effects])

    def answer(self, seat: int, **answer: Any) -> Scenario:
        """Answer the question of this kind that waits for this seat."""
        [(kind, value)] = answer.items()
        return self.do(self.action(seat, kind, value))

    def use(self, seat: int, option: str, *path: Any) -> Scenario:
        """An any-time act."""
        return self.do({"do": "use", "seat": seat, "option": self._ids(option), "path": list(path)})

    def concede(self, seat: int, reason: str = "conceded") -> Scenario:
        return self.do({"do": "concede", "seat": seat, "reason": reason})

    def do(self, action: Action) -> Scenario:
        decided = decide(self.table, action, self._key)
        return self._go_on(decided.table, [to_dict(effect) for effect in decided.effects])

    def refuses(self, seat: int, **answer: Any) -> Rejected:
        """This answer is refused and changes nothing; returns the refusal."""
        [(kind, value)] = answer.items()
        before = clone(self.table)
        try:
            self.do(self.action(seat, kind, value))
        except Rejected as refused:
            assert self.table == before
            return refused
        raise AssertionError(f"{kind}={value!r} of seat {seat} was accepted")

    def action(self, seat: int, kind: str, value: Any) -> Action:
        """The action that answers this question by names."""
        ask = self.asked(seat, kind)
        action: Action = {"do": "answer", "seat": seat, "decision": ask.id}
        path: list[Any] = []
        for index, part in enumerate(value if isinstance(value, tuple) else (value,)):
            shape: Shape = ask.shape
            if index:
                missing = preview(self.table, {**action, "path": path})
                assert missing is not None, f"the play is complete after {path}"
                shape = missing.ask.shape
            path.append(self._value(shape, part))
        return {**action, "path": path}

    def _go_on(self, table: Table, effects: list[dict[str, Any]]) -> Scenario:
        folded = fold(clone(self.table), map(from_dict, effects))
        assert folded == table, "folding the effects does not give the table"
        self.table, self.last = table, effects
        self.told = self.told + effects
        return self

    # -- then -------------------------------------------------------------------------------------------------------

    def asked(self, seat: int, kind: str) -> Asked:
        """The question of this kind that waits for this seat."""
        found = [ask for ask in waiting(self.table) if ask.chooser == seat and ask.kind == kind]
        assert found, f"the table waits for {self.waits_for}, not for {kind} of seat {seat}"
        return found[0]

    @property
    def waits_for(self) -> dict[int, Any]:
        """Who is asked what: {seat: kind}, with a list of kinds where a seat is asked several questions."""
        found: dict[int, list[str]] = {}
        for ask in waiting(self.table):
            found.setdefault(ask.chooser, []).append(ask.kind)
        return {seat: kinds[0] if len(kinds) == 1 else kinds for seat, kinds in found.items()}

    def options(self, seat: int, kind: str) -> list[str]:
        """The options of a question, by name."""
        shape = self.asked(seat, kind).shape
        return [self._named(option) for option in getattr(shape, "options", None) or list(getattr(shape, "things", {}))]

    @property
    def outcome(self) -> tuple[str, list[int]] | None:
        ended = self.table.outcome
        return (ended.result, ended.winners) if ended else None

    def keys(self, zone: str) -> list[str]:
        """What lies in a zone, by key."""
        return [self.table.cards[card].key for card in self.table.zones[zone].cards]

    def card(self, key: str, zone: str = "") -> Any:
        """The one card of this key (in this zone)."""
        found = [card for card in self.table.cards.values() if card.key == key and zone in ("", card.zone)]
        assert len(found) == 1, f"{len(found)} cards {key!r} {f'in {zone}' if zone else ''}"
        return found[0]

    def n(self, on: int | str, name: str) -> int:
        """Counters on a seat, or on the one card of this key."""
        return self.table.seats[on].n.get(name, 0) if isinstance(on, int) else int(self.card(on).n.get(name, 0))

    def said(self, what: str) -> list[dict[str, Any]]:
        """What the rulebook said under this word in the last event."""
        return [effect.get("args", {}) for effect in self.last if effect["e"] == "say" and effect["what"] == what]

    def view(self, viewer: Viewer) -> dict[str, Any]:
        return view(self.table, viewer)

    def seen(self, viewer: Viewer) -> list[dict[str, Any]]:
        """The last event's effects as this viewer gets them."""
        return redact_all(self.last, viewer)

    # -- names ------------------------------------------------------------------------------------------------------

    def _named(self, option: str) -> str:
        return _CARD.sub(lambda found: self._key_of(found[0]), option)

    def _key_of(self, card: str) -> str:
        known = self.table.cards.get(card)
        return known.key if known else card

    def _ids(self, name: str) -> str:
        """Card keys in a name back to ids, for any-time acts."""
        for card in self.table.cards.values():
            if name.endswith(f":{card.key}"):
                return name[: -len(card.key)] + card.id
        return name

    def _value(self, shape: Shape, value: Any) -> Any:
        if isinstance(value, str):
            value = [value]
        if isinstance(value, list):
            return self._chosen(getattr(shape, "options", []), value)
        if isinstance(value, dict):
            things = getattr(shape, "things", None)
            names = self._chosen(list(things) if things is not None else getattr(shape, "options", []), value)
            if things is None:
                return dict(zip(names, value.values(), strict=True))
            bins = zip(names, value.values(), strict=True)
            return {thing: self._chosen(things.get(thing, []), [place])[0] for thing, place in bins}
        return value

    def _chosen(self, options: list[str], names: Iterable[Any]) -> list[Any]:
        """Option ids for names; a name several options share takes the first not yet taken; strangers stay."""
        found: list[Any] = []
        book = rulebook(self.table.rulebook)
        for name in names:
            fits = (
                option
                for option in options
                if option not in found
                and name in (option, self._named(option), _CARD.sub(lambda c: book.name_of(self._key_of(c[0])), option))
            )
            found.append(next(fits, name))
        return found

