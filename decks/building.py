"""A deck of the house: legal in its format, out of a pool or out of the whole catalogue. For bots, and for whoever
hands in nothing in time. Pure: the same cards and the same key give the same deck."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

from decks.cards import Card, catalogue
from decks.checking import Pool, check
from decks.formats import Format

GROWING = frozenset({"too_few", "wrong_size", "left_out", "not_printed"})
"""What is wrong with a list only because it is not finished."""
SIDEBOARD, SIDE = "sideboard", 15
RARE = {"prize": 3, "rare": 2, "common": 1}


def no_choice(format_: Format, pool: Pool) -> bool:
    """Whether there is only one deck in this pool: all of it."""
    least = max((one.get("least", 0) for one in format_.limits if one["limit"] == "size"), default=0)
    return any(one["limit"] == "all" for one in format_.limits) or sum(pool.values()) <= least


def built(format_: Format, pool: Pool | None, key: bytes) -> dict[str, dict[str, int]] | None:
    """The best cards of the pool, as few as are allowed, and a sideboard of the next ones; of the catalogue whatever
    the key's order puts first. None, if no legal deck can be made of it."""
    if pool is not None and no_choice(format_, pool):
        return legal(format_, {format_.sections[0]: dict(sorted(pool.items()))}, pool)
    cards = best_first(format_, pool, key) if pool is not None else in_order(format_, key)
    content: dict[str, dict[str, int]] = {}
    for section in format_.sections:
        wanted = size(format_, section)
        if section == SIDEBOARD and (pool is None or len(cards) < wanted):
            continue
        content[section], cards = taken(format_, section, cards, wanted, content, pool)
    return legal(format_, content, pool)


def legal(format_: Format, content: dict[str, dict[str, int]], pool: Pool | None) -> dict[str, dict[str, int]] | None:
    return None if check(format_, content, pool) else content


def size(format_: Format, section: str) -> int:
    limit = next((one for one in format_.limits if one["limit"] == "size" and one["section"] == section), {})
    return SIDE if section == SIDEBOARD else int(limit.get("least") or max(limit.get("one_of", [0])))


def taken(
    format_: Format, section: str, cards: list[str], wanted: int, content: dict[str, dict[str, int]], pool: Pool | None
) -> tuple[dict[str, int], list[str]]:
    """One card after the other, as long as nothing but its size is wrong with the deck; what is left over."""
    found: Counter[str] = Counter()
    left: list[str] = []
    for card in cards:
        tried = found + Counter([card])
        if found.total() < wanted and all(
            one.code in GROWING for one in check(format_, {**content, section: tried}, pool)
        ):
            found = tried
        else:
            left.append(card)
    return dict(sorted(found.items())), left


def best_first(format_: Format, pool: Pool, key: bytes) -> list[str]:
    """Cards of the two alignments the pool has most of, the rarest first; equal ones in the key's order."""
    known = catalogue(format_.rulebook)
    sides = Counter(side(known[card]) for card, n in pool.items() for _ in range(n))
    main = {name for name, _ in sorted(sides.items(), key=lambda one: (-one[1], one[0]))[:2]}
    cards = [card for card, n in pool.items() for _ in range(n)]
    return sorted(cards, key=lambda card: (side(known[card]) not in main, -rarity(known[card]), noise(key, card), card))


def in_order(format_: Format, key: bytes) -> list[str]:
    """The catalogue, each card as often as any format allows, in the key's order."""
    most = max((one["most"] for one in format_.limits if one["limit"] == "copies"), default=1)
    cards = sorted(catalogue(format_.rulebook), key=lambda card: noise(key, card))
    return [card for card in cards for _ in range(most)] * (2 if len(format_.sections) > 1 else 1)


def side(card: Card) -> str:
    return str(card.data.get("alignment", ""))


def rarity(card: Card) -> int:
    return RARE.get(str(card.data.get("rarity", "")), 0)


def noise(key: bytes, card: str) -> bytes:
    return sha256(b"arbiter/house-deck/v1\0" + key + card.encode()).digest()
