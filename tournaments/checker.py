"""Check the pairings of a tournament from its exported public log, without the service and without its database.

    python3 -m tournaments.checker tournament.jsonl            every round, every seating of draft pods
    python3 -m tournaments.checker tournament.jsonl --round 3
    python3 -m tournaments.checker tournament.jsonl --with draft.jsonl game.jsonl …

It folds the log event by event, and for each proposed round computes the pairing again from the state before it and
the key that was drawn for it, and compares the two byte for byte. Hash chain included, so a changed event is named. It
needs Python, msgspec, and a solver for weighted matching: rustworkx, or networkx (pure Python, slower, the same pairs,
because the optimum is unique). Draft pods are seated again in the same way; when the tournament is closed and its seed
is in the file, so are the seeds of the drafts, which they had committed to. Exports of drafts and games given beside
it must be the very ones the tournament names. That the keys follow from the seed the tournament had committed to is
checked by events/verifier.py once the tournament is closed.
"""

from __future__ import annotations

import argparse
import hashlib
import hmac
import json
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any

from tournaments import folds
from tournaments.core import seating, swiss
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
    return hashlib.sha256(b"arbiter/" + name.encode() + b"/v1\0" + packed(*parts)).hexdigest()


def packed(*parts: bytes) -> bytes:
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


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
    lines: Iterable[str | bytes], only: int | None = None, solve: swiss.Solver | None = None,
    others: Iterable[Iterable[str | bytes]] = (),
) -> list[dict[str, Any]]:  # fmt: skip
    """What was found for each proposed round, in order. Raises Bad at the first event that does not hold."""
    return examine(lines, only, solve, others)[0]


def examine(
    lines: Iterable[str | bytes], only: int | None = None, solve: swiss.Solver | None = None,
    others: Iterable[Iterable[str | bytes]] = (),
) -> tuple[list[dict[str, Any]], list[str]]:  # fmt: skip
    """The rounds, and what else was checked, in words."""
    solve = solve or solver()
    found: list[dict[str, Any]] = []
    state, before, seed = Tournament(""), "", b""
    for line in lines:
        record = json.loads(line)
        if record["t"] == "secret":
            seed = bytes.fromhex(record["seed"])
        if record["t"] == "manifest":
            if record["kind"] != "tournament":
                raise Bad(0, f"this is a {record['kind']}, not a tournament")
            parts = (record["stream"].encode(), b"tournament", str(record["seats"]).encode())
            state, before = Tournament(record["stream"]), digest("genesis", *parts)
        elif record["t"] == "event":
            before = one(state, record, before, found, only, solve)
    words = [pods_again(state, stage, seed) for stage in sorted(state.limited)]
    return found, words + [named(state, other) for other in others]


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
        if effect.get("e") == "limited" and "pods" in effect["set"]:
            seated_again(state, seq, effect)
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


# --- drafts ---


def seated_again(state: Tournament, seq: int, effect: dict[str, Any]) -> None:
    """The pods of a stage, computed from who entered it and the key that was drawn for it."""
    stage, said = effect["stage"], effect["set"]
    again = seating.seated(state.seeds[stage], bytes.fromhex(said["key"]), said["seats"])
    wished = state.rules_.stages[stage].seats
    if canonical(again) != canonical([pod["players"] for pod in said["pods"]]) or wished not in (0, said["seats"]):
        raise Bad(seq, f"the pods of stage {stage} are not what follows from the state and the key")


def pods_again(state: Tournament, stage: int, seed: bytes) -> str:
    """With the tournament's seed, every draft's: it had committed to it before anybody picked."""
    found = state.limited[stage]
    for pod in found.pods if seed else []:
        fields = packed(state.stream.encode(), found.key.encode(), str(pod.number).encode())
        drawn = hmac.digest(seed, b"arbiter/pod-seed/v1\0" + fields, "sha256")
        if pod.draft and digest("commit", pod.draft.encode(), drawn) != pod.commit:
            raise Bad(state.seq, f"the seed of {pod.draft} does not follow from the tournament's")
    sure = ", seeds of their drafts derived" if seed else ""
    return f"stage {stage}: {len(found.pods)} pods, {found.algorithm}, seated again{sure}"


def named(state: Tournament, lines: Iterable[str | bytes]) -> str:
    """An exported draft or game is the one that the tournament names: the same bytes up to where it reported itself."""
    ends = {pod.draft: (pod.seq, pod.hash) for found in state.limited.values() for pod in found.pods if pod.hash}
    ends |= {game.game: (game.seq, game.hash) for match in state.matches.values() for game in match.games if game.game}
    stream, hashes, before = "", {}, ""
    for line in lines:
        record = json.loads(line)
        if record["t"] == "manifest":
            stream, parts = record["stream"], (record["stream"], record["kind"], str(record["seats"]))
            before = digest("genesis", *(part.encode() for part in parts))
        elif record["t"] == "event":
            hash_ = digest("event", canonical(record["envelope"]))
            if (record["envelope"]["prev"], record["hash"]) != (before, hash_):
                raise Bad(record["seq"], f"of {stream}: it does not follow from the event before it")
            hashes[record["seq"]] = before = hash_
    if stream not in ends:
        raise Bad(0, f"{stream or 'a file'} is no draft and no game that this tournament names")
    seq, hash_ = ends[stream]
    if hashes.get(seq) != hash_:
        raise Bad(seq, f"of {stream}: the tournament names another end of it")
    return f"{stream}: the one that reported itself, at its event {seq}"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Pair every round of an exported tournament again.")
    parser.add_argument("file")
    parser.add_argument("--round", type=int)
    parser.add_argument("--with", nargs="+", default=[], dest="others", help="exports of its drafts and games")
    options = parser.parse_args(arguments)
    names = [options.file, *options.others]
    try:
        with ExitStack() as files:
            lines, *others = [files.enter_context(open(name, encoding="utf-8")) for name in names]
            found, words = examine(lines, options.round, others=others)
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
    print(*words, sep="\n", end="\n" if words else "")
    print(f"{len(found)} rounds follow from the log, byte for byte.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
