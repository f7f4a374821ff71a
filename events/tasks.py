"""What Celery workers do for the store. Every task can run twice, late, or not at all: beat asks again."""

import time

from celery import shared_task

from events import deadlines, heartbeats, readmodels

AT_MOST_S = 20.0  # then the next task goes on


@shared_task
def catch_up() -> int:
    heartbeats.beat("readmodels")
    return readmodels.catch_up_all(time.monotonic() + AT_MOST_S)


@shared_task
def sweep() -> int:
    """Fire what is due, and go on doing so beside other tasks: the queue may be long, a deadline is to the moment."""
    heartbeats.beat("sweep")
    deadlines.keep_watch()
    return deadlines.sweep()
