import pytest

from tests.http import api, person  # noqa: F401
from tests.tournaments.desk import desk  # noqa: F401


@pytest.fixture(autouse=True)
def _nothing_queued_unless_asked_for(request, monkeypatch):
    """The house works when the test says so, or when the test has a worker."""
    if "worker" not in request.fixturenames:
        monkeypatch.setattr("tournaments.tasks.enqueue", lambda task, stream: None)
        monkeypatch.setattr("games.tasks.enqueue", lambda stream: None)
