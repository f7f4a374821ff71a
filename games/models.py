"""What lists of games are served from: rows made from the log, deletable, made again by `readmodels.rebuild`."""

from django.conf import settings
from django.db import models


class Game(models.Model):
    """One line of a list. `number` orders games as they came."""

    number = models.BigAutoField(primary_key=True)
    stream = models.CharField(max_length=40, unique=True)
    seq = models.IntegerField()
    kind = models.CharField(max_length=8, default="game")  # or a draft
    rulebook = models.CharField(max_length=60)
    phase = models.CharField(max_length=8)
    visibility = models.CharField(max_length=10)
    sandbox = models.BooleanField(default=False)
    seats = models.PositiveSmallIntegerField()
    free = models.PositiveSmallIntegerField()
    created_ms = models.BigIntegerField()
    at_ms = models.BigIntegerField()
    outcome = models.JSONField(null=True)
    bots_wait = models.BooleanField(default=False)  # the table waits for a bot
    disputes = models.PositiveSmallIntegerField(default=0)  # that wait for a judge

    class Meta:
        indexes = [
            models.Index(fields=["kind", "phase", "visibility", "number"], name="games_by_kind_and_phase"),
            models.Index(fields=["at_ms"], condition=models.Q(bots_wait=True), name="games_waiting_for_bots"),
            models.Index(fields=["number"], condition=models.Q(disputes__gt=0), name="games_in_dispute"),
        ]


class GameSeat(models.Model):
    """Who sits where, and whether the table waits for them."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="places")
    seat = models.PositiveSmallIntegerField()
    actor = models.CharField(max_length=40, blank=True)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="game_seats")
    bot = models.CharField(max_length=20, blank=True)
    waits = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "seat"], name="games_one_line_per_seat")]
        indexes = [models.Index(fields=["person", "game"], name="games_of_person")]
