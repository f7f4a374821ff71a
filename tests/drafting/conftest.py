import pytest

from tests.games.play import clock  # noqa: F401
from tests.http import api, person  # noqa: F401


@pytest.fixture(autouse=True)
def _bots_only_where_asked_for(request, monkeypatch):
    """Nothing is queued unless the test has a worker."""
    if "worker" not in request.fixturenames:
        monkeypatch.setattr("games.tasks.enqueue", lambda stream: None)


@pytest.fixture
def draft(person):  # noqa: F811
    """draft(seats=4, options={…}, clock={…}) -> people around a draft that has begun."""
    from tests.drafting.play import begin

    return lambda seats=4, **terms: begin(person, seats, **terms)
