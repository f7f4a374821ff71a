"""Who sweeps and follows the feed when Celery does not: without Redis no task reaches a worker, yet clocks run on."""

import logging

from events import deadlines, heartbeats, readmodels
from events.loops import Loop

log = logging.getLogger("events")

SILENCE_S = 10.0  # heartbeats come every five
WORK = {"sweep": deadlines.sweep, "readmodels": readmodels.catch_up_all}


class StandbyLoop(Loop):
    """A thread beside the sequencer. It does what is not being done; what both do at once is done once."""

    name = "standby"

    def __init__(self) -> None:
        super().__init__()
        self.doing: set[str] = set()

    def round(self) -> None:
        for name, work in WORK.items():
            if self.silent(name):
                work()

    def silent(self, name: str) -> bool:
        age = heartbeats.age_s(name)
        silent = age is None or age > SILENCE_S
        if silent != (name in self.doing):
            self.doing ^= {name}
            log.warning("%s: %s", name, "no worker does it, so it is done here" if silent else "a worker does it again")
        return silent
