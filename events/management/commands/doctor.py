"""`manage.py doctor`: what is wrong, and what to do about it."""

import json
import sys
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from events.doctor import Exam, examine


class Command(BaseCommand):
    help = "Examine the service and list what is wrong: exit code 1 when something is."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="for machines")
        parser.add_argument("--deep", action="store_true", help="every stream and every checkpoint, not a sample")

    def handle(self, *, json: bool, deep: bool, **_: Any) -> None:
        healthy = True
        exams: list[Exam] = []
        for exam in examine(deep):
            healthy = healthy and not exam.findings
            exams.append(exam)
            if not json:
                self.show(exam)
        if json:
            self.stdout.write(as_json(healthy, exams))
        if not healthy:
            sys.exit(1)

    def show(self, exam: Exam) -> None:
        self.stdout.write(f"{'ok   ' if not exam.findings else 'WRONG'} {exam.part}: {exam.summary or '-'}")
        for finding in exam.findings:
            self.stdout.write(f"      {finding.code}: {finding.subject}: {finding.detail}\n        -> {finding.remedy}")


def as_json(healthy: bool, exams: list[Exam]) -> str:
    return json.dumps({"ok": healthy, "parts": [asdict(exam) for exam in exams]}, indent=1, ensure_ascii=False)
