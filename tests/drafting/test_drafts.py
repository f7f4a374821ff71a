"""Whole drafts over HTTP: what each seat sees, what is refused, what remains."""

import itertools
import json
import secrets
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from decks import services as decks
from drafting import services
from events import heads, store, verification
from games import tasks
from games.kernel import rulebook, view
from games.kernel.playout import random_game
from games.kernel.rulebook import Setup
from tests.drafting.play import Drafter
from tests.http import Api, problem
from tests.rules import rule

VERIFIER = Path(__file__).resolve().parents[2] / "events" / "verifier.py"
TWO = {"packs": 2}


@rule("epic", "EP-17.1", "EP-17.2", "EP-17.5", "RU-53", "SC-64")
def test_an_epic_draft_from_the_lobby_to_the_game(draft):
    pod = draft(4, options={"packs": 3})
    assert {len(drafter.pack) for drafter in pod.drafters} == {15}
    pod.play_out()
    view = pod[0].see()
    assert (view["phase"], view["table"]["outcome"]["result"]) == ("over", "drafted")
    assert [len(cards) for cards in view["pool"].values()] == [0, 30, 15]
    pool = pod[1].see("/pool")
    assert (sum(pool["pool"].values()), pool["format"]) == (45, "epic/draft")
    built = services.decks(pod.draft)
    for seat, drafted in services.pools(pod.draft).items():
        assert decks.check("epic/draft", built[seat], drafted) == []
    made = pod[1].say("games", seats=[1, 3])
    game = made["stream"]
    for seat, drafter in enumerate((pod[1], pod[3])):
        mine = json.loads(drafter.read(f"/games/{game}").content)
        assert mine["you"] == seat
        assert Counter(mine["seats"][seat]["deck"]["deck"]) == Counter(built[1 + 2 * seat]["deck"])
        assert "deck" not in mine["seats"][1 - seat], "decks are sealed to their seats"
    for drafter in (pod[1], pod[3]):
        assert drafter.do(f"/games/{game}/ready", {"command_id": "r"}).status_code == 201
    begun = json.loads(pod[1].read(f"/games/{game}").content)
    assert begun["phase"] == "play"
    assert begun["table"]["zones"]["deck:0"]["count"] + begun["table"]["zones"]["hand:0"]["count"] == 30


@rule("epic", "EP-17.5")
def test_packs_go_left_then_right_and_nobody_sees_anothers(draft):
    pod = draft(3, options=TWO)
    first = [set(drafter.pack) for drafter in pod.drafters]
    for seat in (0, 1, 2):
        pod[seat].say("picks", decision=pod[seat].asked["id"], take=[pod[seat].pack[0]])
    second = [set(drafter.pack) for drafter in pod.drafters]
    assert all(len(second[(seat + 1) % 3] & first[seat]) == 14 for seat in range(3))
    for seat, drafter in enumerate(pod.drafters):
        zones = drafter.see()["table"]["zones"]
        seen = {name for name, zone in zones.items() if any(card and "key" in card for card in zone.get("cards", []))}
        held = {name for name in zones if name.startswith("pack:") and set(drafter.pack) == keys(zones[name])}
        assert seen == held | {f"pool:{seat}"}
    while pod[0].see()["seats"][0]["picks"] < 15:
        waited = pod[0].see()["waits_for"]
        for seat in waited:
            if pod[seat].asked and pod[seat].see()["seats"][seat]["picks"] < 15:
                pod[seat].say("picks", decision=pod[seat].asked["id"], take=[pod[seat].asked["options"][0]["id"]])
    third = [set(drafter.pack) for drafter in pod.drafters]
    for seat in (0, 1, 2):
        pod[seat].say("picks", decision=pod[seat].asked["id"], take=[pod[seat].pack[0]])
    fourth = [set(drafter.pack) for drafter in pod.drafters]
    assert all(len(fourth[(seat - 1) % 3] & third[seat]) == 14 for seat in range(3))


def keys(zone) -> set[str]:
    return {card["key"] for card in zone.get("cards", []) if card and "key" in card}


def test_packs_queue_at_a_slow_seat_and_it_sees_only_the_first(draft):
    pod = draft(3, options=TWO)
    slow = set(pod[1].pack)
    for _ in range(3):
        for seat in (0, 2):
            if asked := pod[seat].asked:
                pod[seat].say("picks", decision=asked["id"], take=[asked["options"][0]["id"]])
    assert pod[1].see()["seats"][1]["packs_waiting"] == 3, "the others went on as far as packs came"
    assert pod[0].asked is pod[2].asked is None
    assert set(pod[1].pack) == slow
    pod[1].say("picks", decision=pod[1].asked["id"], take=[pod[1].pack[0]])
    assert set(pod[1].pack) != slow
    assert pod[2].asked, "and its pack has gone on"


def test_bad_picks_are_refused_and_change_nothing(draft):
    pod = draft(3, options=TWO)
    seq = pod[0].see()["seq"]
    mine, theirs = pod[0].asked, pod[1].asked
    a_card = mine["options"][0]["id"]
    not_there = next(f"EP{n:03}" for n in range(1, 121) if f"EP{n:03}" not in pod[0].pack)
    refused = [
        ({"decision": mine["id"], "take": [not_there]}, 422, "illegal"),
        ({"decision": mine["id"], "take": [a_card, mine["options"][1]["id"]]}, 422, "illegal"),
        ({"decision": mine["id"], "take": [a_card], "burn": [mine["options"][1]["id"]]}, 422, "illegal"),
        ({"decision": mine["id"], "take": ["カード"]}, 422, "illegal"),
        ({"decision": mine["id"], "take": ["x"] * 10_000}, 422, "invalid_body"),
        ({"decision": theirs["id"], "take": [theirs["options"][0]["id"]]}, 403, "not_yours"),
        ({"decision": "d999", "take": [a_card]}, 409, "stale"),
    ]
    for body, status, code in refused:
        problem(pod[0].say("picks", expect=None, **body), status, code)
    assert pod[0].see()["seq"] == seq
    command = secrets.token_hex(8)
    first = pod[0].say("picks", command_id=command, decision=mine["id"], take=[a_card])
    again = pod[0].say("picks", command_id=command, decision=mine["id"], take=[a_card])
    assert first == again, "a retry gets the first answer"
    problem(pod[0].say("picks", expect=None, decision=mine["id"], take=[a_card]), 409, "stale")
    stranger = Api(pod[0].someone.minted("games:read"))
    problem(
        stranger.do(f"/drafts/{pod.draft}/picks", {"command_id": "x", "decision": "d1", "take": ["c1"]}),
        403,
        "missing_scope",
    )
    assert pod[0].see()["seq"] == seq + 1


@rule("epic", "EP-17.2")
def test_a_deck_is_built_from_exactly_the_own_pool(draft):
    pod = draft(2, options={"style": "sealed", "packs": 3})
    asked = pod[0].asked
    assert (asked["kind"], asked["least"], len(asked["options"])) == ("build_deck", 30, 45)
    pool = Counter(card["key"] for card in asked["options"])
    enough = dict((pool - Counter(list(pool.elements())[30:])).items())
    once = next(key for key, n in pool.items() if n == 1)
    strange = next(f"EP{n:03}" for n in range(1, 121) if f"EP{n:03}" not in pool)
    twice = problem(
        pod[0].say("deck", expect=None, decision=asked["id"], cards=enough | {once: 2, strange: 1}), 422, "illegal"
    )
    assert {(e["code"], e["rule"]) for e in twice["errors"]} == {("not_in_pool", "EP-17.2")}
    assert len(twice["errors"]) == 2
    theirs = [problem(pod[1].say("deck", expect=None, decision=asked["id"], cards={card: 1}), 403, "not_yours")
              for card in (once, strange)]  # fmt: skip
    assert theirs[0]["detail"] == theirs[1]["detail"], "nobody learns of another's pool by asking"
    few = dict(list(enough.items())[:5])
    assert (
        problem(pod[0].say("deck", expect=None, decision=asked["id"], cards=few), 422, "illegal")["errors"][0]["rule"]
        == "EP-17.2"
    )
    pod[0].say("deck", decision=asked["id"], cards=enough)
    assert pod[0].see()["phase"] == "play"
    pod[1].answer(pod[1].asked, Random(1))
    assert services.decks(pod.draft)[0]["deck"] == dict(sorted(enough.items()))
    assert sum(services.decks(pod.draft)[0]["sideboard"].values()) == 15


@rule("theos", "TH-4.4", "TH-4.9", "TH-4.12", "TH-4.13", "TH-4.14", "TH-4.15", "TS-5", "TR-19")
def test_a_theos_open_draft(draft):
    pod = draft(2, rulebook="theos_draft")
    zones = pod[0].see()["table"]["zones"]
    assert len(zones["draft pool"]["cards"]) == 28
    assert all("key" in card for card in zones["draft pool"]["cards"])
    turns = []
    while waited := pod[0].see()["waits_for"]:
        turns += waited
        pod[waited[0]].answer(pod[waited[0]].asked, Random(len(turns)))
    assert len(turns) == 24
    assert all(a != b for a, b in itertools.pairwise(turns))
    built = services.decks(pod.draft)
    assert [sum(deck["deck"].values()) for deck in built.values()] == [12, 12]
    assert decks.check("theos/draft", built[0], services.pools(pod.draft)[0]) == []
    assert "key" not in str(pod[0].see()["table"]["zones"]["deck:1"])
    game = pod[0].say("games")["stream"]
    for drafter in pod.drafters:
        assert drafter.do(f"/games/{game}/ready", {"command_id": "r"}).status_code == 201
    assert json.loads(pod[0].read(f"/games/{game}").content)["phase"] == "play"


@rule("theos", "TH-4.20", "TH-4.21", "TH-4.22", "TH-4.23", "TH-4.24", "TH-4.25", "TH-4.26")
@rule("theos", "TH-4.27", "TH-4.28", "TH-4.29", "TS-6", "TS-7")
def test_a_theos_pass_draft_of_three(draft):
    pod = draft(3, rulebook="theos_draft", options={"draft_seats": [0, 1, 2]})
    view = pod[0].see()
    assert len(view["table"]["zones"]["set aside"]["cards"]) == 12
    before = [set(drafter.pack) for drafter in pod.drafters]
    for seat in (0, 1):
        pod[seat].say("picks", decision=pod[seat].asked["id"], take=[pod[seat].pack[0]])
    assert pod[0].see()["table"]["zones"]["drafted:1"]["count"] == 0, "nothing is shown before all have chosen"
    pod[2].say("picks", decision=pod[2].asked["id"], take=[pod[2].pack[0]])
    assert len(keys(pod[0].see()["table"]["zones"]["drafted:2"])) == 1
    assert all(set(pod[(seat + 1) % 3].pack) < before[seat] for seat in range(3))
    pod.play_out()
    assert [sum(deck["deck"].values()) for deck in services.decks(pod.draft).values()] == [12, 12, 12]
    assert keys(pod[1].see()["table"]["zones"]["deck:0"]) == set()


@rule("theos", "TH-4.23", "TS-8")
@pytest.mark.parametrize(("seats", "size"), [(4, 12), (5, 12), (6, 10)])
def test_theos_pass_drafts_of_four_to_six(seats, size):
    *_, last = random_game(rulebook("theos_draft"), Setup(seats), seed=seats)
    assert {len(last.table.zones[f"deck:{seat}"].cards) for seat in range(seats)} == {size}


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, {"style": "winston", "packs": 1}),
        (2, {"style": "grid", "rounds": 3}),
        (3, {"style": "rotisserie", "rounds": 5}),
        (2, {"style": "rochester", "packs": 1}),
        (2, {"packs": 1, "picks": 2, "burns": 2, "build": 0}),
        (2, {"set": "titans", "packs": 1, "size": 8}),
    ],
)
def test_other_drafts_end_too(draft, seats, options):
    pod = draft(seats, options=options)
    assert pod.play_out() > 0
    assert pod[0].see()["phase"] == "over"
    assert verification.check(pod.draft).ok


@pytest.mark.parametrize(
    ("style", "options"), [("rotisserie", {"rounds": 31}), ("rochester", {"packs": 3}), ("winston", {"packs": 6})]
)
def test_decks_are_built_and_played_after_other_drafts_too(draft, style, options):
    pod = draft(2, options={"style": style, "build": 30} | options)
    pod.play_out()
    built = services.decks(pod.draft)
    assert decks.check("epic/draft", built[0], services.pools(pod.draft)[0]) == []
    assert sum(built[0]["deck"].values()) >= 30
    assert "key" not in str(pod[0].see()["table"]["zones"]["deck:1"])
    assert pod[0].say("games")["do"] == "create"


def test_options_that_make_no_sense_are_refused(person):
    client = Api(person().token)
    for options in (
        {"style": "chess"}, {"set": "uno"}, {"cube": ["EP999"]}, {"cube": ["EP001"] * 5}, {"packs": 0}, {"what": 1},
        {"packs": 1, "build": 40}, {"picks": 9, "burns": 9},
    ):  # fmt: skip
        body = {"command_id": secrets.token_hex(4), "seats": 4, "options": options}
        assert problem(client.do("/drafts", body), 422, "illegal")["errors"]
    body = {
        "command_id": "cube",
        "seats": 2,
        "options": {"style": "rotisserie", "cube": ["Flesh Fire"] * 4, "rounds": 2},
    }
    assert "did you mean Flash Fire?" in problem(client.do("/drafts", body), 422, "illegal")["detail"]
    body["options"] |= {"cube": ["flash fire", "EP001", "At Any Price", "Rushing In"], "ratings": {"Flash Fire": 9}}
    made = json.loads(client.do("/drafts", body).content)["action"]["options"]
    flash = decks.checking.catalogue("epic")
    assert [flash[key].name for key in made["cube"]] == ["Flash Fire", "At Any Price", "At Any Price", "Rushing In"]
    assert [flash[key].name for key in made["ratings"]] == ["Flash Fire"], "a cube names cards as people do"
    game = {"command_id": "g", "rulebook": "draft", "seats": 2}
    assert problem(client.do("/games", game), 422, "illegal")["errors"][0]["pointer"] == "/rulebook"


def test_an_exported_draft_is_checked_by_others_and_every_pack_made_again(draft, tmp_path):
    pod = draft(2, options=TWO)
    pod.play_out()
    problem(pod[1].say("open-seals", expect=None), 403, "not_yours")
    closed = b"".join(pod[1].read(f"/drafts/{pod.draft}/export").streaming_content)
    pod[0].say("open-seals")
    opened = b"".join(pod[1].read(f"/drafts/{pod.draft}/export").streaming_content)
    for name, data, word in (("closed", closed, "NOT CHECKED"), ("opened", opened, "draws recomputed")):
        file = tmp_path / f"{name}.jsonl"
        file.write_bytes(data)
        run = subprocess.run([sys.executable, "-I", str(VERIFIER), str(file)], capture_output=True, text=True)
        assert run.returncode == 0, run.stdout
        shuffles = next(line for line in run.stdout.splitlines() if "shuffles" in line)
        assert word in shuffles
    labels = opened.decode().count('"label":"pack 1 of seat 0 rare"')
    assert labels == 1
    assert verification.check(pod.draft).ok
    assert pod[1].see("/verify")["ok"]
    forged = tmp_path / "forged.jsonl"
    forged.write_bytes(opened.replace(b'"label":"pack 1 of seat 0 rare"', b'"label":"pack 1 of seat 1 rare"'))
    assert subprocess.run([sys.executable, "-I", str(VERIFIER), str(forged)], capture_output=True).returncode == 1


def test_any_view_at_any_pick_can_be_rebuilt(draft):
    """Cold, from the log alone: the same packs, the same questions, for every seat at every event."""
    pod = draft(3, options={"packs": 1, "build": 0})
    seen = {}
    while True:
        state = pod[0].see()
        for seat, drafter in enumerate(pod.drafters):
            seen[state["seq"], seat] = {k: v for k, v in drafter.see().items() if k not in ("server_now", "you")}
        if not state["waits_for"]:
            break
        drafter = pod[state["waits_for"][0]]
        drafter.answer(drafter.asked, Random(state["seq"]))
    heads.heads.forget()
    for (seq, seat), was in seen.items():
        now = pod[seat].see(f"/state?at={seq}")
        assert {k: v for k, v in now.items() if k not in ("server_now", "you")} == was
    for seq in range(1, store.head_seq(pod.draft) + 1):
        state = heads.at(pod.draft, seq).state
        if state.table.rulebook:
            view(state.table, None)


def test_what_is_taken_and_what_is_burned_are_two_things(draft):
    pod = draft(2, options={"packs": 1, "picks": 2, "burns": 1, "build": 0})
    asked = pod[0].asked
    assert (asked["least"], asked["most"], asked["burn"]) == (2, 2, 1)
    one, two, three, *_ = (option["name"] for option in asked["options"])

    def refused(**body) -> list[tuple[str, str]]:
        said = problem(pod[0].say("picks", expect=None, decision=asked["id"], **body), 422, "illegal")
        return [(error["pointer"], error["code"]) for error in said["errors"]]

    assert refused(take=[one, two, three]) == [("/take", "too_many"), ("/burn", "too_few")]
    assert refused(take=[one, two], burn=["Огненная вспышка"]) == [("/burn/0", "unknown_option")]
    twice = asked["options"][0]["id"]
    assert refused(take=[twice, twice], burn=[three])[0][0].startswith("/take")
    body = {"command_id": "by-name", "decision": asked["id"], "take": [one, two], "burn": [three]}
    first = pod[0].say("picks", **body)
    pod[1].answer(pod[1].asked, Random(1))
    assert pod[0].say("picks", **body) == first, "names mean the same cards when a command is repeated"
    pool = {card["name"] for card in pod[0].see()["pool"]["pool"]}
    assert pool == {one, two}


def test_the_log_reads_well_and_tells_nobody_more_than_they_may_know(draft):
    pod = draft(2, options={"packs": 2, "burns": 1, "build": 0})
    mine = pod[0].asked
    taken, burned = mine["options"][0], mine["options"][1]
    pod[0].say("picks", decision=mine["id"], take=[taken["id"]], burn=[burned["id"]])

    def told(seat: int) -> list[str]:
        return [line["text"] for line in pod[seat].see("/narration?limit=200")["data"]]

    me = pod[0].someone.user.name.capitalize()
    place = told(0).index(f"{me} takes {taken['name']}.")
    assert told(0)[place + 1] == f"{burned['name']} is burned."
    assert f"{me} takes a card." in told(1)
    names = {option["name"] for option in mine["options"]} - {option["name"] for option in pod[1].asked["options"]}
    assert not [line for line in told(1) if any(name in line for name in names)]
    assert not [line for seat in (0, 1) for line in told(seat) if "game" in line.lower()]
    pod.play_out()
    pod[0].say("open-seals")
    assert f"{me} takes {taken['name']}." in told(1), "when the seals are open everybody reads everything"
    assert told(1)[-1].startswith("The seals are opened")
    assert "The draft is over." in told(1)


def test_refusals_speak_of_drafts(draft, person):
    pod = draft(2, options={"packs": 1, "build": 0})
    stranger = Drafter(person(), pod.draft)
    said = [
        problem(stranger.say("picks", expect=None, decision="d1", take=["EP001"]), 403, "not_yours"),
        problem(stranger.say("join", expect=None, seat=0), 422, "illegal"),
        problem(pod[0].say("abort", expect=None), 422, "illegal"),
        problem(pod[0].say("leave", expect=None), 422, "illegal"),
    ]
    pod.play_out()
    said.append(problem(pod[0].say("picks", expect=None, decision="d1", take=["EP001"]), 409, "over"))
    assert all("draft" in one["detail"] and "game" not in one["detail"] for one in said), said


def test_bots_and_drops_do_not_stop_a_draft(person):
    host = Drafter(person())
    made = host.do("/drafts", {"command_id": "c", "seats": 3, "options": {"packs": 1, "build": 0}, "join": {"seat": 0}})
    host.draft = json.loads(made.content)["stream"]
    host.say("bots", bot="random")
    assert tasks.play_on(host.draft) > 2, "bots pick as long as packs come"
    host.answer(host.asked, Random(1))
    tasks.play_on(host.draft)
    host.say("drop")
    tasks.play_on(host.draft)
    assert host.see()["table"]["outcome"]["result"] == "drafted"
    assert {sum(pool.values()) for pool in services.pools(host.draft).values()} == {15}


def test_bots_play_on_with_what_they_drafted(person):
    host = Drafter(person())
    made = host.do("/drafts", {"command_id": "c", "seats": 2, "rulebook": "theos_draft", "join": {"seat": 0}})
    host.draft = json.loads(made.content)["stream"]
    host.say("bots", bot="random")
    while host.see()["phase"] == "play":
        tasks.play_on(host.draft)
        if asked := host.asked:
            host.answer(asked, Random(1))
    command = {"command_id": "g"}
    game = json.loads(host.do(f"/drafts/{host.draft}/games", command).content)["stream"]
    assert json.loads(host.do(f"/drafts/{host.draft}/games", command).content)["stream"] == game
    assert host.do(f"/games/{game}/ready", {"command_id": "r"}).status_code == 201
    state = heads.current(game).state
    assert (state.phase, state.chairs[1].bot) == ("play", "random")
    assert Counter(state.chairs[1].deck) == services.pools(host.draft)[1]


def test_lists_know_drafts_from_games(draft):
    pod = draft(2, options=TWO)
    listed = json.loads(pod[0].read("/drafts?which=mine").content)["data"]
    assert [line["game"] for line in listed] == [pod.draft]
    assert pod.draft not in str(json.loads(pod[0].read("/games?which=mine").content))
    problem(pod[0].read(f"/games/{pod.draft}"), 404, "unknown")


@rule("epic", "EP-17.2", "RU-54")
def test_sealed_pack_two_leaves_no_choice(draft):
    pod = draft(3, options={"style": "sealed", "packs": 2})
    assert pod[0].see()["table"]["outcome"]["result"] == "drafted"
    assert {sum(deck["deck"].values()) for deck in services.decks(pod.draft).values()} == {30}
    assert all("sideboard" not in deck for deck in services.decks(pod.draft).values())
