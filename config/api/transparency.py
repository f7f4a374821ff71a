"""What anybody may check us by, without a token: signed checkpoints of the feed, proofs between them, the keys.

Keep a checkpoint where we cannot reach it; a later consistency proof then shows whether anything before it changed.
"""

from typing import Annotated, Any, Literal

import msgspec
from django.db import connection
from django.http import Http404
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.response import Response

from config.api import health
from config.api.loading import Query
from config.api.paging import Limit, Seq, page, page_of
from config.api.problems import Problem
from config.api.schema import parameters
from config.api.views import ApiView
from events import checkpoints, feed
from events.commands import now_ms
from events.models import Checkpoint, SigningKey

FOR_EVER = {"Cache-Control": "public, max-age=31536000, immutable"}
BRIEFLY = {"Cache-Control": "public, max-age=1"}
LARGEST = 2**53 - 1

Hex = Annotated[str, Meta(pattern="^[0-9a-f]+$")]
Millis = Annotated[int, Meta(description="Milliseconds since 1970, UTC.")]


class CheckpointBody(msgspec.Struct):
    """What is signed: `arbiter/checkpoint/v1`, NUL, then the canonical JSON of this (docs/format.md)."""

    at: Millis
    key: Hex
    origin: str
    root: Hex
    size: int
    v: int


class CheckpointOut(msgspec.Struct):
    """A line that `verifier.py --checkpoint` reads."""

    t: Literal["checkpoint"]
    checkpoint: CheckpointBody
    signature: Hex
    public_key: Hex

    @classmethod
    def of(cls, row: Checkpoint) -> "CheckpointOut":
        return msgspec.convert(checkpoints.shown(row), cls)


class ConsistencyOut(msgspec.Struct, rename={"old": "from", "new": "to"}):
    """RFC 6962: the feed of `to` events begins with the feed of `from`."""

    t: Literal["consistency"]
    old: int
    new: int
    proof: list[Hex]


class KeyOut(msgspec.Struct, rename={"since": "from"}):
    id: Annotated[Hex, Meta(description="The first 16 hex digits of SHA-256 of the public key.")]
    public_key: Annotated[Hex, Meta(description="Ed25519, 32 bytes.")]
    since: Millis
    until: Annotated[Millis | None, Meta(description="null: it signs now.")]


class KeysOut(msgspec.Struct):
    data: list[KeyOut]


class CheckpointQuery(Query):
    limit: Limit = 20
    after: Annotated[Seq | None, Meta(description="The page continues with smaller sizes.")] = None


class ConsistencyQuery(Query, rename={"other": "with"}):
    other: Annotated[Seq | None, Meta(description="The size of the other checkpoint; the newest if left out.")] = None


class CheckpointsView(ApiView):
    public = True

    @extend_schema(
        parameters=parameters(CheckpointQuery), responses=page_of(CheckpointOut), operation_id="list_checkpoints"
    )
    def get(self, request: Any) -> Response:
        """All checkpoints, the newest (and largest) first."""
        query = CheckpointQuery.load(request)
        found = page(request, Checkpoint.objects.all(), query, CheckpointOut.of, "size", newest_first=True)
        return Response(found, headers=BRIEFLY)


class LatestCheckpointView(ApiView):
    public = True

    @extend_schema(responses=CheckpointOut, operation_id="latest_checkpoint")
    def get(self, request: Any) -> Response:
        """The newest one. A few seconds after an event it covers the event."""
        row = checkpoints.latest()
        if row is None:
            raise Http404
        return Response(CheckpointOut.of(row), headers=BRIEFLY)


class CheckpointView(ApiView):
    public = True

    @extend_schema(responses=CheckpointOut, operation_id="get_checkpoint")
    def get(self, request: Any, size: int) -> Response:
        """The checkpoint over exactly so many events."""
        return Response(CheckpointOut.of(checkpoint(size)), headers=FOR_EVER)


class ConsistencyView(ApiView):
    public = True

    @extend_schema(parameters=parameters(ConsistencyQuery), responses=ConsistencyOut, operation_id="prove_consistency")
    def get(self, request: Any, size: int) -> Response:
        """The proof that of two checkpoints the larger continues the smaller, in whatever order they are named."""
        query = ConsistencyQuery.load(request)
        one = checkpoint(size)
        other = checkpoints.latest() if query.other is None else Checkpoint.objects.filter(size=query.other).first()
        if other is None:
            detail = "the size of a checkpoint: GET /api/v1/checkpoints"
            fault = {"parameter": "with", "code": "unknown_value", "detail": detail}
            raise Problem("invalid_query", f"There is no checkpoint of size {query.other}.", [fault])
        old, new = sorted((one.size, other.size))
        proof = [step.hex() for step in checkpoints.consistency(old, new)]
        return Response(ConsistencyOut("consistency", old, new, proof), headers=BRIEFLY)


class KeysView(ApiView):
    public = True

    @extend_schema(responses=KeysOut, operation_id="list_keys")
    def get(self, request: Any) -> Response:
        """Every key that ever signed a checkpoint, and when it was valid."""
        rows = SigningKey.objects.order_by("from_ms")
        data = [KeyOut(row.id, bytes(row.public).hex(), row.from_ms, row.until_ms) for row in rows]
        return Response(KeysOut(data), headers=BRIEFLY)


def checkpoint(size: int) -> Checkpoint:
    row = Checkpoint.objects.filter(size=size).first() if size <= LARGEST else None
    if row is None:
        raise Http404
    return row


FEED_MAY_LAG_S = 30


def feed_is_followed() -> str:
    """For /readyz: what is accepted here must also come out at the other end."""
    try:
        waiting, oldest = feed.waiting()
    finally:
        connection.close()
    lag = (now_ms() - oldest) / 1000 if waiting else 0
    if lag > FEED_MAY_LAG_S:
        raise health.NotReady(f"{waiting} events wait for the sequencer, the oldest for {lag:.0f} s")
    return f"{waiting} events waiting"


health.register("feed", feed_is_followed)
