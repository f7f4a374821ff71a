"""Clocks: a fold over the times of events. One per chooser, running while at least one question waits for that seat,
however many; stopped by a pause. Nothing ticks: a deadline follows from the state."""

from __future__ import annotations

from msgspec.structs import replace

from games.state import Clock, Game, TimeControl, choosers


def wind(game: Game) -> None:
    """The game begins: every bank is full."""
    if game.terms_.time:
        game.clocks = [Clock(game.terms_.time.bank_ms)] * game.seats


def charge(game: Game, now: int) -> None:
    """Time went by since the last event; those who were waited for pay for it."""
    control = game.terms_.time if game.terms else None
    if control and game.clocks and not game.paused and not game.ended:
        waited = choosers(game)
        for seat, clock in enumerate(game.clocks):
            if seat in waited:
                game.clocks[seat] = after(clock, now - game.at, own_time(game, seat, waited[seat], control))
            elif clock.spent:
                game.clocks[seat] = replace(clock, spent=0)
    game.at = now


def own_time(game: Game, seat: int, decisions: list[str], control: TimeControl) -> int:
    """What the oldest decision that waits for this seat has for itself."""
    times = control.by_kind.get(game.table.open[decisions[0]].kind) if control.by_kind else None
    return times[game.clocks[seat].n % len(times)] if times else control.decision_ms


def after(clock: Clock, elapsed: int, own_ms: int) -> Clock:
    """First the decision's own time, then the bank."""
    own = min(elapsed, max(0, own_ms - clock.spent))
    return Clock(max(0, clock.bank - (elapsed - own)), clock.spent + elapsed, clock.n)


def answered(game: Game, seat: int, *, increment: bool) -> None:
    """The next decision has its own time again; an answer of one's own also earns the increment."""
    control = game.terms_.time
    if control and game.clocks:
        bonus = control.increment_ms if increment else 0
        game.clocks[seat] = Clock(game.clocks[seat].bank + bonus, 0, game.clocks[seat].n + 1)


def deadlines(game: Game) -> dict[int, int]:
    """When each seat that is waited for runs out of time."""
    control = game.terms.time if game.terms else None
    if not control or not game.clocks or game.paused or game.ended:
        return {}
    return {
        seat: game.at + left(game.clocks[seat], own_time(game, seat, decisions, control))
        for seat, decisions in choosers(game).items()
    }


def left(clock: Clock, own_ms: int) -> int:
    return max(0, own_ms - clock.spent) + clock.bank


def pause_ends(game: Game) -> int:
    """When the pause is over by itself; 0: when it is ended."""
    if not game.paused or game.paused.until:
        return game.paused.until if game.paused else 0
    return min((offer.happens_at for offer in game.offers.values() if offer.kind == "resume"), default=0)


def set_clock(game: Game, seat: int, bank: int, spent: int = 0) -> None:
    game.clocks[seat] = replace(game.clocks[seat], bank=max(0, bank), spent=spent)
