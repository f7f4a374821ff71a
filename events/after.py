"""Small jobs that follow a commit, off the caller's path: each process has a thread or two for them.

Jobs are hints or can be made again from the log, so one that fails or is lost with its process loses nothing. A job
replaces an earlier one of the same name that still waits: only the newest matters.
"""

import logging
import os
import threading
from collections.abc import Callable, Hashable

from django.db import connection

log = logging.getLogger("events")

IDLE_S = 0.2  # then the database connection is given back
STAYS_S = 30.0  # then the thread ends; the next job starts another


class Jobs:
    def __init__(self, name: str) -> None:
        self.name = name
        self._forget()
        os.register_at_fork(after_in_child=self._forget)  # a fork has the jobs but not the thread

    def _forget(self) -> None:
        self._waiting: dict[Hashable, Callable[[], object]] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._busy = False

    def put(self, name: Hashable, job: Callable[[], object]) -> None:
        with self._changed:
            self._waiting[name] = job
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def settle(self, timeout: float = 10.0) -> bool:
        """Wait until nothing waits and nothing runs; False when that took too long."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._waiting and not self._busy, timeout)

    def _take(self, patience: float, *, last: bool) -> Callable[[], object] | None:
        """The job that waits longest; None when none came in time. If that was the `last` look, the thread ends."""
        with self._changed:
            self._busy = False
            self._changed.notify_all()
            if self._changed.wait_for(lambda: bool(self._waiting), patience):
                self._busy = True
                return self._waiting.pop(next(iter(self._waiting)))
            if last:
                self._thread = None
            return None

    def _run(self) -> None:
        while True:
            job = self._take(IDLE_S, last=False)
            if job is None:
                connection.close()
                job = self._take(STAYS_S, last=True)
            if job is None:
                return
            try:
                job()
            except Exception:
                log.warning("a job after a commit failed; the sweep will do it", exc_info=True)
                connection.close()


rows = Jobs("after-rows")  # what writes to the database
network = Jobs("after-network")  # what talks to Redis: it may hang, and rows must not wait for it
