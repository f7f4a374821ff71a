"""Scenes for the Titans tests: a table at the start of an age, and answers by short card names.

    game = scene(age=2, a=["Nikolai"], b=["Monk"], hand_a=["Jace"], hand_b=["Frostbreath"])
    game.reveal("Jace", "Frostbreath")
    game.choose(A, "subvert", "Frostbreath")
    assert game.side(A) == ["Nikolai", "Jace"]

"Has X" in the catalogue is `a=`/`b=`: in play since an earlier age with nothing pending. A name may be the beginning of
a card's name. `subverted` puts subversions on the first card of that name: {"Akari": {"harmless": 1}}.
"""

from __future__ import annotations

from typing import Any

from games.kernel import T
from games.kernel.testing import KEY, Scenario, given
from games.rulebooks.titans.battle import battle, end_of_turn
from games.rulebooks.titans.board import ARENA, DECK, HAND, PILE, side_in, sides, subversions
from games.rulebooks.titans.cards import CARDS, NAMES
from games.rulebooks.titans.formats import chosen_format
from games.rulebooks.titans.power import power, total
from games.rulebooks.titans.setup import lay_out
from games.rulebooks.titans.turn import age as age_step
from games.rulebooks.titans.turn import energy, turn

A, B, C, D, E, F = range(6)
PILES = [[names[arena] for names in NAMES.values()] for arena in range(3)]
"""By default arena n has the (n+1)th name of each element-species pair."""


def key(name: str) -> str:
    """The card whose name begins so."""
    found = [card.key for card in CARDS.values() if card.name.startswith(name) or card.key == name]
    exact = [card for card in found if CARDS[card].name == name]
    assert len(exact or found) == 1, f"{name!r} is {found}"
    return (exact or found)[0]


def keys(names: Any) -> list[str]:
    return [key(name) for name in names]


def spells(book: Any) -> Any:
    return keys(book) if isinstance(book[0], str) else [keys(one) for one in book]


def short(card: str) -> str:
    return CARDS[card].name


def scene(
    seats: int = 2,
    *,
    a: Any = (),
    b: Any = (),
    hand_a: Any = None,
    hand_b: Any = None,
    deck_a: Any = None,
    deck_b: Any = None,
    play: Any = None,
    hands: Any = None,
    decks: Any = None,
    age: int = 2,
    avatar: int = 0,
    piles: Any = None,
    sizes: Any = None,
    options: Any = None,
    spellbooks: Any = None,
    temples: Any = None,
    subverted: Any = None,
    stolen: Any = (),
    surge: int = 0,
    at: str = "age",
) -> Game:
    """`play`: {side: cards}, `hands`, `decks`: {seat: cards}; for two players a, b, hand_a … do."""
    in_play = play or {0: a, 1: b}
    held = {0: hand_a, 1: hand_b} if hands is None else hands
    drawn = {0: deck_a, 1: deck_b} if decks is None else decks

    def lay(t: T) -> None:
        chosen = chosen_format(seats, options or {})
        names = [] if chosen.constructed else [keys(one) for one in piles or PILES[: chosen.arenas]]
        lay_out(t, chosen, names, [spells(book) for book in spellbooks or ()])
        t.set("avatar", avatar)
        t.set("turn", 1)
        for seat in range(seats):
            t.count(seat, "surge", surge - 2)
            hand, deck = held.get(seat), drawn.get(seat)
            t.make(keys(["Wizard"] * 3 if hand is None else hand), seat, HAND[seat])
            for card in keys(["Monk"] * 6 if deck is None else deck):
                t.make(card, seat, DECK[seat])
        for side, cards in in_play.items():
            for card in keys(cards):
                t.make(card, chosen.sides[side], ARENA[side >> 1])
        for name, marks in (subverted or {}).items():
            card = next(card for zone in ARENA[: chosen.arenas] for card in t.cards(zone) if card.key == key(name))
            for kind, placer in marks.items():
                t.mark(card.id, kind, placer)
                if kind == "traitorous":
                    t.give(card.id, placer)
        for (arena, name), size in (sizes or {}).items():
            zone = PILE[arena][key(name)]
            for card in t.ids(zone)[size:]:
                t.remove(card)
        if temples:
            t.set("temples", list(temples))
        ages = [age_step(number) for number in range(age, 4)] if at == "age" else []
        t.seq(*ages, battle(), end_of_turn(), turn())

    return Game(given("titans", seats, options=options, lay=lay))


class Game:
    """A Titans table under test."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario

    def __getattr__(self, name: str) -> Any:
        return getattr(self.scenario, name)

    # -- when -------------------------------------------------------------------------------------------------------

    def commit(self, seat: int, *cards: str, side: int | None = None) -> Game:
        """Answer this seat's commit question (about this side): names, "top", "foresee"."""
        return self._answer(seat, "commit", list(cards), side)

    def choose(self, seat: int, kind: str, *cards: str, then: Any = None, of: str = "") -> Game:
        """Declare: these cards or words, and what the same declaration names second. `of`: the card with the ability,
        where the seat has several to declare."""
        return self._answer(seat, kind, list(cards), self.one(of).id if of else None, then)

    def number(self, seat: int, kind: str, value: int) -> Game:
        ask = self.scenario.asked(seat, kind)
        self.scenario.do({"do": "answer", "seat": seat, "decision": ask.id, "path": [value]})
        return self

    def _answer(self, seat: int, kind: str, cards: list[str], about: int | str | None = None, then: Any = None) -> Game:
        ask = self.ask(seat, kind, about)
        path: list[Any] = [self.pick(ask.shape.options, cards)]
        action = {"do": "answer", "seat": seat, "decision": ask.id}
        if then is not None:
            from games.kernel import preview

            missing = preview(self.table, {**action, "path": path})
            assert missing is not None, "nothing is named second"
            path.append(self.pick(missing.ask.shape.options, [then] if isinstance(then, str) else list(then)))
        self.scenario.do({**action, "path": path})
        return self

    def ask(self, seat: int, kind: str, about: int | str | None = None) -> Any:
        """The question of this kind to this seat, about this side or the ability of this card."""
        from games.kernel import waiting

        found = [ask for ask in waiting(self.table) if (ask.chooser, ask.kind) == (seat, kind)]
        found = [ask for ask in found if about is None or ask.about.split(":")[0] == str(about)]
        assert found, f"the table waits for {self.waits_for}, not for {kind} of seat {seat}"
        return found[0]

    def pick(self, options: list[str], names: list[str]) -> list[str]:
        """Option ids for names; strangers stay as they are."""
        chosen: list[str] = []
        for name in names:
            fits = (one for one in options if one not in chosen and name in (one, one.partition(":")[0]))
            named = (one for one in options if one not in chosen and self._is(one, name))
            chosen.append(next(fits, None) or next(named, name))
        return chosen

    def _is(self, option: str, name: str) -> bool:
        card = self.table.cards.get(option)
        return card is not None and (CARDS[card.key].name.startswith(name) or card.key == name)

    def reveal(self, *cards: Any) -> Game:
        """All commitments of the step: for each seat a name or a list of names, in whatever order they are asked."""
        wanted = {seat: [one] if isinstance(one, str) else list(one) for seat, one in enumerate(cards)}
        while any(kind == "commit" or "commit" in kind for kind in self.waits_for.values()):
            seat = next(seat for seat, kind in self.waits_for.items() if "commit" in kind)
            if seat not in wanted:
                break
            self.commit(seat, *wanted.pop(seat))
        return self

    def skip(self, *kinds: str) -> Game:
        """Decline (or answer by default) these questions as long as they are asked."""
        from games.kernel import default_path, waiting

        while found := [ask for ask in waiting(self.table) if ask.kind in kinds]:
            ask = found[0]
            path = default_path(self.table, ask.id)
            self.scenario.do({"do": "answer", "seat": ask.chooser, "decision": ask.id, "path": path})
        return self

    # -- then -------------------------------------------------------------------------------------------------------

    @property
    def t(self) -> T:
        from games.kernel import clone, rulebook

        return T(clone(self.table), rulebook("titans"), KEY)

    @property
    def vars(self) -> Any:
        return self.table.vars

    def cards(self, seat: int, arena: int = 0) -> list[Any]:
        return [card for card in self.t.cards(ARENA[arena]) if card.ctrl == seat]

    def side(self, seat: int, arena: int = 0) -> list[str]:
        """What this player has in play."""
        return [short(card.key) for card in self.cards(seat, arena)]

    def one(self, name: str, seat: int | None = None, arena: int | None = None) -> Any:
        """The one card of this name in play."""
        found = [
            card
            for number, zone in enumerate(ARENA[: len(sides(self.t)) // 2])
            for card in self.t.cards(zone)
            if card.key == key(name) and seat in (None, card.ctrl) and arena in (None, number)
        ]
        assert len(found) == 1, f"{len(found)} × {name}"
        return found[0]

    def subversions(self, name: str, seat: int | None = None) -> dict[str, int]:
        return subversions(self.one(name, seat))

    def power(self, name: str, seat: int | None = None) -> int:
        return power(self.t, self.one(name, seat))

    def total(self, seat: int, arena: int = 0) -> int:
        return total(self.t, arena, seat)

    def energy(self, seat: int, arena: int = 0) -> int:
        return energy(self.t, side_in(self.t, arena, seat))

    def zone(self, name: str) -> list[str]:
        return [short(card) for card in self.scenario.keys(name)]

    def hand(self, seat: int) -> list[str]:
        return sorted(self.zone(HAND[seat]))

    def discarded(self, seat: int) -> list[str]:
        return self.zone(f"discard:{seat}")

    def deck(self, seat: int) -> list[str]:
        return self.zone(DECK[seat])

    def slot(self, side: int) -> list[str]:
        return self.zone(f"slot:{side}")

    def pile(self, name: str, arena: int = 0) -> int:
        return len(self.zone(PILE[arena][key(name)]))

    def offered(self, seat: int, kind: str, side: int | None = None) -> list[str]:
        """The options of a question by card names, each once, sorted."""
        options = self.ask(seat, kind, side).shape.options
        cards = self.table.cards
        return sorted({short(cards[one].key) if one in cards else one.partition(":")[0] for one in options})

    def must(self, seat: int, kind: str) -> tuple[int, int]:
        """The least and the most that may be picked."""
        shape = self.ask(seat, kind).shape
        return shape.lo, shape.hi

    def second(self, seat: int, kind: str, first: str) -> list[str]:
        """What the same declaration may name second, by name."""
        from games.kernel import preview

        ask = self.ask(seat, kind)
        path = [self.pick(ask.shape.options, [first])]
        missing = preview(self.table, {"do": "answer", "seat": seat, "decision": ask.id, "path": path})
        return sorted(short(self.table.cards[one].key) for one in missing.ask.shape.options) if missing else []
