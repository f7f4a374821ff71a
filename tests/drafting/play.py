"""Drafts over HTTP: people around a table, who pick what is offered."""

import json
import secrets
from random import Random
from typing import Any

from tests.http import Api, Someone


class Drafter(Api):
    def __init__(self, someone: Someone, draft: str = "") -> None:
        super().__init__(someone.token)
        self.someone, self.draft = someone, draft

    def say(self, what: str, expect: int | None = 201, **body: Any) -> Any:
        reply = self.do(f"/drafts/{self.draft}/{what}", {"command_id": secrets.token_hex(8)} | body)
        assert expect is None or reply.status_code == expect, reply.content
        return reply if expect is None else json.loads(reply.content)

    def see(self, what: str = "", expect: int = 200) -> Any:
        reply = self.read(f"/drafts/{self.draft}{what}")
        assert reply.status_code == expect, reply.content
        return json.loads(reply.content)

    @property
    def asked(self) -> Any:
        return self.see()["decision"]

    @property
    def pack(self) -> list[str]:
        """What is in hand, by key."""
        asked = self.asked
        return [card["key"] for card in asked["options"]] if asked else []

    def answer(self, asked: Any, rng: Random) -> Any:
        if asked["kind"] in ("build_deck", "build_sideboard"):
            cards: dict[str, int] = {}
            for card in rng.sample(asked["options"], asked["least"]):
                cards[card["key"]] = cards.get(card["key"], 0) + 1
            return self.say("deck", decision=asked["id"], cards=cards)
        chosen = [option["id"] for option in rng.sample(asked["options"], asked["least"] + asked["burn"])]
        take, burn = chosen[: asked["least"]], chosen[asked["least"] :]
        return self.say("picks", decision=asked["id"], take=take, burn=burn)


class Pod:
    def __init__(self, draft: str, drafters: list[Drafter]) -> None:
        self.draft, self.drafters = draft, drafters

    def __getitem__(self, seat: int) -> Drafter:
        return self.drafters[seat]

    def play_out(self, seed: int = 1, most: int = 5000, seats: set[int] | None = None) -> int:
        """Everybody (or these seats) answers at random until nobody of them is asked; how many answers it took."""
        rng = Random(seed)
        for count in range(most):
            waited = [seat for seat in self[0].see()["waits_for"] if seats is None or seat in seats]
            if not waited:
                return count
            drafter = self[rng.choice(waited)]
            drafter.answer(drafter.asked, rng)
        raise AssertionError("the draft does not end")


def begin(person: Any, seats: int, start: bool = True, **terms: Any) -> Pod:
    drafters = [Drafter(person()) for _ in range(seats)]
    reply = drafters[0].do("/drafts", {"command_id": secrets.token_hex(8), "seats": seats, **terms})
    assert reply.status_code == 201, reply.content
    pod = Pod(json.loads(reply.content)["stream"], drafters)
    for seat, drafter in enumerate(drafters):
        drafter.draft = pod.draft
        if start:
            drafter.say("join", seat=seat, ready=True)
    return pod
