"""Signs of life of the parts that run by themselves, for `manage.py doctor`."""

import time

from events.commands import now_ms
from events.models import Heartbeat

EVERY_S = 5.0
_last: dict[str, float] = {}


def beat(name: str) -> None:
    """Say that `name` works: one small write every few seconds, however often it is called."""
    now = time.monotonic()
    if now - _last.get(name, -EVERY_S) < EVERY_S:
        return
    _last[name] = now
    Heartbeat.objects.update_or_create(name=name, defaults={"at_ms": now_ms()})


def age_s(name: str) -> float | None:
    """Seconds since the last sign of life; None when there never was one."""
    row = Heartbeat.objects.filter(name=name).first()
    return (now_ms() - row.at_ms) / 1000 if row else None
