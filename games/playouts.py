"""Many random games of one set-up, counted and timed: what `manage.py playout` reports."""

import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from games.kernel import Setup, Stuck, Table, rulebook
from games.kernel.playout import LIMIT, broken, random_game


class Played(Struct):
    """What a number of random games came to."""

    rulebook: str
    seats: int
    games: int = 0
    finished: int = 0
    stuck: int = 0
    decisions: int = 0
    cpu_s: float = 0.0
    outcomes: Counter[str] = Counter()
    broken: list[str] = []

    def report(self) -> dict[str, Any]:
        """The object `manage.py playout --json` prints."""
        return {
            "rulebook": self.rulebook, "seats": self.seats, "games": self.games, "finished": self.finished,
            "stuck": self.stuck, "decisions": self.decisions,
            "decisions_per_cpu_s": round(self.decisions / self.cpu_s) if self.cpu_s else 0,
            "mean_decisions": round(self.decisions / self.games, 1) if self.games else 0,
            "outcomes": dict(sorted(self.outcomes.items())),
        }


def play_many(
    name: str, setup: Setup, games: int, seed: int = 0, *, check: bool = True, limit: int = LIMIT,
    tick: Callable[[int], None] | None = None,
) -> Played:
    """Random games of one set-up. Only play is timed, checks are not. `tick` is told after each game."""
    book = rulebook(name)
    played = Played(book.name, setup.seats, outcomes=Counter())
    for number in range(games):
        played.games += 1
        table: Table | None = None
        began = time.process_time()
        checking = 0.0
        try:
            for decided in random_game(book, setup, seed + number, limit):
                played.decisions += table is not None
                table = decided.table
                if check:
                    paused = time.process_time()
                    wrong = broken(book, table)
                    checking += time.process_time() - paused
                    if wrong:
                        played.broken += [f"seed {seed + number}: {one}" for one in wrong]
                        break
        except Stuck as stuck:
            played.stuck += 1
            played.broken.append(str(stuck))
        played.cpu_s += time.process_time() - began - checking
        if table is not None and table.outcome is not None:
            played.finished += 1
            played.outcomes[f"{table.outcome.result} ({table.outcome.reason})"] += 1
        if tick is not None:
            tick(number + 1)
    return played
