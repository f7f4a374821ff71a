from typing import Any


class Refused(Exception):
    """A request about people or tokens that was understood and refused, with a code and what would be right."""

    def __init__(self, code: str, detail: str, errors: list[dict[str, Any]] | None = None) -> None:
        super().__init__(detail)
        self.code, self.detail, self.errors = code, detail, errors or []
