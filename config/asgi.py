"""Streams in production: `uvicorn config.asgi:application`. Requests borrow connections from a pool; nobody else does:
a session's locks would stay behind in it, and Celery closes it after every task."""

import os
from typing import Any

from django.conf import settings
from django.core.asgi import get_asgi_application

from config import environment
from config.api.limits import Message, limit_bodies

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
environment.pooled = True
environment.complete()
limited = limit_bodies(get_asgi_application(), settings.DATA_UPLOAD_MAX_MEMORY_SIZE)


async def application(scope: Message, receive: Any, send: Any) -> None:
    from games.waiting import end_with_the_process

    end_with_the_process()  # at the first request: by then the server has taken the signals
    await limited(scope, receive, send)
