"""The record explains itself: docs/judges.md shows one whole game, and it is the game that is really played.

ARBITER_RECORD=1 writes the page's game anew.
"""

import os
import re

import pytest

from games.catalogue import ROOT
from games.kernel import rulebook, to_dict
from games.kernel.narrate import Teller
from games.kernel.playout import random_game
from games.kernel.rulebook import Setup
from games.rulebooks.theos.cards import ABILITIES
from tests.rules import rule

PAGE = ROOT / "docs" / "judges.md"
GAME = re.compile(r"(<!-- theos, seed (\d+) -->\n```\n)(.*?)(```)", re.DOTALL)
PLAYERS = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Fay"]


def told(setup: Setup, seed: int) -> str:
    """One game, event by event; what only a judge may read is marked with a dot."""
    book = rulebook("theos")
    public, judge = Teller(book, None, PLAYERS), Teller(book, "table", PLAYERS)
    lines = []
    for number, event in enumerate(random_game(book, setup, seed), 1):
        forms = [to_dict(effect) for effect in event.effects]
        seen = public.tell(forms)
        lines += [f"{number:3} {' ' if line in seen else '·'} {line}" for line in judge.tell(forms)]
    return "".join(f"{line}\n" for line in lines)


@rule("theos", "TH-17.3")
def test_the_game_in_docs_judges_is_this_game():
    page = PAGE.read_text()
    _, seed, shown, _ = GAME.search(page).groups()
    game = told(Setup(2, {"decks": "random"}), int(seed))
    if os.environ.get("ARBITER_RECORD"):
        PAGE.write_text(GAME.sub(lambda found: found[1] + game + found[4], page))
    else:
        assert shown == game


@rule("theos", "TH-17.2", "TH-17.3")
@pytest.mark.parametrize("setup", rulebook("theos").sample_setups(), ids=lambda setup: setup.name)
def test_every_sentence_is_made_of_the_games_words(setup):
    """No sentence falls back to bare fields, card ids or names of variables, for whoever listens."""
    book = rulebook("theos")
    for viewer in (None, 0, "table"):
        teller = Teller(book, viewer, PLAYERS)
        for event in random_game(book, setup, seed=5):
            for sentence in teller.tell([to_dict(effect) for effect in event.effects]):
                assert not re.search(r"\bc\d+\b|seat \d|_|\bNone\b|\{|BLANK", sentence), sentence
                if "“" in sentence:
                    assert re.search("“(.*)”", sentence)[1] in {ability.text for ability in ABILITIES.values()}
