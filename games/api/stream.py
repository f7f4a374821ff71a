"""A game's events as they come: server-sent events, as long as the listener stays. The same events, redacted by the
same function, as `events` lists; each carries its seq as id, so a broken connection goes on where it was.

What many listeners need is read once: a scene is one game at one moment, shared by all streams of this process.
"""

import asyncio
import contextlib
import logging
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Annotated, Any

import msgspec
from asgiref.sync import SyncToAsync
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.db import DatabaseError, InterfaceError, connection
from django.http import StreamingHttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from msgspec import Meta
from prometheus_client import Gauge
from rest_framework.exceptions import AuthenticationFailed

from config.api.auth import bearer, require
from config.api.commands import header_problem
from config.api.loading import Query
from config.api.paging import Seq
from config.api.problems import Problem
from config.api.schema import parameters
from config.api.views import Json
from events import heads, store
from events.decider import Viewer
from events.errors import Rejected
from events.models import Participant
from games import history
from games.access import Look, may_watch, viewer_of
from games.api.history import As, HistoryView
from games.waiting import LONGEST_S, for_more, watch

log = logging.getLogger("games")

KEEP_ALIVE_S = 15.0  # proxies cut what is silent for a minute
RECHECK_S = 5.0  # so long may a revoked token go on listening
AGAIN_S = 1.0  # after the database did not answer
AT_ONCE = 100  # events in one piece
READERS = 4  # threads that read for all streams
FRESH_S = 2.0  # words and names can be erased: what was read is shared no longer than this

OPEN = Gauge("arbiter_streams_open", "Streams that are listened to.", multiprocess_mode="livesum")

Lines = list[tuple[int, bytes]]


class EventStream(Json):
    """For clients that say `Accept: text/event-stream`; what goes wrong before it begins is a problem document."""

    media_type = "text/event-stream"
    format = "event-stream"


class StreamQuery(Query):
    since: Annotated[Seq, Meta(description="The last event you have; the header `Last-Event-ID` goes before it.")] = 0
    text: Annotated[bool, Meta(description="With what happened in sentences.")] = False
    proof: Annotated[bool, Meta(description="With what proves each event.")] = False
    viewer: As = msgspec.field(default=None, name="as")


LAST = OpenApiParameter("Last-Event-ID", int, OpenApiParameter.HEADER, description="The last event you have.")
PARAMETERS = [*parameters(StreamQuery), LAST]


# --- what is read ---


@dataclass
class Scene:
    """A game at one moment, for everybody here who listens to it."""

    head: heads.Head
    people: dict[str | None, str]  # the participants by person
    until: float
    lines: dict[tuple[int, Viewer, bool, bool], Lines] = field(default_factory=dict)


_scenes: OrderedDict[str, Scene] = OrderedDict()  # the oldest first
_guard = threading.Lock()


def scene(stream: str, seq: int) -> Scene:
    """The game as it stands, at `seq` or later."""
    known = _scenes.get(stream)
    if known and known.head.seq >= seq and known.until > time.monotonic():
        return known
    hot = heads.heads.get(stream)
    head = hot if hot and hot.seq >= seq else heads.current(stream)
    people = dict(Participant.objects.filter(stream=stream).values_list("person_id", "id"))
    made = Scene(head, people, time.monotonic() + FRESH_S)
    with _guard:
        _scenes[stream] = made
        _scenes.move_to_end(stream)
        while next(iter(_scenes.values())).until < time.monotonic():
            _scenes.popitem(last=False)
    return made


class Gone(Exception):
    """There is nothing more for this listener."""


@dataclass
class Reader:
    """One listener: who it is, and what it has asked for."""

    stream: str
    person: str
    header: str  # with the token
    scopes: list[str]
    viewer: Viewer
    as_other: bool  # a judge looks through these eyes, else everybody through their own
    text: bool
    proof: bool
    told: int = 0  # the stream has come to this seq at least
    checked: float = field(default_factory=time.monotonic)

    def after(self, seq: int) -> Lines:
        """The next events, as they go out. In a thread of the readers' own."""
        try:
            self.check()
            return self.lines(seq)
        except (AuthenticationFailed, Problem, Rejected) as no_more:
            raise Gone from no_more
        except (DatabaseError, InterfaceError):
            connection.close()
            raise
        finally:
            if settings.POOLED:
                connection.close()

    def check(self) -> None:
        if time.monotonic() - self.checked >= RECHECK_S:
            require(bearer(self.header), self.scopes)
            self.checked = time.monotonic()

    def lines(self, seq: int) -> Lines:
        if self.told <= seq:
            return []
        now = scene(self.stream, self.told)
        viewer, actor = self.viewer, now.people.get(self.person)
        if not self.as_other:
            if not may_watch(now.head.state, actor):
                raise Gone
            viewer = viewer_of(now.head.state, actor)
        wanted = (seq, viewer, self.text, self.proof)
        if wanted not in now.lines:
            look = Look(now.head, actor, viewer)
            found = history.events(look, seq, AT_ONCE, text=self.text, proof=self.proof)
            now.lines[wanted] = [(event["seq"], line(event)) for event in found]
        return now.lines[wanted]


def line(event: dict[str, Any]) -> bytes:
    return b"id: %d\ndata: %b\n\n" % (event["seq"], msgspec.json.encode(event))


# --- how many ---

_listeners: Counter[str] = Counter()


def full(person: str) -> bool:
    return _listeners[person] >= settings.STREAMS_EACH or _listeners.total() >= settings.STREAMS


@contextlib.contextmanager
def place(person: str) -> Iterator[bool]:
    with _guard:
        if taken := not full(person):
            _listeners[person] += 1
            OPEN.inc()
    try:
        yield taken
    finally:
        if taken:
            with _guard:
                _listeners[person] -= 1
                if not _listeners[person]:
                    del _listeners[person]
            OPEN.dec()


# --- how it goes out ---

readers = ThreadPoolExecutor(READERS, thread_name_prefix="streams")


async def live(reader: Reader, seq: int) -> AsyncIterator[bytes]:
    """Everything after `seq`, for as long as the listener stays, may listen, and the process lives."""
    loop, news = asyncio.get_running_loop(), asyncio.Event()
    let_the_thread_go()

    def ring(come_to: int) -> None:
        reader.told = max(reader.told, come_to)
        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(news.set)

    with place(reader.person) as taken, watch.listening(reader.stream, ring):
        yield b"retry: %d\n\n" % (1000 if taken else 30_000)
        while taken and not watch.closing:
            news.clear()
            patience = KEEP_ALIVE_S
            try:
                lines = await loop.run_in_executor(readers, reader.after, seq)
            except Gone:
                return
            except (DatabaseError, InterfaceError) as error:
                log.warning("stream of %s: %s; trying again", reader.stream, error)
                lines, patience = [], AGAIN_S
            if lines:
                yield b"".join(line for _, line in lines)
                seq = lines[-1][0]
                if len(lines) == AT_ONCE:
                    continue
            try:
                await asyncio.wait_for(news.wait(), patience)
            except TimeoutError:
                yield b": still here\n\n"


def let_the_thread_go() -> None:
    """Django keeps the thread that a request began in until the request ends: a thread for every listener, who needs
    none (150 kB each). Whatever of this request still wants one gets a new one."""
    context = SyncToAsync.thread_sensitive_context.get(None)
    executor = SyncToAsync.context_to_thread_executor.pop(context, None) if context else None
    if executor:
        executor.shutdown(wait=False)


def once(reader: Reader, seq: int) -> Iterator[bytes]:
    """Where each listener costs a thread (WSGI): what there is, at the latest after a long poll; then ask again."""
    yield b"retry: 500\n\n"
    if reader.told <= seq:
        for_more(reader.stream, seq, LONGEST_S)
    reader.told = store.head_seq(reader.stream)
    with contextlib.suppress(Gone):
        for _, piece in reader.after(seq):
            yield piece


class StreamView(HistoryView):
    renderer_classes = [Json, EventStream]
    http_method_names = ["get"]

    @extend_schema(
        parameters=PARAMETERS, responses={(200, "text/event-stream"): str, 409: None}, operation_id="stream_events"
    )
    def get(self, request: Any, game: str) -> StreamingHttpResponse:
        """Events as they come (server-sent events): `id` is the seq, `data` the event as in the list."""
        query = StreamQuery.load(request)
        since = last_event(request, query.since)
        seen = self.looking(game, query.viewer, "stream")
        if since > seen.head.seq:
            raise Rejected("not_there_yet", f"There is no event {since} yet.", seq=seen.head.seq)
        if full(request.user.pk):
            most = f"{settings.STREAMS_EACH} streams of yours, or {settings.STREAMS} of all,"
            raise Problem(
                "too_many_requests", f"More than {most} are not kept open here. End one, or try again later.",
                headers={"Retry-After": "30"}, budget="streams",
            )  # fmt: skip
        as_other = query.viewer is not None
        scopes = ["games:read", "audit:read"] if as_other and self.is_judge() else ["games:read"]
        reader = Reader(
            game, request.user.pk, request.headers["Authorization"], scopes, seen.viewer, as_other, query.text,
            query.proof, told=seen.head.seq,
        )  # fmt: skip
        waits = isinstance(request._request, ASGIRequest)
        if waits:
            connection.close()  # this request stays for long and needs no connection of its own any more
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        lines = live(reader, since) if waits else once(reader, since)
        return StreamingHttpResponse(lines, content_type="text/event-stream; charset=utf-8", headers=headers)


def last_event(request: Any, since: int) -> int:
    """EventSource comes back to the same address with the header: it is the newer of the two."""
    given = request.headers.get("Last-Event-ID", "").strip()
    if not given:
        return since
    if not (given.isascii() and given.isdecimal() and len(given) <= 15):
        raise header_problem("Last-Event-ID", "wrong_form", "the id of an event: a seq")
    return int(given)
