"""Budgets: so many requests per so many seconds, spent evenly or in bursts (GCRA), exact `Retry-After`.

With Redis all processes share one budget (one atomic script, one round trip). Of a large budget a process takes a
hundredth at once and spends it by itself: what it has not spent yet is the error, and no budget is ever exceeded by it.
Without Redis, or while it is away, each process counts for itself: a limit that is a little too generous is better than
a game that cannot be played.
"""

import ipaddress
import logging
import math
import threading
import time
from functools import cache
from typing import Any, NamedTuple, Protocol

import redis
from django.conf import settings

from config.api.problems import Problem

log = logging.getLogger("arbiter.api")

GCRA = """
local t = redis.call('TIME')
local now = t[1] * 1000 + t[2] / 1000
local period, step, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local due = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now)
local left = math.floor((period - (due - now)) / step + 1e-6)
if left < 1 then return {0, math.ceil(due + step - period - now)} end
local taken = math.min(wanted, left)
due = due + taken * step
redis.call('SET', KEYS[1], string.format('%.3f', due), 'PX', math.ceil(due - now) + 1)
return {taken, left - taken}
"""


class Budget(NamedTuple):
    limit: int
    seconds: int

    @classmethod
    def of(cls, text: str) -> "Budget":
        """`1200/60` is 1200 requests a minute, all at once if need be."""
        limit, _, seconds = text.partition("/")
        return cls(int(limit), int(seconds))


class Spent(NamedTuple):
    ok: bool
    left: int  # requests, if ok
    wait: float  # seconds, if not


class Counters(Protocol):
    def spend(self, key: str, budget: Budget) -> Spent: ...


class Local:
    """Counters of one process: for each key the time at which its budget is whole again."""

    MOST = 50_000

    def __init__(self) -> None:
        self.due: dict[str, float] = {}
        self.lock = threading.Lock()

    def spend(self, key: str, budget: Budget) -> Spent:
        step = budget.seconds / budget.limit
        with self.lock:
            now = time.monotonic()
            due = max(self.due.get(key, now), now) + step
            if due - budget.seconds > now + 1e-9:
                return Spent(False, 0, due - budget.seconds - now)
            if len(self.due) >= self.MOST:
                self.due = {k: d for k, d in self.due.items() if d > now}
            self.due[key] = due
            return Spent(True, int((budget.seconds - (due - now)) / step), 0)


class Lease:
    """Requests this process has taken out of a shared budget and not spent yet."""

    __slots__ = ("left", "mine", "until")

    def __init__(self, mine: int, left: int, until: float) -> None:
        self.mine, self.left, self.until = mine, left, until  # `left` is what was in the budget when it was taken


class Shared:
    """Counters in Redis, with a process's own to fall back on."""

    PAUSE = 2.0  # seconds in which a Redis that failed is not asked again
    PART = 100  # a process takes so large a part of a budget at once
    KEPT = 10.0  # seconds, then what is left of it is forgotten
    MOST = 50_000

    def __init__(self, url: str) -> None:
        self.redis = redis.Redis.from_url(url, socket_timeout=0.2, socket_connect_timeout=0.2)
        self.script = self.redis.register_script(GCRA)
        self.local, self.away_until = Local(), 0.0
        self.leases: dict[str, Lease] = {}
        self.lock = threading.Lock()

    def spend(self, key: str, budget: Budget) -> Spent:
        now = time.monotonic()
        with self.lock:
            lease = self.leases.get(key)
            if lease and lease.mine and lease.until > now:
                lease.mine -= 1
                return Spent(True, lease.left + lease.mine, 0)
        if now >= self.away_until:
            try:
                return self.ask(key, budget, now)
            except redis.RedisError as exc:
                self.away_until = time.monotonic() + self.PAUSE
                log.warning("budgets are counted per process: Redis does not answer (%s)", type(exc).__name__)
        return self.local.spend(key, budget)

    def ask(self, key: str, budget: Budget, now: float) -> Spent:
        period, wanted = budget.seconds * 1000, max(1, budget.limit // self.PART)
        taken, rest = self.script(keys=[f"arbiter:budget:{key}"], args=[period, period / budget.limit, wanted])
        if not taken:
            return Spent(False, 0, rest / 1000)
        if taken > 1:
            with self.lock:
                if len(self.leases) >= self.MOST:
                    self.leases = {k: lease for k, lease in self.leases.items() if lease.mine and lease.until > now}
                self.leases[key] = Lease(taken - 1, rest, now + self.KEPT)
        return Spent(True, rest + taken - 1, 0)


@cache
def counters(redis_url: str) -> Counters:
    return Shared(redis_url) if redis_url else Local()


@cache
def budget_of(text: str) -> Budget:
    return Budget.of(text)


def spend(request: Any, name: str, who: str) -> None:
    """Take one request out of a budget; the 429 is raised here. The last budget spent is the one shown in headers."""
    budget = budget_of(settings.API_BUDGETS[name])
    ok, left, wait = counters(settings.REDIS_URL).spend(f"{name}:{who}", budget)
    policy = f'"{name}";q={budget.limit};w={budget.seconds}'
    if not ok:
        seconds = max(1, math.ceil(wait))
        raise Problem(
            "too_many_requests",
            f"The budget for {name.replace('_', ' ')} is {budget.limit} in {budget.seconds} seconds. "
            f"Try again in {seconds} seconds.",
            headers={
                "Retry-After": str(seconds),
                "RateLimit-Policy": policy,
                "RateLimit": f'"{name}";r=0;t={seconds}',
            },
            budget=name,
        )
    request.rate_limit = policy, f'"{name}";r={left}'


def address(request: Any) -> str:
    """Where a request comes from, as far as it can be believed: TRUSTED_PROXIES says how many hops are ours. An IPv6
    customer owns a whole /64, so that is what counts."""
    hops = [hop.strip() for hop in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if hop.strip()]
    trusted = settings.TRUSTED_PROXIES
    text = hops[-min(trusted, len(hops))] if trusted and hops else request.META.get("REMOTE_ADDR", "")
    try:
        ip = ipaddress.ip_address(text)
    except ValueError:
        return "unknown"
    return str(ipaddress.ip_network((ip, 64), strict=False)) if ip.version == 6 else str(ip)
