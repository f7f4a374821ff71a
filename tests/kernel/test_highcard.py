"""High Card, the worked example of docs/add-a-rulebook.md: its rules, and that the page is the file."""

import re
from pathlib import Path

from games.kernel.testing import given

ROOT = Path(__file__).parents[2]


def test_the_page_is_the_file():
    page = (ROOT / "docs" / "add-a-rulebook.md").read_text()
    blocks = [block for block in re.findall(r"```python\n(.*?)```", page, flags=re.S) if "@rule(" not in block]
    code = (ROOT / "games" / "rulebooks" / "highcard" / "__init__.py").read_text()
    assert "".join("".join(blocks).split()) == "".join(code.split())


def two(**place):
    return given("highcard", place={zone.replace("_", ":"): keys for zone, keys in place.items()})


def test_the_example_test_of_the_page_passes():
    page = (ROOT / "docs" / "add-a-rulebook.md").read_text()
    [block] = [block for block in re.findall(r"```python\n(.*?)```", page, flags=re.S) if "@rule(" in block]
    names = {"given": given, "rule": lambda *cited: lambda test: test}
    exec(block, names)
    names["test_the_highest_card_takes_the_trick"]()


def test_a_tied_trick_goes_to_nobody():
    """HC-3."""
    game = two(hand_0=["S9", "C2"], hand_1=["D9", "C3"])
    game.answer(0, choose_card="S9").answer(1, choose_card="D9")
    assert (game.n(0, "tricks"), game.n(1, "tricks")) == (0, 0)
    assert game.waits_for == {0: "choose_card", 1: "choose_card"}


def test_a_buried_card_lies_under_the_deck_and_only_its_owner_knows():
    """HC-4."""
    game = two(hand_0=["S9", "C2"], hand_1=["D3", "C3"])
    game.answer(0, choose_card="S9").answer(1, choose_card="D3")
    top = game.keys("deck")[0]
    game.answer(0, bury="C2")
    assert game.keys("deck")[-1] == "C2"
    assert game.keys("hand:0") == [top]
    assert "C2" not in str(game.seen(1))
    assert top not in str(game.seen(1))


def test_equal_numbers_of_tricks_tie():
    """HC-5."""
    game = two(hand_0=["S9", "C2"], hand_1=["D3", "C3"])
    game.answer(0, choose_card="S9").answer(1, choose_card="D3").answer(0, bury=[])
    game.answer(0, choose_card="C2").answer(1, choose_card="C3")
    assert game.outcome == ("tie", [0, 1])
