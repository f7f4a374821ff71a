"""`manage.py export STREAM`: a stream as a file that anybody can check (docs/format.md, "Export")."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from events.decider import Viewer
from events.errors import Rejected
from events.export import export


def viewer(text: str) -> Viewer:
    return "table" if text == "table" else int(text)


class Command(BaseCommand):
    requires_system_checks = []
    help = "Write a stream as JSON lines with proofs. Check it with: python3 events/verifier.py FILE"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("stream", metavar="STREAM")
        parser.add_argument(
            "--as", dest="viewer", type=viewer, metavar="SEAT|table",
            help="what this seat, or the table, may see (else: what anybody may); all the same once the seals are open",
        )  # fmt: skip
        parser.add_argument(
            "--since", type=int, metavar="SIZE", help="prove that the newest checkpoint continues the one of this size"
        )
        parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="instead of standard output")

    def handle(self, *, stream: str, viewer: Viewer, since: int | None, output: Path | None, **_: Any) -> None:
        try:
            lines = export(stream, viewer, since=since)
            if output is None:
                for line in lines:
                    sys.stdout.buffer.write(line)
                sys.stdout.buffer.flush()
                return
            part = output.with_name(output.name + ".part")  # a file of this name is always a whole one
            with part.open("wb") as file:
                file.writelines(lines)
            part.replace(output)
        except Rejected as refusal:
            raise CommandError(refusal.detail) from None
        except OSError as error:
            raise CommandError(f"cannot write {error.filename or output}: {error.strerror}") from None
