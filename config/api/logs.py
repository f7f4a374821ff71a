"""One JSON object per line, each with the id of the request it belongs to."""

import logging
from contextvars import ContextVar
from typing import Any

_request_id: ContextVar[str] = ContextVar("request_id", default="")
current_request_id = _request_id.get
set_request_id = _request_id.set


class RequestId(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = current_request_id()
        return True


def logging_settings(level: str) -> dict[str, Any]:
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"request_id": {"()": "config.api.logs.RequestId"}},
        "formatters": {
            "json": {
                "()": "pythonjsonlogger.json.JsonFormatter",
                "fmt": "{levelname}{name}{message}{request_id}",
                "style": "{",
                "rename_fields": {"levelname": "level", "name": "logger"},
                "timestamp": "at",
            }
        },
        "handlers": {
            "stderr": {"class": "logging.StreamHandler", "formatter": "json", "filters": ["request_id"]},
        },
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # The access line of the frame says it already, with more in it.
            "django.request": {"level": "ERROR"},
        },
    }
