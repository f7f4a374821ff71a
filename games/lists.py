"""The read model behind lists of games. It follows the feed; what changes who sits where or whether a game is on is
written right after the commit too, so that nobody misses what they just did themselves."""

from typing import Any

import msgspec
from django.db import transaction
from django.db.models import QuerySet

from events import heads, participants, readmodels
from events.feed import Entry
from events.models import Participant
from events.store import Stored
from games.models import Game, GameSeat
from games.state import Game as State
from games.state import choosers

KINDS = frozenset({"game", "draft"})
QUIET = frozenset({"answer", "use", "timeout", "accept", "decline"})


def write(stream: str, kind: str, seq: int, state: State) -> None:
    """Make the rows show this state, unless they show a later one."""
    waited = choosers(state) if state.phase == "play" and not state.paused else {}
    line: dict[str, Any] = {
        "seq": seq,
        "kind": kind,
        "rulebook": state.terms_.rulebook,
        "phase": state.phase,
        "visibility": state.terms_.visibility,
        "sandbox": state.terms_.sandbox,
        "seats": state.seats,
        "free": sum(not chair.taken for chair in state.chairs),
        "created_ms": state.created,
        "at_ms": state.at,
        "outcome": msgspec.to_builtins(state.table.outcome),
        "disputes": sum(not dispute.settled for dispute in state.disputes.values()),
        "bots_wait": any(state.chairs[seat].bot for seat in waited),
    }
    with transaction.atomic():
        game, made = Game.objects.get_or_create(stream=stream, defaults=line)
        if not made and not Game.objects.filter(pk=game.pk, seq__lt=seq).update(**line):
            return
        write_seats(game, state, waited)


def write_seats(game: Game, state: State, waited: dict[int, list[str]]) -> None:
    known = {row.seat: row for row in GameSeat.objects.filter(game=game)}
    for seat, chair in enumerate(state.chairs):
        row = known.get(seat) or GameSeat(game=game, seat=seat)
        wanted = (chair.actor, chair.bot, seat in waited)
        if row.pk is None or (row.actor, row.bot, row.waits) != wanted:
            if row.pk is None or row.actor != chair.actor:
                row.person_id = participants.person_of(chair.actor) if chair.actor else None
            row.actor, row.bot, row.waits = wanted
            row.save()


def follow(entry: Entry) -> None:
    write(entry.event.stream, entry.head.key.kind, entry.event.seq, entry.head.state)


def appended(event: Stored, head: heads.Head) -> None:
    """After a commit, in the writer's process."""
    if head.key.kind in KINDS and (event.do not in QUIET or head.state.ended):
        write(event.stream, head.key.kind, event.seq, head.state)


MODEL = readmodels.register(
    readmodels.ReadModel("games", apply=follow, clear=Game.objects.all().delete, kinds=KINDS, latest=True)
)


# --- reading ---


def games(person_id: str, which: str, kind: str = "game") -> QuerySet[Game]:
    rows = Game.objects.filter(kind=kind).prefetch_related("places__person")
    mine = rows.filter(places__person=person_id).distinct()
    match which:
        case "waiting":
            return mine.filter(phase="play", places__person=person_id, places__waits=True)
        case "open":
            return rows.filter(phase="lobby", visibility="public", free__gt=0)
        case "finished":
            return mine.filter(phase__in=["over", "void"])
        case "disputed":  # of everybody: for judges
            return rows.filter(disputes__gt=0)
        case "live":
            return rows.filter(phase="play", visibility="public", sandbox=False)
        case _:
            return mine


def still_waiting(row: Game, person_id: str) -> bool:
    """The rows may be a moment behind: ask the head of the log."""
    state = heads.current(row.stream).state
    actor = Participant.objects.filter(stream=row.stream, person_id=person_id).values_list("id", flat=True).first()
    return not state.paused and any(state.may_play(seat, actor) for seat in choosers(state)) if actor else False
