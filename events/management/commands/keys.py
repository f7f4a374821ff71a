"""`manage.py keys make | list | rotate | publish`: the keys that sign checkpoints."""

import os
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from events import keys
from events.models import SigningKey


class Command(BaseCommand):
    help = "Make, list and rotate the keys that sign checkpoints. Run it where the sequencer runs."

    def add_arguments(self, parser: CommandParser) -> None:
        does = parser.add_subparsers(dest="does", required=True)
        does.add_parser("make", help="make the first key; its private half goes into a file here")
        does.add_parser("rotate", help="make a new key that signs from now on; old signatures stay valid")
        does.add_parser("publish", help=f"let the key in {keys.VARIABLE} sign from now on")
        does.add_parser("list", help="the public keys, and when they are valid")

    def handle(self, *, does: str, **_: Any) -> None:
        try:
            getattr(self, does)()
        except (keys.NoKey, OSError) as problem:
            raise CommandError(str(problem)) from None

    def make(self) -> None:
        if key := keys.current():
            raise CommandError(f"key {key.id} signs already; to replace it: manage.py keys rotate")
        self.made(keys.make())

    def rotate(self) -> None:
        if keys.VARIABLE in os.environ:
            raise CommandError(
                f"the key comes from {keys.VARIABLE}: put a new one there (64 hex digits), then: manage.py keys publish"
            )
        self.made(keys.make())

    def publish(self) -> None:
        key = keys.ensure()
        self.stdout.write(f"key {key.id} signs.")

    def made(self, key: SigningKey) -> None:
        self.stdout.write(f"key {key.id} signs from now on; its private half is {keys.folder() / key.id}.key")

    def list(self) -> None:
        for key in SigningKey.objects.order_by("from_ms"):
            until = moment(key.until_ms) if key.until_ms else "now"
            self.stdout.write(f"{key.id}  {bytes(key.public).hex()}  {moment(key.from_ms)} - {until}")


def moment(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="seconds")
