"""No viewer learns what is hidden: twins over views, events, options, previews, refusals and narration."""

import importlib
from random import Random

import pytest

from games.kernel import PUBLIC, Ask, Rulebook, Setup, T, new_table, pick, register, view
from games.kernel import rulebook as find_book
from games.kernel.playout import random_game

from .twins import Leak, check


@pytest.fixture(autouse=True)
def only_for_this_test(monkeypatch):
    """Rulebooks made up here are unknown elsewhere."""
    registry = importlib.import_module("games.kernel.rulebook")
    monkeypatch.setattr(registry, "_BOOKS", dict(registry._BOOKS))


def leak_test(book, setup, seeds, every=3, count=1):
    compared = 0
    for seed in seeds:
        rng = Random(f"twins {seed}")
        key = Random(f"{book.id}/{seed}").randbytes(32)
        table = new_table()
        for index, event in enumerate(random_game(book, setup, seed)):
            if index and rng.randrange(every) == 0:
                viewers = [None, *range(len(table.seats))]
                compared += check(book, table, event.action, key, rng.choice(viewers), rng, count)
            table = event.table
    return compared


def test_twins_look_alike_to_everybody(case, games):
    leak_test(*case, games)


def test_the_twin_test_compares_something():
    """On a game with secrets it is not all excuses."""
    assert leak_test(find_book("highcard"), Setup(4), range(5), every=1, count=3) > 100


def deal(t: T):
    t.zone("deck", ids=0, faces=0)
    t.make([f"K{n}" for n in range(12)], -1, "deck")
    t.shuffle("deck")
    for seat in t.seats:
        t.zone(f"hand:{seat}", ids=[seat], faces=[seat], ordered=False, owner=seat)
        t.move_all(t.ids("deck")[:4], f"hand:{seat}")
    t.zone("pile", ids=PUBLIC, faces=PUBLIC)


def leaky(name):
    """A small card game that keeps its secrets, to be spoilt by each test below."""
    book = Rulebook(name, version=1, title=name, seats=[2])
    book.leak = lambda t, seat: None
    book.asks_all = True

    @book.setup
    def setup(t: T, options, decks):
        deal(t)
        t.push(turn, seat=0)

    @book.step
    def turn(t: T, seat: int):
        book.leak(t, seat)
        if not t.size(f"hand:{seat}"):
            t.end("tie", t.seats)
        elif book.asks_all or any(card.key < "K6" for card in t.cards(f"hand:{seat}")):
            t.ask(discard, seat=seat)
        else:
            t.push(turn, seat=1 - seat)
            t.move(t.ids(f"hand:{seat}")[0], "deck")

    @book.question()
    def discard(t: T, seat: int):
        return Ask(seat, pick(t.ids(f"hand:{seat}")), public=False)

    @discard.answered
    def discarded(t: T, seat: int, answer):
        t.move(answer[0], "pile")
        t.push(turn, seat=1 - seat)

    return register(book)


def leaks(book):
    with pytest.raises(Leak) as found:
        leak_test(book, Setup(2), range(10), every=1, count=3)
    return str(found.value)


def test_a_book_that_keeps_its_secrets_passes():
    leak_test(leaky("discreet"), Setup(2), range(10), every=1, count=3)


def test_a_hidden_key_that_is_said_is_found():
    book = leaky("chatty")
    book.leak = lambda t, seat: t.say("strongest", card=max((c.key for c in t.cards(f"hand:{seat}")), default=""))
    assert "the event differs" in leaks(book)


def test_a_hidden_key_in_a_public_variable_is_found():
    book = leaky("careless")
    book.leak = lambda t, seat: t.set("low", sum(card.key < "K6" for card in t.cards(f"hand:{seat}")))
    assert "differs" in leaks(book)


def test_asking_on_private_grounds_is_found():
    book = leaky("skipping")
    book.asks_all = False
    assert "the event differs" in leaks(book)


def picky(name, tells):
    """Everybody may discard a low card, twice; how many somebody holds is secret, unless the handler `tells`."""
    book = Rulebook(name, version=1, title=name, seats=[2])

    def low(t, seat):
        return t.ids(f"hand:{seat}", lambda card: card.key < "K6")

    @book.setup
    def setup(t: T, options, decks):
        deal(t)
        t.set("left", [0, 0, 1, 1])
        t.seq(shed(), over())

    @book.question(mode="each")
    def shed(t: T):
        return [Ask(seat, pick(low(t, seat), 0, 1), public=False) for seat in sorted(set(t.var("left")))]

    @shed.answered
    def shedded(t: T, answer):
        for seat, cards in answer.items():
            tells(t, len(low(t, seat)))
            left = list(t.var("left"))
            left.remove(seat)
            t.set("left", left)
            t.move_all(cards, "pile")

    @book.step
    def over(t: T):
        t.end("tie", t.seats)

    return register(book)


def test_private_options_of_questions_asked_again_are_no_excuse():
    """The twin's private options differ just where the leak does: it is compared as if play had come to it."""
    leak_test(picky("modest", lambda t, count: None), Setup(2), range(10), every=1, count=3)
    assert "the event differs" in leaks(picky("boasting", lambda t, count: t.say("had", count=count)))


def test_a_zone_everybody_sees_into_hides_nothing():
    """The other way round: views show what zones show."""
    book = leaky("open")
    table = next(iter(random_game(book, Setup(2), 0))).table
    assert "cards" not in view(table, None)["zones"]["hand:0"]
    assert len(view(table, 0)["zones"]["hand:0"]["cards"]) == 4
