"""REST in production: `gunicorn config.wsgi`. Threads keep their database connection."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.core.wsgi import get_wsgi_application

application = get_wsgi_application()
