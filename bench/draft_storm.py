"""Drafts under fire: many at once on short clocks, half of the seats absent, two Celery workers, one killed on the way.

    python -m bench.draft_storm DRAFTS PACKS CLOCK_MS       in an environment with PostgreSQL and Redis; prints JSON

What must come out: every draft ends, every card is somewhere, every decision was answered once, and nobody was picked
for before the time was over or much later."""

import json
import os
import re
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SEATS = 8
GIVES_UP_S = 600
LATE_MS = 1000


def main(drafts: int, packs: int, clock_ms: int) -> dict[str, Any]:
    import django

    django.setup()
    from accounts.models import User

    commands = (ROOT / "Procfile").read_text()
    worker, beat, sequencer = (
        re.search(rf"^{name}: (.*)$", commands, re.M)[1]  # type: ignore[index]
        for name in ("worker", "beat", "sequencer")
    )
    processes = [start(f"{worker} -n storm{n}") if n < 2 else start(command)
                 for n, command in enumerate((worker, worker, beat, sequencer))]  # fmt: skip
    try:
        people = [User.objects.create(name=f"storm{secrets.token_hex(6)}") for _ in range(SEATS)]
        wait_for_workers(2)
        terms = {"rulebook": "draft", "options": {"packs": packs, "build": 0}, "clock": {"pick_ms": clock_ms}}
        began = time.monotonic()
        streams = begin(drafts, terms, people)
        starting = time.monotonic() - began
        picked, killed_at = play(streams, people[::2], processes[0], drafts * SEATS // 2 * 14 * packs // 2)
        took = time.monotonic() - began
        return check(streams, packs, killed_at) | {
            "drafts": drafts, "seconds": round(took, 1), "picks_of_people": picked,
            "least_seconds": round((15 - 1) * packs * clock_ms / 1000, 1), "starting_s": round(starting, 1),
            "load": os.getloadavg()[0],
        }  # fmt: skip
    finally:
        for process in processes:
            stop(process, signal.SIGKILL)


def wait_for_workers(count: int) -> None:
    from config.celery import app

    ends = time.monotonic() + 60
    while len(app.control.ping(timeout=0.5)) < count:
        if time.monotonic() > ends:
            raise SystemExit(f"{count} workers did not start")
    time.sleep(1.5)  # beat has asked them for a sweep by now


def begin(drafts: int, terms: dict[str, Any], people: list[Any]) -> list[str]:
    """All drafts at once: one seat of each is free until everybody else sits, then they are filled in one go."""
    from drafting import services
    from events import commands
    from games import services as games
    from games.access import acting

    streams = []
    for number in range(drafts):
        streams.append(services.create(people[0], terms, SEATS, f"storm-{number}-{secrets.token_hex(4)}").stream)
        services.seat_all(streams[-1], people[:-1])
    for stream in streams:
        last = {"do": "join", "seat": SEATS - 1, "number_commit": None, "ready": True}
        commands.execute(stream, actor=acting(stream, people[-1]), action=last, command_id="last")
        games.start_if_ready(stream)
    return streams


def start(command: str) -> subprocess.Popen[bytes]:
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    return subprocess.Popen(
        ["sh", "-c", command], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, start_new_session=True
    )


def stop(process: subprocess.Popen[bytes], how: signal.Signals) -> None:
    if process.poll() is None:
        os.killpg(process.pid, how)
        process.wait()


def play(streams: list[str], people: list[Any], victim: subprocess.Popen[bytes], kill_after: int) -> tuple[int, int]:
    """Those who are there pick as packs come, until nothing is left to pick; half way a worker is killed. How many
    picks they made, and when the worker was killed."""
    from events import commands, heads
    from events.errors import Rejected
    from games import services as games
    from games.state import choosers

    rng, left, count, killed_at = Random(6), set(streams), 0, 0
    ends = time.monotonic() + GIVES_UP_S
    while left and time.monotonic() < ends:
        for stream in sorted(left):
            if not killed_at and count >= kill_after:
                stop(victim, signal.SIGKILL)
                killed_at = commands.now_ms()
            game = heads.current(stream).state
            if game.ended:
                left.discard(stream)
                continue
            for seat, decisions in choosers(game).items():
                if seat % 2 == 0:
                    options = game.table.open[decisions[0]].shape.options
                    try:
                        games.answer(
                            stream, people[seat // 2], decisions[0], [[rng.choice(options)]], f"p-{decisions[0]}"
                        )
                        count += 1
                    except Rejected as refusal:
                        if refusal.code != "stale":
                            raise
        time.sleep(0.05)
    return count, killed_at


def check(streams: list[str], packs: int, killed_at: int) -> dict[str, Any]:
    """Read everything back: is anything lost, doubled, early or late? Late is what was stored after its deadline."""
    from drafting import services
    from events import heads, store

    found = dict.fromkeys(("lost", "doubled", "early", "picks_of_the_house", "picks_before_the_kill", "too_late"), 0)
    lateness: list[int] = []
    worst: dict[int, int] = {}  # in each five seconds
    began = min(store.read(stream, limit=1)[0].at for stream in streams)
    for stream in streams:
        found["lost"] += sum(15 * packs - sum(pool.values()) for pool in services.pools(stream).values())
        answered: list[str] = []
        head = heads.beginning(store.stream_key(stream))  # type: ignore[arg-type]
        for event in store.read(stream):
            if event.do in ("answer", "timeout"):
                action = event.records("table")[0]
                answered.append(action["decision"])
                found["picks_before_the_kill"] += event.at < killed_at
                [due] = [one for one in head.decider.due(head.state) if one.action["decision"] == action["decision"]]
                late = event.at - due.at
                if event.do == "timeout":
                    found["picks_of_the_house"] += 1
                    found["early"] += late < 0
                    lateness.append(late)
                    moment = int((due.at - began) / 5_000) * 5
                    worst[moment] = max(worst.get(moment, 0), late)
                found["too_late"] += late > LATE_MS
            head = heads.fold(head, [event])
        found["doubled"] += len(answered) - len(set(answered))
        found["lost"] += SEATS * 14 * packs - len(answered)
    lateness.sort()
    n = len(lateness)
    marks = {"median": n // 2, "p90": n * 9 // 10, "p99": n * 99 // 100, "most": n - 1}
    return found | {"late_ms": {name: lateness[place] if n else 0 for name, place in marks.items()}, "worst": worst}


if __name__ == "__main__":
    print(json.dumps(main(*map(int, sys.argv[1:4]))))
