"""Streams of the real store: what leaves it as an export, and what `verify` finds when somebody touched the rows."""

import io
import json
import subprocess
import sys
from contextlib import contextmanager

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from events import checkpoints, export, heads, keys, participants, store, texts, verification, verifier
from events.errors import Rejected
from events.models import Snapshot
from events.verifier import verify
from tests.conftest import ROOT, triggers_off
from tests.counter import CounterDecider
from tests.events.conftest import counter, do  # noqa: F401  the same counter as the store's tests
from tests.feed.conftest import sequenced  # noqa: F401

SECRET = 777_123  # what seat 1 whispers


@pytest.fixture
def played(counter, do):  # noqa: F811
    """begin, two whispers, an add, a note with words, another round begun: not over, so nothing is open."""
    stream = counter()
    do(stream, "a", {"do": "whisper", "seat": 0, "decision": "d1", "number": 4})
    do(stream, "b", {"do": "whisper", "seat": 1, "decision": "d1", "number": SECRET})
    do(stream, "a", {"do": "add", "n": 3})
    do(stream, "a", {"do": "note"}, written={"why": "because — ça va", "what": "it"})
    do(stream, "b", {"do": "whisper", "seat": 1, "decision": "d2", "number": SECRET + 1})
    return stream


@pytest.fixture
def signed(sequenced, tmp_path, monkeypatch):  # noqa: F811
    """Bring the feed up to date and sign it; the newest checkpoint."""
    monkeypatch.setenv("ARBITER_KEYS", str(tmp_path))
    keys.make()

    def sign():
        sequenced()
        return checkpoints.sign() or checkpoints.latest()

    return sign


def lines(stream, viewer=None, **options):
    return list(export.export(stream, viewer, **options))


@pytest.mark.parametrize("viewer", [None, 0, 1, "table"])
def test_an_export_verifies_and_tells_no_more_than_its_viewer_may_know(played, viewer):
    report = verify(lines(played, viewer))
    assert report.ok, str(report)
    assert report.sections["texts"].detail == "2 texts"
    assert report.sections["shuffles"].status == "not checked"
    blob = b"".join(lines(played, viewer))
    assert (str(SECRET).encode() in blob) == (viewer in (1, "table"))
    assert store.stream_key(played).seed.hex().encode() not in blob
    for seat, name in enumerate((b'"0":', b'"1":')):
        assert (name in blob) == (viewer in (seat, "table"))
    assert blob == b"".join(lines(played, viewer)), "the same stream and viewer give the same bytes"


def test_when_the_seals_open_everybody_gets_everything(played, do):  # noqa: F811
    do(played, "a", {"do": "finish"})
    blobs = {b"".join(lines(played, viewer)) for viewer in (None, 0, 1, "table")}
    assert len(blobs) == 1
    report = verify(lines(played))
    assert report.ok, str(report)
    assert "the seed" in report.sections["shuffles"].detail
    assert report.sections["seals"].detail == "7 roots, 21 openings"


def test_an_unknown_stream_or_seat_is_refused(played):
    for stream, viewer, words in [
        ("cnt_nowhere", None, "no stream"),
        (played, 2, "no seat 2"),
        (played, -1, "no seat"),
    ]:
        with pytest.raises(Rejected, match=words):
            export.export(stream, viewer)


def test_erased_words_leave_the_export_valid(played):
    before = verify(lines(played))
    texts.erase("a")
    after = verify(lines(played))
    assert (before.sections["texts"].detail, after.sections["texts"].status) == ("2 texts", "not checked")
    assert after.ok
    assert after.sections["chain"].detail == before.sections["chain"].detail
    assert participants.ARBITER not in before.sections["texts"].detail


def test_under_a_checkpoint_and_a_later_one(played, do, signed):  # noqa: F811
    first = signed()
    report = verify(lines(played))
    assert [report.sections[name].status for name in ("signature", "inclusion")] == ["ok", "ok"]
    kept = [json.dumps(checkpoints.shown(first), sort_keys=True, separators=(",", ":")).encode() + b"\n"]
    do(played, "a", {"do": "add", "n": 1})
    assert "events 7 to 7 came later" in verify(lines(played)).sections["inclusion"].detail
    signed()
    public = bytes(keys.current().public).hex()
    report = verify(lines(played, since=first.size), checkpoint=kept, keys=[public])
    assert report.ok, str(report)
    assert report.sections["consistency"].status == "ok"
    assert not verify(lines(played), checkpoint=kept).ok, "asked for and not shown"


# --- manage.py verify: both ways to the state ---


def statuses(report, *names):
    return [report.sections[name].status for name in names]


def test_a_sound_stream_passes_both_ways(played, do):  # noqa: F811
    report = verification.check(played)
    assert report.ok, str(report)
    assert statuses(report, "rows", "chain", "seals", "shuffles", "fold", "decide") == ["ok"] * 6
    do(played, "a", {"do": "finish"})
    assert verification.check(played).ok


@contextmanager
def forged(*statements):
    """As a forger with full rights would leave the rows; undone afterwards."""

    class Undo(Exception):
        pass

    try:
        with transaction.atomic():
            with triggers_off(connection), connection.cursor() as cursor:
                for statement, values in statements:
                    cursor.execute(statement, values)
                    assert cursor.rowcount >= 1
            yield
            raise Undo
    except Undo:
        pass


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def update(event, column, value):
    quoted = '"do"' if column == "do" else column
    return (f"UPDATE events_event SET {quoted} = %s WHERE stream = %s AND seq = %s", [value, event.stream, event.seq])


def test_every_changed_byte_of_a_stored_row_is_named(played):
    """Each byte of each column of an event with sealed parts. Columns beside the hashed bytes included."""
    event = store.read(played)[2]
    for column in ("envelope", "sealed", "prev", "hash"):
        data = getattr(event, column)
        for at in range(0, len(data), 1 if len(data) < 40 else 7):
            with forged(update(event, column, flipped(data, at))):
                report = verification.check(played)
            assert report.first_bad == event.seq, (column, at, str(report))
    for column, value in [("actor", "p_x"), ("cmd", "other"), ("do", "add"), ("at_ms", event.at + 1)]:
        with forged(update(event, column, value)):
            assert verification.check(played).first_bad == event.seq, column
    assert verification.check(played).ok, "and all of it was undone"


def test_the_verifier_alone_names_what_it_is_given(played):
    """Without the check of the rows: the changed bytes reach the export as they are."""
    event, key = store.read(played)[2], store.stream_key(played)
    head = store.read(played)[-1]
    for column in ("envelope", "sealed", "hash"):
        data = getattr(event, column)
        for at in range(0, len(data), 5):
            with forged(update(event, column, flipped(data, at))):
                for viewer in ("table", 0):
                    report = verify(export.lines(key, head.seq, head.hash, viewer, None))
                    assert report.first_bad == event.seq, (column, at, viewer, str(report))


def test_deleted_swapped_and_transplanted_rows_are_named(played, counter, do, sequenced):  # noqa: F811
    other = counter()
    do(other, "a", {"do": "whisper", "seat": 0, "decision": "d1", "number": 4})
    do(other, "a", {"do": "add", "n": 3})
    sequenced()
    events, foreign = store.read(played), store.read(other)
    delete = "DELETE FROM events_event WHERE stream = %s AND seq = %s"
    for event in events[:-1]:
        with forged((delete, [played, event.seq])):
            assert verification.check(played).first_bad == event.seq
    with forged((delete, [played, events[-1].seq])):
        assert verification.check(played).ok, "what is left of the stream shows nothing"
        assert verification.lost_position() is not None, "but the feed has a gap"
    assert verification.lost_position() is None
    columns = ("actor", "cmd", "do", "at_ms", "envelope", "sealed", "prev", "hash")

    def put(place, event):
        values = [getattr(event, column if column != "at_ms" else "at") for column in columns]
        assigned = ", ".join(f'"{column}" = %s' for column in columns)
        return (f"UPDATE events_event SET {assigned} WHERE stream = %s AND seq = %s", [*values, played, place.seq])

    aside = [update(events[2], "cmd", "aside"), update(events[3], "cmd", "aside too")]
    with forged(*aside, put(events[2], events[3]), put(events[3], events[2])):
        assert verification.check(played).first_bad == 3
    with forged(put(events[2], foreign[2])):
        assert verification.check(played).first_bad == 3


def test_another_seed_is_found(played):
    with forged(("UPDATE events_streamsecret SET seed = %s WHERE stream_id = %s", [bytes(32), played])):
        report = verification.check(played)
    assert statuses(report, "shuffles", "seals") == ["failed", "failed"]


def test_a_snapshot_that_is_another_state_is_found(played):
    head = heads.current(played)
    heads.save_snapshot(head)
    Snapshot.objects.filter(stream=played).update(state=CounterDecider().encode(CounterDecider().initial(played, 2)))
    report = verification.check(played)
    assert statuses(report, "fold", "decide", "chain") == ["failed", "ok", "ok"]
    assert report.first_bad == 6
    Snapshot.objects.filter(stream=played).delete()


def test_rules_that_decide_otherwise_now_are_named(played, monkeypatch):
    monkeypatch.setattr(CounterDecider, "do_add", lambda *_: [{"e": "added", "n": 9}])
    report = verification.check(played)
    assert statuses(report, "chain", "fold", "decide") == ["ok", "ok", "failed"]
    assert report.first_bad == 4
    assert "other effects" in report.sections["decide"].detail

    def refuse(*_):
        raise Rejected("illegal", "Never again.")

    monkeypatch.setattr(CounterDecider, "do_add", refuse)
    assert "refuse its action: Never again." in verification.check(played).sections["decide"].detail


def test_without_the_code_of_that_version_it_is_fold_only(played, monkeypatch):
    def gone(*_):
        raise LookupError("there is no rulebook 'counter@1'")

    monkeypatch.setattr(CounterDecider, "do_whisper", gone)
    report = verification.check(played)
    assert report.ok
    assert statuses(report, "fold", "decide") == ["ok", "not checked"]
    assert report.sections["decide"].detail == "fold only: there is no rulebook 'counter@1'"


def test_an_action_that_quotes_another_past_is_named(played, monkeypatch):
    """The optional hook of a decider, for actions that carry an earlier state with them."""

    def doubt(self, action, state_at):
        return None if action["do"] != "add" else f"at event 3 the value was {state_at(3).value}"

    monkeypatch.setattr(CounterDecider, "doubt", doubt, raising=False)
    report = verification.check(played)
    assert report.first_bad == 4
    assert report.sections["decide"].detail == f"event 4: at event 3 the value was {4 + SECRET}"


# --- the commands ---


def run(*arguments):
    """Exit code and standard output of a command."""
    out = io.StringIO()
    try:
        call_command(*arguments, stdout=out, stderr=out)
    except SystemExit as end:
        return end.code, out.getvalue()
    return 0, out.getvalue()


def test_export_and_verify_a_file(played, tmp_path, capsys):
    file = tmp_path / "game.jsonl"
    assert run("export", played, "--as", "1", "-o", str(file))[0] == 0
    assert file.read_bytes() == b"".join(lines(played, 1))
    assert not file.with_name("game.jsonl.part").exists()
    assert run("verify", "--file", str(file))[0] == 0
    assert "as seat 1 may see it" in capsys.readouterr().out
    alone = subprocess.run([sys.executable, "-I", verifier.__file__, str(file)], capture_output=True, text=True)
    assert alone.returncode == 0, alone.stdout
    file.write_bytes(file.read_bytes().replace(b'"n":3', b'"n":4'))
    assert run("verify", "--file", str(file), "--json")[0] == 1
    assert json.loads(capsys.readouterr().out)["first_bad"] == 4
    assert run("verify", "--file", str(tmp_path / "nowhere"))[0] == 2


def test_verify_streams(played, counter):  # noqa: F811
    code, said = run("verify", played)
    assert code == 0
    assert "decide       ok           6 actions, decided again to the same bytes" in said
    other = counter()
    event = store.read(played)[3]
    with forged(update(event, "sealed", flipped(event.sealed, 3))):
        code, said = run("verify", other, played, "--json")
    assert code == 1
    assert [json.loads(line)["first_bad"] for line in said.splitlines()] == [None, 4]


def test_the_commands_through_the_front_door(played, process_env, tmp_path):
    """As a person types them: another process, which knows nothing of this one."""

    def manage(*arguments):
        command = [sys.executable, str(ROOT / "manage.py"), *arguments]
        return subprocess.run(command, cwd=ROOT, env=process_env, capture_output=True)

    written = manage("export", played)
    assert (written.returncode, written.stdout) == (0, b"".join(lines(played))), written.stderr
    file = tmp_path / "piped.jsonl"
    file.write_bytes(written.stdout)
    assert manage("verify", "--file", str(file)).returncode == 0
    checked = manage("verify", played)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    # The counter is a decider of the tests alone: to this process it is a kind of stream whose code is gone.
    assert b"decide       NOT CHECKED  there is no code any more for streams of kind 'counter'" in checked.stdout
    nothing = manage("verify")
    assert (nothing.returncode, nothing.stderr) == (
        2,
        b"CommandError: say which streams to check, or --all, or --file F.\n",
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["verify"], "say which streams"),
        (["verify", "x", "--all"], "say which streams"),
        (["verify", "cnt_nowhere"], "no stream 'cnt_nowhere'"),
        (["export", "cnt_nowhere"], "no stream 'cnt_nowhere'"),
        (["export", "cnt_nowhere", "--as", "judge"], "invalid viewer value"),
    ],
)
def test_wrong_usage_gets_one_sentence(db, arguments, words):
    with pytest.raises(CommandError, match=words):
        call_command(*arguments)


def test_an_export_that_cannot_be_written_says_why(played, tmp_path):
    with pytest.raises(CommandError, match=r"cannot write .*: No such file"):
        call_command("export", played, "-o", str(tmp_path / "nowhere" / "file"))
