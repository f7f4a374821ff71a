"""The README's tour, taken: every command is run against a fresh `up`, every line shown is what came."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.platform.test_up import ENV, ROOT, TOKEN, Up

pytestmark = pytest.mark.embedded

CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
NAMES = re.compile(r"\b(?:gam_\w+|arb_\w+|[0-9a-f]{64})")  # these differ from run to run
END = "--- end of answer"


@dataclass
class Shown:
    """One command of the README and what it says comes back."""

    command: str
    answer: list[str] = field(default_factory=list)

    @property
    def pattern(self) -> str:
        """Line breaks and indents are the README's own; names differ; `…` stands for anything."""
        words = NAMES.sub("…", " ".join(self.answer)).split()
        return r"\s*".join(re.escape(word).replace("…", ".*?") for word in words)


def read_tour() -> list[Shown]:
    tour = (ROOT / "README.md").read_text().partition("## A tour")[2].partition("\n## ")[0]
    shown: list[Shown] = []
    for line in "".join(CONSOLE.findall(tour)).splitlines():
        match line[:2]:
            case "$ ":
                shown.append(Shown(line[2:]))
            case "> ":
                shown[-1].command += "\n" + line[2:]
            case _:
                shown[-1].answer.append(line)
    return shown


def run(commands: list[Shown], up: Up, data: Path) -> list[str]:
    """All of them in one shell, in the README's order, as this run's Ada on this run's port."""
    typed = f"\necho '{END}'\n".join(shown.command for shown in commands) + f"\necho '{END}'"
    ada = next(token for _, name, token in TOKEN.findall(up.said) if name == "ada")
    typed = re.sub("TOKEN=arb_\\w+", f"TOKEN={ada}", typed.replace("127.0.0.1:8000", f"127.0.0.1:{up.port}"))
    env = ENV | {"ARBITER_DATA": str(data), "PATH": f"{Path(sys.executable).parent}:{os.defpath}"}
    folder = data.parent / "folder"  # looks like the clone; what the tour writes stays out of it
    folder.mkdir()
    for name in ("manage.py", "config", "accounts", "events", "games"):
        (folder / name).symlink_to(ROOT / name)
    ended = subprocess.run(["bash", "-c", typed], capture_output=True, text=True, timeout=120, cwd=folder, env=env)
    assert not ended.stderr, ended.stderr
    return [answer.strip() for answer in ended.stdout.split(END)[:-1]]


def test_every_answer_is_what_the_readme_says(tmp_path):
    start, *commands = read_tour()
    up = Up(tmp_path / "data")
    try:
        answers = run(commands, up, tmp_path / "data")
    finally:
        up.stop()
    start.answer = [line.replace("127.0.0.1:8000", f"127.0.0.1:{up.port}") for line in start.answer[2:-1]]
    assert re.fullmatch(start.pattern, up.said.strip(), re.S), up.said
    for shown, answer in zip(commands, answers, strict=True):
        assert re.fullmatch(shown.pattern, answer, re.S), f"$ {shown.command}\nREADME: {shown.answer}\ncame: {answer}"
