"""TS-3 to TS-8: the open draft of two, the pass draft of three to six."""

import random

import pytest

from games.kernel import Rejected
from games.kernel.testing import given
from games.rulebooks.theos.board import DECK, GONE
from games.rulebooks.theos.cards import CARDS
from games.rulebooks.theos.draft import ASIDE, DRAFTED, PACK, PASS_DRAFT, POOL, last_of_the_most, open_pool, turn_up
from tests.rules import rule

POWERS = ["P9", "D9", "H9", "G9", "P10", "D10", "H10", "G10", "P11", "D11", "H11", "G11"]


def no_second_shuffle(cards):
    raise AssertionError("the face-down cards did not run out")


def drafted(table, seat):
    return table.keys(DRAFTED[seat])


@rule("theos", "TS-3", "TH-4.9", "TH-4.10", "TH-4.11", "TH-4.12", "TR-14")
def test_coverage_repair():
    offerings = ["P2", "D3", "D4", "H2", "P5", "H3", "D6", "P7", "D7", "H8", "P8", "D8"]
    top = [*offerings, *POWERS, "H12", "P3", "G6"]
    rest = [key for key, card in CARDS.items() if card.speed > 1 and key not in top]
    laid = open_pool(top + rest, no_second_shuffle)

    assert laid.discarded == ["D8", "H12", "P3"]
    assert laid.pool == ["P1", "D1", "H1", "G1", *offerings[:-1], "G6", *POWERS]
    assert (len(laid.pool), len(laid.discarded) + len(laid.unseen)) == (28, 32)


@rule("theos", "TS-4", "TH-4.11", "TR-13")
def test_tie_for_the_most():
    assert last_of_the_most(["P2", "P3", "D2", "D3", "P4", "H2", "D4", "D5", "P5", "D6", "H3", "P6"]) == "P6"
    assert last_of_the_most(["P2", "P3", "D2", "D3", "P4", "H2", "D4", "D5", "P5", "P6", "H3", "D6"]) == "D6"


@rule("theos", "TR-15", "TH-4.11")
def test_the_face_down_cards_run_out_during_a_repair():
    """All Gaia Offerings come up as surplus, and the stock ends before one is found."""
    gaia = [f"G{n}" for n in range(2, 9)]
    others = [f"{god}{n}" for n in range(2, 9) for god in "PDH"]
    powers = [key for key, card in CARDS.items() if card.type == "power" and key not in POWERS]
    shuffles = []

    def again(cards):
        shuffles.append(sorted(cards))
        return ["P13", "G4", *(card for card in cards if card not in ("P13", "G4"))]

    laid = open_pool([*others[:12], *gaia, *others[12:], *POWERS, *powers], again)
    assert shuffles == [sorted([*gaia, *others[11:], *powers])]  # with the H5 that made room
    assert laid.pool[4:16] == [*others[:11], "G4"]
    assert laid.discarded == ["P13"]
    assert sorted([*laid.pool, *laid.discarded, *laid.unseen]) == sorted(CARDS)


@rule("theos", "TH-4.10", "TH-4.11", "TH-4.12")
@pytest.mark.parametrize("seed", range(40))
def test_any_shuffle_gives_a_covered_pool(seed):
    order = [key for key, card in CARDS.items() if card.speed > 1]
    random.Random(seed).shuffle(order)
    laid = open_pool(order, lambda cards: cards[::-1])

    for kind in ("offering", "power"):
        pile = [CARDS[key] for key in laid.pool if CARDS[key].type == kind]
        assert len(pile) == 12
        assert len({card.god for card in pile}) == 4
    assert sorted([*laid.pool, *laid.discarded, *laid.unseen]) == sorted(CARDS)


@rule("theos", "TS-5", "TH-4.12", "TH-4.13", "TH-4.14", "TH-4.15", "TR-16", "TR-19")
def test_open_draft_picking():
    table = given("theos", 2, options={"decks": "draft", "novice": 1})
    assert table.waits_for == {1: "open_draft_order"}
    table.answer(1, open_draft_order="pick second")
    assert len(table.keys(POOL)) == 28
    assert table.view(None)["zones"][POOL]["count"] == 28

    taken = ""
    for number in range(24):
        picker = number % 2
        assert table.waits_for == {picker: "open_draft_pick"}
        wrong = {
            "do": "answer",
            "seat": 1 - picker,
            "decision": table.asked(picker, "open_draft_pick").id,
            "path": [[]],
        }
        with pytest.raises(Rejected, match=f"Seat {picker} decides"):
            table.do(wrong)
        if number:
            assert table.refuses(picker, open_draft_pick=taken).errors[0]["code"] == "unknown_option"
            shown = table.view(picker)["zones"][DRAFTED[1 - picker]]["cards"]
            assert taken in [card["key"] for card in shown]  # both see both decks
        taken = table.options(picker, "open_draft_pick")[0]
        table.answer(picker, open_draft_pick=taken)

    assert [len(table.keys(DECK[seat])) for seat in (0, 1)] == [12, 12]
    assert len(table.keys(GONE)) == 36
    assert table.view(1)["zones"][DECK[0]] == {"count": 12}
    assert len(table.view(0)["zones"][DECK[0]]["cards"]) == 12
    assert {card.owner for card in table.table.cards.values() if card.zone == DECK[0]} == {0}
    assert table.waits_for == {0: "build_hand", 1: "build_hand"}


@rule("theos", "TR-16", "TH-4.13", "TH-17.1")
def test_the_first_picker_is_drawn():
    first = {
        next(iter(given("theos", 2, options={"decks": "draft"}, key=bytes([n] * 32)).waits_for)) for n in range(12)
    }
    assert first == {0, 1}


@rule("theos", "TS-6", "TH-4.22", "TR-17")
def test_set_aside():
    order = ["P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9", "P10", "P11", "P12", "P13", "P14", "P15"]
    assert turn_up(order, 6) == (order[1:7] + order[8:14], ["P1", "P8"])


@rule(
    "theos",
    "TS-6",
    "TH-4.20",
    "TH-4.21",
    "TH-4.22",
    "TH-4.23",
    "TH-4.26",
    "TH-4.27",
    "TH-4.28",
    "TR-17",
    "TR-18",
    "TR-20",
)
@pytest.mark.parametrize("seats", [3, 4])
def test_pass_draft_with_three_or_four_players(seats):
    numbers = PASS_DRAFT[seats]
    table = given("theos", seats, options={"decks": "draft"})
    aside = table.keys(ASIDE)
    assert sorted(CARDS[key].type for key in aside) == ["offering"] * numbers.aside + ["power"] * numbers.aside
    left_in_pool = 60 - 2 * numbers.aside - seats * numbers.dealt
    assert len(table.keys(POOL)) == left_in_pool
    for deal, step in ((1, 1), (2, -1)):
        for pick in range(numbers.picks):
            packs = [table.keys(PACK[seat]) for seat in range(seats)]
            assert {len(pack) for pack in packs} == {numbers.dealt - pick}
            for seat in range(seats):
                table.answer(seat, pass_draft_pick=packs[seat][0])
            if pick + 1 == numbers.picks:  # leftovers leave unseen by anybody new
                for seat in range(seats):
                    others = {key for n in range(seats) if n != seat for key in packs[n][1:]}
                    moves = [effect for effect in table.seen(seat) if effect["e"] == "move" and effect["to"] == GONE]
                    assert not others & {key for effect in moves for key in effect.get("keys", ())} - set(aside)
            if pick + 1 < numbers.picks:  # passed on, left in the first deal and right in the second
                for seat in range(seats):
                    assert sorted(table.keys(PACK[(seat + step) % seats])) == sorted(packs[seat][1:])
        if deal == 1:
            assert [len(drafted(table, seat)) for seat in range(seats)] == [6] * seats
            unseen = table.view(0)["zones"][GONE]
            assert all("key" not in card for card in unseen["cards"])  # leftovers leave unseen by anybody new

    assert table.keys(POOL) == table.keys(ASIDE) == []
    assert [len(table.keys(DECK[seat])) for seat in range(seats)] == [12] * seats
    assert set(table.waits_for.values()) == {"build_hand"}


@rule("theos", "TS-7", "TH-4.24", "TH-4.25")
def test_picks_are_secret_until_complete():
    table = given("theos", 4, options={"decks": "draft"})
    packs = [table.keys(PACK[seat]) for seat in range(4)]
    before = table.view(0)["zones"]
    table.answer(0, pass_draft_pick=packs[0][2]).answer(1, pass_draft_pick=packs[1][3])

    view = table.view(0)
    assert view["zones"] == before  # nothing shown, nothing passed
    assert [ask["seat"] for ask in view["open"]] == [2, 3]
    assert packs[1][3] not in str(table.seen(0))
    assert [len(view["zones"][PACK[seat]].get("cards", [])) for seat in range(4)] == [7, 0, 0, 0]
    table.answer(2, pass_draft_pick=packs[2][0])
    assert table.view(0)["zones"] == before

    table.answer(3, pass_draft_pick=packs[3][1])
    assert [drafted(table, seat) for seat in range(4)] == [[packs[0][2]], [packs[1][3]], [packs[2][0]], [packs[3][1]]]
    assert sorted(table.keys(PACK[1])) == sorted(set(packs[0]) - {packs[0][2]})


@rule("theos", "TS-8", "TH-4.23", "TR-27", "TH-4.29", "TH-4.1")
@pytest.mark.parametrize("seats", [5, 6])
def test_pass_draft_with_five_and_six_players(seats):
    size = PASS_DRAFT[seats].picks
    table = given("theos", seats, options={"decks": "draft"})
    for left in range(size, 0, -1):
        assert all(len(table.options(seat, "pass_draft_pick")) == left for seat in range(seats))
        for seat in range(seats):
            table.answer(seat, pass_draft_pick=table.options(seat, "pass_draft_pick")[-1])

    assert [len(table.keys(DECK[seat])) for seat in range(seats)] == [size] * seats
    assert table.keys(GONE) == []
    for viewer in range(seats):  # the own deck at any time, never another one
        assert ["cards" in table.view(viewer)["zones"][DECK[seat]] for seat in range(seats)] == [
            seat == viewer for seat in range(seats)
        ]


@rule("theos", "TH-4.20", "TR-20", "TH-17.1")
def test_draft_seats_only_matter_for_passing():
    table = given("theos", 4, options={"type": "2v2", "decks": "draft", "draft_seats": [0, 2, 1, 3]})
    packs = [table.keys(PACK[seat]) for seat in range(4)]
    for seat in range(4):
        table.answer(seat, pass_draft_pick=packs[seat][0])
    assert sorted(table.keys(PACK[2])) == sorted(packs[0][1:])
    assert table.table.vars["around"] == [0, 1, 2, 3]

    drawn = given("theos", 4, options={"decks": "draft", "draft_seats": "random"})
    assert sorted(drawn.table.vars["draft seats"]) == [0, 1, 2, 3]
    assert any(effect["e"] == "draw" and effect["label"] == "draft seats" for effect in drawn.told)
    with pytest.raises(Rejected, match="every seat from 0 to 3"):
        given("theos", 4, options={"decks": "draft", "draft_seats": [0, 1, 2]})
