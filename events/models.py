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


class Text(models.Model):
    """Free text, apart from the hashed bytes: the event holds only a salted commitment to it."""

    commitment = models.CharField(primary_key=True, max_length=64)
    stream = models.CharField(max_length=40, db_index=True)
    author = models.CharField(max_length=40, db_index=True)
    salt = models.BinaryField(max_length=32)
    text = models.TextField()
