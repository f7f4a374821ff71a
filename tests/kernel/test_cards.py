"""Cards, zones and what is known: new ids, forgetting, face down, shown to one, blind, attached, controlled."""

import pytest

from games.kernel import PUBLIC, Ask, number, redact_all, to_dict, view
from games.kernel.play import T
from games.kernel.table import clone


@pytest.fixture
def t(book, table):
    """The verbs on a table that waits."""

    @book.question()
    def wait(t):
        return Ask(0, number(0, 1))

    @wait.answered
    def waited(t, answer):
        t.end("tie")

    return T(clone(table(wait).table), book, b"k" * 32)


def seen(t, viewer):
    """The last effect as the viewer gets it."""
    found = redact_all([to_dict(t.effects[-1])], viewer)
    return found[0] if found else None


def shown(t, viewer, zone):
    return view(t.s, viewer)["zones"][zone]


def test_a_move_gives_a_new_id_and_the_old_one_is_dead(t):
    card = t.ids("hand:0")[0]
    t.count(card, "power", 2)
    moved = t.move(card, "pile")
    assert moved != card
    assert t.find(card) is None
    assert t.card(moved).n == {}, "it arrives as a new thing"
    assert seen(t, 1) == {"e": "move", "new": [moved], "keys": ["A"], "src": "hand:0", "to": "pile"}
    t.count(moved, "power", 3)
    kept = t.move(moved, "pile", keep=True)
    assert t.n(kept, "power") == 3


def test_a_card_cannot_be_followed_through_a_hidden_zone(t):
    card = t.move(t.ids("hand:0")[0], "pile")
    t.know(card, PUBLIC)
    back = t.move(card, "hand:0")
    assert seen(t, 1) == {"e": "move", "cards": [card], "keys": ["A"], "src": "pile", "to": "hand:0"}
    assert t.card(back).known == 0
    assert shown(t, 1, "hand:0") == {"count": 3}
    assert {one["id"] for one in shown(t, 0, "hand:0")["cards"]} == set(t.ids("hand:0"))


def test_a_place_chosen_in_secret_is_told_to_its_chooser_only(t):
    """Put a card anywhere into the deck: wherever it goes, nobody else gets anything else to see."""
    told = {}
    for at in (None, 0, 2):
        one = T(clone(t.s), t.book, b"k" * 32)
        new = one.move(one.ids("hand:0")[0], "deck", at=at, place=[0])
        assert one.ids("deck").index(new) == (3 if at is None else at)
        assert seen(one, 0).get("at") == at
        assert seen(one, "table").get("at") == at
        told[at] = [[seen(one, viewer), view(one.s, viewer)] for viewer in (1, None)]
    assert told[None] == told[0] == told[2]


def test_who_sees_a_card_in_its_zone_learns_its_place_anyway(t):
    t.move(t.ids("hand:0")[0], "pile", at=0, place=[0])
    assert seen(t, 1)["at"] == 0, "the pile is public"
    t.move(t.ids("hand:0")[0], "deck", at=1, place=[0], known=[1])
    assert seen(t, 1)["at"] == 1
    assert "at" not in seen(t, None)


def test_a_shuffle_gives_every_card_a_new_id_and_forgets(t):
    top = t.ids("deck")[0]
    t.know(top, [0])
    assert [card and card["key"] for card in shown(t, 0, "deck")["cards"]] == ["X", None, None]
    before = set(t.ids("deck"))
    t.shuffle("deck")
    assert not before & set(t.ids("deck"))
    assert shown(t, 0, "deck") == {"count": 3}
    assert seen(t, 0) == {"e": "draw", "n": 0, "label": "shuffle deck", "how": "shuffle", "zone": "deck"}
    assert sorted(card.key for card in t.cards("deck")) == ["X", "Y", "Z"]


def test_cards_leave_a_hand_together_in_the_order_of_their_keys(t):
    hand = t.ids("hand:0")
    t.move_all(reversed(hand), "pile")
    assert [card.key for card in t.cards("pile")] == ["A", "B", "C"]


def test_face_down_in_play_is_known_to_its_controller_only(t):
    card = t.move(t.ids("hand:0")[1], "pile", down=True, known=[0])
    assert "keys" not in seen(t, 1)
    assert shown(t, 1, "pile")["cards"] == [{"id": card, "owner": 0, "down": True, "known": 1}]
    assert shown(t, 0, "pile")["cards"][0]["key"] == "B"
    t.know(card, PUBLIC)
    assert shown(t, None, "pile")["cards"][0] == {"id": card, "key": "B", "owner": 0}
    t.conceal(card, [1])
    assert "key" not in shown(t, 0, "pile")["cards"][0]
    assert shown(t, 1, "pile")["cards"][0]["key"] == "B"


def test_a_blind_card_is_unknown_even_to_its_owner(t):
    """Committed from the top of the deck: only the one who delays sees it."""
    card = t.move(t.ids("deck")[0], "pile", down=True, known=[1])
    assert [("key" in shown(t, viewer, "pile")["cards"][0]) for viewer in (0, 1, None)] == [False, True, False]
    assert t.card(card).key == "X"


def test_a_hand_can_be_opened_to_another_and_closed_again(t):
    t.sight("hand:0", [0, 1], [0, 1])
    assert len(shown(t, 1, "hand:0")["cards"]) == 3
    t.sight("hand:0", [0], [0])
    assert shown(t, 1, "hand:0") == {"count": 3}


def test_a_look_is_seen_once_by_those_who_look(t):
    t.look(t.ids("deck")[:2], [1])
    assert seen(t, 1)["keys"] == ["X", "Y"]
    assert seen(t, 0) == {"e": "look", "zone": "deck", "seats": 2, "n": 2}
    assert shown(t, 1, "deck") == {"count": 3}


def test_owner_controller_and_placer_are_three(t):
    card = t.move(t.ids("hand:0")[0], "pile")
    t.give(card, 1)
    t.mark(card, "cursed", {"by": 2})
    assert (t.card(card).owner, t.card(card).ctrl, t.card(card).marks) == (0, 1, {"cursed": {"by": 2}})
    t.mark(card, "cursed", None)
    assert t.card(card).marks == {}
    assert t.card(t.move(card, "pile")).ctrl == 0, "back to the owner with the next move"


def test_what_is_attached_goes_along_or_falls_off(t):
    host, spell = t.move_all(t.ids("hand:0")[:2], "pile")
    t.attach(spell, host)
    host = t.move(host, "pile", keep=True)
    assert (t.card(spell).on, t.card(host).held) == (host, (spell,))
    spell = t.move(spell, "pile", keep=True)
    assert t.card(host).held == (spell,)
    t.move(host, "hand:0")
    assert t.card(spell).on == ""


def test_tokens_come_and_go(t):
    [token] = t.make("Token", 0, "pile")
    assert t.ids("pile") == [token]
    t.remove(token)
    assert t.ids("pile") == []
    assert seen(t, None) == {"e": "gone", "cards": [token], "keys": ["Token"], "src": "pile"}


def test_hidden_variables_and_marks(t):
    t.set("_secret", 1)
    assert seen(t, 0) is None
    t.set("note", "x", seats=[1])
    t.mark(t.ids("hand:0")[0], "_used")
    assert seen(t, 0) is None
    assert view(t.s, 0)["vars"] == {}
    assert view(t.s, 1)["vars"] == {"note": "x"}
    assert view(t.s, "table")["vars"] == {"_secret": 1, "note": "x"}
    assert "_used" not in str(view(t.s, 0)["zones"])


def test_only_what_survives_a_save_can_be_stored(t):
    t.set("pair", (1, (2, 3)))
    assert t.var("pair") == [1, [2, 3]]
    for wrong in ({1: 2}, {"x"}, 1.5, object()):
        with pytest.raises(TypeError):
            t.set("wrong", wrong)
