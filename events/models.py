"""Rows of the store. `Event` is created by SQL of its own (migration 0001): the ORM only reads it."""

from django.conf import settings
from django.db import models


class Stream(models.Model):
    """One history: a game, a draft, a tournament, an audit."""

    id = models.CharField(primary_key=True, max_length=40)
    kind = models.CharField(max_length=20)
    seats = models.PositiveSmallIntegerField()
    genesis = models.BinaryField(max_length=32)
    at_ms = models.BigIntegerField()

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(seats__lte=64), name="stream_seats_at_most_64")]


class StreamSecret(models.Model):
    """The seed S of a stream: every salt and every shuffle follows from it. Never in an event before the seals open."""

    stream = models.OneToOneField(Stream, models.CASCADE, primary_key=True, related_name="secret")
    seed = models.BinaryField(max_length=32)


class Event(models.Model):
    """One accepted action, immutable. `pos` is a physical id and no order: order is `seq`, across streams the feed."""

    pos = models.BigAutoField(primary_key=True)
    stream = models.CharField(max_length=40)
    seq = models.IntegerField()
    actor = models.CharField(max_length=40)
    cmd = models.CharField(max_length=64)
    do = models.CharField(max_length=40)
    at_ms = models.BigIntegerField()
    envelope = models.BinaryField()
    sealed = models.BinaryField()
    prev = models.BinaryField(max_length=32)
    hash = models.BinaryField(max_length=32)

    class Meta:
        managed = False
        db_table = "events_event"


class Snapshot(models.Model):
    """A cache of folded state. Dropped whenever it does not fit; never trusted by the verifier, never exported."""

    stream = models.CharField(max_length=40)
    seq = models.IntegerField()
    schema = models.IntegerField()
    hash = models.BinaryField(max_length=32)
    state = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["stream", "schema", "seq"], name="snapshot_once")]


class Participant(models.Model):
    """Who stands behind an actor of a stream. The only link from history to a person, and it can be deleted."""

    id = models.CharField(primary_key=True, max_length=40)
    stream = models.CharField(max_length=40)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="participations")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["stream", "person"], name="participant_once")]


class Look(models.Model):
    """A privileged look-up, as its audit stream has it: a row of a list, made from the log."""

    pos = models.BigIntegerField(primary_key=True)  # in the feed
    subject = models.CharField(max_length=40)  # the stream that was looked at
    seq = models.IntegerField()
    eyes = models.CharField(max_length=8)  # a seat, `public` or `table`
    what = models.CharField(max_length=20)
    at_ms = models.BigIntegerField()
    actor = models.CharField(max_length=40)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        indexes = [models.Index(fields=["subject", "pos"], name="looks_at_subject")]


class Text(models.Model):
    """Free text, apart from the hashed bytes: the event holds only a salted commitment to it."""

    commitment = models.CharField(primary_key=True, max_length=64)
    stream = models.CharField(max_length=40, db_index=True)
    author = models.CharField(max_length=40, db_index=True)
    salt = models.BinaryField(max_length=32)
    text = models.TextField()


class Feed(models.Model):
    """The one order over all streams, dense from 1. Made by SQL of its own (0002); only the sequencer writes."""

    pos = models.BigIntegerField(primary_key=True)
    event = models.BigIntegerField(unique=True)  # Event.pos

    class Meta:
        managed = False
        db_table = "events_feed"


class Sequencer(models.Model):
    """Where the sequencer stands: one row. On PostgreSQL everything with an xid below `xid` is in the feed; an xid only
    means something in the cluster that gave it out."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    xid = models.CharField(max_length=20, default="0")
    cluster = models.CharField(max_length=20, default="")
    origin = models.CharField(max_length=100, default="")  # the name of this log in its checkpoints, for good
    tree_size = models.BigIntegerField(default=0)

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="one_sequencer")]


class Tile(models.Model):
    """256 neighbouring hashes of the Merkle tree: level 0 are the leaves, entry i of level n is the root of tile i of
    level n-1. Only the last tile of a level still grows."""

    level = models.PositiveSmallIntegerField()
    number = models.BigIntegerField()
    hashes = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["level", "number"], name="tile_once")]


class Checkpoint(models.Model):
    """A signed promise about the first `size` events of the feed; `body` is the very bytes that were signed."""

    size = models.BigIntegerField(primary_key=True)
    root = models.BinaryField(max_length=32)
    key = models.CharField(max_length=16)
    at_ms = models.BigIntegerField()
    body = models.BinaryField()
    signature = models.BinaryField(max_length=64)


class SigningKey(models.Model):
    """The public half of a key that signs checkpoints, and when it did. The private half is never in the database."""

    id = models.CharField(primary_key=True, max_length=16)
    public = models.BinaryField(max_length=32)
    from_ms = models.BigIntegerField()
    until_ms = models.BigIntegerField(null=True)


class Cursor(models.Model):
    """How far a read model has come in the feed; the row is also its lock. `fault` is why it stopped, if it did."""

    name = models.CharField(primary_key=True, max_length=40)
    pos = models.BigIntegerField(default=0)
    fault = models.TextField(default="")
    tries = models.PositiveIntegerField(default=0)
    retry_ms = models.BigIntegerField(default=0)


class Deadline(models.Model):
    """What must happen in a stream at a time unless it moves on: a projection of `due(state)`."""

    stream = models.CharField(max_length=40)
    key = models.CharField(max_length=64)
    due_ms = models.BigIntegerField()
    actor = models.CharField(max_length=40)
    action = models.JSONField()
    next_ms = models.BigIntegerField(db_index=True)  # when to try: due_ms, later after a fault
    tries = models.PositiveIntegerField(default=0)
    fault = models.TextField(default="")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["stream", "key"], name="deadline_once")]


class DeadlineMark(models.Model):
    """The seq whose deadlines are in the rows of a stream: what is older may not overwrite them."""

    stream = models.CharField(primary_key=True, max_length=40)
    seq = models.IntegerField()


class Heartbeat(models.Model):
    """When a part of the service last said that it works."""

    name = models.CharField(primary_key=True, max_length=40)
    at_ms = models.BigIntegerField()
