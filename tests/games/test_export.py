"""A game leaves as a file, and a program that shares no code with the service accepts it, shuffles included."""

import json
import subprocess
import sys
import time

import pytest

from events import checkpoints, feed, hints, keys, sequencer
from tests.conftest import ROOT, wait_for
from tests.games.play import Player, Table, number_and_commit
from tests.http import problem

OPTIONS: dict[str, dict] = {"highcard": {}, "theos": {"decks": "random"}}


def exported(player: Player, query: str = "") -> bytes:
    reply = player.read(f"/games/{player.game}/export{query}")
    assert reply.status_code == 200, reply.content
    assert reply.headers["Content-Type"] == "application/x-ndjson"
    return b"".join(reply.streaming_content)


def verified(data: bytes, tmp_path) -> dict:
    """What `python3 events/verifier.py FILE` says, without the service's path or settings."""
    file = tmp_path / "game.jsonl"
    file.write_bytes(data)
    done = subprocess.run(
        [sys.executable, "-I", ROOT / "events" / "verifier.py", "--json", file], capture_output=True, text=True
    )
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)


def sections(report: dict) -> dict[str, str]:
    return {name: found["status"] for name, found in report["sections"].items()}


@pytest.mark.parametrize("rulebook", ["highcard", "theos"])
def test_a_third_party_verifies_a_finished_game(person, tmp_path, rulebook):
    """One number of one's own, one of the house; every shuffle is recomputed from them."""
    ada, ben = Player(person()), Player(person())
    made = ada.do("/games", {"command_id": "c1", "rulebook": rulebook, "options": OPTIONS[rulebook]})
    ada.game = ben.game = json.loads(made.content)["stream"]
    number, commit = number_and_commit(ada.game, 0)
    ada.say("join", seat=0, number_commit=commit)
    ben.say("join", seat=1, ready=True)
    ada.say("ready", number_open=number)
    Table(ada.game, [ada, ben]).play_out()

    data = exported(Player(person(), ada.game))
    report = verified(data, tmp_path)
    assert report["ok"], report
    assert {name: sections(report)[name] for name in ("chain", "seals", "shuffles")} == dict.fromkeys(
        ("chain", "seals", "shuffles"), "ok"
    )
    draws = data.count(b'"e":"draw"')
    assert draws >= 1
    assert "1 seats' own numbers match" in report["sections"]["shuffles"]["detail"]

    lines = data.splitlines(keepends=True)
    line = next(at for at, text in enumerate(lines) if b'"how":"shuffle"' in text)
    swapped = lines[line].replace(b'"how":"shuffle"', b'"how":"shuffl_"', 1)
    assert not verified(b"".join([*lines[:line], swapped, *lines[line + 1 :]]), tmp_path)["ok"]


def test_every_viewer_checks_the_own_view_of_a_live_game(table, person, tmp_path):
    game = table()
    game[0].answer_first()
    secret = [card["key"] for card in game[1].see()["table"]["zones"]["hand:1"]["cards"]]
    for player, viewer in [(game[0], 0), (game[1], 1), (Player(person(), game.game), None)]:
        data = exported(player)
        manifest = json.loads(data.splitlines()[0])
        assert (manifest["viewer"], manifest["opened"]) == (viewer, False)
        report = verified(data, tmp_path)
        assert report["ok"], report
        assert any(f'"{key}"'.encode() in data for key in secret) == (viewer == 1)
    judge = Player(person("judge"), game.game)
    assert json.loads(exported(judge, "?as=table").splitlines()[0])["viewer"] == "table"
    problem(game[0].read(f"/games/{game.game}/export?as=1"), 403, "missing_scope")


def test_after_leaving_taking_back_and_rewinding_it_still_verifies(person, tmp_path):
    """What is unusual about numbers and tables: a withdrawn number, a restored table, a pile shuffled anew."""
    ada, ben, judge = Player(person()), Player(person()), Player(person("judge"))
    made = ada.do("/games", {"command_id": "c1", "rulebook": "highcard"})
    ada.game = ben.game = judge.game = json.loads(made.content)["stream"]
    ada.say("join", seat=0, number_commit=number_and_commit(ada.game, 0)[1])
    ada.say("leave")
    ada.say("join", seat=0, ready=True)
    ben.say("join", seat=1, ready=True)
    began = ada.see()["seq"]
    ada.answer_first()
    offer = ada.say("offers", offer="takeback")["effects"][0]["offer"]["id"]
    ben.say(f"offers/{offer}/accept")
    game = Table(ada.game, [ada, ben])
    while (
        not any(
            effect["e"] == "draw" or effect.get("src") == "deck"
            for effect in ben.see(f"/events?limit=200&since={began}")["data"][-1]["effects"]
        )
        and ada.see()["phase"] == "play"
        and ada.see()["seq"] < began + 10
    ):
        game[game.waits_for()[0]].answer_first()
    if ada.see()["phase"] == "play":
        judge.say("rewinds", to=began, mode="reshuffle", reason="x", expected_seq=ada.see()["seq"])
    game.play_out()
    report = verified(exported(ada), tmp_path)
    assert report["ok"], report
    assert sections(report)["shuffles"] == "ok"
    assert ada.see("/verify")["ok"]


def test_a_table_that_never_stood_there_is_found(table, monkeypatch):
    """Somebody who writes past the service cannot take a game back to a better table."""
    from games import services

    game = table()
    game[0].answer_first()
    offer = game[0].say("offers", offer="takeback")["effects"][0]["offer"]["id"]
    true = services.table_at

    def forged(stream, seq):
        table = true(stream, seq)
        return {**table, "vars": {"forged": True}}

    monkeypatch.setattr(services, "table_at", forged)
    game[1].say(f"offers/{offer}/accept")
    monkeypatch.undo()
    report = game[0].see("/verify")
    assert not report["ok"]
    assert report["sections"]["decide"]["status"] == "failed"


def test_a_game_is_signed_as_soon_as_it_ends(table, monkeypatch, tmp_path):
    """Not with the next checkpoint in a few seconds: players leave when it is over, and take the proof with them."""
    monkeypatch.setenv("ARBITER_KEYS", str(tmp_path))
    monkeypatch.setattr(sequencer, "CHECKPOINT_EVERY_S", 3600)
    keys.make()
    game = table()
    hints.BELLS[hints.SIGN].clear()  # of games that ended before
    loop = sequencer.SequencerLoop()
    loop.signed_at = time.monotonic()
    loop.start_thread()
    try:
        wait_for(lambda: feed.waiting()[0] == 0)
        assert checkpoints.last_proof(game.game) is None, "nothing is signed while it goes on"
        game[0].say("concede")
        seq, _ = wait_for(lambda: checkpoints.last_proof(game.game))
    finally:
        loop.stop()
    assert seq == game[1].see()["seq"]
    assert sections(verified(exported(game[0]), tmp_path))["inclusion"] == "ok"
