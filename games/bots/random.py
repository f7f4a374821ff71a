"""A player who answers anything that fits, at random, knowing only its own view.

`rng` is the caller's: a bot that the server runs gets one seeded from outside, so that a game can be played again.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

Form = dict[str, Any]
Preview = Callable[[list[Any]], Form | None]


def choose(view: Form, decision: Form, rng: Random, preview: Preview | None = None) -> list[Any]:
    """A path for this open decision of the view; `preview(path)` gives the next part, or None when complete."""
    path = [fitting(decision["shape"], rng)]
    while preview is not None and (part := preview(path)) is not None:
        path.append(fitting(part["shape"], rng))
    return path


def fitting(shape: Form, rng: Random) -> Any:
    """A random answer of this shape."""
    return _FITTING[shape["is"]](shape, rng)


def _pick(shape: Form, rng: Random) -> list[str]:
    lo, hi = shape.get("lo", 1), shape.get("hi", 1)
    chosen = rng.sample(shape["options"], rng.randint(lo, hi))
    return chosen if shape.get("ordered") else sorted(chosen, key=shape["options"].index)


def _number(shape: Form, rng: Random) -> int:
    return rng.randint(shape["lo"], shape["hi"])


def _split(shape: Form, rng: Random) -> dict[str, int]:
    shares = {option: shape.get("floors", {}).get(option, 0) for option in shape["options"]}
    caps = shape.get("caps", {})
    for _ in range(shape["total"] - sum(shares.values())):
        open_to = [option for option in shares if shares[option] < caps.get(option, shape["total"])]
        shares[rng.choice(open_to)] += 1
    return {option: share for option, share in shares.items() if share}


def _assign(shape: Form, rng: Random) -> dict[str, str]:
    """Required things first; where caps make a random start fail, start over."""
    required = shape.get("required", [])
    while True:
        load: dict[str, int] = {}
        placed: dict[str, str] = {}
        things = list(shape["things"])
        rng.shuffle(things)
        for thing in sorted(things, key=lambda one: one not in required):
            caps = shape.get("caps", {})
            bins = [target for target in shape["things"][thing] if load.get(target, 0) < caps.get(target, len(things))]
            if bins and (thing in required or rng.random() < 0.5):
                placed[thing] = rng.choice(bins)
                load[placed[thing]] = load.get(placed[thing], 0) + 1
        if all(thing in placed for thing in required):
            return placed


_FITTING: dict[str, Callable[[Form, Random], Any]] = {
    "pick": _pick, "number": _number, "split": _split, "assign": _assign,
}  # fmt: skip
