"""`python3 manage.py processes`: run the Procfile here, as any process manager would run it elsewhere.

With `--trial` it brings what is missing: a private PostgreSQL and Valkey, a secret and localhost as the only host.
"""

import contextlib
import os
import secrets
import subprocess
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.servers import NoServer, inherited_environment, production_servers

NEEDED = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "ALLOWED_HOSTS")


class Command(BaseCommand):
    help = "Run every process of the Procfile until Ctrl-C (--trial: on private, throw-away servers)."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--trial", action="store_true", help="bring private servers and a secret for this run")

    def handle(self, *, trial: bool, **_: Any) -> None:
        environment = inherited_environment()
        environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment.get('PATH', os.defpath)}"
        with contextlib.ExitStack() as servers:
            if trial:
                try:
                    urls, origin = servers.enter_context(production_servers())
                except NoServer as problem:
                    raise CommandError(str(problem)) from None
                self.stdout.write(f"arbiter: trial on {origin}; everything is gone when it ends")
                fresh = {"SECRET_KEY": secrets.token_urlsafe(50), "ALLOWED_HOSTS": "localhost,127.0.0.1"}
                environment = fresh | environment | urls
            if missing := [name for name in NEEDED if not environment.get(name)]:
                raise CommandError(
                    f"production needs {', '.join(missing)} (docs/operations.md); to try it here: --trial."
                )
            self.run_all(environment)

    def run_all(self, environment: dict[str, str]) -> None:
        migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        if subprocess.run(migrate, cwd=settings.BASE_DIR, env=environment).returncode:
            raise CommandError("`manage.py migrate` failed; it says why above.")
        with contextlib.suppress(KeyboardInterrupt):
            subprocess.run(
                [sys.executable, "-m", "honcho", "start", "-f", "Procfile"], cwd=settings.BASE_DIR, env=environment
            )
