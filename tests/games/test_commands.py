"""Retries, races, lists, long polls: what a client author relies on."""

import json
import threading
import time

from django.db import connection

from accounts import lookup
from events import feed, readmodels, store
from games import lists
from tests.games.play import Player, stands
from tests.http import problem


def test_a_late_retry_gets_the_first_answer_again(table):
    """Also when the decision is long closed, the game over and the seals open."""
    game = table()
    ask = game[0].asked[0]
    body = {"decision": ask["id"], "path": [ask["shape"]["options"][:1]], "command_id": "mine-1"}
    first = game[0].do(f"/games/{game.game}/answers", body)
    assert first.status_code == 201
    game.play_out()
    before = stands(game.game)

    again = game[0].do(f"/games/{game.game}/answers", body)
    assert (again.status_code, again.content) == (201, first.content)
    other = game[0].do(f"/games/{game.game}/answers", body | {"path": [[]]})
    problem(other, 422, "key_reused")
    assert stands(game.game) == before


def test_an_answer_is_two_statements(table, django_assert_num_queries, monkeypatch):
    """Who asks, and the append: both go straight to the driver, and there is nothing else."""
    said = []
    for module, name in ((lookup, "by_digest"), (store, "append")):
        real = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *given, real=real, name=name: [said.append(name), real(*given)][1])
    game = table()
    ask = game[0].asked[0]
    said.clear()
    with django_assert_num_queries(0):
        game[0].say("answers", decision=ask["id"], path=[ask["shape"]["options"][:1]])
    assert said == ["by_digest", "append"]


def test_somebody_elses_command_id_is_not_mine(table):
    game = table()
    mine, theirs = game[0].asked[0], game[1].asked[0]
    one = game[0].say("answers", decision=mine["id"], path=[mine["shape"]["options"][:1]], command_id="same")
    two = game[1].say("answers", decision=theirs["id"], path=[theirs["shape"]["options"][:1]], command_id="same")
    assert one["seq"] != two["seq"]
    assert one["action"]["seat"] == 0
    assert two["action"]["seat"] == 1


def test_creating_can_be_repeated(person):
    host = Player(person())
    body = {"command_id": "once", "rulebook": "highcard"}
    first, again = host.do("/games", body), host.do("/games", body)
    assert first.content == again.content
    problem(host.do("/games", body | {"seats": 3}), 422, "key_reused")
    assert Player(person()).do("/games", body).status_code == 201


def test_everybody_at_once(table):
    """Five secret answers at the same time: all are accepted, nobody needs to know a seq."""
    game = table(seats=5)
    asks = [player.asked[0] for player in game.players]
    replies: dict[int, int] = {}

    def answer(seat: int) -> None:
        try:
            path = [asks[seat]["shape"]["options"][:1]]
            replies[seat] = game[seat].say("answers", None, decision=asks[seat]["id"], path=path).status_code
        finally:
            connection.close()

    threads = [threading.Thread(target=answer, args=[seat]) for seat in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert replies == dict.fromkeys(range(5), 201)
    assert game[0].see("/verify")["ok"]


def test_etag_and_min_seq(table):
    game = table()
    reply = game[0].read(f"/games/{game.game}")
    assert reply.headers["ETag"] == '"3"'
    assert game[0].read(f"/games/{game.game}", **{"If-None-Match": '"3"'}).status_code == 304
    problem(game[0].read(f"/games/{game.game}?min_seq=4"), 409, "not_there_yet")
    ask = game[0].asked[0]
    body = {"decision": ask["id"], "path": [ask["shape"]["options"][:1]], "command_id": "x"}
    problem(game[0].do(f"/games/{game.game}/answers", body, **{"If-Match": '"2"'}), 412, "precondition_failed")
    assert game[0].do(f"/games/{game.game}/answers", body, **{"If-Match": '"3"'}).status_code == 201


def test_events_in_pages_and_with_proof(table):
    game = table()
    game.play_out()
    got, url = [], f"/games/{game.game}/events?limit=5"
    while url:
        page = json.loads(game[0].read(url).content)
        got += page["data"]
        url = page["next"] and page["next"].split("/api/v1")[1]
    assert [event["seq"] for event in got] == list(range(1, page["head"] + 1))
    proven = game[0].see("/events?limit=2&proof=1")["data"]
    assert proven[1]["proof"]["envelope"]["prev"] == proven[0]["hash"]


def test_long_poll_wakes_at_once(table):
    game = table()
    head = game[0].see()["seq"]
    assert game[0].see(f"/events?since={head}&wait=0")["data"] == []

    def later() -> None:
        try:
            time.sleep(0.3)
            game[1].answer_first()
        finally:
            connection.close()

    thread = threading.Thread(target=later)
    thread.start()
    began = time.monotonic()
    page = game[0].see(f"/events?since={head}&wait=10")
    thread.join()
    assert [event["seq"] for event in page["data"]] == [head + 1]
    assert time.monotonic() - began < 5


def listed(player: Player, which: str) -> list[str]:
    reply = player.read(f"/games?which={which}&limit=200")
    assert reply.status_code == 200, reply.content
    return [line["game"] for line in json.loads(reply.content)["data"]]


def test_lists_follow_what_one_does_oneself(person, table):
    host, guest = Player(person()), Player(person())
    host.game = guest.game = json.loads(
        host.do("/games", {"command_id": "a", "rulebook": "highcard", "join": {}}).content
    )["stream"]
    assert host.game in listed(guest, "open")
    assert listed(host, "mine") == [host.game]
    guest.say("join", ready=True)
    assert host.game not in listed(guest, "open")
    assert listed(guest, "mine") == [host.game]
    assert listed(guest, "waiting") == [host.game]
    assert host.game in listed(Player(person()), "live")
    guest.answer_first()
    assert listed(guest, "waiting") == []
    assert listed(host, "waiting") == [host.game]
    guest.say("concede")
    assert listed(guest, "finished") == listed(host, "finished") == [host.game]


def test_hidden_games_are_in_no_list(person, table):
    for visibility in ("private", "unlisted"):
        game = table(visibility=visibility)
        stranger = Player(person(), game.game)
        assert game.game not in listed(stranger, "live")
        assert stranger.read(f"/games/{game.game}").status_code == (404 if visibility == "private" else 200)


def test_the_lists_can_be_made_again_from_the_log(table):
    game = table()
    game[0].answer_first()
    before = lists.Game.objects.get(stream=game.game)
    feed.Integrator().integrate()
    readmodels.rebuild(lists.MODEL)
    after = lists.Game.objects.get(stream=game.game)
    assert after.seq == store.head_seq(game.game)
    assert (after.phase, after.free) == (before.phase, before.free)
    assert [place.waits for place in after.places.order_by("seat")] == [False, True]


def test_rulebooks_are_described(person):
    player = Player(person())
    names = [book["name"] for book in json.loads(player.read("/rulebooks").content)["data"]]
    assert {"highcard", "theos"} <= set(names)
    theos = json.loads(player.read("/rulebooks/theos").content)
    assert theos["seats"] == [2, 3, 4, 5, 6]
    assert player.read("/rulebooks/poker").status_code == 404
