"""The agenda: a stack of named steps, what is still to happen. Rules code pushes on it, tells it, cuts it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ParamSpec

from . import effects as fx
from .apply import APPLY
from .errors import RulebookError
from .questions import Ask
from .rulebook import QuestionDef, Rulebook, StepDef
from .table import Asked, Effect, Step, Table, normal
from .verbs import Verbs

P = ParamSpec("P")
COMPOSING = frozenset({fx.Answered, fx.Closed})
"""What may have been emitted while a play is still being composed: choices, no consequences."""


class Complete(Exception):
    """A preview has seen enough: the play is composed and its consequences begin."""


def in_group(table: Table, group: int) -> list[Asked]:
    """The open questions of a group, in the order they were asked."""
    return [ask for ask in table.open.values() if ask.group == group]


def on_top(table: Table) -> list[Asked]:
    """The questions asked last, all of one group: only they can be answered."""
    return in_group(table, newest(table.open).group) if table.open else []


def newest(asked: dict[str, Asked]) -> Asked:
    """One of the questions asked last. Nothing is ever asked beneath an open question, so it stands last."""
    for ask in asked.values():
        last = ask
    return last


class Agenda(Verbs):
    """The verbs, and what is still to happen."""

    def __init__(
        self, table: Table, book: Rulebook, key: bytes | None = None, compose: Callable[[Ask], Any] | None = None
    ) -> None:
        self.s = table
        self.book = book
        self.effects = []
        self.compose = compose
        """Answers the parts that the path lacks (playouts; players use `preview`)."""
        self.sealed = False
        """Did a sealed answer go into this action? Then its path is the actor's secret."""
        self._key = key
        self._low = self._depth = len(table.agenda)
        self._fresh = 0
        """How many effects there were when the open questions were last asked."""
        self._preview = False
        self._actor = -1
        self._path: list[Any] = []
        self._taken = 0

    def emit(self, effect: Effect) -> None:
        if self._preview and type(effect) not in COMPOSING:
            raise Complete
        APPLY[type(effect)](self.s, effect)
        self.effects.append(effect)

    def _stale(self) -> bool:
        """Has anything but a plain answer happened since the open questions were asked?"""
        first, self._fresh = self._fresh, len(self.effects)
        for effect in self.effects[first:]:  # noqa: SIM110 (asked with every answer: a loop costs least)
            if type(effect) is not fx.Answered or effect.closes:
                return True
        return False

    def _source(self) -> bytes:
        """A draw is a consequence: a preview ends before it."""
        if self._preview:
            raise Complete
        return super()._source()

    # -- the agenda -------------------------------------------------------------------------------------------------

    def push(self, step: StepDef[P], *args: P.args, **kwargs: P.kwargs) -> None:
        """This happens next; what was next before comes after it."""
        self.s.agenda.append(step(*args, **kwargs))

    def ask(self, question: QuestionDef[P], *args: P.args, **kwargs: P.kwargs) -> None:
        """Ask this next."""
        self.s.agenda.append(question(*args, **kwargs))

    def part(self, question: QuestionDef[P], *args: P.args, **kwargs: P.kwargs) -> None:
        """Ask this next, as a part of the play being composed: its answer comes in the same action."""
        self.s.agenda.append(question.part(*args, **kwargs))

    def seq(self, *steps: Step | StepDef[[]]) -> None:
        """These happen next, in this order."""
        push = self.s.agenda.append
        for step in reversed(steps):
            push(step if isinstance(step, Step) else step())

    def tell(self, **args: Any) -> None:
        """Write into the arguments of the step below the one that is running: how a result is handed down."""
        if not self._depth:
            raise RulebookError("there is no step below to tell anything")
        below = self.s.agenda[self._depth - 1]
        if below.name not in self.book.steps or not set(args) <= set(self.book.steps[below.name].params):
            raise RulebookError(f"{below.name} does not take {sorted(args)}")
        self.s.agenda[self._depth - 1] = Step(below.name, {**below.args, **normal(args)}, below.part)
        self._low = min(self._low, self._depth - 1)

    def cut(self, step: StepDef[Any], *, also: bool = False) -> bool:
        """Drop what lies above the topmost `step` (`also`: the step too), open questions included."""
        agenda = self.s.agenda
        for index in range(len(agenda) - 1, -1, -1):
            if agenda[index].name == step.name:
                depth = index if also else index + 1
                del agenda[depth:]
                if depth < self._low:
                    self._low = depth
                if depth < self._depth:
                    self._depth = depth
                if self.s.open:
                    self._close([ask for ask in self.s.open.values() if ask.at[0] >= depth])
                return True
        return False

    def pending(self, step: StepDef[Any]) -> bool:
        """Is this step somewhere on the agenda?"""
        return any(waiting.name == step.name for waiting in self.s.agenda)

    def _close(self, asks: Iterable[Asked]) -> None:
        """What lies beneath may have gone stale in the meantime: it is asked again when it comes up."""
        if ids := [ask.id for ask in asks]:
            self.emit(fx.Closed(decisions=ids))

    def seal(self) -> None:
        """One sealed delta of the agenda ends every event."""
        agenda, low = self.s.agenda, self._low
        if low > len(agenda):
            low = len(agenda)
        self.effects.append(fx.AgendaSet(keep=low, push=agenda[low:], secret=0))
