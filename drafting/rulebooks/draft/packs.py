"""Where the cards come from: booster packs by the set's recipe, or one shuffled stock. Every draw is recorded, so that
anybody can open every pack again afterwards."""

from __future__ import annotations

from games.kernel import T
from games.rulebooks.epic.formats import open_pack

from .options import plan_of

STOCK, ASIDE, TABLE = "stock", "set aside", "table"


def pool(seat: int) -> str:
    return f"pool:{seat}"


def lay_stock(t: T) -> None:
    """A cube: its cards face down, shuffled once."""
    t.zone(STOCK, ids=0, faces=0)
    t.make(plan_of(t).stock, -1, STOCK)
    t.shuffle(STOCK, "cube")


def open_one(t: T, zone: str, label: str) -> None:
    """The next pack, into this zone (EP-17.1)."""
    plan = plan_of(t)
    if plan.dealt:
        t.move_all(t.ids(STOCK)[: plan.size], zone)
    else:
        t.make(open_pack(t, label), -1, zone)


def best_first(t: T, cards: list[str]) -> list[str]:
    """By the host's ratings; equal ones as they lie."""
    ratings = plan_of(t).ratings
    return sorted(cards, key=lambda card: -ratings.get(t.card(card).key, 0))


def house_choice(t: T, cards: list[str], count: int) -> list[str] | None:
    """What the house picks for a silent seat: the best by rating. Without ratings there is no best, and the decider
    draws one from the stream's secret."""
    return best_first(t, cards)[:count] if plan_of(t).ratings else None
