"""The draft decider. A draft is a rulebook played like a game: the same lobby with everybody's numbers, the same
clocks, bots and seals. What differs: the host (or an organiser) pauses it and opens its seals, and for a silent seat
the house picks the best card by rating, or one drawn from the stream's secret."""

from __future__ import annotations

from functools import partial
from typing import Any

from drafting import shown
from events.canonical import keyed
from events.decider import Record, Viewer, register
from events.errors import Rejected
from events.participants import ARBITER
from games import clocks, handing, judging, lobby, playing
from games.decider import GameDecider
from games.kernel import randomness
from games.kernel.decide import default_path
from games.kernel.table import Pick, Table
from games.state import Game
from games.turn import Turn


def answer(turn: Turn, action: Record) -> None:
    """To the moment: when a person's time is over the house picks for that seat, and nobody else."""
    ends = clocks.deadlines(turn.game).get(playing.chooser_seat(turn, action))
    if ends is not None and turn.moment.at > ends and not turn.moment.by.startswith("bot-"):
        turn.running()
        raise Rejected("stale", "The time for this is over; the house answers for you.")
    playing.answer(turn, action)


def timeout(turn: Turn, action: Record) -> None:
    """The clock of a seat has run out: the house picks, and the event says so. Packs never wait longer than that."""
    playing.timeout(turn, action, partial(house_pick, key=turn.key() or b""))


def house_pick(table: Table, decision: str, key: bytes) -> list[Any]:
    """By rating where the draft has ratings, else at random: from the stream's key, so that it can be checked."""
    ask = table.open[decision]
    if ask.default is not None or not isinstance(ask.shape, Pick):
        return default_path(table, decision)
    source = keyed(key, "house-pick", decision)
    return [randomness.shuffled(source, 0, decision, sorted(ask.shape.options))[: ask.shape.lo]]


def halt(turn: Turn, action: Record) -> None:
    """All clocks stand still; nobody can pick."""
    organises(turn)
    turn.running()
    turn.take({"do": "halt"})
    turn.emit({"e": "paused"})


def go_on(turn: Turn, action: Record) -> None:
    organises(turn)
    turn.in_play()
    if not turn.game.paused:
        raise Rejected("illegal", "The draft is not paused.")
    turn.take({"do": "go_on"})
    turn.emit({"e": "resumed"})


def open_seals(turn: Turn, action: Record) -> None:
    """What was drafted is no secret any more: the host or the organiser says when."""
    organises(turn)
    if turn.game.host == ARBITER != turn.moment.by:
        raise Rejected("not_yours", "A tournament opens its drafts itself, when it is over.")
    if not turn.game.ended:
        raise Rejected("illegal", "The draft is not over; its seals stay closed until then.")
    if turn.game.seals_open:
        raise Rejected("exists", "The seals are open already.")
    turn.take({"do": "open"})


def organises(turn: Turn) -> None:
    """The host; or somebody without a seat, whose right to it was checked where people are known."""
    by = turn.moment.by
    if by not in (turn.game.host, ARBITER) and turn.game.seat_of(by) is not None:
        raise Rejected("not_yours", "Only the host or the organiser does that.")


VERBS: dict[str, judging.Verb] = {
    "create": lobby.create, "join": lobby.join, "leave": lobby.leave, "fill": lobby.fill, "ready": lobby.ready,
    "start": lobby.start_by_house, "abort": lobby.abort,
    "answer": answer, "concede": playing.concede, "timeout": timeout,
    "hand_over": handing.hand_over, "take_over": handing.take_over, "reseat": handing.reseat,
    "halt": halt, "go_on": go_on, "open": open_seals,
    "dispute": judging.dispute, "settle": judging.settle, "ruling": judging.ruling,
}  # fmt: skip


class DraftDecider(GameDecider):
    kind, prefix = "draft", "drf"
    verbs = VERBS

    def view(self, state_: Game, viewer: Viewer) -> dict[str, Any]:
        return shown.view(state_, viewer)


register(DraftDecider())
