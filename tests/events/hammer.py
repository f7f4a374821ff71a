"""Adds to a few counters until it is killed: `python -m tests.events.hammer NAME STREAM STREAM …`. Every line it
prints is one acknowledgement, written only after `execute` returned."""

import os
import random
import sys
import threading

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")


def main(name: str, streams: list[str]) -> None:
    import django

    django.setup()

    import tests.counter  # noqa: F401
    from events import commands

    def add(writer: int) -> None:
        rng = random.Random(f"{name}-{writer}")
        for n in range(1_000_000):
            stream, cmd = rng.choice(streams), f"{name}-{writer}-{n}"
            event = commands.execute(stream, actor=name, action={"do": "add", "n": 1}, command_id=cmd)
            sys.stdout.write(f"{stream} {event.seq} {event.hash.hex()} {cmd}\n")
            sys.stdout.flush()

    threads = [threading.Thread(target=add, args=(writer,)) for writer in range(2)]
    for thread in threads:
        thread.start()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
