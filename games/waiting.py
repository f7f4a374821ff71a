"""Who waits for the next event of which stream in this process: long polls, and streams that stay open.

An event of this process wakes them at once. Those of other processes are found by one look for all of them together, a
few times a second, or when a hint comes where this process is there for waiting.
"""

import contextlib
import logging
import os
import signal
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection

from events import hints, store
from events.heads import Head

log = logging.getLogger("games")

LONGEST_S = 25  # of a long poll
LOOK_S = 0.25
GATHER_S = 0.02  # between two looks: under load there is a hint at any moment
LINGER_S = 30.0  # the one who looks goes when nobody has waited for so long

Bell = Callable[[int], None]  # is told which seq the stream has come to


class Watch:
    """The bells of everybody who waits, and the thread that looks for them while there is anybody."""

    def __init__(self) -> None:
        self._forget()
        os.register_at_fork(after_in_child=self._forget)  # a fork has the bells but not the thread

    def _forget(self) -> None:
        self._guard = threading.Lock()
        self._bells: dict[str, list[Bell]] = defaultdict(list)
        self._thread: threading.Thread | None = None
        self.closing = False

    @contextlib.contextmanager
    def listening(self, stream: str, bell: Bell) -> Iterator[None]:
        """Ring `bell` whenever the stream has grown. What was there before is for the listener to read."""
        with self._guard:
            self._bells[stream].append(bell)
            if self._thread is None:
                self._thread = threading.Thread(target=self._look_on, name="watch", daemon=True)
                self._thread.start()
        try:
            yield
        finally:
            with self._guard:
                self._bells[stream].remove(bell)
                if not self._bells[stream]:
                    del self._bells[stream]

    def ring(self, stream: str, seq: int) -> None:
        with self._guard:
            bells = list(self._bells.get(stream, ()))
        for bell in bells:
            bell(seq)

    def close(self) -> None:
        """The process is about to end: wake everybody, so that each can say goodbye."""
        self.closing = True
        for stream in list(self._bells):
            self.ring(stream, 0)

    def _look_on(self) -> None:
        ear = hints.Ear() if settings.REDIS_URL and settings.POOLED else None
        hint = hints.BELLS[hints.APPENDED] if ear else threading.Event()  # elsewhere it is the sequencer's
        if ear:
            ear.start()
        known: dict[str, int] = {}
        needed = time.monotonic()
        while True:
            with self._guard:
                streams = list(self._bells)
                if not streams and time.monotonic() - needed > LINGER_S:
                    self._thread = None
                    break
            if streams:
                needed = time.monotonic()
                known = self._look(streams, known)
            hint.wait(LOOK_S)
            hint.clear()
            time.sleep(GATHER_S)
        connection.close()
        if ear:
            ear.stop()

    def _look(self, streams: list[str], known: dict[str, int]) -> dict[str, int]:
        try:
            found = store.head_seqs(streams)
        except (DatabaseError, InterfaceError) as error:
            log.warning("cannot look for new events: %s; trying again", error)
            connection.close()
            return known
        if settings.POOLED:
            connection.close()  # back to the pool
        for stream, seq in found.items():
            if seq != known.get(stream):
                self.ring(stream, seq)
        return found


watch = Watch()


def appended(event: store.Stored, head: Head) -> None:
    watch.ring(event.stream, event.seq)


_polls: list[threading.Event] = []


def for_more(stream: str, seq: int, seconds: float) -> None:
    """Return when the stream has gone beyond `seq`, or after so many seconds; at once where too many wait already:
    each holds a thread, and others must still be able to play."""
    if len(_polls) >= settings.LONG_POLLS:
        return
    ends, bell = time.monotonic() + min(seconds, LONGEST_S), threading.Event()
    _polls.append(bell)
    try:
        with watch.listening(stream, lambda _: bell.set()):
            while store.head_seq(stream) <= seq and not watch.closing and (left := ends - time.monotonic()) > 0:
                if settings.POOLED:
                    connection.close()  # back to the pool: who only waits needs none
                bell.wait(left)
                bell.clear()
    finally:
        _polls.remove(bell)


_told = False


def end_with_the_process() -> None:
    """Have those who wait told when the process is asked to stop, before its server hears of it. Once, in the main
    thread, when the server has taken the signals."""
    global _told
    if _told or threading.current_thread() is not threading.main_thread():
        return
    _told = True
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)
        if callable(before):
            signal.signal(number, lambda n, frame, before=before: (watch.close(), before(n, frame)))
