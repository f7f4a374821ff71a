"""What the results of a stage add up to, per entrant: the numbers every standing is made from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["played", "intentional", "forfeit", "double_loss", "bye", "lost"]
Outcome = Literal["win", "draw", "loss"]


@dataclass(frozen=True, slots=True)
class Result:
    """One table of one round. `wins`: games won by each, in the order of `players`; in a pod, 1 for its winner. A bye,
    or a round lost by coming late, is a table of one."""

    round: int
    players: tuple[int, ...]
    wins: tuple[int, ...]
    draws: int = 0
    kind: Kind = "played"
    lost: tuple[int, ...] = ()  # seats that lost whatever the wins say: left a pod that the others drew

    def outcome(self, seat: int) -> Outcome:
        if self.kind == "bye":
            return "win"
        if self.kind in ("lost", "double_loss") or seat in self.lost:
            return "loss"
        best = max(self.wins)
        if self.wins.count(best) > 1:
            return "draw" if self.wins[seat] == best else "loss"
        return "win" if self.wins[seat] == best else "loss"


@dataclass(frozen=True)
class Points:
    """What a match is worth. `per_pod`: a win in a pod of n gives 2n−1."""

    win: int = 3
    draw: int = 1
    loss: int = 0
    bye: int | None = None  # a win's worth, unless said otherwise
    per_pod: bool = False
    unit: int = 1  # how many of these are one point as people say it: chess counts halves

    def of(self, outcome: Outcome, size: int) -> int:
        if outcome == "win":
            return 2 * size - 1 if self.per_pod else self.win
        return self.draw if outcome == "draw" else self.loss

    def for_bye(self, size: int) -> int:
        return self.of("win", size) if self.bye is None else self.bye


@dataclass(slots=True)
class Tally:
    number: int
    points: int = 0
    rounds: int = 0  # byes count, rounds lost by coming late too
    won: int = 0
    drawn: int = 0
    lost: int = 0
    byes: int = 0
    game_points: int = 0
    games: int = 0
    most: int = 0  # the points it could have made
    penalty: int = 0
    dropped: bool = False
    # round, opponent, own outcome; a repeated opponent stands here once per match
    faced: list[tuple[int, int, Outcome]] = field(default_factory=list)
    before_bye: list[tuple[int, int]] = field(default_factory=list)  # round of a bye, and the points before it


def tally(
    numbers: Iterable[int], results: Iterable[Result], points: Points, *, pod: int = 2, dropped: Iterable[int] = (),
    penalties: dict[int, int] | None = None,
) -> dict[int, Tally]:  # fmt: skip
    """`results` in the order of their rounds. A game is worth 3/1/0 in every family that counts games."""
    found = {number: Tally(number) for number in numbers}
    for result in results:
        players, wins = result.players, result.wins
        if len(players) == 1:
            _alone(found[players[0]], result, points, pod)
            continue
        games = sum(wins) + result.draws
        for seat, number in enumerate(players):
            one, outcome = found[number], result.outcome(seat)
            one.points += points.of(outcome, len(players))
            one.most += points.of("win", len(players))
            one.rounds += 1
            one.game_points += 3 * wins[seat] + result.draws
            one.games += games
            if outcome == "win":
                one.won += 1
            elif outcome == "draw":
                one.drawn += 1
            else:
                one.lost += 1
            one.faced += [(result.round, other, outcome) for other in players if other != number]
    for number in dropped:
        if number in found:
            found[number].dropped = True
    for number, lost in (penalties or {}).items():
        found[number].penalty = lost
        found[number].points -= lost
    return found


def _alone(one: Tally, result: Result, points: Points, pod: int) -> None:
    one.rounds += 1
    one.most += points.of("win", pod)
    if result.kind == "bye":
        one.before_bye.append((result.round, one.points))
        one.points += points.for_bye(pod)
        one.byes += 1
        one.won += 1
        one.game_points += 6  # a bye is a win by two games to none
        one.games += 2
    else:
        one.lost += 1
