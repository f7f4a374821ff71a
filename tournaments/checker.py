"""Check the pairings of a tournament from its exported public log, without the service and without its database.

    python3 -m tournaments.checker tournament.jsonl            every round
    python3 -m tournaments.checker tournament.jsonl --round 3

It folds the log event by event, and for each proposed round computes the pairing again from the state before it and
the key that was drawn for it, and compares the two byte for byte. Hash chain included, so a changed event is named. It
needs Python, msgspec, and a solver for weighted matching: rustworkx, or networkx (pure Python, slower, the same pairs,
because the optimum is unique). That the keys follow from the seed the tournament had committed to is checked by
events/verifier.py once the tournament is closed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterable
from typing import Any

from tournaments import folds
from tournaments.core import swiss
from tournaments.state import Tournament, evolve


class Bad(Exception):
    """Something does not hold, from this event on."""

    def __init__(self, seq: int, reason: str) -> None:
        super().__init__(f"event {seq}: {reason}")
        self.seq = seq


def canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest(name: str, *parts: bytes) -> str:
    """H(name, …) of docs/format.md."""
    fields = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    return hashlib.sha256(b"arbiter/" + name.encode() + b"/v1\0" + fields).hexdigest()


def solver() -> swiss.Solver:
    try:
        import rustworkx  # noqa: F401
    except ImportError:
        return by_networkx
    return swiss.rustworkx


def by_networkx(vertices: int, edges: list[swiss.Edge]) -> set[tuple[int, int]]:
    import networkx

    graph = networkx.Graph()
    graph.add_nodes_from(range(vertices))
    graph.add_weighted_edges_from(edges)
    return {(min(pair), max(pair)) for pair in networkx.max_weight_matching(graph, maxcardinality=True)}


def check(
    lines: Iterable[str | bytes], only: int | None = None, solve: swiss.Solver | None = None
) -> list[dict[str, Any]]:
    """What was found for each proposal, in order. Raises Bad at the first event that does not hold."""
    solve = solve or solver()
    found: list[dict[str, Any]] = []
    state, before = Tournament(""), ""
    for line in lines:
        record = json.loads(line)
        if record["t"] == "manifest":
            if record["kind"] != "tournament":
                raise Bad(0, f"this is a {record['kind']}, not a tournament")
            parts = (record["stream"].encode(), b"tournament", str(record["seats"]).encode())
            state, before = Tournament(record["stream"]), digest("genesis", *parts)
        elif record["t"] == "event":
            before = one(state, record, before, found, only, solve)
    return found


def one(
    state: Tournament, record: dict[str, Any], before: str, found: list[dict[str, Any]], only: int | None,
    solve: swiss.Solver,
) -> str:  # fmt: skip
    """Check one event and fold it; its hash."""
    envelope, seq = record["envelope"], record["seq"]
    hash_ = digest("event", canonical(envelope))
    if (envelope["seq"], envelope["prev"], hash_) != (state.seq + 1, before, record["hash"]):
        raise Bad(state.seq + 1, "it does not follow from the event before it: bytes, order or hash were changed")
    action = envelope["body"]["action"]
    if envelope["do"] == "propose" and only in (None, action["round"]):
        found.append(again(state, seq, action, solve))
    for effect in [action, *envelope["body"]["effects"]]:
        evolve(state, effect, seq, envelope["at"], envelope["prev"], envelope["by"])
    return hash_


def again(state: Tournament, seq: int, action: dict[str, Any], solve: swiss.Solver) -> dict[str, Any]:
    """The round computed from the state before it."""
    round_ = state.rounds[-1]
    drawn = canonical({name: action[name] for name in ("algorithm", "tables", "cost")})
    if not folds.known(action["algorithm"]):
        raise Bad(seq, f"round {round_.number} was computed by {action['algorithm']}, which this checker does not know")
    computed = canonical(folds.again(state, round_, action["algorithm"], solve).record())
    if drawn != computed:
        raise Bad(
            seq, f"round {round_.number}, attempt {round_.attempt} is not what follows from the state and the key"
        )
    return {
        "round": round_.number, "attempt": round_.attempt, "seq": seq, "tables": len(action["tables"]),
        "algorithm": action["algorithm"], "sha256": hashlib.sha256(computed).hexdigest(),
    }  # fmt: skip


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Pair every round of an exported tournament again.")
    parser.add_argument("file")
    parser.add_argument("--round", type=int)
    options = parser.parse_args(arguments)
    try:
        with open(options.file, encoding="utf-8") as lines:
            found = check(lines, options.round)
    except Bad as bad:
        print(f"FAILED at {bad}")
        return 1
    except (OSError, ValueError, KeyError) as problem:
        print(f"cannot be read as an export of a tournament: {problem!r}")
        return 2
    for line in found:
        print(
            "round {round}, attempt {attempt} (event {seq}): {tables} tables, {algorithm}, recomputed: {sha256}".format(
                **line
            )
        )
    print(f"{len(found)} rounds follow from the log, byte for byte.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
