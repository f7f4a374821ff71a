"""The task queue: `celery -A config.celery worker`, `celery -A config.celery beat`."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from celery import Celery

from config.environment import complete

complete()
app = Celery("arbiter")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
