"""At the door: waiting lists, check-in, late entry, tables of one's own, clubs that can be erased, long lists."""

import json

from accounts.services import erase
from events import store, verification
from tests.http import Api, problem
from tests.tournaments.desk import Desk
from tournaments import checker
from tournaments.models import GroupSalt


def statuses(event: Desk) -> list[str]:
    return [one["status"] for one in event.see("/entrants")["data"]]


def test_places_of_those_who_are_not_here_go_to_those_who_wait_and_are(desk):
    event = desk(5, capacity=2, check_in=True)
    assert statuses(event) == ["in", "in", "waiting", "waiting", "waiting"]
    assert "waiting list" in event.see("/me", who=event.players[4])["say"]
    for number in (1, 4, 5):
        event.say("check-in", who=event.players[number])
    event.say("start")
    assert statuses(event) == ["in", "dropped", "waiting", "in", "waiting"], "4 waited longer than 5, and 3 is not here"


def test_who_comes_back_to_a_full_tournament_waits(desk):
    event = desk(3, capacity=2)
    event.say("drop", who=event.players[1])
    assert statuses(event) == ["dropped", "in", "in"]
    event.say("return", who=event.players[1])
    assert statuses(event) == ["waiting", "in", "in"]


def test_in_a_running_event_who_waits_comes_before_who_walks_in(desk, person):
    event = desk(5, [{"kind": "swiss", "rounds": 3}], capacity=4, late="loss")
    event.say("start")
    event.round()
    event.rule_all()
    event.register(person())
    assert statuses(event)[4:] == ["waiting", "waiting"]
    event.say("drop", number=1)
    assert statuses(event)[4:] == ["in", "waiting"]
    assert event.state.entrants[5].since == 2
    assert event.see("/standings/5")["lost"] == 1
    assert 5 in [n for match in event.round() for n in match["players"]]


def test_late_entry_with_byes(desk, person):
    event = desk(4, [{"kind": "swiss", "rounds": 3}], late="bye")
    event.say("start")
    for _ in range(2):
        event.round()
        event.rule_all()
    event.register(person())
    line = event.see("/standings/5")
    assert (line["points"], line["byes"]) == ("6", 2)
    assert [match["kind"] for match in line["matches"]] == ["bye", "bye"]


def test_who_comes_while_a_round_is_proposed_has_missed_it_unless_it_is_paired_again(desk, person):
    event = desk(4, [{"kind": "swiss", "rounds": 2}], late="loss")
    event.say("start")
    event.say("pair")
    event.house()
    event.register(person())
    assert event.state.entrants[5].since == 2
    event.say("re-pair", reason="somebody came")
    event.house()
    event.say("publish")
    assert event.state.entrants[5].since == 1
    assert 5 in [n for name in event.state.now.matches for n in event.state.matches[name].players]
    assert event.see("/rounds/1/verify")["ok"]


def test_who_leaves_a_proposed_round_is_not_in_the_published_one(desk):
    event = desk(6)
    event.say("start")
    event.say("pair")
    event.house()
    event.say("drop", number=6)
    problem(event.say("publish", None), 422, "illegal")
    event.house()
    event.say("publish")
    assert event.state.now.attempt == 2
    assert 6 not in [n for name in event.state.now.matches for n in event.state.matches[name].players]


def test_nobody_enters_where_who_meets_whom_is_fixed(desk, person):
    event = desk(4, [{"kind": "robin"}], late="loss")
    event.say("start")
    problem(event.register(person(), None), 409, "over")


def test_tables_and_byes_of_ones_own_are_kept_and_do_not_undo_each_other(desk):
    event = desk(6, [{"kind": "pods", "rounds": 1, "pod": 3}], family="pods")
    event.say("awards", number=3, table=9)
    event.say("awards", number=3, awarded=0)
    assert event.state.entrants[3].table == 9
    refused = problem(event.say("awards", None, number=4, table=9), 422, "illegal")
    assert refused["errors"][0]["pointer"] == "/table"
    problem(event.say("awards", None, number=4), 422, "illegal")
    event.say("start")
    matches = event.round()
    assert next(match["table"] for match in matches if 3 in match["players"]) == 9


def test_the_round_clock_is_extended_for_one_table_or_for_all(desk):
    event = desk(4, round_ms=3_000_000)
    event.say("start")
    one, two = event.round()
    event.say(f"matches/{one['id']}/extend", ms=60_000)
    event.say("extensions", ms=300_000)
    ends = {match["id"]: match["ends_at"] for match in event.see()["round"]["matches"]}
    assert ends[one["id"]] == one["ends_at"] + 360_000
    assert ends[two["id"]] == two["ends_at"] + 300_000
    event.rule_all()
    problem(event.say("extensions", None, ms=1), 422, "illegal")
    assert event.round()[0]["ends_at"] is not None


def test_rounds_and_cuts_are_proposed_and_can_be_changed(desk):
    event = desk(9, [{"kind": "swiss"}, {"kind": "single", "cut": -1}])
    stage = event.see()["stages"][0]
    assert (stage["proposed"]["rounds"], stage["proposed"]["cut_after"]) == (5, 4)
    event.say("plan", stage=0, rounds=2)
    event.say("start")
    assert event.see()["stages"][0]["rounds"] == 2
    event.round()
    event.rule_all()
    problem(event.say("plan", None, stage=0, rounds=0), 422, "illegal")
    problem(event.say("plan", None, stage=0, cut=2), 409, "over")
    problem(event.say("plan", None, stage=7, rounds=2), 422, "illegal")
    event.say("plan", stage=0, rounds=1)
    event.say("advance")
    assert len(event.state.seeds[1]) == 4, "as the tables propose for nine"
    assert "round robin" in desk(4, [{"kind": "swiss", "rounds": 3}]).see()["stages"][0]["warning"]


def test_clubs_are_kept_apart_and_their_names_can_be_erased(desk, person):
    event = desk(0, [{"kind": "swiss", "rounds": 3, "apart": 1}])
    people = [person() for _ in range(8)]
    spelled = ["Chess Club Nord", "chess  club NORD", "Süd", "SÜD "]
    for at, someone in enumerate(people):
        event.register(someone, group=spelled[at % 4])
    event.say("start")
    pairs = [sorted(match["players"]) for match in event.round()]
    nord = {1, 2, 5, 6}
    assert all(len(set(pair) & nord) == 1 for pair in pairs), "the spelling does not matter"
    log = b"".join(bytes(stored.envelope) for stored in store.read(event.stream))
    assert b"Nord" not in log
    assert b"nord" not in log.lower()
    groups = {one["number"]: one["group"] for one in event.see("/entrants")["data"]}
    assert groups[1] == "Chess Club Nord"
    assert event.see("/rounds/1/verify")["ok"]
    erase(people[0].user, people[0].password)
    groups = {one["number"]: one["group"] for one in event.see("/entrants")["data"]}
    assert groups[1] is None
    assert groups[5] == "Chess Club Nord"
    assert event.see("/rounds/1/verify")["ok"], "the pairing can still be computed again"
    assert event.state.entrants[1].status == "dropped", "and nobody is paired with nobody"
    assert verification.check(event.stream).ok
    event.rule_all()
    event.say("finish")
    event.say("close")
    assert not GroupSalt.objects.filter(stream=event.stream).exists()
    export = b"".join(event.organiser.read(f"/tournaments/{event.stream}/export").streaming_content)
    assert len(checker.check(export.decode().splitlines())) == 1


def test_my_matches_in_all_tournaments(desk, person):
    someone, other = person(), person()
    mine = Api(someone.token)
    assert json.loads(mine.read("/me/matches").content)["data"] == []
    running, waiting, over = desk(0), desk(0, title="Spring Open"), desk(0)
    for event in (running, waiting, over):
        for player in (someone, other):
            event.register(player)
    for event in (running, over):
        event.say("start")
        event.round()
    over.rule_all()
    over.say("finish")
    found = json.loads(mine.read("/me/matches").content)["data"]
    assert [one["tournament"] for one in found] == [waiting.stream, running.stream], (
        "the newest first, none that is over"
    )
    assert found[0]["match"] is None
    assert found[0]["title"] == "Spring Open"
    assert found[1]["match"]["id"] == "r1t1"
    assert found[1]["opponents"] == [{"number": 2, "name": other.user.name, "bot": ""}]
    assert "report" in found[1]["say"]
    first = json.loads(mine.read("/me/matches?limit=1").content)
    assert first["has_more"]
    rest = json.loads(mine.read(first["next"].partition("/api/v1")[2]).content)
    assert ([one["tournament"] for one in rest["data"]], rest["has_more"]) == ([running.stream], False)


def test_long_lists_come_in_pages(desk):
    event = desk(0, [{"kind": "swiss", "rounds": 1}], rulebook="highcard", best_of=1)
    event.say("bots", count=231)
    assert len(event.see()["entrants"]) == 200
    assert event.see()["counts"] == {"in": 231}

    def all_of(place: str, key: str) -> list:
        found, link, pages = [], place, 0
        while link:
            page = event.see(link)
            found += page[key]
            link, pages = (page["next"] or "").partition(event.stream)[2], pages + 1
        assert pages == 3
        return found

    assert [one["number"] for one in all_of("/entrants?limit=100", "data")] == list(range(1, 232))
    event.say("start")
    event.round()
    assert [one["rank"] for one in all_of("/standings?limit=100", "lines")] == list(range(1, 232))
    tables = [one["table"] for one in all_of("/rounds/1?limit=50", "matches")]
    assert tables == list(range(1, 117))


def test_the_desk_says_what_waits(desk):
    event = desk(6, round_ms=1)
    event.say("start")
    one, two, three = event.round()
    a, b = one["players"]
    event.say(f"matches/{one['id']}/report", who=event.players[a], wins=[2, 0])
    event.say(f"matches/{one['id']}/report", who=event.players[b], wins=[2, 1])
    event.say(f"matches/{two['id']}/dispute", who=event.players[two["players"][0]], reason="he looked at my cards")
    event.say(f"matches/{three['id']}/report", who=event.players[three["players"][0]], wins=[2, 0])
    found = event.see("/desk")
    assert [dispute["id"] for dispute in found["disputes"]] == [one["id"], two["id"]]
    assert found["disputes"][0]["reported"]["wins"] == [2, 0]
    assert found["disputes"][0]["reported_otherwise"]["wins"] == [2, 1]
    assert found["disputes"][1]["reason"] == "he looked at my cards"
    assert found["disputes"][1]["called_by"] == two["players"][0]
    assert [match["id"] for match in found["unconfirmed"]] == [three["id"]]
    assert len(found["overdue"]) == 3
    assert found["round"]["open"] == 3
    event.say(f"matches/{one['id']}/rule", wins=[2, 1], reason="both looked again")
    assert [dispute["id"] for dispute in event.see("/desk")["disputes"]] == [two["id"]]
