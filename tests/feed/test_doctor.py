"""`manage.py doctor` says nothing about a healthy service and names each fault that was planted."""

import contextlib
import json
import threading

import pytest
from django.core.management import call_command
from django.db import connection, transaction

from events import after, doctor, feed, heads, keys, readmodels, store
from events.deadlines import SweepLoop
from events.models import Cursor, Deadline, Event, Heartbeat, SigningKey, Stream
from events.readmodels import ReadModelLoop
from events.sequencer import SequencerLoop
from games.models import Game
from tests.conftest import TRIGGER_SWITCH, wait_for
from tests.counter import CounterDecider
from tests.feed.conftest import append


@pytest.fixture
def found(capsys):
    """What doctor finds: {code: [subjects]}. The exit code must say the same."""

    def ask(*options: str) -> dict[str, list[str]]:
        try:
            call_command("doctor", "--json", *options)
            code = 0
        except SystemExit as ended:
            code = ended.code
        report = json.loads(capsys.readouterr().out)
        assert report["ok"] == (code == 0) == (not any(part["findings"] for part in report["parts"]))
        findings: dict[str, list[str]] = {}
        for part in report["parts"]:
            for finding in part["findings"]:
                assert finding["detail"]
                assert finding["remedy"]
                findings.setdefault(finding["code"], []).append(finding["subject"])
        return findings

    return ask


@pytest.fixture
def quiet(sequenced, monkeypatch, tmp_path):
    """A database on which everything is up to date, whatever tests before left behind."""
    monkeypatch.setenv("ARBITER_KEYS", str(tmp_path))
    keys.make()
    Deadline.objects.all().delete()
    Game.objects.filter(bots_wait=True).update(bots_wait=False)
    sequenced()
    for model in readmodels.MODELS:
        Cursor.objects.update_or_create(name=model, defaults={"pos": feed.size(), "fault": "", "retry_ms": 0})
    before = set(Stream.objects.values_list("id", flat=True))
    monkeypatch.setattr(doctor, "sample", lambda: Stream.objects.exclude(id__in=before).values_list("id", flat=True))
    monkeypatch.setattr(doctor, "PING_S", 0.1)


def test_a_healthy_service_is_fit(quiet, counter, found):
    counter()
    loops = [loop().start_thread() for loop in (SequencerLoop, ReadModelLoop, SweepLoop)]
    try:
        wait_for(lambda: not found().keys() - {"no_worker"}, 10)
    finally:
        for loop in loops:
            loop.stop()
    assert "dead_sequencer" in found()


def test_it_names_what_does_not_run(quiet, counter, found, monkeypatch):
    monkeypatch.setattr(doctor, "FEED_LAG_S", -1)
    monkeypatch.setattr(doctor, "CHECKPOINT_LAG_S", -1)
    Heartbeat.objects.all().delete()
    SigningKey.objects.filter(until_ms=None).update(until_ms=1)
    counter()
    wrong = found()
    assert wrong["dead_sequencer"] == ["sequencer"]
    assert wrong["feed_lags"] == ["feed"]
    assert wrong["no_key"] == ["checkpoints"]
    assert wrong["no_heartbeat"] == ["sweep", "readmodels"]
    assert ("no_worker" in wrong) == (connection.vendor == "postgresql")
    feed.Integrator().integrate()
    assert found()["checkpoints_lag"] == ["checkpoints"]


@pytest.mark.production
def test_it_names_a_transaction_that_stays_open(quiet, counter, elsewhere, found, monkeypatch):
    monkeypatch.setattr(doctor, "TRANSACTION_S", 0)
    head = heads.current(counter())
    inserted, commit = threading.Event(), threading.Event()
    writer = elsewhere(lambda: append(head, before_commit=lambda: (inserted.set(), commit.wait(10))))
    assert inserted.wait(10)
    wrong = found()
    commit.set()
    writer.join()
    assert wrong["open_transaction"] == ["feed"]


def test_it_names_a_model_that_stands_still_and_one_that_lags(quiet, counter, found, sequenced, monkeypatch):
    monkeypatch.setattr(doctor, "MODEL_LAG_S", -1)
    counter()
    sequenced()
    assert "deadlines" in found()["model_lags"]
    Cursor.objects.filter(name="deadlines").update(fault="event cnt_x/1: ValueError: no")
    assert found()["model_stopped"] == ["deadlines"]
    Cursor.objects.filter(name="deadlines").update(fault="", pos=feed.size())


def test_it_names_overdue_and_failing_deadlines(quiet, counter, do, found):
    stream, other = counter(), counter()
    for one in (stream, other):
        do(one, "a", {"do": "clock", "ms": 0})
    after.rows.settle()
    Deadline.objects.filter(stream=stream).update(due_ms=1)
    Deadline.objects.filter(stream=other).update(fault="ZeroDivisionError: no")
    wrong = found()
    assert wrong["deadlines_overdue"] == [f"{stream}/d1"]
    assert wrong["deadline_fails"] == [f"{other}/d1"]
    Deadline.objects.all().delete()


def test_it_names_streams_that_are_stuck_or_cannot_be_read(quiet, counter, found, monkeypatch, forget):
    stuck, broken, fine = counter(), counter(), counter()
    clone = CounterDecider.clone

    def stands(self, state):
        return "it waits for nobody" if state.stream == stuck else None

    def fails(self, state):
        return 1 / 0 if state.stream == broken else clone(self, state)

    monkeypatch.setattr(CounterDecider, "stuck", stands, raising=False)
    monkeypatch.setattr(CounterDecider, "clone", fails)
    forget()
    wrong = found()
    assert wrong["stuck"] == [stuck]
    assert wrong["unreadable"] == [broken]
    assert fine not in str(wrong)


def other_bytes(event: store.Stored) -> dict:
    return {"envelope": event.envelope.replace(b'"n":1', b'"n":2')}


def other_words_sealed(event: store.Stored) -> dict:
    return {"sealed": event.sealed.replace(b"[{", b'[{"at":0,"fields":{},"only":{}},{')}


@pytest.mark.parametrize(
    "change",
    [other_bytes, other_words_sealed, lambda event: {"actor": "somebody"}, lambda event: {"cmd": "another"}, None],
    ids=["bytes", "seal", "actor", "command", "deletion"],
)
def test_it_names_a_stream_that_was_changed_behind_our_back(quiet, counter, do, found, change):
    stream = counter()
    event = do(stream, "a", {"do": "add", "n": 1})
    do(stream, "a", {"do": "add", "n": 1})
    feed.Integrator().integrate()
    place = feed.position(stream, event.seq)
    with forged():
        rows = Event.objects.filter(stream=stream, seq=event.seq)
        rows.update(**change(event)) if change else rows.delete()
        assert found()["unverifiable"] == [stream]
        if change is None:
            assert found("--deep")["lost_event"] == [f"position {place}"]
    assert stream not in str(found())


def test_a_deep_look_finds_history_that_was_rewritten_after_it_was_signed(quiet, counter, do, found, monkeypatch):
    """Chain and seals fit again, as an owner of the database can make them: only the signed tree tells."""
    stream = counter()
    event = do(stream, "a", {"do": "add", "n": 1})
    call_command("sequencer", "--once")
    lie = store.build(
        store.stream_key(stream), event.moment, cmd=event.cmd, request=event.request, action={"do": "add", "n": 9},
        effects=[{"e": "added", "n": 9}], version="test",
    )  # fmt: skip
    with forged():
        Event.objects.filter(stream=stream, seq=2).update(envelope=lie.envelope, sealed=lie.sealed, hash=lie.hash)
        assert "unverifiable" not in found()
        monkeypatch.setattr(doctor, "NAMED", 10_000)
        wrong = found("--deep")
    assert stream in wrong["unverifiable"]
    assert wrong["bad_tree"] == [f"position {feed.position(stream, 2)}"]


@contextlib.contextmanager
def forged():
    """With full rights over the database; undone afterwards, because the other tests need a history that holds."""
    with transaction.atomic():
        for statement in TRIGGER_SWITCH[connection.vendor](connection)[0]:
            with connection.cursor() as cursor:
                cursor.execute(statement)
        yield
        transaction.set_rollback(True)
