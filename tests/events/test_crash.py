"""Nothing acknowledged is ever lost: the database server and the writers are killed (SIGKILL) under load."""

import os
import subprocess
import sys
import time
from itertools import pairwise

import psycopg
import pytest
from django.db import connection

from config.servers import Postgres
from events import store
from events.canonical import digest

WRITERS, STREAMS, ROUNDS = 4, 3, 4


def hammer(name: str, streams: list[str], folder, environment: dict) -> subprocess.Popen:
    with (folder / name).open("w") as acknowledged:
        return subprocess.Popen(
            [sys.executable, "-m", "tests.events.hammer", name, *streams],
            env={**os.environ, **environment}, stdout=acknowledged, stderr=subprocess.DEVNULL,
        )  # fmt: skip


def under_fire(streams: list[str], folder, environment: dict, crash) -> list[tuple[str, int, str, str]]:
    """Writers at work while `crash` strikes and one writer after the other is killed; what they were told is true."""
    writers = [hammer(f"w{index}", streams, folder, environment) for index in range(WRITERS)]
    try:
        for round_ in range(ROUNDS):
            before = sum(path.stat().st_size for path in folder.iterdir())
            until = time.monotonic() + 20
            while sum(path.stat().st_size for path in folder.iterdir()) < before + 2_000 and time.monotonic() < until:
                time.sleep(0.05)  # some were acknowledged since the last crash: the load is real, the crash inside it
            crash()
            victim = writers.pop(0)
            victim.kill()
            victim.wait()
            writers.append(hammer(f"r{round_}", streams, folder, environment))
        time.sleep(0.5)
    finally:
        for writer in writers:
            writer.kill()
            writer.wait()
    acks = []
    for path in folder.iterdir():
        for line in path.read_text().splitlines(keepends=True):
            if line.endswith("\n"):
                stream, seq, hash_, cmd = line.split()
                acks.append((stream, int(seq), hash_, cmd))
    return acks


def check(acks, rows_by_stream: dict[str, list[tuple]]) -> None:
    """rows: (seq, prev, hash, envelope, cmd), ordered."""
    rows = {(stream, row[0]): row for stream, found in rows_by_stream.items() for row in found}
    assert len(acks) > 100, "hardly anything was acknowledged: the test proves nothing"
    for stream, seq, hash_, cmd in acks:
        assert (rows[stream, seq][2].hex(), rows[stream, seq][4]) == (hash_, cmd), f"{stream}/{seq} was acknowledged"
    for stream, found in rows_by_stream.items():
        assert [row[0] for row in found] == list(range(1, len(found) + 1))
        assert len({row[4] for row in found}) == len(found)
        for (_, _, before, *_), (seq, prev, hash_, envelope, _) in pairwise(found):
            assert prev == before, f"{stream}/{seq} breaks the chain"
            assert hash_ == digest("event", envelope)


def test_writers_killed_under_load_lose_nothing(counter, tmp_path):
    streams = [counter() for _ in range(STREAMS)]
    acks = under_fire(
        streams, tmp_path, {"ARBITER_TEST_DATABASE": connection.settings_dict["NAME"]}, crash=lambda: None
    )
    check(acks, {s: [(e.seq, e.prev, e.hash, e.envelope, e.cmd) for e in store.read(s)] for s in streams})


@pytest.mark.production
def test_a_database_killed_under_load_loses_nothing(tmp_path):
    with Postgres() as server:
        environment = {"DATABASE_URL": server.url, "ARBITER_STACK": "production"}
        begin = (
            "import django; django.setup()\n"
            "from django.core.management import call_command; call_command('migrate', verbosity=0)\n"
            "import tests.counter; from events import commands\n"
            f"for n in range({STREAMS}):\n"
            "    s = commands.new_stream_id('counter'); print(s)\n"
            "    commands.open_stream('counter', 2, stream=s, actor='a', action={'do': 'begin'}, command_id='b')\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", begin], capture_output=True, text=True,
            env={**os.environ, **environment, "DJANGO_SETTINGS_MODULE": "tests.settings"}, check=True,
        )  # fmt: skip
        streams = done.stdout.split()

        def crash() -> None:
            server.kill()
            time.sleep(0.2)
            server.start()

        folder = tmp_path / "acks"
        folder.mkdir()
        acks = under_fire(streams, folder, environment, crash)
        with psycopg.connect(server.url) as found:
            query = "SELECT seq, prev, hash, envelope, cmd FROM events_event WHERE stream = %s ORDER BY seq"
            check(acks, {stream: found.execute(query, [stream]).fetchall() for stream in streams})
