"""Whole events over HTTP, on paper: registration to the final."""

import json

import pytest

from events import store, verification
from tests.http import problem
from tests.tournaments.desk import Desk


def play_round(desk: Desk) -> list[list[int]]:
    tables = [match["players"] for match in desk.round()]
    desk.rule_all()
    return tables


def test_swiss_then_a_top_cut(desk):
    event = desk(9, [{"kind": "swiss", "rounds": 3}, {"kind": "single", "cut": 4}])
    event.say("start")
    met = set()
    for _ in range(3):
        for players in play_round(event):
            assert frozenset(players) not in met
            met.add(frozenset(players))
    event.say("advance")
    top = [number for number, _ in event.standings()][:4]
    assert event.see("/stages/1/bracket")["seeds"] == top
    assert [sorted(t) for t in play_round(event)] == [sorted((top[0], top[3])), sorted((top[1], top[2]))]
    [final] = play_round(event)
    event.say("advance")
    view = event.see()
    assert view["phase"] == "over"
    assert view["champion"] == min(final)
    assert verification.check(event.stream).ok, str(verification.check(event.stream))
    for round_ in range(1, 6):
        assert event.see(f"/rounds/{round_}/verify")["ok"]


@pytest.mark.parametrize(
    ("players", "stage", "rounds"),
    [(5, {"kind": "robin"}, 5), (6, {"kind": "robin"}, 5), (6, {"kind": "single"}, 3), (5, {"kind": "double"}, None)],
)
def test_fixed_formats_end_by_themselves(desk, players, stage, rounds):
    event = desk(players, [stage])
    event.say("start")
    played = 0
    while event.say("pair", None).status_code == 201:
        event.house()
        event.say("publish")
        event.rule_all()
        played += 1
    assert rounds is None or played == rounds
    event.say("advance")
    assert event.see()["champion"] == 1
    assert verification.check(event.stream).ok, str(verification.check(event.stream))


def test_pods_and_their_cut(desk):
    event = desk(11, [{"kind": "pods", "rounds": 2}, {"kind": "pod_cut", "cut": 7}], family="pods")
    event.say("start")
    for _ in range(2):
        sizes = sorted(len(match["players"]) for match in event.round())
        assert sizes == [3, 4, 4]
        event.rule_all(1)
    event.say("advance")
    assert [len(match["players"]) for match in event.round()] == [4]
    event.rule_all(1)
    assert [len(match["players"]) for match in event.round()] == [4]
    event.rule_all(1)
    event.say("advance")
    assert event.see()["champion"] is not None


def test_players_report_confirm_and_dispute(desk):
    event = desk(4)
    event.say("start")
    one, two = event.round()
    event.result(one, 2, 1)
    a, b = two["players"]
    event.say(f"matches/{two['id']}/report", who=event.players[a], wins=[2, 0])
    event.say(f"matches/{two['id']}/report", who=event.players[b], wins=[0, 2])
    assert event.state.matches[two["id"]].disputed
    problem(event.say("pair", None), 422, "illegal")
    event.say(f"matches/{two['id']}/rule", wins=[1, 1], draws=1, reason="both are right about one game")
    assert event.see()["round"]["status"] == "closed"
    points = dict(event.standings())
    assert points[one["players"][0]] == "3"
    assert points[a] == points[b] == "1"
    event.round()
    third = event.see()["round"]["matches"][0]
    event.result(third, 0, 0, kind="intentional")
    assert event.state.matches[third["id"]].score.kind == "intentional"


def test_my_next_match_tables_clock_and_extensions(desk):
    event = desk(4, round_ms=3_000_000)
    event.say("awards", number=3, table=7)
    event.say("start")
    matches = event.round()
    mine = event.see("/me", who=event.players[3])
    assert mine["match"]["table"] == 7
    assert 3 in mine["match"]["players"]
    ends = mine["match"]["ends_at"]
    event.say(f"matches/{mine['match']['id']}/extend", ms=300_000)
    after = event.see("/me", who=event.players[3])["match"]
    assert after["ends_at"] == ends + 300_000
    other = next(match for match in matches if 3 not in match["players"])
    assert event.see("/me", who=event.players[other["players"][0]])["match"]["ends_at"] == ends


def test_capacity_waiting_list_check_in_and_late_entry(desk, person):
    event = desk(3, [{"kind": "swiss", "rounds": 3}], capacity=2, check_in=True, late="loss")
    assert [one["status"] for one in event.see()["entrants"]] == ["in", "in", "waiting"]
    event.say("drop", who=event.players[1])
    assert event.state.entrants[3].status == "in", "who waited moves up"
    for number in (2, 3):
        event.say("check-in", who=event.players[number])
    event.say("start")
    event.round()
    event.rule_all()
    event.say("drop", number=2)
    event.register(person())
    late = event.state.entrants[4]
    assert late.since == 2
    assert dict(event.standings())[4] == "0"
    assert event.see("/standings/4")["lost"] == 1
    [match] = event.round()
    assert sorted(match["players"]) == [3, 4]


def test_invitations_awarded_byes_drops_and_returns(desk, person):
    event = desk(0, registration="invite")
    guest, stranger = person(), person()
    event.say("invitations", names=[guest.user.name])
    event.register(guest)
    problem(event.register(stranger, None), 403, "not_yours")
    event = desk(5)
    event.say("awards", number=2, awarded=1)
    event.say("start")
    assert [2] in [match["players"] for match in event.round()]
    event.rule_all()
    event.say("drop", who=event.players[1])
    assert 1 not in [n for match in event.round() for n in match["players"]]
    event.rule_all()
    event.say("return", who=event.players[1])
    assert 1 in [n for match in event.round() for n in match["players"]]


def test_lists_are_sealed_until_the_event_is_closed(desk):
    event = desk(2, decks=True)
    secret = ["the", "whole", "list"]
    for player in event.players.values():
        said = event.say("decks", who=player, deck=secret)
        assert "deck" not in said["action"]
    event.say("start")
    problem(event.say("decks", None, event.players[1], deck=["another"]), 409, "over")
    event.round()
    event.rule_all()
    event.say("finish")
    export = b"".join(event.organiser.read(f"/tournaments/{event.stream}/export").streaming_content)
    assert b"whole" not in export
    event.say("close")
    export = b"".join(event.organiser.read(f"/tournaments/{event.stream}/export").streaming_content)
    assert b"whole" in export
    assert verification.check(event.stream).ok, str(verification.check(event.stream))


def test_penalties(desk):
    event = desk(4)
    event.say("start")
    one, _two = event.round()
    a, b = one["players"]
    event.say("penalties", number=a, kind="warning", reason="slow")
    event.say("penalties", number=a, kind="match_loss", reason="slower")
    assert event.state.matches[one["id"]].score.kind == "forfeit"
    event.say("penalties", number=b, kind="points", points=1, reason="late")
    assert dict(event.standings())[b] == "2"
    event.say("penalties", number=a, kind="disqualification", reason="it was him all along")
    assert a not in dict(event.standings())
    problem(event.say("penalties", None, number=a, kind="disqualification", reason="again"), 409, "exists")


def test_pins_bans_and_pairing_again_with_a_reason(desk):
    event = desk(6)
    event.say("start")
    event.say("bans", players=[1, 2], reason="siblings")
    event.say("pins", players=[3, 4], reason="feature match")
    event.say("pair")
    event.house()
    first = {frozenset(match.players) for match in event.state.open_matches()}
    assert {3, 4} in first
    assert {1, 2} not in first
    event.say("pins", players=[0, 6], reason="on a train that is late")
    event.say("re-pair", reason="of the train")
    event.house()
    assert event.state.now.attempt == 2
    event.say("publish")
    tables = [match["players"] for match in event.see()["round"]["matches"]]
    assert [6] in tables
    assert {3, 4} in map(set, tables)
    assert "organiser" in event.see(f"/rounds/1/tables/{1 + tables.index([6])}/explain")["words"][0]
    proposals = [e for e in store.read(event.stream) if e.do == "propose"]
    assert len(proposals) == 2, "the old attempt stays on record"
    event.rule_all()
    event.say("unbans", players=[1, 2], reason="they made up")
    assert event.state.bans == []


def test_a_round_that_cannot_be_paired_says_who_is_stuck(desk):
    event = desk(4)
    event.say("start")
    for pair in ([2, 3], [2, 4], [3, 4]):
        event.say("bans", players=pair, reason="one household")
    event.say("pair")
    event.house()
    view = event.see()["round"]
    assert view["status"] == "stuck"
    assert view["stuck"] == [2, 3, 4]
    event.say("unbans", players=[2, 3], reason="then they play")
    event.say("re-pair", reason="a ban less")
    event.house()
    assert event.see()["round"]["status"] == "proposed"


def test_a_proposed_round_is_the_staff_s(desk):
    event = desk(4)
    event.say("start")
    event.say("pair")
    event.house()
    assert len(event.see()["round"]["matches"]) == 2
    assert event.see(who=event.players[1])["round"]["matches"] == []
    assert event.see("/me", who=event.players[1])["match"] is None


def test_teams(desk, person):
    event = desk(0, team=2)
    people = [person() for _ in range(4)]
    for captain, mate in (people[:2], people[2:]):
        event.register(captain, members=[mate.user.name])
    problem(event.register(people[1], None, members=[person().user.name]), 409, "exists")
    event.say("start")
    [match] = event.round()
    event.result(match, 2, 0)
    assert dict(event.standings())[match["players"][0]] == "3"


def test_exports(desk):
    event = desk(5)
    event.say("start")
    event.round()
    event.rule_all()
    csv = event.organiser.read(f"/tournaments/{event.stream}/standings.csv").content.decode().splitlines()
    assert csv[0].startswith("rank,number,name,points")
    assert len(csv) == 6
    trf = event.organiser.read(f"/tournaments/{event.stream}/trf").content.decode().splitlines()
    players = [line for line in trf if line.startswith("001")]
    assert len(players) == 5
    assert {line[len(line) - 1] for line in players} == {"1", "0", "U"}
    assert all(line[80:84].strip() in ("1.0", "0.0") for line in players), "points stand in columns 81 to 84"
    assert json.loads(event.organiser.read("/tournaments").content)["data"][0]["tournament"] == event.stream
