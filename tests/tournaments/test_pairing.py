"""Pairing against other people's mathematics: every matching tried out, and networkx."""

from collections.abc import Iterator
from random import Random

import networkx
import pytest

from tests.tournaments.fields import Event, key_of
from tournaments.core import pods, swiss, tables
from tournaments.core.field import BYE, Costs, Entrant, Field


def matchings(numbers: list[int]) -> Iterator[list[tuple[int, int]]]:
    if not numbers:
        yield []
        return
    first, *rest = numbers
    for partner in rest:
        for others in matchings([n for n in rest if n != partner]):
            yield [(first, partner), *others]


def badness(event: Event, pairs: list[tuple[int, int]], lowest: int) -> tuple[int, int, int, int]:
    """Written anew, from the rules: rematches, second byes, repeated floats, squared score gaps."""
    rematches = byes = floats = gaps = 0
    for a, b in pairs:
        one, other = event.players.get(a), event.players[b]
        if one is None:
            byes += other.byes
            gaps += (other.score - lowest) ** 2
            continue
        rematches += one.met.get(b, 0)
        up = (other.score > one.score) - (other.score < one.score)
        floats += (up != 0 and one.floated == up) + (up != 0 and other.floated == -up)
        gaps += (one.score - other.score) ** 2
    return rematches, byes, floats, gaps


def test_no_avoidable_rematch_and_the_least_squared_gap_in_3000_events():
    """Each event is paired to the end, past the point where new opponents run out; players leave on the way."""
    rounds = 0
    for seed in range(3000):
        event = Event(Random(seed).choice([4, 5, 6, 6, 7, 7, 8]), seed)
        for _ in range(Random(seed).randint(2, 7)):
            here = [n for n in event.players if n not in event.gone]
            pairs = swiss.pair(event.field()).pairs
            lowest = min(event.players[n].score for n in here)
            best = min(badness(event, m, lowest) for m in matchings([BYE] * (len(here) % 2) + here))
            assert badness(event, pairs, lowest) == best, (seed, event.round)
            event.play(pairs)
            rounds += 1
            if event.rng.random() < 0.1 and len(here) > 4:
                event.gone.add(event.rng.choice(here))
    assert rounds > 12_000


def by_networkx(vertices: int, edges: list[swiss.Edge]) -> set[tuple[int, int]]:
    graph = networkx.Graph()
    graph.add_nodes_from(range(vertices))
    graph.add_weighted_edges_from(edges)
    return {(min(pair), max(pair)) for pair in networkx.max_weight_matching(graph, maxcardinality=True)}


@pytest.mark.parametrize("players", [16, 33, 64])
def test_another_library_gives_the_same_pairs(players):
    event = Event(players)
    for _ in range(5):
        field = event.field()
        assert swiss.pair(field, by_networkx).pairs == swiss.pair(field).pairs
        event.play()


def test_the_order_of_players_and_edges_does_not_matter():
    event = Event(40)
    event.play(), event.play()
    field = event.field()
    mixed = Field(tuple(Random(5).sample(field.entrants, 40)), field.key)

    def shuffling(vertices: int, edges: list[swiss.Edge]) -> set[tuple[int, int]]:
        return swiss.rustworkx(vertices, Random(6).sample(edges, len(edges)))

    assert swiss.pair(mixed, shuffling) == swiss.pair(field)


def test_another_key_gives_another_draw():
    field = Event(16).field()
    assert swiss.pair(Field(field.entrants, key_of(2))).pairs != swiss.pair(field).pairs


def test_blocks_lose_nothing_in_a_large_field(monkeypatch):
    event = Event(601)
    for _ in range(4):
        event.play()
    field = event.field()
    blocks = swiss.pair(field).pairs
    assert swiss.faults(field, blocks) == []
    monkeypatch.setattr(swiss, "EXACT", 1000)
    whole = swiss.pair(field).pairs
    assert Costs(field).total(blocks)[:5] == Costs(field).total(whole)[:5]


def test_a_block_that_has_no_pairing_takes_the_next_one_in(monkeypatch):
    """Two blocks of four whose members have all met each other: only across them is there somebody new."""
    monkeypatch.setattr(swiss, "EXACT", 4)
    met = {n: {m: 1 for m in block if m != n} for block in ([1, 2, 3, 4], [5, 6, 7, 8]) for n in block}
    players = tuple(Entrant(n, 3 if n < 5 else 0, met[n]) for n in met)
    found = swiss.pair(Field(players, key_of(1))).pairs
    assert len(found) == 4
    assert all(a < 5 <= b for a, b in found)


def test_pins_and_bans_are_kept():
    event = Event(9)
    field = event.field(pins=((1, 2), (3, BYE)), bans=frozenset({(4, 5), (6, 7)}))
    pairs = swiss.pair(field).pairs
    assert {(1, 2), (BYE, 3)} <= set(pairs)
    assert not {(4, 5), (6, 7)} & set(pairs)
    assert swiss.faults(field, pairs) == []


def test_nobody_left_to_meet_is_said_with_names():
    """2, 3 and 4 may only meet 1: a star has no perfect matching."""
    bans = frozenset({(2, 3), (2, 4), (3, 4)})
    with pytest.raises(swiss.Infeasible) as found:
        swiss.pair(Field(Event(4).field().entrants, key_of(1), bans=bans))
    assert (found.value.stuck, found.value.partners, found.value.missing) == ([2, 3, 4], [1], 2)
    assert "#2, #3, #4" in str(found.value)
    assert "#1" in str(found.value)


def test_the_check_before_publishing_finds_what_a_solver_might_do_wrong():
    field = Event(6).field(pins=((1, 2),), bans=frozenset({(3, 4)}))
    assert swiss.faults(field, [(1, 2), (3, 5), (4, 6)]) == []
    assert swiss.faults(field, [(1, 2), (3, 4), (5, 6)]) == ["#3 and #4 must not meet"]
    assert "#5 has no table" in swiss.faults(field, [(1, 2), (3, 6), (4, 6)])
    assert "#1 and #2 are pinned together" in swiss.faults(field, [(1, 3), (2, 4), (5, 6)])
    assert "3 byes, where at most one is needed" in swiss.faults(field, [(1, 2), (3, 5), (0, 4), (0, 6), (0, 7)])


def test_clubs_are_kept_apart_and_the_last_round_goes_by_standings():
    clubs = tuple(Entrant(n, group="north" if n <= 3 else "") for n in range(1, 7))
    for seed in range(20):
        pairs = swiss.pair(Field(clubs, key_of(seed), apart=True)).pairs
        assert all(b > 3 for _, b in pairs)
    ranked = tuple(Entrant(n, score=6, rank=n) for n in range(1, 9))
    assert swiss.pair(Field(ranked, key_of(1), by_rank=True)).pairs == [(1, 2), (3, 4), (5, 6), (7, 8)]


# --- pods ---


@pytest.mark.parametrize(
    ("players", "shape", "byes"),
    [(4, [4], 0), (5, [4], 1), (6, [3, 3], 0), (7, [4, 3], 0), (9, [3, 3, 3], 0), (11, [4, 4, 3], 0), (2, [], 2)],
)
def test_pod_sizes(players, shape, byes):
    assert pods.sizes(players) == (shape, byes)


@pytest.mark.parametrize("size", [3, 4, 5, 6])
@pytest.mark.parametrize("players", [32, 128, 1000])
def test_pods_seat_everybody_once_and_mend_repeats(players, size):
    entrants = {n: Entrant(n) for n in range(1, players + 1)}
    for round_ in range(3):
        found = pods.pair(Field(tuple(entrants.values()), key_of(round_)), size)
        seated = sorted([n for table in found.tables for n in table] + found.byes)
        assert seated == sorted(entrants)
        again = sum(b in entrants[a].met for table in found.tables for a in table for b in table if a != b)
        assert again == 0 or players == 32
        for table in found.tables:
            for place, n in enumerate(table):
                met = {**entrants[n].met, **{other: 1 for other in table if other != n}}
                entrants[n] = Entrant(n, entrants[n].score + (5 if place == 0 else 0), met)


def test_pod_cuts_and_round_counts_by_the_tables():
    assert pods.cut_pods(list(range(1, 17))) == ([[1, 8, 9, 16], [2, 7, 10, 15], [3, 6, 11, 14], [4, 5, 12, 13]], [])
    assert pods.cut_pods(list(range(1, 8))) == ([[4, 5, 6, 7]], [1, 2, 3])
    assert pods.cut_pods([1, 2, 3, 4]) == ([], [1, 2, 3, 4])
    wanted = {
        8: (3, 0),
        16: (5, 4),
        17: (5, 8),
        64: (6, 8),
        65: (7, 8),
        128: (7, 8),
        226: (8, 8),
        409: (9, 8),
        410: (10, 8),
    }
    assert {n: (p.rounds, p.cut) for n in wanted for p in [tables.swiss(n)]} == wanted
    assert tables.swiss(62, awarded_byes={1: 2}).rounds == 7, "two awarded byes count as four players"
    assert [(p.rounds, p.cut) for n in (16, 34, 64, 128, 208, 304) for p in [tables.pods(n)]] == [
        (2, 4), (3, 4), (4, 10), (5, 16), (6, 16), (7, 16),
    ]  # fmt: skip
    assert tables.warning(8, 6)
    assert not tables.warning(32, 5)
