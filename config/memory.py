"""The embedded stack's broker: kombu's queues in memory, with a worker that sleeps until something is put into one.
kombu's own looks every so often: often costs CPU all day, seldom makes every task late."""

import threading
import time
from queue import Empty
from typing import Any

from kombu.transport import memory

LOOKS_S = 0.25  # then the worker looks up: whether it has missed anything, whether it is to stop
_stirred = threading.Event()


class Channel(memory.Channel):
    def _put(self, queue: str, message: Any, **kwargs: Any) -> None:
        super()._put(queue, message, **kwargs)
        _stirred.set()

    def _put_fanout(self, *args: Any, **kwargs: Any) -> None:
        super()._put_fanout(*args, **kwargs)
        _stirred.set()

    def basic_ack(self, *args: Any, **kwargs: Any) -> None:  # one who had enough to do may take more
        super().basic_ack(*args, **kwargs)
        _stirred.set()

    def basic_reject(self, *args: Any, **kwargs: Any) -> None:
        super().basic_reject(*args, **kwargs)
        _stirred.set()


class Transport(memory.Transport):
    Channel = Channel

    def drain_events(self, connection: Any, timeout: float | None = None) -> None:
        ends = time.monotonic() + min(LOOKS_S, timeout or LOOKS_S)  # the worker asks again, or has been told to stop
        while True:
            _stirred.clear()
            try:
                self.cycle.get(self._deliver, timeout=timeout)
            except Empty:
                if (left := ends - time.monotonic()) <= 0:
                    raise TimeoutError from None
                _stirred.wait(left)
            else:
                return
