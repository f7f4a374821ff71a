"""`manage.py up`, through its front door: a process, its words and its port."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from config.servers import free_port

ROOT = Path(__file__).resolve().parents[2]
ENV = {"ARBITER_BOOTSTRAP": "off", "PATH": os.defpath, "ARBITER_MODE": "embedded"}
TOKEN = re.compile(r"^ +(organiser|player|judge) +(\w+) +(arb_\w+)$", re.M)

pytestmark = pytest.mark.embedded


class Up:
    """A running `manage.py up`; `said` is all it printed before it served."""

    def __init__(self, data: Path, *, env: dict[str, str] = ENV) -> None:
        self.port = free_port()
        self.process = start(data, self.port, env)
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if "serving http" in line:
                break
        self.said = "".join(lines)

    def get(self, path: str, token: str | None = None) -> int:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", headers=headers)
        with urllib.request.urlopen(request, timeout=10) as response:
            return response.status

    def stop(self, how: signal.Signals = signal.SIGINT) -> tuple[int, str]:
        self.process.send_signal(how)
        said, _ = self.process.communicate(timeout=15)
        return self.process.returncode, said


def start(data: Path, port: int, env: dict[str, str] = ENV) -> subprocess.Popen[str]:
    command = [sys.executable, "manage.py", "up", "--port", str(port), "--data", str(data)]
    return subprocess.Popen(
        command, cwd=ROOT, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    )


def refusal(data: Path, port: int, env: dict[str, str] = ENV) -> str:
    """The one sentence of an `up` that does not start."""
    process = start(data, port, env)
    said, _ = process.communicate(timeout=20)
    assert process.returncode == 1
    assert len(said.strip().splitlines()) == 1, said
    return said


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    up = Up(tmp_path_factory.mktemp("up") / "data")
    yield up
    up.process.kill()
    up.process.communicate()


def test_it_serves_and_introduces_its_people(first, tmp_path):
    assert first.get("/healthz") == 200
    people = TOKEN.findall(first.said)
    assert sorted(role for role, _, _ in people) == ["judge", "organiser", "player", "player"]
    for _, _, token in people:
        assert first.get("/api/v1/me", token) == 200


def test_a_second_one_on_the_same_data_says_who_is_there(first, tmp_path):
    said = refusal(Path(re.search(r"preparing (.*)/arbiter", first.said)[1]), free_port())
    assert f"another Arbiter (process {first.process.pid}) already runs on" in said
    assert "--data DIR" in said


def test_a_taken_port_is_said(first, tmp_path):
    assert f"cannot listen on 127.0.0.1:{first.port}" in (said := refusal(tmp_path, first.port))
    assert "--port" in said


def test_a_directory_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "file").touch()
    assert "cannot write to the data directory" in refusal(tmp_path / "file" / "data", free_port())


def test_a_production_database_is_not_silently_ignored(tmp_path):
    env = ENV | {"DATABASE_URL": "postgresql://localhost/arbiter"}
    assert "DATABASE_URL is set" in refusal(tmp_path, free_port(), env)


def test_ctrl_c_stops_it_cleanly_and_the_next_start_goes_on_where_it_was(tmp_path):
    up = Up(tmp_path)
    token = TOKEN.findall(up.said)[0][2]
    status, said = up.stop()
    assert (status, said) == (0, "arbiter: stopped.\n"), "and nothing else: no traceback, no log line"
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600

    again = Up(tmp_path)
    assert TOKEN.findall(again.said) == [], "tokens are shown once"
    assert again.get("/api/v1/me", token) == 200
    assert again.stop(signal.SIGTERM) == (0, "arbiter: stopped.\n")


def test_who_listens_is_told_the_end(tmp_path):
    up = Up(tmp_path)
    token = {name: token for _, name, token in TOKEN.findall(up.said)}["ada"]
    connection = http.client.HTTPConnection("127.0.0.1", up.port, timeout=20)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", "Idempotency-Key": "once"}
    connection.request("POST", "/api/v1/games", '{"rulebook": "highcard"}', headers)
    game = json.loads(connection.getresponse().read())["stream"]
    connection.request("GET", f"/api/v1/games/{game}/stream", headers=headers)
    stream = connection.getresponse()
    assert [stream.readline() for _ in range(3)] == [b"retry: 1000\n", b"\n", b"id: 1\n"]
    assert up.stop() == (0, "arbiter: stopped.\n")
    assert stream.read().startswith(b"data: "), "all of it, and a proper end"


def test_nobody_but_its_owner_reads_the_data(tmp_path):
    """The seed of every game lies in there."""
    from config.embedded import owned

    with owned(tmp_path / "data"):
        assert (tmp_path / "data").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("query", [b"since=4&wait=20", b"since=4&%77ait=20", b"%77%61%69%74%3D=1&wait%3d20&wait=1"])
def test_whoever_waits_keeps_no_thread_from_others_however_it_is_spelt(query):
    from config.embedded import waits

    assert waits({"type": "http", "path": "/api/v1/games/gam_1/events", "query_string": query})
    assert not waits({"type": "http", "path": "/api/v1/games/gam_1/events", "query_string": b"since=4"})
