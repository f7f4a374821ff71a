"""`python3 manage.py playout RULEBOOK`: random games in this process, with every invariant checked."""

import json
import sys
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.kernel import names, rulebook
from games.kernel.errors import Rejected
from games.kernel.playout import begin
from games.kernel.rulebook import Rulebook, Setup
from games.playouts import Played, play_many


class Command(BaseCommand):
    help = "Play random games to their end; exit status 1 when one is stuck or an invariant breaks."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("rulebook", help="its name, or name@version")
        parser.add_argument("--seats", type=int, help="only set-ups of this many seats")
        parser.add_argument("--games", type=int, default=100, help="games for each set-up (100)")
        parser.add_argument("--seed", type=int, default=0, help="the first game's seed; game n has seed + n")
        parser.add_argument("--option", action="append", default=[], metavar="K=V", help="of the rulebook; repeatable")
        parser.add_argument("--fast", action="store_true", help="do not check the invariants after every decision")
        parser.add_argument("--json", action="store_true", help="one JSON object a line, for each set-up")

    def handle(self, **given: Any) -> None:
        try:
            book = rulebook(given["rulebook"])
        except LookupError:
            raise CommandError(f"there is no rulebook {given['rulebook']!r}; there are {', '.join(names())}.") from None
        wrong: list[str] = []
        for setup in chosen(book, given["seats"], given["option"]):
            bar = Bar(f"{book.name}, {setup.seats} seats", given["games"], self.stderr)
            played = play_many(
                book.id, setup, given["games"], given["seed"], check=not given["fast"], tick=bar.tick
            )
            bar.close()
            self.show(setup, played, given["json"])
            wrong += played.broken
        if wrong:
            raise CommandError("\n".join(["stuck or broken:", *wrong[:10]]))

    def show(self, setup: Setup, played: Played, as_json: bool) -> None:
        report = played.report()
        if as_json:
            self.stdout.write(json.dumps(report))
            return
        outcomes = ", ".join(f"{count:,} {outcome}" for outcome, count in report["outcomes"].items())
        self.stdout.write(
            f"{report['rulebook']}, {report['seats']} seats{f', {setup.name}' if setup.name else ''}: "
            f"{report['games']:,} games, {report['finished']:,} finished, {report['stuck']:,} stuck, "
            f"{report['decisions']:,} decisions ({report['mean_decisions']:,} a game, "
            f"{report['decisions_per_cpu_s']:,} per CPU second): {outcomes}"
        )


def chosen(book: Rulebook, seats: int | None, options: list[str]) -> list[Setup]:
    """The rulebook's samples; with options of one's own, one set-up for each seat count that they fit."""
    if seats is not None and seats not in book.seats:
        raise CommandError(f"{book.title} is played by {', '.join(map(str, book.seats))}, not by {seats}.")
    if not options:
        return [setup for setup in book.sample_setups() if seats in (None, setup.seats)]
    wanted = dict(map(option, options))
    setups = [Setup(count, wanted) for count in book.seats if seats in (None, count)]
    fitting, refusals = [], []
    for setup in setups:
        try:
            begin(book, setup, b"playout" * 5)
            fitting.append(setup)
        except Rejected as refused:
            refusals.append(f"{setup.seats} seats: {refused.detail}")
    if not fitting:
        raise CommandError("\n".join(["these options fit no seat count:", *refusals]))
    return fitting


def option(text: str) -> tuple[str, Any]:
    """K=V; V is read as JSON where it is JSON, else as text."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise CommandError(f"--option {text!r}: write it as name=value.")
    try:
        return name, json.loads(value)
    except json.JSONDecodeError:
        return name, value


class Bar:
    """A progress bar on the terminal for runs of more than two seconds; silent elsewhere."""

    def __init__(self, label: str, total: int, out: Any) -> None:
        self.label, self.total, self.out = label, total, out
        self.began = self.shown = time.monotonic()
        self.live = sys.stderr.isatty()
        self.drawn = False

    def tick(self, done: int) -> None:
        now = time.monotonic()
        if not self.live or now - self.began < 2 or now - self.shown < 0.2:
            return
        self.shown, self.drawn = now, True
        left = (now - self.began) / done * (self.total - done)
        filled = 30 * done // self.total
        bar = f"[{'#' * filled}{'.' * (30 - filled)}] {done:,}/{self.total:,}, {left:,.0f} s left "
        self.out.write(f"\r{self.label} {bar}", ending="")
        self.out.flush()

    def close(self) -> None:
        if self.drawn:
            self.out.write("\r" + " " * 100 + "\r", ending="")
