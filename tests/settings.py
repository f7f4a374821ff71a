"""config.settings for the suite: the stack is ARBITER_STACK, "embedded" unless the runner says "production"."""

import os
import tempfile
from pathlib import Path

STACK = os.environ.setdefault("ARBITER_STACK", "embedded")
os.environ["ARBITER_MODE"] = STACK
os.environ.setdefault("SECRET_KEY", "tests only: " + "0123456789abcdef" * 3)
os.environ.setdefault("ALLOWED_HOSTS", "testserver,localhost,127.0.0.1")

from config.settings import *  # noqa: E402, F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # hashing slowly is not what is tested

if STACK == "embedded":
    # A file, not :memory:, so that threads and processes of one test share what production shares.
    DATABASES["default"]["TEST"] = {"NAME": str(Path(tempfile.gettempdir()) / f"arbiter-test-{os.getppid()}.sqlite3")}  # noqa: F405
