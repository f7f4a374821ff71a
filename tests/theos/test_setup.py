"""TS-1, TS-2, TS-9, TS-10, TS-61: what may be played, with which decks, and where everybody starts."""

from random import Random

import pytest

from games.kernel import Rejected, rulebook
from games.kernel.testing import given
from games.rulebooks.theos import options
from games.rulebooks.theos.board import DECK
from games.rulebooks.theos.cards import CARDS, GODS, LIMITS, LISTS, MANUAL, SETS, speed
from games.rulebooks.theos.setup import SPLITS
from tests.rules import rule

POOL = list(CARDS)


def refusal(seats, brought=(), **chosen):
    """The rules that refuse this set-up, through the front door; with pointer and code."""
    with pytest.raises(Rejected) as refused:
        given("theos", seats, options=chosen, decks=list(brought))
    return [(error["rule"], error["pointer"], error["code"]) for error in refused.value.errors]


def cut(size, count):
    """Disjoint decks from the pool."""
    return [POOL[n * size : (n + 1) * size] for n in range(count)]


def realms(table):
    return [seat.marks["realm"] for seat in table.table.seats]


@rule("theos", "TS-1", "TH-4.1", "TH-4.8", "TR-21", "TH-4.5", "TH-4.3")
def test_deck_size_by_player_count():
    seasons = [list(LISTS[name].cards) for name in ("spring", "summer", "fall", "winter")]
    two_more = [[key for key in POOL if all(key not in deck for deck in seasons)], POOL[:12]]
    found = refusal(6, brought=seasons + two_more)
    assert [("TH-4.8", f"/decks/{n}", "wrong_size") for n in range(6)] == [one for one in found if one[0] == "TH-4.8"]
    assert refusal(6, brought=seasons) == [("TH-4.1", "/decks", "bad_deck")]

    for size, seats in ((10, 6), (12, 5)):
        table = given("theos", seats, options={"decks": cut(size, seats), "take": list(range(seats))})
        assert [len(table.keys(DECK[seat])) for seat in range(seats)] == [size] * seats
        assert set(table.waits_for.values()) == {"build_hand"}


@rule("theos", "TH-4.2", "TH-4.5", "TH-2.3")
def test_every_card_exists_once_and_all_that_is_wrong_is_said_at_once():
    twice, short, strange = POOL[:11] + POOL[:1], POOL[11:20], [*POOL[20:31], "Z9"]
    assert refusal(3, decks=[twice, short, strange], take=[0, 0, 1], typo=1) == [
        ("TH-2.1", "/typo", "unknown_option"),
        ("TH-4.2", "/decks/0", "duplicate_card"),
        ("TH-4.1", "/decks/1", "wrong_size"),
        ("TH-2.3", "/decks/2", "unknown_card"),
        ("TH-4.6", "/take", "bad_take"),
    ]
    assert refusal(2, decks=["feast", "winter"]) == [("TH-4.2", "/decks", "shared_card")] * 2
    assert (len(POOL), len(GODS), {sum(card.god == god for card in CARDS.values()) for god in GODS}) == (60, 4, {15})


@rule("theos", "TS-2", "TH-3.1", "TH-4.4", "TH-2.6", "TR-8")
def test_game_types():
    assert refusal(3, type="2v2") == [("TH-3.1", "/type", "unsupported")]
    assert refusal(5, type="3v3") == [("TH-3.1", "/type", "unsupported")]
    assert refusal(4, type="3v3") == [("TH-3.1", "/type", "unsupported")]
    assert refusal(2, type="ffa") == [("TH-3.1", "/type", "unsupported")]
    assert refusal(4, decks="natures-balance") == [("TH-4.4", "/decks", "unsupported")]
    with pytest.raises(Rejected, match="2, 3, 4, 5, 6, not by 1"):
        given("theos", 1)

    for game_type in ("3v3", "2v2v2", "ffa"):
        table = given("theos", 6, options={"type": game_type})
        while "choose_start_realms" in table.waits_for.values():
            (captain,) = table.waits_for
            table.answer(captain, choose_start_realms=table.options(captain, "choose_start_realms")[0])
        assert {"symbols 1", "symbols 2"} <= set(table.table.vars)
    assert "symbols 2" not in given("theos", 4, options={"decks": "random"}).table.vars


@rule("theos", "TS-9", "TH-4.30", "TH-4.31", "TR-23", "TR-24")
def test_roster():
    table = given("theos", 2, options={"decks": "natures-balance"})
    assert table.waits_for == {0: "choose_roster"}
    table.answer(0, choose_roster="Bountiful Sea")
    assert table.said("takes")[1]["list"] == "Mysterious Earth"  # the only roster left, so B has no choice

    roster = list(LISTS["bountiful-sea"].cards)
    assert table.refuses(0, build_roster_deck=roster[:11]).errors[0]["rule"] == "TH-4.31"
    assert table.refuses(0, build_roster_deck=[*roster[:11], "G13"]).errors[0]["code"] == "unknown_option"
    assert table.refuses(0, build_roster_deck=[*roster[:10], "P4", "P4"]).errors[0]["code"] == "duplicate_option"
    table.answer(0, build_roster_deck=roster[3:15])
    table.answer(1, build_roster_deck=list(LISTS["mysterious-earth"].cards)[:12])
    assert sorted(table.keys(DECK[0])) == sorted(roster[3:15])

    for viewer in (1, None):
        assert table.view(viewer)["zones"][DECK[0]] == {"count": 12}
        shown = [effect for effect in table.seen(viewer) if effect["e"] == "make" and effect["owner"] == 0]
        assert [(effect["zone"], "keys" in effect, "cards" in effect) for effect in shown] == [(DECK[0], False, False)]


@rule("theos", "TS-9", "TH-4.30", "TH-4.31", "TR-23")
def test_roster_decks_may_be_built_long_before_the_game():
    sea, earth = (list(LISTS[name].cards) for name in ("bountiful-sea", "mysterious-earth"))
    chosen = {"decks": "natures-balance", "take": [0, 1]}
    table = given("theos", 2, options=chosen, decks=[sea[:12], earth[5:17]])
    assert sorted(table.keys(DECK[1])) == sorted(earth[5:17])
    assert table.waits_for == {0: "build_hand", 1: "build_hand"}

    assert given("theos", 2, options=chosen, decks=[None, earth[:12]]).waits_for == {0: "build_roster_deck"}
    assert refusal(2, brought=[sea[:11], [*earth[:11], "P2"]], **chosen) == [
        ("TH-4.1", "/decks/0", "wrong_size"),
        ("TH-4.31", "/decks/1", "not_in_roster"),
    ]
    assert refusal(2, brought=[sea[:12], earth[:12]], decks="natures-balance") == [("TH-4.30", "/take", "missing")]
    assert refusal(2, brought=[sea[:12], earth[:12]], decks="draft") == [("TH-4.4", "/decks", "two_sources")]
    assert refusal(2, **(chosen | {"take": [0, 0]})) == [("TR-23", "/take", "bad_take")]


@rule("theos", "TS-10", "TR-5", "TR-6", "TH-4.7", "TH-4.32")
def test_list_corrections():
    assert "P3" in LISTS["path-of-rebirth"].cards
    assert "P4" not in LISTS["path-of-rebirth"].cards
    assert "G10" in LISTS["summer"].cards
    assert CARDS["G10"].name == "War of the Giants"
    for printed in SETS.values():
        cards = [card for one in printed.lists for card in one.cards]
        assert len(cards) == len(set(cards))
        assert printed.pairs == MANUAL.default_pairs
        if printed.rosters:
            assert sorted(cards) == sorted(POOL)
        else:
            assert all(len(deck.cards) == 12 for deck in printed.decks)


@rule("theos", "TH-4.6", "TH-4.7", "TR-22", "TH-2.1")
def test_each_player_takes_a_different_deck():
    table = given("theos", 3, options={"decks": "four-seasons"})  # fewer players than decks
    assert table.options(0, "choose_prebuilt_deck") == ["Spring", "Summer", "Fall", "Winter"]
    table.answer(0, choose_prebuilt_deck="Fall")
    assert table.options(1, "choose_prebuilt_deck") == ["Spring", "Summer", "Winter"]
    table.answer(1, choose_prebuilt_deck="Winter").answer(2, choose_prebuilt_deck="Spring")

    assert sorted(table.keys(DECK[1])) == sorted(LISTS["winter"].cards)
    assert set(table.waits_for.values()) == {"build_hand"}
    assert refusal(5, decks="four-seasons") == [("TH-4.6", "/decks", "too_few")]

    drawn = given("theos", 2, options={"decks": "feast-and-famine", "take": "random"})
    assert sorted(told["list"] for told in drawn.said("takes")) == ["Famine", "Feast"]


@rule("theos", "TH-2.4", "TR-12", "TH-2.5", "TR-1", "TH-17.1")
def test_pairs_and_starting_sides():
    other = [["poseidon", "demeter"], ["hades", "gaia"]]
    table = given("theos", 2, options={"decks": "random", "pairs": other, "active": [["gaia", "demeter"]]})
    assert table.table.vars["symbols 1"] == ["demeter", "gaia"]
    assert refusal(2, pairs=other) == [("TR-12", "/pairs", "printed_pairs")]
    assert refusal(2, decks="random", pairs=[["gaia", "gaia"], ["hades", "demeter"]])[0][0] == "TH-2.4"
    assert refusal(2, active=[["poseidon", "gaia"]]) == [("TH-2.5", "/active", "bad_active")]

    seen = set()
    for number in range(30):
        table = given("theos", 2, options={"decks": "random", "pairs": "random"}, key=bytes([number] * 32))
        drawn = {effect["label"]: effect["result"] for effect in table.told if effect["e"] == "draw"}
        assert table.table.vars["pairs"] == [list(pair) for pair in SPLITS[drawn["opposing pairs"]]]
        seen.add((drawn["opposing pairs"], *table.table.vars["symbols 1"]))
    assert len(seen) > 6  # three splits, four sides each


@rule("theos", "TH-3.2", "TH-3.4", "TH-17.1", "TH-1.4")
def test_teams_sit_side_by_side():
    assert given("theos", 4, options={"type": "2v2"}).table.vars["around"] == [0, 1, 2, 3]
    table = given("theos", 4, options={"type": "2v2", "teams": [[0, 3], [2, 1]]})
    assert [seat.team for seat in table.table.seats] == [0, 1, 1, 0]
    assert table.table.vars["around"] == [0, 3, 2, 1]
    assert refusal(4, type="2v2", teams=[[0, 1, 2], [3]]) == [("TH-3.2", "/teams", "bad_teams")]

    drawn = {
        tuple(seat.team for seat in table.table.seats)
        for table in (
            given("theos", 4, options={"type": "2v2", "teams": "random"}, key=bytes([n] * 32)) for n in range(20)
        )
    }
    assert len(drawn) > 3
    assert all(sorted(teams) == [0, 0, 1, 1] for teams in drawn)


@rule("theos", "TH-3.10")
def test_defaults_are_only_suggestions():
    assert given("theos", 2).table.vars["pairs"] == [["poseidon", "gaia"], ["hades", "demeter"]]
    assert [options.plan(seats, {}).type for seats in range(2, 7)] == ["1v1", "ffa", "ffa", "ffa", "ffa"]
    assert options.plan(4, {"type": "2v2", "decks": "random", "pairs": "random"}).pairs is None


@rule("theos", "TS-61", "TH-3.5", "TR-25", "TH-2.2")
def test_starting_realms_3v3():
    table = given("theos", 6, options={"type": "3v3", "experienced": 1})
    assert table.waits_for == {3: "choose_start_realms"}  # the captain of the more experienced team
    assert len(table.options(3, "choose_start_realms")) == 6
    table.answer(3, choose_start_realms="seat 4 alone in Realm 2")
    assert table.waits_for == {0: "choose_start_realms"}
    assert table.view(0)["seats"][4]["marks"] == {"realm": 2}  # the second team knows the first result
    assert table.refuses(0, choose_start_realms="all in Realm 1").errors[0]["rule"] == "TH-3.5"
    table.answer(0, choose_start_realms="seat 0 alone in Realm 1")

    assert realms(table) == [1, 2, 2, 1, 2, 1]
    assert set(table.waits_for.values()) == {"build_hand"}
    assert refusal(6, type="3v3", experienced=2) == [("TR-25", "/experienced", "out_of_range")]


@rule("theos", "TS-61", "TH-3.6", "TH-3.7", "TH-2.2", "TH-17.1")
def test_starting_realms_at_random():
    starts = set()
    for number in range(12):
        key = bytes([number] * 32)
        table = given("theos", 6, options={"type": "2v2v2"}, key=key)
        for first in (0, 2, 4):
            assert sorted(realms(table)[first : first + 2]) == [1, 2]
        starts.add(tuple(realms(table)))
        assert sorted(realms(given("theos", 5, key=key))) == [1, 1, 1, 2, 2]
        assert sorted(realms(given("theos", 6, key=key))) == [1, 1, 1, 2, 2, 2]
    assert len(starts) > 3
    assert realms(given("theos", 4, options={"decks": "random"})) == [1, 1, 1, 1]


@rule("theos", "TH-1.3", "TR-3", "TR-4", "TH-6.6")
def test_components():
    assert len(CARDS) == LIMITS.follower_supply == 60
    assert LIMITS.blank_supply is None
    assert {god.name: god.god_speed_roman for god in GODS.values()} == {
        "Demeter": "V", "Poseidon": "VII", "Hades": "VIII", "Gaia": "X",
    }  # fmt: skip
    assert len({speed(key) for key in CARDS}) == 60
    kinds = {"betrayal": range(1, 2), "offering": range(2, 9), "power": range(9, 16)}
    assert all(card.speed in kinds[card.type] for card in CARDS.values())
    table = given("theos", 5)
    assert table.table.vars["supply"] == 60
    assert {len(table.table.vars[f"symbols {realm}"]) for realm in (1, 2)} == {2}  # both Realms use the same pairs


@rule("theos", "TH-1.7", "TH-4.5")
def test_decks_brought_along_belong_to_their_players():
    decks = cut(12, 2)
    table = given("theos", 2, decks=decks, options={"pairs": "random"})
    assert [sorted(table.keys(DECK[seat])) for seat in (0, 1)] == [sorted(deck) for deck in decks]
    assert {card.owner for card in table.table.cards.values() if card.zone == DECK[1]} == {1}
    assert [told["cards"] for told in table.said("takes")] == decks  # lists not built in secret are public
    assert refusal(2, brought=decks, pairs=7) == [("TH-2.4", "/pairs", "bad_pairs")]


WORDS = [
    "random",
    "choose",
    "draft",
    "ffa",
    "2v2",
    "natures-balance",
    "four-seasons",
    "feast",
    "void",
    "P4",
    "gaia",
    "",
]


def nonsense(rng, depth=0):
    kind = rng.randrange(7)
    if kind < 2 and depth < 3:
        return [nonsense(rng, depth + 1) for _ in range(rng.randrange(6))]
    if kind == 2 and depth < 3:
        return {"a": nonsense(rng, depth + 1)}
    return rng.choice([None, True, -1, 0, 2, 7, *WORDS])


def test_any_nonsense_is_refused_with_a_rule_and_never_an_error():
    book, rng = rulebook("theos"), Random(4)
    accepted = 0
    for _ in range(3000):
        seats = rng.randrange(2, 7)
        chosen = {name: nonsense(rng) for name in options.ABOUT if rng.random() < 0.3}
        decks = [nonsense(rng, 1) for _ in range(rng.randrange(4))]
        found = book.hooks["check_setup"](seats, chosen, decks) + book.hooks["check_deck"](seats, chosen, nonsense(rng))
        assert all(one.rule and one.detail and one.pointer for one in found)
        if not book.hooks["check_setup"](seats, chosen, []):
            accepted += 1
            given("theos", seats, options=chosen)  # what is not refused can be played
    assert accepted > 20
