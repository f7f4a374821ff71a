"""What Celery workers do for the store. Every task can run twice, late, or not at all: beat asks again."""

from celery import shared_task

from events import deadlines, heartbeats, readmodels


@shared_task
def catch_up() -> None:
    """Follow the feed, and go on doing so beside other tasks: whoever has the states at hand does it for a third of the
    work."""
    readmodels.keep_following()


@shared_task
def sweep() -> int:
    """Fire what is due, and go on doing so beside other tasks: the queue may be long, a deadline is to the moment."""
    heartbeats.beat("sweep")
    deadlines.keep_watch()
    return deadlines.sweep()
