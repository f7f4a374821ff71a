"""The formulas of the families against examples worked by hand."""

from fractions import Fraction as F

import pytest

from tests.tournaments.fields import Event
from tournaments.core.standings import FAMILIES, standings
from tournaments.core.tally import Result

KEY = b"k" * 16


def table(family: str, results: list[Result], players: int, **more):
    return standings(range(1, players + 1), results, FAMILIES[family], KEY, **more)


def values(found, number: int) -> tuple:
    return next(line.breaks for line in found.lines if line.number == number)


# Four players, three rounds. 1 beats 2 2–0, draws 3 1–1, loses to 4 1–2; 3 beats 4 2–1; 2 beats 4 2–0; 3 beats 2 2–1.
RESULTS = [
    Result(1, (1, 2), (2, 0)), Result(1, (3, 4), (2, 1)),
    Result(2, (1, 3), (1, 1)), Result(2, (2, 4), (2, 0)),
    Result(3, (1, 4), (1, 2)), Result(3, (2, 3), (1, 2)),
]  # fmt: skip


def test_magic():
    """Points 4, 3, 7, 3 of 9. MWP 4/9, 0.33 (3/9 = 0.3333 is above it: 1/3), 7/9, 1/3. Games: 1 won 2+1+1 of 7 …"""
    found = table("magic", RESULTS, 4)
    assert {line.number: line.tally.points for line in found.lines} == {1: 4, 2: 3, 3: 7, 4: 3}
    own = {1: F(4, 9), 2: F(1, 3), 3: F(7, 9), 4: F(1, 3)}
    games = {1: F(12, 21), 2: F(9, 21), 3: F(15, 24), 4: F(9, 24)}
    assert values(found, 1) == ((own[2] + own[3] + own[4]) / 3, games[1], (games[2] + games[3] + games[4]) / 3)
    assert values(found, 4) == ((own[3] + own[2] + own[1]) / 3, games[4], (games[3] + games[2] + games[1]) / 3)
    assert [line.number for line in found.lines] == [
        3,
        1,
        *sorted((2, 4), key=lambda n: values(found, n), reverse=True),
    ]


def test_magic_floor_is_033_not_a_third_and_byes_count_for_their_owner_only():
    results = [
        Result(1, (1, 2), (2, 0)),
        Result(1, (3,), (2,), kind="bye"),
        Result(2, (1, 3), (0, 2)),
        Result(2, (2,), (2,), kind="bye"),
    ]
    found = table("magic", results, 3)
    assert values(found, 1)[0] == (F(1, 2) + 1) / 2  # 2 has 3 of 6 with its bye; 3 has 6 of 6
    assert values(found, 3) == (F(1, 2), F(1), F(1, 2)), "only the opponent really faced"
    lost = table("magic", [Result(1, (1, 2), (2, 0))], 2)
    assert values(lost, 1)[0] == F(33, 100)


def test_a_repeated_opponent_counts_once_per_match():
    found = table("magic", [*RESULTS, Result(4, (1, 2), (2, 0)), Result(4, (3, 4), (2, 0))], 4)
    own = {2: F(33, 100), 3: F(10, 12), 4: F(33, 100)}
    assert values(found, 1)[0] == (2 * own[2] + own[3] + own[4]) / 4


def test_pokemon():
    """Win% without byes, 25 % to 100 %, 75 % at most for who dropped; head to head between exactly two."""
    results = [
        Result(1, (1, 2), (2, 0)), Result(1, (3,), (2,), kind="bye"),
        Result(2, (3, 1), (2, 0)), Result(2, (2,), (2,), kind="bye"),
    ]  # fmt: skip
    found = table("pokemon", results, 3, dropped=[3])
    assert values(found, 1)[0] == (F(1, 4) + F(3, 4)) / 2  # 2: 0 of 1, floored; 3: 1 of 1, capped
    assert values(found, 2)[0] == F(1, 2)
    assert values(found, 2)[1] == values(found, 1)[0]
    level = [Result(1, (1, 2), (0, 2)), Result(1, (3, 4), (2, 0)), Result(2, (1, 3), (2, 0)), Result(2, (2, 4), (0, 2))]
    ranks = table("pokemon", level, 4).ranks()
    assert set(ranks.values()) == {1, 2, 3, 4}
    two = table(
        "pokemon", [Result(1, (1, 2), (0, 2)), Result(2, (1,), (2,), kind="bye"), Result(2, (2,), (0,), kind="lost")], 2
    )
    assert [line.tally.points for line in two.lines] == [3, 3]


def test_head_to_head_decides_between_two_who_are_level():
    """1 and 2 end level in everything; 2 won their match."""
    results = [
        Result(1, (1, 2), (1, 2)), Result(1, (3, 4), (2, 0)),
        Result(2, (1, 3), (2, 0)), Result(2, (2, 4), (0, 2)),
        Result(3, (1, 4), (2, 0)), Result(3, (2, 3), (2, 0)),
    ]  # fmt: skip
    found = table("pokemon", results, 4)
    assert values(found, 1) == values(found, 2)
    assert [line.number for line in found.lines][:2] == [2, 1]


def test_buchholz_median_and_sonneborn():
    """Half points: 1 has 1½, 2 has 1, 3 has 2½, 4 has 1."""
    found = table("buchholz", RESULTS, 4)
    assert {line.number: line.shown(found.family)["points"] for line in found.lines} == {
        1: "3/2",
        2: "1",
        3: "5/2",
        4: "1",
    }
    assert values(found, 1) == (F(1) + F(5, 2) + F(1), F(1), F(1) + F(5, 4))  # beat 2, drew 3, lost to 4
    assert values(found, 3) == (F(1) + F(3, 2) + F(1), F(1), F(1) + F(3, 4) + F(1))


def test_sonneborn_with_a_bye_meets_a_virtual_opponent():
    """A bye in round 2 of 3 with one point: the virtual opponent has 1, loses that round, then draws: 1½."""
    results = [
        Result(1, (1, 2), (2, 0)), Result(1, (3,), (2,), kind="bye"),
        Result(2, (2, 3), (2, 0)), Result(2, (1,), (2,), kind="bye"),
        Result(3, (1, 3), (2, 0)), Result(3, (2,), (2,), kind="bye"),
    ]  # fmt: skip
    found = table("sonneborn", results, 3)
    assert values(found, 1) == (F(2) + (F(1) + F(1, 2)) + F(1),)
    terms = found.working(1)["working"]["sonneborn"]["terms"]
    assert {"round": 2, "opponent": 0, "outcome": "win", "points": "3/2"} in terms
    assert sum(F(term["points"]) for term in terms) == values(found, 1)[0], "won all three: the terms add up"


def test_a_bye_after_a_round_that_was_missed_is_of_its_own_round():
    """1 plays round 1, is away in round 2, and has the bye of round 3 of 4 with one point: 1, then one draw."""
    results = [
        Result(1, (1, 2), (2, 0)), Result(2, (2, 3), (2, 0)), Result(3, (1,), (2,), kind="bye"),
        Result(3, (2, 3), (2, 0)), Result(4, (1, 3), (0, 2)),
    ]  # fmt: skip
    found = table("sonneborn", results, 3)
    assert values(found, 1) == (F(2) + (F(1) + F(1, 2)),)


def test_strength_of_schedule():
    found = table("sos", RESULTS, 4)
    rate = {1: F(4, 3), 2: F(1), 3: F(7, 3), 4: F(1)}
    sos = {n: sum(rate[m] for m in rate if m != n) / 3 for n in rate}
    assert values(found, 1) == (sos[1], (sos[2] + sos[3] + sos[4]) / 3)


def test_pods_5_1_0_with_virtual_opponents_for_a_bye():
    results = [
        Result(1, (1, 2, 3, 4), (1, 0, 0, 0)),
        Result(1, (5,), (1,), kind="bye"),
        Result(2, (5, 1, 2, 3), (0, 0, 0, 0)),
    ]
    found = table("pods", results, 5, pod=4)
    points = {line.number: line.tally.points for line in found.lines}
    assert points == {1: 6, 2: 1, 3: 1, 4: 0, 5: 6}
    rate = {1: F(6, 10), 2: F(1, 5), 3: F(1, 5), 4: F(1, 5), 5: F(1, 5)}  # 1/10 and 0 are lifted to 1/5
    assert values(found, 5) == ((rate[1] + rate[2] + rate[3] + 3 * F(1, 5)) / 6,)
    assert values(found, 4) == ((rate[1] + rate[2] + rate[3]) / 3,)


def test_pods_2n_minus_1():
    """Seven for a win among four, five among three; a draw is one each."""
    results = [
        Result(1, (1, 2, 3, 4), (0, 1, 0, 0)),
        Result(1, (5, 6, 7), (1, 0, 0)),
        Result(2, (1, 2, 5, 6), (0, 0, 0, 0)),
    ]
    found = table("pods_2n1", results, 7, pod=4)
    assert {line.number: line.tally.points for line in found.lines} == {1: 1, 2: 8, 3: 0, 4: 0, 5: 6, 6: 1, 7: 0}
    assert values(found, 2)[0] == F(8, 14)
    assert values(found, 5)[0] == F(6, 12)
    assert values(found, 3) == (F(1, 7), F(9, 3), (F(1, 7) + F(8, 14) + F(1, 7)) / 3)


def test_intentional_draws_forfeits_double_losses_and_penalties():
    results = [
        Result(1, (1, 2), (0, 0), kind="intentional"),
        Result(1, (3, 4), (0, 0), kind="double_loss"),
        Result(2, (1, 3), (2, 0), kind="forfeit"),
    ]
    found = table("magic", results, 4, penalties={1: 3}, out=[4])
    assert {line.number: line.tally.points for line in found.lines} == {1: 1, 2: 1, 3: 0}


def test_every_number_comes_with_its_working():
    found = table("magic", RESULTS, 4)
    shown = found.working(1)
    omw = shown["working"]["omw"]
    assert sum(F(term["value"]) for term in omw["terms"]) / 3 == F(omw["value"])
    assert [term["opponent"] for term in omw["terms"]] == [2, 3, 4]
    for family in FAMILIES:
        assert set(table(family, RESULTS, 4).working(2)["working"]) == set(FAMILIES[family].order)


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_standings_of_a_whole_event_rank_everybody_once(family):
    event = Event(21)
    for _ in range(5):
        event.play()
    found = table(family, event.results, 21)
    assert [line.rank for line in found.lines] == list(range(1, 22))
    again = table(family, event.results, 21)
    assert again.ranks() == found.ranks()
