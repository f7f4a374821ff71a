"""Bots against each other: the greedy one against the random one, with equal decks and the first turn in turns.

A bot gets its own view and previews of its own plays, as over HTTP; nothing else.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from games.bots import greedy, random
from games.kernel import decide, part_view, preview, rulebook, view, waiting
from games.kernel.playout import begin
from games.kernel.rulebook import Setup
from games.kernel.table import Table

GAMES = 400
GOAL = 80
Choose = Callable[..., list[Any]]


def run() -> Iterator[dict[str, Any]]:
    won = sum(outcomes("epic", GAMES).values())
    share = 100 * won / GAMES
    yield {
        "name": f"epic: greedy against random, {GAMES} games with equal decks", "value": round(share, 1),
        "unit": "% won", "baseline": "random", "ratio": None, "goal": f">= {GOAL}", "met": share >= GOAL,
    }  # fmt: skip


def outcomes(book: str, games: int) -> Counter[int]:
    """How often the greedy bot won on each seat."""
    won: Counter[int] = Counter()
    for number in range(games):
        seat = number % 2
        players = [random.choose, random.choose]
        players[seat] = greedy.choose
        table = play(book, players, number // 2, first=(number // 2) % 2)
        assert table.outcome is not None
        won[seat] += table.outcome.winners == [seat]
    return won


def play(book: str, players: list[Choose], seed: int, first: int) -> Table:
    """One game between bots; both have the same deck, drawn from the seed."""
    rng = Random(f"bots {seed}")
    key = rng.randbytes(32)
    pool = begin(rulebook(book), Setup(2), key).table
    deck = [card.key for card in pool.cards.values() if card.owner == 0]
    table = begin(rulebook(book), Setup(2, {"first": first}, [deck, deck]), key).table
    while table.outcome is None:
        for ask in waiting(table):
            table = decide(table, answered(table, ask.chooser, players[ask.chooser], rng), key).table
            break
    return table


def answered(table: Table, seat: int, choose: Choose, rng: Random) -> dict[str, Any]:
    seen = view(table, seat)
    decision = next(one for one in seen["open"] if one["chooser"] == seat)
    action = {"do": "answer", "seat": seat, "decision": decision["id"]}

    def next_part(path: list[Any]) -> dict[str, Any] | None:
        missing = preview(table, {**action, "path": path})
        return part_view(missing) if missing else None

    return {**action, "path": choose(seen, decision, rng, next_part)}
