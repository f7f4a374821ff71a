"""Games over HTTP: `table()` seats people at a game, `play_out` plays it to its end with answers that fit."""

import hashlib
import json
import secrets
from random import Random
from typing import Any

import pytest

from events import commands, store
from games import tasks
from games.bots.random import fitting
from tests.http import Api, Someone


class Player(Api):
    """Somebody at a table, and what they say over HTTP."""

    def __init__(self, someone: Someone, game: str = "") -> None:
        super().__init__(someone.token)
        self.someone, self.game = someone, game

    def say(self, what: str, expect: int | None = 201, **body: Any) -> Any:
        """POST to the game, with a new command id unless one is given."""
        reply = self.do(f"/games/{self.game}/{what}", {"command_id": secrets.token_hex(8)} | body)
        assert expect is None or reply.status_code == expect, reply.content
        return reply if expect is None else json.loads(reply.content)

    def see(self, what: str = "", expect: int = 200) -> Any:
        reply = self.read(f"/games/{self.game}{what}")
        assert reply.status_code == expect, reply.content
        return json.loads(reply.content)

    @property
    def asked(self) -> list[dict[str, Any]]:
        """The decisions that wait for this player."""
        view = self.see()
        return [ask for ask in view["table"]["open"] if ask["chooser"] == view["you"]]

    def path(self, ask: dict[str, Any], rng: Random) -> list[Any]:
        path = [fitting(ask["shape"], rng)]
        while not (part := self.preview(ask, path))["complete"]:
            path.append(fitting(part["next"]["shape"], rng))
        return path

    def preview(self, ask: dict[str, Any], path: list[Any]) -> Any:
        reply = self.do(f"/games/{self.game}/preview", {"decision": ask["id"], "path": path})
        assert reply.status_code == 200, reply.content
        return json.loads(reply.content)

    def answer_first(self, rng: Random | None = None) -> Any:
        ask = self.asked[0]
        return self.say("answers", decision=ask["id"], path=self.path(ask, rng or Random(7)))


class Table:
    def __init__(self, game: str, players: list[Player]) -> None:
        self.game, self.players = game, players

    def __getitem__(self, seat: int) -> Player:
        return self.players[seat]

    def waits_for(self) -> list[int]:
        tasks.soon.settle()  # the house passes at once where everybody sees that nothing can be done
        return self[0].see()["waits_for"]

    def play_out(self, seed: int = 1, most: int = 5000) -> int:
        """To the end; how many answers it took."""
        rng = Random(seed)
        for count in range(most):
            waited = self.waits_for()
            if not waited:
                return count
            self[rng.choice(waited)].answer_first(rng)
        raise AssertionError("the game does not end")


def number_and_commit(game: str, seat: int) -> tuple[str, str]:
    """A number of one's own and the commitment to it, made as docs/format.md says, without the service's code."""
    number = secrets.token_bytes(32)
    fields = b"".join(len(f).to_bytes(4, "big") + f for f in (game.encode(), str(seat).encode(), number))
    return number.hex(), hashlib.sha256(b"arbiter/seat/v1\0" + fields).hexdigest()


@pytest.fixture
def table(person):
    """table(seats=2, rulebook="highcard", **terms) -> a game that has begun, with a person in every seat."""

    def lay(seats: int = 2, rulebook: str = "highcard", people: list[Someone] | None = None, **terms: Any) -> Table:
        people = people or [person() for _ in range(seats)]
        host = Player(people[0])
        made = host.do(
            "/games",
            {"command_id": secrets.token_hex(8), "rulebook": rulebook, "seats": seats, "join": {"seat": 0}} | terms,
        )
        assert made.status_code == 201, made.content
        game = json.loads(made.content)["stream"]
        players = [Player(someone, game) for someone in people]
        for seat, player in enumerate(players[1:], 1):
            player.say("join", seat=seat, ready=True)
        return Table(game, players)

    return lay


@pytest.fixture
def clock(monkeypatch):
    """The server's clock, in milliseconds, which only moves when told to."""

    class Clock:
        now = commands.now_ms()

        def forward(self, ms: int) -> None:
            Clock.now += ms

    monkeypatch.setattr(commands, "now_ms", lambda: Clock.now)
    return Clock()


def stands(game: str) -> tuple[int, bytes]:
    """Seq and hash of the last event: what a refused command must not change."""
    last = store.read(game)[-1]
    return last.seq, last.hash
