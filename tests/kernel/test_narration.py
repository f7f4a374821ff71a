"""The record reads as sentences, and to each viewer only what that viewer knows."""

from games.kernel import Teller, rulebook
from games.kernel.testing import given


def test_a_trick_of_high_card_as_each_sees_it():
    game = given("highcard", place={"hand:0": ["S14", "C2"], "hand:1": ["D13", "C3"]})
    tellers = {viewer: Teller(rulebook("highcard"), viewer, ["Ann", "Bob"]) for viewer in (0, 1, None)}
    for teller in tellers.values():
        teller.tell(game.told)

    game.answer(0, choose_card="S14")
    assert tellers[0].tell(game.last) == ["Ann chooses the ace of spades (choose card)."]
    assert tellers[1].tell(game.last) == tellers[None].tell(game.last) == ["Ann has answered (choose card)."]

    game.answer(1, choose_card="D13")
    told = tellers[None].tell(game.last)
    assert told[0] == "Bob has answered (choose card)."
    assert told[1] == "The ace of spades goes from Ann's hand to Ann's shown."
    assert told[-1] == "Ann takes a trick."

    game.answer(0, bury="C2")
    assert "A card goes from Ann's hand to the deck." in tellers[1].tell(game.last)
    assert "The 2 of clubs goes from Ann's hand to the deck." in tellers[0].tell(game.last)


def test_a_teller_can_start_in_the_middle():
    game = given("highcard", place={"hand:0": ["S14", "C2"], "hand:1": ["D13", "C3"]})
    teller = Teller(rulebook("highcard"), 0)
    teller.learn(game.view(0))
    game.answer(0, choose_card="S14")
    assert teller.tell(game.last) == ["Seat 0 chooses the ace of spades (choose card)."]


def test_a_book_lends_its_words(book, table):
    book.sentences |= {
        "accepted": "{card!c} is accepted from {seat!p}.",
        "answer:ask": "{who} wants {told}.",
        "count:mojo": "{on} {gains} {by} Mojo.",
        "agreed": lambda teller, fields: f"all {fields['n']} agree.",
        "silent": "",
    }

    @book.step
    def begin(t):
        t.say("accepted", card="A", seat=1)
        t.count(1, "mojo", -2)
        t.say("agreed", n=3)
        t.say("silent")
        t.say("plain", where="here")
        t.say("whisper", [1], where="there")
        t.end("win", [0], "conceded")

    game = table(begin)
    told = Teller(book).tell(game.told)
    assert told[-5:] == [
        "A is accepted from seat 1.",
        "Seat 1 loses 2 Mojo.",
        "All 3 agree.",
        "Plain: where here.",
        "The game is over: seat 0 wins (conceded).",
    ]
