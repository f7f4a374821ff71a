"""`manage.py rebuild NAME… | --all`: drop read models and make them again from the feed."""

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from events.models import Cursor
from events.readmodels import MODELS, rebuild


class Command(BaseCommand):
    help = "Drop read models and rebuild them from the feed. While it runs they show only a part."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("names", nargs="*", metavar="NAME", help=f"of: {', '.join(sorted(MODELS))}")
        parser.add_argument("--all", action="store_true", help="every read model")

    def handle(self, *, names: list[str], all: bool, **_: Any) -> None:
        if bool(names) == all:
            raise CommandError(f"name the read models to rebuild ({', '.join(sorted(MODELS))}), or say --all.")
        if unknown := set(names) - MODELS.keys():
            raise CommandError(f"there is no read model {', '.join(unknown)}; there are {', '.join(sorted(MODELS))}.")
        for name in sorted(MODELS) if all else names:
            began = time.monotonic()
            count = rebuild(MODELS[name])
            if fault := Cursor.objects.get(name=name).fault:
                raise CommandError(f"{name} stands still at {fault}")
            self.stdout.write(f"{name}: {count} events in {time.monotonic() - began:.1f} s")
