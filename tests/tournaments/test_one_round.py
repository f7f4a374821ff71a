"""Real processes on the production stack: however many call and compute a round, and wherever they are killed, there is
one round."""

import os
import signal
import subprocess
import sys

import pytest

from events import heads, store, verification
from tests.conftest import ROOT

PLACES = {  # where a process that computes the round is killed
    "before the pairing": "folds.compute = die",
    "after the pairing": "commands.execute = die",
    "before the insert": "store.append = die",
    "after the insert": "real = store.append\ndef append(event):\n    real(event)\n    die()\nstore.append = append",
    "while others are told": "commands.LISTENERS.insert(0, die)",
}
PROCESS = """
import os, signal, sys
import django
django.setup()
from accounts.models import User
from events import commands, store
from events.errors import Rejected
from tournaments import folds, services, tasks
def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)
"""


def process(env: dict[str, str], code: str, *arguments: str) -> subprocess.Popen:
    return subprocess.Popen([sys.executable, "-c", PROCESS + code, *arguments], cwd=ROOT, env=env)


@pytest.mark.production
def test_calls_at_once_and_workers_killed_anywhere_give_one_round(desk, process_env):
    event = desk(12, [{"kind": "swiss", "rounds": 2}])
    event.say("start")
    env = process_env | {"ARBITER_RUN": f"one-round-{os.getpid()}", "LOG_LEVEL": "ERROR"}
    organiser = event.see()["names"][event.state.host]
    call = (
        "person = User.objects.get(name=sys.argv[2])\n"
        "try:\n    services.act(sys.argv[1], person, {'do': 'pair'}, f'call-{os.getpid()}')\n"
        "except Rejected as refusal:\n    sys.exit(7 if refusal.code == 'illegal' else 1)\n"
    )
    calls = [process(env, call, event.stream, organiser) for _ in range(4)]
    assert sorted(one.wait(60) for one in calls) == [0, 7, 7, 7], "one call is heard, the others are told"

    killed = [process(env, f"{kill}\ntasks.run_house(sys.argv[1])", event.stream) for kill in PLACES.values()]
    codes = dict(zip(PLACES, [one.wait(60) for one in killed], strict=True))
    assert codes["before the pairing"] in (-signal.SIGKILL, 0), "0: another one was quicker"
    assert -signal.SIGKILL in codes.values()
    workers = [process(env, "tasks.run_house(sys.argv[1])", event.stream) for _ in range(3)]
    assert [one.wait(60) for one in workers] == [0, 0, 0]

    done = [stored.do for stored in store.read(event.stream)]
    assert (done.count("pair"), done.count("propose")) == (1, 1)
    state = heads.current(event.stream).state
    assert (len(state.rounds), state.now.status, len(state.matches)) == (1, "proposed", 6)
    assert event.see("/rounds/1/verify")["ok"]
    assert verification.check(event.stream).ok


@pytest.mark.production
@pytest.mark.parametrize("place", PLACES)
def test_a_worker_killed_here_is_replaced(desk, process_env, place):
    event = desk(6)
    event.say("start")
    event.say("pair")
    env = process_env | {"LOG_LEVEL": "ERROR"}
    killed = process(env, f"{PLACES[place]}\ntasks.run_house(sys.argv[1])", event.stream)
    assert killed.wait(60) == -signal.SIGKILL
    event.house()
    assert [stored.do for stored in store.read(event.stream)].count("propose") == 1
    assert heads.current(event.stream).state.now.status == "proposed"
    event.say("publish")
