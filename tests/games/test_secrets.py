"""What nobody may learn: over every endpoint, for players, spectators and judges' replies; seals and sandboxes."""

import json
from random import Random

import pytest

from events import heads
from tests.games.play import Player, stands
from tests.http import problem

READS = [
    "",
    "/verify",
    "/events?limit=200&text=1",
    "/events?limit=200&proof=1",
    "/narration?limit=200",
    "/state",
    "/state?at=3",
]


def hidden_from(game: str, seat: int | None) -> set[str]:
    """The keys of cards (each occurs once in High Card) that this seat has never seen and that lie hidden now."""
    table = heads.current(game).state.table
    own = 0 if seat is None else 1 << seat
    return {
        card.key for card in table.cards.values() if not (table.zones[card.zone].faces | card.known) & own
        and table.zones[card.zone].faces != -1
    }  # fmt: skip


def words(replies: list[bytes]) -> set[str]:
    """Every text in these documents."""

    def texts(value):
        if isinstance(value, dict):
            for key, item in value.items():
                yield key
                yield from texts(item)
        elif isinstance(value, list):
            for item in value:
                yield from texts(item)
        elif isinstance(value, str):
            yield value

    return {text for reply in replies for text in texts(json.loads(reply))}


@pytest.mark.parametrize("seed", range(3))
def test_no_reply_tells_a_hidden_card(table, person, seed):
    game = table(seats=3)
    spectator = Player(person(), game.game)
    watchers: dict[int | None, Player] = {None: spectator, **dict(enumerate(game.players))}
    seen: dict[int | None, list[bytes]] = {who: [] for who in watchers}
    never: dict[int | None, set[str]] = {who: hidden_from(game.game, who) for who in watchers}
    rng = Random(seed)
    for _ in range(9):
        seat = game.waits_for()[0]
        player = game[seat]
        ask = player.asked[0]
        wrong = player.say("answers", None, decision=ask["id"], path=[["c999"]])
        seen[seat] += [wrong.content, json.dumps(player.answer_first(rng)).encode()]
        other = game[(seat + 1) % 3].say("answers", None, decision=ask["id"], path=[["c1"]])
        seen[(seat + 1) % 3].append(other.content)
        for who, watcher in watchers.items():
            seen[who] += [watcher.read(f"/games/{game.game}{path}").content for path in READS]
            never[who] &= hidden_from(game.game, who)
    for who in watchers:
        assert never[who], "there must be something to hide"
        told = words(seen[who])
        assert (
            who is None or {card["key"] for card in game[who].see()["table"]["zones"][f"hand:{who}"]["cards"]} <= told
        )
        assert not {key for key in never[who] if any(key in text.split() or key == text for text in told)}, who
        assert "pass_key" not in told
        assert "numbers" not in told


def test_a_check_of_a_live_game_says_only_whether_it_holds(table):
    report = table()[0].see("/verify")
    assert report["ok"]
    assert {found["detail"] for found in report["sections"].values()} == {""}


def test_a_spectator_sees_the_public_view_and_a_player_no_more_than_the_seat(table, person):
    game = table()
    spectator = Player(person(), game.game)
    view = spectator.see()["table"]
    assert view["zones"]["hand:0"] == view["zones"]["hand:1"] == {"count": 5}
    assert all("shape" not in ask for ask in view["open"])
    assert "may" not in view
    assert game[0].see()["table"]["zones"]["hand:1"] == {"count": 5}


@pytest.mark.parametrize(("policy", "opens"), [("game", True), ("match", False), ("event", False), ("judges", False)])
def test_the_seals_open_as_the_terms_say(table, person, policy, opens):
    game = table(seals=policy)
    game[0].say("concede")
    spectator = Player(person(), game.game)
    assert spectator.see()["seals_open"] is opens
    assert ("cards" in spectator.see()["table"]["zones"]["deck"]) is opens
    if not opens:
        problem(spectator.say("sandbox", None), 403, "sealed")
        judge = Player(person("judge"), game.game)
        judge.say("open-seals", reason="the event is over", expected_seq=stands(game.game)[0])
        assert spectator.see()["seals_open"]
        assert len(spectator.see()["table"]["zones"]["deck"]["cards"]) == 42


def test_seals_stay_closed_while_the_game_is_on(table, person):
    game = table(seals="event")
    judge = Player(person("judge"), game.game)
    problem(judge.say("open-seals", None, reason="?", expected_seq=stands(game.game)[0]), 422, "illegal")
    problem(game[0].say("sandbox", None), 403, "sealed")


def test_any_moment_as_a_sandbox(table, person):
    """All seats, nothing hidden, and it plays on from there, in a stream of its own."""
    game = table()
    game.play_out()
    owner = Player(person(), game.game)
    opened = owner.say("sandbox", at=4, command_id="s1")
    assert owner.say("sandbox", at=4, command_id="s1") == opened
    box = Player(owner.someone, opened["stream"])
    view, then = box.see(), game[0].see("/state?at=4&as=table")
    assert view["table"]["zones"] == then["table"]["zones"]
    assert (
        view["waits_for"]
        == then["waits_for"]
        == [1 - game[0].see("/events?since=3&limit=1")["data"][0]["action"]["seat"]]
    )
    assert Player(person(), opened["stream"]).read(f"/games/{opened['stream']}").status_code == 404, "private"
    rng = Random(1)
    while box.see()["waits_for"]:
        ask = box.see()["table"]["open"][0]
        box.say("answers", decision=ask["id"], path=box.path(ask, rng))
    assert box.see()["phase"] == "over"
    assert box.see("/verify")["ok"]


def test_a_judge_opens_a_sandbox_of_a_sealed_game_on_record(table, person):
    from events import audit, store

    game = table(seals="judges")
    judge = Player(person("judge"), game.game)
    judge.say("sandbox", at=3)
    assert [event.do for event in store.read(audit.audit_stream(game.game))] == ["begin", "look"]


def test_decks_brought_along_are_sealed_to_their_seat(person):
    ada, ben = Player(person()), Player(person())
    ada.game = ben.game = json.loads(ada.do("/games", {"command_id": "a", "rulebook": "highcard"}).content)["stream"]
    joined = ada.say("join", seat=0, deck=["my-secret-card"])
    assert joined["action"]["deck"] == ["my-secret-card"]
    ben.say("join", seat=1)
    for path in READS[:6]:
        assert b"my-secret-card" not in ben.read(f"/games/{ada.game}{path}").content
    assert ada.see()["seats"][0]["deck"] == ["my-secret-card"]
