"""`python3 manage.py up`: the whole service in one process, ready to be tried."""

import contextlib
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import uvicorn
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections

from config import embedded
from config.celery import app as celery

HOST = "127.0.0.1"


class Command(BaseCommand):
    help = "Run Arbiter here: SQLite, worker and beat in one process, with demo people to try it with."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="port on 127.0.0.1 (8000)")
        parser.add_argument("--data", type=Path, default=settings.DATA_DIR, help="data directory (./data)")

    def handle(self, *, port: int, data: Path, **_: Any) -> None:
        if os.environ.get("DATABASE_URL", "").startswith("postgres"):
            raise CommandError(
                "`up` runs the embedded stack on SQLite, but DATABASE_URL is set: unset it, or run the Procfile."
            )
        if data.resolve() != settings.DATA_DIR.resolve():  # settings are read before arguments: start again with it
            os.environ["ARBITER_DATA"] = str(data.resolve())
            os.execv(sys.executable, [sys.executable, *sys.argv])
        try:
            with embedded.owned(settings.DATA_DIR), embedded.listen(HOST, port) as listener:
                self.serve(listener)
        except embedded.CannotServe as problem:
            raise CommandError(str(problem)) from None
        self.say("stopped.")

    def serve(self, listener: Any) -> None:
        keep_secret(settings.DATA_DIR / "secret_key")
        self.say(f"preparing {settings.DATABASES['default']['NAME']}")
        call_command("migrate", verbosity=0, interactive=False)
        self.introduce()
        connections.close_all()

        from config.asgi import application

        server = uvicorn.Server(uvicorn.Config(application, lifespan="off", log_config=None, access_log=False))
        with embedded.worker(celery), embedded.beat(celery), contextlib.suppress(KeyboardInterrupt):
            self.say(f"serving http://{HOST}:{listener.getsockname()[1]}  (Ctrl-C stops it)")
            server.run(sockets=[listener])

    def introduce(self) -> None:
        """Demo people, made once: their tokens are shown now and never again."""
        if find_spec("accounts.services") is None:
            return
        from accounts import services

        for role, name, token in services.make_demo_people():
            self.stdout.write(f"  {role:10} {name:12} {token}")

    def say(self, sentence: str) -> None:
        self.stdout.write(f"arbiter: {sentence}")
        self.stdout.flush()


def keep_secret(file: Path) -> None:
    """From now on this directory's secret is the one this process started with."""
    if not file.exists():
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as opened:
            opened.write(settings.SECRET_KEY)
