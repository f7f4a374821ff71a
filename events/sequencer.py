"""The sequencer: the one process (or, embedded, the one thread) that puts events into the feed and signs checkpoints.

Started a second time by mistake it stands by and takes over when the first one ends; and were the lock ever to fail,
the feed's own constraints refuse what is doubled or does not continue it.
"""

import logging
import time

from django.conf import settings

from events import checkpoints, hints, keys, locks
from events.feed import Integrator
from events.loops import Loop, wait_for

log = logging.getLogger("events")

POLL_S = 0.1  # without a bell; other processes cannot ring while Redis is away
GATHER_S = 0.02  # after a bell: what comes in a burst goes in together
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
        self.took = 0.0  # seconds, by the last look for events
        self.unsigned = ""  # why checkpoints cannot be signed, if they cannot

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
        if settings.EMBEDDED:
            keys.ensure()
        self.integrator = Integrator()
        hints.ring(hints.FED)  # readers may have slept through the end of the one before
        return True

    def round(self) -> None:
        self.lock.check()
        wanted = hints.BELLS[hints.SIGN].is_set()  # before the look for events: what it was rung for is among them
        hints.BELLS[hints.SIGN].clear()
        self.integrate()
        if wanted or time.monotonic() - self.signed_at >= CHECKPOINT_EVERY_S:
            self.signed_at = time.monotonic()
            try:
                self.sign()
                self.unsigned = ""
            except keys.NoKey as problem:
                if self.unsigned != str(problem):
                    log.error("checkpoints are not signed: %s", problem)
                self.unsigned = str(problem)

    def integrate(self) -> None:
        assert self.integrator is not None
        began = time.monotonic()
        taken = self.integrator.integrate()
        self.took = time.monotonic() - began
        if taken:
            hints.ring(hints.FED)

    def sign(self) -> None:
        checkpoints.sign()

    def wait(self) -> None:
        wait_for(hints.BELLS[hints.APPENDED], POLL_S, self.stopping)
        self.stopping.wait(max(GATHER_S, 2 * self.took))  # a look is dear while some transaction stays open for long

    def leave(self) -> None:
        self.integrator = None
        self.lock.release()

    def run(self) -> None:
        super().run()
        if self.ear:
            self.ear.stop()
