"""What the house does in tournaments: compute rounds, make games, read their results, open their seals.

Everything is queued after the commit that calls for it, and asked for again by a sweep; every step can be repeated. So
a lost message or a killed worker costs a moment, and two workers at once do it once.
"""

import logging

from celery import shared_task

from events import commands, heads, store
from events.errors import Rejected
from games.models import Game as GameRow
from tournaments import drafts, ends, handed, lists, pairing, play
from tournaments.models import MatchGame, PodDraft, Tournament

log = logging.getLogger("tournaments")

CALLS = frozenset({
    "start", "advance", "pair", "repair", "publish", "finish", "close",
    "drafted", "time_up", "submit_deck", "no_deck", "drop", "penalise", "sideboard", "go_on",
})  # fmt: skip
"""After which the house may have something to do."""
PATIENCE_MS = 3_000
AT_ONCE = 200
SOFT_S, HARD_S = 120, 150
DECIDES = frozenset({"drop", "penalise", "rule", "report", "confirm", "repair", "time"})  # games may be needed no more


def appended(event: store.Stored, head: heads.Head) -> None:
    """After a commit."""
    if head.key.kind == "tournament":
        waits = lists.waits(head.state) if event.do in CALLS else ""
        if waits and (waits, event.do) != ("decks", "submit_deck"):  # there, only the last one changes anything
            enqueue("run_house", event.stream)
        if event.do in DECIDES and head.state.rules_.rulebook:
            enqueue("end_games", event.stream)
    elif head.key.kind == "draft" and head.state.ended and event.do != "open":
        if PodDraft.objects.filter(draft=event.stream, reported=False).exists():
            enqueue("report_draft", event.stream)
    elif head.key.kind == "game" and head.state.ended and event.do != "open":
        if MatchGame.objects.filter(game=event.stream, reported=False).exists():
            enqueue("report_game", event.stream)


def enqueue(task: str, stream: str) -> None:
    try:
        TASKS[task].apply_async([stream], retry=False)
    except Exception as error:  # the sweep asks again
        log.warning("%s of %s not queued: %s", task, stream, error)


@shared_task(soft_time_limit=SOFT_S, time_limit=HARD_S)
def run_house(stream: str) -> str:
    """Whatever this tournament waits for from the house."""
    head = heads.current(stream)
    waits = lists.waits(head.state)
    if waits == "drafts":
        opened, left = drafts.open_all(stream), drafts.hand_over(stream)
        return done(stream, head.seq, f"{opened} drafts opened, {left} seats handed over")
    if waits == "decks":
        handed.note(head.state)
        return done(stream, head.seq, f"{drafts.bring_decks(stream)} decks brought")
    if waits == "pair":
        return pairing.pair_called(stream)
    if waits == "play":
        return f"{play.make_games(stream)} games made"
    if waits == "seals":
        ends.end_games(stream)
        handed.note(head.state)
        return done(stream, head.seq, f"{play.open_seals(stream) + drafts.open_seals(stream)} games and drafts opened")
    return "nothing to do"


def done(stream: str, seq: int, what: str) -> str:
    """The sweep need not ask again, unless the stream has moved on since."""
    Tournament.objects.filter(stream=stream, seq__lte=seq).update(waits="")
    return what


@shared_task
def report_game(game: str) -> str:
    try:
        return play.report(game)
    except Rejected as refusal:
        log.error("game %s cannot report: %s", game, refusal.detail)
        raise


@shared_task
def report_draft(draft: str) -> str:
    return drafts.report(draft)


@shared_task
def end_games(stream: str) -> int:
    """Games that no match waits for any more."""
    return ends.end_games(stream)


@shared_task
def sweep_tournaments() -> int:
    """The guarantee: rounds that were called, games that are missing, games that ended unheard."""
    late = commands.now_ms() - PATIENCE_MS
    waiting = Tournament.objects.exclude(waits="").filter(at_ms__lt=late)
    count = 0
    for row in waiting[:AT_ONCE]:
        if pairing.may_try(row, late + PATIENCE_MS):
            enqueue("run_house", row.stream)
            count += 1
    open_games = MatchGame.objects.filter(reported=False).values_list("game", flat=True)[: 50 * AT_ONCE]
    ended = GameRow.objects.filter(stream__in=list(open_games), phase__in=["over", "void"], at_ms__lt=late)
    for game in ended.values_list("stream", flat=True)[:AT_ONCE]:
        enqueue("report_game", game)
        count += 1
    open_drafts = PodDraft.objects.filter(reported=False).values_list("draft", flat=True)[: 50 * AT_ONCE]
    ended = GameRow.objects.filter(stream__in=list(open_drafts), phase__in=["over", "void"], at_ms__lt=late)
    for draft in ended.values_list("stream", flat=True)[:AT_ONCE]:
        enqueue("report_draft", draft)
        count += 1
    playing = MatchGame.objects.filter(reported=False).values_list("tournament", flat=True).distinct()
    return count + sum(ends.end_games(stream) for stream in playing[:AT_ONCE])


TASKS = {"run_house": run_house, "report_game": report_game, "end_games": end_games, "report_draft": report_draft}
