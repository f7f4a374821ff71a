"""Standing passes: a seat's private setting, the same for every game.

{"pass": mode, "stops": [kinds of question]}. Modes: "off"; "idle" (pass when nothing else is possible); "turn" (pass
until the turn changes); "mine" (pass until the own turn). A question whose kind is among the stops is never passed,
nor one whose kind and `about` are ("priority:line": as soon as something is on the line).
The server carries a standing pass out as an ordinary answer after a keyed delay, the same for every reason; at once
only where public facts show that no play exists. The rulebook keeps the variable "turn" as [number, seat].
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .errors import Rejected
from .questions import least, only_answer
from .table import Asked, Table

MODES = ("off", "idle", "turn", "mine")


class Pass(NamedTuple):
    """A pass the server may give in this seat's name: at once where everybody can see that nothing is possible."""

    decision: str
    path: list[Any]
    public: bool


def check_stops(value: Any, table: Table) -> dict[str, Any] | None:
    """The setting in its stored form; None switches it off."""
    if value is None:
        return None
    fits = (
        isinstance(value, dict) and set(value) <= {"pass", "stops"} and value.get("pass", "off") in MODES
        and isinstance(value.get("stops", []), list) and all(isinstance(kind, str) for kind in value.get("stops", []))
    )  # fmt: skip
    if not fits:
        detail = f'{{"pass": one of {", ".join(MODES)}, "stops": [kinds of question never passed]}} is needed'
        raise Rejected("illegal", detail, [{"pointer": "/set", "code": "wrong_shape", "detail": detail}])
    return {"pass": value.get("pass", "off"), "stops": value.get("stops", []), "since": table.vars.get("turn")}


def auto_answer(table: Table, ask: Asked) -> Pass | None:
    """The pass to give for this open question, or None: the chooser decides."""
    if not ask.passes or ask.id in table.answers:
        return None
    path = [least(ask.shape) if ask.default is None else ask.default]
    if ask.bare:
        return Pass(ask.id, path, True)
    setting = table.stops.get(str(ask.chooser))
    if setting is None or not _applies(table, ask, setting):
        return None
    if ask.kind in setting["stops"] or f"{ask.kind}:{ask.about}" in setting["stops"]:
        return None
    return Pass(ask.id, path, False)


def _applies(table: Table, ask: Asked, setting: dict[str, Any]) -> bool:
    mode = setting["pass"]
    if mode == "idle":
        return only_answer(ask.shape) is not None
    turn = table.vars.get("turn")
    if mode == "turn":
        return setting.get("since") == turn
    return bool(mode == "mine" and turn and turn[1] != ask.chooser)
