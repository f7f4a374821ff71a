import pytest

from tests.games.play import clock, table  # noqa: F401
from tests.http import api, person  # noqa: F401


@pytest.fixture
def shapes() -> str:
    from tests.games.shapes import book

    return book.name


@pytest.fixture(autouse=True)
def _bots_only_where_asked_for(request, monkeypatch):
    """Nothing is queued unless the test has a worker: the suite's worker, once started, would play along everywhere."""
    if "worker" not in request.fixturenames:
        monkeypatch.setattr("games.tasks.enqueue", lambda stream: None)
