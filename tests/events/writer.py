"""A writer process of its own, with its own cache: `python -m tests.events.writer STREAM WRITERS ROUNDS`.

Its threads play seats of the counter: they read, whisper an answer to the open decision, repeat some commands as a
client with a lost reply would, and send some wrong ones. Every line it prints is one acknowledged command."""

import json
import os
import random
import sys
import threading

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")


def main(stream: str, seats: int, writers: int, rounds: int, seed: int) -> None:
    import django

    django.setup()

    import tests.counter  # noqa: F401
    from events import commands, heads
    from events.errors import Rejected

    out = threading.Lock()

    def say(**line) -> None:
        with out:
            print(json.dumps(line), flush=True)

    def write(seat: int, index: int) -> None:
        """Ten writers share a seat: each decision takes one of their answers, the others must hear `stale`."""
        rng = random.Random(f"{seed}-{index}")
        done = 0
        while done < rounds:
            state = heads.current(stream).state
            done = state.round - 1
            if state.over or done >= rounds:
                return
            if str(seat) in state.whispers:
                continue
            decision, cmd = f"d{state.round}", f"w{seed}-{index}-{state.round}"
            action = {"do": "whisper", "seat": seat, "decision": decision, "number": rng.randrange(100)}
            for attempt in range(1 + (rng.random() < 0.3)):  # some replies get lost
                try:
                    event = commands.execute(stream, actor=f"seat{seat}", action=action, command_id=cmd)
                    say(ok=decision, seat=seat, cmd=cmd, seq=event.seq, hash=event.hash.hex(), attempt=attempt)
                except Rejected as refusal:
                    say(refused=refusal.code, decision=decision, seat=seat, cmd=cmd, seq=refusal.seq, attempt=attempt)
            if rng.random() < 0.2:  # a wrong one: a decision of long ago, under a fresh id
                try:
                    commands.execute(
                        stream, actor=f"seat{seat}", command_id=f"{cmd}-wrong",
                        action={"do": "whisper", "seat": seat, "decision": "d0", "number": 1},
                    )  # fmt: skip
                    say(wrong="accepted")
                except Rejected as refusal:
                    say(wrong=refusal.code)

    threads = [threading.Thread(target=write, args=(index % seats, index)) for index in range(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
