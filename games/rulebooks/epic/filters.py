"""Filters, selectors and players of a card's text; targets and whether they are legal (EP-12, section 5.5)."""

from __future__ import annotations

from typing import Any

from games.kernel.play import T
from games.kernel.questions import Ask, pick
from games.kernel.table import Card

from .board import DISCARD, HAND, LINE, PLAY, UNDER, Run, opponents, player, seat_of, turn_order
from .cards import CARDS, Data, is_ability
from .values import Value, board, fits, plain

LOOKS = ("alignment", "origin", "cost", "name", "lacks", "same_alignment_as")
"""What a filter cannot tell of a face-down champion without looking (EP-16.13d)."""


def ability_of(run: Run) -> Data:
    """The ability that was played, with its chosen mode."""
    ability = CARDS[run["key"]].abilities[run["ab"]]
    return ability["modes"]["options"][run["mode"]] if "mode" in run else ability


# -- players -----------------------------------------------------------------------------------------------------------


def players(t: T, run: Run, who: Any) -> list[int]:
    """The players a text speaks of, in turn order, as far as they are still in the game."""
    if who == "you":
        seats = [run["by"]]
    elif who == "each_player":
        return turn_order(t)
    elif who == "each_opponent":
        seats = opponents(t, run["by"])
        return [seat for seat in turn_order(t) if seat in seats]
    elif who == "that_player":
        seats = [run["that"]["seat"]]
    elif "target" in who:
        seats = [seat for thing in run["targets"].get(who["target"], ()) if (seat := seat_of(thing)) is not None]
    else:
        seats = [ctrl for thing in things(t, run, who["controller_of"]) if (ctrl := controller(t, thing)) is not None]
    return [seat for seat in seats if not t.s.seats[seat].out]


def controller(t: T, thing: str) -> int | None:
    card = t.find(thing)
    return card.ctrl if card else None


# -- things ------------------------------------------------------------------------------------------------------------


def things(t: T, run: Run, selector: Any) -> list[str]:
    """What a selector stands for now. A {pick} is asked before (perform.py) and stands in the run."""
    if selector == "self":
        return [run["src"]] if run["src"] in t.s.cards else []
    if selector == "that":
        return [run["that"]["card"]] if run["that"]["card"] in t.s.cards else []
    if selector == "you":
        return [player(seat) for seat in players(t, run, "you")]
    if "target" in selector:
        named: list[str] = run["targets"].get(selector["target"], [])
        return [thing for thing in named if thing in t.s.cards or seat_of(thing) is not None]
    if "all" in selector:
        return candidates(t, run, selector["all"])
    if "selected" in selector:
        chosen: list[str] = run["chosen"].get(selector["selected"], [])
        return [thing for thing in chosen if thing in t.s.cards]
    picked: list[str] = run["chosen"]["pick"]
    return [thing for thing in picked if thing in t.s.cards]


def candidates(t: T, run: Run, filter_: Data) -> list[str]:
    """Everything that fulfils a filter."""
    found: list[str] = []
    if "player" in filter_["is"]:
        found += [player(seat) for seat in t.seats]
        if len(filter_["is"]) == 1:
            return found
    zone = filter_.get("zone", PLAY)
    you, source = run["by"], run["src"]
    whose = _whose(t, run, filter_)
    alike = _alignment(t, run, filter_)
    for card, value in _lying(t, run, zone, filter_, whose):
        if zone == LINE:
            if ("ability" if is_ability(card.key) else "card") not in filter_["is"]:
                continue
        elif not fits(filter_, value, you=you, other=card.id != source):
            continue
        if whose is not None and value.ctrl not in whose:
            continue
        if alike is not None and value.alignment not in alike:
            continue
        found.append(card.id)
    return found


def _lying(t: T, run: Run, zone: str, filter_: Data, whose: list[int] | None) -> list[tuple[Card, Value]]:
    """The cards of a filter's zone, each with what it is there: printed values, except in play."""
    cards = t.s.cards
    if zone == PLAY:
        values = board(t).values
        return [(cards[card], values[card]) for card in t.s.zones[PLAY].cards]
    if zone == LINE:
        return [(card, plain(card.key, card.ctrl, card.down)) for card in t.cards(LINE)]
    if zone == "under_self":
        under = [card for card in t.cards(UNDER) if card.on and card.on in (run["src"], run.get("item"))]
        return [(card, plain(card.key, run["by"])) for card in under]
    piles = DISCARD if zone == "discard" else HAND
    seats = [run["by"]] if filter_.get("controller") == "you" else t.seats if whose is None else whose
    return [(card, plain(card.key, seat)) for seat in seats for card in t.cards(piles[seat])]


def _whose(t: T, run: Run, filter_: Data) -> list[int] | None:
    """The players a filter's `controller` names, where it is not "you"."""
    whose = filter_.get("controller")
    return None if whose is None or whose == "you" else players(t, run, whose)


def _alignment(t: T, run: Run, filter_: Data) -> list[str] | None:
    if "same_alignment_as" not in filter_:
        return None
    return [CARDS[t.card(thing).key].alignment for thing in things(t, run, filter_["same_alignment_as"])
            if t.find(thing)]  # fmt: skip


def to_be_unveiled(t: T, run: Run, filter_: Data) -> list[str]:
    """EP-16.13d: face-down champions a resolving effect looks at; not those that fail on a visible fact."""
    if filter_.get("zone", PLAY) != PLAY or not any(word in filter_ for word in LOOKS):
        return []
    visible = {word: said for word, said in filter_.items() if word not in LOOKS}
    return [thing for thing in candidates(t, run, visible) if (card := t.find(thing)) and card.down]


# -- targets -----------------------------------------------------------------------------------------------------------


def targets_of(run: Run) -> list[Data]:
    found: list[Data] = ability_of(run).get("targets", [])
    return found


def legal_targets(t: T, run: Run, target: Data) -> list[str]:
    """EP-12.2: fits the description and, in play, is not untargetable."""
    found = candidates(t, run, target["filter"])
    values = board(t).values
    return [thing for thing in found if thing not in values or "untargetable" not in values[thing].keywords]


def can_target(t: T, run: Run) -> bool:
    """EP-6.3: the required number of legal targets exists for every target word."""
    return all(len(legal_targets(t, run, target)) >= target["min"] for target in targets_of(run))


def next_target(run: Run) -> Data | None:
    """The target word that has not been named yet."""
    return next((target for target in targets_of(run) if target["id"] not in run.get("targets", {})), None)


def targets_question(t: T, run: Run, rule: str) -> Ask | None:
    """Name the targets of the next target word (D11, D15); nothing is asked where there are none any more."""
    target = next_target(run)
    assert target is not None
    legal = legal_targets(t, run, target)
    return Ask(run["by"], pick(legal, target["min"], target["max"]), rule=rule) if len(legal) >= target["min"] else None


def with_targets(run: Run, chosen: list[str]) -> Run:
    target = next_target(run)
    assert target is not None
    return {**run, "targets": {**run.get("targets", {}), target["id"]: chosen}}


def still_legal(t: T, run: Run) -> Run | None:
    """EP-12.2 to 12.5: the run with the targets that are still legal; None if it had some and none is."""
    words = targets_of(run)
    if not words:
        return run
    left = {}
    for target in words:
        legal = set(legal_targets(t, run, target))
        left[target["id"]] = [thing for thing in run["targets"][target["id"]] if thing in legal]
    return {**run, "targets": left} if any(left.values()) else None


def is_unstoppable(t: T, item: str) -> bool:
    """EP-16.10; also given to cards on the line by things in play (Ring of Will)."""
    card = t.card(item)
    if is_ability(card.key) or card.down:
        return False
    value = plain(card.key, card.ctrl)
    if "unstoppable" in value.keywords:
        return True
    return any(
        fits(ability["affects"]["all"], value, you=source.ctrl)
        for source in t.cards(PLAY)
        if not source.down
        for ability in CARDS[source.key].abilities
        if ability["kind"] == "continuous" and isinstance(ability["affects"], dict)
        and ability["affects"]["all"].get("zone") == LINE
        and any(mod.get("have", {}).get("kw") == "unstoppable" for mod in ability["mods"])
    )  # fmt: skip
