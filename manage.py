#!/usr/bin/env python3
"""Arbiter's front door: `python3 manage.py up` runs it, `python3 manage.py test` proves it."""

import os
import sys

from config import bootstrap


def main() -> None:
    bootstrap.ensure(sys.argv)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # Only this file ever chooses the embedded stack by itself: gunicorn, uvicorn and celery get production or nothing.
    os.environ.setdefault("ARBITER_MODE", "production" if production(sys.argv) else "embedded")

    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


def production(argv: list[str]) -> bool:
    """A database in the environment means production, except for the commands that bring their own stack."""
    return "DATABASE_URL" in os.environ and not set(argv[1:2]) & {"up", "test", "bench", "processes"}


if __name__ == "__main__":
    main()
