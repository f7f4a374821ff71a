"""`python3 manage.py test`: everything that must hold, on both stacks. It replaces Django's command of that name.

Static checks first (ruff, the import contract, mypy), then the suite twice: on the embedded stack, and on PostgreSQL
and Redis with a Celery worker process. Every step runs even when an earlier one failed; one summary at the end.
"""

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand

from config.servers import NoServer, inherited_environment, production_servers

TOOLS = {
    "ruff": ["ruff", "check", "."],
    "import contract": ["lint-imports", "--no-logo"],
    "mypy": ["mypy"],
}
OWN_ARGUMENTS = {"--fast"}


@dataclass(frozen=True)
class Step:
    name: str
    passed: bool
    seconds: float
    remark: str = ""

    def __str__(self) -> str:
        return f"{'ok    ' if self.passed else 'FAILED'} {self.name:28} {self.seconds:6.1f} s  {self.remark}".rstrip()


class Command(BaseCommand):
    help = "Check everything on both stacks (--fast: the embedded one alone); other arguments go to pytest."
    requires_system_checks = []

    def run_from_argv(self, argv: list[str]) -> None:
        """pytest's arguments are its own business: nothing here is parsed but `--fast`."""
        arguments = argv[2:]
        if {"-h", "--help"} & set(arguments):
            self.stdout.write(f"{argv[0]} test [--fast] [arguments for pytest]\n\n{self.help}")
            return
        passed = self.handle(fast="--fast" in arguments, pytest=[one for one in arguments if one not in OWN_ARGUMENTS])
        sys.exit(0 if passed else 1)

    def handle(self, *, fast: bool = False, pytest: list[str] | None = None, **_: object) -> bool:
        tools = Path(sys.executable).parent
        steps = [self.step(name, [str(tools / tool), *rest], {}) for name, (tool, *rest) in TOOLS.items()]
        steps.append(self.suite("embedded", pytest or [], {}, "SQLite, in-memory broker"))
        if not fast:
            steps.append(self.production_suite(pytest or []))
        return self.summary(steps, fast)

    def production_suite(self, pytest: list[str]) -> Step:
        try:
            with production_servers() as (variables, origin):
                return self.suite("production", pytest, variables, origin)
        except NoServer as problem:
            self.banner(f"THE PRODUCTION LEG DID NOT RUN: {problem}")
            return Step("suite on production stack", False, 0, str(problem))

    def suite(self, stack: str, pytest: list[str], variables: dict[str, str], origin: str) -> Step:
        parallel = [] if any(one.startswith("-n") for one in pytest) else ["-n", str(min(os.cpu_count() or 1, 4))]
        command = [sys.executable, "-m", "pytest", *parallel, *pytest]
        return self.step(f"suite on {stack} stack", command, variables | {"ARBITER_STACK": stack}, origin)

    def step(self, name: str, command: list[str], variables: dict[str, str], remark: str = "") -> Step:
        self.banner(f"{name}: {remark}" if remark else name)
        started = time.monotonic()
        ended = subprocess.run(command, cwd=settings.BASE_DIR, env=inherited_environment() | variables)
        return Step(name, ended.returncode == 0, time.monotonic() - started, remark)

    def summary(self, steps: list[Step], fast: bool) -> bool:
        self.banner("summary")
        for step in steps:
            self.stdout.write(str(step))
        failed = [step.name for step in steps if not step.passed]
        legs = "the embedded stack only (--fast)" if fast else "both stacks"
        verdict = f"FAILED: {', '.join(failed)}" if failed else f"PASSED on {legs}"
        self.stdout.write(f"arbiter test: {verdict} in {sum(step.seconds for step in steps):.0f} s")
        return not failed

    def banner(self, text: str) -> None:
        self.stdout.write(f"\n=== {text} ===")
        self.stdout.flush()
