"""Which format the decks of a draft follow. Pure: tournaments ask it before there is a draft."""

from __future__ import annotations

from typing import Any

from games.kernel import rulebook

SMALL_SEALED = {1: "epic/pack-war", 2: "epic/sealed-2"}
"""EP-17.2, 17.4: one or two packs leave no choice."""
BUILT_LATER = {"draft": {"build": 0}}
"""Options with which a draft ends at the last pick: decks are built, and handed in, elsewhere."""


def format_name(draft: str, options: dict[str, Any], seats: int) -> str | None:
    """The id of a format of decks/formats.py; None, if no game is known that is played with such pools."""
    formats = rulebook(draft).about.get("formats", {})
    if seats in formats:
        return str(formats[seats])
    style = options.get("style", "booster")
    found: str | None = formats.get(options.get("set", "epic"), {}).get(style)
    if found and style == "sealed":
        return SMALL_SEALED.get(options.get("packs", 3), found)
    return found


def packs_of(options: dict[str, Any]) -> int:
    """As the game is told: it plays decks of two packs or more."""
    return max(2, min(6, int(options.get("packs", 3))))


def game_options(format_options: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    """The options of a game that is played with what such a draft gave."""
    if format_options.get("format") != "sealed":
        return format_options
    return format_options | {"packs": packs_of(options)}
