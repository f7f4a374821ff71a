"""Theos: a simultaneous-play card game of Greek gods for 2 to 6 players. The rules are docs/rules/theos.md.

cards.py      the 60 cards as data         text.py        their sentences, from the same data
options.py    TH-2 to 4, what hosts choose  decks.py      TH-4.1 to 4.8, 4.31, which decks are legal
setup.py      TH-2, TH-3, TH-4.6, 4.30     draft.py       TH-4.9 to 4.29
board.py      TH-1, TH-10                  round.py       TH-5, TH-8           turn.py        TH-6, TH-7
abilities.py  TH-12                        targets.py     TH-12.5, TH-13.4     choosing.py    TH-12.4
followers.py  TH-13, TH-15.1 to 15.4       operations.py  TH-15.5 to 15.14     triggers.py    TH-14
leaving.py    TR-79                        narration.py   TH-17                invariants.py  section 7
samples.py    set-ups to play
"""

from . import invariants, leaving, narration, samples, setup
from .book import book

__all__ = ["book", "invariants", "leaving", "narration", "samples", "setup"]
