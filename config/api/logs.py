"""One JSON object per line, each with the id of the request it belongs to."""

import logging
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

import msgspec

_request_id: ContextVar[str] = ContextVar("request_id", default="")
current_request_id = _request_id.get
set_request_id = _request_id.set

OF_EVERY_RECORD = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "request", "server"}


class JsonLines(logging.Formatter):
    """What was said, by whom and when, and whatever came with it as `extra`. Every request has a line: it is made in
    one go."""

    _encode = msgspec.json.Encoder(enc_hook=str).encode

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "request_id": current_request_id(),
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(),
        }
        for name in record.__dict__.keys() - OF_EVERY_RECORD:
            line[name] = record.__dict__[name]
        if record.exc_info:
            line["exc_info"] = self.formatException(record.exc_info)
        if record.stack_info:
            line["stack_info"] = record.stack_info
        try:
            return self._encode(line).decode()
        except (TypeError, ValueError, RecursionError):  # something that came with it has no JSON
            return self._encode({name: str(value) for name, value in line.items()}).decode()


def logging_settings(level: str) -> dict[str, Any]:
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": "config.api.logs.JsonLines"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # The access line of the frame says it already, with more in it.
            "django.request": {"level": "ERROR"},
        },
    }
