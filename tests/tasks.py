"""Tasks that only tests queue."""

import time
from pathlib import Path

from celery import shared_task
from django.db import connection


@shared_task
def note_down(file: str) -> None:
    """Write when it ran, and on which database."""
    with connection.cursor() as cursor:
        cursor.execute("select 1")
    Path(file).write_text(f"{connection.vendor} {time.time()}")
