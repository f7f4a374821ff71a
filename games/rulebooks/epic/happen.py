"""One happening: as-triggers change it before it happens, wards before it hurts, then all of it at once, then a settle.

EP-0.3, 0.4, EP-10.9 to 10.13, EP-13.6, EP-16.3, 16.13, 16.14. A happening is a list of parts (parts.py).
"""

from __future__ import annotations

from games.kernel.play import T
from games.kernel.questions import Ask, pick, split
from games.kernel.table import PUBLIC, Card, Step, handles

from .board import LINE, PLAY, PREPARED, Run, battle, in_play, seat_of, turn_order
from .book import book
from .cards import AS, CARDS, Data
from .filters import can_target, next_target, targets_of, targets_question, with_targets
from .operations import parts_of
from .parts import Fact, Part, banish, break_, carry, to_discard
from .settle import settled
from .triggers import met, queue
from .values import board, fits, plain

HURTS = ("damage", "move")
"""EP-16.13d: what forces a face-down champion in play to be unveiled."""


@book.step
def happen(t: T, parts: list[Part], used: list[list[object]]) -> None:
    """EP-10.9 to 10.12: look for what replaces a part; nothing left to replace, and it happens."""
    parts = [part for part in _with_cards_under(t, parts) if _is_possible(t, part)]
    if not parts:
        return
    if hidden := _forced_up(t, parts):
        t.seq(happen([{"p": "unveil", "card": card} for card in hidden], []), happen(parts, used))
        return
    for index, part in enumerate(parts):
        rivals = [source for source in insteads(t, part) if [index, source.id] not in used]
        if rivals:
            _choose(t, parts, used, index, rivals)
            return
    go_on(t, [part for part in parts if not _is_warded(t, part)])


def happening(parts: list[Part]) -> Step:
    return happen(parts, [])


@book.step
def settle(t: T, tried: list[str]) -> None:
    """EP-0.4: after every happening, repeated until nothing changes. Nobody gets priority."""
    settle_down(t, tried)


def settle_down(t: T, tried: list[str]) -> None:
    while (doomed := settled(t, tried)) is None:
        pass
    if doomed:
        t.seq(happening([break_(card) for card in doomed]), settle([*tried, *(card.id for card in doomed)]))


@book.leave
def leave(t: T, seat: int, reason: str) -> None:
    """EP-2.1: conceding, at any time, is elimination; so is running out of time."""
    t.mark(seat, "lost", reason)
    t.push(settle, [])


def _with_cards_under(t: T, parts: list[Part]) -> list[Part]:
    """EP-3.12: cards under a thing that leaves go to their owners' discard piles, unless that releases them."""
    more: list[Part] = []
    for part in parts:
        card = t.find(part["card"]) if part["p"] == "move" else None
        if card is not None and card.held and not part.get("releases"):
            listed = {other["card"] for other in parts if other["p"] == "move"}
            lost = [t.card(under) for under in card.held if under not in listed]
            more += [to_discard(under, under.owner, "lost") for under in lost]
    return [*parts, *more] if more else parts


def _forced_up(t: T, parts: list[Part]) -> list[str]:
    """EP-16.13d, e: face-down champions that this would hurt, in their order; a happening of its own before it."""
    cards = t.s.cards
    found = []
    for part in parts:
        thing = part["to"] if part["p"] == "damage" else part["card"] if part["p"] == "move" else None
        card = cards.get(thing) if thing is not None else None
        if card is not None and card.down and card.zone == PLAY and card.id not in found:
            found.append(card.id)
    return found


def _is_possible(t: T, part: Part) -> bool:
    """A part that cannot be is left out: the thing is gone, unbreakable, unbanishable, warded (EP-16)."""
    kind = part["p"]
    if kind == "damage":
        return part["n"] > 0 and (part["to"] in t.s.cards or _is_in_game(t, part["to"]))
    if "card" in part:
        card = t.find(part["card"])
        if card is None:
            return False
        if card.zone == PLAY and (kind == "move" or "kinds" in part):
            value = board(t).values[card.id]
            if kind == "move" and _IMMUNE.get(part["why"], "") in value.keywords:
                return False
            return "kinds" not in part or not value.is_warded(part["kinds"])
        return True
    if kind == "mod":
        if seat_of(part["on"]) is not None:
            return _is_in_game(t, part["on"])
        return part["on"] in t.s.cards and not board(t).values[part["on"]].is_warded(part["kinds"])
    return True


_IMMUNE = {"break": "unbreakable", "banish": "unbanishable"}


def _is_in_game(t: T, thing: str) -> bool:
    seat = seat_of(thing)
    return seat is not None and not t.s.seats[seat].out


# -- as-triggers that replace ------------------------------------------------------------------------------------------


def insteads(t: T, part: Part) -> list[Card]:
    """EP-10.9: things in play that would replace this part, in turn order of their controllers."""
    if part["p"] == "move" and part["to"] == "discard":
        waiting = AS["goes_to_discard"]
    elif part["p"] == "damage" and part["to"][0] == "s":
        waiting = AS["would_be_damaged"]
    else:
        return []
    found = [source for source in in_play(t) if source.key in waiting and not source.down]
    if found:
        found = [source for source in found if _replaces(t, source, part)]
        order = turn_order(t)
        found.sort(key=lambda source: order.index(source.ctrl))
    return found


def _replaces(t: T, source: Card, part: Part) -> bool:
    ability = _instead(source)
    if "if" in ability and source.pose != PREPARED:
        return False
    if part["p"] == "damage":
        return bool(part["to"] == f"s{source.ctrl}")
    card = t.card(part["card"])
    values = board(t).values
    value = values.get(card.id) or plain(card.key, card.ctrl, card.down)
    if value.token or (card.zone == LINE and ":" in card.key):
        return False
    if card.zone == PLAY and value.is_warded(values[source.id].kinds):
        return False
    return fits(ability["event"]["what"], value, you=source.ctrl)


def _instead(source: Card) -> Data:
    return next(ability for ability in CARDS[source.key].abilities if ability.get("mode") == "instead")


def replaced(t: T, part: Part, source: Card) -> Part:
    """The part as the as-trigger wants it; what it comes from no longer matters to wards (EP-13.6)."""
    [op] = _instead(source)["do"]
    if op["op"] == "redirect":
        return {**part, "to": source.id}
    if op["op"] == "banish":
        return banish(t.card(part["card"]))
    return {"p": "move", "card": part["card"], "to": op["to"], "seat": source.ctrl, "why": "effect"}


def _choose(t: T, parts: list[Part], used: list[list[object]], index: int, rivals: list[Card]) -> None:
    """EP-10.11: contradicting ones: only those of the first player in turn order; that player picks one of them."""
    mine = [source for source in rivals if source.ctrl == rivals[0].ctrl]
    results = [replaced(t, parts[index], source) for source in mine]
    names = [source.id for source in rivals]
    if any(result != results[0] for result in results):
        t.ask(choose_as_trigger, parts, used, index, mine[0].ctrl, [source.id for source in mine], names)
    else:
        _apply_instead(t, parts, used, index, mine[0].id, names)


def _apply_instead(
    t: T, parts: list[Part], used: list[list[object]], index: int, chosen: str, rivals: list[str]
) -> None:
    new = [*parts]
    new[index] = replaced(t, parts[index], t.card(chosen))
    t.push(happen, new, [*used, *([index, rival] for rival in rivals)])


@book.question()
def choose_as_trigger(
    t: T, parts: list[Part], used: list[list[object]], index: int, seat: int, mine: list[str], rivals: list[str]
) -> Ask:
    """D14, EP-10.11."""
    left = [source for source in mine if t.find(source)]
    card = t.find(parts[index].get("card", ""))
    about = card.id if card and handles(t.s, card) == PUBLIC else ""
    return Ask(seat, pick(left, min(1, len(left))), about=about, rule="EP-10.11")


@choose_as_trigger.answered
def as_trigger_chosen(
    t: T, parts: list[Part], used: list[list[object]], index: int, seat: int, mine: list[str], rivals: list[str],
    answer: list[str],
) -> None:  # fmt: skip
    if answer:
        _apply_instead(t, parts, used, index, answer[0], rivals)
    else:
        t.push(happen, parts, used)


# -- prevention (EP-13.6, 16.3, 16.14) ---------------------------------------------------------------------------------


def _is_warded(t: T, part: Part) -> bool:
    """EP-16.14: damage by a source it is warded against does not happen."""
    if part["p"] != "damage" or part["to"][0] == "s":
        return False
    return board(t).values[part["to"]].is_warded(part["kinds"])


@book.step
def prevent(t: T, parts: list[Part]) -> None:
    go_on(t, parts)


def go_on(t: T, parts: list[Part]) -> None:
    """EP-16.3: each damage ward takes its number off one instance; over several sources its controller chooses.
    Then it happens."""
    parts = [part for part in parts if part["p"] != "damage" or _is_possible(t, part)]
    for thing in dict.fromkeys(part["to"] for part in parts if part["p"] == "damage" and not part.get("final")):
        ward = ward_left(t, thing, any(part.get("battle") for part in parts))
        hits = [part for part in parts if part["p"] == "damage" and part["to"] == thing]
        if ward <= 0:
            continue
        sources = list(dict.fromkeys(part["src"] for part in hits))
        if len(sources) > 1 and sum(part["n"] for part in hits) > ward:
            t.push(prevent, parts)
            t.ask(ward_prevention, parts, thing, ward)
        else:
            go_on(t, _reduced(t, parts, thing, dict.fromkeys(sources, ward), ward))
        return
    carry_out(t, parts)


def ward_left(t: T, thing: str, in_battle: bool) -> int:
    """Its damage ward; one attack is one instance, over both damage sub-steps."""
    now = board(t)
    seat = seat_of(thing)
    ward = now.values[thing].damage_ward if seat is None else now.damage_wards[seat]
    fight = battle(t)
    return ward - (fight["prevented"].get(thing, 0) if ward and in_battle and fight else 0)


def _reduced(t: T, parts: list[Part], thing: str, less: dict[str, int], ward: int) -> list[Part]:
    """The damage to a thing less what is prevented of each source, `ward` in all."""
    new, prevented = [], 0
    for part in parts:
        if part["p"] == "damage" and part["to"] == thing:
            off = min(part["n"], less[part["src"]], ward - prevented)
            less[part["src"]] -= off
            prevented += off
            part = {**part, "n": part["n"] - off, "final": True}
        new.append(part)
    fight = battle(t)
    if fight and any(part.get("battle") for part in parts):
        spent = fight["prevented"].get(thing, 0) + prevented
        t.set("battle", {**fight, "prevented": {**fight["prevented"], thing: spent}})
    t.say("prevented", thing=thing, n=prevented)
    return [part for part in new if part["p"] != "damage" or part["n"] > 0]


@book.question()
def ward_prevention(t: T, parts: list[Part], thing: str, ward: int) -> Ask | None:
    """D20, EP-16.3: how many points of each source are prevented."""
    if seat_of(thing) is None and t.find(thing) is None:
        return None
    caps: dict[str, int] = {}
    for part in parts:
        if part["p"] == "damage" and part["to"] == thing:
            caps[part["src"]] = caps.get(part["src"], 0) + part["n"]
    seat = seat_of(thing)
    return Ask(t.card(thing).ctrl if seat is None else seat, split(ward, caps, caps=caps), about=thing, rule="EP-16.3")


@ward_prevention.answered
def ward_spent(t: T, parts: list[Part], thing: str, ward: int, answer: dict[str, int]) -> None:
    sources = {part["src"] for part in parts if part["p"] == "damage" and part["to"] == thing}
    t.tell(parts=_reduced(t, parts, thing, {source: answer.get(source, 0) for source in sources}, ward))


# -- it happens --------------------------------------------------------------------------------------------------------


def carry_out(t: T, parts: list[Part]) -> None:
    """EP-0.3: all parts at once, with what as-triggers add to them; then the settle."""
    values = board(t).values
    before = [(card, values[card.id]) for card in in_play(t)]
    facts = carry(t, parts)
    triggers = met(t, facts, before)
    if also := also_triggers(t, facts):
        t.push(also_happens, also, triggers)
    else:
        queue(t, triggers)
        settle_down(t, [])


def also_triggers(t: T, facts: list[Fact]) -> list[Run]:
    """EP-10.9: "as this comes into play", "as this is unveiled": part of the same happening."""
    found: list[Run] = []
    for fact in facts:
        if fact["on"] in ("comes_into_play", "unveiled") and (source := t.find(fact["card"])):
            found += [
                {"by": source.ctrl, "src": source.id, "key": source.key, "ab": index}
                for index in AS[fact["on"]].get(source.key, ())
            ]
    order = turn_order(t)
    return sorted(found, key=lambda run: order.index(run["by"]))


@book.step
def also_happens(t: T, todo: list[Run], triggers: list[Run]) -> None:
    """EP-10.13: choices of as-triggers are made on the spot; without a legal target that part does nothing."""
    if not todo:
        queue(t, triggers)
        settle_down(t, [])
        return
    run, *rest = todo
    if next_target(run) is not None:
        t.push(also_happens, rest, triggers)
        if can_target(t, run):
            t.ask(as_trigger_targets, run, rest)
        return
    more = triggers
    for op in CARDS[run["key"]].abilities[run["ab"]]["do"]:
        parts = [part for part in parts_of(t, run, op) if _is_possible(t, part)]
        more = [*more, *met(t, carry(t, parts), [])]
    t.push(also_happens, rest, more)


@book.question()
def as_trigger_targets(t: T, run: Run, rest: list[Run]) -> Ask | None:
    """D15, EP-10.13."""
    return targets_question(t, run, "EP-10.13")


@as_trigger_targets.answered
def as_trigger_targets_named(t: T, run: Run, rest: list[Run], answer: list[str]) -> None:
    run = with_targets(run, answer)
    t.tell(todo=[run, *rest])
    t.seq(*unveil_targets(t, run))


def unveil_targets(t: T, run: Run) -> list[Step]:
    """EP-6.1f, 16.13e: face-down things turn face up as they are targeted; on the line that is no unveiling."""
    named = [thing for word in targets_of(run) for thing in run["targets"][word["id"]]] if run["ab"] >= 0 else []
    hidden = [card for thing in named if (card := t.find(thing)) and card.down]
    for card in hidden:
        if card.zone == LINE:
            t.know(card.id, PUBLIC)
    in_play = [{"p": "unveil", "card": card.id} for card in hidden if card.zone == PLAY]
    return [happening(in_play)] if in_play else []
