"""Priority and the line (EP-7). The line grows to the right; its last item is the top."""

from __future__ import annotations

from games.kernel.play import T
from games.kernel.questions import Ask, pick

from .board import LINE, active, is_orphaned, step_name
from .book import book
from .flush import flush
from .happen import happen
from .plays import card_run, compose, could_act, plays
from .resolve import resolve_top
from .triggers import QUEUE


@book.step
def window(t: T, holder: int, passed: list[int]) -> None:
    """EP-7.12."""
    go_round(t, holder, passed)


def go_round(t: T, holder: int, passed: list[int]) -> None:
    """EP-7.5. Who is in the game is read anew each time; nothing is counted."""
    if not all(seat in passed for seat in t.seats):
        if is_orphaned(t) and not t.size(LINE) and QUEUE not in t.s.vars:
            return
        t.ask(priority, t.seats_from(holder)[0], passed)
    elif t.size(LINE):
        t.seq(resolve_top(), flush(), regain())


@book.step
def regain(t: T) -> None:
    """EP-7.6: after a resolution the active player has priority and the passes start anew."""
    go_round(t, active(t), [])


@book.question()
def priority(t: T, holder: int, passed: list[int]) -> Ask:
    """D03, EP-7.3. Asked even if nothing but a pass is possible: only what everybody can see makes it bare.

    It is about the step, or the line where something is on it: a seat can stop at "priority:battle", "priority:line".
    """
    return Ask(
        holder, pick(["pass", *plays(t, holder)]), public=False, sealed=True, default=["pass"], passes=True,
        bare=not could_act(t, holder), about="line" if t.size(LINE) else step_name(t), rule="EP-7.3",
    )  # fmt: skip


@priority.answered
def acted(t: T, holder: int, passed: list[int], answer: list[str]) -> None:
    """EP-7.3, 7.4, 7.10: over an empty line a pass counts only from the active player's pass onwards."""
    what, _, rest = answer[0].partition(":")
    if what == "pass":
        t.say("passes", seat=holder)
        counts = t.size(LINE) > 0 or holder == active(t) or active(t) in passed
        go_round(t, holder + 1, [*passed, holder] if counts else passed)
        return
    card, _, ability = rest.partition(":")
    t.seq(flush(), window(holder, []))
    if what == "unveil":
        t.push(happen, [{"p": "unveil", "card": card}], [])
    elif what == "use":
        t.push(compose, {"by": holder, "src": card, "key": t.card(card).key, "ab": int(ability)})
    else:
        t.push(compose, card_run(holder, t.card(card)))
