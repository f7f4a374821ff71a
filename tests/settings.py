"""config.settings for the suite: the stack is ARBITER_STACK, "embedded" unless the runner says "production".

Each pytest-xdist worker has a database of its own (pytest-django adds its name) and a Redis database of its own.
"""

import atexit
import os
import secrets
import shutil
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

STACK = os.environ.setdefault("ARBITER_STACK", "embedded")
os.environ["ARBITER_MODE"] = STACK
os.environ.setdefault("SECRET_KEY", "tests only: " + "0123456789abcdef" * 3)
os.environ.setdefault("ALLOWED_HOSTS", "testserver,localhost,127.0.0.1")
FIRST = "ARBITER_RUN" not in os.environ
RUN = os.environ.setdefault("ARBITER_RUN", secrets.token_hex(4))  # inherited by the workers and all they start
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "gw0")
if STACK == "production":
    os.environ["REDIS_URL"] = urlsplit(os.environ["REDIS_URL"])._replace(path=f"/{int(WORKER[2:]) + 1}").geturl()

from config.settings import *  # noqa: F403
from config.settings import CELERY_BROKER_TRANSPORT_OPTIONS, DATABASES

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # hashing slowly is not what is tested

if STACK == "embedded":
    # A file, not :memory:, so that threads and processes of one test share what production shares.
    folder = Path(tempfile.gettempdir()) / f"arbiter-test-{RUN}"
    DATABASES["default"]["TEST"] = {"NAME": str(folder / "arbiter.sqlite3")}
    if FIRST:
        folder.mkdir(mode=0o700)
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
else:
    namespace = f"arbiter-test-{RUN}-{WORKER}-"
    DATABASES["default"]["TEST"] = {"NAME": f"arbiter_test_{RUN}"}
    CELERY_BROKER_TRANSPORT_OPTIONS["global_keyprefix"] = namespace

if name := os.environ.get("ARBITER_TEST_DATABASE"):  # a process that a test started works in that test's database
    DATABASES["default"]["NAME"] = name

CELERY_IMPORTS = ["tests.tasks"]
