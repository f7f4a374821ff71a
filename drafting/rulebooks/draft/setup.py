"""The table of each style, and what leaving means."""

from __future__ import annotations

from typing import Any

from decks.cards import catalogue
from games.kernel import PUBLIC, T, Violation

from .book import book
from .building import build
from .options import ABOUT, STYLES, check, plan_of
from .packs import ASIDE, TABLE, lay_stock, open_one, pool
from .passing import open_packs, play_for_the_absent
from .turns import grid, lay_open, rochester, rotisserie
from .winston import lay_piles, winston

OPEN = ("rotisserie", "rochester", "grid")
"""Where everybody sees what everybody takes."""

book.about = {
    "options": ABOUT, "rules": "docs/rules/epic.md",
    "formats": {"epic": dict.fromkeys(STYLES, "epic/draft") | {"sealed": "epic/sealed"}},
}  # fmt: skip


@book.check_setup
def check_setup(seats: int, options: dict[str, Any], decks: list[Any]) -> list[Violation]:
    return check(seats, options)


@book.setup
def setup(t: T, options: dict[str, Any], decks: list[Any]) -> None:
    plan = plan_of(t)
    t.zone(ASIDE, ids=PUBLIC, faces=0)
    for seat in t.seats:
        sees = PUBLIC if plan.style in OPEN else [seat]
        t.zone(pool(seat), ids=sees, faces=sees, ordered=False, owner=seat)
    if plan.dealt and plan.style != "rotisserie":
        lay_stock(t)
    if plan.style in OPEN:
        lay_open(t)
    BEGIN[plan.style](t)


def _booster(t: T) -> None:
    t.seq(open_packs(1), build())


def _sealed(t: T) -> None:
    """EP-17.2: N packs each, no picks."""
    for seat in t.seats:
        for number in range(plan_of(t).packs):
            open_one(t, pool(seat), f"pack {number + 1} of seat {seat}")
    t.push(build)


def _rotisserie(t: T) -> None:
    t.make(plan_of(t).stock, -1, TABLE)
    t.seq(rotisserie(0), build())


def _rochester(t: T) -> None:
    t.seq(rochester(0), build())


def _grid(t: T) -> None:
    t.seq(grid(0), build())


def _winston(t: T) -> None:
    lay_piles(t)
    t.seq(winston(0), build())


BEGIN = {
    "booster": _booster, "sealed": _sealed, "rotisserie": _rotisserie, "rochester": _rochester, "grid": _grid,
    "winston": _winston,
}  # fmt: skip


@book.leave
def leave(t: T, seat: int, reason: str) -> None:
    """The house picks on for a seat that is gone, at once; when nobody is left there is no draft."""
    t.out(seat, reason)
    if t.seats:
        play_for_the_absent(t)
    else:
        t.end("void", reason=reason)


@book.noun
def noun(key: str) -> str:
    return _names().get(key, key)


def _names() -> dict[str, str]:
    if not NAMES:
        for name in ("epic", "theos", "titans"):
            NAMES.update((card.key, card.name) for card in catalogue(name).values())
    return NAMES


NAMES: dict[str, str] = {}
