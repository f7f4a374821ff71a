"""Damage in battle: who deals it to whom, splits, breakthrough (EP-9.14 to 9.20)."""

from __future__ import annotations

from games.kernel.play import T
from games.kernel.questions import Ask, split

from .board import battle, player
from .book import book
from .cards import Data
from .happen import happen
from .parts import Part
from .values import Value, board

Shares = dict[str, dict[str, int]]
"""Dealer → receiver → points."""


def dealers(t: T, fight: Data, ranged: bool) -> tuple[list[str], list[str]]:
    """EP-9.14: attackers and defenders that deal damage in this sub-step, each once in an attack."""
    values = board(t).values

    def deals(thing: str) -> bool:
        return thing not in fight["dealt"] and (not ranged or "range" in values[thing].keywords)

    return [card for card in fight["attackers"] if deals(card)], [card for card in defenders(fight) if deals(card)]


def defenders(fight: Data) -> list[str]:
    """EP-9.16: the blockers; the hunted champion of an unblocked hunt fights as if it were the only one."""
    if fight["blocked"]:
        blockers: list[str] = fight["blockers"]
        return blockers
    return [fight["hunted"]] if fight["hunted"] else []


def offense(value: Value) -> int:
    """EP-9.15, 13.1."""
    return max(0, value.offense)


@book.step
def deal_damage(t: T, ranged: bool) -> None:
    """B6 (`ranged`) or B7: first how the damage is divided, then all of it at once (EP-9.20)."""
    fight = battle(t)
    if fight is None or not fight["attackers"] or t.s.seats[fight["defender"]].out:
        return
    ours, theirs = dealers(t, fight, ranged)
    if ours or theirs:
        t.push(divide, ours, theirs, {}, None)


def breaking_through(t: T, fight: Data, ours: list[str]) -> int:
    """EP-9.18: the offense of the breakthrough attackers that deal now, less the defense of all who oppose them."""
    if not fight["blocked"] and not fight["hunt"]:
        return 0
    values = board(t).values
    power = sum(offense(values[card]) for card in ours if "breakthrough" in values[card].keywords)
    return max(0, power - sum(max(0, values[card].defense) for card in defenders(fight)))


@book.step
def divide(t: T, ours: list[str], theirs: list[str], shares: Shares, through: dict[str, int] | None) -> None:
    """EP-9.17, 9.18, 9.20: what breaks through, then each champion's split, the active player's first."""
    fight = battle(t)
    assert fight is not None
    values = board(t).values
    ours, theirs = ([card for card in side if card in values] for side in (ours, theirs))
    if through is None:
        t.push(divide, ours, theirs, shares, {})
        if breaking_through(t, fight, ours):
            t.ask(split_breakthrough, ours)
        return
    foes, receiver = defenders(fight), player(fight["defender"])
    for card in [*ours, *theirs]:
        if card in shares:
            continue
        points = offense(values[card])
        opposing = fight["attackers"]
        if card in ours:
            if not fight["blocked"] and not fight["hunt"]:
                shares = {**shares, card: {receiver: points}}
                continue
            points -= through.get(card, 0)
            opposing = foes
        if len(opposing) > 1 and points:
            t.push(divide, ours, theirs, shares, through)
            t.ask(split_damage, shares, card, points, opposing)
            return
        shares = {**shares, card: {opposing[0]: points} if opposing else {}}
    t.set("battle", {**fight, "dealt": [*fight["dealt"], *ours, *theirs]})
    t.push(happen, _damage(t, shares, through, receiver), [])


def _damage(t: T, shares: Shares, through: dict[str, int], receiver: str) -> list[Part]:
    values = board(t).values
    hits = [(card, thing, n) for card, split_ in shares.items() for thing, n in split_.items()]
    hits += [(card, receiver, n) for card, n in through.items()]
    hits.sort(key=lambda hit: (int(hit[0][1:]), int(hit[1][1:])))
    return [
        {
            "p": "damage", "src": card, "kinds": sorted(values[card].kinds), "to": thing, "n": n,
            "deadly": "deadly" in values[card].keywords, "battle": True,
        }
        for card, thing, n in hits
        if n
    ]  # fmt: skip


@book.question()
def split_breakthrough(t: T, ours: list[str]) -> Ask | None:
    """D19, EP-9.18: out of which breakthrough attackers' damage it is taken; its amount is no choice."""
    fight = battle(t)
    assert fight is not None
    values = board(t).values
    left = [card for card in ours if card in values]
    caps = {card: offense(values[card]) for card in left if "breakthrough" in values[card].keywords}
    return Ask(fight["by"], split(breaking_through(t, fight, left), caps, caps=caps), rule="EP-9.18")


@split_breakthrough.answered
def breakthrough_split(t: T, ours: list[str], answer: dict[str, int]) -> None:
    t.tell(through=answer)


@book.question()
def split_damage(t: T, shares: Shares, card: str, points: int, opposing: list[str]) -> Ask | None:
    """D19, EP-9.17: the controller of the dealing champion decides."""
    if any(t.find(thing) is None for thing in (card, *opposing)):
        return None
    return Ask(t.card(card).ctrl, split(points, opposing), about=card, rule="EP-9.17")


@split_damage.answered
def damage_split(
    t: T, shares: Shares, card: str, points: int, opposing: list[str], answer: dict[str, int]
) -> None:
    t.tell(shares={**shares, card: answer})
