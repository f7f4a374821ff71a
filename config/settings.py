"""One settings file for both stacks. Everything that differs comes from the environment (docs/operations.md)."""

from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from config import environment
from config.api.settings import *  # noqa: F403
from config.environment import Environment, kept_secret, postgres, sqlite

BASE_DIR = Path(__file__).resolve().parent.parent
ENV = Environment()
EMBEDDED = ENV.embedded
DATA_DIR = Path(ENV.text("ARBITER_DATA", str(BASE_DIR / "data")))

DEBUG = ENV.flag("DEBUG")

if EMBEDDED:
    SECRET_KEY = ENV.text("SECRET_KEY") or kept_secret(DATA_DIR / "secret_key")
    ALLOWED_HOSTS = ENV.words("ALLOWED_HOSTS") or ["localhost", "127.0.0.1", "[::1]"]
    DATABASES = {"default": sqlite(ENV.text("DATABASE_URL"), DATA_DIR / "arbiter.sqlite3")}
    CELERY_BROKER_URL = "memory://localhost"
    CELERY_BROKER_TRANSPORT = "config.memory:Transport"
    CELERY_BROKER_TRANSPORT_OPTIONS: dict = {}
else:
    SECRET_KEY = ENV.required(
        "SECRET_KEY", "the output of `python3 -c 'import secrets; print(secrets.token_urlsafe(50))'`"
    )
    if len(SECRET_KEY) < 32:
        raise ImproperlyConfigured("SECRET_KEY is too short: it must have at least 32 characters.")
    ENV.required("ALLOWED_HOSTS", "arbiter.example.org")
    ALLOWED_HOSTS = ENV.words("ALLOWED_HOSTS")
    DATABASES = {
        "default": postgres(
            ENV.required("DATABASE_URL", "postgresql://arbiter:password@localhost:5432/arbiter"),
            pool=environment.pooled,
        )
    }
    CELERY_BROKER_URL = ENV.required("REDIS_URL", "redis://localhost:6379/0")
    if not CELERY_BROKER_URL.startswith(("redis://", "rediss://", "unix://")):
        raise ImproperlyConfigured(
            f"REDIS_URL is {CELERY_BROKER_URL!r}; production needs a real broker (redis://host:6379/0): "
            "an in-memory one loses every task when its process ends."
        )
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "visibility_timeout": 300,  # then a killed worker's task is another's
        "socket_connect_timeout": 1.0,  # a request that queues something must not hang on a broker that is gone
        "socket_timeout": 5.0,
    }

POOLED = "pool" in DATABASES["default"]["OPTIONS"]
# Requests that may wait at the same time in one process. Under WSGI each of them keeps a thread from everybody else.
LONG_POLLS = ENV.number("LONG_POLLS", 500 if EMBEDDED or POOLED else max(1, ENV.number("WEB_THREADS", 4) // 2))
if TRUSTED_PROXIES:  # noqa: F405
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")  # else links say http and HSTS is never sent

BUILD = "arbiter 0.1.0"  # named in every event
ARBITER_ORIGIN = ENV.text("ARBITER_ORIGIN")  # the name of this log in its checkpoints; a random one when empty
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "accounts.User"

INSTALLED_APPS = [
    "config",
    "accounts",
    "events",
    "games",
    "decks",
    "drafting",
    "tournaments",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.staticfiles",
]
# One middleware, sync and async: a second one, or one that is only sync, costs every ASGI request a thread hop.
MIDDLEWARE = ["config.api.middleware.Frame"]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}]
APPEND_SLASH = False

USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
USE_I18N = False

STATIC_URL = "/static/"

CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True  # a worker killed in the middle of a task gives it back; every task is idempotent
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TIMEZONE = "UTC"
# Asked every second; what no worker took in time is dropped, the next one is on its way. Embedded, threads do this.
# Bots are queued after each commit; the sweep finds games whose worker was killed or whose message was lost.
CELERY_BEAT_SCHEDULE: dict = {"bots": {"task": "games.tasks.sweep_bots", "schedule": 2.0, "options": {"expires": 2.0}}}
CELERY_BEAT_SCHEDULE["tournaments"] = {
    "task": "tournaments.tasks.sweep_tournaments",
    "schedule": 2.0,
    "options": {"expires": 2.0},
}
if not EMBEDDED:
    CELERY_BEAT_SCHEDULE["sweep"] = {"task": "events.tasks.sweep", "schedule": 1.0, "options": {"expires": 1.0}}
    CELERY_BEAT_SCHEDULE["catch-up"] = {"task": "events.tasks.catch_up", "schedule": 1.0, "options": {"expires": 1.0}}
