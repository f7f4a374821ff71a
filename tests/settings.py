"""config.settings for the suite: the stack is ARBITER_STACK, "embedded" unless the runner says "production".

Each pytest-xdist worker has a database of its own (pytest-django adds its name) and its own keys in Redis.
"""

import os
import tempfile
from pathlib import Path

STACK = os.environ.setdefault("ARBITER_STACK", "embedded")
os.environ["ARBITER_MODE"] = STACK
os.environ.setdefault("SECRET_KEY", "tests only: " + "0123456789abcdef" * 3)
os.environ.setdefault("ALLOWED_HOSTS", "testserver,localhost,127.0.0.1")
RUN = os.environ.setdefault("ARBITER_RUN", str(os.getpid()))  # inherited by the workers and by every process they start

from config.settings import *  # noqa: F403
from config.settings import CACHES, DATABASES

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # hashing slowly is not what is tested

if STACK == "embedded":
    # A file, not :memory:, so that threads and processes of one test share what production shares.
    DATABASES["default"]["TEST"] = {"NAME": str(Path(tempfile.gettempdir()) / f"arbiter-test-{RUN}.sqlite3")}
else:
    namespace = f"arbiter-test-{RUN}-{os.environ.get('PYTEST_XDIST_WORKER', 'main')}-"
    DATABASES["default"]["TEST"] = {"NAME": f"arbiter_test_{RUN}"}
    CACHES["default"]["KEY_PREFIX"] = namespace
    CELERY_BROKER_TRANSPORT_OPTIONS = {"global_keyprefix": namespace}

if name := os.environ.get("ARBITER_TEST_DATABASE"):  # a process that a test started works in that test's database
    DATABASES["default"]["NAME"] = name

CELERY_IMPORTS = ["tests.tasks"]
