"""Bells: whoever waits for something need not poll fast. A ring is only a hint, every waiter also looks by itself.

In one process a ring is a set flag. Between processes it goes through Redis, published behind the caller's back; when
Redis is away nobody notices but by a little delay.
"""

import logging
import threading
import time
from collections.abc import Callable, Hashable

import redis
from django.conf import settings
from kombu.exceptions import OperationalError

from events import after

log = logging.getLogger("events")

APPENDED = "appended"  # there is an event that is not in the feed
FED = "fed"  # the feed has grown
SIGN = "sign"  # somebody would like a checkpoint now
DUE = "due"  # a deadline is near
BELLS = {name: threading.Event() for name in (APPENDED, FED, SIGN, DUE)}
GATHER_S = 0.02  # rings within this time become one
PAUSE_S = 2.0  # in which a Redis that failed is not asked again

_client: redis.Redis | None = None
_away_until = 0.0


def ring(name: str) -> None:
    BELLS[name].set()
    if settings.REDIS_URL:
        send(name, lambda: client().publish(channel(), name))


def send(name: Hashable, message: Callable[[], object], *, gather_s: float = GATHER_S) -> None:
    """Have something sent through Redis behind the caller's back; while Redis is away it is not even tried."""
    if time.monotonic() >= _away_until:
        after.network.put(name, lambda: _send(message, gather_s))


def _send(message: Callable[[], object], gather_s: float) -> None:
    global _away_until
    if time.monotonic() < _away_until:
        return
    try:
        message()
        time.sleep(gather_s)
    except (redis.RedisError, OperationalError, OSError) as error:
        _away_until = time.monotonic() + PAUSE_S
        log.warning("hints are not sent for a while: Redis does not answer (%s)", type(error).__name__)


def channel() -> str:
    return f"arbiter:{settings.DATABASES['default']['NAME']}:bells"


def client() -> redis.Redis:
    global _client
    if _client is None:
        _client = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=0.5, socket_connect_timeout=0.5)
    return _client


class Ear(threading.Thread):
    """Rings this process's bells when another process rang. For processes that wait."""

    def __init__(self) -> None:
        super().__init__(name="bells", daemon=True)
        self.stopping = threading.Event()

    def run(self) -> None:
        while not self.stopping.is_set():
            try:
                with client().pubsub(ignore_subscribe_messages=True) as heard:
                    heard.subscribe(channel())
                    while not self.stopping.is_set():
                        if message := heard.get_message(timeout=1.0):
                            BELLS[message["data"].decode()].set()
            except (redis.RedisError, OSError, KeyError):
                self.stopping.wait(PAUSE_S)

    def stop(self) -> None:
        self.stopping.set()
        self.join(3)
