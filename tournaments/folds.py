"""What follows from a tournament's state: results, standings, brackets, the next round. Pure; the same functions serve
the service, the verification of a round, and the offline checker."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from tournaments.core import brackets, pods, robin, swiss, tables
from tournaments.core.field import BYE, Costs, Entrant, Field
from tournaments.core.noise import lot, noise
from tournaments.core.standings import FAMILIES, Family, Standings, standings
from tournaments.core.tally import Kind, Result, Tally, tally
from tournaments.state import ELIMINATION, PREPARING, Match, Round, Tournament

ZERO = bytes(16)


def family(state: Tournament) -> Family:
    return FAMILIES[state.rules_.family]


def pod(state: Tournament) -> int:
    """How many sit at a table, for what a bye is worth."""
    return next((stage.pod for stage in state.rules_.stages if stage.kind == "pods"), 2)


def counted(state: Tournament, before: int | None = None) -> list[Result]:
    """The results that standings are made of, in order: all but those of eliminations. `before`: of earlier rounds."""
    stages, found = state.rules_.stages, []
    for round_ in state.rounds:
        if stages[round_.stage].kind in ELIMINATION or round_.status not in ("published", "closed"):
            continue
        if before is not None and round_.number >= before:
            break
        for name in round_.matches:
            match = state.matches[name]
            if match.score:
                found.append(result(match))
        found += [
            _missed(state, one.number, round_.number)
            for one in state.entrants.values()
            if one.since > round_.number and one.status != "waiting"
        ]
    return found


def result(match: Match) -> Result:
    assert match.score is not None
    kind: Kind = match.score.kind  # type: ignore[assignment]
    lost = tuple(seat for seat, number in enumerate(match.players) if number in match.score.lost)
    return Result(match.round, tuple(match.players), tuple(match.score.wins), match.score.draws, kind, lost)


def _missed(state: Tournament, number: int, round_: int) -> Result:
    return Result(round_, (number,), (0,), kind="bye" if state.rules_.late == "bye" else "lost")


def ranking(state: Tournament, before: int | None = None) -> Standings:
    """Standings as of this state. Rounds that are not over count as far as they are."""
    came = [n for n, one in state.entrants.items() if one.status != "waiting"]
    return standings(
        came, counted(state, before), family(state), bytes.fromhex(state.lot) or ZERO, pod=pod(state),
        dropped=[n for n in came if state.entrants[n].status == "dropped"],
        penalties={n: one.penalty for n, one in state.entrants.items() if one.penalty},
        out=[n for n in came if state.entrants[n].status == "out"],
    )  # fmt: skip


def final_order(state: Tournament) -> list[int]:
    """The whole event, the best first: eliminations on top, the latest first, then the standings. Who was disqualified
    is nowhere in it."""
    return before_stage(state, len(state.seeds))


def before_stage(state: Tournament, stage: int) -> list[int]:
    """The order in which entrants come into this stage: of eliminations before it, then of the standings."""
    order: list[int] = []
    for earlier in reversed(range(stage)):
        if state.rules_.stages[earlier].kind in ELIMINATION:
            order += [n for n in placings(state, earlier) if n not in order]
    order += [line.number for line in ranking(state).lines if line.number not in order]
    return [n for n in order if state.entrants[n].status != "out"]


def open_to_all(state: Tournament) -> bool:
    """May somebody come into the stage that is being played? Not into a cut, nor where who meets whom is fixed, nor
    after a draft: they would have no deck."""
    open_kind = state.stage < 0 or (state.current.kind in ("swiss", "pods") and not state.current.cut)
    return open_kind and not state.drafted


# --- brackets ---


def bracket(state: Tournament, stage: int) -> brackets.Bracket:
    kind, seeds = state.rules_.stages[stage].kind, state.seeds[stage]
    nodes = (brackets.double if kind == "double" else brackets.single)(len(seeds))
    found = brackets.Bracket(nodes, seeds, {})
    for round_ in state.rounds:
        if round_.stage == stage and round_.status in ("published", "closed"):
            _play(found, [state.matches[name] for name in round_.matches])
    return found


def _play(found: brackets.Bracket, matches: list[Match]) -> None:
    """One round of a bracket. Where the best of those left rests instead of the opponent of who left (`walkover`), two
    have changed places."""
    here = {number for match in matches for number in match.players}
    places = {match.node: found.places(found.node(match.node)) for match in matches if match.node}
    for match in matches:
        if not match.node:
            continue
        stood = [number for number in places[match.node] if number]
        if not set(match.players) <= set(stood):
            gone = [number for number in stood if number not in here]
            found.moved[match.node] = (*match.players, *gone)[:2]
        if match.score:
            found.won[match.node] = match.players[_winner(match, found.seeds)]


def _winner(match: Match, seeds: list[int]) -> int:
    """In an elimination somebody goes on: a draw goes to the better seed."""
    assert match.score is not None
    best = max(match.score.wins)
    level = [seat for seat, wins in enumerate(match.score.wins) if wins == best]
    return min(level, key=lambda seat: seeds.index(match.players[seat]))


def matches_of(state: Tournament, stage: int) -> list[Match]:
    return [
        state.matches[name]
        for round_ in state.rounds
        if round_.stage == stage and round_.status in ("published", "closed")
        for name in round_.matches
    ]


def placings(state: Tournament, stage: int) -> list[int]:
    if state.rules_.stages[stage].kind != "pod_cut":
        return bracket(state, stage).placings()
    seeds, reached = state.seeds[stage], dict.fromkeys(state.seeds[stage], 0)
    for match in matches_of(state, stage):
        for seat, number in enumerate(match.players):
            won = match.score is not None and seat == _winner(match, seeds)
            reached[number] = 2 * match.round + won
    return sorted(seeds, key=lambda n: (-reached[n], seeds.index(n)))


# --- is there another round ---


def rounds_played(state: Tournament) -> int:
    return sum(round_.stage == state.stage for round_ in state.rounds if round_.status == "closed")


def stage_over(state: Tournament) -> bool:
    if state.stage < 0:
        return True
    kind = state.current.kind
    if kind in PREPARING:
        return state.preparing is None
    if kind in ("single", "double"):
        return bracket(state, state.stage).champion() is not None
    if kind == "pod_cut":
        return rounds_played(state) >= (1 if len(state.seeds[state.stage]) <= 4 else 2)
    return rounds_played(state) >= state.stage_rounds[state.stage]


def proposed_rounds(state: Tournament, stage: int, entering: int) -> int:
    plan = state.rules_.stages[stage]
    if plan.kind == "robin":
        return max(1, entering - 1 + entering % 2)
    if plan.in_pods and not plan.rounds and state.drafted:  # everybody of the pod
        largest = max(len(pod_.players) for pod_ in state.drafted.pods)
        return min(3, max(1, largest - 1 + largest % 2))
    found = proposed(state, stage)
    return plan.rounds or (found.rounds if found else 0)


def proposed(state: Tournament, stage: int) -> tables.Proposal | None:
    """What the usual tables say to so many players: rounds of this stage, and the cut after it."""
    kind = state.rules_.stages[stage].kind
    if stage < len(state.seeds):
        entering = len(state.seeds[stage])
    else:
        entering = sum(one.status == "in" for one in state.entrants.values())
    if kind == "pods":
        return tables.pods(entering)
    if kind != "swiss":
        return None
    byes = {n: one.awarded for n, one in state.entrants.items() if one.awarded}
    drafted = any(later.kind == "draft" for later in state.rules_.stages[stage + 1 :])
    return tables.swiss(entering, awarded_byes=byes, draft_playoff=drafted)


def proposed_cut(state: Tournament, stage: int) -> int:
    """How many enter this stage, by the tables for the last one that was played; four if they propose no cut."""
    found = next((one for at in reversed(range(stage)) if (one := proposed(state, at))), None)
    here = sum(one.status == "in" for one in state.entrants.values())
    cut = found.cut if found and found.cut else 4
    if state.rules_.stages[stage].kind == "pod_cut":
        return cut if cut in tables.POD_CUTS else 4
    return min(cut, here)


# --- the next round ---


@dataclass(frozen=True)
class Proposal:
    """Tables in table order: players in seat order, and the bracket's node. One player: a bye."""

    algorithm: str
    tables: list[dict[str, Any]]
    cost: list[int]

    def record(self) -> dict[str, Any]:
        return {"algorithm": self.algorithm, "tables": self.tables, "cost": self.cost}


def active(state: Tournament) -> list[int]:
    """Who is to be paired: in, not too late for this round, and of a cut."""
    inside = set(state.seeds[state.stage]) if state.current.cut or state.drafted else None
    number = len(state.rounds)
    return [
        n for n, one in state.entrants.items()
        if one.status == "in" and one.since <= number and (inside is None or n in inside)
        and (one.deck or not state.format)  # who comes late plays when the list is in
    ]  # fmt: skip


def field(state: Tournament, round_: Round) -> Field:
    """Everything the pairing of this round depends on."""
    key, last = bytes.fromhex(round_.key), _is_last(state)
    here = active(state)
    tallies = tally(
        [n for n, one in state.entrants.items() if one.status != "waiting"], counted(state), family(state).points,
        pod=pod(state), penalties={n: one.penalty for n, one in state.entrants.items() if one.penalty},
    )  # fmt: skip
    before = _scores_before(state)
    ranks = ranking(state).ranks() if last else {}
    entrants = tuple(_entrant(state, n, tallies[n], tallies, before, ranks.get(n, 0)) for n in here)
    nth = rounds_played(state) + 1
    awarded = [(BYE, n) for n in here if state.entrants[n].awarded >= round_.number]
    inside = {BYE, *here}
    pins = [(a, b) for a, b in state.pins if a in inside and b in inside]
    taken = {n for pin in pins for n in pin}
    return Field(
        entrants, key, tuple(pins + [pin for pin in awarded if pin[1] not in taken]),
        frozenset((min(ban), max(ban)) for ban in state.bans), nth <= state.current.apart, last,
    )  # fmt: skip


def fields(state: Tournament, round_: Round) -> list[Field]:
    """What is paired by itself: everybody, or each draft pod, where opponents are of one's own."""
    whole = field(state, round_)
    if not state.current.in_pods or state.drafted is None:
        return [whole]
    return [part for pod_ in state.drafted.pods if (part := _only(whole, set(pod_.players))).entrants]


def _only(whole: Field, numbers: set[int]) -> Field:
    return replace(
        whole, entrants=tuple(one for one in whole.entrants if one.number in numbers),
        pins=tuple(pin for pin in whole.pins if max(pin) in numbers),
    )  # fmt: skip


def _is_last(state: Tournament) -> bool:
    return state.current.by_standings and rounds_played(state) + 1 == state.stage_rounds[state.stage]


def _scores_before(state: Tournament) -> dict[int, int]:
    """The points before the last round: who floated in it."""
    last = next((r.number for r in reversed(state.rounds) if r.status == "closed"), None)
    if last is None:
        return {}
    came = [n for n, one in state.entrants.items() if one.status != "waiting"]
    return {n: one.points for n, one in tally(came, counted(state, last), family(state).points, pod=pod(state)).items()}


def _entrant(
    state: Tournament, n: int, own: Tally, all_: dict[int, Tally], before: dict[int, int], rank: int
) -> Entrant:
    met: dict[int, int] = {}
    for _, other, _ in own.faced:
        met[other] = met.get(other, 0) + 1
    last = max((r for r, _, _ in own.faced), default=0)
    closed = next((r.number for r in reversed(state.rounds) if r.status == "closed"), 0)
    floated = 0
    if last and last == closed and len(own.faced) == own.rounds - own.byes:
        other = own.faced[-1][1]
        floated = (before[other] > before[n]) - (before[other] < before[n])
    return Entrant(n, own.points, met, own.byes, floated, state.entrants[n].group, rank)


def compute(
    state: Tournament, round_: Round, solve: swiss.Solver = swiss.rustworkx, algorithm: str = swiss.ALGORITHM
) -> Proposal:
    """The round that follows from this state and the round's key. `algorithm`: of Swiss rounds, one of swiss.BLOCKS.
    Raises swiss.Infeasible."""
    kind = state.current.kind
    if kind == "swiss":
        return _swiss(state, round_, solve, algorithm)
    return {"pods": _pods, "robin": _robin, "pod_cut": _pod_cut}.get(kind, _bracket)(state, round_)


def _swiss(state: Tournament, round_: Round, solve: swiss.Solver, algorithm: str) -> Proposal:
    parts = [(part, swiss.pair(part, solve, swiss.BLOCKS[algorithm]).pairs) for part in fields(state, round_)]
    score = {one.number: one.score for part, _ in parts for one in part.entrants}
    cost = [sum(terms) for terms in zip(*(Costs(part).total(pairs) for part, pairs in parts), strict=True)]
    pairs = [pair for _, found in parts for pair in found]
    return Proposal(algorithm, seated(state, round_, pairs, score), cost)


def seated(
    state: Tournament, round_: Round, pairs: list[tuple[int, int]], score: dict[int, int]
) -> list[dict[str, Any]]:
    """Table numbers apart from pairing: the top at table 1, fixed tables kept, who sits first by lot, byes last."""
    key = bytes.fromhex(round_.key)
    real = sorted(
        (pair for pair in pairs if BYE not in pair),
        key=lambda p: (-max(score[p[0]], score[p[1]]), -min(score[p[0]], score[p[1]]), noise(key, *p)),
    )
    fixed: dict[int, tuple[int, int]] = {}
    for pair in real:
        wish = next((state.entrants[n].table for n in pair if state.entrants[n].table), 0)
        if wish and wish not in fixed:
            fixed[wish] = pair
    free = iter(number for number in range(1, 2 * len(real) + 2) if number not in fixed)
    at = {pair: number for number, pair in fixed.items()}
    found = [
        {
            "table": at[pair] if pair in at else next(free),
            "players": list(pair if noise(key, *pair) % 2 else pair[::-1]),
        }
        for pair in real
    ]
    found.sort(key=lambda table: table["table"])
    last = max((table["table"] for table in found), default=0)
    byes = sorted(max(pair) for pair in pairs if BYE in pair)
    return found + [{"table": last + place, "players": [n]} for place, n in enumerate(byes, 1)]


def _pods(state: Tournament, round_: Round) -> Proposal:
    size = state.current.pod
    whole = field(state, round_)
    short: dict[int, int] = {}
    first: dict[int, int] = {}
    for match in state.matches.values():
        for seat, n in enumerate(match.players):
            short[n] = short.get(n, 0) + (1 < len(match.players) < size)
            first[n] = first.get(n, 0) + (seat == 0 and len(match.players) > 1)
    found = pods.pair(whole, size, short, first)
    return Proposal(pods.ALGORITHM, _numbered(state, _plain([*found.tables, *([n] for n in found.byes)])), [])


def _plain(found: list[list[int]]) -> list[dict[str, Any]]:
    return [{"players": players} for players in found]


def _numbered(state: Tournament, found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Table numbers in the order given; who has a table of their own sits there."""
    kept: dict[int, int] = {}  # table → place in the order
    for place, one in enumerate(found):
        wish = next((state.entrants[n].table for n in one["players"] if state.entrants[n].table), 0)
        if wish and len(one["players"]) > 1:
            kept.setdefault(wish, place)
    free = iter(number for number in range(1, 2 * len(found) + 2) if number not in kept)
    at = {place: table for table, place in kept.items()}
    return sorted(
        ({"table": at.get(place) or next(free), **one} for place, one in enumerate(found)), key=lambda one: one["table"]
    )


def _robin(state: Tournament, round_: Round) -> Proposal:
    """Places are drawn by lot from the key of the stage's first round; whoever left leaves byes behind."""
    first = next(r for r in state.rounds if r.stage == state.stage)
    key = bytes.fromhex(first.key)
    places = sorted(state.seeds[state.stage], key=lambda n: (lot(key, n), n))
    here, found = set(active(state)), []
    table = robin.berger(len(places))[rounds_played(state)]
    for pair in table:
        players = [places[place - 1] for place in pair if place and places[place - 1] in here]
        if players:
            found.append({"players": players})
    found.sort(key=lambda one: len(one["players"]) == 1)
    return Proposal("berger", _numbered(state, found), [])


def _bracket(state: Tournament, round_: Round) -> Proposal:
    here = set(active(state))
    found = []
    for node, a, b in bracket(state, state.stage).open():
        players = [n for n in (a, b) if n in here]  # who left loses: the other goes on without a game
        found.append({"players": players or [a], "node": node.id})
    if state.rules_.walkover == "best" and state.current.kind == "single":
        _best_rests(found, state.seeds[state.stage])
    return Proposal("bracket", _numbered(state, found), [])


def _best_rests(found: list[dict[str, Any]], seeds: list[int]) -> None:
    """Whoever is alone because the opponent left changes places with the best seed that has to play."""
    for alone in [table for table in found if len(table["players"]) == 1]:
        full = [table for table in found if len(table["players"]) == 2]
        playing = [(seeds.index(n), table, n) for table in full for n in table["players"]]
        best, table, number = min(playing, key=lambda one: one[0], default=(len(seeds), alone, 0))
        [other] = alone["players"]
        if best < seeds.index(other):
            alone["players"] = [number]
            table["players"] = [other if n == number else n for n in table["players"]]


def _pod_cut(state: Tournament, round_: Round) -> Proposal:
    """By seeds; who left leaves a chair empty."""
    seeds, here = state.seeds[state.stage], set(active(state))
    semifinals, straight = pods.cut_pods(seeds)
    if rounds_played(state) == 0 and semifinals:
        found = semifinals
    else:
        winners = [match.players[_winner(match, seeds)] for match in matches_of(state, state.stage)]
        found = [sorted([*straight, *winners], key=seeds.index)]
    found = [left for pod_ in found if (left := [n for n in pod_ if n in here])]
    return Proposal("pod-cut", _numbered(state, _plain(found)), [])


def known(algorithm: str) -> bool:
    """Can this code compute the round again?"""
    return algorithm in (*swiss.BLOCKS, pods.ALGORITHM, "berger", "bracket", "pod-cut")


def again(state: Tournament, round_: Round, algorithm: str, solve: swiss.Solver = swiss.rustworkx) -> Proposal:
    """The round computed once more, the way it was computed."""
    return compute(state, round_, solve, algorithm if algorithm in swiss.BLOCKS else swiss.ALGORITHM)
