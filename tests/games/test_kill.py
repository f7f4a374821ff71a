"""SIGKILL in the middle of fifty games of bots: after a restart all go on to their end, and all verify."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from config.servers import free_port
from tests.conftest import ROOT, wait_for
from tests.http import ask

GAMES = 50


class Service:
    """All processes of one stack, started together and killed together."""

    def __init__(self, env: dict[str, str], commands: list[str], token: str = "") -> None:
        self.env, self.commands, self.token = env, commands, token
        self.port = int(env["PORT"])
        self.processes: list[subprocess.Popen[str]] = []

    def start(self) -> None:
        self.processes = [
            subprocess.Popen(
                ["sh", "-c", command], cwd=ROOT, env=self.env, text=True, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, start_new_session=True,
            )
            for command in self.commands
        ]  # fmt: skip
        wait_for(self.answers, 60)

    def answers(self) -> bool:
        try:
            return self.ask("GET", "/healthz")[0] == 200
        except (OSError, http.client.HTTPException):
            return False

    def kill(self) -> None:
        for process in self.processes:
            os.killpg(process.pid, signal.SIGKILL)
        for process in self.processes:
            process.wait()
            process.stdout.close()

    def ask(self, method: str, path: str, body: dict | None = None) -> tuple[int, dict]:
        return ask(self.port, self.token, method, path, body)

    def phases(self, games: list[str]) -> Counter[str]:
        return Counter(self.ask("GET", f"/api/v1/games/{game}")[1]["phase"] for game in games)


@pytest.fixture
def service(stack, tmp_path, request):
    env = {"PORT": str(free_port()), "LOG_LEVEL": "ERROR", "BUDGET_READS": "9999/1", "BUDGET_COMMANDS": "9999/1"}
    path = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "ARBITER_BOOTSTRAP": "off"}
    if stack == "embedded":
        env |= path | {"ARBITER_MODE": "embedded", "ARBITER_DATA": str(tmp_path)}
        command = f"exec {sys.executable} manage.py up --port {env['PORT']} --data {tmp_path}"
        started = Service(env, [command])
        started.start()
        said = ""
        while "serving http" not in said:
            said += started.processes[0].stdout.readline()
        started.token = re.search(r"player +\w+ +(arb_\w+)", said)[1]
    else:
        own_queue = {"ARBITER_RUN": f"kill-{os.getpid()}"}  # the suite's worker is not to be of help
        env |= request.getfixturevalue("process_env") | path | own_queue | env
        lines = (ROOT / "Procfile").read_text().splitlines()
        commands = [
            line.partition(": ")[2] for line in lines if line.split(":")[0] in ("web", "worker", "sequencer", "beat")
        ]
        started = Service(env, commands, request.getfixturevalue("person")().token)
        started.start()
    yield started
    started.kill()


def test_fifty_games_survive_a_kill(db, service):
    games = []
    for number in range(GAMES):
        rulebook, seats = ("theos", 2) if number % 5 == 0 else ("highcard", 4)  # long games, surely hit, and short ones
        body = {"command_id": f"kill-{number}", "rulebook": rulebook, "seats": seats}
        games.append(service.ask("POST", "/api/v1/games", body)[1]["stream"])
    for number, game in enumerate(games):
        assert service.ask("POST", f"/api/v1/games/{game}/bots", {"command_id": f"fill-{number}"})[0] == 201
    wait_for(lambda: service.ask("GET", f"/api/v1/games/{games[0]}")[1]["seq"] > 8, 60)  # they have begun
    service.kill()

    service.start()
    assert service.phases(games)["play"] > 0, "the kill came too late to show anything"
    ends = time.monotonic() + 120
    while (phases := service.phases(games))["over"] < GAMES and time.monotonic() < ends:
        time.sleep(0.5)
    assert phases == {"over": GAMES}
    verified = subprocess.run(
        [sys.executable, "manage.py", "verify", "--json", *games],
        cwd=ROOT,
        env=service.env,
        capture_output=True,
        text=True,
    )
    reports = [json.loads(line) for line in verified.stdout.splitlines()]
    assert [report["ok"] for report in reports] == [True] * GAMES, verified.stderr
