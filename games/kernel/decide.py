"""Actions in, effects out: `decide` works on a clone, changes nothing when it refuses, and needs nothing but the table.

    {"do": "start", "rulebook", "seats", "options", "decks", "teams", "sealed"}
    {"do": "answer", "seat", "decision", "path": […]}          path[0] answers the decision, the others its parts
    {"do": "use", "seat", "option", "path"?}                   an any-time act; option "stops" + "set": standing passes
    {"do": "concede", "seat", "reason"?}                       conceded, time
    {"do": "ruling", "verbs": [{"verb", "args": {…}}]}         a judge sets something right
    {"do": "restore", "table": {…}, "reshuffle"?: [zone]}      a rewind: the table as it was; counters never go back
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from . import effects as fx
from .agenda import Complete, newest
from .errors import Rejected, RulebookError
from .play import Incomplete, T
from .questions import Ask, least
from .rulebook import May, Rulebook, rulebook
from .stops import check_stops
from .table import PUBLIC, Asked, Effect, Table, clone, normal, to_form

Action = dict[str, Any]
RULING = ("move", "make", "remove", "turn", "count", "mark", "give", "attach", "know", "conceal", "set", "shuffle",
          "out", "end", "say")  # fmt: skip


class Decided(Struct, frozen=True):
    table: Table
    effects: list[Effect]
    action: Action
    """As it is to be stored: with the masks of its secret fields in `only`."""


def decide(
    table: Table, action: Action, key: bytes | None = None, compose: Callable[[Ask], Any] | None = None
) -> Decided:
    """What this action does. Raises Rejected; the table given is never changed. `compose` answers missing parts."""
    verb = _VERBS.get(action.get("do", ""))
    if verb is None:
        raise _illegal("/do", "unknown_option", f"an action does one of {', '.join(_VERBS)}")
    if table.outcome is not None and action["do"] not in ("ruling", "restore"):
        raise Rejected("over", "The game is over.")
    after = clone(table)
    t = T(after, _book(table, action), key, compose)
    if "only" in action:
        action = {name: value for name, value in action.items() if name != "only"}
    stored = verb(t, action)
    t.seal()
    return Decided(after, t.effects, stored)


def _book(table: Table, action: Action) -> Rulebook:
    if action["do"] == "start":
        if table.rulebook:
            raise Rejected("illegal", "The game has already begun.")
        try:
            return rulebook(str(action.get("rulebook", "")))
        except LookupError as none:
            raise _illegal("/rulebook", "unknown_option", str(none)) from none
    if not table.rulebook:
        raise Rejected("illegal", "The game has not begun.")
    return rulebook(table.rulebook)


def _start(t: T, action: Action) -> Action:
    seats = action.get("seats")
    if not isinstance(seats, int) or isinstance(seats, bool):
        raise _illegal("/seats", "wrong_shape", "a whole number of seats is needed")
    options, decks = normal(action.get("options") or {}), normal(action.get("decks") or [])
    if found := t.book.violations(seats, options, decks):
        raise Rejected("illegal", "; ".join(one.detail for one in found), [msgspec.to_builtins(one) for one in found])
    teams = action.get("teams") or list(range(seats))
    t.emit(fx.Begin(rulebook=t.book.id, teams=teams, options=options))
    t.book.hooks["setup"](t, options, decks)
    t.run()
    stored = {**action, "rulebook": t.book.id}
    return {**stored, "only": {"decks": 0}} if action.get("sealed") and "decks" in stored else stored


def _answer(t: T, action: Action) -> Action:
    ask = _asked(t.s, action)
    path = action.get("path")
    if not isinstance(path, list):
        raise _illegal("/path", "wrong_shape", "a list is needed: the answer, then the parts of the play")
    stored = {**action, "path": list(path)}
    try:
        t.answer(ask, stored["path"])
        t.run()
    except Incomplete as missing:
        raise _incomplete(missing) from None
    if len(path) > 1:
        t.check_path_used()
    if t.sealed:
        stored["only"] = {"path": 1 << ask.chooser}
    return stored


def _use(t: T, action: Action) -> Action:
    seat = _seat(t.s, action)
    if action.get("option") == "stops":
        value = check_stops(action.get("set"), t.s)
        t.emit(fx.Stopped(seat=seat, value=value, secret=1 << seat))
        return {**action, "set": action.get("set"), "only": {"option": 1 << seat, "set": 1 << seat}}
    may = next((one for one in anytime(t, seat) if one.option == action.get("option")), None)
    if may is None:
        raise _illegal("/option", "unknown_option", "this cannot be done now; `may` in your view lists what can")
    path = action.get("path", [])
    if not isinstance(path, list):
        raise _illegal("/path", "wrong_shape", "a list is needed: the parts of the play")
    stored = {**action, "path": list(path)}
    t.begin(seat, stored["path"])
    try:
        t.book.hooks["use"](t, seat, may.option)
        t.run()
    except Incomplete as missing:
        raise _incomplete(missing) from None
    t.check_path_used()
    if may.sealed or t.sealed:
        stored["only"] = {"option": 1 << seat, "path": 1 << seat}
    return stored


def _incomplete(missing: Incomplete) -> Rejected:
    pointer = f"/path/{missing.index}"
    error = {"pointer": pointer, "code": "too_few", "detail": f"{missing.kind} must be answered too"}
    return Rejected("incomplete", f"The path ends before the play does: {missing.kind} is next.", [error])


def _concede(t: T, action: Action) -> Action:
    seat = _seat(t.s, action)
    reason = action.get("reason", "conceded")
    if leave := t.book.hooks.get("leave"):
        leave(t, seat, reason)
    else:
        leave_by_default(t, seat, reason)
    t.run()
    return action


def leave_by_default(t: T, seat: int, reason: str) -> None:
    """The seat is out; the last team left wins."""
    t.out(seat, reason)
    teams = t.teams()
    if len(teams) == 1:
        (team,) = teams
        t.end("win", [index for index, other in enumerate(t.s.seats) if other.team == team], reason)
    elif not teams:
        t.end("void", [], reason)


def _ruling(t: T, action: Action) -> Action:
    verbs = action.get("verbs")
    if not isinstance(verbs, list) or not verbs:
        raise _illegal("/verbs", "wrong_shape", "a list of {verb, args} is needed")
    if t.s.outcome is not None and any(one.get("verb") != "end" for one in verbs):
        raise Rejected("over", "The game is over; only its outcome can be ruled upon, or an earlier moment restored.")
    t.s.outcome = None  # a ruling may end the game anew
    for index, one in enumerate(verbs):
        if one.get("verb") not in RULING:
            raise _illegal(f"/verbs/{index}/verb", "unknown_option", f"one of {', '.join(RULING)}")
        before = len(t.effects)
        try:
            getattr(t, one["verb"])(**one.get("args", {}))
            for effect in t.effects[before:]:
                _sound(effect, t.s)
        except (TypeError, KeyError, ValueError, IndexError, AttributeError, RulebookError) as wrong:
            raise _illegal(f"/verbs/{index}/args", "wrong_shape", f"{one['verb']}: {wrong!r}") from None
    t.run()
    return {**action, "only": {"verbs": 0}}


def _sound(effect: Effect, table: Table) -> None:
    """A judge's words come unchecked: an effect that could not be read back would close the game's history for ever."""
    form = normal(fx.to_dict(effect))
    if fx.from_dict(form) != effect:
        raise ValueError(f"{form} is not what was meant")
    for mask in (form.get(name) or 0 for name in ("seats", "known", "mask", "secret")):
        if mask != PUBLIC and not 0 <= mask < 1 << len(table.seats):
            raise ValueError(f"the seats are 0 to {len(table.seats) - 1}")


def _restore(t: T, action: Action) -> Action:
    try:
        form = to_form(msgspec.convert(action.get("table"), Table))
    except msgspec.ValidationError as wrong:
        raise _illegal("/table", "wrong_shape", str(wrong)) from None
    t.emit(fx.Restored(table=form, only={"table": 0}))
    for zone in action.get("reshuffle") or []:
        t.shuffle(zone, f"rewind {zone}")
    t.renew()
    t.run()
    return {**action, "table": form, "only": {"table": 0}}


_VERBS = {
    "start": _start, "answer": _answer, "use": _use, "concede": _concede, "ruling": _ruling, "restore": _restore,
}  # fmt: skip


def _illegal(pointer: str, code: str, detail: str) -> Rejected:
    return Rejected("illegal", detail, [{"pointer": pointer, "code": code, "detail": detail}])


def _seat(table: Table, action: Action) -> int:
    seat = action.get("seat")
    if type(seat) is not int or not 0 <= seat < len(table.seats):
        raise _illegal("/seat", "out_of_range", f"the seats are 0 to {len(table.seats) - 1}")
    if table.seats[seat].out:
        raise Rejected("over", "This seat has left.")
    return seat


def _asked(table: Table, action: Action) -> Asked:
    seat = action.get("seat")
    ask = table.open.get(str(action.get("decision")))
    if (
        ask is not None and type(seat) is int and ask.chooser == seat and ask.group == newest(table.open).group
        and (ask.mode == "all" or ask.id not in table.answers)
    ):  # fmt: skip
        return ask
    seat = _seat(table, action)
    if ask is None or ask.group < newest(table.open).group:
        raise Rejected("stale", "This decision is not open; read the table again and answer what it asks now.")
    if ask.chooser != seat:
        raise Rejected("not_yours", f"Seat {ask.chooser} decides this, not seat {seat}.")
    raise Rejected("stale", "This decision has been answered.")


# -- reading what is asked ------------------------------------------------------------------------------------------


def waiting(table: Table) -> list[Asked]:
    """The open questions whose answer is not in."""
    asked, answers = table.open, table.answers
    if not asked:
        return []
    last = newest(asked)
    if len(asked) == 1:
        return [] if last.id in answers else [last]
    group = last.group
    return [ask for name, ask in asked.items() if ask.group == group and name not in answers]


def anytime(t: T, seat: int) -> list[May]:
    """What this seat may do without being asked."""
    hook = t.book.hooks.get("anytime")
    return list(hook(t, seat)) if hook and t.s.outcome is None and not t.s.seats[seat].out else []


def preview(table: Table, action: Action) -> Incomplete | None:
    """The next part of this answer or any-time act, or None: it is complete. Nothing happens and nothing is learnt.

    Raises Rejected where a part given so far does not fit.
    """
    if table.outcome is not None:
        raise Rejected("over", "The game is over.")
    t = T(clone(table), rulebook(table.rulebook))
    t.preview()
    try:
        if action.get("do") == "use":
            seat = _seat(table, action)
            if not any(may.option == action.get("option") for may in anytime(t, seat)):
                raise _illegal("/option", "unknown_option", "this cannot be done now")
            t.begin(seat, list(action.get("path") or []))
            t.book.hooks["use"](t, seat, action["option"])
        else:
            t.answer(_asked(table, action), list(action.get("path") or []))
        t.run()
    except Incomplete as missing:
        return missing
    except Complete:
        pass
    t.check_path_used()
    return None


def default_path(table: Table, decision: str) -> list[Any]:
    """The answer given for a silent chooser, with the least of every part."""
    ask = table.open[decision]
    path = [least(ask.shape) if ask.default is None else ask.default]
    action = {"do": "answer", "seat": ask.chooser, "decision": decision}
    while (part := preview(table, {**action, "path": path})) is not None:
        path.append(least(part.ask.shape) if part.ask.default is None else part.ask.default)
    return path


def new_table() -> Table:
    """Before anything: the table that the first effect begins."""
    return Table()


def start(
    book: str, seats: int, key: bytes, options: dict[str, Any] | None = None, decks: list[Any] | None = None,
    teams: list[int] | None = None,
) -> Decided:
    """A game from nothing: for tests, playouts and sandboxes."""
    action: Action = {"do": "start", "rulebook": book, "seats": seats, "options": options or {}, "decks": decks or []}
    return decide(new_table(), {**action, "teams": teams} if teams else action, key)

