"""A player who takes what looks best at once, knowing only its own view. The rulebook's `advice` says what does.

Without advice, or where it has nothing to say, it answers like the random bot.
"""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from games.kernel import rulebook
from games.kernel.questions import misfits
from games.kernel.table import Shape

from .random import Form, Preview, fitting


def choose(view: Form, decision: Form, rng: Random, preview: Preview | None = None) -> list[Any]:
    """A path for this open decision of the view; `preview(path)` gives the next part, or None when complete."""
    advise = rulebook(view["rulebook"]).hooks.get("advice")
    path: list[Any] = []
    shape = decision["shape"]
    while True:
        advised = advise(view, decision, path, shape) if advise else None
        path.append(advised if advised is not None and fits(shape, advised) else fitting(shape, rng))
        part = preview(path) if preview is not None else None
        if part is None:
            return path
        shape = part["shape"]


def fits(shape: Form, answer: Any) -> bool:
    """Advice is only advice."""
    return not misfits(msgspec.convert(shape, Shape), answer)
