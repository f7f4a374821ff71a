"""What can go wrong: a player's mistake (Rejected), or ours (RulebookError)."""

from __future__ import annotations

from typing import Any


class Rejected(Exception):
    """The action is refused and nothing has changed.

    `code`: stale (the decision is closed or was never open), not_yours, illegal (does not fit), over (the game has
    ended), incomplete (the path lacks its next part). `errors` point into the action: {pointer, code, detail, rule?}.
    """

    def __init__(self, code: str, detail: str, errors: list[dict[str, Any]] | None = None) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.errors = errors or []


class RulebookError(Exception):
    """A rulebook broke the kernel's contract: a bug, never the player's fault."""


class Stuck(RulebookError):
    """The game is not over and waits for nobody: raised at once, with the agenda, instead of freezing the game."""
