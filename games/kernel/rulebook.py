"""The contract of a rulebook, on one page. docs/kernel.md explains it, docs/add-a-rulebook.md walks through one.

    book = Rulebook("highcard", version=1, title="High Card", seats=range(2, 5))

    @book.setup                       (t, options, decks)     lay the table, push the first step
    @book.step                        (t, **args)             something that happens: emits, pushes, asks
    @book.question(mode)              (t, **args) -> Ask | [Ask] | None     effect-free, may be run again at any time
    @<question>.answered              (t, **args, answer)     what the answer does

and, where the defaults do not do:

    @book.check_setup                 (seats, options, decks) -> [violation]      before anything is played
    @book.check_deck                  (seats, options, deck) -> [violation]       … for one deck, as a seat brings it
    @book.anytime                     (t, seat) -> [May]      what may be done without being asked
    @book.use                         (t, seat, option)       … and what it does
    @book.leave                       (t, seat, reason)       a seat concedes or runs out of time
    @book.noun                        (key) -> str            a card's name for people
    @book.place                       (zone) -> str           a zone's name for people
    @book.samples                     () -> [Setup]           set-ups that the conformance suite plays
    @book.invariants                  (table) -> [str]        what is broken on this table (nothing, one hopes)
    @book.shown                       (t, viewer) -> {…}      what follows from what this viewer sees (`shown` in views)
    @book.advice                      (view, decision, path, shape) -> answer | None    a simple player's choice (bots)
    book.about = {"options": {name: {"doc", "values", "default"}}, "decks": ["where decks come from", …],
                  "rules": "docs/rules/…"}                    for who chooses a game
    book.sentences["accepted"] = "{card!c} is accepted."      how a `say` (or an effect) reads: narrate.py
    book.goal = 20_000                                        decisions per CPU second asked of it

Modes of asking: "" one seat; "all" sealed until the last answer is in; "first" who acts first closes it, a default is
a pass; "each" every answer is dealt with as it comes; "sequence" one after the other, handled together at the end (a
parameter `declared` tells what was answered so far; return those still to come). With a mode the question returns a
list of Asks and the handler gets {seat (or Ask.about): answer}. In mode "each" the question is asked again after every
answer, until it returns nothing or its handler True.

Names of steps and questions are API: running games hold them. Rename with `aliases`, never by force.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import pkgutil
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar, overload

from msgspec import Struct

from .errors import RulebookError
from .questions import Ask
from .table import SCALARS, Step, Table, normal

if TYPE_CHECKING:
    from .play import T

P = ParamSpec("P")
Hook = TypeVar("Hook", bound=Callable[..., Any])
Answer = Any
Options = dict[str, Any]
Decks = list[Any]
Asks = Ask | Iterable[Ask] | None
MODES = ("", "all", "first", "each", "sequence")


class Setup(Struct, frozen=True):
    """How a game begins. `decks`: one entry per seat, already chosen. `teams`: the team of each seat."""

    seats: int
    options: dict[str, Any] = {}
    decks: list[Any] = []
    teams: list[int] = []
    name: str = ""


class Violation(Struct, frozen=True, omit_defaults=True):
    """What is wrong with a set-up, where, and by which rule."""

    pointer: str
    code: str
    detail: str
    rule: str = ""


class May(Struct, frozen=True, omit_defaults=True):
    """Something a seat may do at any time. `sealed`: nobody else learns what was done."""

    option: str
    label: str = ""
    sealed: bool = False


class StepDef(Generic[P]):
    """A registered step. Calling it does not run it: it builds the record that stands on the agenda."""

    def __init__(self, name: str, run: Callable[Concatenate[T, P], Any]) -> None:
        self.name = name
        self.run: Callable[..., Any] = run
        self.params = tuple(inspect.signature(run).parameters)[1:]
        self._bare = Step(name)
        self.__doc__ = run.__doc__

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Step:
        if args:
            kwargs.update(zip(self.params, args))  # noqa: B905 (defaults may follow; mypy counts the arguments)
        elif not kwargs:
            return self._bare
        for value in kwargs.values():
            if type(value) not in SCALARS:
                return Step(self.name, normal(kwargs))
        return Step(self.name, kwargs)


class QuestionDef(StepDef[P]):
    """A registered question and, apart from it, the handler of its answer."""

    def __init__(self, name: str, run: Callable[Concatenate[T, P], Asks], mode: str) -> None:
        super().__init__(name, run)
        if mode not in MODES:
            raise RulebookError(f"{name}: the mode {mode!r} is none of {MODES}")
        self.mode = mode
        self.declares = mode == "sequence" and "declared" in self.params
        self.handler: Callable[..., bool | None] | None = None

    def answered(self, handler: Callable[..., bool | None]) -> Callable[..., bool | None]:
        expected = {name for name in self.params if name != "declared"} | {"answer"}
        given = set(tuple(inspect.signature(handler).parameters)[1:])
        if expected != given:
            raise RulebookError(f"{self.name}: the handler takes {sorted(given)} and would get {sorted(expected)}")
        self.handler = handler
        return handler

    def part(self, *args: P.args, **kwargs: P.kwargs) -> Step:
        """The question as the next part of the play being composed: same person, same action."""
        step = self(*args, **kwargs)
        return Step(step.name, step.args, True)


class _QuestionDecorator(Protocol):
    def __call__(self, run: Callable[Concatenate[T, P], Asks], /) -> QuestionDef[P]: ...


class Rulebook:
    """The rules of one game: named steps and questions, and a few hooks."""

    def __init__(
        self, name: str, *, version: int, title: str, seats: Sequence[int], draws: bool = False, kind: str = "game"
    ) -> None:
        self.name = name
        self.kind = kind
        """A game, or a draft before one."""
        self.version = version
        self.title = title
        self.seats = seats
        self.draws = draws
        """May players agree on a draw?"""
        self.about: dict[str, Any] = {}
        self.steps: dict[str, StepDef[Any]] = {}
        self.questions: dict[str, QuestionDef[Any]] = {}
        self.sentences: dict[str, str | Callable[..., str]] = {}
        self.goal: int | None = None
        self.hooks: dict[str, Callable[..., Any]] = {}

    @property
    def id(self) -> str:
        return f"{self.name}@{self.version}"

    # -- what happens -----------------------------------------------------------------------------------------------

    def step(self, run: Callable[Concatenate[T, P], None]) -> StepDef[P]:
        made: StepDef[P] = StepDef(_name(run), run)
        self._register(made)
        return made

    @overload
    def question(self, run: Callable[Concatenate[T, P], Asks], /) -> QuestionDef[P]: ...
    @overload
    def question(self, run: None = ..., /, *, mode: str = ...) -> _QuestionDecorator: ...
    def question(self, run: Callable[..., Asks] | None = None, /, *, mode: str = "") -> Any:
        def register(run: Callable[..., Asks]) -> QuestionDef[Any]:
            made: QuestionDef[Any] = QuestionDef(_name(run), run, mode)
            self._register(made)
            return made

        return register if run is None else register(run)

    def _register(self, made: StepDef[Any]) -> None:
        if made.name in self.steps:
            raise RulebookError(f"{self.name}: two steps are called {made.name!r}")
        self.steps[made.name] = made
        if isinstance(made, QuestionDef):
            self.questions[made.name] = made

    def aliases(self, **old_names: StepDef[Any]) -> None:
        """Old names under which running games may still hold a step."""
        for name, step in old_names.items():
            self.steps.setdefault(name, step)
            if isinstance(step, QuestionDef):
                self.questions.setdefault(name, step)

    # -- hooks ------------------------------------------------------------------------------------------------------

    def setup(self, hook: Callable[[T, Options, Decks], None]) -> Callable[[T, Options, Decks], None]:
        return self._hook("setup", hook)

    def check_setup(self, hook: Callable[[int, Options, Decks], list[Violation]]) -> Callable[..., list[Violation]]:
        return self._hook("check_setup", hook)

    def check_deck(self, hook: Callable[[int, Options, Any], list[Violation]]) -> Callable[..., list[Violation]]:
        return self._hook("check_deck", hook)

    def anytime(self, hook: Callable[[T, int], list[May]]) -> Callable[[T, int], list[May]]:
        return self._hook("anytime", hook)

    def use(self, hook: Callable[[T, int, str], None]) -> Callable[[T, int, str], None]:
        return self._hook("use", hook)

    def leave(self, hook: Callable[[T, int, str], None]) -> Callable[[T, int, str], None]:
        return self._hook("leave", hook)

    def noun(self, hook: Callable[[str], str]) -> Callable[[str], str]:
        return self._hook("noun", hook)

    def place(self, hook: Callable[[str], str]) -> Callable[[str], str]:
        return self._hook("place", hook)

    def samples(self, hook: Callable[[], list[Setup]]) -> Callable[[], list[Setup]]:
        return self._hook("samples", hook)

    def shown(self, hook: Callable[[T, Any], dict[str, Any]]) -> Callable[[T, Any], dict[str, Any]]:
        return self._hook("shown", hook)

    def advice(self, hook: Callable[..., Any]) -> Callable[..., Any]:
        return self._hook("advice", hook)

    def invariants(self, hook: Callable[[Table], list[str]]) -> Callable[[Table], list[str]]:
        return self._hook("invariants", hook)

    def _hook(self, name: str, hook: Hook) -> Hook:
        self.hooks[name] = hook
        return hook

    # -- what the kernel asks of it ---------------------------------------------------------------------------------

    def violations(self, seats: int, options: Options, decks: Decks) -> list[Violation]:
        if seats not in self.seats:
            allowed = ", ".join(map(str, self.seats))
            return [Violation("/seats", "out_of_range", f"{self.title} is played by {allowed}, not by {seats}")]
        hook = self.hooks.get("check_setup")
        return list(hook(seats, options, decks)) if hook else []

    def deck_violations(self, seats: int, options: Options, deck: Any) -> list[Violation]:
        """What is wrong with one deck, before the others are known."""
        hook = self.hooks.get("check_deck")
        return list(hook(seats, options, deck)) if hook else []

    def sample_setups(self) -> list[Setup]:
        hook = self.hooks.get("samples")
        return list(hook()) if hook else [Setup(seats) for seats in self.seats]

    def name_of(self, key: str) -> str:
        hook = self.hooks.get("noun")
        return str(hook(key)) if hook else key


def _name(run: Callable[..., Any]) -> str:
    return run.__name__


_BOOKS: dict[str, Rulebook] = {}
SHELVES = ("games.rulebooks", "drafting.rulebooks")
"""Packages that rulebooks are found in, by their names."""


def register(book: Rulebook) -> Rulebook:
    """Make a rulebook known under name@version; the newest version also under its bare name."""
    known = _BOOKS.get(book.id)
    if known is not None and known is not book:
        raise RulebookError(f"two rulebooks are called {book.id}")
    _BOOKS[book.id] = book
    if book.name not in _BOOKS or _BOOKS[book.name].version <= book.version:
        _BOOKS[book.name] = book
    return book


def rulebook(name: str) -> Rulebook:
    """The rulebook of this name or name@version."""
    if name not in _BOOKS:
        _load(name.partition("@")[0])
    if name not in _BOOKS:
        known = ", ".join([*names(), *names("draft")])
        raise LookupError(f"there is no rulebook {name!r}; there are {known}")
    return _BOOKS[name]


def names(kind: str = "game") -> list[str]:
    """The names of all rulebooks of this kind."""
    for shelf in SHELVES:
        for module in pkgutil.iter_modules(importlib.import_module(shelf).__path__):
            _load(module.name)
    return sorted(name for name, book in _BOOKS.items() if "@" not in name and book.kind == kind)


def _load(name: str) -> None:
    """Import <shelf>.<name>; its `book` becomes known."""
    if not name.isidentifier():
        return
    for shelf in SHELVES:
        if importlib.util.find_spec(f"{shelf}.{name}") is not None:
            found = importlib.import_module(f"{shelf}.{name}")
            if isinstance(book := getattr(found, "book", None), Rulebook):
                register(book)
