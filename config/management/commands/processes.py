"""`python3 manage.py processes`: run the Procfile here, as any process manager would run it elsewhere.

With `--trial` it brings what is missing: a private PostgreSQL and Valkey, a secret and localhost as the only host.
"""

import contextlib
import os
import secrets
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.servers import NoServer, inherited_environment, production_servers

PREPARATIONS = [["migrate", "--verbosity", "0"]]
TRIAL_PREPARATIONS = [["keys", "make"], ["demo"]]
NEEDED = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "ALLOWED_HOSTS")


class Command(BaseCommand):
    help = "Run every process of the Procfile until Ctrl-C (--trial: on private, throw-away servers)."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--trial", action="store_true", help="bring private servers and a secret for this run")

    def handle(self, *, trial: bool, **_: Any) -> None:
        environment = inherited_environment()
        environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment.get('PATH', os.defpath)}"
        with contextlib.ExitStack() as passing:
            numbers = passing.enter_context(tempfile.TemporaryDirectory(prefix="arbiter-metrics-"))
            environment.setdefault("PROMETHEUS_MULTIPROC_DIR", numbers)  # so that any process answers for all
            preparations = [*PREPARATIONS]
            if trial:
                environment = self.trial(passing) | environment
                preparations += TRIAL_PREPARATIONS
            if missing := [name for name in NEEDED if not environment.get(name)]:
                told = ", ".join(missing)
                raise CommandError(f"production needs {told} (docs/operations.md); to try it here: --trial.")
            for preparation in preparations:
                command = [sys.executable, "manage.py", *preparation]
                if subprocess.run(command, cwd=settings.BASE_DIR, env=environment).returncode:
                    raise CommandError(f"`manage.py {' '.join(preparation)}` failed; it says why above.")
            run_procfile(environment)

    def trial(self, passing: contextlib.ExitStack) -> dict[str, str]:
        """What production needs, for this run only."""
        try:
            urls, origin = passing.enter_context(production_servers())
        except NoServer as problem:
            raise CommandError(str(problem)) from None
        keys = passing.enter_context(tempfile.TemporaryDirectory(prefix="arbiter-keys-"))
        self.stdout.write(f"arbiter: trial on {origin}; everything is gone when it ends")
        self.stdout.flush()
        secret = secrets.token_urlsafe(50)
        return urls | {"SECRET_KEY": secret, "ALLOWED_HOSTS": "localhost,127.0.0.1", "ARBITER_KEYS": keys}


def run_procfile(environment: dict[str, str]) -> None:
    honcho = [sys.executable, "-m", "honcho", "start", "-f", "Procfile", "-p", environment.get("PORT", "8000")]
    with subprocess.Popen(honcho, cwd=settings.BASE_DIR, env=environment, start_new_session=True) as processes:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: processes.terminate())  # it passes that on to each of them
