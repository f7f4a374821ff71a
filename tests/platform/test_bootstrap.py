"""From a bare clone to the pinned packages: once, again when the pins change, and a sentence when it cannot be."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from config import bootstrap

pytestmark = pytest.mark.embedded  # the same on any stack: once is enough

ROOT = Path(bootstrap.HERE)
FAKE_PYTHON = """#!/bin/sh
echo "$@" >> {log}
case "$*" in *"pip install"*) exit {pip_says};; esac
"""


class Clone:
    """A clone whose virtual environment only writes down what it is asked to run."""

    def __init__(self, home: Path, pip_says: int = 0) -> None:
        self.home, self.venv, self.log = home, home / ".venv", home / "log"
        (home / "config").mkdir()
        for name in (
            "manage.py",
            "requirements.txt",
            "requirements-dev.txt",
            "config/bootstrap.py",
            "config/__init__.py",
        ):
            shutil.copy(ROOT / name, home / name)
        (self.venv / "bin").mkdir(parents=True)
        (self.venv / "pyvenv.cfg").write_text(f"command = python3 -m venv {self.venv.resolve()}\n")
        python = bootstrap.interpreter(self.venv)
        python.write_text(FAKE_PYTHON.format(log=self.log, pip_says=pip_says))
        python.chmod(0o755)

    def manage(self, *arguments: str) -> tuple[list[str], subprocess.CompletedProcess[str]]:
        self.log.write_text("")
        ended = subprocess.run(
            [sys.executable, "manage.py", *arguments], cwd=self.home, env={}, capture_output=True, text=True
        )
        return self.log.read_text().splitlines(), ended


@pytest.fixture
def clone(tmp_path) -> Clone:
    return Clone(tmp_path)


def installed(lines: list[str]) -> list[str]:
    return [Path(line.split()[-1]).name for line in lines if "pip install" in line]


def test_the_first_command_installs_and_runs_itself_again_inside(clone):
    lines, ended = clone.manage("up", "--port", "9000")
    assert installed(lines) == ["requirements.txt"]
    assert lines[-1] == "manage.py up --port 9000"
    assert "installing requirements.txt" in ended.stderr


def test_nothing_is_installed_again_until_a_pin_changes(clone):
    clone.manage("up")
    assert clone.manage("up")[0] == ["manage.py up"], "a warm start runs nothing else"
    with (clone.home / "requirements.txt").open("a") as pins:
        pins.write("six==1.17.0\n")
    assert installed(clone.manage("up")[0]) == ["requirements.txt"]
    assert clone.manage("up")[0] == ["manage.py up"]


def test_test_needs_the_test_tools_and_brings_the_service_s_packages_with_them(clone):
    assert installed(clone.manage("test")[0]) == ["requirements-dev.txt"]
    assert installed(clone.manage("up")[0]) == []
    (clone.home / "requirements.txt").write_text("six==1.16.0\n")
    assert installed(clone.manage("test")[0]) == ["requirements-dev.txt"], "a pin it includes has changed"


def test_a_failed_installation_is_said_and_tried_again(tmp_path):
    clone = Clone(tmp_path, pip_says=1)
    for _ in range(2):
        lines, ended = clone.manage("up")
        assert installed(lines) == ["requirements.txt"]
        assert lines[-1] != "manage.py up"
        assert ended.returncode == 1
        assert ended.stderr.splitlines()[-1].startswith("arbiter: could not install requirements.txt")


def test_a_moved_clone_and_an_interrupted_installation_are_not_trusted(clone):
    assert bootstrap.usable(clone.venv)
    before = bootstrap.stamp(clone.venv, clone.home / "requirements.txt")
    moved = clone.venv.rename(clone.home / "elsewhere")
    assert bootstrap.stamp(moved, clone.home / "requirements.txt").name != before.name
    assert not bootstrap.usable(moved)

    moved.rename(clone.venv)
    bootstrap.interpreter(clone.venv).write_text("#!/bin/sh\nexit 1\n")  # no pip in it
    assert not bootstrap.usable(clone.venv)


def test_an_old_python_is_told_so(monkeypatch):
    monkeypatch.setattr(sys, "version_info", (3, 10, 4, "final", 0))
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer, but this is 3\.10\.4"):
        bootstrap.ensure(["manage.py", "up"])


def test_a_python_without_ensurepip_is_told_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    with pytest.raises(SystemExit, match=r"no `ensurepip`.*apt install python3-venv"):
        bootstrap.make_venv(tmp_path / ".venv")


def test_every_package_is_pinned_to_one_version():
    for file in bootstrap.included(ROOT / "requirements-dev.txt"):
        for line in file.read_text().splitlines():
            assert not line or line.startswith(("#", "-r ")) or line.count("==") == 1, f"{file.name}: {line}"
