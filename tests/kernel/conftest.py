"""Tiny rulebooks for single properties of the kernel; unknown outside their test."""

import importlib
from itertools import count

import pytest

from games.kernel import PUBLIC, Rulebook, register
from games.kernel.testing import given

_NUMBERS = count()


@pytest.fixture(autouse=True)
def only_for_this_test(monkeypatch):
    registry = importlib.import_module("games.kernel.rulebook")
    monkeypatch.setattr(registry, "_BOOKS", dict(registry._BOOKS))


@pytest.fixture
def book():
    """An empty rulebook for 2 to 6 seats."""
    return register(Rulebook(f"tiny{next(_NUMBERS)}", version=1, title="Tiny", seats=range(1, 7)))


@pytest.fixture
def table(book):
    """table(first step, seats=…): a hand of A B C for each seat, an empty pile, and the step to begin with."""

    def begin(first, seats=2, hand="ABC"):
        def lay(t):
            t.zone("pile", ids=PUBLIC, faces=PUBLIC)
            t.zone("deck", ids=0, faces=0)
            t.make(list("XYZ"), -1, "deck")
            for seat in t.seats:
                t.zone(f"hand:{seat}", ids=[seat], faces=[seat], ordered=False, owner=seat)
                t.make(list(hand), seat, f"hand:{seat}")
            t.push(first)

        return given(book.name, seats, lay=lay)

    return begin
