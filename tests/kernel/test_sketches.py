"""The fifteen sketches of docs/kernel.md stand on the real API: only verbs that exist. They are played next door."""

import re
from pathlib import Path

import pytest

import games.kernel as kernel
from games.kernel.agenda import Agenda
from games.kernel.verbs import Verbs

DOC = Path(__file__).parents[2] / "docs" / "kernel.md"
SKETCHES = re.findall(r"\*\*(\d+)\. (.*?)\*\*.*?```python\n(.*?)```", DOC.read_text(), flags=re.S)
VERBS = {name for kind in (Agenda, Verbs, kernel.T) for name in vars(kind) if not name.startswith("_")} | {"s"}


def test_there_are_fifteen():
    assert [int(number) for number, _, _ in SKETCHES] == list(range(1, 16))


@pytest.mark.parametrize(("number", "title", "code"), SKETCHES, ids=[number for number, _, _ in SKETCHES])
def test_a_sketch_runs_against_the_api(number, title, code):
    book = kernel.Rulebook(f"sketch{number}", version=1, title=title, seats=[2])

    @book.question()
    def respond(t, seat, first, passed):
        """Sketch 13 shows only the handler."""

    names = {"book": book, "NOTHING": {}, "respond": respond, **vars(kernel)}
    if "def respond(" in code:
        del book.steps["respond"]

    exec(compile(code, f"docs/kernel.md sketch {number}", "exec"), names)

    assert book.steps or book.hooks
    used = set(re.findall(r"\bt\.(\w+)", code))
    assert used <= VERBS, f"no such verb: {used - VERBS}"
