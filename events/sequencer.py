"""The sequencer: the one process (or, embedded, the one thread) that puts events into the feed and signs checkpoints.

Started a second time by mistake it stands by and takes over when the first one ends; and were the lock ever to fail,
the feed's own constraints refuse what is doubled or does not continue it.
"""

import logging
import time

from django.conf import settings

from events import checkpoints, hints, locks
from events.feed import Integrator
from events.loops import Loop, wait_for

log = logging.getLogger("events")

POLL_S = 0.1  # without a bell
GATHER_S = 0.004  # after a bell: what comes in a burst goes in together
CHECKPOINT_EVERY_S = 3.0


class SequencerLoop(Loop):
    name = "sequencer"

    def __init__(self) -> None:
        super().__init__()
        self.lock = locks.Lock("sequencer")
        self.ear: hints.Ear | None = None
        self.integrator: Integrator | None = None
        self.standing_by = False
        self.signed_at = 0.0

    def enter(self) -> bool:
        if not self.lock.take():
            if not self.standing_by:
                log.warning("another sequencer is at work; this one stands by and takes over when that one ends")
            self.standing_by = True
            return False
        self.standing_by = False
        if settings.REDIS_URL and self.ear is None:
            self.ear = hints.Ear()
            self.ear.start()
        self.integrator = Integrator()
        hints.ring(hints.FED)  # readers may have slept through the end of the one before
        return True

    def round(self) -> None:
        assert self.integrator is not None
        if self.integrator.integrate():
            hints.ring(hints.FED)
        asked = hints.BELLS[hints.SIGN].is_set()
        if asked or time.monotonic() - self.signed_at >= CHECKPOINT_EVERY_S:
            hints.BELLS[hints.SIGN].clear()
            self.signed_at = time.monotonic()
            checkpoints.sign()

    def wait(self) -> None:
        wait_for(hints.BELLS[hints.APPENDED], POLL_S, self.stopping)
        self.stopping.wait(GATHER_S)

    def leave(self) -> None:
        self.integrator = None
        self.lock.release()

    def run(self) -> None:
        super().run()
        if self.ear:
            self.ear.stop()
