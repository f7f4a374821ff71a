"""Questions: four shapes, whether an answer fits (with a reason for each misfit), and the least fitting answer.

An answer that fits the shape is always legal: a rulebook offers nothing that it would refuse afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from .errors import RulebookError
from .table import Assign, Number, Pick, Shape, Split

Error = dict[str, Any]


class Ask(Struct, frozen=True):
    """What a question function returns. `seat` is whom it concerns, `chooser` who decides (usually the same).

    public=False: only the chooser sees the options. sealed=True: the answer too stays with the chooser (answers in
    mode "all" always do). `default` is the answer when time runs out (else the least fitting one). passes=True: the
    default is a pass, so standing passes may give it; bare=True: public facts show that nothing else is possible.
    `about` tells apart several questions to one seat; asks of equal `place` are put together in mode "sequence".
    """

    seat: int
    shape: Shape
    chooser: int = -1
    public: bool = True
    sealed: bool = False
    default: Any = None
    rule: str = ""
    passes: bool = False
    bare: bool = False
    about: str = ""
    place: int = -1


def pick(options: Iterable[str], lo: int = 1, hi: int | None = None, ordered: bool = False) -> Pick:
    """`lo` to `hi` of the options. Without `hi`: exactly `lo`; with lo=0 any number. `hi` is cut to what there is."""
    options = list(options)
    if lo > len(options):
        raise RulebookError(f"nobody can pick {lo} of {options}: a question without an answer must not be asked")
    if hi is None:
        hi = lo or len(options)
    elif hi > len(options):
        hi = len(options)
    return Pick(options, lo, hi if hi > lo else lo, ordered)


def number(lo: int, hi: int) -> Number:
    if lo > hi:
        raise RulebookError(f"no number is at least {lo} and at most {hi}")
    return Number(lo, hi)


def split(
    total: int, options: Iterable[str], floors: Mapping[str, int] | None = None, caps: Mapping[str, int] | None = None
) -> Split:
    """`total` over the options, each at least its floor (0) and at most its cap (no limit)."""
    shape = Split(total, list(options), dict(floors or {}), dict(caps or {}))
    low = sum(shape.floors.get(option, 0) for option in shape.options)
    high = sum(shape.caps.get(option, total) for option in shape.options)
    if not low <= total <= high:
        raise RulebookError(f"{total} cannot be split over {shape.options}: floors sum to {low}, caps to {high}")
    return shape


def assign(
    things: Mapping[str, Iterable[str]], required: Iterable[str] = (), caps: Mapping[str, int] | None = None
) -> Assign:
    """Each thing to at most one of its bins; `required` things must go somewhere; a bin holds at most its cap."""
    shape = Assign({thing: list(bins) for thing, bins in things.items()}, list(required), dict(caps or {}))
    _matching(shape)
    return shape


def least(shape: Shape) -> Any:
    """The least fitting answer: as little as possible, from the front."""
    if isinstance(shape, Pick):
        return shape.options[: shape.lo]
    if isinstance(shape, Number):
        return shape.lo
    if isinstance(shape, Split):
        shares = {option: shape.floors[option] for option in shape.options if shape.floors.get(option)}
        rest = shape.total - sum(shares.values())
        for option in shape.options:
            more = min(rest, shape.caps.get(option, shape.total) - shares.get(option, 0))
            if more:
                shares[option] = shares.get(option, 0) + more
                rest -= more
        return shares
    return _matching(shape)


def only_answer(shape: Shape) -> Any:
    """The one answer that fits, or None where there is a choice."""
    if isinstance(shape, Pick):
        count = len(shape.options)
        if shape.hi == 0 or (shape.lo == count and (count < 2 or not shape.ordered)):
            return shape.options[: shape.lo]
        return None
    if isinstance(shape, Number):
        return shape.lo if shape.lo == shape.hi else None
    if isinstance(shape, Split):
        floors = sum(shape.floors.get(option, 0) for option in shape.options)
        caps = sum(shape.caps.get(option, shape.total) for option in shape.options)
        return least(shape) if shape.total in (floors, caps) or len(shape.options) < 2 else None
    return {} if not any(shape.things.values()) else None


def misfits(shape: Shape, value: Any, pointer: str = "/path/0", rule: str = "") -> list[Error]:
    """Why this answer does not fit; empty if it does. Says what would be right, and the rule where one is known."""
    if isinstance(shape, Pick):
        found = _pick_misfits(shape, value)
    elif isinstance(shape, Number):
        found = _number_misfits(shape, value)
    elif isinstance(shape, Split):
        found = _split_misfits(shape, value)
    else:
        found = _assign_misfits(shape, value)
    if not found:
        return []
    return [
        {"pointer": pointer + where, "code": code, "detail": detail} | ({"rule": rule} if rule else {})
        for where, code, detail in found
    ]


Found = list[tuple[str, str, str]]


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _pick_misfits(shape: Pick, value: Any) -> Found:
    if type(value) is list and len(value) == 1 and shape.lo <= 1 <= shape.hi and value[0] in shape.options:
        return []
    if not isinstance(value, list) or not all(isinstance(option, str) for option in value):
        return [("", "wrong_shape", "a list of option ids is asked for")]
    found: Found = []
    options = set(shape.options)
    seen: set[str] = set()
    for index, option in enumerate(value):
        if option not in options:
            found.append((f"/{index}", "unknown_option", f"{option!r} is not among the options"))
        elif option in seen:
            found.append((f"/{index}", "duplicate_option", f"{option!r} is named twice; each option counts once"))
        seen.add(option)
    if len(value) < shape.lo:
        found.append(("", "too_few", f"at least {shape.lo}, {len(value)} given"))
    if len(value) > shape.hi:
        found.append(("", "too_many", f"at most {shape.hi}, {len(value)} given"))
    return found


def _number_misfits(shape: Number, value: Any) -> Found:
    if not _is_int(value):
        return [("", "wrong_shape", f"a whole number from {shape.lo} to {shape.hi} is asked for")]
    if not shape.lo <= value <= shape.hi:
        return [("", "out_of_range", f"from {shape.lo} to {shape.hi}, {value} given")]
    return []


def _split_misfits(shape: Split, value: Any) -> Found:
    if not isinstance(value, dict) or not all(isinstance(k, str) and _is_int(v) for k, v in value.items()):
        return [("", "wrong_shape", "an object {option id: whole number} is asked for")]
    found: Found = []
    for option in value:
        if option not in shape.options:
            found.append((f"/{option}", "unknown_option", f"{option!r} is not among the options"))
    for option in shape.options:
        share, floor = value.get(option, 0), shape.floors.get(option, 0)
        cap = shape.caps.get(option, shape.total)
        if not floor <= share <= cap:
            found.append((f"/{option}", "out_of_range", f"from {floor} to {cap}, {share} given"))
    if sum(value.values()) != shape.total:
        found.append(("", "does_not_add_up", f"the shares sum to {sum(value.values())}, not to {shape.total}"))
    return found


def _assign_misfits(shape: Assign, value: Any) -> Found:
    if not isinstance(value, dict) or not all(isinstance(k, str) and isinstance(v, str) for k, v in value.items()):
        return [("", "wrong_shape", "an object {thing: bin} is asked for")]
    found: Found = []
    load: dict[str, int] = {}
    for thing, place in value.items():
        if thing not in shape.things:
            found.append((f"/{thing}", "unknown_option", f"{thing!r} is not among the things"))
        elif place not in shape.things[thing]:
            found.append((f"/{thing}", "unknown_option", f"{thing!r} may go to {', '.join(shape.things[thing])}"))
        load[place] = load.get(place, 0) + 1
    for place, cap in shape.caps.items():
        if load.get(place, 0) > cap:
            found.append(("", "too_many", f"at most {cap} to {place!r}, {load[place]} given"))
    for thing in shape.required:
        if thing not in value:
            found.append((f"/{thing}", "too_few", f"{thing!r} must go to one of {', '.join(shape.things[thing])}"))
    return found


def _matching(shape: Assign) -> dict[str, str]:
    """The required things in bins, by augmenting paths: bins have caps, so first come may have to make room."""
    held: dict[str, list[str]] = {}

    def place(thing: str, tried: set[str]) -> bool:
        for target in shape.things.get(thing, []):
            if target in tried:
                continue
            tried.add(target)
            inside = held.setdefault(target, [])
            if target not in shape.caps or len(inside) < shape.caps[target]:
                inside.append(thing)
                return True
            for other in inside:
                if place(other, tried):
                    inside[inside.index(other)] = thing
                    return True
        return False

    for thing in shape.required:
        if not place(thing, set()):
            raise RulebookError(f"{thing!r} must be assigned but has no bin left")
    return {thing: target for target, inside in held.items() for thing in inside}
