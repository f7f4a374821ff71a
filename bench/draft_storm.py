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


def main(drafts: int, packs: int, clock_ms: int) -> dict[str, Any]:
    import django

    django.setup()
    from accounts.models import User
    from drafting import services

    commands = (ROOT / "Procfile").read_text()
    worker, beat, sequencer = (
        re.search(rf"^{name}: (.*)$", commands, re.M)[1] for name in ("worker", "beat", "sequencer")
    )  # type: ignore[index]
    processes = [start(command) for command in (worker, worker, beat, sequencer)]
    try:
        people = [User.objects.create(name=f"storm{secrets.token_hex(6)}") for _ in range(SEATS)]
        time.sleep(4)  # workers take a while to be there
        streams = []
        terms = {"rulebook": "draft", "options": {"packs": packs, "build": 0}, "clock": {"pick_ms": clock_ms}}
        began = time.monotonic()
        for number in range(drafts):
            made = services.create(people[0], terms, SEATS, f"storm-{number}-{secrets.token_hex(4)}")
            services.seat_all(made.stream, people)
            streams.append(made.stream)
        ends_after = (15 - 1) * packs * clock_ms / 1000
        picked, killed_at = play(streams, people[::2], processes[0], began + ends_after / 3)
        took = time.monotonic() - began
        return check(streams, packs) | {
            "drafts": drafts, "seconds": round(took, 1), "picks_of_people": picked, "killed_after_s": killed_at,
            "least_seconds": round(ends_after, 1),
        }  # fmt: skip
    finally:
        for process in processes:
            stop(process, signal.SIGKILL)


def start(command: str) -> subprocess.Popen[bytes]:
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    return subprocess.Popen(
        ["sh", "-c", command], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, start_new_session=True
    )


def stop(process: subprocess.Popen[bytes], how: signal.Signals) -> None:
    if process.poll() is None:
        os.killpg(process.pid, how)
        process.wait()


def play(streams: list[str], people: list[Any], victim: subprocess.Popen[bytes], kill_at: float) -> tuple[int, float]:
    """Those who are there pick as packs come, until nothing is left to pick."""
    from events import heads
    from events.errors import Rejected
    from games import services as games
    from games.state import choosers

    rng, left, count = Random(6), set(streams), 0
    began, killed_at = time.monotonic(), 0.0
    while left and time.monotonic() - began < GIVES_UP_S:
        for stream in sorted(left):
            if not killed_at and time.monotonic() > kill_at:
                stop(victim, signal.SIGKILL)
                killed_at = round(time.monotonic() - began, 1)
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


def check(streams: list[str], packs: int) -> dict[str, Any]:
    """Read everything back: is anything lost, doubled, early or late?"""
    from drafting import services
    from events import heads, store

    lost, doubled, early, lateness, by_house = 0, 0, 0, [], 0
    worst: dict[int, int] = {}  # in each ten seconds
    began = min(store.read(stream, limit=1)[0].at for stream in streams)
    for stream in streams:
        pools = services.pools(stream)
        lost += sum(15 * packs - sum(pool.values()) for pool in pools.values())
        answered: list[str] = []
        head = heads.beginning(store.stream_key(stream))  # type: ignore[arg-type]
        for event in store.read(stream):
            if event.do in ("answer", "timeout"):
                answered.append(event.records("table")[0]["decision"])
            if event.do == "timeout":
                by_house += 1
                action = event.content["body"]["action"]
                [due] = [one for one in head.decider.due(head.state) if one.action.get("of") == action["of"]]
                early += event.at < due.at
                lateness.append(event.at - due.at)
                moment = int((due.at - began) / 10_000) * 10
                worst[moment] = max(worst.get(moment, 0), event.at - due.at)
            head = heads.fold(head, [event])
        doubled += len(answered) - len(set(answered))
        lost += 8 * 14 * packs - len(answered)
    lateness.sort()
    late = {"median": 0, "p99": 0, "most": 0}
    if lateness:
        n = len(lateness)
        late = {"median": lateness[n // 2], "p99": lateness[n * 99 // 100], "most": lateness[-1]}
    return {
        "lost": lost,
        "doubled": doubled,
        "early": early,
        "picks_of_the_house": by_house,
        "late_ms": late,
        "worst": worst,
    }


if __name__ == "__main__":
    print(json.dumps(main(*map(int, sys.argv[1:4]))))
