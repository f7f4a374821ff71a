"""What the environment says, read once and checked: wrong or missing values are one sentence, never a traceback."""

import os
import secrets
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

MODES = ("production", "embedded")
pooled = False  # set by config.asgi: the requests of that process borrow their connections
YES, NO = {"1", "on", "true", "yes"}, {"", "0", "off", "false", "no"}


class Environment:
    """The variables of docs/operations.md. Anything that is not the embedded stack is production."""

    def __init__(self, variables: Mapping[str, str] = os.environ) -> None:
        self.variables = variables
        self.mode = self.text("ARBITER_MODE", "production")
        if self.mode not in MODES:
            raise ImproperlyConfigured(f"ARBITER_MODE is {self.mode!r}; it must be one of {', '.join(MODES)}.")
        self.embedded = self.mode == "embedded"

    def text(self, name: str, default: str = "") -> str:
        return self.variables.get(name, "").strip() or default

    def flag(self, name: str, default: bool = False) -> bool:
        value = self.text(name, "yes" if default else "no").lower()
        if value not in YES | NO:
            raise ImproperlyConfigured(f"{name} is {value!r}; say on or off.")
        return value in YES

    def number(self, name: str, default: int) -> int:
        value = self.text(name, str(default))
        if not value.isdecimal():
            raise ImproperlyConfigured(f"{name} is {value!r}; it must be a whole number.")
        return int(value)

    def words(self, name: str) -> list[str]:
        return [word.strip() for word in self.text(name).split(",") if word.strip()]

    def required(self, name: str, example: str) -> str:
        """A value production cannot run without."""
        if not (value := self.text(name)):
            raise ImproperlyConfigured(f"{name} is missing: production does not start without it (such as {example}).")
        return value


def complete() -> None:
    """For servers and workers: go on if the settings can be read, else say why not and end."""
    from django.conf import settings

    try:
        settings.BASE_DIR  # noqa: B018
    except ImproperlyConfigured as missing:
        print(f"arbiter: {missing}", file=sys.stderr, flush=True)
        raise SystemExit(3) from None


def kept_secret(file: Path) -> str:
    """The secret `up` keeps beside its database; until it does, one that lives as long as this process."""
    return file.read_text().strip() if file.exists() else secrets.token_urlsafe(50)


def postgres(url: str, *, pool: bool) -> dict[str, Any]:
    """Django's settings for a postgresql:// URL: server-side binding, statements prepared at once."""
    parts = urlsplit(url)
    if parts.scheme not in ("postgres", "postgresql"):
        raise ImproperlyConfigured(
            f"DATABASE_URL starts with {parts.scheme or url!r}; it must be postgresql://user:password@host:5432/name."
        )
    query = dict(parse_qsl(parts.query))
    options: dict[str, Any] = {"server_side_binding": True, "prepare_threshold": 0}
    host = query.pop("host", "") or unquote(parts.hostname or "")  # ?host=/run/postgresql is a unix socket
    port = query.pop("port", "") or str(parts.port or "")
    if pool:
        options["pool"] = {"min_size": 1, "max_size": 8, "timeout": 10}
    return {
        "ENGINE": "config.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": port,
        # WSGI threads and workers keep their connection; a pool lends them out instead (Django forbids both at once).
        "CONN_MAX_AGE": 0 if pool else None,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options | query,
    }


def sqlite(url: str, default: Path) -> dict[str, Any]:
    """The embedded database: readers never wait for the writer, and what was acknowledged survives a power cut."""
    file = Path(unquote(url.removeprefix("sqlite:///"))) if url.startswith("sqlite:///") else default
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": file,
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        },
    }
