"""Bad input, races and killed workers: a problem document, nothing changed; one round."""

import secrets
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from events import commands, heads, store
from events.errors import Rejected
from tests.http import Api, problem
from tests.tournaments.desk import Desk
from tournaments import services


@pytest.fixture
def running(desk):
    event = desk(4)
    event.say("start")
    event.matches = event.round()
    return event


REFUSED = [
    # who, what, body, status, code
    (1, "register", {}, 409, "exists"),
    (1, "start", {}, 403, "missing_scope"),
    (1, "matches/r1t9/report", {"wins": [2, 0]}, 404, "unknown"),
    (1, "matches/{other}/report", {"wins": [2, 0]}, 403, "not_yours"),
    (1, "matches/{mine}/report", {"wins": [3, 0]}, 422, "illegal"),
    (1, "matches/{mine}/report", {"wins": [2, 2]}, 422, "illegal"),
    (1, "matches/{mine}/report", {"wins": [2]}, 422, "illegal"),
    (1, "matches/{mine}/report", {"wins": [1, 0], "kind": "intentional"}, 422, "illegal"),
    (1, "matches/{mine}/confirm", {}, 422, "illegal"),
    (1, "matches/{mine}/rule", {"wins": [2, 0], "reason": "me"}, 403, "not_yours"),
    (1, "drop", {"number": 2}, 403, "not_yours"),
    (1, "decks", {"deck": ["x"]}, 422, "illegal"),
    (0, "start", {}, 422, "illegal"),
    (0, "pair", {}, 422, "illegal"),
    (0, "publish", {}, 422, "illegal"),
    (0, "advance", {}, 422, "illegal"),
    (0, "close", {}, 422, "illegal"),
    (0, "drop", {"number": 99}, 422, "illegal"),
    (0, "register", {}, 403, "not_yours"),
    (0, "pins", {"players": [1, 77], "reason": "who?"}, 422, "illegal"),
    (0, "pins", {"players": [1, 1], "reason": "self"}, 422, "illegal"),
    (0, "unbans", {"players": [1, 2], "reason": "none"}, 404, "unknown"),
    (0, "pins", {"players": [1, 2]}, 422, "invalid_body"),
    (0, "matches/{mine}/correct", {"wins": [2, 0], "reason": "early"}, 422, "illegal"),
    (0, "penalties", {"number": 1, "kind": "points", "reason": "how many?"}, 422, "illegal"),
    (0, "penalties", {"number": 99, "kind": "warning", "reason": "who?"}, 422, "illegal"),
    (0, "penalties", {"number": 1, "kind": "game_loss", "board": 2, "reason": "no team"}, 422, "illegal"),
    (0, "penalties", {"number": 1, "kind": "guillotine", "reason": "no"}, 422, "invalid_body"),
    (0, "bans", {"players": [0, 99], "reason": "who?"}, 422, "illegal"),
    (0, "re-pair", {}, 422, "invalid_body"),
    (0, "return", {"number": 1}, 422, "illegal"),
    (0, "awards", {"number": 99, "table": 1}, 422, "illegal"),
    (0, "staff", {"name": "nobody at all", "role": "judge"}, 422, "illegal"),
    (1, "penalties", {"number": 2, "kind": "warning", "reason": "me?"}, 403, "not_yours"),
    (1, "check-in", {"number": 2}, 403, "not_yours"),
    (1, "matches/{other}/confirm", {}, 403, "not_yours"),
    (1, "matches/{mine}/extend", {"ms": 1}, 403, "not_yours"),
    (0, "invitations", {"names": ["nobody at all"]}, 422, "illegal"),
    (0, "bots", {"count": 2}, 422, "illegal"),
]


def refused(event: Desk, status: int, code: str, what: str, who: int = 0, **body) -> dict:
    """A problem document, and nothing has changed: the same number of events, the same head."""
    before = heads.current(event.stream)
    found = problem(event.say(what, None, event.players.get(who), **body), status, code)
    after = heads.current(event.stream)
    assert (after.seq, after.hash) == (before.seq, before.hash)
    assert store.head_seq(event.stream) == before.seq
    return found


@pytest.mark.parametrize(("who", "what", "body", "status", "code"), REFUSED)
def test_what_does_not_fit_changes_nothing(running, who, what, body, status, code):
    mine = next(match["id"] for match in running.matches if 1 in match["players"])
    other = next(match["id"] for match in running.matches if 1 not in match["players"])
    refused(running, status, code, what.format(mine=mine, other=other), who, **body)


def test_late_and_contradictory_results(running):
    match = running.matches[0]
    a, b = match["players"]
    place = f"matches/{match['id']}"
    running.say(f"{place}/report", who=running.players[a], wins=[2, 0])
    refused(running, 403, "not_yours", f"{place}/confirm", a)
    running.say(f"{place}/report", who=running.players[b], wins=[0, 2])
    view = running.see()["round"]["matches"][0]
    assert view["disputed"], "contradictory reports are no result: a judge is called"
    assert view["score"] is None
    refused(running, 422, "illegal", "pair")
    running.say(f"{place}/rule", wins=[2, 1], reason="asked both")
    refused(running, 409, "over", f"{place}/report", b, wins=[0, 2])
    refused(running, 409, "over", f"{place}/confirm", b)
    refused(running, 409, "over", f"{place}/dispute", b, reason="no!")
    refused(running, 409, "over", f"{place}/rule", wins=[0, 2], reason="late")
    refused(running, 409, "exists", f"{place}/correct", wins=[2, 1], reason="the same")
    refused(running, 422, "illegal", f"{place}/correct", wins=[3, 1], reason="too many")
    refused(running, 404, "unknown", "matches/r7t1/correct", wins=[2, 0], reason="what round?")


def test_dropping_twice_and_what_the_end_ends(running):
    match = running.matches[0]
    a, b = match["players"]
    running.say("drop", who=running.players[a])
    refused(running, 409, "exists", "drop", a)
    running.rule_all()
    running.say("finish")
    for what, body in {
        "pair": {}, "advance": {}, "finish": {}, "start": {}, "pins": {"players": [1, 2], "reason": "?"},
        "awards": {"number": 1, "table": 3}, "bots": {"count": 2}, f"matches/{match['id']}/extend": {"ms": 1},
    }.items():  # fmt: skip
        refused(running, 422 if what == "bots" else 409, "illegal" if what == "bots" else "over", what, **body)
    running.say("close")
    refused(running, 409, "over", f"matches/{match['id']}/correct", wins=[0, 2], reason="too late")
    refused(running, 409, "over", "penalties", number=b, kind="disqualification", reason="too late")
    refused(running, 409, "over", "drop", b)
    refused(running, 409, "over", "close")


def test_a_bye_is_nobody_s_to_report(desk):
    event = desk(3)
    event.say("start")
    bye = next(match for match in event.round() if len(match["players"]) == 1)
    refused(event, 409, "over", f"matches/{bye['id']}/report", bye["players"][0], wins=[2])
    refused(event, 422, "illegal", f"matches/{bye['id']}/correct", wins=[0], reason="no bye")


def test_an_illegal_deck_is_refused_with_what_is_wrong(desk):
    event = desk(2, rulebook="epic", decks=True, format="epic/designed")
    refused(event, 422, "invalid_body", "decks", 1, deck=["a", "list"])
    wrong = refused(event, 422, "illegal", "decks", 1, deck={"deck": {"no-such-card": 3}})
    assert wrong["errors"][0]["pointer"].startswith("/deck")
    refused(event, 422, "illegal", "start")


@pytest.mark.parametrize(
    "rules",
    [
        {"stages": [{"kind": "draft"}]},
        {"stages": [{"kind": "single", "rounds": 3}]},
        {"stages": [{"kind": "pod_cut", "cut": 5}]},
        {"best_of": 2},
        {"rulebook": "no-such-game"},
    ],
)
def test_rules_that_cannot_be(person, rules):
    body = {"command_id": secrets.token_hex(8), "title": "x", "stages": [{"kind": "swiss"}]} | rules
    said = Api(person("organiser").token).do("/tournaments", body)
    assert problem(said, 422, "illegal")["errors"]


def test_two_pair_calls_at_once_give_one_round(desk):
    event = desk(8)
    event.say("start")

    def call(_: int) -> int:
        try:
            reply = event.say("pair", None)
            services.propose(event.stream)
            return reply.status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        codes = sorted(pool.map(call, range(4)))
    assert codes[0] == 201
    assert set(codes[1:]) == {422}
    done = [stored.do for stored in store.read(event.stream)]
    assert (done.count("pair"), done.count("propose")) == (1, 1)


def test_a_worker_killed_anywhere_gives_one_round(desk, monkeypatch):
    """Before the append, after the append but before anybody heard of it, and twice at once."""
    event = desk(6)
    event.say("start")
    event.say("pair")
    real = store.append

    def killed_before(stored):
        raise SystemExit

    monkeypatch.setattr(store, "append", killed_before)
    with pytest.raises(SystemExit):
        services.propose(event.stream)

    def killed_after(stored):
        real(stored)
        raise SystemExit

    monkeypatch.setattr(store, "append", killed_after)
    with pytest.raises(SystemExit):
        services.propose(event.stream)
    monkeypatch.setattr(store, "append", real)
    assert services.propose(event.stream) == "nothing to pair"
    assert [stored.do for stored in store.read(event.stream)].count("propose") == 1
    assert event.see("/rounds/1/verify")["ok"]


def test_a_round_computed_on_an_older_state_is_computed_again(desk, monkeypatch):
    event = desk(6)
    event.say("start")
    event.say("pair")
    real = commands.execute
    dropped = []

    def drops_meanwhile(stream, **command):
        if command["action"]["do"] == "propose" and not dropped:
            dropped.append(event.say("drop", number=6))
        return real(stream, **command)

    monkeypatch.setattr(services.commands, "execute", drops_meanwhile)
    services.propose(event.stream)
    seated = sorted(n for match in event.state.open_matches() for n in match.players)
    assert seated == [1, 2, 3, 4, 5]


def test_a_forged_round_is_refused(desk):
    """Even from the house: the round is looked at again by other means before it stands."""
    event = desk(4)
    event.say("start")
    event.say("bans", players=[1, 2], reason="siblings")
    event.say("pair")
    head = heads.current(event.stream)
    forged = [{"table": 1, "players": [1, 2]}, {"table": 2, "players": [3, 4]}]
    action = {
        "do": "propose",
        "round": 1,
        "attempt": 1,
        "at": head.seq,
        "algorithm": "mine",
        "tables": forged,
        "cost": [],
    }
    with pytest.raises(Rejected, match="must not meet"):
        commands.execute(event.stream, actor="arbiter", action=action, command_id="forged")
    action["tables"] = [{"table": 1, "players": [1, 3]}]
    with pytest.raises(Rejected, match="#2 has no table"):
        commands.execute(event.stream, actor="arbiter", action=action, command_id="forged")


def test_correcting_round_one_of_a_finished_event(desk, monkeypatch):
    """One event more, new standings, and what would have been different; the old moments stay as they were."""
    event = desk(8, [{"kind": "swiss", "rounds": 3}, {"kind": "single", "cut": 2}])
    event.say("start")
    first = event.round()
    event.rule_all()
    later = []
    for _ in range(2):
        later += event.round()
        event.rule_all()
    event.say("advance")
    event.round()
    event.rule_all()
    event.say("advance")
    seq, before = event.state.seq, event.standings()
    match = next(m for m in first if 1 in m["players"])
    wins = [0 if n == 1 else 2 for n in match["players"]]
    said = event.say(f"matches/{match['id']}/correct", wins=wins, reason="the slip was read upside down")
    assert event.state.seq == seq + 1
    assert said["seq"] == seq + 1
    impact = said["impact"]
    loser = next(n for n in match["players"] if n != 1)
    gained = {line["number"]: int(line["points"]) - int(line["points_were"]) for line in impact["standings"]}
    assert (gained[1], gained[loser]) == (-3, 3)
    assert impact["rounds"], "round 2 pairs winners, so it would have been another one"
    assert event.standings(at=seq) == before, "the past stays"
    assert event.standings() != before
    assert dict(event.standings())[1] == str(int(dict(before)[1]) - 3)
    for match in (m for m in later if 1 in m["players"]):  # without a point nobody is in a cut of two
        wins = [0 if n == 1 else 2 for n in match["players"]]
        impact = event.say(f"matches/{match['id']}/correct", wins=wins, reason="these two, too")["impact"]
    assert 1 in impact["cuts"][0]["out"], "earlier corrections count: three lost matches, no place in the cut"
    assert any("instead of #1" in words for words in impact["words"])
    assert event.see(f"/corrections/{event.state.seq}") == impact, "it can be asked for again, by anybody"
    monkeypatch.setattr("tournaments.impact.AT_ONCE", 10)
    large = event.see(f"/corrections/{event.state.seq}")
    assert (large["rounds"], large["cuts"]) == ([], impact["cuts"])
    told = [event.see(f"/corrections/{event.state.seq}?round={n}")["rounds"] for n in large["not_paired_again"]]
    assert [one for found in told for one in found] == impact["rounds"]
    problem(event.organiser.read(f"/tournaments/{event.stream}/corrections/2"), 404, "unknown")


def test_explain_and_verify(running):
    running.rule_all()
    running.round()
    table = running.state.open_matches()[0].table
    shown = running.see(f"/rounds/2/tables/{table}/explain")
    assert shown["words"]
    assert running.see("/rounds/2/verify")["ok"]
    problem(running.organiser.read(f"/tournaments/{running.stream}/rounds/7/verify"), 404, "unknown")
    assert Api().read(f"/tournaments/{running.stream}/standings").status_code == 200, "the public may look"


def test_every_kind_of_pairing_is_explained_in_words(desk):
    """A bye, a pair, a bracket's node, a pod, a table of Berger's."""
    event = desk(5, [{"kind": "swiss", "rounds": 1}, {"kind": "single", "cut": 2}], family="sonneborn")
    event.say("start")
    tables = {len(match["players"]): match["table"] for match in event.round()}
    words = event.see(f"/rounds/1/tables/{tables[1]}/explain")["words"]
    assert words == ["a bye: none before", "score 0, the lowest", "drawn by lot"]
    words = event.see(f"/rounds/1/tables/{tables[2]}/explain")["words"]
    assert words == ["equal scores (0)", "never met", "drawn by lot"]
    event.rule_all()
    event.say("advance")
    event.round()
    assert event.see("/rounds/2/tables/1/explain")["words"][0] == "seed 1 against seed 2"
    for players, stage, expected in (
        (6, {"kind": "pods", "pod": 4, "rounds": 1}, "a pod of 3"),
        (4, {"kind": "robin"}, "Berger's table for 4, round 1"),
        (7, {"kind": "pod_cut"}, "a semifinal of seeds 4, 5, 6, 7"),
    ):
        event = desk(players, [stage], family="pods" if "pod" in stage["kind"] else "magic")
        event.say("start")
        event.round()
        assert expected in " ".join(event.see("/rounds/1/tables/1/explain")["words"])
