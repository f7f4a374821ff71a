"""The read model behind lists of games. It follows the feed; what changes who sits where or whether a game is on is
written right after the commit too, so that nobody misses what they just did themselves."""

from typing import Any, NamedTuple

import msgspec
from django.db import connection, transaction
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


class Shown(NamedTuple):
    """A game at the moment its rows are to show."""

    stream: str
    kind: str
    seq: int
    state: State

    @property
    def waited(self) -> dict[int, list[str]]:
        """Whom the table waits for."""
        return choosers(self.state) if self.state.phase == "play" and not self.state.paused else {}


def line(shown: Shown) -> dict[str, Any]:
    state = shown.state
    return {
        "stream": shown.stream,
        "seq": shown.seq,
        "kind": shown.kind,
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
        "bots_wait": any(state.chairs[seat].bot for seat in shown.waited),
    }


def write(stream: str, kind: str, seq: int, state: State) -> None:
    """Make the rows show this state, unless they show a later one."""
    write_all([Shown(stream, kind, seq, state)])


def write_all(games: list[Shown]) -> None:
    """The same for many games, in as many statements as for one."""
    with transaction.atomic():
        lines = [line(shown) for shown in games]
        fields = [Game._meta.get_field(name) for name in lines[0]]
        values = [field.get_db_prep_save(one[field.name], connection) for one in lines for field in fields]
        with connection.cursor() as cursor:
            cursor.execute(upsert([field.column for field in fields], len(lines)), values)
            numbers = {stream: number for number, stream in cursor.fetchall()}
        write_seats({numbers[shown.stream]: shown for shown in games if shown.stream in numbers})


def upsert(columns: list[str], rows: int) -> str:
    """Rows that show a later state stay as they are, and are not told of."""
    row = f"({', '.join(['%s'] * len(columns))})"
    changes = ", ".join(f"{name} = excluded.{name}" for name in columns if name != "stream")
    return (
        f"INSERT INTO games_game ({', '.join(columns)}) VALUES {', '.join([row] * rows)} "
        f"ON CONFLICT (stream) DO UPDATE SET {changes} WHERE games_game.seq < excluded.seq RETURNING number, stream"
    )


def write_seats(games: dict[int, Shown]) -> None:
    known = {(row.game_id, row.seat): row for row in GameSeat.objects.filter(game__in=games)}
    changed = []
    for number, shown in games.items():
        waited = shown.waited
        for seat, chair in enumerate(shown.state.chairs):
            row = known.get((number, seat))
            if row is None or (row.actor, row.bot, row.waits) != (chair.actor, chair.bot, seat in waited):
                person = row.person_id if row and row.actor == chair.actor else None
                changed.append(
                    GameSeat(
                        game_id=number, seat=seat, actor=chair.actor, bot=chair.bot, waits=seat in waited,
                        person_id=person,
                    )
                )  # fmt: skip
    people = participants.people_of({row.actor for row in changed if row.actor and row.person_id is None})
    for row in changed:
        row.person_id = row.person_id or people.get(row.actor)
    if changed:
        told = ["actor", "bot", "waits", "person"]
        GameSeat.objects.bulk_create(changed, update_conflicts=True, unique_fields=["game", "seat"], update_fields=told)


def follow(entry: Entry) -> None:
    follow_all([entry])


def follow_all(entries: list[Entry]) -> None:
    write_all([Shown(entry.event.stream, entry.head.key.kind, entry.event.seq, entry.head.state) for entry in entries])


def appended(event: Stored, head: heads.Head) -> None:
    """After a commit, in the writer's process."""
    if head.key.kind in KINDS and (event.do not in QUIET or head.state.ended):
        write(event.stream, head.key.kind, event.seq, head.state)


MODEL = readmodels.register(
    readmodels.ReadModel(
        "games", apply=follow, apply_all=follow_all, clear=Game.objects.all().delete, kinds=KINDS, latest=True
    )
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
