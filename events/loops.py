"""What runs for ever: waits for its bell or its time, works, and comes back from whatever goes wrong."""

import logging
import threading
import time
from abc import ABC, abstractmethod
from typing import Self

from django.db import DatabaseError, InterfaceError, connection

from events import heartbeats

log = logging.getLogger("events")

AGAIN_S = 1.0  # after a failure


class Loop(ABC):
    """Runs in the caller's thread (`run`) or in one of its own (`start_thread`); `stop` ends it between two rounds."""

    name = "loop"
    poll_s = 1.0  # how long it waits when no bell rings

    def __init__(self) -> None:
        self.stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def enter(self) -> bool:
        """Get ready, also after a failure; False: not our turn yet, ask again later."""
        return True

    @abstractmethod
    def round(self) -> None:
        """One piece of work; it is called again and again."""

    def wait(self) -> None:
        self.stopping.wait(self.poll_s)

    def leave(self) -> None:  # noqa: B027 - most have nothing to give back
        """Give back what `enter` took."""

    def run(self) -> None:
        ready = False
        while not self.stopping.is_set():
            try:
                ready = ready or self.enter()
                if ready:
                    self.round()
                    heartbeats.beat(self.name)
                    self.wait()
                else:
                    self.stopping.wait(AGAIN_S)
            except Exception as error:
                gone = isinstance(error, DatabaseError | InterfaceError)
                log.warning("%s: %s; trying again", self.name, error, exc_info=not gone)
                ready = False
                self._close()
                self.stopping.wait(AGAIN_S)
        self._close()

    def _close(self) -> None:
        try:
            self.leave()
        except (DatabaseError, InterfaceError):
            log.info("%s: the connection is gone already", self.name)
        finally:
            connection.close()

    def start_thread(self) -> Self:
        self._thread = threading.Thread(target=self.run, name=self.name, daemon=True)
        self._thread.start()
        return self

    def stop(self, timeout: float = 10.0) -> None:
        self.stopping.set()
        if self._thread:
            self._thread.join(timeout)


def wait_for(bell: threading.Event, timeout: float, stopping: threading.Event, step: float = 0.25) -> None:
    """Until the bell rings, the time is over, or the loop is told to stop."""
    ends = time.monotonic() + timeout
    while not stopping.is_set() and (left := ends - time.monotonic()) > 0:
        if bell.wait(min(left, step)):
            break
    bell.clear()
