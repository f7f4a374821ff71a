"""`manage.py sequencer`: put events into the feed and sign checkpoints, for ever."""

import contextlib
import signal
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from events.keys import NoKey
from events.sequencer import SequencerLoop
from events.standby import StandbyLoop


class Command(BaseCommand):
    help = "Order all events into the feed and sign checkpoints. One works; any other stands by until that one ends."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="bring the feed and its checkpoint up to date and end")

    def handle(self, *, once: bool, **_: Any) -> None:
        loop = SequencerLoop()
        if once:
            self.catch_up(loop)
            return
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: loop.stopping.set())
        standby = StandbyLoop().start_thread()
        with contextlib.suppress(KeyboardInterrupt):
            loop.run()
        standby.stop()

    def catch_up(self, loop: SequencerLoop) -> None:
        if not loop.enter():
            raise CommandError("another sequencer is at work on this database; it does what there is to do.")
        try:
            loop.integrate()
            loop.sign()
        except NoKey as problem:
            raise CommandError(f"the feed is up to date, but not signed: {problem}") from None
        finally:
            loop.leave()
