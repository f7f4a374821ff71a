"""The embedded stack: one process that is web server, Celery worker, beat and sequencer, over one data directory."""

import contextlib
import fcntl
import os
import socket
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

import uvicorn
from celery import Celery
from celery.apps.worker import Worker
from celery.beat import Scheduler, Service
from celery.exceptions import SecurityWarning
from celery.worker import state

from config.threads import ASGIApp, Receive, Scope, Send, Threads

WEB_THREADS = 4
WORKER_THREADS = 4


class CannotServe(RuntimeError):
    """One sentence that says what stands in the way and what to do about it."""


@contextlib.contextmanager
def owned(directory: Path) -> Iterator[None]:
    """Hold the data directory for this process alone; the lock goes with the process, however it ends."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)  # every game's seed is in it
        lock = (directory / "lock").open("a+")
    except OSError as problem:
        raise CannotServe(
            f"cannot write to the data directory {directory} ({problem.strerror}); choose another with --data DIR."
        ) from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.seek(0)
            raise CannotServe(
                f"another Arbiter (process {lock.read().strip() or 'unknown'}) already runs on {directory}; "
                "stop it, or choose another directory with --data DIR."
            ) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


def listen(host: str, port: int) -> socket.socket:
    """The listening socket, taken before anything slow, so that a taken port is said at once."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(128)
    except OSError as problem:
        listener.close()
        raise CannotServe(
            f"cannot listen on {host}:{port} ({problem.strerror}); choose another port with --port."
        ) from None
    return listener


def application() -> ASGIApp:
    """Requests that wait go to asyncio; all others to a few threads that keep their database connection."""
    from config.asgi import application as waiting
    from config.wsgi import application as answering

    threads = Threads(answering, WEB_THREADS)

    async def dispatch(scope: Scope, receive: Receive, send: Send) -> None:
        await (waiting if waits(scope) else threads)(scope, receive, send)

    return dispatch


class Server(uvicorn.Server):
    """A web server that says when it serves, and not before."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready()


def serve(listener: socket.socket, ready: Callable[[], None]) -> None:
    """Answer requests until SIGINT or SIGTERM; open streams get a moment to end."""
    quiet: dict[str, Any] = {"lifespan": "off", "log_config": None, "access_log": False, "server_header": False}
    Server(uvicorn.Config(application(), timeout_graceful_shutdown=3, **quiet), ready).run(sockets=[listener])


def waits(scope: Scope) -> bool:
    """Streams and long polls hold their request open. A proxy in front of production sorts by the same rule."""
    return (
        scope["type"] != "http"
        or scope["path"].endswith("/stream")
        or b"wait=" in unquote_to_bytes(scope["query_string"])
    )


@contextlib.contextmanager
def worker(app: Celery) -> Iterator[Worker]:
    """A Celery worker in a thread of this process; leaving waits for the tasks in hand."""
    alone = {"without_gossip": True, "without_mingle": True, "without_heartbeat": True}  # there is nobody to talk to
    warnings.simplefilter("ignore", SecurityWarning)  # about root and pickled messages: these never leave the process
    controller = Worker(app=app, hostname="embedded", pool="threads", concurrency=WORKER_THREADS, quiet=True, **alone)
    thread = threading.Thread(target=controller.start, name="worker", daemon=True)
    thread.start()
    try:
        yield controller
    finally:
        state.should_stop = 0
        thread.join(10)
        state.should_stop = None


@contextlib.contextmanager
def beat(app: Celery) -> Iterator[None]:
    """Celery beat in a thread; the schedule is static, so it is kept in memory."""
    service = Service(app, max_interval=1, scheduler_cls=Scheduler, remote_control=False)
    thread = threading.Thread(target=service.start, name="beat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        service.stop()  # it may sleep for another second; nobody need wait for that


@contextlib.contextmanager
def loops() -> Iterator[None]:
    """What has processes of its own in production: the sequencer, the read models, the sweep over deadlines."""
    from events.deadlines import SweepLoop
    from events.readmodels import ReadModelLoop
    from events.sequencer import SequencerLoop

    running = [loop().start_thread() for loop in (SequencerLoop, ReadModelLoop, SweepLoop)]
    try:
        yield
    finally:
        for loop in running:
            loop.stopping.set()  # all at once, then wait
        for loop in running:
            loop.stop()
