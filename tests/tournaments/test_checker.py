"""Anybody can pair every round again from the exported public log; a changed event is named."""

import json
import os
import subprocess
import sys

import pytest

from tests.conftest import ROOT
from tournaments import checker


@pytest.fixture
def export(desk, tmp_path):
    event = desk(7, [{"kind": "swiss", "rounds": 3}, {"kind": "single", "cut": 4}])
    event.say("start")
    for _ in range(2):
        event.round()
        event.rule_all()
    event.say("drop", number=7)
    event.say("bans", players=[1, 2], reason="enough")
    event.say("pair")
    event.house()
    event.say("re-pair", reason="again")
    event.house()
    event.say("publish")
    event.rule_all()
    event.say("advance")
    event.round()
    reply = event.organiser.read(f"/tournaments/{event.stream}/export")
    file = tmp_path / "tournament.jsonl"
    file.write_bytes(b"".join(reply.streaming_content))
    return file


def test_offline_without_django_every_round_is_recomputed_byte_for_byte(export):
    """In a process of its own with no settings and no database: whatever imports Django's would fail."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("DJANGO", "DATABASE"))}
    code = (
        "import sys; sys.modules['django'] = None; from tournaments.checker import main; sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(export)], cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "5 rounds follow from the log, byte for byte." in done.stdout
    assert "round 3, attempt 2" in done.stdout


def test_another_solver_finds_the_same(export):
    with export.open() as lines:
        ours = checker.check(lines)
    with export.open() as lines:
        assert checker.check(lines, solve=checker.by_networkx) == ours


def test_every_changed_event_is_named(export):
    lines = export.read_text().splitlines()
    events = [(at, json.loads(line)) for at, line in enumerate(lines) if json.loads(line)["t"] == "event"]
    for at, event in events:
        forged = json.loads(json.dumps(event))
        forged["envelope"]["at"] += 1
        with pytest.raises(checker.Bad) as found:
            checker.check([*lines[:at], json.dumps(forged), *lines[at + 1 :]])
        assert found.value.seq == event["seq"]


def test_a_forger_who_repairs_the_chain_is_found_out_by_the_pairing(export):
    """Two players swap tables in round 2, and every hash from there on is made anew."""
    forged, before, swapped = [], None, 0
    for line in export.read_text().splitlines():
        record = json.loads(line)
        if record["t"] == "event":
            envelope = record["envelope"]
            if envelope["do"] == "propose" and envelope["body"]["action"]["round"] == 2:
                tables = envelope["body"]["action"]["tables"]
                a, b = tables[0]["players"], tables[1]["players"]
                a[0], b[0] = b[0], a[0]
                swapped = record["seq"]
            if before:
                envelope["prev"] = before
            record["hash"] = before = checker.digest("event", checker.canonical(envelope))
        forged.append(json.dumps(record))
    with pytest.raises(checker.Bad, match="not what follows") as found:
        checker.check(forged)
    assert found.value.seq == swapped


def test_an_eventful_event_is_recomputed_too(desk, person, tmp_path):
    """Clubs, late entries, a drop between proposal and publication, penalties that wait, pins, a bye for the best, a
    cut that somebody leaves before and after its first round: all of it follows from the public log, and at the end
    every key from the seed that was committed to."""
    stages = [{"kind": "swiss", "rounds": 3, "apart": 2}, {"kind": "single", "cut": 4}]
    event = desk(0, stages, late="bye", walkover="best", capacity=11)
    for number in range(1, 13):
        event.register(person(), group=f"club {number % 3}")
    event.say("start")
    event.say("pair")
    event.house()
    event.say("drop", number=4)  # 12, who waited, comes in late
    event.house()
    event.say("publish")
    event.rule_all()
    event.say("penalties", number=1, kind="match_loss", reason="late")
    event.say("penalties", number=2, kind="game_loss", reason="late")
    event.say("pins", players=[0, 3], reason="a train")
    event.round()
    event.rule_all()
    event.say("plan", stage=0, rounds=2)
    event.say("advance")
    seeds = event.state.seeds[1]
    event.say("penalties", number=seeds[0], kind="disqualification", reason="marked cards")
    assert len(event.state.seeds[1]) == 4
    event.round()
    event.say("drop", number=event.state.seeds[1][1])
    event.rule_all()
    event.round()
    event.rule_all()
    event.say("advance")
    event.say("close")
    file = tmp_path / "eventful.jsonl"
    reply = event.organiser.read(f"/tournaments/{event.stream}/export")
    file.write_bytes(b"".join(reply.streaming_content))
    with file.open() as lines:
        assert [(found["round"], found["attempt"]) for found in checker.check(lines)] == [
            (1, 1), (1, 2), (2, 1), (3, 1), (4, 1),
        ]  # fmt: skip
    verifier = [sys.executable, str(ROOT / "events" / "verifier.py"), str(file)]
    done = subprocess.run(verifier, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
