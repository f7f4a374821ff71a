"""Pick clocks: falling times, pauses, picks by the house, seats that are absent and come back."""

from random import Random

from drafting.clock import decisions_in_a_pack, fitted, paced
from events import commands, deadlines, heads, store
from games import tasks
from tests.http import problem

TWO = {"packs": 2}


def fire(pod) -> None:
    deadlines.project(heads.current(pod.draft))
    deadlines.fire_stream(pod.draft)


def due(pod) -> dict[str, int]:
    head = heads.current(pod.draft)
    return {one.action["of"]: one.at for one in head.decider.due(head.state)}


def test_pick_times_fall_within_a_pack_and_begin_anew_with_the_next(draft, clock):
    pod = draft(2, options=TWO, clock={"pace": "table"})
    rng = Random(1)
    times = []
    while pod[0].see()["waits_for"]:
        for drafter in pod.drafters:
            asked = drafter.asked
            if asked:
                times.append(round((asked["deadline"] - drafter.see()["server_now"]) / 1000))
                drafter.answer(asked, rng)
    fourteen = [40, 40, 35, 30, 25, 25, 20, 20, 15, 10, 10, 5, 5, 5]
    assert times[::2] == fourteen * 2
    assert paced("online", 14)[:3] == [75_000, 70_000, 65_000]
    assert min(paced("online", 44)) == 10_000
    assert decisions_in_a_pack("draft", {"picks": 2, "burns": 1}) == 5
    assert decisions_in_a_pack("draft", {"style": "rotisserie", "rounds": 20}) == 20
    assert fitted([9_000, 5_000], 5) == [9_000, 5_000, 5_000, 5_000, 5_000], "the last time holds to the pack's end"
    assert fitted([2_000], 14) == [2_000]
    assert pod[0].see()["phase"] == "over"


def test_the_house_picks_for_a_silent_seat_once_and_says_so(draft, clock):
    pod = draft(2, options=TWO, clock={"pick_ms": [2000]})
    pack, seq = pod[1].pack, pod[0].see()["seq"]
    asked = pod[1].asked
    clock.forward(1_999)
    fire(pod)
    assert pod[0].see()["seq"] == seq, "not before its time"
    clock.forward(2)
    too_late = {"decision": asked["id"], "take": [asked["options"][0]["id"]]}
    over = problem(pod[1].say("picks", expect=None, **too_late), 409, "stale")
    assert "time" in over["detail"]
    assert (pod[0].see()["seq"], pod[1].see("/pool")["pool"]) == (seq, {}), "also before the house has picked"
    fire(pod)
    fire(pod)
    events = store.read(pod.draft, seq)
    assert [(event.do, event.actor, event.content["body"]["action"]["of"]) for event in events][:2] in (
        [("timeout", "arbiter", 0), ("timeout", "arbiter", 1)],
        [("timeout", "arbiter", 1), ("timeout", "arbiter", 0)],
    )
    assert len(events) == 2
    late = problem(pod[1].say("picks", expect=None, **too_late), 409, "stale")
    assert late["seq"] == seq + 2
    [taken] = pod[1].see("/pool")["pool"]
    assert taken in pack
    assert "path" not in events[0].content["body"]["action"], "what was picked is the seat's own secret"


def test_the_house_picks_by_rating_where_there_is_one(draft, clock):
    ratings = {f"EP{n:03}": n for n in range(1, 121)}
    pod = draft(2, options=TWO | {"ratings": ratings}, clock={"pick_ms": [2000]})
    best = max(pod[0].pack)
    clock.forward(2_000)
    fire(pod)
    assert list(pod[0].see("/pool")["pool"]) == [best]


def test_an_absent_seat_costs_the_others_its_clock_and_can_come_back(draft, clock):
    pod = draft(3, options=TWO, clock={"pick_ms": [2000]})
    began = commands.now_ms()
    for _ in range(4):
        pod.play_out(seats={0, 2})
        clock.forward(due(pod)[1] - commands.now_ms())
        fire(pod)
    assert commands.now_ms() - began <= 4 * 2_000
    assert pod[1].see()["seats"][1]["picks"] == 4
    pod[1].answer(pod[1].asked, Random(1))
    assert pod[1].see()["seats"][1]["picks"] == 5


def test_a_seat_left_to_a_bot_is_picked_for_and_can_be_taken_back(draft, clock):
    """By hand, or by the terms when its time is over."""
    pod = draft(2, options=TWO, clock={"pick_ms": [2000]}, on_timeout="bot")
    pod[0].say("hand-over", to="random")
    tasks.play_on(pod.draft)
    assert [seat["picks"] for seat in pod[1].see()["seats"]] == [1, 0]
    clock.forward(2_000)
    fire(pod)
    assert [bool(seat["bot"]) for seat in pod[1].see()["seats"]] == [True, True]
    assert pod[1].see()["seats"][1]["picks"] == 0, "the bot picks, not the house"
    pod[1].say("take-over", seat=1)
    before = pod[1].pack
    pod[1].answer(pod[1].asked, Random(1))
    tasks.play_on(pod.draft)
    pod[0].say("take-over", seat=0)
    assert [seat["bot"] for seat in pod[0].see()["seats"]] == [None, None]
    [mine] = pod[1].see("/pool")["pool"]
    assert mine in before
    problem(pod[1].say("take-over", expect=None, seat=0), 409, "exists")


def test_a_pause_keeps_everybodys_time(draft, clock, person):
    pod = draft(2, options=TWO, clock={"pick_ms": [5000]})
    clock.forward(2_000)
    problem(pod[1].say("pause", expect=None), 403, "not_yours")
    pod[0].say("pause")
    problem(pod[1].say("picks", expect=None, decision=pod[1].asked["id"], take=[pod[1].pack[0]]), 409, "paused")
    clock.forward(60_000)
    fire(pod)
    assert due(pod) == {}
    pod[0].say("resume")
    assert {at - commands.now_ms() for at in due(pod).values()} == {3_000}
    organiser = type(pod[0])(person("organiser"), pod.draft)
    organiser.say("pause")
    organiser.say("resume")
    clock.forward(3_000)
    fire(pod)
    assert pod[1].see()["seats"][1]["picks"] == 1


def test_after_a_restart_packs_deadlines_and_views_are_the_same_and_what_was_due_fires_once(draft, clock):
    pod = draft(2, options=TWO, clock={"pick_ms": [3000]})
    before = [drafter.see() for drafter in pod.drafters]
    stood = due(pod)
    heads.heads.forget()
    assert [{**drafter.see(), "server_now": 0} for drafter in pod.drafters] == [{**v, "server_now": 0} for v in before]
    assert due(pod) == stood
    clock.forward(30_000)
    heads.heads.forget()
    fire(pod)
    heads.heads.forget()
    fire(pod)
    assert [seat["picks"] for seat in pod[0].see()["seats"]] == [1, 1]
    assert [at - commands.now_ms() for at in due(pod).values()] == [3_000, 3_000]


def test_a_deck_nobody_builds_is_the_whole_pool(draft, clock):
    pod = draft(2, options={"style": "sealed", "packs": 3}, clock={"build_ms": 60_000})
    clock.forward(60_000)
    fire(pod)
    assert pod[0].see()["phase"] == "over"
    assert [len(cards) for cards in pod[0].see()["pool"].values()] == [0, 45, 0]
