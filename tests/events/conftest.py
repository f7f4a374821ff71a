"""A counter on the real database. Nothing is rolled back or flushed: history is only ever added to, so every test
plays in a fresh stream."""

import secrets

import pytest

import tests.counter  # noqa: F401  registers the decider
from events import commands, heads


@pytest.fixture
def counter(db):
    """Begin a counter and return its stream id."""

    def begin(seats: int = 2) -> str:
        stream = commands.new_stream_id("counter")
        commands.open_stream(
            "counter", seats, stream=stream, actor="arbiter", action={"do": "begin"}, command_id="begin"
        )
        return stream

    return begin


@pytest.fixture
def do():
    """Execute an action as an actor with a fresh command id (or the one given)."""

    def act(stream: str, actor: str, action: dict, cmd: str | None = None, **options):
        return commands.execute(stream, actor=actor, action=action, command_id=cmd or secrets.token_hex(8), **options)

    return act


@pytest.fixture
def forget():
    """What a process that has never seen the stream knows: nothing."""
    return lambda: heads.heads.forget()
