"""Drafts of any card set: booster, sealed, rotisserie, Rochester, Winston and grid, through a few parameters.

options.py   the parameters            packs.py     where the cards come from (EP-17.1, cubes)
passing.py   booster packs (EP-17.5)   turns.py     rotisserie, Rochester, grid: one after the other, open
winston.py   three piles               building.py  decks from the own pool (EP-17.2)
narration.py how the log reads
"""

from . import building, narration, passing, samples, setup, turns, winston
from .book import book

__all__ = ["book", "building", "narration", "passing", "samples", "setup", "turns", "winston"]
