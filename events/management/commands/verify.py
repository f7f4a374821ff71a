"""`manage.py verify STREAM… | --all | --file F`: whether history is what it was, and whether the rules still agree."""

import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from events import verification, verifier
from events.errors import Rejected
from events.models import Stream


class Command(BaseCommand):
    requires_system_checks = []
    help = "Check streams: exit code 1 when something failed, naming the first bad event."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("streams", nargs="*", metavar="STREAM")
        parser.add_argument("--all", action="store_true", help="every stream")
        parser.add_argument("--file", metavar="F", help="an export, as events/verifier.py does without us")
        parser.add_argument("--checkpoint", metavar="F", help="with --file: one, or an older export, that was kept")
        parser.add_argument("--key", action="append", metavar="HEX", help="with --file: a public key to trust")
        parser.add_argument("--json", action="store_true", help="for machines: one report per line")

    def handle(self, *, streams: list[str], all: bool, file: str | None, json: bool, **options: Any) -> None:
        if sum((bool(streams), all, file is not None)) != 1:
            raise CommandError("say which streams to check, or --all, or --file F.", returncode=2)
        if file is not None:
            more = [f"--checkpoint={options['checkpoint']}"] if options["checkpoint"] else []
            more += [f"--key={key}" for key in options["key"] or []] + ["--json"] * json
            sys.exit(verifier.main([*more, "--", file]))
        names = Stream.objects.order_by("id").values_list("id", flat=True) if all else streams
        count = bad = 0
        for name in names:
            count += 1
            bad += not self.examine(name, whole=not all, as_json=json)
        if all and not json:
            self.stdout.write(f"{count} streams, {bad} failed" if bad else f"{count} streams, all right")
        if lost := verification.lost_position():
            self.stderr.write(f"FAILED: position {lost} of the feed has lost its event, of whichever stream.")
        if bad or lost:
            sys.exit(1)

    def examine(self, stream: str, *, whole: bool, as_json: bool) -> bool:
        """Of many streams only what is wrong is told in full."""
        try:
            report = verification.check(stream)
        except Rejected as refusal:
            if whole:
                raise CommandError(refusal.detail, returncode=2) from None
            self.stderr.write(refusal.detail)
            return False
        if as_json:
            self.stdout.write(json.dumps({"stream": stream} | report.as_dict()))
        elif whole or not report.ok:
            self.stdout.write(str(report))
        return report.ok
