"""Redis carries hints, never truth: without it play goes on, `/readyz` says what is missing, and it comes back by
itself."""

import http.client
import os
import subprocess
import sys
from pathlib import Path

import pytest

from config.servers import Redis, free_port
from tests.conftest import ROOT, wait_for
from tests.http import ask as over_http

pytestmark = pytest.mark.production


def test_play_goes_on_without_redis(process_env, person):
    player, port = person(), free_port()

    def ask(method: str, path: str, body: dict | None = None, key: str = "") -> tuple[int, dict]:
        return over_http(port, player.token, method, path, body, **({"Idempotency-Key": key} if key else {}))

    def up() -> bool:
        try:
            return ask("GET", "/readyz")[0] in (200, 503)
        except (OSError, http.client.HTTPException):
            return False

    def unready() -> dict | None:
        status, said = ask("GET", "/readyz")
        return said if status == 503 else None

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
            said = wait_for(unready, 20)
            assert (said["checks"]["broker"]["ok"], said["checks"]["database"]["ok"]) == (False, True)
            status, first = ask("POST", f"/api/v1/games/{game}/join", {"seat": 0, "ready": True}, "join")
            assert status == 201, first
            assert ask("POST", f"/api/v1/games/{game}/join", {"seat": 0, "ready": True}, "join")[1] == first

            redis.start()
            wait_for(broker, 20)
            assert ask("GET", f"/api/v1/games/{game}")[1]["seats"][0]["ready"] is True
        finally:
            service.terminate()
            service.wait(30)
