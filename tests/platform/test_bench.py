"""The bench command: a table for people, a line of JSON for programs, a status for CI."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

import bench

pytestmark = pytest.mark.embedded
MET = {
    "name": "append",
    "value": 5300.0,
    "unit": "ev/s",
    "baseline": "raw",
    "ratio": 0.71,
    "goal": ">= 0.6",
    "met": True,
}
MISSED = MET | {"name": "8 writers", "ratio": 0.5, "met": False}
LIMIT = {"name": "raw", "value": 7464.2, "unit": "ev/s", "baseline": None, "ratio": None, "goal": None, "met": None}


@pytest.fixture
def rows(monkeypatch, tmp_path):
    """A bench called `sample` that measures the rows put into the list."""
    measured = []
    (tmp_path / "sample.py").write_text("rows = []\n\n\ndef run():\n    yield from rows\n")
    (tmp_path / "sample_helper.py").write_text("def helps():\n    pass\n")
    (tmp_path / "bench").symlink_to(tmp_path)
    monkeypatch.setattr(bench, "__path__", [str(tmp_path)])
    monkeypatch.setattr("django.conf.settings.BASE_DIR", tmp_path)
    from bench import sample

    sample.rows = measured
    return measured


def run(*arguments: str) -> str:
    said = io.StringIO()
    call_command("bench", *arguments, stdout=said)
    return said.getvalue()


def test_the_table_says_how_far_from_the_yardstick(rows):
    rows += [LIMIT, MET]
    *_, limit, met = run("sample").splitlines()
    assert limit.split() == ["raw", "7,464", "ev/s"]
    assert met.split() == ["append", "5,300", "ev/s", "0.71", "raw", ">=", "0.6", "yes"]


def test_json_is_one_row_a_line(rows):
    rows += [LIMIT, MET]
    assert [json.loads(line) for line in run("sample", "--json").splitlines()] == [LIMIT, MET]


def test_a_missed_goal_is_named_and_fails(rows):
    rows += [MET, MISSED]
    with pytest.raises(CommandError, match="goal not met: 8 writers"):
        run("sample")


def test_an_unknown_bench_is_told_which_there_are(rows):
    with pytest.raises(CommandError, match=r"there is no bench 'speed'; choose one of: sample\."):
        run("speed")
