"""`python3 manage.py bench NAME`: measure, side by side with a yardstick, and say whether the goal is met.

A bench is a module `bench/<name>.py` with a function `run()` that yields rows as they are measured:

    {"name": "append, 8 writers", "value": 5300.0, "unit": "events/s",
     "baseline": "raw insert", "ratio": 0.71, "goal": ">= 0.6", "met": True}

`baseline`, `ratio`, `goal` and `met` may be None. `config.servers` lends it a PostgreSQL and a Valkey.
"""

import importlib
import json
import os
import platform
from collections.abc import Iterable, Mapping
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

COLUMNS = {"name": 44, "value": 12, "unit": 10, "ratio": 8, "baseline": 24, "goal": 10, "met": 4}
NUMBERS = {"value", "ratio"}


class Command(BaseCommand):
    help = "Run one bench and print what it measured; exit status 1 when a goal is not met."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", nargs="?", help=f"one of: {', '.join(benches()) or 'none yet'}")
        parser.add_argument("--json", action="store_true", help="one JSON object a line")

    def handle(self, *, name: str | None, json: bool, **_: Any) -> None:
        if name not in benches():
            asked = "which bench?" if name is None else f"there is no bench {name!r};"
            raise CommandError(f"{asked} choose one of: {', '.join(benches())}.")
        missed = self.show(importlib.import_module(f"bench.{name}").run(), json)
        if missed:
            raise CommandError(f"goal not met: {', '.join(missed)}.")

    def show(self, rows: Iterable[Mapping[str, Any]], as_json: bool) -> list[str]:
        missed = []
        if not as_json:
            self.stdout.write(
                f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n"
            )
            self.stdout.write("  ".join(cell(column, column) for column in COLUMNS).rstrip())
        for row in rows:
            self.stdout.write(json.dumps(row) if as_json else "  ".join(cell(c, row.get(c)) for c in COLUMNS).rstrip())
            self.stdout.flush()
            if row.get("met") is False:
                missed.append(row["name"])
        return missed


def benches() -> list[str]:
    """The modules of `bench/` that can be run; others there only help them."""
    files = (settings.BASE_DIR / "bench").glob("[a-z]*.py")
    return sorted(file.stem for file in files if "\ndef run(" in file.read_text())


def cell(column: str, value: Any) -> str:
    width = COLUMNS[column]
    if value is None:
        return " " * width
    if column == "met" and isinstance(value, bool):
        return ("yes" if value else "NO").ljust(width)
    if column in NUMBERS:
        return (value if isinstance(value, str) else f"{value:,.2f}" if value < 100 else f"{value:,.0f}").rjust(width)
    return str(value).ljust(width)
