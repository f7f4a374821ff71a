"""Every error is a problem document (RFC 9457). One table says which there are; `/problems/<code>` explains each."""

from typing import Any

import msgspec

from events.errors import CODES

CONTENT_TYPE = "application/problem+json"


class Kind(msgspec.Struct, frozen=True):
    status: int
    title: str
    advice: str = ""  # what a client author should do about it


KINDS: dict[str, Kind] = {
    "malformed_json": Kind(
        400, "The body is not JSON", "Send one JSON object in UTF-8. `detail` says where it breaks."
    ),
    "invalid_query": Kind(400, "The query string does not fit", "`errors[].parameter` names each wrong parameter."),
    "invalid_header": Kind(400, "A header does not fit", "`errors[].header` names it."),
    "command_id_missing": Kind(400, "The command has no id", "Make one per intention; send the same again on a retry."),
    "bad_request": Kind(400, "The request cannot be understood"),
    "unauthenticated": Kind(
        401, "Who are you?", "Send `Authorization: Bearer arb_…` with a token that is neither expired nor revoked."
    ),
    "wrong_credentials": Kind(401, "Name and password do not match"),
    "forbidden": Kind(403, "That is not allowed"),
    "missing_scope": Kind(403, "The token lacks a scope", "Mint a token that has the scopes in `required_scopes`."),
    "not_found": Kind(
        404, "There is nothing here", "Check path and ids; what you may not know of is not found either."
    ),
    "method_not_allowed": Kind(405, "This method does not exist here", "The `Allow` header lists those that do."),
    "not_acceptable": Kind(406, "No such representation", "Accept `application/json`."),
    "length_required": Kind(411, "Say how long the body is", "Send `Content-Length`, not chunks."),
    "precondition_failed": Kind(
        412, "The stream has moved on", "`If-Match` named another seq than `seq`: read again, then decide again."
    ),
    "too_large": Kind(413, "The body is too large", "`limit` is the largest size in bytes."),
    "unsupported_media_type": Kind(415, "Only JSON is understood", "Send `Content-Type: application/json`."),
    "invalid_body": Kind(
        422, "The body does not fit", "`errors[]` names every place (JSON pointer) and what fits there."
    ),
    "too_many_requests": Kind(
        429, "Slower, please", "Wait `Retry-After` seconds. Reads and commands have own budgets."
    ),
    "internal": Kind(500, "Something broke here", "It is logged. Retrying with the same command id is safe."),
}


def register(code: str, status: int, title: str, advice: str = "") -> None:
    """Add a kind of problem. Done at import, once per code."""
    if KINDS.get(code, kind := Kind(status, title, advice)) != kind:
        raise ValueError(f"the problem {code!r} is taken: {KINDS[code]}")
    KINDS[code] = kind


# The store names its own refusals; what to do about them is said here.
ADVICE = {
    "stale": "`seq` is where the stream stands: read on from what you have seen, then decide again.",
    "not_yours": "Another seat is asked, or you are no part of this.",
    "illegal": "`errors[]` names the place in your action and, with `rule`, the rule. Nothing happened.",
    "incomplete": "The answer is right so far; the document says which part is to be chosen next.",
    "over": "It has ended; its history can be read.",
    "key_reused": "One id, one intention: a new command needs a new id, a retry the same body as the first.",
    "exists": "It was made already; a retry with its command id gets the first answer.",
    "precondition_required": "Send `expected_seq` or `If-Match`: this action names no decision it answers.",
    "not_there_yet": "`min_seq` lies ahead of `seq`. Ask again in a moment.",
    "busy": "Retry with the same command id.",
    "unavailable": "Retry with the same command id; nothing is done twice.",
}
for _code, (_status, _title) in CODES.items():
    register(_code, _status, _title, ADVICE.get(_code, ""))


class Problem(Exception):
    """Raise it anywhere under /api/ and the client gets the document."""

    def __init__(
        self,
        code: str,
        detail: str = "",
        errors: list[dict[str, Any]] | None = None,
        headers: dict[str, str] | None = None,
        **extra: Any,
    ) -> None:
        super().__init__(detail)
        self.code, self.kind = code, KINDS[code]
        self.detail, self.errors = detail or f"{self.kind.title}.", errors or []
        self.headers, self.extra = headers or {}, extra

    def document(self, instance: str, request_id: str) -> dict[str, Any]:
        return {
            "type": f"/problems/{self.code}",
            "title": self.kind.title,
            "status": self.kind.status,
            "code": self.code,
            "detail": self.detail,
            "errors": self.errors,
            "instance": instance,
            "request_id": request_id,
            **self.extra,
        }


class Fault(msgspec.Struct, omit_defaults=True, kw_only=True):
    """One thing that is wrong, and where: in the body (a JSON pointer), the query string or a header."""

    code: str
    detail: str
    pointer: str | None = None
    parameter: str | None = None
    header: str | None = None
    rule: str | None = None


class ProblemOut(msgspec.Struct, rename={"kind": "type"}):
    """The document as the schema shows it. Further members depend on `code`."""

    kind: str
    title: str
    status: int
    code: str
    detail: str
    errors: list[Fault]
    instance: str
    request_id: str
    seq: int | None = None
