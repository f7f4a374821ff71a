"""Pick times: as fast as the judges' handbook has it, as online, or as the host likes."""

from __future__ import annotations

from typing import Any

import msgspec

from drafting.rulebooks.draft.options import Plan
from games import kernel

PICKS = (
    "pick_cards",
    "pick_card",
    "pick_line",
    "take_or_leave",
    "open_draft_pick",
    "pass_draft_pick",
    "open_draft_order",
)
BUILDS = ("build_deck", "build_sideboard")
TABLE_S = [40, 40, 35, 30, 25, 25, 20, 20, 15, 10, 10, 5, 5, 5]
"""Seconds for the picks of a pack of 15 at a table; the last card is no choice."""
PACES = ("table", "online")
WHOLE = {"rotisserie": 45, "grid": 18}
"""Styles without packs: the times fall through the whole draft, so many decisions unless the host says otherwise."""


def time_control(clock: dict[str, Any] | None, rulebook: str, options: dict[str, Any]) -> dict[str, Any] | None:
    """{"pace"} or {"pick_ms": one time or a list, "build_ms"} as times by kind of question."""
    if not clock:
        return None
    times, count = clock.get("pick_ms"), decisions_in_a_pack(rulebook, options)
    if times is None:
        times = paced(str(clock.get("pace", "online")), count)
    by_kind = {kind: fitted(times if isinstance(times, list) else [times], count) for kind in PICKS}
    by_kind |= {kind: [clock.get("build_ms", 20 * 60_000)] for kind in BUILDS}
    try:
        asked = kernel.rulebook(rulebook).questions
    except LookupError:
        return None  # the lobby will say that there is no such draft
    return {"by_kind": {kind: times for kind, times in by_kind.items() if kind in asked}}


def fitted(times: list[int], count: int) -> list[int]:
    """One for each decision of a pack, then from the beginning: the last time given holds to the end of the pack."""
    return times if len(times) < 2 else (times + times[-1:] * count)[:count]


def paced(pace: str, count: int) -> list[int]:
    """Falling times for so many decisions; a longer pack begins with more of the first."""
    if pace == "table":
        falling = [TABLE_S[0]] * max(0, count - len(TABLE_S)) + TABLE_S[-count:]
    else:
        falling = [max(10, 75 - 5 * n) for n in range(count)]
    return [1000 * seconds for seconds in falling]


def decisions_in_a_pack(rulebook: str, options: dict[str, Any]) -> int:
    """How often a seat is asked before the times begin anew."""
    if not rulebook.startswith("draft"):
        return 12 if rulebook.startswith("theos") else 14
    try:
        plan = msgspec.convert(options, Plan)
    except msgspec.ValidationError:
        return 14  # the rulebook will say what is wrong
    if plan.style in WHOLE:
        return plan.rounds or WHOLE[plan.style]
    left, count = (plan.size if plan.dealt else 15), 0
    while left > plan.picks:
        left, count = left - plan.picks - plan.burns, count + 1
    return max(1, count)
