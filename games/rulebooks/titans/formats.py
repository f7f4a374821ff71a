"""The formats (TI-2): who runs which side, and what a host may choose."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from games.kernel import Violation

Options = dict[str, Any]

PAIRINGS: dict[int, list[tuple[int, int]]] = {
    1: [(0, 0), (1, 0)],
    2: [(0, 0), (1, 0), (0, 1), (1, 1)],
    3: [(0, 0), (2, 0), (0, 1), (1, 0), (1, 1), (2, 1)],
}
"""TI-0.1, 2.1, 2.10: for each side, arena after arena, (team, which of its two places)."""
TEAMS: dict[tuple[int, int], list[int]] = {
    (1, 2): [0, 1],
    (2, 3): [0, 1, 1], (2, 4): [0, 0, 1, 1],
    (3, 3): [0, 1, 2], (3, 4): [0, 0, 1, 2], (3, 5): [0, 0, 1, 1, 2], (3, 6): [0, 0, 1, 1, 2, 2],
}  # fmt: skip
"""TI-2.6, 2.13: (arenas, players) → the team of each seat, unless the host says otherwise."""
USUAL_ARENAS = {2: 1, 3: 2, 4: 2, 5: 3, 6: 3}

ABOUT = {
    "arenas": {
        "doc": "1 for two players, 2 for three or four, 3 for three to six (TI-2); by default the fewest possible.",
        "values": [1, 2, 3],
    },
    "mode": {
        "doc": "classic: 16 random ritual piles per arena; constructed: a spellbook of 32 for each side (TI-2.20).",
        "values": ["classic", "constructed"],
        "default": "classic",
    },
    "checks": {"doc": "The advanced set-up checks (TI-2.30), classic only.", "values": [False, True], "default": False},
    "teams": {
        "doc": "The team of each seat; teams are numbered clockwise from 0 and have one or two players.",
        "type": "[team, …]",
        "default": "neighbours",
    },
}


class Format(NamedTuple):
    arenas: int
    teams: list[int]
    """The team of each seat."""
    sides: list[int]
    """The seat that runs each side; side 2a and 2a+1 face each other in arena a."""
    constructed: bool
    checks: bool

    def books(self, seat: int) -> int:
        """TI-2.25: how many spellbooks this seat brings."""
        return self.sides.count(seat)


def check_format(seats: int, options: Options) -> list[Violation]:
    """TI-2: everything that is wrong with the host's choices."""
    found = [
        Violation(f"/options/{name}", "unknown_option", f"there is no option {name!r}; there are {', '.join(ABOUT)}")
        for name in options
        if name not in ABOUT
    ]
    arenas = options.get("arenas", USUAL_ARENAS[seats])
    allowed = sorted(number for number, players in TEAMS if players == seats)
    if arenas not in allowed:
        detail = f"{seats} players play in {' or '.join(map(str, allowed))} arenas, not in {arenas}"
        return [*found, Violation("/options/arenas", "out_of_range", detail, "TI-2.13")]
    if options.get("mode", "classic") not in ("classic", "constructed"):
        found.append(Violation("/options/mode", "unknown_option", "classic or constructed", "TI-2.20"))
    if options.get("checks") not in (None, False, True):
        found.append(Violation("/options/checks", "wrong_shape", "true or false", "TI-2.30"))
    if options.get("checks") and options.get("mode") == "constructed":
        found.append(Violation("/options/checks", "illegal", "the set-up checks are for classic games", "TI-2.30"))
    usual = TEAMS[arenas, seats]
    teams = options.get("teams")
    if teams is not None and not _is_division(teams, usual):
        sizes = sorted(Counter(usual).values(), reverse=True)
        detail = f"one team number per seat, 0 to {len(sizes) - 1}, with team sizes {'-'.join(map(str, sizes))}"
        found.append(Violation("/options/teams", "illegal", detail, "TI-2.13"))
    return found


def _is_division(teams: Any, usual: list[int]) -> bool:
    """The same sizes in any order, over the same number of teams."""
    if not isinstance(teams, list) or len(teams) != len(usual) or not all(type(team) is int for team in teams):
        return False
    return set(teams) == set(usual) and sorted(Counter(teams).values()) == sorted(Counter(usual).values())


def chosen_format(seats: int, options: Options) -> Format:
    """TI-2.1, 2.6, 2.10: a team of two has one player in each place, a solo player takes both."""
    arenas = options.get("arenas", USUAL_ARENAS[seats])
    teams = options.get("teams") or TEAMS[arenas, seats]
    players = [[seat for seat, team in enumerate(teams) if team == number] for number in range(max(teams) + 1)]
    sides = [players[team][min(member, len(players[team]) - 1)] for team, member in PAIRINGS[arenas]]
    constructed = options.get("mode", "classic") == "constructed"
    return Format(arenas, teams, sides, constructed, bool(options.get("checks")))
