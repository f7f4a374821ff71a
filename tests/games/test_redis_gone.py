"""Redis carries hints, never truth: without it play goes on, `/readyz` says what is missing, and it comes back by
itself."""

import http.client
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from config.servers import Redis, free_port
from tests.conftest import ROOT, wait_for

pytestmark = pytest.mark.production
PLAIN = {"Content-Type": "application/json"}


def test_play_goes_on_without_redis(process_env, person):
    player, port = person(), free_port()

    def ask(method: str, path: str, body: dict | None = None, key: str = "") -> tuple[int, dict]:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        headers = PLAIN | {"Authorization": f"Bearer {player.token}"} | ({"Idempotency-Key": key} if key else {})
        try:
            connection.request(method, path, json.dumps(body) if body is not None else None, headers)
            reply = connection.getresponse()
            return reply.status, json.loads(reply.read())
        finally:
            connection.close()

    def up() -> bool:
        try:
            return ask("GET", "/readyz")[0] in (200, 503)
        except (OSError, http.client.HTTPException):
            return False

    def broker() -> bool:
        return ask("GET", "/readyz")[1]["checks"]["broker"]["ok"]

    with Redis() as redis:
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        env = process_env | {"REDIS_URL": redis.url, "PORT": str(port), "PATH": path, "LOG_LEVEL": "CRITICAL"}
        web = next(line.partition(": ")[2] for line in (ROOT / "Procfile").read_text().splitlines() if "web:" in line)
        service = subprocess.Popen(["sh", "-c", web], cwd=ROOT, env=env, stderr=subprocess.DEVNULL)
        try:
            wait_for(up, 60)
            wait_for(broker, 20)
            game = ask("POST", "/api/v1/games", {"rulebook": "highcard", "seats": 2}, "create")[1]["stream"]

            redis.kill()
            wait_for(lambda: not broker(), 20)
            status, said = ask("GET", "/readyz")
            assert (status, said["checks"]["database"]["ok"]) == (503, True)
            status, first = ask("POST", f"/api/v1/games/{game}/join", {"seat": 0, "ready": True}, "join")
            assert status == 201, first
            assert ask("POST", f"/api/v1/games/{game}/join", {"seat": 0, "ready": True}, "join")[1] == first

            redis.start()
            wait_for(broker, 20)
            assert ask("GET", f"/api/v1/games/{game}")[1]["seats"][0]["ready"] is True
        finally:
            service.terminate()
            service.wait(30)
