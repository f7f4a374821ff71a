"""Theos: a simultaneous-play card game of Greek gods for 2 to 6 players. The rules are docs/rules/theos.md.

cards.py      the 60 cards as data       options.py    TH-2 to TH-4, the host's choices
text.py       sentences from data        setup.py      TH-2, TH-3, TH-4.6, 4.30     draft.py   TH-4.9 to 4.29
board.py      TH-1, TH-10                round.py      TH-5, TH-8                   turn.py    TH-6, TH-7
targets.py    TH-12.5, TH-13             abilities.py  TH-12                        triggers.py  TH-14
operations.py TH-15                      table.py      leaving, samples, names      invariants.py  section 7
"""

from . import invariants, leaving, narration, samples, setup
from .book import book

__all__ = ["book", "invariants", "leaving", "narration", "samples", "setup"]
