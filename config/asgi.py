"""Streams in production: `uvicorn config.asgi:application`. Requests borrow connections from a pool."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("DATABASE_POOL", "on")

from django.core.asgi import get_asgi_application

application = get_asgi_application()
