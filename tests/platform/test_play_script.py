"""docs/play.sh, the client in shell and curl: two terminals play a game to its end, a third party checks it."""

import json
import os
import subprocess
import sys
import urllib.request

import msgspec
import pytest

from games.kernel import assign, number, pick, split
from games.kernel.questions import misfits
from tests.platform.test_up import ROOT, TOKEN, Up

pytestmark = pytest.mark.embedded

RULEBOOK = os.environ.get("ARBITER_RULEBOOK", "highcard")  # theos is the same, in a minute or two


@pytest.fixture
def up(tmp_path):
    running = Up(tmp_path / "data")
    yield running
    running.process.kill()
    running.process.communicate()


def test_two_terminals_play_and_a_third_party_checks(up, tmp_path):
    tokens = {name: token for _, name, token in TOKEN.findall(up.said)}
    api = f"http://127.0.0.1:{up.port}/api/v1"

    def terminal(name: str, *words: str) -> subprocess.Popen[str]:
        env = {"API": api, "TOKEN": tokens[name], "PATH": os.environ["PATH"]}
        return subprocess.Popen(
            ["docs/play.sh", *words], cwd=ROOT, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )

    ada = terminal("ada", "new", RULEBOOK)
    game = ada.stdout.readline().split()[1].rstrip(":")
    ben = terminal("ben", "join", game)
    ends = [player.communicate(timeout=300)[0].splitlines()[-1] for player in (ada, ben)]
    assert [player.returncode for player in (ada, ben)] == [0, 0], ends
    assert ends[0] == ends[1]
    assert json.loads(ends[0].removeprefix("over: "))["winners"]

    asked = urllib.request.Request(f"{api}/games/{game}/export", headers={"Authorization": f"Bearer {tokens['olga']}"})
    file = tmp_path / "game.jsonl"
    with urllib.request.urlopen(asked, timeout=20) as answer:
        file.write_bytes(answer.read())
    checked = subprocess.run(
        [sys.executable, "-I", ROOT / "events" / "verifier.py", "--json", file], capture_output=True, text=True
    )
    report = json.loads(checked.stdout)
    assert report["ok"], report
    assert "2 seats' own numbers match" in report["sections"]["shuffles"]["detail"]


def test_its_answers_fit_every_shape():
    """What the script says of itself: it plays any game."""
    code = (ROOT / "docs" / "play.sh").read_text().partition("FITS='")[2].partition("\n'\n")[0]
    names: dict = {}
    exec(compile(code, "docs/play.sh", "exec"), names)
    shapes = [
        pick("abcd", lo=0, hi=3), pick("a"), pick("abc", lo=2, ordered=True), number(2, 5),
        split(7, "abc", floors={"a": 1}, caps={"b": 2}), split(0, "ab"),
        assign({"a": ["x", "y"], "b": ["x"], "c": ["x", "y"]}, required=["a", "b"], caps={"x": 1}),
    ]  # fmt: skip
    for shape in shapes:
        for _ in range(20):
            assert misfits(shape, names["fits"](msgspec.to_builtins(shape))) == []
