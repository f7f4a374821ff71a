"""`python3 manage.py demo`: people to try it with."""

from typing import Any

from django.core.management.base import BaseCommand

from accounts.services import make_demo_people


class Command(BaseCommand):
    help = "Make a demo organiser, two players and a judge; their tokens are shown this once."
    requires_system_checks = []

    def handle(self, **_: Any) -> None:
        if people := make_demo_people():
            self.stdout.write("arbiter: these people are here to try it with; their tokens are shown this once:")
        for role, name, token in people:
            self.stdout.write(f"  {role:10} {name:10} {token}")
