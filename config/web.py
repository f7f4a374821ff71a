"""REST in production: `python -m config.web`. granian reads and writes HTTP outside Python, so that Python's one lock
is the application's; a few threads in each process keep their database connection."""

import multiprocessing
import os
import signal
import threading
import time
from multiprocessing.connection import wait
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from granian.constants import HTTPModes, Interfaces
from granian.log import LogLevels
from granian.server import Server

from config.environment import Environment, complete


def server() -> Server:
    env = Environment()
    return Server(
        "config.web:application",
        factory=True,
        interface=Interfaces.WSGI,
        address=env.text("BIND", "127.0.0.1"),
        port=env.number("PORT", 8000),
        http=HTTPModes.http1,
        websockets=False,
        workers=env.number("WEB_WORKERS", 2),
        blocking_threads=env.number("WEB_THREADS", 4),
        respawn_failed_workers=True,
        workers_kill_timeout=20,  # what is being answered may be answered
        log_level=LogLevels.warning,
    )


def application() -> Any:
    """What each of its processes serves."""
    threading.Thread(target=end_with_the_first, name="parent", daemon=True).start()
    from config.wsgi import application

    return application


def end_with_the_first() -> None:
    """granian's processes outlive a first one that was killed, and would go on answering beside its successor's."""
    if first := multiprocessing.parent_process():
        wait([first.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(5)  # for what is being answered
        os._exit(1)


if __name__ == "__main__":
    complete()
    server().serve()
