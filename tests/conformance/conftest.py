"""One suite over every rulebook, seat count and option. Fast by default; in the environment

    ARBITER_GAMES=50        that many games per set-up
    ARBITER_RULEBOOK=theos  only this one
    ARBITER_RECORD=1        write the golden games and perft counts anew (a new rules version, or on purpose)
"""

import os

import pytest

from games.kernel import names, rulebook


def pytest_generate_tests(metafunc):
    """`case` is (rulebook, set-up), once for every sample of every rulebook."""
    if "case" not in metafunc.fixturenames:
        return
    only = os.environ.get("ARBITER_RULEBOOK")
    books = [rulebook(name) for name in [*names(), *names("draft")] if only in (None, name)]
    cases = [(book, setup) for book in books for setup in book.sample_setups()]
    labels = [f"{book.name}-{setup.seats}{'-' + setup.name if setup.name else ''}" for book, setup in cases]
    metafunc.parametrize("case", cases, ids=labels)


@pytest.fixture
def games() -> range:
    """Seeds of the random games to play for each set-up."""
    return range(int(os.environ.get("ARBITER_GAMES", "1")))


@pytest.fixture
def record() -> bool:
    return bool(os.environ.get("ARBITER_RECORD"))
