"""Fixtures every test may use. What belongs to one room lives in that room's conftest."""

import os

import pytest


@pytest.fixture(scope="session")
def stack() -> str:
    """ "embedded" or "production": which of the two stacks this run is on."""
    return os.environ["ARBITER_STACK"]
