"""Events as they come, over real connections: to each listener what that listener may know, and nothing twice."""

import contextlib
import json
import signal
import subprocess
import sys
import threading
import time

import httpx
import pytest
import uvicorn
from django.db import InterfaceError, OperationalError

from accounts.services import revoke
from config.api.auth import bearer
from config.servers import free_port
from games import waiting
from games.api import stream as streams
from tests.conftest import ROOT, wait_for
from tests.games.play import Player
from tests.http import problem


class Ear:
    """Somebody who listens to a stream, in a thread of their own."""

    def __init__(self, port: int, player: Player, query: str = "", **headers: str) -> None:
        self.url = f"http://127.0.0.1:{port}/api/v1/games/{player.game}/stream{query}"
        self.headers = {"Authorization": f"Bearer {player.someone.token}", "Accept": "text/event-stream"} | headers
        self.events: list[dict] = []
        self.comments: list[str] = []
        self.ended: str | None = None  # "" is a clean end
        self.hung_up = threading.Event()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self) -> None:
        try:
            with httpx.stream("GET", self.url, headers=self.headers, timeout=60) as answer:
                assert answer.headers["Content-Type"].startswith("text/event-stream"), answer.read()
                event = ""
                for line in answer.iter_lines():
                    if line.startswith("id: "):
                        event = line[4:]
                    elif line.startswith("data: "):
                        self.events.append(json.loads(line[6:]))
                        assert self.events[-1]["seq"] == int(event)
                    elif line.startswith(":"):
                        self.comments.append(line)
                    if self.hung_up.is_set():
                        return
            self.ended = ""
        except Exception as error:
            self.ended = repr(error)

    def heard(self, seq: int) -> list[dict]:
        wait_for(lambda: self.events and self.events[-1]["seq"] >= seq)
        return self.events


@pytest.fixture
def port(db, settings):
    """The ASGI application behind a real server, in this process."""
    from config.asgi import application

    settings.POOLED = True  # no thread of it keeps a connection
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(application, port=port, lifespan="off", log_config=None))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    wait_for(lambda: server.started)
    yield port
    waiting.watch.close()
    server.should_exit = True
    thread.join(10)
    waiting.watch.closing = False


def listed(player: Player, query: str = "?limit=200") -> list[dict]:
    return player.see(f"/events{query}")["data"]


def test_each_listener_hears_what_the_list_shows_them(table, person, port):
    game = table()
    spectator = Player(person(), game.game)
    everybody = [*game.players, spectator]
    ears = [Ear(port, player, "?text=1") for player in everybody]
    for _ in range(6):
        game[game.waits_for()[0]].answer_first()
    last = game[0].see()["seq"]
    for player, ear in zip(everybody, ears, strict=True):
        assert ear.heard(last) == listed(player, "?limit=200&text=1")
    first = [ear.events[3]["action"].get("path") for ear in ears]
    assert [path is not None for path in first] == [True, False, False], "a sealed answer is its player's alone"


def test_a_broken_connection_goes_on_where_it_was(table, port):
    game = table()
    game[0].answer_first()
    last = game[0].see()["seq"]
    assert [event["seq"] for event in Ear(port, game[0], "?since=2").heard(last)] == [3, 4]
    back = Ear(port, game[0], "?since=0", **{"Last-Event-ID": "3"})
    assert [event["seq"] for event in back.heard(last)] == [4], "the header is the newer of the two"
    game[1].answer_first()
    assert back.heard(last + 1) == listed(game[0], "?since=3")


def test_whoever_sits_down_hears_their_own_hand_and_who_gets_up_does_not(table, person, port):
    game = table()
    cleo = Player(person(), game.game)
    ears = [Ear(port, game[1], "?since=3"), Ear(port, cleo, "?since=3")]
    game[1].say("hand-over", to="anybody")
    cleo.say("take-over", seat=1)
    game[0].answer_first()
    mine = cleo.answer_first()
    old, new = (ear.heard(mine["seq"])[-1] for ear in ears)
    assert new == mine
    assert "path" not in old["action"], "whoever lost the seat has lost its view"
    assert old["hash"] == new["hash"]


def test_a_silent_stream_says_that_it_is_there(table, port, monkeypatch):
    monkeypatch.setattr(streams, "KEEP_ALIVE_S", 0.05)
    ear = Ear(port, table()[0], "?since=3")
    wait_for(lambda: len(ear.comments) >= 3)


def test_a_revoked_token_hears_no_more(table, port, monkeypatch):
    monkeypatch.setattr(streams, "KEEP_ALIVE_S", 0.05)
    monkeypatch.setattr(streams, "RECHECK_S", 0.0)
    game = table()
    ear = Ear(port, game[0], "?since=3")
    wait_for(lambda: ear.comments)
    revoke(bearer(f"Bearer {game[0].someone.token}"))
    wait_for(lambda: ear.ended is not None)
    assert ear.ended == ""
    game[1].answer_first()
    assert ear.events == []


def test_a_database_that_was_away_is_no_end(table, port, monkeypatch):
    monkeypatch.setattr(streams, "AGAIN_S", 0.05)
    real, fails = streams.history.events, iter([OperationalError("gone"), InterfaceError("still gone")])

    def events(*args, **options):
        if error := next(fails, None):
            raise error
        return real(*args, **options)

    monkeypatch.setattr(streams.history, "events", events)
    game = table()
    assert len(Ear(port, game[0]).heard(3)) == 3


def test_nobody_keeps_more_open_than_their_share(table, port, settings, monkeypatch):
    settings.STREAMS_EACH = 2
    monkeypatch.setattr(streams, "KEEP_ALIVE_S", 0.05)
    game = table()
    ears = [Ear(port, game[0]) for _ in range(2)]
    for ear in ears:
        ear.heard(3)
    url, headers = ears[0].url, ears[0].headers
    third = httpx.get(url, headers=headers)
    assert (third.status_code, third.json()["budget"]) == (429, "streams")
    assert int(third.headers["Retry-After"]) > 0
    Ear(port, game[1]).heard(3)
    ears[0].hung_up.set()
    again = wait_for(lambda: Ear(port, game[0]).heard(3) if streams._listeners[game[0].someone.user.pk] < 2 else None)
    assert again, "a place is free as soon as somebody hangs up"


def test_what_cannot_be_heard_is_a_problem(table, person, api, port):
    game = table(visibility="private")
    path = f"/games/{game.game}/stream"
    stranger = api(person().token)
    problem(stranger.read(path, Accept="text/event-stream"), 404, "unknown")
    problem(api().read(path), 401, "unauthenticated")
    problem(game[0].read(path, **{"Last-Event-ID": "many"}), 400, "invalid_header")
    problem(game[0].read(f"{path}?since=99"), 409, "not_there_yet")
    problem(game[0].read(f"{path}?as=1"), 403, "missing_scope")
    problem(game[0].do(path), 405, "method_not_allowed")


def test_a_judge_listens_through_a_seat_s_eyes_on_record(table, person, port):
    game = table()
    judy = Player(person("judge"), game.game)
    ear = Ear(port, judy, "?as=1")
    game[0].answer_first()
    answer = game[1].answer_first()
    assert ear.heard(answer["seq"]) == listed(game[1])
    from tests.games.test_judges import looks

    assert [(look["as"], look["what"]) for look in looks(game.game)] == [(1, "stream")]


def test_under_wsgi_it_is_a_long_poll_that_any_client_goes_on_with(table, monkeypatch):
    game = table()
    reply = game[0].read(f"/games/{game.game}/stream?since=1")
    lines = b"".join(reply.streaming_content).decode().splitlines()
    assert lines[0] == "retry: 500"
    heard = [json.loads(line[6:]) for line in lines if line.startswith("data: ")]
    assert heard == listed(game[0], "?since=1")


def test_other_processes_events_are_heard_and_the_end_is_clean(table, process_env):
    """A server of its own, as production's `stream` is; stopped while somebody listens."""
    game, port = table(), free_port()
    command = [sys.executable, "-m", "uvicorn", "config.asgi:application", "--port", str(port), "--lifespan", "off",
               "--timeout-graceful-shutdown", "5"]  # fmt: skip
    env = process_env | {"LOG_LEVEL": "CRITICAL"}
    with subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            wait_for(lambda: answers(port), 30)
            ears = [Ear(port, player) for player in game.players]
            for ear in ears:
                ear.heard(3)
            began = time.monotonic()
            made = game[0].answer_first()
            assert ears[1].heard(made["seq"]) == listed(game[1])
            assert time.monotonic() - began < 3
        finally:
            server.send_signal(signal.SIGTERM)
            began = time.monotonic()
            server.wait(10)
    assert time.monotonic() - began < 4, "nobody had to be cut off"
    wait_for(lambda: all(ear.ended is not None for ear in ears))
    assert [ear.ended for ear in ears] == ["", ""]


def answers(port: int) -> bool:
    with contextlib.suppress(httpx.TransportError):
        return httpx.get(f"http://127.0.0.1:{port}/healthz").status_code == 200
    return False
