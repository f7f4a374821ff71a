from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts import services
from accounts.errors import Refused
from accounts.scopes import Role


class Command(BaseCommand):
    help = "Give a person a role: manage.py role olga organiser. Tokens follow at once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument("role", choices=Role.values)

    def handle(self, *args: Any, name: str, role: str, **options: Any) -> None:
        try:
            person = services.set_role(name, Role(role))
        except Refused as exc:
            raise CommandError(exc.detail) from None
        self.stdout.write(f"{person.name} is {role} now.")
