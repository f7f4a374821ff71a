"""A tournament over HTTP: `desk(players=4, …)` is the organiser's desk with everybody registered."""

import json
import secrets
from typing import Any

import pytest

from events import heads
from tests.http import Api, Someone
from tournaments import tasks


class Desk:
    """The organiser's view, and the players' by number."""

    def __init__(self, organiser: Someone, stream: str) -> None:
        self.organiser, self.stream = Api(organiser.token), stream
        self.players: dict[int, Api] = {}

    def say(self, what: str, expect: int | None = 201, who: Api | None = None, **body: Any) -> Any:
        reply = (who or self.organiser).do(
            f"/tournaments/{self.stream}/{what}", {"command_id": secrets.token_hex(8)} | body
        )
        assert expect is None or reply.status_code == expect, reply.content
        return reply if expect is None else json.loads(reply.content)

    def see(self, what: str = "", expect: int = 200, who: Api | None = None) -> Any:
        reply = (who or self.organiser).read(f"/tournaments/{self.stream}{what}")
        assert reply.status_code == expect, reply.content
        return json.loads(reply.content)

    @property
    def state(self):
        return heads.current(self.stream).state

    def register(self, someone: Someone, expect: int | None = 201, **body: Any) -> Any:
        who = Api(someone.token)
        said = self.say("register", expect, who, **body)
        self.players.setdefault(len(self.state.entrants), who)
        return said

    def house(self) -> str:
        return tasks.run_house(self.stream)

    def round(self) -> list[dict[str, Any]]:
        """Call, compute and publish the next round; its matches."""
        self.say("pair")
        self.house()
        self.say("publish")
        return self.see()["round"]["matches"]

    def result(self, match: dict[str, Any], *wins: int, draws: int = 0, kind: str = "played") -> None:
        """Reported by the first, confirmed by the second."""
        first, second = match["players"]
        self.say(f"matches/{match['id']}/report", who=self.players[first], wins=wins, draws=draws, kind=kind)
        self.say(f"matches/{match['id']}/confirm", who=self.players[second])

    def rule_all(self, best: int = 2) -> None:
        """The organiser enters every open result: the lower number wins."""
        for match in self.state.open_matches():
            wins = [best if n == min(match.players) else 0 for n in match.players]
            self.say(f"matches/{match.id}/rule", wins=wins, reason="seen")

    def standings(self, at: int | None = None) -> list[tuple[int, str]]:
        found = self.see("/standings" + (f"?at={at}" if at else ""))
        return [(line["number"], line["points"]) for line in found["lines"]]


@pytest.fixture
def desk(person):
    """desk(players=4, stages=[…], **rules) -> a tournament in registration, with so many players."""

    def open_(players: int = 0, stages: list[dict[str, Any]] | None = None, **rules: Any) -> Desk:
        organiser = person("organiser")
        body = {"command_id": secrets.token_hex(8), "title": "Winter Open", "stages": stages or [{"kind": "swiss"}]}
        made = Api(organiser.token).do("/tournaments", body | {"best_of": 3} | rules)
        assert made.status_code == 201, made.content
        found = Desk(organiser, json.loads(made.content)["stream"])
        for _ in range(players):
            found.register(person())
        return found

    return open_
