"""A tournament as the store folds it: rules, entrants, rounds, matches. Everything shown follows from it (folds.py)."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct

Phase = Literal["registration", "running", "over", "closed"]
StageKind = Literal["swiss", "pods", "robin", "single", "double", "pod_cut", "draft", "sealed"]
Status = Literal["waiting", "in", "dropped", "out"]
LimitedStatus = Literal["seated", "drafting", "building", "late", "done"]
RoundStatus = Literal["called", "proposed", "published", "closed", "stuck"]
ELIMINATION = frozenset({"single", "double", "pod_cut"})
PREPARING = frozenset({"draft", "sealed"})


class Stage(Struct, frozen=True):
    """One part of the event. `cut`: how many of the standings enter it (0: everybody; -1: as the tables propose)."""

    kind: StageKind
    rounds: int = 0  # 0: as the tables propose when it begins
    cut: int = 0
    pod: int = 4
    best_of: int = 0  # 0: as the tournament says
    by_standings: bool = False  # the last round pairs neighbours in the standings
    apart: int = 0  # so many first rounds keep groups apart
    in_pods: bool = False  # opponents are of one's own draft pod
    options: dict[str, Any] = {}  # of its games, or of its draft
    draft: str = ""  # a draft's rulebook; "": the one that goes with the game
    seats: int = 0  # of a draft pod at most; 0: as the tables propose
    clock: dict[str, Any] = {}  # pick times; none: the usual ones of online drafts
    build_ms: int = 1_500_000  # for decks, after the last pick


class Rules(Struct, frozen=True):
    title: str
    stages: list[Stage]
    family: str = "magic"
    registration: Literal["open", "invite"] = "open"
    capacity: int = 0  # 0: no limit; then there is a waiting list
    late: Literal["no", "loss", "bye"] = "no"  # who comes late has lost the rounds before, or had byes
    check_in: bool = False
    decks: bool = False  # a list is due before the start, or by `decks_until`
    decks_until: int = 0
    format: str = ""  # of these lists; "": whatever the rulebook takes
    sideboard_ms: int = 180_000  # between the games of a match
    team: int = 1  # members of an entrant; a match of a team has so many boards
    rulebook: str = ""  # "": paper play
    options: dict[str, Any] = {}
    best_of: int = 1
    first: Literal["lot", "loser", "alternate"] = "loser"  # who sits first in the games after the first
    round_ms: int = 0
    on_time: Literal["judge", "score"] = "judge"  # when a table's time is over
    show_up_ms: int = 600_000  # to join and bring a number: then it is a no-show
    decision_ms: int = 0
    walkover: Literal["opponent", "best"] = "opponent"  # who rests in a bracket when somebody left it


class Entrant(Struct, frozen=True):
    number: int
    actor: str = ""
    bot: str = ""
    status: Status = "in"
    members: list[str] = []
    group: str = ""  # a token: the same for all of one club; what the club is called is not in the log
    club: str = ""  # commitment to its name (events/texts), which can be erased
    since: int = 1  # the first round it could play
    checked: bool = False
    deck: str = ""  # hash of the list
    deck_seq: int = 0  # the event that brought it
    auto: bool = False  # built by the house
    awarded: int = 0  # byes in the first rounds
    table: int = 0  # always sits here
    penalty: int = 0  # points


class Score(Struct, frozen=True):
    """What a match came to: games won by each in table order, or who won the pod. `lost`: who left or was removed, and
    so has lost a pod that the others drew."""

    wins: list[int]
    draws: int = 0
    kind: str = "played"
    lost: list[int] = []


class Played(Struct, frozen=True):
    """A game that reported itself: its stream, where it stood, and what that hashes to. Or one that was lost by
    penalty: no game, and the seq of the penalty in this stream."""

    game: str
    seq: int
    hash: str
    winners: list[int]  # numbers; several: a draw among them
    nth: int = 0  # of the match; of a team, the board


class Match(Struct, frozen=True):
    id: str  # r3t7
    round: int
    table: int
    players: list[int]
    node: str = ""
    score: Score | None = None
    reported: Score | None = None
    reporter: int = 0
    disputed: bool = False
    called: int = 0  # seq of the event that called for a judge
    games: list[Played] = []
    lost: list[int] = []  # who left or was removed; in a pod the others play on
    extended_ms: int = 0
    corrected: int = 0  # how often
    waits_until: int = 0  # sideboarding: then the next game begins
    settled: list[int] = []  # who has said what they play in it
    swaps: dict[str, int] = {}  # entrant → the event with its last exchange in this match


class Round(Struct, frozen=True):
    number: int
    stage: int
    attempt: int = 1
    status: RoundStatus = "called"
    key: str = ""
    called: int = 0  # seq
    proposed: int = 0
    published: int = 0
    published_at: int = 0
    algorithm: str = ""
    matches: list[str] = []
    stuck: list[int] = []
    why: str = ""  # it is stuck
    extended_ms: int = 0


class Pod(Struct, frozen=True):
    """A table that drafts: entrants in seat order, its draft, and where that stood when it was over."""

    number: int
    players: list[int]
    draft: str = ""
    commit: str = ""
    seq: int = 0
    hash: str = ""


class Limited(Struct, frozen=True):
    """A draft or sealed stage on its way: seated, drafting, building, late (the house builds), done."""

    stage: int
    key: str = ""
    algorithm: str = ""
    seats: int = 0  # of a pod at most; 0: the usual table
    format: str = ""  # of the decks that are built
    status: LimitedStatus = "seated"
    until: int = 0  # decks are due
    pods: list[Pod] = []

    def pod_of(self, number: int) -> Pod | None:
        return next((pod for pod in self.pods if number in pod.players), None)


class Penalty(Struct, frozen=True):
    """`match`: where it took effect. A game or match loss without one waits for the next match."""

    number: int
    kind: str
    seq: int
    points: int = 0
    match: str = ""
    board: int = 0  # of a team match
    lifted: int = 0  # seq

    @property
    def pending(self) -> bool:
        return self.kind in ("game_loss", "match_loss") and not self.match and not self.lifted


class Tournament(Struct):
    stream: str
    first: str = ""  # hash of event 1: what the draws hang on
    host: str = ""
    rules: Rules | None = None
    phase: Phase = "registration"
    staff: dict[str, str] = {}  # participant → organiser or judge
    invited: list[str] = []
    entrants: dict[int, Entrant] = {}
    stage: int = -1  # before the first
    seeds: list[list[int]] = []  # by stage: who entered it, the best first
    stage_rounds: list[int] = []  # by stage, as fixed when it began
    rounds: list[Round] = []
    matches: dict[str, Match] = {}
    pins: list[list[int]] = []
    bans: list[list[int]] = []
    penalties: list[Penalty] = []
    limited: dict[int, Limited] = {}  # by stage
    lot: str = ""  # hex key of the last tiebreak
    draws: int = 0
    seq: int = 0
    at: int = 0

    @property
    def rules_(self) -> Rules:
        assert self.rules is not None, "the first event sets the rules"
        return self.rules

    @property
    def now(self) -> Round | None:
        """The round that is being paired or played, or the last one."""
        return self.rounds[-1] if self.rounds else None

    @property
    def current(self) -> Stage:
        return self.rules_.stages[max(self.stage, 0)]

    @property
    def drafted(self) -> Limited | None:
        """The draft or sealed stage that is on, or that gave the decks that are played now."""
        return self.limited[max(self.limited)] if self.limited else None

    @property
    def preparing(self) -> Limited | None:
        """The one that is on."""
        found = self.drafted
        return found if found and found.status != "done" else None

    @property
    def format(self) -> str:
        """Of the decks that are handed in and played; "": none that is known."""
        return self.drafted.format if self.drafted else self.rules_.format

    def entrant_of(self, actor: str) -> Entrant | None:
        return next((one for one in self.entrants.values() if actor in (one.actor, *one.members)), None)

    def best_of(self, match: Match) -> int:
        """Of this match, in whatever stage it was; boards of a team."""
        if self.rules_.team > 1:
            return self.rules_.team
        return self.rules_.stages[self.rounds[match.round - 1].stage].best_of or self.rules_.best_of

    def waits_for(self, number: int) -> list[Penalty]:
        """Losses of this entrant that take effect in the next match."""
        return [one for one in self.penalties if one.number == number and one.pending]

    def open_matches(self) -> list[Match]:
        return [self.matches[m] for m in (self.now.matches if self.now else []) if self.matches[m].score is None]


def clone(state: Tournament) -> Tournament:
    return msgspec.structs.replace(
        state, staff=state.staff.copy(), invited=state.invited.copy(), entrants=state.entrants.copy(),
        seeds=state.seeds.copy(), stage_rounds=state.stage_rounds.copy(), rounds=state.rounds.copy(),
        matches=state.matches.copy(), pins=state.pins.copy(), bans=state.bans.copy(), penalties=state.penalties.copy(),
        limited=state.limited.copy(),
    )  # fmt: skip


_ENCODER = msgspec.json.Encoder(order="deterministic")
_DECODER = msgspec.json.Decoder(Tournament)


def encode(state: Tournament) -> bytes:
    return _ENCODER.encode(msgspec.to_builtins(state, str_keys=True))


def decode(data: bytes) -> Tournament:
    return _DECODER.decode(data)


# --- the only way it changes ---


def _changed(kind: type[Any], old: Any, new: dict[str, Any]) -> Any:
    """A struct with some of its fields replaced by what an event says."""
    return msgspec.convert({**msgspec.to_builtins(old), **new}, kind)


def evolve(state: Tournament, record: dict[str, Any], seq: int, at: int, prev: str, by: str) -> Tournament:
    state.seq, state.at = seq, at
    if seq == 2:
        state.first = prev
    if record.get("do") == "create":
        known = Rules.__struct_fields__
        state.rules = msgspec.convert({name: value for name, value in record.items() if name in known}, Rules)
        state.host = by
        state.staff[by] = "organiser"
    match record.get("e"):
        case "entrant":
            number = record["number"]
            state.entrants[number] = _changed(Entrant, state.entrants.get(number) or Entrant(number), record["set"])
        case "match":
            match_ = state.matches.get(record["id"])
            state.matches[record["id"]] = (
                _changed(Match, match_, record["set"]) if match_ else msgspec.convert(record["set"], Match)
            )
        case "round":
            number = record["number"]
            if number > len(state.rounds):
                state.rounds.append(Round(number, state.stage))
            old = state.rounds[number - 1]
            state.rounds[number - 1] = _changed(Round, old, record["set"])
        case "unpublished":
            for gone in record["matches"]:
                del state.matches[gone]
        case "stage":
            state.stage = record["stage"]
            state.seeds.append(record["seeds"])
            state.stage_rounds.append(record["rounds"])
        case "limited":
            stage = record["stage"]
            state.limited[stage] = _changed(Limited, state.limited.get(stage) or Limited(stage), record["set"])
        case "pod":
            found, place = state.limited[record["stage"]], record["pod"] - 1
            pods = [*found.pods]
            pods[place] = _changed(Pod, pods[place], record["set"])
            state.limited[record["stage"]] = msgspec.structs.replace(found, pods=pods)
        case "plan":
            stages, at_ = list(state.rules_.stages), record["stage"]
            stages[at_] = _changed(Stage, stages[at_], record["set"])
            state.rules = msgspec.structs.replace(state.rules_, stages=stages)
            if at_ < len(state.stage_rounds) and "rounds" in record["set"]:
                state.stage_rounds[at_] = record["set"]["rounds"]
        case "seeds":
            state.seeds[record["stage"]] = record["seeds"]
        case "phase":
            state.phase = record["phase"]
        case "lot":
            state.lot = record["key"]
        case "draw":
            state.draws = record["n"] + 1
        case "staff":
            state.staff[record["actor"]] = record["role"]
        case "invited":
            state.invited += record["actors"]
        case "pins":
            state.pins = record["pins"]
        case "bans":
            state.bans = record["bans"]
        case "penalty":
            new = msgspec.convert({k: v for k, v in record.items() if k != "e"}, Penalty)
            known = {one.seq: one for one in state.penalties}
            state.penalties = list((known | {new.seq: new}).values())
    return state
