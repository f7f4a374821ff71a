"""A server that cheats and then hashes, seals and chains its lie properly: what still gives it away, and where."""

import hashlib
import hmac
import json

import pytest

from events.verifier import verify
from tests.verifier.exports import Game, H, dumps, keyed, secret_bytes, small_game

pytestmark = pytest.mark.embedded  # no database in it: once is enough


def verdict(game, section, seq, words, **view):
    """The lie is found in this section, at this event, and in no other section."""
    report = verify(game.lines(proof=False, **(view or {"opened": True})))
    failed = {name: finding for name, finding in report.sections.items() if finding.status == "failed"}
    assert set(failed) == {section}, str(report)
    assert (failed[section].seq, report.first_bad) == (seq, seq), str(report)
    assert words in failed[section].detail


def draw_record(game, how, n, given, result, **more):
    """A draw as the server says it went, whatever it should have been."""
    record = {"e": "draw", "n": n, "label": "deck", "how": how}
    fields = {"input": given, "result": result}
    part = {"at": 1, "fields": fields, "only": {"input": 0, "result": 0}}
    return game.add("answer", {}, [record | more], [part])


@pytest.fixture
def started():
    game = Game("gam_cheat").begin().ready()  # four events: create, join, join, ready
    game.draws = 1
    return game


def right_shuffle(game, items, label="deck"):
    twin = Game(game.stream).begin().ready()
    twin.draw("shuffle", label, items, only=0)
    line, _texts = twin.events[-1]
    return line["openings"]["table"]["opening"][1]["fields"]["result"]


def test_the_right_result_passes(started):
    draw_record(started, "shuffle", 0, [1, 2, 3, 4], right_shuffle(started, [1, 2, 3, 4]))
    assert verify(started.lines(opened=True, proof=False)).ok


def test_a_shuffle_with_two_cards_changed(started):
    result = right_shuffle(started, [1, 2, 3, 4])
    result[0], result[1] = result[1], result[0]
    draw_record(started, "shuffle", 0, [1, 2, 3, 4], result)
    verdict(started, "shuffles", 5, "should have given")


@pytest.mark.parametrize(
    ("n", "how", "given", "result", "words"),
    [
        (1, "shuffle", [1, 2], [1, 2], "draw 1 where draw 0 is due"),
        (None, "shuffle", [1, 2], [1, 2], "draw None where"),
        (0, "shuffle", [2, 1, 3], [1, 2, 3], "sorted list"),
        (0, "shuffle", ["a", 1], ["a", 1], "sorted list"),
        (0, "shuffle", [[1], ["a"]], [], "sorted list"),
        (0, "shuffle", "abc", "abc", "sorted list"),
        (0, "below", 0, 0, "from 1 to 2^32"),
        (0, "below", 2**32 + 1, 5, "from 1 to 2^32"),
        (0, "below", True, 0, "from 1 to 2^32"),
        (0, "below", 1, False, "should have given 0"),
        (0, "pick", [1], [1], "neither"),
    ],
)
def test_a_draw_that_is_none(started, n, how, given, result, words):
    draw_record(started, how, n, given, result)
    verdict(started, "shuffles", 5, words)


def test_a_draw_under_another_label(started):
    draw_record(started, "shuffle", 0, list("abcdef"), right_shuffle(started, list("abcdef"), "other"))
    verdict(started, "shuffles", 5, "should have given")


def test_a_repeated_draw_number_that_was_hidden_from_the_seats(started):
    started.draws = 0
    started.hidden_draw("one", 100)
    started.draws = 0
    started.hidden_draw("two", 100)
    verdict(started, "shuffles", 6, "draw 0 where draw 1 is due")


def test_a_draw_before_all_numbers_were_open():
    game = Game("gam_early").begin()
    game.draw("below", "die", 6, only=1)
    verdict(game, "shuffles", 4, "before every seat's number was open")


def test_a_draw_in_the_event_that_completes_the_joins():
    """Its hash goes into the key: whoever draws in it could try hashes until the draw pleases."""
    game = Game("gam_early", seats=0)
    game.completed = "0" * 64
    game.add("create", {"commit": H("commit", game.stream, game.seed).hex()}, [], [
        {"at": 1, "effect": {"e": "draw", "n": 0, "label": "x", "how": "below", "input": 2, "result": 0}, "only": 0},
    ])  # fmt: skip
    game.draws = 1
    verdict(game, "shuffles", 1, "before every seat's number was open")


def test_another_seed_than_the_committed(game):
    """With the salts and house numbers of the new seed, but the commit of the old."""
    cheat = Game("gam_seed", seed=secret_bytes("new"))
    cheat.add("create", {"commit": H("commit", cheat.stream, secret_bytes("old")).hex()})
    verdict(cheat, "shuffles", 1, "another seed")


def test_a_number_other_than_the_committed():
    game = Game("gam_number").begin()
    game.own = secret_bytes("other")
    game.ready()
    report = verify(game.lines(viewer=None, proof=False))
    assert report.sections["shuffles"].seq == 4, "seen at once, before the seals open"
    assert "another number than it committed to" in report.sections["shuffles"].detail


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({"seat": 1, "number_commit": None}, "after all were in"),
        ({"seat": 1, "number_withdrawn": True}, "no number to withdraw"),
        ({"seat": 1, "number_open": "0" * 64}, "no number to open"),  # it took a house number
        ({"seat": 5, "number_open": "0" * 64}, "no number to open"),
        ({"seat": True, "number_commit": None}, "seat True"),
        ({"seat": 0, "number_open": 5}, "no number to open"),
    ],
)
def test_numbers_that_change_after_the_joins(record, words):
    game = Game("gam_late").begin().add("answer", {}, [{"e": "x", **record}])
    verdict(game, "shuffles", 4, words, viewer=None)


def test_a_seat_that_leaves_takes_its_number_along():
    """Joins are complete when all seats are in at the same time, not when each was in once."""
    game = Game("gam_left")
    game.add("create", {"commit": H("commit", game.stream, game.seed).hex()})
    game.add("join", {"seat": 1, "number_commit": "1" * 64})
    game.add("leave", {"seat": 1, "number_withdrawn": True})
    game.add("join", {"seat": 0, "number_commit": H("seat", game.stream, 0, game.own).hex()})
    game.add("join", {"seat": 1, "number_commit": None})
    game.completed = game.head.hex()
    game.ready().draw("shuffle", "deck", [1, 2, 3], only=0)
    assert verify(game.lines(opened=True)).ok


def test_the_secret_line_with_other_numbers(game):
    lines = game.lines(opened=True, proof=False)
    secret = json.loads(lines[1])
    for numbers in ([], [secret["numbers"][1], secret["numbers"][0]]):
        report = verify([lines[0], dumps(secret | {"numbers": numbers}) + b"\n", *lines[2:]])
        assert report.sections["shuffles"].status == "failed"
        assert "secret line" in report.sections["shuffles"].detail


def test_a_seat_that_was_told_a_lie():
    """Its slot holds something else than the table's record says it was told; both are sealed properly."""
    game = Game("gam_lie").begin()
    told = game.told
    game.told = lambda table, seat: [{"at": 0, "fields": {"card": "gaia"}}] if seat == 0 else told(table, seat)
    game.add("answer", {}, [], [{"at": 0, "fields": {"card": "ruin"}, "only": {"card": 1}}])
    verdict(game, "seals", 4, "seat 0 was told something else")


def test_a_seat_that_was_told_true_where_the_record_says_one():
    game = Game("gam_true").begin()
    told = game.told
    game.told = lambda table, seat: [{"at": 0, "fields": {"n": True}}] if seat == 0 else told(table, seat)
    game.add("answer", {}, [], [{"at": 0, "fields": {"n": 1}, "only": {"n": 1}}])
    verdict(game, "seals", 4, "seat 0 was told something else")


@pytest.mark.parametrize(
    "part",
    [
        {"at": 9, "effect": {}, "only": 0},
        {"at": 1, "fields": {"x": 1}, "only": {"x": 1}},
        {"at": 0, "fields": {"x": 1}, "only": {}},
        {"at": 0, "fields": {"x": 1}, "only": 1},
        {"at": True, "effect": {}, "only": 0},
        {"at": 0, "effect": [], "only": 0},
        {"at": 0, "effect": {}, "only": "1"},
        {"at": 0},
        7,
    ],
)
def test_a_part_of_the_record_that_fits_nowhere(part):
    game = Game("gam_part").begin()
    game.told = lambda table, seat: []
    game.add("answer", {}, [], [part])
    verdict(game, "seals", 4, "fits nowhere")


def test_salts_that_do_not_follow_from_the_seed():
    game = Game("gam_salt").begin()
    game.salt_key = secret_bytes("other")
    game.add("answer")
    verdict(game, "seals", 4, "does not follow from the seed")


def test_an_event_dated_back():
    game = Game("gam_time").begin()
    for at in (5, 4):
        game.add("answer")
        line, _texts = game.events.pop()
        envelope = line["envelope"] | {"at": line["envelope"]["at"] + at}
        game.head = H("event", dumps(envelope))
        game.events.append((line | {"envelope": envelope, "hash": game.head.hex()}, []))
        game.feed.leaves[-1] = game.head
    assert verify(game.lines()).ok, "5 ms later, then 4 ms later than due: still in order"
    line, _texts = game.events[-1]
    envelope = line["envelope"] | {"at": 1794988800000}
    game.head = H("event", dumps(envelope))
    game.events[-1] = (line | {"envelope": envelope, "hash": game.head.hex()}, [])
    verdict(game, "chain", 5, "earlier than the event before", viewer=None)


def test_a_rewritten_event_with_everything_after_it_rewritten_too():
    """The chain alone cannot see it; a head that was kept can, and the checkpoint does."""
    honest = small_game()
    cheat = Game("gam_0001").begin().ready().add("answer", {"rewritten": True})
    assert cheat.head != honest.head
    lines = cheat.lines(proof=False)
    proof = next(line for line in honest.lines() if b'"t":"proof"' in line)
    forged = json.loads(proof) | {"seq": len(cheat.events), "position": len(cheat.events)}
    end = dumps({"lines": len(lines), "t": "end"}) + b"\n"
    report = verify([*lines[:-1], dumps(forged) + b"\n", end])
    assert [report.sections[name].status for name in ("chain", "signature", "inclusion")] == ["ok", "ok", "failed"]


def test_keys_are_length_prefixed_fields():
    """One draw computed by hand, so that generator and verifier cannot share a misreading of the format."""

    def mac(key, data):
        return hmac.new(key, data, hashlib.sha256).digest()

    def field(data):
        return len(data).to_bytes(4, "big") + data

    seed, p0, p1 = bytes(range(32)), b"\x11" * 32, b"\x22" * 32
    anchor = b"ab" * 32
    key = mac(seed, b"arbiter/key/v1\0" + field(b"game-0001") + field(anchor) + field(p0) + field(p1))
    assert key == keyed(seed, "key", "game-0001", "ab" * 32, p0, p1)
    draw = mac(key, b"arbiter/draw/v1\0" + field(b"0") + field(b"library:1"))
    assert draw == keyed(key, "draw", 0, "library:1")
