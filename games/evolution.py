"""How the state of a game changes: by the action of an event (the time goes on, what it says stands) and by its
effects, one small function each. Deciding and folding both come through here, so they cannot differ."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from events.decider import Moment, Record
from events.participants import ARBITER
from games import clocks
from games.information import informs
from games.kernel import effects as fx
from games.kernel.apply import apply as apply_to
from games.kernel.table import Asked, Effect, Table
from games.state import Chair, Dispute, Game, Offer, Pause, Terms, choosers

JUDGES = frozenset({"settle", "ruling", "rewind", "pause", "resume", "reseat", "open"})
"""What only a judge does, or the house."""


def evolve_action(game: Game, action: Record, moment: Moment) -> None:
    """The action of an event, before its effects."""
    clocks.charge(game, moment.at)
    if action["do"] in JUDGES and moment.by != ARBITER and moment.by not in game.judged:
        game.judged = [*game.judged, moment.by]
    if game.complete_seq and not game.complete_hash:
        game.complete_hash = moment.prev
    if change := _ACTIONS.get(action["do"]):
        change(game, action, moment)


def evolve_effect(game: Game, record: Record, moment: Moment) -> None:
    """An effect of our own, or one of the kernel's."""
    if change := _EFFECTS.get(record["e"]):
        change(game, record, moment)
    else:
        apply(game, fx.from_dict(record), moment)


def apply(game: Game, effect: Effect, moment: Moment) -> None:
    if informs(game.table, effect):
        game.informed = moment.seq
    if type(effect) is Asked:
        game.asked[effect.chooser] = moment.at
    elif type(effect) is fx.Stopped:
        game.asked[effect.seat] = moment.at
    apply_to(game.table, effect)


# --- actions ---


def _create(game: Game, action: Record, moment: Moment) -> None:
    names = set(Terms.__struct_fields__)
    game.terms = msgspec.convert({name: value for name, value in action.items() if name in names}, Terms)
    game.host, game.created, game.brought = moment.by, moment.at, action.get("brought", {})
    game.chairs = [Chair()] * game.seats
    game.answered = [0] * game.seats
    game.asked = [moment.at] * game.seats
    if game.terms.sandbox:
        table = msgspec.convert(action["table"], Table)
        table.draws = 0  # draws are counted per stream
        game.table, game.opened = table, True


def _ready(game: Game, action: Record, moment: Moment) -> None:
    chair = game.chairs[action["seat"]]
    game.chairs[action["seat"]] = replace(chair, ready=True, number=action.get("number_open", ""))


def _answer(game: Game, action: Record, moment: Moment) -> None:
    seat = action["seat"]
    clocks.answered(game, seat, increment=action["decision"] in choosers(game).get(seat, ()))
    game.answered[seat] = moment.seq


def _timeout(game: Game, action: Record, moment: Moment) -> None:
    clocks.answered(game, action["of"], increment=False)


def _dispute(game: Game, action: Record, moment: Moment) -> None:
    game.ids += 1
    dispute = Dispute(f"q{game.ids}", moment.by, action["about"])
    game.disputes[dispute.id] = dispute


def _settle(game: Game, action: Record, moment: Moment) -> None:
    game.disputes[action["dispute"]] = replace(game.disputes[action["dispute"]], settled=action["finding"])


def _open(game: Game, action: Record, moment: Moment) -> None:
    game.opened = True


_ACTIONS: dict[str, Callable[[Game, Record, Moment], None]] = {
    "create": _create, "ready": _ready, "answer": _answer, "timeout": _timeout, "dispute": _dispute,
    "settle": _settle, "open": _open,
}  # fmt: skip


# --- effects ---


def _seated(game: Game, e: Record, moment: Moment) -> None:
    actor = e.get("actor", "")
    game.chairs[e["seat"]] = Chair(
        actor=actor, bot=e.get("bot", ""), commit=e["number_commit"], ready=e.get("ready", False), deck=e.get("deck"),
        owner=actor,
    )  # fmt: skip
    if all(chair.taken for chair in game.chairs):
        game.complete_seq, game.complete_at = moment.seq, moment.at


def _left(game: Game, e: Record, moment: Moment) -> None:
    game.chairs[e["seat"]] = Chair()


def _begun(game: Game, e: Record, moment: Moment) -> None:
    game.numbers, game.pass_key = e["numbers"], e["pass_key"]
    clocks.wind(game)


def _void(game: Game, e: Record, moment: Moment) -> None:
    game.void = e["why"]
    game.offers = {}


def _handed(game: Game, e: Record, moment: Moment) -> None:
    """Somebody else plays the seat, or may."""
    seat, actor = e["seat"], e.get("actor", "")
    chair = game.chairs[seat]
    game.chairs[seat] = replace(
        chair, actor=actor, bot=e.get("bot", ""), owner=actor or chair.owner, free=e.get("free", False),
        ruled=e.get("ruled", False), handed=chair.handed + 1,
    )  # fmt: skip
    game.asked[seat] = moment.at
    if chair.owner:
        game.played = {**game.played, chair.owner: seat}


def _offered(game: Game, e: Record, moment: Moment) -> None:
    offer = msgspec.convert(e["offer"], Offer)
    game.ids += 1
    game.offers[offer.id] = offer


def _accepted(game: Game, e: Record, moment: Moment) -> None:
    offer = game.offers[e["id"]]
    game.offers[offer.id] = replace(offer, waits=[seat for seat in offer.waits if seat != e["seat"]])


def _offer_closed(game: Game, e: Record, moment: Moment) -> None:
    del game.offers[e["id"]]


def _paused(game: Game, e: Record, moment: Moment) -> None:
    game.paused = Pause(moment.at, e.get("until", 0), e.get("judge", False))


def _resumed(game: Game, e: Record, moment: Moment) -> None:
    game.paused = None
    game.asked = [moment.at] * game.seats


def _clock(game: Game, e: Record, moment: Moment) -> None:
    clocks.set_clock(game, e["seat"], e["bank"], e.get("spent", 0))


def _rematch(game: Game, e: Record, moment: Moment) -> None:
    game.rematch = e["game"]


def _nothing(game: Game, e: Record, moment: Moment) -> None:
    """For the record only."""


_EFFECTS: dict[str, Callable[[Game, Any, Moment], None]] = {
    "seated": _seated, "left": _left, "begun": _begun, "void": _void, "handed": _handed, "offered": _offered,
    "accepted": _accepted, "offer_closed": _offer_closed, "paused": _paused, "resumed": _resumed, "clock": _clock,
    "rematch": _rematch, "learned": _nothing,
}  # fmt: skip
OURS = frozenset(_EFFECTS)
"""The effects that are not the kernel's."""
