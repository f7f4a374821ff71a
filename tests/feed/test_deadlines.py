"""Deadlines fire once, on time, and only if they still stand, whoever crashes in between."""

import os
import signal
import subprocess
import sys
import time

import pytest

from events import after, commands, deadlines, heads, heartbeats, hints, readmodels, store
from events.models import Deadline, DeadlineMark, Event, Heartbeat
from events.sequencer import SequencerLoop
from events.standby import StandbyLoop
from tests.conftest import ROOT, wait_for
from tests.counter import CounterDecider

LOOP = "import django; django.setup(); import tests.counter; from events.deadlines import SweepLoop; SweepLoop().run()"


@pytest.fixture
def clock(counter, do):
    """A counter whose question must be answered within so many milliseconds."""

    def begin(ms: int, seats: int = 1) -> str:
        stream = counter(seats=seats)
        do(stream, "a", {"do": "clock", "ms": ms})
        after.rows.settle()
        return stream

    return begin


def answers(stream: str) -> list[store.Stored]:
    """The events by which a deadline made itself felt."""
    return [event for event in store.read(stream) if event.do == "late"]


def rows(stream: str) -> list[tuple[str, int]]:
    return list(Deadline.objects.filter(stream=stream).values_list("key", "due_ms"))


def test_the_rows_are_what_is_due(clock, do):
    stream = clock(60_000)
    due = heads.current(stream).state.deadline
    assert rows(stream) == [("d1", due)]
    do(stream, "a", {"do": "clock", "ms": 90_000})
    after.rows.settle()
    assert rows(stream) == [("d1", heads.current(stream).state.deadline)] != [("d1", due)]
    do(stream, "a", {"do": "whisper", "seat": 0, "decision": "d1", "number": 1})
    after.rows.settle()
    assert rows(stream) == []


def test_it_fires_when_it_is_due_and_once(clock):
    stream = clock(0)
    later = clock(60_000)
    assert deadlines.sweep() >= 1
    assert [event.cmd for event in answers(stream)] == [deadlines.command_id(stream, "d1")]
    assert rows(stream) == []
    deadlines.sweep()
    assert len(answers(stream)) == 1
    assert answers(later) == []


def test_many_sweeps_at_once_are_one(clock, elsewhere):
    streams = [clock(0) for _ in range(10)]
    sweeps = [elsewhere(deadlines.sweep) for _ in range(4)]
    fired = sum(sweep.join() for sweep in sweeps)
    assert [len(answers(stream)) for stream in streams] == [1] * 10
    assert fired >= 10


def test_what_somebody_took_and_did_not_fire_comes_up_again(clock):
    """Killed between taking a row and firing it: nobody else has it for a moment, then everybody."""
    stream = clock(0)
    now = commands.now_ms()
    assert stream in deadlines.take(now)
    assert stream not in deadlines.take(now)
    assert stream in deadlines.take(now + deadlines.TAKEN_MS + 100)


def test_what_a_killed_worker_had_in_hand_fires_within_the_second(clock):
    stream = clock(0)
    assert stream in deadlines.take(commands.now_ms()), "by one that was killed right after"
    watch = deadlines.Watch().start_thread()
    try:
        event = wait_for(lambda: answers(stream), 5)[0]
    finally:
        watch.stop()
    assert deadlines.TAKEN_MS <= event.at - due_of(stream) < 1_000


def test_what_was_not_told_is_found_in_the_feed(counter, do, sequenced, monkeypatch):
    """Killed between the commit and the telling: nobody wrote a row."""
    stream = counter(seats=1)
    monkeypatch.setattr(commands, "LISTENERS", [])
    do(stream, "a", {"do": "clock", "ms": 0})
    assert rows(stream) == []
    sequenced()
    readmodels.catch_up_all()
    assert [key for key, _ in rows(stream)] == ["d1"]
    deadlines.sweep()
    assert len(answers(stream)) == 1


def test_what_no_longer_stands_does_nothing(clock, do):
    stream = clock(0)
    do(stream, "a", {"do": "whisper", "seat": 0, "decision": "d1", "number": 1})
    assert deadlines.fire_all({stream: ["d1"]}) == 0
    assert answers(stream) == []
    assert rows(stream) == []


def test_a_deadline_that_was_put_off_is_not_fired_by_its_old_row(clock, do):
    stream = clock(0)
    do(stream, "a", {"do": "clock", "ms": 60_000})
    assert deadlines.fire_all({stream: ["d1"]}) == 0
    assert answers(stream) == []


def test_an_older_state_does_not_overwrite_the_rows_of_a_newer_one(clock, do):
    stream = clock(1_000)
    older = heads.current(stream)
    do(stream, "a", {"do": "clock", "ms": 60_000})
    after.rows.settle()
    newer = rows(stream)
    deadlines.project(older)
    assert rows(stream) == newer


def test_a_deadline_that_cannot_be_fired_keeps_nobody_waiting(clock, monkeypatch):
    bad, good = clock(0), clock(0)
    decide = CounterDecider.decide

    def broken(self, state, action, secret, moment):
        if state.stream == bad and action["do"] == "late":
            raise ZeroDivisionError("a bug in the rules")
        return decide(self, state, action, secret, moment)

    with monkeypatch.context() as patch:
        patch.setattr(CounterDecider, "decide", broken)
        deadlines.sweep()
    row = Deadline.objects.get(stream=bad)
    assert len(answers(good)) == 1
    assert answers(bad) == []
    assert "a bug in the rules" in row.fault
    assert row.next_ms > commands.now_ms()
    assert row.tries == 1
    deadlines.sweep(row.next_ms)
    assert len(answers(bad)) == 1


def test_a_stream_that_cannot_be_read_stops_no_other(clock, sequenced, monkeypatch, forget):
    bad, good = clock(60_000), clock(60_000)
    Deadline.objects.filter(stream__in=[bad, good]).delete()
    DeadlineMark.objects.filter(stream__in=[bad, good]).delete()
    readmodels.Cursor.objects.filter(name="deadlines").update(pos=sequenced() - 4)
    due = CounterDecider.due
    with monkeypatch.context() as patch:
        patch.setattr(CounterDecider, "due", lambda self, state: 1 / 0 if state.stream == bad else due(self, state))
        readmodels.catch_up_all()
    assert [key for key, _ in rows(good)] == ["d1"]
    row = Deadline.objects.get(stream=bad)
    assert "cannot be told" in row.fault
    deadlines.sweep(row.next_ms)  # the bug is mended
    assert [key for key, _ in rows(bad)] == ["d1"]


def test_the_rebuilt_rows_are_the_same(clock, do, sequenced, forget):
    streams = [clock(60_000 + n) for n in range(3)]
    do(streams[1], "a", {"do": "whisper", "seat": 0, "decision": "d1", "number": 1})
    after.rows.settle()
    grown = [rows(stream) for stream in streams]
    assert [len(one) for one in grown] == [1, 0, 1]
    sequenced()
    forget()
    readmodels.rebuild(readmodels.MODELS["deadlines"])
    assert [rows(stream) for stream in streams] == grown


def test_the_sweep_wakes_for_the_moment_not_for_the_second(clock):
    """Embedded: the loop sleeps until the next deadline. A late start fires at once."""
    missed = clock(0)
    loop = deadlines.SweepLoop().start_thread()
    try:
        wait_for(lambda: answers(missed), 2)
        time.sleep(0.1)  # it sleeps now, for up to a second
        soon = clock(250)
        event = wait_for(lambda: answers(soon), 3)[0]
    finally:
        loop.stop()
    assert 0 <= event.at - due_of(soon) < 200


def test_a_killed_sweeper_loses_and_doubles_nothing(clock, process_env):
    """SIGKILL in the middle of firing, again and again; who comes next goes on."""
    streams = [clock(ms) for ms in range(0, 2_000, 40)]

    def fired() -> int:
        return Event.objects.filter(stream__in=streams, do="late").count()

    kills = 0
    while (before := fired()) < len(streams):
        sweeper = subprocess.Popen([sys.executable, "-c", LOOP], cwd=ROOT, env=process_env)
        try:
            wait_for(lambda before=before: fired() >= min(len(streams), before + 12), 30)
        finally:
            sweeper.send_signal(signal.SIGKILL)
            sweeper.wait()
        kills += 1
    assert kills > 2
    assert [len(answers(stream)) for stream in streams] == [1] * len(streams)


def test_without_celery_and_without_redis_they_fire_all_the_same(counter, do, monkeypatch, settings, caplog):
    """Beside the sequencer somebody notices that no worker has shown a sign of life."""
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(hints, "_client", None)
    monkeypatch.setattr(hints, "_away_until", 0.0)
    Heartbeat.objects.all().delete()
    stream = counter(seats=1)
    sequencer, standby = SequencerLoop().start_thread(), StandbyLoop().start_thread()
    try:
        do(stream, "a", {"do": "clock", "ms": 100})
        wait_for(lambda: answers(stream), 8)
        heartbeats._last.clear()
        heartbeats.beat("sweep")
        wait_for(lambda: "a worker does it again" in caplog.text, 5)
    finally:
        standby.stop()
        sequencer.stop()
    assert len(answers(stream)) == 1
    assert "Redis does not answer" in caplog.text


@pytest.mark.production
def test_celery_fires_on_time_and_a_killed_worker_is_replaced(clock, process_env):
    """Worker and beat as in the Procfile, the rules of the counter loaded; SIGKILL to all of it half way."""

    def start() -> subprocess.Popen:
        beat = ["--beat", "--scheduler", "celery.beat.Scheduler"]
        words = ["celery", "-A", "config.celery", "-q", "worker", *beat, "-I", "tests.counter", "-c", "2"]
        return subprocess.Popen([sys.executable, "-m", *words], cwd=ROOT, env=process_env, start_new_session=True)

    first = start()
    try:
        probe = clock(0)
        wait_for(lambda: answers(probe), 20)
        streams = [clock(ms) for ms in range(0, 2_000, 100)]
        time.sleep(1)
        os.killpg(first.pid, signal.SIGKILL)
        first.wait()
        second = start()
        try:
            wait_for(lambda: all(answers(stream) for stream in streams), 30)
            punctual = [clock(ms) for ms in range(1_000, 3_000, 100)]
            wait_for(lambda: all(answers(stream) for stream in punctual), 10)
        finally:
            os.killpg(second.pid, signal.SIGKILL)
            second.wait()
    finally:
        if first.poll() is None:
            os.killpg(first.pid, signal.SIGKILL)
            first.wait()
    assert [len(answers(stream)) for stream in streams] == [1] * len(streams)
    lateness = sorted(answers(stream)[0].at - due_of(stream) for stream in punctual)
    print("late by ms:", lateness)
    assert lateness[0] >= 0
    assert lateness[len(lateness) // 2] < 250  # nudged, not swept: a sweep alone is half a second late on average


def due_of(stream: str) -> int:
    return next(event for event in store.read(stream) if event.do == "clock").content["body"]["effects"][0]["at"]
