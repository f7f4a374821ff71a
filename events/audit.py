"""Privileged look-ups, recorded apart: a judge's look must neither tell the players nor move their stream."""

import secrets
from typing import Any

import msgspec

from events import commands, participants
from events.decider import Decided, Due, Moment, Record, Viewer, register
from events.errors import Rejected
from events.models import Stream


class AuditDecider:
    """Accepts every look; its state is how many there were."""

    kind, prefix, schema = "audit", "aud", 1

    def initial(self, stream: str, seats: int) -> int:
        return 0

    def clone(self, state: int) -> int:
        return state

    def decide(self, state: int, action: Record, secret: bytes, moment: Moment) -> Decided:
        return Decided(action, [], state + 1)

    def evolve(self, state: int, record: Record, moment: Moment) -> int:
        return state + 1 if "do" in record else state

    def view(self, state: int, viewer: Viewer) -> dict[str, Any]:
        return {"looks": state}

    def encode(self, state: int) -> bytes:
        return msgspec.json.encode(state)

    def decode(self, data: bytes) -> int:
        return int(msgspec.json.decode(data))

    def due(self, state: int) -> list[Due]:
        return []

    def opened(self, state: int) -> bool:
        return False

    def numbers(self, state: int) -> list[bytes]:
        return []


register(AuditDecider())


def audit_stream(subject: str) -> str:
    return f"aud_{subject}"


def has_looked(person_id: int, subject: str) -> bool:
    return participants.find(audit_stream(subject), person_id) is not None


def sits_down(person_id: int, subject: str) -> None:
    """Somebody who could look is about to take part. Said before it is asked whether they have looked, as a look is
    recorded before it is asked whether they take part: of two at once, one sees the other."""
    participants.of(f"sit_{subject}", person_id)


def has_sat_down(person_id: int, subject: str) -> bool:
    return participants.find(f"sit_{subject}", person_id) is not None


def record_look(person_id: int, subject: str, *, seq: int, viewer: Viewer, what: str) -> None:
    """Before the look is given: no record, no look."""
    stream = audit_stream(subject)
    action: Record = {"do": "look", "subject": subject, "seq": seq, "as": viewer, "what": what}
    if not Stream.objects.filter(id=stream).exists():
        try:
            commands.open_stream(
                "audit", 0, stream=stream, actor=participants.ARBITER, action={"do": "begin", "subject": subject},
                command_id=f"begin-{subject}",
            )  # fmt: skip
        except Rejected as refusal:
            if refusal.code != "exists":
                raise
    actor = participants.of(stream, person_id)
    commands.execute(stream, actor=actor, action=action, command_id=secrets.token_hex(16))
