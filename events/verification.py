"""Everything that can be checked about a stream in our own database: `manage.py verify`.

First as anybody could: the verifier, which shares no code with us, over an export with all seals open. Then what needs
the database and the rules, under three more headings:

    rows    the columns say what the hashed bytes say, and nothing is missing that a snapshot knows of
    fold    folding the effects from the beginning gives the states that the service works with
    decide  deciding every action again gives the same bytes; `fold only` where the code of that version is gone
"""

from collections.abc import Callable, Iterator
from typing import Any

from django.db import connection

from events import export, heads, integrity, store
from events.decider import Decider, decider_for
from events.errors import Rejected
from events.models import SigningKey, Snapshot
from events.verifier import FAILED, NOT_CHECKED, OK, Finding, Report, verify

GAP = """
    SELECT f.pos FROM events_feed f WHERE NOT EXISTS (SELECT 1 FROM events_event e WHERE e.pos = f.event)
    ORDER BY f.pos LIMIT 1
"""


class Bad(Exception):
    """Something does not hold, from this event on."""

    def __init__(self, seq: int, reason: str) -> None:
        super().__init__(f"event {seq}: {reason}")
        self.seq = seq


class Gone(Exception):
    """The code that could check this is not there any more."""


def check(stream: str) -> Report:
    """What holds and what does not about a stream. Never raises for what lies in it."""
    key = store.stream_key(stream)
    if key is None:
        raise Rejected("unknown", f"There is no stream {stream!r}, or its secret is gone.")
    seq = store.head_seq(stream)
    if not seq:
        return Report(f"{stream} has no events", {"rows": Finding(FAILED, "event 1 is missing", 1)})
    replay = Replay(key, seq)
    findings = {
        "rows": finding(lambda: rows(key, seq)),
        "fold": finding(replay.fold),
        "decide": finding(replay.decide),
    }
    head = store.read(stream, after=seq - 1)[0].hash
    ours = [bytes(public).hex() for public in SigningKey.objects.values_list("public", flat=True)]
    report = verify(export.lines(key, seq, head, "table", replay.numbers), keys=ours)
    report.sections.update(findings)
    return report


def finding(test: Callable[[], str]) -> Finding:
    try:
        return Finding(OK, test())
    except Bad as bad:
        return Finding(FAILED, str(bad), bad.seq)
    except Gone as gone:
        return Finding(NOT_CHECKED, str(gone))


def events(stream: str, upto: int) -> Iterator[store.Stored]:
    """The stream as it was when we began; it may grow meanwhile."""
    seq = 0
    while seq < upto and (batch := store.read(stream, seq, upto=upto, limit=export.AT_ONCE)):
        yield from batch
        seq = batch[-1].seq


def rows(key: store.StreamKey, upto: int) -> str:
    """What lies beside the hashed bytes."""
    before, at, seq = key.genesis, 0, 0
    for event in events(key.id, upto):
        if event.seq != seq + 1:
            raise Bad(seq + 1, "is missing")
        try:
            wrong = integrity.wrong_with(event, key, before, at)
        except export.UNREADABLE as error:
            wrong = f"its bytes cannot be read: {error!r}"
        if wrong:
            raise Bad(event.seq, wrong)
        before, at, seq = event.hash, event.at, event.seq
    known = Snapshot.objects.filter(stream=key.id).order_by("-seq").values_list("seq", flat=True).first() or 0
    if known > (last := store.head_seq(key.id)):
        raise Bad(last + 1, f"is missing, though a snapshot knows event {known}")
    return f"{seq} rows say what their bytes say"


def lost_position() -> int | None:
    """The first place in the feed whose event is gone. The last events of a stream can be deleted without a trace in
    what is left of it; in the feed they leave a gap."""
    with connection.cursor() as cursor:
        cursor.execute(GAP)
        row = cursor.fetchone()
        return row[0] if row else None


class Replay:
    """The stream from its beginning, both ways: by its effects alone, and by the rules."""

    def __init__(self, key: store.StreamKey, upto: int) -> None:
        self.key, self.upto = key, upto
        self.numbers: list[bytes] = []

    @property
    def decider(self) -> Decider:
        try:
            return decider_for(self.key.kind)
        except KeyError:
            raise Gone(f"there is no code any more for streams of kind {self.key.kind!r}") from None

    def fold(self) -> str:
        decider, head = self.decider, heads.beginning(self.key)
        found = Snapshot.objects.filter(stream=self.key.id, schema=decider.schema)
        kept = [(bytes(row.hash), bytes(row.state)) for row in found]
        if cached := heads.heads.get(self.key.id):
            kept.append((cached.hash, decider.encode(cached.state)))
        marked = {hash_ for hash_, _state in kept}
        for event in events(self.key.id, self.upto):
            head = self.after(head, event)
            if event.hash in marked and {state for h, state in kept if h == event.hash} != {decider.encode(head.state)}:
                raise Bad(event.seq, "a snapshot or the memory holds another state than its effects lead to")
        self.numbers = decider.numbers(head.state)
        return f"{head.seq} events, {len(kept)} kept states the same"

    def after(self, head: heads.Head, event: store.Stored) -> heads.Head:
        try:
            return heads.fold(head, [event])
        except Exception as error:  # the bytes may be anything, and so may be what they do to a decider
            raise Bad(event.seq, f"its effects cannot be folded: {error!r}") from None

    def decide(self) -> str:
        decider, head = self.decider, heads.beginning(self.key)
        for event in events(self.key.id, self.upto):
            after = self.after(head, event)
            try:
                wrong = self.decided_otherwise(decider, head, event, after)
            except Rejected as refusal:
                wrong = f"the rules refuse its action: {refusal.detail}"
            except Exception as error:
                if type(error) is LookupError:  # how a decider says that the rules of that version are not there
                    raise Gone(f"fold only: {error}") from None
                wrong = f"its action cannot be decided: {error!r}"
            if wrong:
                raise Bad(event.seq, wrong)
            head = after
        return f"{head.seq} actions, decided again to the same bytes"

    def decided_otherwise(
        self, decider: Decider, head: heads.Head, event: store.Stored, after: heads.Head
    ) -> str | None:
        action = {name: value for name, value in event.records("table")[0].items() if name != "only"}
        decided = decider.decide(head.state, action, self.key.seed, event.moment)
        built = store.build(
            self.key, event.moment, cmd=event.cmd, request=event.request, action=decided.action,
            effects=decided.effects, version=event.content["build"],
        )  # fmt: skip
        if (built.envelope, built.sealed) != (event.envelope, event.sealed):
            return "its action, decided again, has other effects"
        if decider.encode(decided.state) != decider.encode(after.state):
            return "its action and its effects lead to different states"
        doubt = getattr(decider, "doubt", None)
        return doubt(action, self.state_at) if doubt else None

    def state_at(self, seq: int) -> Any:
        """For actions that quote an earlier moment: the state after that event, folded from the beginning."""
        return heads.fold(heads.beginning(self.key), store.read(self.key.id, upto=seq)).state
