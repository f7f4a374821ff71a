"""Playing cards and using abilities: what may be started, all its choices in one action, the costs (EP-4 to 6).

A play is composed as a run: {by, src, key, ab, …} gets its face, mode, targets, shares and payment one after the
other, as parts of one answer. Nothing happens, and nobody sees anything, before the last part is in (EP-0.7).
"""

from __future__ import annotations

from collections.abc import Callable

from games.kernel.play import T
from games.kernel.questions import Ask, pick, split
from games.kernel.table import Card, Shape

from .board import HAND, LINE, Run, in_play, step_name, turn_of
from .book import book
from .cards import ACTIVATED, CARDS, CardDef, Data, on_resolve
from .costs import actions, can_pay, hand_is_known, next_pick, payment, pick_shape, with_pick
from .filters import can_target, legal_targets, next_target, targets_of, with_targets
from .flush import put_ability
from .happen import happen, unveil_targets
from .operations import source_kinds
from .resolve import resolve_top
from .triggers import met, queue
from .values import board, plain

ACTION: list[Data] = [{"c": "action", "n": 1}]
ONLY_FAST = {"build": False, "paced": False, "fast": True}
TIMING = {"pre_battle": {**ONLY_FAST, "paced": True}, "build": {"build": True, "paced": True, "fast": True}}
"""EP-5.7, for the active player over an empty line."""


# -- what may be started (EP-5) ----------------------------------------------------------------------------------------


def timing(t: T, seat: int) -> dict[str, bool]:
    """EP-5.1 to 5.3: fast at any time; the others by the active player, in their steps, over an empty line."""
    if seat != turn_of(t) or t.s.zones[LINE].cards:
        return ONLY_FAST
    return TIMING.get(step_name(t), ONLY_FAST)


def plays(t: T, seat: int) -> list[str]:
    """D03, EP-7.3: everything this player could do with priority, besides passing."""
    timely = timing(t, seat)
    found = [f"play:{card.id}" for card in t.cards(HAND[seat]) if _can_play(t, seat, card, timely)]
    for card in in_play(t):
        if card.ctrl == seat:
            if card.down:
                found.append(f"unveil:{card.id}")
            elif card.key in ACTIVATED:
                usable = [index for index in ACTIVATED[card.key] if _can_use(t, seat, card, index, timely)]
                found += [f"use:{card.id}:{index}" for index in usable]
    return found


def _can_play(t: T, seat: int, card: Card, timely: dict[str, bool]) -> bool:
    return _can_play_up(t, seat, card, timely) or _can_play_down(t, seat, card, timely)


def _can_play_up(t: T, seat: int, card: Card, timely: dict[str, bool]) -> bool:
    printed = CARDS[card.key]
    if not timely[printed.speed] or (printed.cost == "action" and not actions(t, seat, printed.kinds)):
        return False
    return printed.type != "event" or _has_choices(t, card_run(seat, card))


def _can_play_down(t: T, seat: int, card: Card, timely: dict[str, bool]) -> bool:
    """EP-16.13a: veiled, or any champion where something allows it; build timing, exactly one action."""
    printed = CARDS[card.key]
    if not timely["build"] or printed.type != "champion":
        return False
    veiled = "veiled" in printed.plain or "may_play_champions_face_down" in board(t).rules[seat]
    return veiled and can_pay(t, card_run(seat, card), ACTION, [])


def _can_use(t: T, seat: int, card: Card, index: int, timely: dict[str, bool]) -> bool:
    ability = CARDS[card.key].abilities[index]
    if not timely[ability["speed"]]:
        return False
    run = {"by": seat, "src": card.id, "key": card.key, "ab": index}
    return can_pay(t, run, ability["cost"], source_kinds(t, run)) and _has_choices(t, run)


def _has_choices(t: T, run: Run) -> bool:
    """EP-6.3: some mode has its required targets."""
    if run["ab"] < 0:
        return True
    if "mode" in run or "modes" not in CARDS[run["key"]].abilities[run["ab"]]:
        return not targets_of(run) or can_target(t, run)
    return bool(_modes(t, run))


def _modes(t: T, run: Run) -> list[str]:
    options = CARDS[run["key"]].abilities[run["ab"]]["modes"]["options"]
    return [str(index) for index in range(len(options)) if can_target(t, {**run, "mode": index})]


def card_run(seat: int, card: Card) -> Run:
    """A card about to be played. Only events have instructions of their own (`ab`)."""
    ability = on_resolve(card.key) if CARDS[card.key].type == "event" else -1
    return {"by": seat, "src": card.id, "key": card.key, "ab": ability}


def card_cost(card: CardDef) -> list[Data]:
    """EP-4.4."""
    return ACTION if card.cost == "action" else []


def could_act(t: T, seat: int) -> bool:
    """Could this player do anything, as far as everybody can see? With a card nobody knows: yes."""
    return not hand_is_known(t, seat) or bool(plays(t, seat))


# -- composing (EP-6.1, 6.2) -------------------------------------------------------------------------------------------


@book.step
def compose(t: T, run: Run) -> None:
    """EP-6.1b, c: whatever has to be named and has not been, in this order; then it is paid for."""
    for word, (applies, _, _) in CHOICES.items():
        if applies(t, run):
            t.part(choose, word, run)
            return
    t.seq(pay(run), target(run), put_on_line(run))


@book.question()
def choose(t: T, word: str, run: Run) -> Ask:
    """D04 to D07, D09: one part of a play."""
    _, shape, rule = CHOICES[word]
    return Ask(run["by"], shape(t, run), public=False, sealed=True, about=word, rule=rule)


@choose.answered
def chosen(t: T, word: str, run: Run, answer: object) -> None:
    t.push(compose, TAKEN[word](run, answer))


def _face_is_open(t: T, run: Run) -> bool:
    return run["ab"] == -1 and "down" not in run


def _faces(t: T, run: Run) -> Shape:
    card, seat = t.card(run["src"]), run["by"]
    timely = timing(t, seat)
    up = ["up"] if _can_play_up(t, seat, card, timely) else []
    return pick(up + (["down"] if _can_play_down(t, seat, card, timely) else []))


def _mode_is_open(t: T, run: Run) -> bool:
    return run["ab"] >= 0 and "mode" not in run and "modes" in CARDS[run["key"]].abilities[run["ab"]]


def _target_is_open(t: T, run: Run) -> bool:
    return run["ab"] >= 0 and next_target(run) is not None


def _targets(t: T, run: Run) -> Shape:
    word = next_target(run)
    assert word is not None
    return pick(legal_targets(t, run, word), word["min"], word["max"])


def _shares_are_open(t: T, run: Run) -> bool:
    return run["ab"] >= 0 and "shares" not in run and any("divide" in word for word in targets_of(run))


def _shares(t: T, run: Run) -> Shape:
    [word] = [word for word in targets_of(run) if "divide" in word]
    named = run["targets"][word["id"]]
    return split(word["divide"], named, floors=dict.fromkeys(named, 1))


def _payment_is_open(t: T, run: Run) -> bool:
    return next_pick(run, costs_of(run)) is not None


CHOICES: dict[str, tuple[Callable[[T, Run], bool], Callable[[T, Run], Shape], str]] = {
    "face": (_face_is_open, _faces, "EP-16.13"),
    "mode": (_mode_is_open, lambda t, run: pick(_modes(t, run)), "EP-6.2"),
    "targets": (_target_is_open, _targets, "EP-12.2"),
    "division": (_shares_are_open, _shares, "EP-6.2"),
    "payment": (_payment_is_open, lambda t, run: pick_shape(t, run, costs_of(run)), "EP-4.8"),
}
TAKEN: dict[str, Callable[[Run, object], Run]] = {
    "face": lambda run, answer: {**run, "down": answer == ["down"]},
    "mode": lambda run, answer: {**run, "mode": int(_only(answer))},
    "targets": lambda run, answer: with_targets(run, _list(answer)),
    "division": lambda run, answer: {**run, "shares": answer},
    "payment": lambda run, answer: with_pick(run, costs_of(run), _list(answer)),
}


def _list(answer: object) -> list[str]:
    assert isinstance(answer, list)
    return answer


def _only(answer: object) -> str:
    [one] = _list(answer)
    return one


def costs_of(run: Run) -> list[Data]:
    if run.get("down"):
        return ACTION
    if run["ab"] >= 0 and CARDS[run["key"]].type != "event":
        costs: list[Data] = CARDS[run["key"]].abilities[run["ab"]]["cost"]
        return costs
    return card_cost(CARDS[run["key"]])


def is_card(run: Run) -> bool:
    """A card is played, not an ability used."""
    return run["ab"] < 0 or CARDS[run["key"]].type == "event"


# -- paying, targeting, the line (EP-6.1e to g) ------------------------------------------------------------------------


@book.step
def pay(t: T, run: Run) -> None:
    """EP-6.1e, 0.3: the costs are one happening."""
    kinds = [] if run.get("down") else source_kinds(t, run)
    releases = not is_card(run) and any(
        op.get("what", {}).get("all", {}).get("zone") == "under_self"
        for op in CARDS[run["key"]].abilities[run["ab"]]["do"]
        if isinstance(op.get("what"), dict)
    )
    t.tell(run={**run, "kinds": kinds})
    if parts := payment(t, run, costs_of(run), kinds, releases=releases):
        if releases:
            t.tell(run={**run, "kinds": kinds, "under": list(t.card(run["src"]).held)})
        t.push(happen, parts, [])


@book.step
def target(t: T, run: Run) -> None:
    """EP-6.1f: face-down things that are targeted turn face up, after the costs were paid (RU-51)."""
    t.tell(run={name: value for name, value in run.items() if name != "pays"})
    t.seq(*unveil_targets(t, run))


@book.step
def put_on_line(t: T, run: Run) -> None:
    """EP-6.1g, 6.4, 7.7: on the line under the player's control; an instantaneous one resolves at once."""
    if t.s.seats[run["by"]].out:
        return
    if is_card(run):
        down = bool(run.get("down"))
        if t.find(run["src"]) is None:
            return
        item = t.move(run["src"], LINE, ctrl=run["by"], down=down, known=[run["by"]] if down else 0)
        instantaneous = CARDS[run["key"]].instantaneous and not down
        if run["ab"] >= 0:
            t.mark(item, "play", {name: value for name, value in {**run, "src": item}.items() if name != "down"})
        value = plain(run["key"], run["by"], down)
        fact = {"on": "plays", "seat": run["by"], "card": item, "value": value}
        queue(t, met(t, [fact], []))
    else:
        item = put_ability(t, {name: value for name, value in run.items() if name != "under"})
        for card in run.get("under", ()):
            if t.find(card) is not None:
                t.attach(card, item)
        instantaneous = CARDS[run["key"]].abilities[run["ab"]]["instantaneous"]
    if instantaneous:
        t.push(resolve_top)
