"""The event table and its guards, on both databases. The guards prevent accidents; the chain, the feed's
checkpoints and a head hash kept outside detect an owner of the database who wants to cheat.

The key for (stream, actor, cmd) starts with cmd: one that starts with the stream tempts a planner without statistics
to look up (stream, seq) in it, and every append then walks the whole stream."""

POSTGRESQL = [
    """
    CREATE TABLE events_event (
        pos bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
        stream varchar(40) NOT NULL,
        seq integer NOT NULL CHECK (seq >= 1),
        actor varchar(40) NOT NULL,
        cmd varchar(64) NOT NULL,
        "do" varchar(40) NOT NULL,
        at_ms bigint NOT NULL,
        envelope bytea NOT NULL,
        sealed bytea NOT NULL,
        prev bytea NOT NULL CHECK (length(prev) = 32),
        hash bytea NOT NULL CHECK (length(hash) = 32),
        CONSTRAINT event_seq UNIQUE (stream, seq) INCLUDE (hash),
        CONSTRAINT event_cmd UNIQUE (cmd, stream, actor)
    )
    """,
    "CREATE INDEX event_xid ON events_event (xid, pos)",
    """
    CREATE FUNCTION events_chain() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.seq = 1 THEN
            IF NOT EXISTS (SELECT 1 FROM events_stream WHERE id = NEW.stream AND genesis = NEW.prev) THEN
                RAISE EXCEPTION 'event 1 of % does not start from its genesis', NEW.stream USING ERRCODE = 'AR001';
            END IF;
        ELSIF NOT EXISTS (SELECT 1 FROM events_event
                          WHERE stream = NEW.stream AND seq = NEW.seq - 1 AND hash = NEW.prev) THEN
            RAISE EXCEPTION 'event % of % does not continue the chain', NEW.seq, NEW.stream USING ERRCODE = 'AR001';
        END IF;
        RETURN NEW;
    END $$
    """,
    "CREATE TRIGGER event_chain BEFORE INSERT ON events_event FOR EACH ROW EXECUTE FUNCTION events_chain()",
    """
    CREATE FUNCTION events_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'history is only ever added to: % on % refused', TG_OP, TG_TABLE_NAME USING ERRCODE = 'AR002';
    END $$
    """,
    """
    CREATE TRIGGER event_append_only BEFORE UPDATE OR DELETE ON events_event
    FOR EACH ROW EXECUTE FUNCTION events_append_only()
    """,
    """
    CREATE TRIGGER event_no_truncate BEFORE TRUNCATE ON events_event
    FOR EACH STATEMENT EXECUTE FUNCTION events_append_only()
    """,
    "ALTER TABLE events_event ENABLE ALWAYS TRIGGER event_chain",
    "ALTER TABLE events_event ENABLE ALWAYS TRIGGER event_append_only",
    "ALTER TABLE events_event ENABLE ALWAYS TRIGGER event_no_truncate",
]

SQLITE = [
    """
    CREATE TABLE events_event (
        pos integer PRIMARY KEY, -- nothing is ever deleted, so it only grows: AUTOINCREMENT would cost a page a commit
        stream varchar(40) NOT NULL,
        seq integer NOT NULL CHECK (seq >= 1),
        actor varchar(40) NOT NULL,
        cmd varchar(64) NOT NULL,
        "do" varchar(40) NOT NULL,
        at_ms bigint NOT NULL,
        envelope blob NOT NULL,
        sealed blob NOT NULL,
        prev blob NOT NULL CHECK (length(prev) = 32),
        hash blob NOT NULL CHECK (length(hash) = 32),
        UNIQUE (stream, seq),
        UNIQUE (cmd, stream, actor)
    )
    """,
    # REPLACE deletes without firing DELETE triggers unless a pragma is set: refuse before it gets there.
    """
    CREATE TRIGGER event_taken BEFORE INSERT ON events_event
    WHEN EXISTS (SELECT 1 FROM events_event WHERE pos = NEW.pos)
      OR EXISTS (SELECT 1 FROM events_event WHERE stream = NEW.stream AND seq = NEW.seq)
      OR EXISTS (SELECT 1 FROM events_event WHERE stream = NEW.stream AND actor = NEW.actor AND cmd = NEW.cmd)
    BEGIN SELECT RAISE(ABORT, 'event taken'); END
    """,
    """
    CREATE TRIGGER event_first BEFORE INSERT ON events_event
    WHEN NEW.seq = 1 AND NOT EXISTS (SELECT 1 FROM events_stream WHERE id = NEW.stream AND genesis = NEW.prev)
    BEGIN SELECT RAISE(ABORT, 'event 1 does not start from its genesis'); END
    """,
    """
    CREATE TRIGGER event_chain BEFORE INSERT ON events_event
    WHEN NEW.seq > 1 AND NOT EXISTS (SELECT 1 FROM events_event
        WHERE stream = NEW.stream AND seq = NEW.seq - 1 AND hash = NEW.prev)
    BEGIN SELECT RAISE(ABORT, 'event does not continue the chain'); END
    """,
    """
    CREATE TRIGGER event_no_update BEFORE UPDATE ON events_event
    BEGIN SELECT RAISE(ABORT, 'history is only ever added to: UPDATE refused'); END
    """,
    """
    CREATE TRIGGER event_no_delete BEFORE DELETE ON events_event
    BEGIN SELECT RAISE(ABORT, 'history is only ever added to: DELETE refused'); END
    """,
]

DROP = {
    "postgresql": [
        "DROP TABLE events_event",
        "DROP FUNCTION events_chain()",
        "DROP FUNCTION events_append_only()",
    ],
    "sqlite": ["DROP TABLE events_event"],
}
CREATE = {"postgresql": POSTGRESQL, "sqlite": SQLITE}


def create(apps: object, schema_editor: object) -> None:
    run(schema_editor, CREATE)


def drop(apps: object, schema_editor: object) -> None:
    run(schema_editor, DROP)


def run(schema_editor, scripts: dict[str, list[str]]) -> None:
    with schema_editor.connection.cursor() as cursor:
        for statement in scripts[schema_editor.connection.vendor]:
            cursor.execute(statement)
