"""`manage.py rules [RULEBOOK] [--json] [--fresh]`: which numbered rules, rulings and scenarios passing tests cite."""

import json
import os
import subprocess
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games import catalogue

SERVICE_ONLY = ("DJANGO_SETTINGS_MODULE", "ARBITER_MODE", "ARBITER_DATA")
"""What manage.py sets for the service; the tests choose their own."""


class Command(BaseCommand):
    help = "Which numbered rules, rulings and scenarios of docs/rules/<rulebook>.md are cited by passing tests"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("rulebook", nargs="?", help=f"one of {', '.join(catalogue.catalogues())}; default: all")
        parser.add_argument("--json", action="store_true", help="one object a line")
        parser.add_argument("--fresh", action="store_true", help="run the tests even if the last run is still good")

    def handle(self, *args: Any, **options: Any) -> None:
        known, wanted = catalogue.catalogues(), options["rulebook"]
        if wanted and wanted not in known:
            raise CommandError(f"There is no catalogue docs/rules/{wanted}.md; there are {', '.join(known)}.")
        for rulebook in [wanted] if wanted else known:
            report = catalogue.coverage(rulebook, self.cited(rulebook, fresh=options["fresh"]))
            self.stdout.write(json.dumps(report) if options["json"] else in_words(report))

    def cited(self, rulebook: str, *, fresh: bool) -> set[str]:
        """The last whole run if it is of today's sources, else a run of the citing tests."""
        cited = None if fresh else catalogue.read_record(rulebook)
        if cited is not None:
            return cited
        self.stderr.write(f"Running the tests that cite docs/rules/{rulebook}.md …")
        run = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "--no-header", "--rules", rulebook],
            cwd=catalogue.ROOT,
            env={name: value for name, value in os.environ.items() if name not in SERVICE_ONLY},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if run.returncode not in (0, 5):  # 5: no test cites this catalogue yet
            self.stderr.write(run.stdout)
        return catalogue.read_record(rulebook) or set()


def in_words(report: dict[str, Any]) -> str:
    lines = [report["rulebook"]]
    for section in catalogue.SECTIONS.values():
        part = report[section]
        share = 100 * part["cited"] / part["total"] if part["total"] else 100.0
        missing = f"  missing: {', '.join(part['missing'])}" if part["missing"] else ""
        lines.append(f"  {section:10} {part['cited']:4} of {part['total']:4}  {share:5.1f} %{missing}")
    return "\n".join(lines)
