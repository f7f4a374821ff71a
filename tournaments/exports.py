"""Standings for machines, spreadsheets and other people's pairing checkers."""

import csv as csv_module
import io
from fractions import Fraction
from typing import Any

import msgspec

from tournaments import folds
from tournaments.core.standings import Standings
from tournaments.core.tally import Points, Result
from tournaments.state import Match, Tournament


def standings(
    state: Tournament, found: Standings | None = None, final: list[int] | None = None, after: int = 0,
    limit: int | None = None,
) -> dict[str, Any]:  # fmt: skip
    """From the rank after `after` on."""
    found, final = found or folds.ranking(state), final or folds.final_order(state)
    page = slice(after, None if limit is None else after + limit)
    return {
        "tournament": state.stream, "seq": state.seq, "family": found.family.title,
        "tiebreaks": list(found.family.order), "lines": [line.shown(found.family) for line in found.lines[page]],
        "final": final[page],
    }  # fmt: skip


def working(state: Tournament, found: Standings, number: int) -> dict[str, Any]:
    """One line with every number's working: the matches it is made of, the penalties, the tiebreaks term by term."""
    points = found.family.points
    return found.working(number) | {
        "matches": [_match(state, one, number, points) for one in folds.counted(state) if number in one.players],
        "penalties": [msgspec.to_builtins(one) for one in state.penalties if one.number == number],
    }


def _match(state: Tournament, one: Result, number: int, points: Points) -> dict[str, Any]:
    seat = one.players.index(number)
    outcome, size = one.outcome(seat), len(one.players)
    worth = points.for_bye(folds.pod(state)) if one.kind == "bye" else points.of(outcome, size) if size > 1 else 0
    sat = next((m for m in state.matches.values() if m.round == one.round and number in m.players), None)
    why = [
        f"{penalty.kind.replace('_', ' ')} of #{penalty.number}, event {penalty.seq}"
        for penalty in state.penalties
        if sat and penalty.match == sat.id and penalty.kind in ("game_loss", "match_loss")
    ]
    return {
        "round": one.round, "match": sat.id if sat else None, "opponents": [n for n in one.players if n != number],
        "wins": list(one.wins), "draws": one.draws, "kind": one.kind, "outcome": outcome,
        "points": str(Fraction(worth, points.unit)), "corrected": sat.corrected if sat else 0, "penalties": why,
    }  # fmt: skip


def label(state: Tournament, number: int, names: dict[str, str]) -> str:
    one = state.entrants[number]
    return names.get(one.actor) or (f"Bot {number}" if one.bot else f"Entrant {number}")


def csv(state: Tournament, names: dict[str, str]) -> str:
    found, out = folds.ranking(state), io.StringIO()
    writer = csv_module.writer(out)
    order = found.family.order
    writer.writerow(
        ["rank", "number", "name", "points", "won", "drawn", "lost", "byes", *order, *(f"{n} exact" for n in order)]
    )
    for line in found.lines:
        shown = line.shown(found.family)
        breaks = shown["tiebreaks"]
        name = label(state, line.number, names)
        writer.writerow([
            line.rank, line.number, f"'{name}" if name[:1] in "=+-@\t\r" else name, shown["points"], shown["won"],
            shown["drawn"], shown["lost"], shown["byes"],
            *(one["decimal"] for one in breaks), *(one["value"] for one in breaks),
        ])  # fmt: skip
    return out.getvalue()


def trf(state: Tournament, names: dict[str, str]) -> str:
    """TRF16: one 001 line per player, ten columns per round (opponent, colour, result). Points as in chess: 1, ½, 0."""
    ranks = folds.ranking(state).ranks()
    games: dict[int, dict[int, tuple[int, str, str]]] = {n: {} for n in state.entrants}
    for match in state.matches.values():
        if match.score:
            for seat, number in enumerate(match.players):
                games[number][match.round] = _cell(match, seat)
    lines = [f"012 {state.rules_.title}", f"062 {len(state.entrants)}", "092 Swiss", f"XXR {len(state.rounds)}"]
    for number in sorted(state.entrants):
        rounds = [games[number].get(r) or (0, "-", "-") for r in range(1, len(state.rounds) + 1)]
        points = sum((VALUE[mark] for _, _, mark in rounds), Fraction(0))
        cells = "".join(f"  {other or 0:04d} {colour} {mark}" for other, colour, mark in rounds)
        name = label(state, number, names)[:33]
        head = f"001 {number:4d}      {name:<33} {'':4} {'':3} {'':11} {'':10}"
        lines.append(f"{head} {float(points):4.1f} {ranks.get(number, 0):4d}{cells}")
    return "\n".join(lines) + "\n"


VALUE = {
    "1": Fraction(1),
    "+": Fraction(1),
    "U": Fraction(1),
    "=": Fraction(1, 2),
    "0": Fraction(0),
    "-": Fraction(0),
    "Z": Fraction(0),
}


def _cell(match: Match, seat: int) -> tuple[int, str, str]:
    outcome = folds.result(match).outcome(seat)
    if len(match.players) == 1:
        return 0, "-", "U" if outcome == "win" else "Z"
    other = match.players[1 - seat] if len(match.players) == 2 else match.players[seat - 1]
    forfeit = match.score is not None and match.score.kind in ("forfeit", "double_loss")
    mark = {"win": "+" if forfeit else "1", "draw": "=", "loss": "-" if forfeit else "0"}[outcome]
    return other, "w" if seat == 0 else "b", mark
