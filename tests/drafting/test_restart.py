"""SIGKILL to the whole service in the middle of a draft: same packs, same deadlines, same views; what was due meanwhile
happens once."""

import time
from collections import Counter

from tests.conftest import wait_for
from tests.games.test_kill import service  # noqa: F401

LONG, SHORT = 120_000, 2_500


def keys(cards: list[dict]) -> Counter[str]:
    return Counter(card["key"] for card in cards)


def test_a_draft_survives_kills_and_a_deadline_that_passed_meanwhile_fires_once(db, service):  # noqa: F811
    terms = {"options": {"packs": 1, "build": 0}, "clock": {"pick_ms": [LONG, SHORT, LONG]}}
    body = {"command_id": "restart", "seats": 3, "join": {"seat": 0, "ready": True}, **terms}
    path = f"/api/v1/drafts/{service.ask('POST', '/api/v1/drafts', body)[1]['stream']}"

    def see(what: str = "") -> dict:
        status, seen = service.ask("GET", f"{path}{what}")
        assert status == 200, seen
        return {name: value for name, value in seen.items() if name != "server_now"}

    def asked(cards: int) -> dict:
        """The view once this seat holds a pack of so many cards and the bots have nothing left to do."""

        def ready() -> dict | None:
            seen = see()
            held = seen["decision"] and len(seen["decision"]["options"])
            return seen if held == cards and seen["waits_for"] == [0] else None

        return wait_for(ready, 30)

    def pick(seen: dict, number: int) -> None:
        decision = seen["decision"]
        taken = {"command_id": f"p{number}", "decision": decision["id"], "take": [decision["options"][0]["id"]]}
        assert service.ask("POST", f"{path}/picks", taken)[0] == 201

    assert service.ask("POST", f"{path}/bots", {"command_id": "bots"})[0] == 201
    first = asked(15)
    service.kill()
    service.start()
    assert see() == first, "packs, deadlines, everything"

    pick(first, 1)
    second = asked(14)
    service.kill()
    time.sleep(max(0, second["decision"]["deadline"] / 1000 - time.time()) + 0.5)
    service.start()
    third = asked(13)
    assert see(f"/state?at={second['seq']}") == second
    events = see(f"/events?since={second['seq']}")["data"]
    late = [event for event in events if event["do"] == "timeout"]
    assert [(event["by"], event["action"]["decision"]) for event in late] == [("arbiter", second["decision"]["id"])]
    [taken] = keys(third["pool"]["pool"]) - keys(second["pool"]["pool"])
    assert taken in {card["key"] for card in second["decision"]["options"]}
    pick(third, 3)
    assert see("/verify")["ok"]
