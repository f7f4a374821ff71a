"""Standings for machines, spreadsheets and other people's pairing checkers."""

import csv as csv_module
import io
from fractions import Fraction
from typing import Any

from tournaments import folds
from tournaments.state import Match, Tournament


def standings(state: Tournament) -> dict[str, Any]:
    found = folds.ranking(state)
    return {
        "tournament": state.stream, "seq": state.seq, "family": found.family.title,
        "tiebreaks": list(found.family.order), "lines": [line.shown(found.family) for line in found.lines],
        "final": folds.final_order(state),
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
