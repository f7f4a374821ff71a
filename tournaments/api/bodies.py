"""What commands carry."""

from typing import Annotated, Any, Literal

from msgspec import Meta

from config.api.commands import CommandBody
from config.api.loading import Body
from decks.api.base import FormatId
from drafting.api.drafts import ClockIn
from games.api.base import Ms, Name
from tournaments.api.base import Number, Words

Family = Literal["magic", "pokemon", "buchholz", "median", "sonneborn", "sos", "pods", "pods_2n1"]
Rounds = Annotated[int, Meta(ge=0, le=60, description="0: as the tables propose.")]
Cut = Annotated[int, Meta(ge=-1, le=4096, description="How many enter; 0: everybody; -1: as the tables propose.")]
Wins = Annotated[
    list[Annotated[int, Meta(ge=0, le=99)]],
    Meta(min_length=1, max_length=6, description="Games won by each, in table order; in a pod 1 for the winner."),
]
ScoreKind = Literal["played", "intentional", "forfeit", "double_loss"]


class StageIn(Body, kw_only=True):
    free = ("options",)

    kind: Literal["swiss", "pods", "robin", "single", "double", "pod_cut", "draft", "sealed"]
    rounds: Rounds = 0
    cut: Cut = 0
    pod: Annotated[int, Meta(ge=3, le=6)] = 4
    best_of: Annotated[int, Meta(ge=0, le=9)] = 0
    by_standings: Annotated[bool, Meta(description="The last round pairs neighbours in the standings.")] = False
    apart: Annotated[int, Meta(ge=0, le=60, description="So many first rounds keep groups apart.")] = 0
    in_pods: Annotated[bool, Meta(description="Swiss after a draft: opponents are of one's own pod.")] = False
    options: Annotated[dict[str, Any], Meta(description="Of the games of this stage, or of its draft.")] = {}
    draft: Annotated[Name | None, Meta(description="A draft's rulebook; left out: the game's own.")] = None
    seats: Annotated[int, Meta(ge=0, le=12, description="Of a draft pod at most; 0: as the tables propose.")] = 0
    clock: Annotated[ClockIn | None, Meta(description="Pick times; left out: 75 s falling by 5 s.")] = None
    build_ms: Annotated[Ms, Meta(description="For decks, after the last pick.")] = 1_500_000


class TournamentIn(CommandBody, kw_only=True):
    free = ("options",)

    title: Annotated[str, Meta(min_length=1, max_length=200)]
    stages: Annotated[list[StageIn], Meta(min_length=1, max_length=12)]
    family: Family = "magic"
    registration: Literal["open", "invite"] = "open"
    capacity: Annotated[int, Meta(ge=0, le=100_000, description="0: no limit.")] = 0
    late: Annotated[Literal["no", "loss", "bye"], Meta(description="What the rounds before a late entry count.")] = "no"
    check_in: bool = False
    decks: Annotated[bool, Meta(description="Lists are due before the start, or by `decks_until`.")] = False
    format: Annotated[FormatId | None, Meta(description="Of these lists: needed where games are played here.")] = None
    sideboard_ms: Annotated[Ms, Meta(description="Between the games of a match; 0: no sideboarding.")] = 180_000
    decks_until: Annotated[int, Meta(ge=0, le=2**53 - 1, description="Milliseconds since 1970; 0: the start.")] = 0
    team: Annotated[int, Meta(ge=1, le=8)] = 1
    rulebook: Annotated[Name | None, Meta(description="Left out: played on paper, results are reported.")] = None
    options: dict[str, Any] = {}
    best_of: Annotated[int, Meta(ge=1, le=9)] = 1
    first: Annotated[Literal["lot", "loser", "alternate"], Meta(description="Who sits first after game 1.")] = "loser"
    round_ms: Ms = 0
    on_time: Annotated[
        Literal["judge", "score"],
        Meta(description="When a table's time is over: a judge looks, or the match ends as it stands (not on paper)."),
    ] = "judge"
    show_up_ms: Ms = 600_000
    decision_ms: Ms = 0
    walkover: Annotated[
        Literal["opponent", "best"],
        Meta(description="Who rests in a bracket when somebody left: their opponent, or the best seed that is left."),
    ] = "opponent"


class EntryIn(CommandBody, kw_only=True):
    group: (
        Annotated[str, Meta(max_length=60, description="Club, team, country: kept apart early if asked for. Erasable.")]
        | None
    ) = None
    members: Annotated[
        list[Annotated[str, Meta(max_length=60)]], Meta(max_length=7, description="Names of the others.")
    ] = []


class NamesIn(CommandBody, kw_only=True):
    names: Annotated[list[Annotated[str, Meta(min_length=1, max_length=60)]], Meta(min_length=1, max_length=500)]


class StaffIn(CommandBody, kw_only=True):
    name: Annotated[str, Meta(min_length=1, max_length=60)]
    role: Literal["organiser", "judge"]


class BotsIn(CommandBody, kw_only=True):
    count: Annotated[int, Meta(ge=1, le=4096)]
    bot: Literal["random"] = "random"


class EntrantIn(CommandBody, kw_only=True):
    number: Annotated[Number | None, Meta(description="For staff; left out: yourself.")] = None


class AwardIn(CommandBody, kw_only=True):
    number: Number
    awarded: Annotated[int, Meta(ge=0, le=20, description="Byes in the first rounds.")] | None = None
    table: Annotated[int, Meta(ge=0, le=100_000, description="Always this table; 0: any.")] | None = None


class PlanIn(CommandBody, kw_only=True):
    stage: Annotated[int, Meta(ge=0, le=20, description="Stages count from 0.")]
    rounds: Rounds | None = None
    cut: Cut | None = None


class RepairIn(CommandBody, kw_only=True):
    reason: Words


class PinIn(CommandBody, kw_only=True):
    players: Annotated[list[Annotated[int, Meta(ge=0, le=1_000_000)]], Meta(min_length=2, max_length=2)]
    reason: Words


class ScoreIn(CommandBody, kw_only=True):
    wins: Wins
    draws: Annotated[int, Meta(ge=0, le=99)] = 0
    kind: ScoreKind = "played"


class RuledIn(ScoreIn, kw_only=True):
    reason: Words


class MatchDisputeIn(CommandBody, kw_only=True):
    reason: Words


class ExtendIn(CommandBody, kw_only=True):
    ms: Annotated[int, Meta(ge=1, le=24 * 3600 * 1000)]


class PenaltyIn(CommandBody, kw_only=True):
    number: Number
    kind: Literal["warning", "game_loss", "match_loss", "points", "disqualification"]
    points: Annotated[int, Meta(ge=0, le=1000)] = 0
    board: Annotated[int, Meta(ge=0, le=8, description="Of a team that loses a game: which board.")] = 0
    reason: Words


class LiftIn(CommandBody, kw_only=True):
    penalty: Annotated[int, Meta(ge=1, le=2**53 - 1, description="The seq of the penalty.")]
    reason: Words
