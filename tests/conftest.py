"""Fixtures every test may use. What belongs to one room lives in that room's conftest."""

import os

import pytest

pytest_plugins = ["tests.rules"]


@pytest.fixture(scope="session")
def stack() -> str:
    """ "embedded" or "production": which of the two stacks this run is on."""
    return os.environ["ARBITER_STACK"]


@pytest.fixture
def db(django_db_setup, django_db_blocker):
    """The database with real commits, instead of pytest-django's: no rollback and no flush afterwards, because the
    event table refuses both, rightly. Tests work in streams and people of their own."""
    with django_db_blocker.unblock():
        yield
