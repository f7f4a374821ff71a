"""`python3 manage.py up`: the whole service in one process, ready to be tried."""

import contextlib
import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections

from config import embedded
from config.celery import app as celery

HOST = "127.0.0.1"

SERVING = """
arbiter: serving {url}  (Ctrl-C stops it; everything it knows is in {data})

  {url}/api/v1/docs     every endpoint, to read and to try
  {url}/readyz          is everything it needs there?

To try it, with one of your tokens as TOKEN (README.md has a tour of five minutes):
  curl -s {url}/api/v1/me -H "Authorization: Bearer $TOKEN"
  curl -s {url}/api/v1/games -H "Authorization: Bearer $TOKEN" -H "Idempotency-Key: first" \\
       -H "Content-Type: application/json" -d '{{"rulebook": "theos", "seats": 2, "join": {{"ready": true}}}}'
"""


class Command(BaseCommand):
    help = "Run Arbiter here: SQLite, worker and beat in one process, with demo people to try it with."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="port on 127.0.0.1 (8000)")
        parser.add_argument("--data", type=Path, default=settings.DATA_DIR, help="data directory (./data)")

    def handle(self, *, port: int, data: Path, **_: Any) -> None:
        if os.environ.get("DATABASE_URL", "").startswith("postgres"):
            raise CommandError("`up` runs the embedded stack, but DATABASE_URL is set: unset it, or run the Procfile.")
        if data.resolve() != settings.DATA_DIR.resolve():  # settings are read before arguments: start again with it
            os.environ["ARBITER_DATA"] = str(data.resolve())
            os.execv(sys.executable, [sys.executable, *sys.argv])
        try:
            with embedded.owned(settings.DATA_DIR), embedded.listen(HOST, port) as listener, interruptible():
                self.serve(listener)
        except embedded.CannotServe as problem:
            raise CommandError(str(problem)) from None
        self.say("arbiter: stopped.")

    def serve(self, listener: socket.socket) -> None:
        keep_secret(settings.DATA_DIR / "secret_key")
        self.say(f"arbiter: preparing {settings.DATABASES['default']['NAME']}")
        call_command("migrate", verbosity=0, interactive=False)
        call_command("demo", stdout=self.stdout)
        connections.close_all()

        welcome = SERVING.format(url=f"http://{HOST}:{listener.getsockname()[1]}", data=settings.DATA_DIR)
        with contextlib.ExitStack() as running:
            running.enter_context(embedded.worker(celery))
            running.enter_context(embedded.beat(celery))
            running.enter_context(embedded.loops())
            embedded.serve(listener, ready=lambda: self.say(welcome))

    def say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C, and SIGTERM, a supervisor's way to press it, end what is in here and are no error."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt):
        yield


def keep_secret(file: Path) -> None:
    """From now on this directory's secret is the one this process started with."""
    if not file.exists():
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as opened:
            opened.write(settings.SECRET_KEY)
