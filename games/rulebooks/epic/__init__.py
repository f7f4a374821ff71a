"""Epic: champions battle, events strike, all of it waits on the line. 2 to 6 players. Rules: docs/rules/epic.md.

cards.py     the 120 cards as data (EP-3.1)      text.py      their sentences (5.7)
board.py     zones, whose turn (EP-0, 3)         values.py    continuous abilities (EP-11)
filters.py   filters and targets (EP-12)         costs.py     actions and costs (EP-4)
parts.py     the parts of a happening            happen.py    as-triggers, wards, settle (EP-0.3, 10.9, 13.6)
settle.py    EP-0.4, 2, 9.12, 19.3               triggers.py  when-triggers (EP-10)   flush.py   EP-0.5, 10.4
operations.py, perform.py   a card's text, run   plays.py     EP-5, 6                 resolve.py EP-6.5, 12.4
line.py      priority and the line (EP-7)        turn.py      EP-8
battle.py    EP-9.1 to 9.13, 16.5                combat.py    EP-9.14 to 9.20
setup.py     EP-1      formats.py, draft.py  EP-17      match.py  EP-18
"""

from . import advice, invariants, narration, samples, setup
from .book import book

__all__ = ["advice", "book", "invariants", "narration", "samples", "setup"]
