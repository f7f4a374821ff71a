"""The house pairs a round that was called: as often as it takes, but not for ever.

Every try is counted beside the log. A worker that is killed costs one try and a few seconds; one that finds no time
takes the smaller blocks; after the last one the round is handed to the organisers, to pair again or change something.
"""

import logging

from celery.exceptions import SoftTimeLimitExceeded
from django.db.models import F

from events import commands, heads
from events.errors import Rejected
from events.participants import ARBITER
from tournaments import services
from tournaments.core import swiss
from tournaments.models import Tournament as Row
from tournaments.state import Round, Tournament

log = logging.getLogger("tournaments")

TRIES = 5
FIRST_WAIT_MS = 5_000  # until the second try, then twice as long each time


def pair_called(stream: str) -> str:
    state: Tournament = heads.current(stream).state
    round_ = state.now
    if round_ is None or round_.status != "called":
        return "nothing to pair"
    nth = count_try(stream, f"{round_.number}/{round_.attempt}")
    if nth > TRIES:
        return give_up(stream, round_)
    try:
        return services.propose(stream, swiss.ALGORITHM if nth < 3 else swiss.SMALL)
    except SoftTimeLimitExceeded:
        log.warning("round %s of %s: no time for the exact pairing, trying smaller blocks", round_.number, stream)
        return services.propose(stream, swiss.SMALL)


def count_try(stream: str, name: str) -> int:
    rows, now = Row.objects.filter(stream=stream), commands.now_ms()
    if not rows.filter(tried=name).update(tries=F("tries") + 1, tried_ms=now):
        rows.update(tried=name, tries=1, tried_ms=now)
    return rows.values_list("tries", flat=True).first() or 1


def may_try(row: Row, now: int) -> bool:
    """For the sweep: is the round that this tournament waits for due for another try?"""
    if row.waits != "pair" or not row.tried.startswith(f"{row.round}/"):
        return True
    return now >= row.tried_ms + FIRST_WAIT_MS * 2 ** (row.tries - 1)


def give_up(stream: str, round_: Round) -> str:
    log.error("round %s of %s was tried %s times: it is for the organisers now", round_.number, stream, TRIES)
    action = {
        "do": "infeasible", "round": round_.number, "attempt": round_.attempt, "stuck": [], "partners": [],
        "missing": 0, "why": "no_time",
    }  # fmt: skip
    try:
        commands.execute(stream, actor=ARBITER, action=action, command_id=f"gave-up-{round_.number}-{round_.attempt}")
    except Rejected as refusal:  # somebody made it after all
        return f"not given up: {refusal.detail}"
    return "given up"
