#!/usr/bin/env python3
"""Arbiter's front door: `python3 manage.py up` runs it, `python3 manage.py test` proves it."""

import os
import sys
from typing import Any

from config import bootstrap


def main() -> None:
    bootstrap.ensure(sys.argv)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # Only this file ever chooses the embedded stack by itself: gunicorn, uvicorn and celery get production or nothing.
    os.environ.setdefault("ARBITER_MODE", "production" if production(sys.argv) else "embedded")

    run(sys.argv)


def run(argv: list[str]) -> None:
    """The command; what the environment or the database lacks is one sentence, never a traceback (but --traceback)."""
    from django.conf import settings
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db import OperationalError, ProgrammingError

    try:
        settings.BASE_DIR  # noqa: B018 - reads the settings, which Django would do without
        execute_from_command_line(argv)
    except ImproperlyConfigured as missing:
        raise bootstrap.CannotStart(str(missing)) from None
    except (OperationalError, ProgrammingError) as error:
        if "--traceback" in argv:
            raise
        raise bootstrap.CannotStart(lacking(str(error).strip().splitlines()[0], settings)) from None


def lacking(error: str, settings: Any) -> str:
    """What to do about a database that cannot be used."""
    database = settings.DATABASES["default"]["NAME"]
    if "no such table" in error or "does not exist" in error:
        return f"{database} is not prepared ({error}): python3 manage.py {'up' if settings.EMBEDDED else 'migrate'}"
    if "unable to open database file" in error:
        return f"there is no database in {settings.DATA_DIR}: `up --data DIR` makes one, ARBITER_DATA names it."
    return f"the database {database} cannot be used: {error}"


def production(argv: list[str]) -> bool:
    """A database in the environment means production, except for the commands that bring their own stack."""
    return "DATABASE_URL" in os.environ and not set(argv[1:2]) & {"up", "test", "bench", "processes"}


if __name__ == "__main__":
    main()
