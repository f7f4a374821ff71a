"""Rows: people's deck lists with every version of them, and what was handed in for events."""

from django.conf import settings
from django.db import models


class Deck(models.Model):
    """A list somebody keeps. `version` is the newest; each is a row of its own and never changes."""

    id = models.CharField(max_length=40, primary_key=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="decks")
    command = models.CharField(max_length=64)  # that made it: making can be repeated
    name = models.CharField(max_length=80)
    format = models.CharField(max_length=40)
    version = models.PositiveIntegerField(default=1)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["owner", "command"], name="decks_once_per_command")]


class DeckVersion(models.Model):
    deck = models.ForeignKey(Deck, models.CASCADE, related_name="versions")
    version = models.PositiveIntegerField()
    name = models.CharField(max_length=80)
    content = models.JSONField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["deck", "version"], name="decks_one_row_per_version")]


class Submission(models.Model):
    """A deck handed in for an event (a tournament, a draft: its id). Public is the hash; the content opens when the
    event's policy says so. It can be replaced until it is locked."""

    id = models.CharField(max_length=40, primary_key=True)
    event = models.CharField(max_length=60)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="submissions")
    format = models.CharField(max_length=40)
    content = models.JSONField()
    salt = models.BinaryField(max_length=32)
    hash = models.CharField(max_length=64)
    at = models.DateTimeField(auto_now=True)
    locked = models.BooleanField(default=False)
    opened = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "person"], name="decks_one_submission_per_event")]
