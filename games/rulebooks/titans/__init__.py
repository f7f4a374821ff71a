"""Titans of Eden: a deck-building battle in one to three arenas for 2 to 6 players. The rules are docs/rules/titans.md.

cards.py      the 68 cards as data            formats.py     TI-2.1 to 2.15        setup.py    TI-1, TI-2
board.py      TI-0, TI-4, TI-12, TI-15        spellbooks.py  TI-2.20 to 2.26       checks.py   TI-2.30 to 2.34
reference.py  TI-7.12, the Reference Sheet: every ability and the piece of code that is it
turn.py       TI-3, TI-8, TI-16               commit.py      TI-5, TI-6, Delay, Control, Flash
start_of_age.py  TI-11                        declare.py     TI-4, TI-7            deeds.py    what a batch does
subvert.py    TI-14    nows.py, flash.py  TI-13    startings.py  TI-11, TI-16      endings.py  TI-17
power.py      TI-18                           battle.py      TI-9, TI-10           leaving.py, samples.py, text.py
"""

from . import leaving, samples, setup, spellbooks, text
from .book import book

__all__ = ["book", "leaving", "samples", "setup", "spellbooks", "text"]
