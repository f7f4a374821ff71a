"""Brackets and Berger tables, for every size from 4 to 32."""

from itertools import combinations
from random import Random

import pytest

from tournaments.core.brackets import Bracket, double, seed_order, single, size_for
from tournaments.core.robin import berger


def test_seed_order_is_the_published_one():
    assert seed_order(8) == [1, 8, 4, 5, 2, 7, 3, 6]
    assert seed_order(16) == [1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11]


def play(bracket: Bracket, choose) -> int:
    matches = 0
    while ready := bracket.open():
        for node, a, b in ready:
            bracket.won[node.id] = choose(a, b)
            matches += 1
    return matches


@pytest.mark.parametrize("n", range(4, 33))
def test_the_better_seed_always_wins(n):
    seeds = [100 + s for s in range(1, n + 1)]
    bracket = Bracket(single(n), seeds, {})
    byes = size_for(n) - n
    first = {number for node, a, b in bracket.open() if node.round == 1 for number in (a, b)}
    assert not first & set(seeds[:byes]), "byes go to the top seeds"
    assert play(bracket, min) == n - 1
    assert bracket.champion() == seeds[0]
    assert bracket.placings()[:2] == seeds[:2]
    if size_for(n) == n:
        assert bracket.placings() == seeds, "equal depth by seed"


@pytest.mark.parametrize("n", range(4, 33))
def test_double_elimination_takes_two_losses_and_never_forgets_anybody(n):
    rng = Random(n)
    for _ in range(10):
        bracket = Bracket(double(n), list(range(1, n + 1)), {})
        losses = dict.fromkeys(bracket.seeds, 0)

        def choose(a, b, losses=losses):
            winner = rng.choice((a, b))
            losses[b if winner == a else a] += 1
            return winner

        matches = play(bracket, choose)
        champion = bracket.champion()
        assert losses.pop(champion) <= 1
        assert set(losses.values()) == {2}
        assert matches in (2 * n - 2, 2 * n - 1)
        assert (matches == 2 * n - 1) == ("f2" in bracket.won)
        assert bracket.placings()[0] == champion
        assert sorted(bracket.placings()) == bracket.seeds


def test_drop_ins_cross_over():
    """Top 8: the loser of the second upper semifinal meets the winner of the first lower match, and reverse."""
    by_id = {node.id: node for node in double(8)}
    assert (by_id["l2.1"].a.of, by_id["l2.2"].a.of) == ("u2.2", "u2.1")


@pytest.mark.parametrize("n", range(4, 33))
def test_berger_tables(n):
    rounds = berger(n)
    assert len(rounds) == n - 1 + n % 2
    met = [tuple(sorted(pair)) for table in rounds for pair in table if 0 not in pair]
    assert sorted(met) == list(combinations(range(1, n + 1), 2))
    for table in rounds:
        assert sorted(place for pair in table for place in pair) == sorted([*range(1, n + 1), *([0] * (n % 2))])
    first = [sum(a == n_ for table in rounds for a, b in table if b) for n_ in range(1, n + 1)]
    assert max(first) - min(first) <= 1


def test_berger_as_it_is_printed_for_four_and_six():
    assert berger(4) == [[(1, 4), (2, 3)], [(1, 2), (4, 3)], [(3, 1), (2, 4)]]
    assert berger(6)[0] == [(1, 6), (2, 5), (3, 4)]
    assert berger(6)[1] == [(1, 2), (5, 3), (6, 4)]
