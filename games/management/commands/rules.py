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
        rulebooks = [wanted] if wanted else known
        if options["fresh"] or any(catalogue.read_record(rulebook) is None for rulebook in rulebooks):
            self.run_tests(wanted or "all")
        for rulebook in rulebooks:
            cited = catalogue.read_record(rulebook, whatever_sources=True) or set()
            report = catalogue.coverage(rulebook, cited)
            self.stdout.write(json.dumps(report) if options["json"] else in_words(report))

    def run_tests(self, wanted: str) -> None:
        """The last whole run is good only for the sources it ran on."""
        self.stderr.write(f"Running the tests that cite docs/rules/{'*' if wanted == 'all' else wanted}.md …")
        run = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "--no-header", "--rules", wanted],
            cwd=catalogue.ROOT,
            env={name: value for name, value in os.environ.items() if name not in SERVICE_ONLY},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if run.returncode not in (0, 5):  # 5: no test cites this catalogue yet
            self.stderr.write(run.stdout)
        if run.returncode not in (0, 1, 5):  # nothing was recorded, and an older record would lie
            raise CommandError("The tests could not be run; see above.")


def in_words(report: dict[str, Any]) -> str:
    lines = [report["rulebook"]]
    for section in catalogue.SECTIONS.values():
        part = report[section]
        share = 100 * part["cited"] / part["total"] if part["total"] else 100.0
        missing = f"  missing: {', '.join(part['missing'])}" if part["missing"] else ""
        lines.append(f"  {section:10} {part['cited']:4} of {part['total']:4}  {share:5.1f} %{missing}")
    return "\n".join(lines)
