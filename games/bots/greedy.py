"""A player who takes what looks best at once, knowing only its own view. The rulebook's `advice` says what does.

Without advice, or where it has nothing to say, it answers like the random bot.
"""

from __future__ import annotations

from random import Random
from typing import Any

from games.kernel import rulebook

from .random import Form, Preview, fitting


def choose(view: Form, decision: Form, rng: Random, preview: Preview | None = None) -> list[Any]:
    """A path for this open decision of the view; `preview(path)` gives the next part, or None when complete."""
    advise = rulebook(view["rulebook"]).hooks.get("advice")
    path: list[Any] = []
    shape = decision["shape"]
    while True:
        advised = advise(view, decision, path, shape) if advise else None
        path.append(fitting(shape, rng) if advised is None else advised)
        part = preview(path) if preview is not None else None
        if part is None:
            return path
        shape = part["shape"]
