"""A game as a viewer may know it: everything a client needs after a reconnect, in one document."""

from __future__ import annotations

from typing import Any

import msgspec

from events.decider import Viewer
from games import clocks
from games.kernel import views
from games.offers import takeback_target
from games.state import Game, choosers


def view(game: Game, viewer: Viewer) -> dict[str, Any]:
    terms = game.terms_
    waited = choosers(game)
    return {
        "game": game.stream,
        "phase": game.phase,
        "rulebook": terms.rulebook,
        "terms": {
            "options": terms.options,
            "visibility": terms.visibility,
            "seals": terms.seals,
            "time": msgspec.to_builtins(terms.time),
            "on_timeout": terms.on_timeout,
            "join_within_ms": terms.join_within_ms,
            "ready_within_ms": terms.ready_within_ms,
            "sandbox": terms.sandbox,
        },
        "host": game.host,
        "you": viewer if isinstance(viewer, int) else None,
        "seats": [_seat(game, seat, viewer) for seat in range(game.seats)],
        "waits_for": sorted(waited),
        "clocks": _clocks(game),
        "paused": msgspec.to_builtins(game.paused),
        "offers": [msgspec.to_builtins(offer) for offer in game.offers.values()],
        "can_take_back_to": takeback_target(game, viewer) if isinstance(viewer, int) and game.phase == "play" else None,
        "disputes": [msgspec.to_builtins(dispute) for dispute in game.disputes.values()],
        "seals_open": game.seals_open,
        "void": game.void or None,
        "rematch": game.rematch or None,
        "table": views.view(game.table, viewer) if game.table.rulebook else None,
    }


def _seat(game: Game, seat: int, viewer: Viewer) -> dict[str, Any]:
    chair = game.chairs[seat]
    seen: dict[str, Any] = {
        "seat": seat,
        "player": chair.actor or None,
        "bot": chair.bot or None,
        "number": "own" if chair.commit else "house" if chair.taken else None,
        "ready": chair.ready,
        "free": chair.free,
    }
    if chair.deck is not None and viewer in (seat, "table"):
        seen["deck"] = chair.deck
    return seen


def _clocks(game: Game) -> list[dict[str, Any]] | None:
    """`deadline` is a time of the server's clock (ms), None while the clock stands."""
    if not game.clocks:
        return None
    ends = clocks.deadlines(game)
    return [
        {"bank": clock.bank, "spent": clock.spent, "deadline": ends.get(seat)} for seat, clock in enumerate(game.clocks)
    ]
