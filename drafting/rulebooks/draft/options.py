"""The few parameters that all drafts are made of."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from decks.cards import catalogue, close_to
from games.kernel import T, Violation

RECIPES = ("epic",)
"""Sets whose booster packs have a recipe (EP-17.1); others are drafted as cubes."""
STYLES = ("booster", "sealed", "rotisserie", "rochester", "winston", "grid")
GRID = 9
RULES = {"booster": "EP-17.5", "sealed": "EP-17.2"}


class Plan(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The host's choices. Without a cube the packs of the set are opened; with one its cards are shuffled and dealt."""

    style: Literal["booster", "sealed", "rotisserie", "rochester", "winston", "grid"] = "booster"
    set: str = "epic"
    cube: list[str] = []
    packs: Annotated[int, Meta(ge=1, le=12)] = 3
    size: Annotated[int, Meta(ge=2, le=60)] = 15
    picks: Annotated[int, Meta(ge=1, le=15)] = 1
    burns: Annotated[int, Meta(ge=0, le=15)] = 0
    rounds: Annotated[int, Meta(ge=0, le=200)] = 0
    build: Annotated[int, Meta(ge=0, le=500)] | None = None
    ratings: dict[str, int] = {}

    @property
    def dealt(self) -> bool:
        """The cards come from one shuffled stock, not out of packs by a recipe."""
        return bool(self.cube) or self.set not in RECIPES or self.style in ("rotisserie", "grid")

    @property
    def stock(self) -> list[str]:
        """The cube; without one, every card of the set once."""
        return self.cube or list(catalogue(self.set))

    @property
    def least(self) -> int:
        """Cards of a deck that is built afterwards; 0: none is."""
        if self.build is not None:
            return self.build
        return 30 if self.set == "epic" and self.style in ("booster", "sealed") and self.packs >= 2 else 0


def plan_of(t: T) -> Plan:
    return _plan(msgspec.json.encode(t.s.options))


@lru_cache(maxsize=256)
def _plan(options: bytes) -> Plan:
    return msgspec.json.decode(options, type=Plan)


def check(seats: int, options: dict[str, Any]) -> list[Violation]:
    """Everything that is wrong with the host's choices."""
    try:
        plan = msgspec.convert(options, Plan)
    except msgspec.ValidationError as wrong:
        return [Violation("/options", "wrong_shape", str(wrong))]
    if not catalogue(plan.set) if plan.set.isidentifier() else True:
        return [Violation("/options/set", "unknown_option", f"there is no set {plan.set!r}")]
    known = catalogue(plan.set)
    strange = sorted({key for key in [*plan.cube, *plan.ratings] if key not in known})
    found = [Violation("/options/cube", "unknown_card", no_card(plan.set, key)) for key in strange[:20]]
    if len(plan.cube) > 2000:
        found.append(Violation("/options/cube", "too_many", f"at most 2000 cards, {len(plan.cube)} given"))
    needed = cards_needed(plan, seats)
    if plan.dealt and len(plan.stock) < needed:
        detail = f"{seats} seats need {needed} cards, there are {len(plan.stock)}"
        found.append(Violation("/options/cube", "too_few", detail, RULES.get(plan.style, "")))
    if plan.picks + plan.burns > plan.size:
        found.append(Violation("/options/picks", "out_of_range", f"a pack has {plan.size} cards"))
    if plan.least and plan.least > (size := pool_size(plan, seats)):
        detail = f"nobody can build {plan.least} cards from a pool of {size}"
        found.append(Violation("/options/build", "out_of_range", detail, "EP-17.2"))
    return found


def no_card(set_: str, called: str) -> str:
    close = close_to(set_, called)
    return f"{called!r} is no card of {set_}" + (f"; did you mean {', '.join(close)}?" if close else "")


def rounds_of(plan: Plan, seats: int) -> int:
    """Picks of each seat in a rotisserie, grids laid out in a grid draft."""
    if plan.rounds:
        return plan.rounds
    return min(45, len(plan.stock) // seats) if plan.style == "rotisserie" else min(18, len(plan.stock) // GRID)


def cards_needed(plan: Plan, seats: int) -> int:
    match plan.style:
        case "rotisserie":
            return max(1, rounds_of(plan, seats)) * seats
        case "grid":
            return max(1, rounds_of(plan, seats)) * GRID
        case "winston":
            return max(plan.packs * plan.size * seats, 4)
    return plan.packs * plan.size * seats


def pool_size(plan: Plan, seats: int) -> int:
    """How many cards a seat ends up with; where that is up to the players, about how many."""
    each = plan.packs * plan.size
    match plan.style:
        case "booster" if plan.burns:
            return each * plan.picks // (plan.picks + plan.burns)
        case "rotisserie":
            return rounds_of(plan, seats)
        case "grid":
            return rounds_of(plan, seats) * min(GRID // seats, 3)
    return each


ABOUT = {
    "style": {"doc": "How the cards are shared out.", "values": list(STYLES), "default": "booster"},
    "set": {"doc": "The rulebook whose cards are drafted.", "type": "text", "default": "epic"},
    "cube": {"doc": "A list of cards instead of packs by the set's recipe.", "type": "[card, …]", "default": []},
    "packs": {"doc": "For each seat: Draft N, Sealed Pack N (EP-17.2, 17.5).", "type": "number", "default": 3},
    "size": {"doc": "Cards in a pack of a cube; packs by recipe have 15.", "type": "number", "default": 15},
    "picks": {"doc": "Cards taken of a pack each time.", "type": "number", "default": 1},
    "burns": {"doc": "Cards of a pack that leave the draft unseen with each pick.", "type": "number", "default": 0},
    "rounds": {"doc": "Rotisserie: picks of each seat. Grid: grids laid out.", "type": "number", "default": "45; 18"},
    "build": {"doc": "Least cards of a deck built after it; 0: none.", "type": "number", "default": "30 of Epic packs"},
    "ratings": {"doc": "For picks by the house: the best card first.", "type": "{card: number}", "default": {}},
}  # fmt: skip
