"""The database itself refuses to rewrite history."""

import pytest
from django.db import DatabaseError, connection, transaction

from events import heads, store


def refused(statement: str, *values) -> str:
    with pytest.raises(DatabaseError) as error, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, values)
    return str(error.value)


def test_update_delete_truncate_and_replace_are_refused(counter, do):
    stream = counter()
    do(stream, "a", {"do": "add", "n": 1})
    before = store.read(stream)
    assert "only ever added" in refused("UPDATE events_event SET actor = 'x' WHERE stream = %s", stream)
    assert "only ever added" in refused("DELETE FROM events_event WHERE stream = %s", stream)
    row = 'stream, seq, actor, cmd, "do", at_ms, envelope, sealed, prev, hash'
    if connection.vendor == "postgresql":
        assert "only ever added" in refused("TRUNCATE events_event")
        assert "only ever added" in refused(
            f"INSERT INTO events_event ({row}) SELECT {row} FROM events_event WHERE stream = %s AND seq = 2 "
            "ON CONFLICT (stream, seq) DO UPDATE SET actor = 'x'",
            stream,
        )
        refused("SET LOCAL session_replication_role = replica; DELETE FROM events_event")
    else:
        for forged in ("stream, seq, 'x', 'x'", "stream, seq + 1, actor, cmd"):
            rest = (
                '"do", at_ms, envelope, sealed, hash, hash'
                if "+" in forged
                else '"do", at_ms, envelope, sealed, prev, hash'
            )
            assert "event taken" in refused(
                f"INSERT OR REPLACE INTO events_event ({row}) SELECT {forged}, {rest} FROM events_event "
                "WHERE stream = %s AND seq = 2",
                stream,
            )
        assert "event taken" in refused(
            f"INSERT OR REPLACE INTO events_event (pos, {row}) SELECT pos, stream, seq + 1, actor, 'new', "
            '"do", at_ms, envelope, sealed, hash, hash FROM events_event WHERE stream = %s AND seq = 2',
            stream,
        )
    assert store.read(stream) == before


def test_a_fork_or_a_hole_cannot_be_written_by_hand(counter, do):
    stream = counter()
    event = do(stream, "a", {"do": "add", "n": 1})
    row = (stream, "x", "x", "x", 1, b"{}", b"[]")
    insert = (
        'INSERT INTO events_event (stream, actor, cmd, "do", at_ms, envelope, sealed, seq, prev, hash) '
        "VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
    )
    assert "chain" in refused(insert, *row, 3, bytes(32), bytes(32))  # not the hash before
    assert "chain" in refused(insert, *row, 9, event.hash, bytes(32))  # a hole
    assert "genesis" in refused(insert, "cnt_nowhere", *row[1:], 1, bytes(32), bytes(32))
    assert heads.current(stream).seq == 2
