"""REST in production: `gunicorn config.wsgi`. Threads keep their database connection."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.core.wsgi import get_wsgi_application

from config.environment import complete

complete()
application = get_wsgi_application()
