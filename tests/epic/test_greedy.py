"""The greedy bot plays from its own view, answers whatever it is asked, and beats the random one."""

from bench.bots import outcomes, play
from games.bots import greedy


def test_greedy_beats_random_with_equal_decks():
    """A sample of `manage.py bench bots`, where 400 games are asked for."""
    assert sum(outcomes("epic", 10).values()) >= 8


def test_greedy_against_itself_comes_to_an_end():
    assert play("epic", [greedy.choose, greedy.choose], seed=3, first=0).outcome is not None
