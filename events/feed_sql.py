"""The feed and its guards, on both databases: dense, each event once, only ever added to, whoever writes it."""

from events import sql

POSTGRESQL = [
    """
    CREATE TABLE events_feed (
        pos bigint PRIMARY KEY CHECK (pos >= 1),
        event bigint NOT NULL UNIQUE
    )
    """,
    # One look per statement, not per row: what was added must continue what was there and name events that exist.
    """
    CREATE FUNCTION events_feed_dense() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE first bigint; last bigint; added bigint; known bigint;
    BEGIN
        SELECT min(pos), max(pos), count(*) INTO first, last, added FROM fresh;
        IF added = 0 THEN RETURN NULL; END IF;
        IF last - first + 1 <> added
           OR (first > 1 AND NOT EXISTS (SELECT 1 FROM events_feed WHERE pos = first - 1)) THEN
            RAISE EXCEPTION 'the feed is dense: %..% does not continue it', first, last USING ERRCODE = 'AR003';
        END IF;
        SELECT count(*) INTO known FROM fresh JOIN events_event ON events_event.pos = fresh.event;
        IF known <> added THEN
            RAISE EXCEPTION 'the feed names an event that does not exist' USING ERRCODE = 'AR003';
        END IF;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER feed_dense AFTER INSERT ON events_feed REFERENCING NEW TABLE AS fresh
    FOR EACH STATEMENT EXECUTE FUNCTION events_feed_dense()
    """,
    """
    CREATE TRIGGER feed_append_only BEFORE UPDATE OR DELETE ON events_feed
    FOR EACH ROW EXECUTE FUNCTION events_append_only()
    """,
    """
    CREATE TRIGGER feed_no_truncate BEFORE TRUNCATE ON events_feed
    FOR EACH STATEMENT EXECUTE FUNCTION events_append_only()
    """,
    "ALTER TABLE events_feed ENABLE ALWAYS TRIGGER feed_dense",
    "ALTER TABLE events_feed ENABLE ALWAYS TRIGGER feed_append_only",
    "ALTER TABLE events_feed ENABLE ALWAYS TRIGGER feed_no_truncate",
]

SQLITE = [
    """
    CREATE TABLE events_feed (
        pos integer PRIMARY KEY CHECK (pos >= 1),
        event integer NOT NULL UNIQUE
    )
    """,
    """
    CREATE TRIGGER feed_dense BEFORE INSERT ON events_feed
    WHEN NEW.pos <> 1 + coalesce((SELECT max(pos) FROM events_feed), 0)
    BEGIN SELECT RAISE(ABORT, 'the feed is dense: that does not continue it'); END
    """,
    """
    CREATE TRIGGER feed_once BEFORE INSERT ON events_feed
    WHEN EXISTS (SELECT 1 FROM events_feed WHERE event = NEW.event)
    BEGIN SELECT RAISE(ABORT, 'the event is in the feed already'); END
    """,
    """
    CREATE TRIGGER feed_known BEFORE INSERT ON events_feed
    WHEN NOT EXISTS (SELECT 1 FROM events_event WHERE pos = NEW.event)
    BEGIN SELECT RAISE(ABORT, 'the feed names an event that does not exist'); END
    """,
    """
    CREATE TRIGGER feed_no_update BEFORE UPDATE ON events_feed
    BEGIN SELECT RAISE(ABORT, 'history is only ever added to: UPDATE refused'); END
    """,
    """
    CREATE TRIGGER feed_no_delete BEFORE DELETE ON events_feed
    BEGIN SELECT RAISE(ABORT, 'history is only ever added to: DELETE refused'); END
    """,
]

# A checkpoint that was given out cannot be taken back.
POSTGRESQL_CHECKPOINT = [
    """
    CREATE TRIGGER checkpoint_append_only BEFORE UPDATE OR DELETE ON events_checkpoint
    FOR EACH ROW EXECUTE FUNCTION events_append_only()
    """,
    """
    CREATE TRIGGER checkpoint_no_truncate BEFORE TRUNCATE ON events_checkpoint
    FOR EACH STATEMENT EXECUTE FUNCTION events_append_only()
    """,
    "ALTER TABLE events_checkpoint ENABLE ALWAYS TRIGGER checkpoint_append_only",
    "ALTER TABLE events_checkpoint ENABLE ALWAYS TRIGGER checkpoint_no_truncate",
]
SQLITE_CHECKPOINT = [
    """
    CREATE TRIGGER checkpoint_taken BEFORE INSERT ON events_checkpoint
    WHEN EXISTS (SELECT 1 FROM events_checkpoint WHERE size = NEW.size)
    BEGIN SELECT RAISE(ABORT, 'there is a checkpoint of that size'); END
    """,
    """
    CREATE TRIGGER checkpoint_no_update BEFORE UPDATE ON events_checkpoint
    BEGIN SELECT RAISE(ABORT, 'history is only ever added to: UPDATE refused'); END
    """,
    """
    CREATE TRIGGER checkpoint_no_delete BEFORE DELETE ON events_checkpoint
    BEGIN SELECT RAISE(ABORT, 'history is only ever added to: DELETE refused'); END
    """,
]

CREATE = {"postgresql": POSTGRESQL + POSTGRESQL_CHECKPOINT, "sqlite": SQLITE + SQLITE_CHECKPOINT}
DROP = {
    "postgresql": [
        "DROP TABLE events_feed",
        "DROP FUNCTION events_feed_dense()",
        "DROP TRIGGER checkpoint_append_only ON events_checkpoint",
        "DROP TRIGGER checkpoint_no_truncate ON events_checkpoint",
    ],
    "sqlite": [
        "DROP TABLE events_feed",
        "DROP TRIGGER checkpoint_taken",
        "DROP TRIGGER checkpoint_no_update",
        "DROP TRIGGER checkpoint_no_delete",
    ],
}


def create(apps: object, schema_editor: object) -> None:
    sql.run(schema_editor, CREATE)


def drop(apps: object, schema_editor: object) -> None:
    sql.run(schema_editor, DROP)
