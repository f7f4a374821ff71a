"""One of a kind across processes: a lock that goes with its holder, however that one ends."""

import fcntl
from pathlib import Path
from typing import IO, Any

from django.db import InterfaceError, connection

CLASS = 0x41524254  # "ARBT": our advisory locks among those of others
NUMBERS = {"sequencer": 1, "readmodels": 2}


class Lock:
    """PostgreSQL: an advisory lock of this thread's database session. SQLite: a lock on a file beside the database."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._file: IO[str] | None = None
        self._session: Any = None

    def take(self) -> bool:
        if connection.vendor == "postgresql":
            taken = self._ask("SELECT pg_try_advisory_lock(%s, %s)")
            self._session = connection.connection if taken else None
            return taken
        file = Path(str(connection.settings_dict["NAME"]) + f".{self.name}.lock").open("a")  # noqa: SIM115 - it stays open as long as it is held
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            return False
        self._file = file
        return True

    def check(self) -> None:
        """Still ours? The session may have ended, and another begun unasked: Django does so after a failed rollback."""
        if connection.vendor == "postgresql" and connection.connection is not self._session:
            raise InterfaceError(f"the session that held the lock of the {self.name} is gone")

    def release(self) -> None:
        if self._file:
            self._file.close()
            self._file = None
        elif connection.vendor == "postgresql" and connection.connection is not None:
            self._ask("SELECT pg_advisory_unlock(%s, %s)")

    def _ask(self, question: str) -> bool:
        with connection.cursor() as cursor:
            cursor.execute(question, [CLASS, NUMBERS[self.name]])
            return cursor.fetchone()[0]


def held(name: str) -> bool:
    """Whether somebody holds the lock now."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = %s AND objid = %s "
                "AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))",
                [CLASS, NUMBERS[name]],
            )
            return cursor.fetchone()[0]
    lock = Lock(name)
    if not lock.take():
        return True
    lock.release()
    return False
