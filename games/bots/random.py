"""A player who answers anything that fits, at random, knowing only its own view.

`rng` is the caller's: a bot that the server runs gets one seeded from outside, so that a game can be played again.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec

from games.kernel.playout import random_answer
from games.kernel.table import Shape

Form = dict[str, Any]
Preview = Callable[[list[Any]], Form | None]


def choose(view: Form, decision: Form, rng: Random, preview: Preview | None = None) -> list[Any]:
    """A path for this open decision of the view; `preview(path)` gives the next part, or None when complete.

    A pass is usually given where one is offered (kernel/playout.py says why)."""
    passing = decision.get("passes") and "default" in decision and rng.random() * 2 * len(view["seats"]) >= 1
    path = [decision["default"] if passing else fitting(decision["shape"], rng)]
    while preview is not None and (part := preview(path)) is not None:
        path.append(fitting(part["shape"], rng))
    return path


def fitting(shape: Form, rng: Random) -> Any:
    """A random answer of this shape."""
    return random_answer(msgspec.convert(shape, Shape), rng)
