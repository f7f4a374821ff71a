"""The verbs: what rules code does to a table. Each emits one small effect; nothing else changes anything."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any

from . import effects as fx
from . import randomness
from .errors import RulebookError
from .table import PUBLIC, SCALARS, Card, Effect, Seat, Table, Zone, faces, handles, mask, normal

if TYPE_CHECKING:
    from .rulebook import Rulebook

Seats = int | list[int] | tuple[int, ...] | range
Test = Callable[[Card], bool]


class Verbs(ABC):
    """What a step or handler holds as `t`. `t.s` is the table, to read; the verbs change it."""

    s: Table
    book: Rulebook
    effects: list[Effect]
    _key: bytes | None

    @abstractmethod
    def emit(self, effect: Effect) -> None:
        """Apply the effect and keep it."""

    # -- reading ----------------------------------------------------------------------------------------------------

    def card(self, card: str) -> Card:
        """The card of this id; it must exist."""
        return self.s.cards[card]

    def find(self, card: str) -> Card | None:
        """The card of this id, or None if it has moved on: a card that changed zone is a new thing."""
        return self.s.cards.get(card)

    def cards(self, zone: str, test: Test | None = None) -> list[Card]:
        """The cards of a zone in order, first = top or left."""
        cards = self.s.cards
        found = [cards[card] for card in self.s.zones[zone].cards]
        return [card for card in found if test(card)] if test else found

    def ids(self, zone: str, test: Test | None = None) -> list[str]:
        if test is None:
            return list(self.s.zones[zone].cards)
        return [card.id for card in self.cards(zone, test)]

    def size(self, zone: str) -> int:
        return len(self.s.zones[zone].cards)

    def seat(self, seat: int) -> Seat:
        return self.s.seats[seat]

    @property
    def seats(self) -> list[int]:
        """The seats still in the game."""
        return [index for index, seat in enumerate(self.s.seats) if not seat.out]

    def seats_from(self, first: int) -> list[int]:
        """The seats still in the game, clockwise, `first` at the head (or whoever follows it)."""
        count = len(self.s.seats)
        turn = ((first + step) % count for step in range(count))
        return [seat for seat in turn if not self.s.seats[seat].out]

    def teams(self) -> dict[int, list[int]]:
        """Team → its seats still in the game."""
        found: dict[int, list[int]] = {}
        for seat in self.seats:
            found.setdefault(self.s.seats[seat].team, []).append(seat)
        return found

    def var(self, name: str, otherwise: Any = None) -> Any:
        return self.s.vars.get(name, otherwise)

    def n(self, on: str | int, name: str) -> int:
        """How many counters of this name are on a card or a seat."""
        return (self.s.seats[on] if isinstance(on, int) else self.s.cards[on]).n.get(name, 0)

    # -- laying out -------------------------------------------------------------------------------------------------

    def team(self, teams: Sequence[int]) -> None:
        """The team of each seat, where the set-up draws it or reads it from the options."""
        self.emit(fx.Teamed(teams=list(teams)))

    def zone(self, name: str, ids: Seats, faces: Seats, *, ordered: bool = True, owner: int = -1) -> None:
        """Lay out a zone, or change who sees into it (a shared or controlled hand)."""
        self.emit(fx.ZoneSet(zone=name, ids=mask(ids), faces=mask(faces), ordered=ordered, owner=owner))

    def sight(self, zone: str, ids: Seats, faces: Seats) -> None:
        """Change who sees into a zone, nothing else."""
        old = self.s.zones[zone]
        self.zone(zone, ids, faces, ordered=old.ordered, owner=old.owner)

    def make(
        self, keys: str | Sequence[str], owner: int, zone: str, *, ctrl: int | None = None, known: Seats = 0,
        down: bool = False,
    ) -> list[str]:
        """Cards (or tokens) come into being at the end of a zone. In a hidden zone they are laid in key order."""
        where = self.s.zones[zone]
        keys = [keys] if isinstance(keys, str) else list(keys)
        if not keys:
            return []
        knows = mask(known)
        sees = knows if down else knows | where.faces
        if sees != PUBLIC:
            keys.sort()
        new = self._mint(len(keys))
        self.emit(
            fx.Made(
                cards=new, keys=keys, owner=owner, zone=zone, ctrl=owner if ctrl is None else ctrl, known=knows,
                down=down, n=len(new), only=_only(cards=where.ids | sees, keys=sees),
            )
        )
        return new

    # -- moving -----------------------------------------------------------------------------------------------------

    def move(
        self, card: str, to: str, *, at: int | None = None, ctrl: int | None = None, known: Seats = 0,
        down: bool = False, keep: bool = False, place: Seats = PUBLIC, owner: int | None = None,
        pose: str = "",
    ) -> str:
        """Move one card; returns its NEW id. See move_all."""
        knows = known if type(known) is int else mask(known)
        place = place if type(place) is int else mask(place)
        return self._move_run([self.s.cards[card]], to, at, ctrl, knows, down, keep, place, owner, pose)[0]

    def move_all(
        self, cards: Iterable[str], to: str, *, at: int | None = None, ctrl: int | None = None, known: Seats = 0,
        down: bool = False, keep: bool = False, place: Seats = PUBLIC, owner: int | None = None,
        pose: str = "",
    ) -> list[str]:
        """Move cards together, in the order given (`at`: index in the target, else its end); returns their NEW ids.

        They arrive as new things: counters, marks, pose and attachments are gone and the owner controls them, unless
        `keep`. What was known of them is forgotten on the way into a hidden zone, unless `known` says who knows.
        Cards that leave a hidden unordered zone together go in the order of their keys: hand order is draw order.
        `place`: who learns `at`, on top of those who see the card there; others see it go to the zone, not where.
        `owner`: they become that seat's. `pose`: they arrive in it.
        """
        on_table = self.s.cards
        moving = []
        origins = set()
        for name in cards:
            card = on_table[name]
            moving.append(card)
            origins.add((card.zone, card.known, card.down))
        knows = known if type(known) is int else mask(known)
        place = place if type(place) is int else mask(place)
        if len(moving) > 1:
            for zone, _, _ in origins:
                if _is_unordered_secret(self.s.zones[zone]):
                    moving.sort(key=_by_key)
                    break
        if len(origins) == 1:
            return self._move_run(moving, to, at, ctrl, knows, down, keep, place, owner, pose)
        moved: list[str] = []
        for _, run in groupby(moving, _origin):
            start = None if at is None else at + len(moved)
            moved += self._move_run(list(run), to, start, ctrl, knows, down, keep, place, owner, pose)
        return moved

    def _move_run(
        self, run: list[Card], to: str, at: int | None, ctrl: int | None, known: int, down: bool, keep: bool,
        place: int, owner: int | None, pose: str,
    ) -> list[str]:
        """Cards from one zone, equally visible, in one effect: it says who could point at them, who can now, who
        knows or learns their faces."""
        card, table = run[0], self.s
        src, where, first = table.zones[card.zone], table.zones[to], table.ids
        seen = card.known if card.down else card.known | src.faces
        only = _told_of_move(src.ids | seen, seen, where.ids, known if down else known | where.faces, place)
        count = len(run)
        if count == 1:
            ids, keys, new = [card.id], [card.key], [f"c{first}"]
        else:
            ids, keys = [card.id for card in run], [card.key for card in run]
            new = [f"c{number}" for number in range(first, first + count)]
        self.emit(fx.Moved(ids, new, keys, src.name, to, at, ctrl, known, down, keep, count, owner, pose, only=only))
        return new

    def _mint(self, count: int) -> list[str]:
        first = self.s.ids
        return [f"c{number}" for number in range(first, first + count)]

    def remove(self, card: str) -> None:
        """A token ceases to exist."""
        gone = self.s.cards[card]
        only = _only(cards=handles(self.s, gone), keys=faces(self.s, gone))
        self.emit(fx.Gone(cards=[card], keys=[gone.key], src=gone.zone, only=only))

    # -- changing ---------------------------------------------------------------------------------------------------

    def turn(self, card: str, pose: str = "") -> None:
        """Turn a card into a pose; no effect if it is in it."""
        if self.s.cards[card].pose != pose:
            self.emit(fx.Posed(card=card, pose=pose, only=self._hidden(card, "card")))

    def count(self, on: str | int, name: str, by: int) -> None:
        """Put counters on a card (its id) or a seat (its number), or take them off."""
        if by:
            on, only = (f"s{on}", {}) if isinstance(on, int) else (on, self._hidden(on, "on"))
            self.emit(fx.Counted(on=on, name=name, by=by, only=only))

    def mark(self, on: str | int, name: str, value: Any = True) -> None:
        """Mark a card or a seat with a value; None takes the mark away. Names starting with "_" nobody sees."""
        on, only = (f"s{on}", {}) if isinstance(on, int) else (on, self._hidden(on, "on"))
        secret = 0 if name[0] == "_" else None
        effect = fx.Marked(on=on, name=name, value=normal(value), only={} if secret == 0 else only, secret=secret)
        self.emit(effect)

    def give(self, card: str, ctrl: int, owner: int | None = None) -> None:
        """Another controller (or owner) for a card, where it lies."""
        self.emit(fx.Given(card=card, ctrl=ctrl, owner=owner, only=self._hidden(card, "card")))

    def attach(self, card: str, to: str = "") -> None:
        """Attach a card to another, or take it off (`to` left out)."""
        self.emit(fx.Attached(card=card, to=to, only=self._hidden(card, "card")))

    def know(self, cards: str | Iterable[str], seats: Seats) -> None:
        """These seats know the faces from now on, until the card moves. PUBLIC turns the card face up."""
        seats = mask(seats)
        for card in [cards] if isinstance(cards, str) else list(cards):
            was = self.s.cards[card]
            knows, down = was.known | seats, was.down and seats != PUBLIC
            if (knows, down) != (was.known, was.down):
                self._know(was, 0 if knows == PUBLIC and self.s.zones[was.zone].faces == PUBLIC else knows, down)

    def conceal(self, card: str, seats: Seats = 0) -> None:
        """Turn a card face down; only these seats (usually its controller) go on seeing its face."""
        self._know(self.s.cards[card], mask(seats), True)

    def _know(self, card: Card, known: int, down: bool) -> None:
        table = self.s
        sees = known if down else known | table.zones[card.zone].faces
        only = _only(cards=handles(table, card) | sees, keys=sees | faces(table, card))
        self.emit(fx.Known(cards=[card.id], keys=[card.key], known=known, down=down, only=only))

    def look(self, cards: Iterable[str], seats: Seats) -> None:
        """These seats see the cards once, as they are; the record is their memory."""
        found = [self.s.cards[card] for card in cards]
        if found:
            seats = mask(seats)
            only = _only(cards=seats, keys=seats)
            ids, keys = [card.id for card in found], [card.key for card in found]
            self.emit(fx.Looked(cards=ids, keys=keys, zone=found[0].zone, seats=seats, n=len(found), only=only))

    def set(self, name: str, value: Any, seats: Seats = PUBLIC) -> None:
        """A variable of the table (None removes it). Names starting with "_" nobody sees; `seats`: only these do."""
        if type(value) not in SCALARS:
            value = normal(value)
        seats = 0 if name[0] == "_" else seats if type(seats) is int else mask(seats)
        if seats == PUBLIC:
            self.emit(fx.Set(name=name, value=value))
        else:
            self.emit(fx.Set(name=name, value=value, mask=seats, secret=seats))

    def say(self, what: str, seats: Seats = PUBLIC, **args: Any) -> None:
        """A fact for the record: the rulebook's word for it and what it is about (Rulebook.sentences tells it)."""
        args = normal(args)
        if type(seats) is not int:
            seats = mask(seats)
        self.emit(fx.Said(what=what, args=args, secret=None if seats == PUBLIC else seats))

    def out(self, seat: int, reason: str) -> None:
        """A seat leaves the game; its questions are withdrawn and it is never asked again."""
        if not self.s.seats[seat].out:
            self.emit(fx.Out(seat=seat, reason=reason))

    def end(self, result: str, winners: Iterable[int] = (), reason: str = "rules") -> None:
        """The game is over: win, tie, loss (co-operative) or void."""
        if self.s.outcome is None:
            self.emit(fx.Ended(result=result, winners=list(winners), reason=reason))

    # -- chance -----------------------------------------------------------------------------------------------------

    def shuffle(self, zone: str, label: str = "", *, last: int | None = None) -> None:
        """Shuffle a zone, or only its `last` cards; each gets a new id and nobody knows anything of it."""
        where = self.s.zones[zone]
        cards = where.cards if last is None else where.cards[len(where.cards) - last :]
        on_table = self.s.cards
        items = sorted([f"{on_table[card].key} {card}" for card in cards])
        label = label or f"shuffle {zone}"
        result = randomness.shuffled(self._source(), self.s.draws, label, items)
        new = self._mint(len(items)) if where.ids and items else []
        only = {"input": 0, "result": 0} | (_only(new=where.ids) if new else {})
        n = self.s.draws
        self.emit(fx.Drawn(n=n, label=label, how="shuffle", input=items, result=result, zone=zone, new=new, only=only))

    def shuffled(self, items: Iterable[str], label: str, *, public: bool = False) -> list[str]:
        """These texts in random order (teams, seats, sides); `public`: everybody sees the draw."""
        listed = sorted(items)
        result = randomness.shuffled(self._source(), self.s.draws, label, listed)
        only = {} if public else {"input": 0, "result": 0}
        self.emit(fx.Drawn(n=self.s.draws, label=label, how="shuffle", input=listed, result=result, only=only))
        return result

    def random_cards(self, cards: Iterable[str], count: int, label: str) -> list[str]:
        """`count` of these cards at random."""
        items = (f"{self.s.cards[card].key} {card}" for card in cards)
        return [item.rpartition(" ")[2] for item in self.shuffled(items, label)[:count]]

    def below(self, m: int, label: str, *, public: bool = False) -> int:
        """A random number from 0 to m - 1."""
        result = randomness.below(self._source(), self.s.draws, label, m)
        only = {} if public else {"input": 0, "result": 0}
        self.emit(fx.Drawn(n=self.s.draws, label=label, how="below", input=m, result=result, only=only))
        return result

    def _source(self) -> bytes:
        if self._key is None:
            raise RulebookError("a draw needs the stream's key; none was given")
        return self._key

    def _hidden(self, card: str, field: str) -> dict[str, int]:
        seen = handles(self.s, self.s.cards[card])
        return {} if seen == PUBLIC else {field: seen}


def _only(**fields: int) -> dict[str, int]:
    return {field: seats for field, seats in fields.items() if seats != PUBLIC}


@lru_cache(maxsize=4096)
def _told_of_move(pointed: int, seen: int, ids: int, sees: int, place: int) -> dict[str, int]:
    """Who reads what of a move: who could point at the cards, who can now, who knew or learns the faces, and `at`."""
    return _only(cards=pointed, new=ids | sees, keys=seen | sees, at=PUBLIC if place == PUBLIC else place | ids | sees)


def _by_key(card: Card) -> tuple[str, str]:
    return card.key, card.id


def _origin(card: Card) -> tuple[str, int, bool]:
    """Cards that come from one zone, where the same seats see them, go in one effect."""
    return card.zone, card.known, card.down


def _is_unordered_secret(zone: Zone) -> bool:
    return not zone.ordered and zone.faces != PUBLIC
