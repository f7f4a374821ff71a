"""One writer process of the append bench: says `ready`, waits for `go`, writes for some seconds, says events/s."""

import os
import secrets
import sys
import time
from collections.abc import Callable, Iterator

BODY = secrets.token_bytes(400)


def prepare() -> None:
    from django.core.management import call_command
    from django.db import connection

    call_command("migrate", verbosity=0)
    blob, serial = ("bytea", "bigserial") if connection.vendor == "postgresql" else ("blob", "integer")
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE bench_raw (id {serial} PRIMARY KEY, stream text, seq integer, body {blob})")
    application(create=True)  # once: many processes at it together fail


def raw_insert() -> Callable[[], None]:
    """The limit: one prepared statement straight to the driver, one row of the same size, no constraint but the key."""
    from django.db import connection

    from events import libpq

    connection.ensure_connection()
    driver, stream, count, body = connection.connection, secrets.token_hex(8), iter(range(10**9)), BODY + BODY
    query = "INSERT INTO bench_raw (stream, seq, body) VALUES (%s, %s, %s)"

    def to_postgresql() -> None:
        libpq.insert(driver, query, (stream, next(count), body))

    def to_sqlite() -> None:
        driver.execute(query.replace("%s", "?"), (stream, next(count), body))

    return to_postgresql if connection.vendor == "postgresql" else to_sqlite


def begin() -> str:
    import tests.counter  # noqa: F401
    from events import commands

    stream = commands.new_stream_id("counter")
    commands.open_stream("counter", 2, stream=stream, actor="a", action={"do": "begin"}, command_id="b")
    return stream


def append() -> Callable[[], None]:
    """The append alone: events built beforehand, chain, guards and both unique keys on."""
    from events import heads, store
    from events.decider import Moment

    head = heads.current(begin())

    def built() -> Iterator[store.Stored]:
        seq, prev = head.seq, head.hash
        while True:
            seq += 1
            event = store.build(
                head.key, Moment(seq, seq, prev.hex(), "a"), cmd=f"c{seq}", request="0" * 64,
                action={"do": "add", "n": 1, "note": "x" * 250}, effects=[{"e": "added", "n": 1}], version="bench",
            )  # fmt: skip
            prev = event.hash
            yield event

    ready = built()
    stock = [next(ready) for _ in range(int(float(sys.argv[2]) * 12_000))]
    stock.reverse()

    def write() -> None:
        assert store.append(stock.pop())

    return write


def execute() -> Callable[[], None]:
    """The whole write path: decide, seal, hash, append, tell."""
    from events import commands

    stream, count = begin(), iter(range(10**9))

    def write() -> None:
        commands.execute(
            stream, actor="a", action={"do": "add", "n": 1, "note": "x" * 250}, command_id=f"c{next(count)}"
        )

    return write


def application(create: bool = False):  # type: ignore[no-untyped-def]
    from django.db import connection
    from eventsourcing.application import Application
    from eventsourcing.domain import Aggregate, event

    class Count(Aggregate):
        @event("Added")
        def add(self, note: str) -> None:
            self.note = note

    settings = connection.settings_dict
    if connection.vendor == "postgresql":
        environment = {
            "PERSISTENCE_MODULE": "eventsourcing.postgres", "POSTGRES_DBNAME": settings["NAME"] or "postgres",
            "POSTGRES_HOST": settings["HOST"], "POSTGRES_PORT": settings["PORT"] or "5432",
            "POSTGRES_USER": settings["USER"], "POSTGRES_PASSWORD": settings["PASSWORD"] or "none",
            "POSTGRES_POOL_SIZE": "1",
        }  # fmt: skip
    else:
        environment = {
            "PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": f"{settings['NAME']}.eventsourcing",
        }  # fmt: skip
    return Application(env={**environment, "CREATE_TABLE": "y" if create else "n"}), Count()


def eventsourcing() -> Callable[[], None]:
    app, aggregate = application()

    def write() -> None:
        aggregate.add("x" * 250)
        app.save(aggregate)

    return write


def main(contestant: str, seconds: float) -> None:
    import django

    django.setup()
    if contestant == "prepare":
        return prepare()
    write = globals()[contestant.replace(" ", "_")]()
    for _ in range(20):
        write()
    print("ready", flush=True)
    sys.stdin.readline()
    count, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        write()
        count += 1
    print(count / (time.perf_counter() - began))
    sys.stdout.flush()
    os._exit(0)  # libraries' threads need not be waited for


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
