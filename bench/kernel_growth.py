"""One process of the kernel bench: the cost of an act late in a long game and early in a new one, act by act in turns.

Through the whole write path: decide, seal, hash, append, tell. The same act each time (a standing pass set or unset);
the games differ in length only. In turns, because disks have moods.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable
from random import Random
from typing import Any

EARLY, LATE, ROUNDS = 10, 1000, 60


def main() -> None:
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    from accounts.services import register

    people = [register(name, "correct horse battery") for name in ("Ann", "Bob")]
    acts = {length: game_of(length - ROUNDS // 2, people) for length in (LATE, EARLY + ROUNDS // 2)}
    costs: dict[int, list[float]] = {length: [] for length in acts}
    for _ in range(ROUNDS):
        for length, act in acts.items():
            began = time.perf_counter()
            act()
            costs[length].append(time.perf_counter() - began)
    late, early = (statistics.median(found) for found in costs.values())
    print(json.dumps([early, late]))


def game_of(length: int, people: list[Any]) -> Callable[[], None]:
    """A Theos game of this many events, the first hundred of them played; returns the act to repeat in it."""
    from events import heads
    from games import services, tasks
    from games.kernel import waiting
    from games.kernel.playout import random_answer

    terms: dict[str, Any] = {
        "rulebook": sys.argv[1], "options": {}, "decks": [], "on_timeout": "default", "visibility": "public",
        "seals": "game", "join_within_ms": 0, "ready_within_ms": 0,
    }  # fmt: skip
    stream = services.create(people[0], terms, 2, f"create{length}").stream
    for seat, person in enumerate(people):
        services.join(stream, person, {"seat": seat, "number_commit": None, "ready": True}, f"join{seat}")
    rng = Random(1)

    def act() -> None:
        seq = heads.current(stream).seq
        setting = {"pass": "idle" if seq % 2 else "off", "stops": []}
        services.act(stream, people[0], {"do": "use", "option": "stops", "set": setting}, f"act{seq}")

    while (head := heads.current(stream)).seq < length:
        if tasks.passes_at_once(head.state):  # the house answers, behind our back
            tasks.soon.settle()
            continue
        asks = waiting(head.state.table) if head.seq < 100 else []
        if asks:
            path = [random_answer(asks[0].shape, rng)]
            services.answer(stream, people[asks[0].chooser], asks[0].id, path, f"play{head.seq}")
        else:
            act()
    return act


if __name__ == "__main__":
    main()
