"""`manage.py rules`: what counts as shown."""

import json
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command

from games import catalogue
from tests.rules import Citations


def plugin(**option):
    usual = {"keyword": "", "markexpr": "", "collectonly": False}
    return Citations(
        SimpleNamespace(
            args=option.pop("args", ["tests"]),
            getoption=lambda name: None,
            getini=lambda name: ["tests"],
            option=SimpleNamespace(**usual | option),
        )
    )


def report(outcome, *numbers):
    cited = [("rule", ["theos", number]) for number in numbers]
    return SimpleNamespace(user_properties=cited, when="call", passed=outcome == "passed", failed=outcome == "failed")


def test_the_catalogue_numbers_its_sentences():
    counts = {name: len(found) for name, found in catalogue.numbered("theos").items()}
    assert counts == {"rules": 134, "rulings": 80, "scenarios": 62}
    for game in catalogue.catalogues():
        assert all(catalogue.numbered(game).values())


def test_a_number_is_shown_by_passing_tests_only(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(catalogue, "RECORD", tmp_path / "rules.json")
    run = plugin()
    run.pytest_runtest_logreport(report("passed", "TH-1.1", "TR-1"))
    run.pytest_runtest_logreport(report("failed", "TR-1", "TS-1"))
    run.pytest_runtest_logreport(report("skipped", "TH-1.2"))
    run.pytest_sessionfinish()

    call_command("rules", "theos", "--json")
    shown = json.loads(capsys.readouterr().out)
    assert shown["rulebook"] == "theos"
    assert (shown["rules"]["total"], shown["rules"]["cited"]) == (134, 1)
    assert "TH-1.1" not in shown["rules"]["missing"]
    assert shown["rulings"]["cited"] == shown["scenarios"]["cited"] == 0


def test_a_narrowed_run_or_old_sources_are_no_record(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogue, "RECORD", tmp_path / "rules.json")
    for narrowed in (plugin(keyword="draft"), plugin(args=["tests/theos"])):
        narrowed.pytest_runtest_logreport(report("passed", "TH-1.1"))
        narrowed.pytest_sessionfinish()
    assert catalogue.read_record("theos") is None

    whole = plugin()
    whole.pytest_runtest_logreport(report("passed", "TH-1.1"))
    whole.pytest_sessionfinish()
    assert catalogue.read_record("theos") == {"TH-1.1"}
    monkeypatch.setattr(catalogue, "fingerprint", lambda rulebook: "other sources")
    assert catalogue.read_record("theos") is None


def test_an_unknown_catalogue_is_refused():
    with pytest.raises(CommandError, match="there are epic, guardians, market, theos, titans"):
        call_command("rules", "chess")
