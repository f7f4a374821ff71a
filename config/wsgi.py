"""REST under WSGI: what `python -m config.web` serves in production, and `manage.py up` beside its streams. Threads
keep their database connection."""

import gc
import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from config.environment import complete

complete()
application = get_wsgi_application()
get_resolver().url_patterns  # noqa: B018 - every view and rulebook is loaded now, not during somebody's first request
gc.collect()
gc.freeze()  # what was loaded stays: no collection need look at it again
gc.set_threshold(20_000, 20, 20)  # a request leaves hardly any cycles; looking for them every 700 objects is dear
