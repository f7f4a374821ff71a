"""Draws follow docs/format.md exactly: recomputed here from the text alone."""

import hashlib
import hmac
from random import Random

from games.kernel import delay_ms, randomness, rulebook, start, to_dict
from games.kernel.playout import random_game


def recomputed(key, draw):
    """docs/format.md, Randomness 4 and 5."""
    label = draw["label"].encode()
    n = str(draw["n"]).encode()
    fields = len(n).to_bytes(4, "big") + n + len(label).to_bytes(4, "big") + label
    k = hmac.new(key, b"arbiter/draw/v1\0" + fields, hashlib.sha256).digest()

    def words():
        counter = 0
        while True:
            block = hmac.new(k, counter.to_bytes(8, "big"), hashlib.sha256).digest()
            yield from (int.from_bytes(block[i : i + 4], "big") for i in range(0, 32, 4))
            counter += 1

    source = words()

    def below(m):
        while True:
            x = next(source)
            if x < 2**32 - (2**32 % m):
                return x % m

    if draw["how"] == "below":
        return below(draw["input"])
    result = sorted(draw["input"])
    for i in range(len(result) - 1, 0, -1):
        j = below(i + 1)
        result[i], result[j] = result[j], result[i]
    return result


def test_every_draw_of_a_game_can_be_recomputed_from_the_format():
    book = rulebook("highcard")
    draws = [
        form
        for event in random_game(book, book.sample_setups()[-1], 5)
        for form in map(to_dict, event.effects)
        if form["e"] == "draw"
    ]
    key = Random(f"{book.id}/5").randbytes(32)
    assert draws
    assert [draw["n"] for draw in draws] == list(range(len(draws)))
    for draw in draws:
        assert draw["input"] == sorted(draw["input"])
        assert draw["result"] == recomputed(key, draw)
        assert draw["only"]["input"] == draw["only"]["result"] == 0


def test_below_and_texts(book, table):
    @book.step
    def begin(t):
        t.set("die", t.below(6, "die"))
        t.set("order", t.shuffled(["c", "a", "b"], "order", public=True))
        t.set("picked", [t.card(card).key for card in t.random_cards(t.ids("hand:0"), 2, "random discard")])
        t.end("tie")

    game = table(begin)
    draws = [form for form in game.told if form["e"] == "draw"]
    assert [draw["how"] for draw in draws] == ["below", "shuffle", "shuffle"]
    for draw in draws:
        assert draw["result"] == recomputed(b"scenario" * 4, draw)
    assert game.table.vars["die"] == draws[0]["result"]
    assert "only" not in draws[1]
    assert len(game.table.vars["picked"]) == 2


def test_same_key_same_game_another_key_another():
    def hand(key):
        table = start("highcard", 3, key).table
        return [table.cards[card].key for card in table.zones["hand:0"].cards]

    assert hand(b"a" * 32) == hand(b"a" * 32) != hand(b"b" * 32)


def test_the_delay_of_a_pass_is_keyed_and_says_nothing():
    delays = [delay_ms(b"k" * 32, f"d{number}") for number in range(200)]
    assert all(400 <= delay < 1600 for delay in delays)
    assert len(set(delays)) > 150
    assert delays == [delay_ms(b"k" * 32, f"d{number}") for number in range(200)]


def test_a_shuffle_drops_the_words_of_the_last_run(monkeypatch):
    """2^32 = 1 mod 5 and mod 3: the highest word would favour the first index and is not used."""
    highest = 2**32 - 1
    words = [highest, highest, 7, 2, highest, highest - 1, 1, 0] * 3
    monkeypatch.setattr(randomness, "blocks", lambda *_: iter([tuple(words[i : i + 8]) for i in range(0, 24, 8)]))
    source = iter(words)
    expected = list("abcde")
    for i in range(4, 0, -1):
        j = randomness.index_below(source, i + 1)
        expected[i], expected[j] = expected[j], expected[i]
    assert next(source) == 0, "three of the words were dropped"
    assert randomness.shuffled(b"k" * 32, 0, "x", "edcba") == expected
