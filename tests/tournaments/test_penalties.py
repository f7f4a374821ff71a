"""Penalties, and leaving: what they do to the match that is on, to the next one, to a cut, to a pod."""

import pytest

from tests.http import Api, problem
from tests.tournaments.desk import Desk


def working(event: Desk, number: int) -> dict:
    return event.see(f"/standings/{number}")


@pytest.fixture
def four(desk):
    event = desk(4, [{"kind": "swiss", "rounds": 3}])
    event.say("start")
    return event


def penalise(event: Desk, number: int, kind: str, **more) -> dict:
    return event.say("penalties", number=number, kind=kind, reason="seen by the judge", **more)


def test_a_game_loss_is_a_game_of_the_match(four):
    one, _ = four.round()
    a, b = one["players"]
    seq = penalise(four, a, "game_loss")["seq"]
    assert four.state.matches[one["id"]].score is None, "best of three: one game is not the match"
    refused = four.say(f"matches/{one['id']}/report", None, four.players[a], wins=[2, 0])
    assert "penalty" in problem(refused, 422, "illegal")["detail"]
    four.result(one, 1, 2)
    [match] = working(four, b)["matches"]
    assert (match["outcome"], match["wins"]) == ("win", [1, 2])
    assert match["penalties"] == [f"game loss of #{a}, event {seq}"]
    assert [one["match"] for one in working(four, a)["penalties"]] == [one["id"]]


def test_two_game_losses_are_the_match(four):
    one, _ = four.round()
    a, b = one["players"]
    penalise(four, a, "game_loss")
    penalise(four, a, "game_loss")
    score = four.state.matches[one["id"]].score
    assert score.wins == [0, 2]
    assert dict(four.standings())[b] == "3"


def test_between_rounds_a_loss_waits_for_the_next_match(four):
    first, _ = four.round()
    four.rule_all()
    a = first["players"][0]
    penalise(four, a, "match_loss")
    [entrant] = [one for one in four.see("/entrants")["data"] if one["number"] == a]
    assert entrant["waits"] == ["match_loss"]
    assert four.see("/desk")["waiting_losses"][0]["number"] == a
    before = dict(four.standings())
    second = next(match for match in four.round() if a in match["players"])
    score = four.state.matches[second["id"]].score
    assert (score.kind, score.wins[second["players"].index(a)]) == ("forfeit", 0)
    other = next(n for n in second["players"] if n != a)
    assert int(dict(four.standings())[other]) == int(before[other]) + 3
    assert four.see("/desk")["waiting_losses"] == []
    assert working(four, a)["penalties"][0]["match"] == second["id"]


def test_both_lose_and_a_game_loss_waits_on(four):
    one, _ = four.round()
    four.rule_all()
    pair = one["players"]
    for number in range(1, 5):
        penalise(four, number, "match_loss")
    penalise(four, pair[0], "game_loss")
    four.round()
    assert {match.score.kind for match in four.state.matches.values() if match.round == 2} == {"double_loss"}
    assert [one.kind for one in four.state.waits_for(pair[0])] == ["game_loss"], (
        "what is lost cannot be lost again"
    )


def test_a_penalty_can_be_lifted(four):
    four.round()
    four.rule_all()
    seq = penalise(four, 1, "match_loss")["seq"]
    points = penalise(four, 1, "points", points=2)["seq"]
    assert dict(four.standings())[1] == "1"
    four.say("lifts", penalty=seq, reason="the wrong one")
    four.say("lifts", penalty=points, reason="the wrong one")
    assert dict(four.standings())[1] == "3"
    four.round()
    assert next(m for m in four.state.open_matches() if 1 in m.players).score is None
    problem(four.say("lifts", None, penalty=seq, reason="again"), 409, "exists")
    problem(four.say("lifts", None, penalty=1, reason="what?"), 404, "unknown")


def test_disqualified_after_the_event(four):
    four.round()
    four.rule_all()
    four.say("finish")
    first = four.standings()[0][0]
    problem(four.say("penalties", None, number=first, kind="match_loss", reason="late"), 409, "over")
    penalise(four, first, "disqualification")
    assert first not in dict(four.standings())
    assert first not in four.see("/standings")["final"]
    assert four.see()["champion"] != first


# --- a cut that somebody leaves ---


@pytest.fixture
def cut(desk):
    """Eight players, three rounds, and the cut to four is made; its seeds."""

    def made(**rules) -> tuple[Desk, list[int]]:
        event = desk(8, [{"kind": "swiss", "rounds": 2}, {"kind": "single", "cut": 4}], **rules)
        event.say("start")
        for _ in range(2):
            event.round()
            event.rule_all()
        event.say("advance")
        return event, event.state.seeds[1]

    return made


def test_until_the_cut_is_published_the_next_one_moves_up(cut):
    event, seeds = cut()
    fifth = event.see("/standings")["final"][4]
    event.say("pair")
    event.house()
    penalise(event, seeds[1], "disqualification")
    assert event.state.now.attempt == 2, "the proposed round had the disqualified player in it"
    assert event.state.seeds[1] == [seeds[0], seeds[2], seeds[3], fifth]
    event.house()
    event.say("publish")
    assert sorted(map(sorted, (m.players for m in event.state.open_matches()))) == sorted(
        map(sorted, ([seeds[0], fifth], [seeds[2], seeds[3]]))
    )
    assert event.see(f"/rounds/{event.state.now.number}/verify")["ok"]


def test_after_that_nobody_does_and_the_opponent_goes_on(cut):
    event, seeds = cut()
    event.round()
    penalise(event, seeds[0], "disqualification")
    assert [m.score.kind for m in event.state.matches.values() if seeds[0] in m.players][-1] == "forfeit"
    event.rule_all()
    [final] = event.round()
    assert seeds[3] in final["players"]


def test_the_best_of_those_left_rests_if_the_rules_say_so(desk):
    """Eight seeds; the second leaves between the rounds: the opponent to be of the best plays the one left over."""
    event = desk(8, [{"kind": "single"}], walkover="best")
    event.say("start")
    event.round()
    event.rule_all()  # the lower number wins: 1, 4, 2, 3 go on
    event.say("drop", number=2)
    tables = [match["players"] for match in event.round()]
    assert sorted(map(sorted, tables)) == [[1], [3, 4]], "1 rests; 3, whose opponent left, plays 4"
    event.rule_all()
    [final] = event.round()
    assert sorted(final["players"]) == [1, 3]
    event.rule_all()
    event.say("advance")
    bracket = event.see("/stages/0/bracket")
    assert bracket["champion"] == 1
    assert bracket["placings"][:2] == [1, 3]
    assert set(bracket["placings"][2:4]) == {2, 4}
    for number in (1, 2, 3):
        assert event.see(f"/rounds/{number}/verify")["ok"]


# --- pods ---


def test_who_leaves_a_pod_has_lost_and_the_others_play_on(desk):
    event = desk(4, [{"kind": "pods", "rounds": 2}], family="pods")
    event.say("start")
    [pod] = event.round()
    event.say("drop", number=4)
    assert event.state.matches[pod["id"]].score is None
    winner = [int(n == 4) for n in pod["players"]]
    problem(event.say(f"matches/{pod['id']}/report", None, event.players[1], wins=winner), 422, "illegal")
    event.say(f"matches/{pod['id']}/report", who=event.players[1], wins=[0, 0, 0, 0])
    event.say(f"matches/{pod['id']}/confirm", who=event.players[2])
    assert dict(event.standings()) == {1: "1", 2: "1", 3: "1", 4: "0"}, "three drew; who left did not"


def test_the_last_one_in_a_pod_has_won_it(desk):
    event = desk(3, [{"kind": "pods", "rounds": 1, "pod": 3}], family="pods")
    event.say("start")
    event.round()
    penalise(event, 1, "game_loss")
    penalise(event, 2, "match_loss")
    assert dict(event.standings()) == {1: "0", 2: "0", 3: "5"}


def test_bans_pins_and_byes_hold_in_pods(desk):
    event = desk(9, [{"kind": "pods", "rounds": 3}], family="pods")
    event.say("start")
    event.say("bans", players=[1, 2], reason="siblings")
    event.say("bans", players=[1, 3], reason="siblings")
    event.say("pins", players=[4, 5], reason="feature table")
    event.say("pins", players=[0, 9], reason="comes later")
    pods = [set(match["players"]) for match in event.round()]
    assert sorted(map(len, pods)) == [1, 4, 4]
    assert {9} in pods
    assert any({4, 5} <= pod for pod in pods)
    assert not any({1, 2} <= pod or {1, 3} <= pod for pod in pods)
    assert event.see("/rounds/1/verify")["ok"]
    event.rule_all(1)
    for other in range(4, 10):
        event.say("bans", players=[1, other], reason="nobody may meet 1")
    event.say("pair")
    event.house()
    view = event.see()["round"]
    assert (view["status"], view["why"]) == ("stuck", "no_pairing")
    assert 1 in view["stuck"]


def test_only_judges_of_this_tournament_penalise(four, person):
    four.round()
    judge = person("judge")
    body = {"number": 1, "kind": "warning", "reason": "slow"}
    problem(four.say("penalties", None, Api(judge.token), **body), 403, "not_yours")
    four.say("staff", name=judge.user.name, role="judge")
    four.say("penalties", who=Api(judge.token), **body)
    four.see("/desk", who=Api(judge.token))
    problem(four.players[1].read(f"/tournaments/{four.stream}/desk"), 403, "not_yours")
