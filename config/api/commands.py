"""What every command and every read of a stream has in common: the id that makes a retry safe, the state it acts on."""

import re
from typing import Annotated, Any, NamedTuple

import msgspec
from rest_framework.response import Response

from config.api.loading import Body, Query, exactly
from config.api.paging import Seq
from config.api.problems import Problem

ID_FORM = "[A-Za-z0-9_-]{1,64}"  # a UUID is one
CommandId = Annotated[str, msgspec.Meta(pattern=exactly(ID_FORM), description="A UUID, or up to 64 of A-Z a-z 0-9 _ -")]
ENTITY_TAG = re.compile(r'(?:W/)?"(\d{1,16})"')


class CommandBody(Body, kw_only=True):
    """Base of the bodies of commands."""

    command_id: CommandId | None = None
    expected_seq: Annotated[Seq | None, msgspec.Meta(description="Or as the header `If-Match`.")] = None


class Command(NamedTuple):
    id: str
    expected_seq: int | None  # None: whatever the state is


class MinSeq(Query, kw_only=True):
    """Base of the query strings of reads: never an older state than the caller has seen."""

    min_seq: Seq | None = None


def command(request: Any, body: CommandBody) -> Command:
    """The command's id and precondition, from the headers or the body; both may say it if they agree."""
    said = request._request.META
    key, wanted = said.get("HTTP_IDEMPOTENCY_KEY"), said.get("HTTP_IF_MATCH")
    if key is not None and not re.fullmatch(ID_FORM, key):
        raise header_problem("Idempotency-Key", "wrong_form", "a UUID, or up to 64 of A-Z a-z 0-9 _ -")
    seq = None if wanted is None else seq_of(wanted, "If-Match")
    return Command(
        id=agreed("Idempotency-Key", key, "command_id", body.command_id) or missing_id(),
        expected_seq=agreed("If-Match", seq, "expected_seq", body.expected_seq),
    )


def agreed(header: str, by_header: Any, field: str, by_body: Any) -> Any:
    if by_header is not None and by_body is not None and by_header != by_body:
        raise header_problem(header, "contradicts", f"says {by_header}, but /{field} says {by_body}; say it once")
    return by_body if by_header is None else by_header


def missing_id() -> str:
    raise Problem(
        "command_id_missing",
        "Give the command an id of your own, as `Idempotency-Key` or `command_id`, so that a retry is no second move.",
        [{"pointer": "/command_id", "code": "missing", "detail": "a UUID, or up to 64 of A-Z a-z 0-9 _ -"}],
    )


def seq_of(tag: str, header: str) -> int:
    match = ENTITY_TAG.fullmatch(tag.strip())
    if not match:
        raise header_problem(header, "wrong_form", 'a seq in quotes, as in the ETag: "57"')
    return int(match[1])


def header_problem(header: str, code: str, detail: str) -> Problem:
    return Problem("invalid_header", f"{header}: {detail}.", [{"header": header, "code": code, "detail": detail}])


def state_response(request: Any, data: Any, seq: int) -> Response:
    """A state with its seq as ETag, or 304 if the caller has it. Views differ by viewer: no cache may mix them."""
    headers = {"ETag": f'"{seq}"', "Cache-Control": "private, no-cache", "Vary": "Authorization, Accept"}
    known = [tag.strip().removeprefix("W/") for tag in request.headers.get("If-None-Match", "").split(",")]
    if f'"{seq}"' in known or known == ["*"]:
        return Response(status=304, headers=headers)
    return Response(data, headers=headers)
