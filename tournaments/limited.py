"""Draft and sealed stages: seated by lot, drafted in pods, decks built from the own pool, then the next stage begins.

A stage's pods follow from its key and from who entered it, in the event in which it begins (core/seating.py), so they
are public at once and anybody can seat them again. The house opens one draft for each pod (drafts.py), with seeds that
follow from the tournament's own, which it had committed to before anybody registered.
"""

from __future__ import annotations

from typing import Any

import msgspec

from decks.building import built
from decks.checking import as_brought
from decks.formats import Format, format_named, formats_of
from drafting.formats import BUILT_LATER, format_name
from events.decider import Due, Record
from events.errors import Rejected
from events.participants import ARBITER
from games.kernel.rulebook import rulebook
from tournaments.core import seating
from tournaments.state import PREPARING, Limited, Rules, Stage, Tournament
from tournaments.turn import Turn, illegal

DRAFTS = {"epic": "draft", "theos": "theos_draft"}
"""The draft that goes with a game."""
SHARED = frozenset({"theos"})
"""Games in which every card exists once (TH-4.2): two decks of different pods may have the same."""
CLOCK = {"pace": "online"}
OTHERS = '{"decks": "draft"}'


# --- the plan ---


def draft_of(rules: Rules, stage: Stage) -> str:
    return stage.draft or DRAFTS.get(rules.rulebook.partition("@")[0], "draft")


def own_decks(stage: Stage) -> bool:
    """Whether its games are played with what was handed in: not, if they have decks by their own options."""
    return "decks" not in stage.options


def options_of(rules: Rules, stage: Stage) -> Record:
    """As the draft is made: it ends with the last pick, because decks are built in the tournament."""
    draft = draft_of(rules, stage)
    style = {"style": "sealed"} if stage.kind == "sealed" else {}
    return {**stage.options, **style, **BUILT_LATER.get(draft.partition("@")[0], {})}


def check(rules: Rules) -> None:
    """What cannot be drafted, or not played with what was drafted, is refused before anybody registers."""
    for place, stage in enumerate(rules.stages):
        where = f"/stages/{place}"
        if stage.kind in PREPARING:
            check_draft(rules, stage, where)
        elif stage.in_pods:
            if not any(before.kind in PREPARING for before in rules.stages[:place]):
                raise illegal(f"{where}/in_pods", "unfit", "there are no pods without a draft before it")
            if stage.kind != "swiss" or stage.cut:
                raise illegal(f"{where}/in_pods", "unfit", "only a swiss stage without a cut stays in the pods")
        if stage.kind not in PREPARING and rules.rulebook.partition("@")[0] in SHARED:
            drafted = [before for before in rules.stages[:place] if before.kind in PREPARING]
            if drafted and not stage.in_pods and own_decks(stage):
                detail = "in Theos every card exists once, so drafted decks meet `in_pods` only (TH-4.2)"
                raise illegal(f"{where}/in_pods", "missing", f"{detail}; games may bring others: `options` {OTHERS}")
    check_lists(rules)


def check_draft(rules: Rules, stage: Stage, where: str) -> None:
    if not rules.rulebook:
        return  # on paper they draft on paper
    if rules.team > 1:
        raise illegal(f"{where}/kind", "unfit", "teams do not draft: each pod seats single players")
    try:
        book = rulebook(draft_of(rules, stage))
    except LookupError as unknown:
        raise illegal(f"{where}/draft", "unknown_option", str(unknown)) from None
    if book.kind != "draft":
        raise illegal(f"{where}/draft", "unfit", f"{book.title} is a {book.kind}, not a draft")
    seats = stage.seats or seating.SMALLEST
    most = 5 if rules.rulebook.partition("@")[0] in SHARED else max(book.seats)
    if not seating.SMALLEST <= seats <= most:
        raise illegal(f"{where}/seats", "out_of_range", f"from {seating.SMALLEST} to {most} in a pod")
    if wrong := book.violations(seats, options_of(rules, stage), []):
        errors = [{**msgspec.to_builtins(one), "pointer": f"{where}{one.pointer}"} for one in wrong]
        raise Rejected("illegal", " ".join(one.detail for one in wrong), errors)
    name = format_name(draft_of(rules, stage), options_of(rules, stage), seats)
    if name is None or format_named(name).rulebook != rules.rulebook.partition("@")[0]:
        detail = f"no deck of {rules.rulebook} is made of what this draft gives"
        raise illegal(f"{where}/options", "unfit", detail)


def check_lists(rules: Rules) -> None:
    """Constructed: the format of the lists."""
    if rules.decks and rules.stages[0].kind in PREPARING:
        raise illegal("/decks", "unfit", "the event begins with a draft: decks are built then, and no lists before")
    if not rules.format:
        known = [one.id for one in formats_of(rules.rulebook.partition("@")[0]) if not one.needs_pool]
        if rules.decks and rules.rulebook:
            named = f"name the format of the lists: {', '.join(known)}" if known else "it is played without lists"
            raise illegal("/format" if known else "/decks", "missing" if known else "unfit", named)
        return
    try:
        format_ = format_named(rules.format)
    except LookupError as unknown:
        raise illegal("/format", "unknown_option", str(unknown)) from None
    if not rules.decks:
        raise illegal("/format", "unfit", "a format is for lists: set `decks` too")
    if rules.rulebook and format_.rulebook != rules.rulebook.partition("@")[0]:
        raise illegal("/format", "unfit", f"{rules.format} is a format of {format_.rulebook}, not of {rules.rulebook}")
    if format_.needs_pool:
        raise illegal("/format", "unfit", f"{format_.title} is built from a pool: plan a draft or sealed stage instead")
    if rules.team > 1:
        raise illegal("/decks", "unfit", "a list is one player's; in a team event lists are not handed in")
    if rules.rulebook and format_.rulebook in SHARED:
        raise illegal("/format", "unfit", "in Theos every card exists once: two lists could not meet (TH-4.2)")
    if rules.rulebook:
        check_played(rules, format_)


def check_played(rules: Rules, format_: Format) -> None:
    """The games of this event must take such decks: tried with one that the house builds."""
    deck = built(format_, None, b"")
    if deck is None:
        return
    for place, stage in enumerate(rules.stages):
        seats = stage.pod if stage.kind == "pods" else 4 if stage.kind == "pod_cut" else 2
        options = {**rules.options, **stage.options, **format_.options}
        wrong = rulebook(rules.rulebook).violations(seats, options, [as_brought(format_, deck)] * seats)
        if wrong and own_decks(stage):
            where = f"of stage {place} with {format_.id}"
            raise illegal("/format", "unfit", f"the games {where} could not begin: {wrong[0].detail}")


def most_seats(rules: Rules, stage: Stage) -> int:
    """Of a pod, as the tables propose where the organiser said nothing."""
    if stage.seats or not rules.rulebook:
        return stage.seats
    return 4 if rules.rulebook.partition("@")[0] in SHARED else 0


# --- it happens ---


def seat(turn: Turn, stage: int) -> None:
    """The stage begins: pods by lot. Lists that were played before are not played on."""
    state, rules = turn.state, turn.state.rules_
    plan = rules.stages[stage]
    key = turn.draw_key(f"pods/{stage}")
    seats = most_seats(rules, plan)
    pods = seating.seated(state.seeds[stage], bytes.fromhex(key), seats)
    name = format_name(draft_of(rules, plan), options_of(rules, plan), len(pods[0])) if rules.rulebook else ""
    turn.emit(
        "limited", stage=stage,
        set={"key": key, "algorithm": seating.ALGORITHM, "seats": seats, "format": name or "",
             "status": "seated" if rules.rulebook else "done",  # on paper: drafted and built at the tables
             "pods": [{"number": number, "players": players} for number, players in enumerate(pods, 1)]},
    )  # fmt: skip
    for number in state.seeds[stage]:
        if state.entrants[number].deck:
            turn.emit("entrant", number=number, set={"deck": "", "deck_seq": 0, "auto": False})


def on(turn: Turn, action: Record, *statuses: str) -> Limited:
    found = turn.state.preparing
    if found is None or found.stage != action["stage"] or found.status not in statuses:
        raise Rejected("stale", "This tournament does not wait for that.")
    return found


def open_drafts(turn: Turn, action: Record) -> None:
    """The house has opened a draft for every pod."""
    turn.house()
    found = on(turn, action, "seated")
    if [one["pod"] for one in action["drafts"]] != [pod.number for pod in found.pods]:
        raise Rejected("illegal", "Every pod has one draft.")
    turn.take(action)
    for one in action["drafts"]:
        turn.emit("pod", stage=found.stage, pod=one["pod"], set={"draft": one["draft"], "commit": one["commit"]})
    turn.emit("limited", stage=found.stage, set={"status": "drafting"})


def drafted(turn: Turn, action: Record) -> None:
    """A draft is over: its stream, seq and hash. With the last one decks are built."""
    turn.house()
    found = on(turn, action, "drafting")
    pod = found.pods[action["pod"] - 1]
    if pod.hash or pod.draft != action["draft"]:
        raise Rejected("exists" if pod.hash else "unknown", "This pod has reported, or drafts elsewhere.")
    turn.take(action)
    turn.emit("pod", stage=found.stage, pod=pod.number, set={"seq": action["seq"], "hash": action["hash"]})
    if all(one.hash for one in turn.state.limited[found.stage].pods):
        until = turn.moment.at + turn.state.rules_.stages[found.stage].build_ms
        turn.emit("limited", stage=found.stage, set={"status": "building", "until": until})


def time_up(turn: Turn, action: Record) -> None:
    """Who has handed in nothing plays what the house builds."""
    turn.house()
    found = on(turn, action, "building")
    if turn.moment.at < found.until:
        raise Rejected("stale", "That deadline no longer stands.")
    turn.take(action)
    turn.emit("limited", stage=found.stage, set={"status": "late"})


def settle(turn: Turn) -> None:
    """After anything: when everybody who is still in has a deck, the stage is over and the next one begins."""
    found = turn.state.preparing
    if found and found.status in ("building", "late") and not missing(turn.state):
        from tournaments.rounds import begin

        turn.emit("limited", stage=found.stage, set={"status": "done"})
        begin(turn, found.stage + 1)


def missing(state: Tournament) -> list[int]:
    """Who is in this draft and has handed in no deck."""
    found = state.preparing
    seated = sorted(number for pod in found.pods for number in pod.players) if found else []
    return [n for n in seated if state.entrants[n].status == "in" and not state.entrants[n].deck]


def due(state: Tournament) -> list[Due]:
    found = state.preparing
    if found is None or found.status != "building" or state.phase != "running":
        return []
    return [Due(f"build-{found.stage}", found.until, ARBITER, {"do": "time_up", "stage": found.stage})]


# --- as people see it ---


def place_of(state: Tournament, number: int) -> dict[str, Any] | None:
    """Where this entrant drafts, or drafted what it plays."""
    found = state.drafted
    pod = found.pod_of(number) if found else None
    if found is None or pod is None:
        return None
    return {
        "stage": found.stage, "status": found.status, "pod": pod.number, "seat": pod.players.index(number),
        "draft": pod.draft or None, "format": found.format, "until": found.until or None,
    }  # fmt: skip


def words_for(state: Tournament, number: int) -> str | None:
    """What this entrant has to do in a draft stage; None, when there is none."""
    found = state.preparing
    pod = found.pod_of(number) if found else None
    if found is None or pod is None:
        return None
    if found.status in ("seated", "drafting"):
        chair = f"pod {pod.number}, seat {pod.players.index(number)}"
        return f"Wait until all pods have drafted ({chair})." if pod.hash else f"Draft: {chair}."
    if state.entrants[number].deck:
        return "Your deck is in; you can change it until the last one is."
    return "Build your deck and hand it in." if found.status == "building" else "The house builds your deck."


def view(state: Tournament, stage: int) -> dict[str, Any]:
    found = state.limited[stage]
    return {
        "stage": stage, "kind": state.rules_.stages[stage].kind, "status": found.status, "format": found.format,
        "key": found.key, "algorithm": found.algorithm, "until": found.until or None,
        "missing": missing(state) if state.preparing is found and found.status in ("building", "late") else [],
        "pods": [msgspec.to_builtins(pod) for pod in found.pods],
    }  # fmt: skip
