"""The one write path: preconditions, first answers, refusals at the head only, nothing left behind by a refusal."""

import pytest

from events import commands, heads, history, store
from events.errors import Rejected
from events.models import Text


def whisper(seat: int, number: int, decision: str = "d1") -> dict:
    return {"do": "whisper", "seat": seat, "decision": decision, "number": number}


def test_a_decision_id_is_the_precondition_of_an_answer(counter, do):
    stream = counter(seats=2)
    do(stream, "a", whisper(0, 3))
    do(stream, "b", whisper(1, 4))
    with pytest.raises(Rejected) as refusal:
        do(stream, "a", whisper(0, 5))
    assert (refusal.value.code, refusal.value.seq) == ("stale", 3)
    assert heads.current(stream).state.value == 7


def test_an_expected_seq_must_be_the_head(counter, do):
    stream = counter()
    assert do(stream, "a", {"do": "add", "n": 1}, expected_seq=1).seq == 2
    for wrong in (1, 7):
        with pytest.raises(Rejected) as refusal:
            do(stream, "a", {"do": "add", "n": 1}, expected_seq=wrong)
        assert (refusal.value.code, refusal.value.seq) == ("stale", 2)


def test_a_repeated_command_gets_its_first_answer_however_late(counter, do, forget):
    stream = counter()
    first = do(stream, "a", whisper(0, 3), cmd="once")
    do(stream, "b", whisper(1, 4))
    do(stream, "b", {"do": "finish"})
    for _ in range(2):
        again = do(stream, "a", whisper(0, 3), cmd="once")
        assert again == first
        assert history.seen(again, 0) == history.seen(first, 0)
        forget()
    assert store.head_seq(stream) == 4


def test_a_command_id_belongs_to_its_actor_and_its_request(counter, do):
    stream = counter()
    do(stream, "a", {"do": "add", "n": 1}, cmd="k")
    assert do(stream, "b", {"do": "add", "n": 2}, cmd="k").seq == 3
    with pytest.raises(Rejected) as refusal:
        do(stream, "a", {"do": "add", "n": 9}, cmd="k")
    assert refusal.value.code == "key_reused"
    assert heads.current(stream).state.value == 3


def test_no_refusal_leaves_from_a_cached_state(counter, do):
    """Another process opened the decision this one has not heard of."""
    stream = counter(seats=1)
    behind = heads.current(stream)
    do(stream, "a", whisper(0, 1))
    heads.heads.forget()
    heads.heads.put(behind)
    assert do(stream, "a", whisper(0, 2, "d2")).seq == 3


def test_an_acceptance_from_a_cached_state_is_checked_by_the_insert(counter, do):
    stream = counter()
    behind = heads.current(stream)
    do(stream, "a", {"do": "add", "n": 1})
    heads.heads.forget()
    heads.heads.put(behind)
    assert do(stream, "b", {"do": "add", "n": 2}).seq == 3
    assert heads.current(stream).state.value == 3


def test_an_accepted_append_is_one_statement(counter, do, django_assert_num_queries, monkeypatch):
    stream, appended, append = counter(), [], store.append
    monkeypatch.setattr(store, "append", lambda event: appended.append(event) or append(event))
    with django_assert_num_queries(0):  # the insert itself goes straight to the driver
        event = do(stream, "a", {"do": "add", "n": 1})
    assert appended == [event]


def test_a_refusal_leaves_no_trace(counter, do):
    stream = counter()
    head = heads.current(stream)
    for action, code in [
        ({"do": "add", "n": 11}, "illegal"),
        ({"do": "add", "n": 1.5}, "illegal"),
        ({"do": "late", "decision": "d1"}, "stale"),
    ]:
        with pytest.raises(Rejected) as refusal:
            do(stream, "a", action)
        assert refusal.value.code == code
    with pytest.raises(Rejected):
        do(stream, "a", {"do": "late", "decision": "d1"}, written={"reason": "spilled coffee"})
    assert heads.current(stream) == head
    assert not Text.objects.filter(stream=stream).exists()


def test_a_repeated_opening_is_the_first_one(db):
    stream = commands.new_stream_id("counter", 7, "same")
    assert stream == commands.new_stream_id("counter", 7, "same") != commands.new_stream_id("counter", 8, "same")

    def opening(command_id="same", action=None):
        return commands.open_stream(
            "counter", 2, stream=stream, actor="p", action=action or {"do": "begin"}, command_id=command_id
        )

    assert opening() == opening()
    for other, code in [(("other",), "exists"), (("same", {"do": "begin", "x": 1}), "key_reused")]:
        with pytest.raises(Rejected) as refusal:
            opening(*other)
        assert refusal.value.code == code


def test_any_moment_is_rebuilt_from_effects_alone(counter, do, forget):
    stream = counter(seats=1)
    states = {1: heads.current(stream).state}
    for n in range(1, 8):
        event = do(stream, "a", whisper(0, n, f"d{n}"))
        states[event.seq] = heads.current(stream).state
    forget()
    assert {seq: heads.at(stream, seq).state for seq in states} == states
    with pytest.raises(Rejected) as refusal:
        heads.at(stream, 99)
    assert refusal.value.code == "unknown"


def test_a_snapshot_shortens_the_way_and_is_dropped_when_it_does_not_fit(counter, do, forget, monkeypatch):
    monkeypatch.setattr(heads, "SNAPSHOT_EVERY", 5)
    monkeypatch.setattr(heads, "SLOW_LOAD_S", 60)
    stream = counter(seats=1)
    for n in range(1, 8):
        do(stream, "a", {"do": "add", "n": n})
    snapshot = heads.Snapshot.objects.get(stream=stream)
    assert snapshot.seq == 5
    forget()
    read, starts = store.read, []
    monkeypatch.setattr(store, "read", lambda s, after=0, **more: starts.append(after) or read(s, after, **more))
    assert heads.current(stream).state.value == 28
    assert starts == [4, 5]  # the snapshot's own event, then the tail
    snapshot.hash = bytes(32)
    snapshot.save()
    forget()
    assert heads.current(stream).state.value == 28
    assert not heads.Snapshot.objects.filter(stream=stream, seq=5).exists()


def test_reads_never_go_back_before_what_the_caller_has_seen(counter, do):
    stream = counter()
    behind = heads.current(stream)
    seq = do(stream, "a", {"do": "add", "n": 1}).seq
    heads.heads.forget()
    heads.heads.put(behind)
    assert heads.current(stream, min_seq=seq).seq == seq
    with pytest.raises(Rejected) as refusal:
        heads.current(stream, min_seq=seq + 1)
    assert (refusal.value.code, refusal.value.seq) == ("not_there_yet", seq)
