"""Many writers, several processes, each with a cache of its own."""

import json
import os
import subprocess
import sys
from collections import Counter

from django.db import connection

from events import heads, store
from events.canonical import digest

SEATS, PROCESSES, WRITERS, ROUNDS = 6, 4, 15, 8


def test_sixty_writers_on_one_stream_are_all_treated_right(counter):
    """No correct command is refused, no wrong one accepted, each repeated command gets its first answer."""
    stream = counter(seats=SEATS)
    environment = {**os.environ, "ARBITER_TEST_DATABASE": connection.settings_dict["NAME"]}
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.events.writer", stream, *map(str, (SEATS, WRITERS, ROUNDS, seed))],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for seed in range(PROCESSES)
    ]  # fmt: skip
    results = [process.communicate(timeout=120) for process in processes]
    assert [process.returncode for process in processes] == [0] * PROCESSES, [err[-2000:] for _, err in results]
    lines = [json.loads(line) for out, _ in results for line in out.splitlines()]

    accepted = [line for line in lines if "ok" in line]
    refused = [line for line in lines if "refused" in line]
    events = store.read(stream)
    stored = {event.cmd: event for event in events}
    # Each decision took exactly one answer per seat, and nothing else was written.
    assert Counter((line["ok"], line["seat"]) for line in accepted if line["attempt"] == 0) == {
        (f"d{n}", seat): 1 for n in range(1, ROUNDS + 1) for seat in range(SEATS)
    }
    assert len(events) == 1 + SEATS * ROUNDS
    # A repeated command: the very same event.
    assert all(
        (stored[line["cmd"]].seq, stored[line["cmd"]].hash.hex()) == (line["seq"], line["hash"]) for line in accepted
    )
    repeats = [line for line in accepted if line["attempt"] == 1]
    assert repeats, "no lost reply was simulated: the test proves nothing"
    # A refusal is right only if, where it was made, the decision was closed or the seat had answered it.
    answered = {(event.content["body"]["action"]["decision"], event.content["body"]["action"]["seat"]): event.seq
                for event in events[1:]}  # fmt: skip
    assert {line["refused"] for line in refused} <= {"stale"}
    assert all(answered[line["decision"], line["seat"]] <= line["seq"] for line in refused)
    assert all(line["cmd"] not in stored for line in refused)
    assert {line["wrong"] for line in lines if "wrong" in line} == {"stale"}

    for before, event in zip([None, *events], events, strict=False):
        assert event.hash == digest("event", event.envelope)
        assert event.prev == (before.hash if before else store.stream_key(stream).genesis)
    heads.heads.forget()
    assert heads.current(stream).state.round == ROUNDS + 1
