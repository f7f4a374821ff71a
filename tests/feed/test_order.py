"""Must show 5: whoever follows the feed misses nothing and sees nothing twice, whatever commits late or not at all."""

import random
import threading
import time

import pytest
from django.db import connection

from events import feed, heads
from events.models import Stream
from tests.conftest import wait_for
from tests.feed.conftest import Rollback, append, places

WRITERS = 6


def test_a_tailing_reader_misses_nothing_behind_slow_commits_and_rollbacks(counter, elsewhere, sequenced):
    """Six writers, half of the commits slow, a fifth rolled back; sequencer and reader start anew after every batch."""
    start = sequenced()
    streams = [counter() for _ in range(WRITERS)]
    each = 40 if connection.vendor == "postgresql" else 12
    done = threading.Event()

    def write(stream: str) -> int:
        chance = random.Random(stream)
        head, committed = heads.current(stream), 1

        def slow_or_gone() -> None:
            if chance.random() < 0.5:
                time.sleep(chance.uniform(0, 0.02))
            if chance.random() < 0.2:
                raise Rollback

        while committed <= each:
            try:
                head = append(head, before_commit=slow_or_gone)
                committed += 1
            except Rollback:
                continue
        return committed

    def sequence() -> None:
        while not done.is_set():
            feed.Integrator().integrate()
            connection.close()

    def follow() -> list[tuple[int, str, int]]:
        seen, cursor = [], start
        while not (done.is_set() and cursor == feed.size()):
            batch = feed.read(cursor, 7)
            seen += [(entry.pos, entry.event.stream, entry.event.seq) for entry in batch]
            cursor = batch[-1].pos if batch else cursor
            connection.close()
        return seen

    writers = [elsewhere(lambda stream=stream: write(stream)) for stream in streams]
    sequencer, reader = elsewhere(sequence), elsewhere(follow)
    committed = [writer.join(60) for writer in writers]
    wait_for(lambda: feed.size() == start + sum(committed), 30)
    done.set()
    sequencer.join()
    seen = reader.join()

    assert [pos for pos, _, _ in seen] == list(range(start + 1, start + len(seen) + 1))
    for stream, count in zip(streams, committed, strict=True):
        assert [seq for _, where, seq in seen if where == stream] == list(range(1, count + 1))


@pytest.mark.production
def test_what_commits_late_comes_later_and_holds_up_nobody(counter, elsewhere, sequenced):
    """The ids of the slow event are lower than those of the quick ones: a reader of ids would have passed it."""
    slow, quick = counter(), counter()
    before = sequenced()
    inserted, commit = threading.Event(), threading.Event()
    head = heads.current(slow)
    writer = elsewhere(lambda: append(head, before_commit=lambda: (inserted.set(), commit.wait(10))))
    assert inserted.wait(10)
    for count in (1, 2, 3):  # sequencers that start anew, each with the cursor the last one left
        append(heads.current(quick))
        assert sequenced() == before + count
    commit.set()
    writer.join()
    assert sequenced() == before + 4
    assert places(slow)[-1] == (2, before + 4)
    assert [seq for seq, _ in places(quick)] == [1, 2, 3, 4]


@pytest.mark.production
def test_within_a_stream_the_order_is_that_of_the_stream(counter, elsewhere, sequenced):
    """The transaction of event 3 began to write before the one of event 2: its transaction id is the lower one."""
    stream = counter()
    began, go_on = threading.Event(), threading.Event()

    def third() -> None:
        from django.db import transaction

        with transaction.atomic():
            Stream(id=f"other_{stream}", kind="x", seats=0, genesis=b"0" * 32, at_ms=0).save(force_insert=True)
            began.set()
            assert go_on.wait(10)
            append(heads.current(stream))

    late = elsewhere(third)
    assert began.wait(10)
    append(heads.current(stream))
    heads.heads.forget()
    go_on.set()
    late.join()
    sequenced()
    assert [seq for seq, _ in places(stream)] == [1, 2, 3]


def test_entries_carry_the_state_right_after_them(counter, do, sequenced, forget):
    stream = counter(seats=1)
    for n in (1, 2, 3):
        do(stream, "a", {"do": "add", "n": n})
    end = sequenced()
    forget()
    values = [e.head.state.value for e in feed.read(end - 4, 4) if e.event.stream == stream]
    assert values == [0, 1, 3, 6]
