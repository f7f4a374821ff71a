"""The engine: takes steps off the agenda and runs them, opens questions, takes answers, asks again what went stale.

`T` is what rules code holds: the verbs (verbs.py) plus the agenda. The agenda is a stack of named steps; questions
lie on it at the depth at which they were asked and nothing beneath that depth runs while they are open.
"""

from __future__ import annotations

from typing import Any

from . import effects as fx
from .agenda import COMPOSING, Agenda, in_group, newest, on_top
from .errors import Rejected, RulebookError, Stuck
from .questions import Ask, least, misfits, only_answer
from .rulebook import QuestionDef
from .table import Asked, Pick, Shape, Step, normal

MOST_STEPS = 100_000
"""Steps of one action after which the rules run in circles."""


class Incomplete(Exception):
    """The path ends before the play does: this is the next part."""

    def __init__(self, ask: Ask, kind: str, index: int) -> None:
        super().__init__(kind)
        self.ask = ask
        self.kind = kind
        self.index = index


class T(Agenda):
    """What steps and handlers work with."""

    # -- running ----------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Until the game is over, or nothing is left above the depth of the open questions."""
        table, steps = self.s, self.book.steps
        for _ in range(MOST_STEPS):
            if table.outcome is not None:
                return
            agenda = table.agenda
            if table.open:
                depth: int = newest(table.open).at[0]
                if len(agenda) <= depth:
                    if not self._stale():
                        return
                    self._depth = depth
                    self._reask(on_top(table))
                    continue
            elif not agenda:
                raise Stuck(f"{table.rulebook}: the game is not over and waits for nobody; nothing is on the agenda")
            step = agenda.pop()
            self._depth = depth = len(agenda)
            if depth < self._low:
                self._low = depth
            known = steps.get(step.name)
            if known is None:
                raise Stuck(f"{table.rulebook} knows no step {step.name!r}; the agenda is {agenda}")
            if not isinstance(known, QuestionDef):
                if step.args:
                    known.run(self, **step.args)
                else:
                    known.run(self)
            elif step.part:
                self._take_part(known, step.args)
            else:
                self._open(known, step.args, [], table.asks)
        raise Stuck(f"{table.rulebook}: {MOST_STEPS} steps and nobody is asked; the agenda is {table.agenda}")

    # -- asking -----------------------------------------------------------------------------------------------------

    def _open(self, question: QuestionDef[Any], args: dict[str, Any], old: list[Asked], group: int) -> None:
        """Ask, or ask again: an unchanged question keeps its id and its sealed answer."""
        given = {_key(ask): self.s.answers[ask.id] for ask in old if ask.id in self.s.answers} if old else {}
        found = self._ask(question, args, given)
        if not question.mode:
            self._open_one(question, args, old, group, found)
            return
        living = self._living(found)
        if len(living) > 1 and len({_key(ask) for ask in living}) < len(living):
            raise RulebookError(f"{question.name} asks one seat twice; tell the questions apart by `about`")
        if question.mode == "sequence":
            living = self._next_place(question, living, given)
        fresh = self._not_yet_asked(question, old, living, given) if old else living
        forced = False
        for ask in fresh:
            self._emit_ask(question, args, ask, group)
            if question.mode == "sequence" and ask.public and (value := only_answer(ask.shape)) is not None:
                self._record(question, ask, value, f"d{self.s.asks - 1}", forced=True)
                forced = True
        if forced:
            self._reask(on_top(self.s))
        elif not fresh:
            self._conclude(question, args, group)

    def _living(self, asks: list[Ask]) -> list[Ask]:
        """Those that there is somebody to decide."""
        for ask in asks:
            if self._chooser(ask) < 0:
                return [one for one in asks if self._chooser(one) >= 0]
        return asks

    def _not_yet_asked(
        self, question: QuestionDef[Any], old: list[Asked], living: list[Ask], given: dict[Any, Any]
    ) -> list[Ask]:
        """Unchanged questions stay open, others are closed; what is left is to be asked."""
        keep: list[Asked] = []
        fresh: list[Ask] = []
        for ask in living:
            same = next((one for one in old if self._unchanged(one, ask)), None)
            if same is not None:
                keep.append(same)
            elif not (question.mode == "sequence" and _key(ask) in given):
                fresh.append(ask)
        if question.mode == "sequence":
            keep += [ask for ask in old if ask.id in self.s.answers and ask not in keep]
        self._close(ask for ask in old if ask not in keep)
        return fresh

    def _ask(self, question: QuestionDef[Any], args: dict[str, Any], given: dict[Any, Any]) -> Any:
        before = len(self.effects)
        if question.declares:
            found = question.run(self, **args, declared=given)
        else:
            found = question.run(self, **args) if args else question.run(self)
        if len(self.effects) > before:
            raise RulebookError("a question must not change anything: it may be asked again at any time")
        if question.mode:
            return found if type(found) is list else list(found or ())
        if found is not None and not isinstance(found, Ask):
            raise RulebookError(f"{question.name} asks several seats and needs a mode")
        return found

    def _open_one(
        self, question: QuestionDef[Any], args: dict[str, Any], old: list[Asked], group: int, found: Ask | None
    ) -> None:
        if found is None:
            self._close(old)
            return
        if self._chooser(found) < 0:
            forced = found.default if found.default is not None else least(found.shape)
        elif old and any(self._unchanged(one, found) for one in old):
            return
        else:
            forced = only_answer(found.shape) if found.public and not found.sealed else None
        self._close(old)
        if forced is None:
            self._emit_ask(question, args, found, group)
        else:
            self._record(question, found, forced, forced=True)
            self._handle(question, args, forced)

    def _next_place(self, question: QuestionDef[Any], asks: list[Ask], given: dict[Any, Any]) -> list[Ask]:
        """Sequence: who has answered, and whoever stands at the first place that has not."""
        shown: list[Ask] = []
        place: int | None = None
        for ask in asks:
            if _key(ask) in given:
                shown.append(ask)
            elif place is None or ask.place == place >= 0:
                place = ask.place
                shown.append(ask)
                if place < 0:
                    break
        return shown

    def _chooser(self, ask: Ask) -> int:
        """Who decides. A gone seat is never asked: the seat concerned stands in for its chooser, else nobody (-1)."""
        seats, chooser = self.s.seats, ask.chooser
        if chooser >= 0 and not seats[chooser].out:
            return chooser
        return -1 if seats[ask.seat].out else ask.seat

    def _unchanged(self, old: Asked, ask: Ask) -> bool:
        return (
            old.seat == ask.seat and old.chooser == self._chooser(ask) and old.about == ask.about
            and old.shape == ask.shape and old.rule == ask.rule and old.default == ask.default and old.bare == ask.bare
        )

    def _emit_ask(self, question: QuestionDef[Any], args: dict[str, Any], ask: Ask, group: int) -> None:
        secret = question.mode == "all"
        public = ask.public and not secret
        chooser, default = self._chooser(ask), ask.default
        only = {"at": 0} if public else {"at": 0, "shape": 1 << chooser}
        if default is not None:
            default = normal(default)
            if not public:
                only["default"] = 1 << chooser
        self.emit(
            Asked(
                f"d{self.s.asks}", question.name, ask.seat, chooser, ask.shape, group, [self._depth, args], ask.about,
                question.mode, ask.rule, public, ask.sealed or secret, default, ask.passes, ask.bare,
                only=only,
            )
        )
        self._fresh = len(self.effects)

    def _reask(self, top: list[Asked]) -> None:
        self._open(self.book.questions[top[0].kind], top[0].at[1], top, top[0].group)

    def renew(self) -> None:
        """After a rewind: every open question is asked anew, under a new id, from the start."""
        groups: dict[int, Asked] = {}
        asked = list(self.s.open.values())
        for ask in asked:
            groups.setdefault(ask.group, ask)
        self._close(asked)
        self._low = len(self.s.agenda)
        for _, ask in sorted(groups.items()):
            self._depth = ask.at[0]
            self._open(self.book.questions[ask.kind], ask.at[1], [], self.s.asks)

    # -- answering --------------------------------------------------------------------------------------------------

    def begin(self, actor: int, path: list[Any]) -> None:
        """An any-time act of this seat begins; the path answers its parts."""
        self._actor, self._path, self._taken = actor, path, 0
        self._depth = len(self.s.agenda)

    def preview(self) -> None:
        """From now on stop (Complete) before anything happens."""
        self._preview = True

    def answer(self, ask: Asked, path: list[Any]) -> None:
        """An answer to an open question: its first element answers it, the others its parts."""
        if not path:
            raise Incomplete(_as_ask(ask), ask.kind, 0)
        if found := misfits(ask.shape, path[0], "/path/0", ask.rule):
            raise Rejected("illegal", _sentence(found), found)
        value = path[0] = self._in_no_order(ask.shape, path[0])
        seat, chooser, sealed = ask.seat, ask.chooser, ask.sealed
        self._actor = chooser
        self._path, self._taken = path, 1
        question = self.book.questions[ask.kind]
        mode = question.mode
        self.sealed = sealed
        self.emit(
            fx.Answered(
                kind=ask.kind, seat=seat, value=value, decision=ask.id, closes=mode == "" or mode == "each",
                by=chooser if chooser != seat else -1, only={"value": 1 << chooser} if sealed else {},
            )
        )
        self._depth, args = ask.at
        if mode == "":
            self._handle(question, args, value)
        elif mode == "each":
            asked, depth = self.s.open, self._depth
            last = not asked or newest(asked).group != ask.group
            if last:
                self.s.agenda.append(Step(question.name, args))
            if self._handle(question, args, {_key(ask): value}) and last:
                del self.s.agenda[depth]
        elif mode == "all":
            self._conclude(question, args, ask.group)
        elif mode == "sequence":
            self._reask(on_top(self.s))
        else:
            self._conclude(question, args, ask.group)

    def _conclude(self, question: QuestionDef[Any], args: dict[str, Any], group: int) -> None:
        """Close a group whose answers are in and hand them over together."""
        mode = question.mode
        if mode == "each" or (mode == "all" and self._missing(group)):
            return
        asks = in_group(self.s, group)
        given = {_key(ask): self.s.answers[ask.id] for ask in asks if ask.id in self.s.answers}
        if mode == "first":
            acted = {
                _key(ask): self.s.answers[ask.id]
                for ask in asks
                if ask.id in self.s.answers and self.s.answers[ask.id] != _default(ask)
            }
            if not acted and len(given) < len(asks):
                return
            given = acted
        elif len(given) < len(asks):
            return
        self._close(asks)
        self._handle(question, args, given)

    def _in_no_order(self, shape: Shape, value: Any) -> Any:
        """Several picked in no order are taken in the order of their keys, else of the options: the order in which
        they were named, or lie in a hand, is nobody's business."""
        if type(shape) is not Pick or shape.ordered or len(value) < 2:
            return value
        cards, index = self.s.cards, shape.options.index
        return [one for _, _, one in sorted([(cards[o].key if o in cards else "", index(o), o) for o in value])]

    def _missing(self, group: int) -> bool:
        """Is an answer of this group still to come?"""
        answers = self.s.answers
        for name, ask in self.s.open.items():  # noqa: SIM110 (asked with every answer: a loop costs least)
            if ask.group == group and name not in answers:
                return True
        return False

    def _take_part(self, question: QuestionDef[Any], args: dict[str, Any]) -> None:
        """A part of the play being composed: nothing may have happened yet, and the same person decides."""
        if any(type(effect) not in COMPOSING for effect in self.effects):
            raise RulebookError(f"{question.name}: a part must be asked before anything of the play happens")
        ask = self._ask(question, args, {})
        if ask is None:
            return
        chooser = ask.seat if ask.chooser < 0 else ask.chooser
        if chooser != self._actor:
            raise RulebookError(f"{question.name}: a part is asked of {chooser}, but {self._actor} is acting")
        value = only_answer(ask.shape)
        forced = value is not None
        if not forced:
            if self._taken >= len(self._path):
                if self.compose is None:
                    raise Incomplete(ask, question.name, self._taken)
                self._path.append(self.compose(ask))
            value = self._path[self._taken]
            if found := misfits(ask.shape, value, f"/path/{self._taken}", ask.rule):
                raise Rejected("illegal", _sentence(found), found)
            value = self._path[self._taken] = self._in_no_order(ask.shape, value)
            self._taken += 1
        self._record(question, ask, value, forced=forced)
        self._handle(question, args, value)

    def _record(
        self, question: QuestionDef[Any], ask: Ask, value: Any, decision: str = "", forced: bool = False
    ) -> None:
        chooser = self._chooser(ask)
        sealed = ask.sealed or question.mode == "all"
        self.sealed = self.sealed or (sealed and not forced)
        self.emit(
            fx.Answered(
                kind=question.name, seat=ask.seat, value=normal(value), decision=decision, forced=forced,
                by=chooser if chooser not in (ask.seat, -1) else -1,
                only={"value": 1 << max(chooser, 0)} if sealed else {},
            )
        )

    def _handle(self, question: QuestionDef[Any], args: dict[str, Any], answer: Any) -> bool | None:
        if question.handler is None:
            raise RulebookError(f"{question.name} has no handler")
        return question.handler(self, **args, answer=answer) if args else question.handler(self, answer=answer)

    def check_path_used(self) -> None:
        if self._taken < len(self._path):
            errors = [
                {"pointer": f"/path/{index}", "code": "too_many", "detail": f"the play has {self._taken} parts"}
                for index in range(self._taken, len(self._path))
            ]
            raise Rejected("illegal", f"The play has {self._taken} parts; {len(self._path)} were given.", errors)


def _key(ask: Ask | Asked) -> Any:
    return ask.about or ask.seat


def _as_ask(ask: Asked) -> Ask:
    return Ask(ask.seat, ask.shape, ask.chooser, ask.public, ask.sealed, ask.default, ask.rule)


def _default(ask: Asked) -> Any:
    return least(ask.shape) if ask.default is None else ask.default


def _sentence(errors: list[dict[str, Any]]) -> str:
    return "That answer does not fit: " + "; ".join(error["detail"] for error in errors) + "."
