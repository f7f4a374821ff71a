"""What lists of tournaments are served from, and which game belongs to which match: rows made from the log."""

from django.db import models


class Tournament(models.Model):
    """One line of a list. `waits`: what the house has still to do in it."""

    number = models.BigAutoField(primary_key=True)
    stream = models.CharField(max_length=40, unique=True)
    seq = models.IntegerField()
    title = models.CharField(max_length=200)
    rulebook = models.CharField(max_length=60, blank=True)
    phase = models.CharField(max_length=12)
    entrants = models.IntegerField()
    round = models.IntegerField()
    at_ms = models.BigIntegerField()
    waits = models.CharField(max_length=8, blank=True)  # pair, play, seals, drafts, decks
    tried = models.CharField(max_length=40, blank=True)  # the round and attempt the house is computing
    tries = models.PositiveSmallIntegerField(default=0)
    tried_ms = models.BigIntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["waits", "at_ms"], name="tournaments_waiting")]


class MatchGame(models.Model):
    """A game that was made for a match: who sits where in it, and whether the tournament knows its end."""

    game = models.CharField(max_length=40, primary_key=True)
    tournament = models.CharField(max_length=40)
    match = models.CharField(max_length=20)
    attempt = models.PositiveSmallIntegerField(default=1)  # of the round
    nth = models.PositiveSmallIntegerField()
    seats = models.JSONField()  # entrants by seat
    reported = models.BooleanField(default=False)

    class Meta:
        indexes = [models.Index(fields=["tournament", "reported"], name="tournaments_games")]


class GroupSalt(models.Model):
    """What the names of clubs are hashed with in one tournament: random, in no log, gone when the tournament closes."""

    stream = models.CharField(max_length=40, primary_key=True)
    salt = models.BinaryField(max_length=32)


class PodDraft(models.Model):
    """A draft that was opened for a pod, and whether the tournament knows its end."""

    draft = models.CharField(max_length=40, primary_key=True)
    tournament = models.CharField(max_length=40)
    stage = models.PositiveSmallIntegerField()
    pod = models.PositiveIntegerField()
    reported = models.BooleanField(default=False)

    class Meta:
        indexes = [models.Index(fields=["tournament", "reported"], name="tournaments_drafts")]
