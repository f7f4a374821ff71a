"""What can be wrong with a command. Every refusal says what would be right, and leaves no trace."""

from typing import Any


class Rejected(Exception):
    """A command that was understood and refused. `code` is one of CODES; `seq` is where the stream stands."""

    def __init__(
        self, code: str, detail: str, errors: list[dict[str, Any]] | None = None, seq: int | None = None, **extra: Any
    ) -> None:
        super().__init__(detail)
        self.code, self.detail, self.errors, self.seq, self.extra = code, detail, errors or [], seq, extra

    def at(self, seq: int) -> "Rejected":
        self.seq = seq
        return self


# code: (HTTP status, title)
CODES: dict[str, tuple[int, str]] = {
    "stale": (409, "The stream has moved on"),
    "not_yours": (403, "That is not yours to do"),
    "illegal": (422, "The rules do not allow that"),
    "incomplete": (422, "The answer is not complete"),
    "over": (409, "It is over"),
    "key_reused": (422, "That command id was used for another request"),
    "unknown": (404, "There is no such thing"),
    "exists": (409, "It exists already"),
    "precondition_required": (428, "Say which state you act on"),
    "not_there_yet": (409, "The stream is not there yet"),
    "busy": (503, "Too many writers at once"),
    "unavailable": (503, "The database does not answer"),
}
