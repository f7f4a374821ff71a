"""Streams in production: `uvicorn config.asgi:application`. Requests borrow connections from a pool."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("DATABASE_POOL", "on")

from django.conf import settings
from django.core.asgi import get_asgi_application

from config.api.limits import limit_bodies

application = limit_bodies(get_asgi_application(), settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
