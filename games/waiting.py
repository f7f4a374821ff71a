"""Waiting for the next event of a stream, for clients that poll. An event of this process wakes its waiters at once;
those of other processes are seen at the next look."""

import threading
import time
from collections import defaultdict

from django.conf import settings
from django.db import connection

from events import store
from events.heads import Head

LONGEST_S = 25
LOOK_S = 0.25

_waiting: dict[str, list[threading.Event]] = defaultdict(list)
_guard = threading.Lock()


def appended(event: store.Stored, head: Head) -> None:
    with _guard:
        for bell in _waiting.get(event.stream, ()):
            bell.set()


def for_more(stream: str, seq: int, seconds: float) -> None:
    """Return when the stream has gone beyond `seq`, or after so many seconds; at once where too many wait already:
    each holds a thread, and others must still be able to play."""
    ends = time.monotonic() + min(seconds, LONGEST_S)
    bell = threading.Event()
    with _guard:
        if sum(map(len, _waiting.values())) >= settings.LONG_POLLS:
            return
        _waiting[stream].append(bell)
    try:
        while store.head_seq(stream) <= seq and (left := ends - time.monotonic()) > 0:
            if settings.POOLED:
                connection.close()  # back to the pool: who only waits needs none
            bell.wait(min(left, LOOK_S))
            bell.clear()
    finally:
        with _guard:
            _waiting[stream].remove(bell)
            if not _waiting[stream]:
                del _waiting[stream]
