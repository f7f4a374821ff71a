"""Bots play on: they see their own view and answer like anybody else.

A game that waits for a bot is put into the queue after each commit; a sweep asks again for games that still wait, so a
killed worker or a lost message only costs a moment. The command id of a bot's answer follows from the decision: however
many workers play the same game, each decision is answered once.
"""

import logging
from functools import partial
from random import Random

from celery import shared_task
from django.conf import settings

from events import after, commands, heads, hints, store
from events.canonical import keyed
from events.deadlines import command_id as due_id
from events.decider import Due
from events.errors import Rejected
from games.bots import greedy
from games.bots import random as random_bot
from games.decider import passes_at_once
from games.kernel import part_view, preview, view
from games.lists import KINDS
from games.models import Game as Row
from games.state import Game, bot_actor, choosers

log = logging.getLogger("games")

BOTS = {"random": random_bot.choose, "greedy": greedy.choose}
AT_ONCE = 200  # answers per task: then others have a turn
PATIENCE_MS = 3_000  # a game that waits longer for a bot has been forgotten


def waits_for_bot(game: Game) -> bool:
    return game.phase == "play" and not game.paused and any(game.chairs[seat].bot for seat in choosers(game))


def appended(event: store.Stored, head: heads.Head) -> None:
    """After a commit. A bot's own answers queue nothing: its task goes on by itself."""
    if head.key.kind not in KINDS:
        return
    if passes := passes_at_once(head.state):
        soon.put(event.stream, lambda: give(event.stream, passes))
    if not event.actor.startswith("bot-") and waits_for_bot(head.state):
        enqueue(event.stream)


soon = after.Jobs("after-passes")


def give(stream: str, passes: list[Due]) -> None:
    """Passes that nobody need wait for. What is lost here is a deadline of the same name, hence of the same command."""
    for due in passes:
        try:
            commands.execute(stream, actor=due.actor, action=due.action, command_id=due_id(stream, due.key))
        except Rejected as refusal:
            if refusal.code not in ("stale", "over", "paused"):
                raise


def enqueue(stream: str) -> None:
    """Behind the caller's back where it goes over the network; the sweep asks again if it got lost."""
    if settings.REDIS_URL:
        hints.send(("bots", stream), partial(play_on.apply_async, [stream], retry=False), gather_s=0)
    else:
        play_on.apply_async([stream], retry=False)


@shared_task
def play_on(stream: str) -> int:
    """Answer for the bots of this game until it waits for somebody else. How many answers."""
    for count in range(AT_ONCE):
        game: Game = heads.current(stream).state
        if not waits_for_bot(game):
            return count
        seat, decisions = next((seat, found) for seat, found in choosers(game).items() if game.chairs[seat].bot)
        answer(game, seat, decisions[0])
    enqueue(stream)
    return AT_ONCE


def answer(game: Game, seat: int, decision: str) -> None:
    """What the bot of this seat says to this decision: it follows from its view and the decision's name alone."""
    seen = view(game.table, seat)
    asked = next(one for one in seen["open"] if one["id"] == decision)

    def next_part(path: list) -> dict | None:
        missing = preview(game.table, {"do": "answer", "seat": seat, "decision": decision, "path": path})
        return None if missing is None else part_view(missing)

    rng = Random(keyed(settings.SECRET_KEY.encode(), "bot", game.stream, seat, decision))
    path = BOTS[game.chairs[seat].bot](seen, asked, rng, next_part)
    try:
        commands.execute(
            game.stream, actor=bot_actor(seat), command_id=f"bot-{decision}",
            action={"do": "answer", "seat": seat, "decision": decision, "path": path},
        )  # fmt: skip
    except Rejected as refusal:
        if refusal.code not in ("stale", "over", "paused", "key_reused"):
            raise


@shared_task
def sweep_bots() -> int:
    """The guarantee: games that wait for a bot too long are queued again."""
    forgotten = Row.objects.filter(bots_wait=True, at_ms__lt=commands.now_ms() - PATIENCE_MS).values_list(
        "stream", flat=True
    )
    for stream in (found := list(forgotten[:500])):
        enqueue(stream)
    return len(found)
