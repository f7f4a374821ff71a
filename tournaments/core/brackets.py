"""Single and double elimination: who meets whom is fixed by the seeds; a bracket is a list of nodes that fill up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Side = Literal["upper", "lower", "final"]


@dataclass(frozen=True)
class Source:
    """Where a place in a node comes from: a seed, or the winner or loser of an earlier node."""

    kind: Literal["seed", "winner", "loser"]
    of: int | str


@dataclass(frozen=True)
class Node:
    id: str  # u1.3 = upper side, round 1, third from the top; l…, f1, f2
    side: Side
    round: int
    a: Source
    b: Source
    reset: bool = False  # only played if the lower side's winner took the first final


def seed_order(size: int) -> list[int]:
    """1-8, 4-5, 2-7, 3-6: each seed s becomes (s, 2L+1−s), so that the best two can only meet in the final."""
    order = [1]
    while len(order) < size:
        order = [seed for s in order for seed in (s, 2 * len(order) + 1 - s)]
    return order


def size_for(entrants: int) -> int:
    return 1 << (entrants - 1).bit_length() if entrants > 1 else 1


def single(entrants: int) -> list[Node]:
    size, nodes = size_for(entrants), []
    order = seed_order(size)
    for place in range(size // 2):
        nodes.append(
            Node(f"u1.{place + 1}", "upper", 1, Source("seed", order[2 * place]), Source("seed", order[2 * place + 1]))
        )
    width, round_ = size // 4, 2
    while width:
        for place in range(1, width + 1):
            a, b = (Source("winner", f"u{round_ - 1}.{2 * place - 1 + i}") for i in (0, 1))
            nodes.append(Node(f"u{round_}.{place}", "upper", round_, a, b))
        width, round_ = width // 2, round_ + 1
    return nodes


def double(entrants: int) -> list[Node]:
    """2N−2 matches and perhaps one more. The lower side alternates: minor rounds among its own, major ones against
    those who drop in. Drop-ins come in reverse order first, then straight, and so on: halves are crossed."""
    upper = single(entrants)
    size = size_for(entrants)
    rounds = size.bit_length() - 1
    if rounds < 1:
        return upper
    nodes, lower = list(upper), 0
    alive: list[Source] = [Source("loser", f"u1.{place}") for place in range(1, size // 2 + 1)]
    for drop in range(2, rounds + 1):
        lower += 1  # minor
        pairs = [(alive[i], alive[i + 1]) for i in range(0, len(alive), 2)]
        alive = _lower_round(nodes, lower, pairs)
        lower += 1  # major
        dropped = [Source("loser", f"u{drop}.{place}") for place in range(1, len(alive) + 1)]
        if drop % 2 == 0:
            dropped.reverse()
        alive = _lower_round(nodes, lower, list(zip(dropped, alive, strict=True)))
    last = alive[0] if rounds > 1 else Source("loser", "u1.1")
    nodes.append(Node("f1", "final", 1, Source("winner", f"u{rounds}.1"), last))
    nodes.append(Node("f2", "final", 2, Source("winner", "f1"), Source("loser", "f1"), reset=True))
    return nodes


def _lower_round(nodes: list[Node], round_: int, pairs: list[tuple[Source, Source]]) -> list[Source]:
    made = [Node(f"l{round_}.{place}", "lower", round_, a, b) for place, (a, b) in enumerate(pairs, 1)]
    nodes += made
    return [Source("winner", node.id) for node in made]


@dataclass
class Bracket:
    """Nodes, the seeds (seed 1 first) and the winners so far: everything else follows."""

    nodes: list[Node]
    seeds: list[int]
    won: dict[str, int]  # node → winner
    moved: dict[str, tuple[int, ...]] = field(default_factory=dict)  # node → who stood there instead of who was to

    def places(self, node: Node) -> tuple[int | None, int | None]:
        """Who stands there: a number, 0 for nobody (a bye), None for not known yet."""
        if node.id in self.moved:
            a, b, *_ = (*self.moved[node.id], 0)
            return a, b
        return self._who(node.a), self._who(node.b)

    def node(self, name: str) -> Node:
        return self._by_id()[name]

    def _who(self, source: Source) -> int | None:
        if source.kind == "seed":
            return self.seeds[int(source.of) - 1] if int(source.of) <= len(self.seeds) else 0
        node = self._by_id()[str(source.of)]
        a, b = self.places(node)
        if a is None or b is None:
            return None
        winner = self.won.get(node.id)
        if winner is None:
            if a and b:
                return None
            winner = a or b
        return winner if source.kind == "winner" else (b if winner == a else a)

    def _by_id(self) -> dict[str, Node]:
        return {node.id: node for node in self.nodes}

    def open(self) -> list[tuple[Node, int, int]]:
        """What can be played now: both known, both somebody, not yet decided."""
        found = []
        for node in self.nodes:
            if node.id in self.won or (node.reset and not self._reset_needed(node)):
                continue
            a, b = self.places(node)
            if a and b:
                found.append((node, a, b))
        return found

    def _reset_needed(self, node: Node) -> bool:
        first = self._by_id()["f1"]
        winner = self.won.get("f1")
        return winner is not None and winner == self.places(first)[1]

    def champion(self) -> int | None:
        if self.open():
            return None
        last = self.nodes[-1]
        if last.reset and not self._reset_needed(last):
            last = self.nodes[-2]
        if last.id in self.won:
            return self.won[last.id]
        a, b = self.places(last)
        return (a or b) if a is not None and b is not None and not (a and b) else None

    def placings(self) -> list[int]:
        """The best first: the later out, the better; equal depth by seed."""
        depth: dict[int, tuple[int, int]] = {}
        lost: dict[int, int] = {}
        for at, node in enumerate(self.nodes):
            a, b = self.places(node)
            winner = self.won.get(node.id)
            if winner and a and b:
                lost[b if winner == a else a] = self._depth(node, at)
        champion = self.champion()
        for seed, number in enumerate(self.seeds):
            depth[number] = (-(10**6) if number == champion else -lost.get(number, 10**5), seed)
        return sorted(self.seeds, key=lambda number: depth[number])

    def _depth(self, node: Node, at: int) -> int:
        if node.side == "final":
            return 10**4 + node.round
        return node.round * (1 if node.side == "lower" or not any(n.side == "lower" for n in self.nodes) else 0)
