"""Files made to break a reader: each gets one clear sentence, never a traceback, never `ok`."""

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from events import verifier
from events.verifier import MAX_LINE, verify
from tests.verifier.exports import Game, dumps

pytestmark = pytest.mark.embedded  # no database in it: once is enough

VERIFIER = Path(verifier.__file__)


@pytest.fixture(scope="module")
def lines():
    return Game("gam_hostile").begin().add("answer", {"a": 1, "b": "x", "n": 12, "z": [1]}).lines(proof=False)


def event_with(lines, old: bytes, new: bytes):
    """The last event with one piece written otherwise."""
    at = len(lines) - 2
    assert lines[at].count(old) == 1, "the test would change something else"
    return [*lines[:at], lines[at].replace(old, new), *lines[at + 1 :]]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b'"a":1', b'"a": 1', "canonical"),
        (b'"a":1', b'"a":1,"a":1', "canonical"),
        (b'"a":1,"b":"x"', b'"b":"x","a":1', "canonical"),
        (b'"n":12', b'"n":12.0', "12.0 is not an integer"),
        (b'"n":12', b'"n":1e3', "1e3 is not an integer"),
        (b'"n":12', b'"n":NaN', "NaN is not an integer"),
        (b'"n":12', b'"n":-Infinity', "-Infinity is not an integer"),
        (b'"n":12', b'"n":-0', "canonical"),
        (b'"n":12', b'"n":9007199254740992', "2^53-1"),
        (b'"n":12', b'"n":-9007199254740992', "2^53-1"),
        (b'"n":12', b'"n":' + b"9" * 5000, "not JSON"),
        (b'"b":"x"', b'"b":"\\u0078"', "canonical"),
        (b'"b":"x"', b'"b":"\\/"', "canonical"),
        (b'"b":"x"', b'"b":"\\u001F"', "canonical"),
        (b'"b":"x"', b'"b":"\\ud800"', "canonical"),
        (b'"b":"x"', b'"b":"\xed\xa0\x80"', "UTF-8"),
        (b'"b":"x"', b'"b":"\xff"', "UTF-8"),
        (b'"b":"x"', b'"b":"\x01"', "not JSON"),
        (b'"b":"x"', '"b":"a\u0308"'.encode(), "NFC"),
        (b'"z":[1]', '"ö":[1]'.encode(), "not ASCII"),
        (b'"z":[1]', b'"z":' + b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
        (b'"z":[1]', b'"z":' + b'{"a":' * 100_000, "nested too deeply"),
        (b'"t":"event"}\n', b'"t":"event"}\r\n', "after its JSON"),
        (b'"t":"event"}\n', b'"t":"event"}{}\n', "after its JSON"),
    ],
)
def test_anything_but_the_one_canonical_form_is_named(lines, old, new, words):
    report = verify(event_with(lines, old, new))
    assert report.sections["structure"].status == "failed"
    assert words in report.sections["structure"].detail
    assert report.first_bad == 4
    assert report.sections["chain"].status == "not checked"


@pytest.mark.parametrize(
    "blob",
    [
        b"", b"\n", b"null\n", b"[]\n", b"{}\n", b"7\n", b'"x"\n', b'{"t":[]}\n', b'{"t":"event"}\n',
        b'{"t":"manifest"}\n', b"\xef\xbb\xbf{}\n", b"\x00" * 1000, b"PK\x03\x04\n", b"[" * 1_000_000,
        b"9" * 1_000_000 + b"\n",
        b'{"t":"manifest","t":"manifest"}\n', b"x" * (MAX_LINE + 2) + b"\n",
    ],
    ids=lambda blob: repr(blob[:12]),
)  # fmt: skip
def test_what_is_no_export_gets_a_sentence(blob, tmp_path, capsys):
    file = tmp_path / "hostile"
    file.write_bytes(blob)
    assert verifier.main([str(file)]) == 1
    said = capsys.readouterr().out
    assert "structure    FAILED" in said
    assert "Traceback" not in said


def test_a_line_longer_than_allowed_is_not_read_into_memory(lines, tmp_path):
    file = tmp_path / "long"
    with file.open("wb") as out:
        out.write(lines[0])
        for _ in range(40):
            out.write(b" " * 1024 * 1024)
    pieces = list(verifier.lines_of(str(file)))
    assert max(map(len, pieces)) == MAX_LINE + 1
    report = verify(verifier.lines_of(str(file)))
    assert "longer than 16 MiB" in report.sections["structure"].detail


def test_foreign_text_cannot_reach_the_terminal(lines):
    """A stream that is named after an escape sequence is quoted."""
    manifest = json.loads(lines[0]) | {"stream": "\x1b[2J\x07evil", "kind": "k" * 500}
    said = str(verify([dumps(manifest) + b"\n", *lines[1:]]))
    assert "\x1b" not in said
    assert "\\x1b[2J" in said
    assert "k" * 100 not in said


def test_many_records_and_many_parts_take_their_time_but_not_their_square():
    game = Game("gam_many").begin().ready()
    effects = [{"e": "x"}] * 30_000
    parts = [{"at": at, "effect": {"e": "y"}, "only": 0} for at in range(30_000)]
    parts.append({"at": 30_000, "effect": {"e": "draw", "n": 0}, "only": 0})
    began = time.process_time()
    assert (
        "draw 0 is neither"
        in verify(game.add("answer", {}, effects, parts).lines(opened=True)).sections["shuffles"].detail
    )
    assert time.process_time() - began < 5


@pytest.fixture
def stand_alone(tmp_path):
    """The one file, copied away from the project, run by a Python that sees nothing but its standard library."""
    copy = shutil.copy(VERIFIER, tmp_path / "verifier.py")

    def run(*arguments):
        command = [sys.executable, "-I", "-S", str(copy), *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    return run


def test_it_runs_alone_with_the_standard_library_only(stand_alone, game, tmp_path):
    good, bad, kept = tmp_path / "good.jsonl", tmp_path / "bad.jsonl", tmp_path / "kept.jsonl"
    lines = game.lines(opened=True, since=4)
    good.write_bytes(b"".join(lines))
    bad.write_bytes(b"".join(lines[:4] + lines[5:]))
    kept.write_bytes(dumps({"t": "checkpoint", **game.feed.signed(4)}) + b"\n")

    right = stand_alone(good, "--key", game.feed.public.hex(), "--checkpoint", kept)
    assert (right.returncode, right.stderr) == (0, "")
    assert "Everything that was checked is right.\n" in right.stdout

    wrong = stand_alone(bad, "--json")
    assert wrong.returncode == 1
    report = json.loads(wrong.stdout)
    assert (report["ok"], report["first_bad"]) == (False, 3)
    assert report["sections"]["chain"] == {
        "status": "failed", "detail": "event 3: is not in its place: line 5 holds event 4", "seq": 3,
    }  # fmt: skip

    for arguments in ([tmp_path / "nowhere"], [tmp_path], [good, "--checkpoint", "nowhere"]):
        refused = stand_alone(*arguments)
        assert refused.returncode == 2
        assert refused.stderr.startswith("cannot read")
    for arguments in ([], [good, "--key", "zz"], [good, "--unknown"]):
        assert stand_alone(*arguments).returncode == 2


def test_it_imports_nothing_but_the_standard_library():
    names = {
        line.split()[1].split(".")[0]
        for line in VERIFIER.read_text().splitlines()
        if line.startswith(("import ", "from "))
    }
    assert names <= sys.stdlib_module_names
