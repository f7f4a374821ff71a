"""The same key gives the same game in every process, and rules take chance and time from nowhere else."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PURE = [file for folder in ("kernel", "rulebooks") for file in sorted((ROOT / "games" / folder).rglob("*.py"))]
IMPURE = {"random", "time", "datetime", "secrets", "uuid", "os", "threading", "asyncio", "socket", "numpy"}
ALLOWED = {"playout.py": {"random"}}
"""Playouts choose answers at random; they decide nothing."""

PLAY = """
import hashlib
from games.kernel import names, rulebook
from games.kernel.playout import random_game
from games.kernel.table import encode
for book in map(rulebook, [*names(), *names("draft")]):
    for setup in book.sample_setups():
        digest = hashlib.sha256()
        for event in random_game(book, setup, 11):
            digest.update(repr((event.effects, event.action)).encode() + encode(event.table))
        print(book.id, setup.seats, setup.name, digest.hexdigest())
"""


def test_every_process_plays_the_same_game():
    """Sets and hashes differ from process to process; the game must not."""
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", PLAY], cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": seed}, stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("1", "2")
    ]  # fmt: skip
    first, second = (run.communicate()[0].splitlines() for run in runs)
    assert first
    assert first == second


@pytest.mark.parametrize("file", PURE, ids=lambda file: str(file.relative_to(ROOT / "games")))
def test_no_clock_no_global_random(file):
    imported = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            imported |= {name.name.partition(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            imported.add((node.module or "").partition(".")[0])
    assert imported & IMPURE <= ALLOWED.get(file.name, set())
