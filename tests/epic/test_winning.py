"""Winning and losing, formats, drafts, matches: SC-58 to SC-65 (EP-2, EP-17, EP-18)."""

import pytest

from games.kernel import Rejected, rulebook
from games.kernel.testing import given
from games.rulebooks.epic.cards import BY_NAME, CARDS, SET
from games.rulebooks.epic.formats import check_list
from games.rulebooks.epic.match import Registered, match_winner, may_choose_first, swap
from tests.rules import rule

from .scene import FILLER, Scene


@rule("epic", "SC-58", "EP-2.4", "EP-0.4", "EP-2.7", "RU-01", "RU-07", "RU-63")
def test_an_empty_deck_wins_at_once():
    scene = Scene(hands={0: ["Second Wind"]}, deck=[1, 20], mojo=[2, 30])
    scene.play(0, "Second Wind").all_pass()
    assert (scene.outcome, scene.mojo) == (("win", [0]), [2, 30])
    assert scene.s.table.outcome.reason == "empty deck"
    scene = Scene(hands={0: ["Bolt from the Blue"]}, deck=[1, 20], mojo=[2, 30])
    scene.play(0, "Bolt from the Blue", "s0").all_pass()
    assert scene.outcome == ("win", [1])


@rule("epic", "EP-2.7", "RU-07")
def test_losing_comes_before_the_empty_deck():
    """The last card drawn together with the last Mojo lost: a Pack War draw by nobody, a Tithe by the opponent."""
    scene = Scene("prepare", deck=[1, 20], mojo=[0, 30])
    assert scene.outcome == ("win", [1])


@rule("epic", "SC-59", "EP-2.5")
def test_simultaneous_empty_decks():
    scene = Scene(hands={0: ["Nature's Renewal"]}, deck=[5, 4])
    scene.play(0, "Nature's Renewal").all_pass()
    assert scene.outcome == ("tie", [0, 1])


@rule("epic", "SC-60", "EP-2.6", "RU-06")
def test_simultaneous_elimination():
    scene = Scene(hands={0: ["Scatter the Host"]}, mojo=[3, 3])
    scene.play(0, "Scatter the Host", ["s0", "s1"], {"s0": 3, "s1": 3}).all_pass()
    assert scene.outcome == ("tie", [0, 1])


@rule("epic", "SC-61", "EP-17.4", "EP-2.4", "EP-2.8")
def test_pack_war():
    scene = Scene(play={0: ["~Veiled Cartographer"]}, deck=[1, 5], mojo=[30, 9], pack_war=True)
    scene.unveil(0, "Veiled Cartographer").all_pass()
    assert (scene.mojo, scene.hand(0), scene.outcome) == ([30, 4], [FILLER], None)
    while scene.outcome is None:
        scene.idle()
    assert (scene.outcome, scene.var("turn")) == (("win", [0]), [7, 0])


@rule("epic", "SC-62", "EP-2.1", "EP-10.2", "EP-4.8")
def test_a_card_makes_a_player_lose():
    scene = Scene(play={0: ["Hourglass of Endings"], 1: [FILLER]}, hands={1: ["Twin Ruin"]})
    assert not any(option.endswith(":1") for option in scene.options(0)), "no hour has passed"
    scene.change(lambda t: t.count(scene.card("Hourglass of Endings").id, "hour", 6))
    scene.use(0, "Hourglass of Endings", "s1", ability=1)
    assert scene.card("Hourglass of Endings").n == {}
    scene.passes(0).play(1, "Twin Ruin", FILLER, "Hourglass of Endings").all_pass()
    assert scene.discard(0) == ["Hourglass of Endings"]
    scene.all_pass()
    assert scene.outcome == ("win", [0])


@rule("epic", "EP-2.9", "EP-18.5")
def test_when_the_game_ends_all_cards_are_their_owners_again():
    """Nothing is kept over from one game to the next: owners never change, and a new game starts from the lists."""
    play = {0: ["Iron Crusher"], 1: ["Throne of Ten Thousand"]}
    scene = Scene(hands={0: ["Scatter the Host"]}, play=play, mojo=[30, 3])
    scene.play(0, "Scatter the Host", ["s1"]).all_pass()
    assert scene.outcome == ("win", [0])
    assert all(scene.s.table.cards[card].owner == 0 for card in scene.s.table.zones["deck:0"].cards)
    lists = [["Iron Crusher"] * 30] * 2
    again = given("epic", 2, decks=lists)
    assert sorted(again.keys("deck:0") + again.keys("hand:0")) == ["EP100"] * 30


# -- formats -----------------------------------------------------------------------------------------------------------


def faulty():
    """SC-63: 60 + 14 cards with 4 Iron Crusher, 2 Nature's Renewal, 1 Rushing In, 19 free and 10 gift cards."""
    gifts = [card.name for card in SET if card.gift and card.cost == "free"][:5]
    gifts = [name for name in gifts if name not in ("Nature's Renewal", "Rushing In")]
    chosen = ["Nature's Renewal"] * 2 + ["Rushing In"] + ["Seize the Day"] * 2 + gifts
    free = [card.name for card in SET if card.cost == "free" and not card.gift]
    while sum(BY_NAME[name].gift for name in chosen) > 10:
        chosen.pop()
    chosen += (free * 3)[: 19 - sum(BY_NAME[name].cost == "free" for name in chosen)]
    action = [card.name for card in SET if card.cost == "action" and not card.gift and card.name != FILLER]
    chosen += [FILLER] * 4
    chosen += (action * 2)[: 74 - len(chosen)]
    return {"deck": chosen[:60], "sideboard": chosen[60:]}


@rule("epic", "SC-63", "EP-17.6", "EP-17.7", "EP-17.8", "EP-18.1", "RU-61", "RU-71")
def test_the_limits_of_a_designed_deck_are_all_reported():
    deck = faulty()
    cards = [BY_NAME[name] for name in deck["deck"] + deck["sideboard"]]
    assert (len(deck["sideboard"]), sum(c.cost == "free" for c in cards), sum(c.gift for c in cards)) == (14, 19, 10)
    later = check_list({"format": "designed", "list": "later"}, deck)
    assert sorted(one.code for one in later) == ["banned", "copies", "free", "gift", "restricted", "sideboard"]
    assert {one.rule for one in later} == {"EP-17.6", "EP-17.7", "EP-18.1"}
    as_printed = check_list({"format": "designed"}, deck)
    assert sorted(one.code for one in as_printed) == ["copies", "free", "gift", "sideboard"]
    assert BY_NAME["Thought-Stealer"] is BY_NAME["Thought Stealer"]


@rule("epic", "EP-17.6", "EP-1.1", "EP-17.2")
def test_a_game_with_designed_decks():
    legal = [card.name for card in SET if card.cost == "action" and not card.gift][:30] * 2
    game = given("epic", 2, options={"format": "designed", "first": 0}, decks=[legal, {"deck": legal}])
    assert len(game.keys("deck:0")) == 55
    with pytest.raises(Rejected) as refused:
        given("epic", 2, options={"format": "designed"}, decks=[legal[:59], ["no such card"] * 60])
    assert {error["pointer"] for error in refused.value.errors} == {"/decks/0", "/decks/1"}
    with pytest.raises(Rejected, match="brought by the players"):
        given("epic", 2, options={"format": "designed"})


@rule("epic", "EP-17.1", "EP-17.2", "EP-17.3", "EP-0.6")
def test_packs_follow_the_recipe():
    prizes = 0
    for seed in range(12):
        game = given("epic", 2, options={"format": "pack_war"}, key=bytes([seed]) * 32)
        for seat in (0, 1):
            keys = game.keys(f"deck:{seat}") + game.keys(f"hand:{seat}")
            cards = [CARDS[key] for key in keys]
            assert (len(keys), len(set(keys))) == (15, 15)
            commons = [card for card in cards if card.rarity == "common"]
            assert [sum(card.speed == "fast" for card in commons), len(commons)] == [7, 14]
            prizes += any(card.rarity == "prize" for card in cards)
    assert 0 < prizes < 12
    assert len(given("epic", 2).keys("deck:0")) == 25, "Sealed Pack 2: all 30 cards are the deck"


@rule("epic", "EP-17.2", "RU-54")
def test_more_packs_leave_a_choice():
    game = given("epic", 2, options={"packs": 3, "first": 0})
    assert game.waits_for == {0: "build_deck", 1: "build_deck"}
    pool = game.asked(0, "build_deck").shape
    assert (len(pool.options), pool.lo, pool.hi) == (45, 30, 45)
    game.answer(0, build_deck=pool.options[:30])
    game.answer(1, build_deck=game.asked(1, "build_deck").shape.options)
    assert (len(game.keys("deck:0")), len(game.keys("deck:1"))) == (25, 40)
    with pytest.raises(Rejected, match="from 2 to 6"):
        given("epic", 2, options={"packs": 1})


@rule("epic", "SC-64", "EP-17.5", "RU-53")
def test_a_draft_passes_left_then_right():
    game = given("epic", 3, options={"format": "draft", "packs": 2, "first": 0})

    def held(seat):
        return sorted(game.keys(f"pack:{seat}"))

    def pick():
        for seat in range(3):
            game.answer(seat, draft_pick=game.asked(seat, "draft_pick").shape.options[0])

    def rest(seat):
        """What this seat will pass on."""
        first = game.asked(seat, "draft_pick").shape.options[0]
        return sorted(game.table.cards[card].key for card in game.table.zones[f"pack:{seat}"].cards if card != first)

    own, passed = held(0), [rest(seat) for seat in range(3)]
    pick()
    assert [held(1), held(2), held(0)] == passed
    pick()
    pick()
    assert set(held(0)) < set(own), "the fourth pick is from the own first pack again"
    assert len(held(0)) == 12
    while len(game.keys("pool:0")) < 15:
        pick()
    passed = [rest(seat) for seat in range(3)]
    pick()
    assert [held(2), held(0), held(1)] == passed, "the second pack goes to the right"
    while game.waits_for.get(0) == "draft_pick":
        pick()
    assert [len(game.keys(f"deck:{seat}")) for seat in range(3)] == [25] * 3, "30 cards each: no choice, no sideboard"
    assert game.waits_for == {0: "mulligan"}
    with pytest.raises(Rejected):
        given("epic", 3, options={"format": "draft", "packs": 1})


@rule("epic", "EP-17.5")
def test_picks_are_secret():
    game = given("epic", 3, options={"format": "draft", "packs": 2})
    game.answer(0, draft_pick=game.asked(0, "draft_pick").shape.options[0])
    assert not any("value" in effect for effect in game.seen(1) if effect["e"] == "answer")
    assert "cards" not in game.view(1)["zones"]["pack:0"]


# -- matches -----------------------------------------------------------------------------------------------------------


@rule("epic", "SC-65", "EP-18.1", "EP-18.2", "EP-18.3", "EP-18.6", "EP-18.7", "RU-56")
def test_sideboarding_between_the_games_of_a_match():
    deck = [card.name for card in SET if card.cost == "action" and not card.gift][:30] * 2
    side = [card.name for card in SET if card.cost == "action" and not card.gift][30:45]
    registered = Registered(tuple(deck), tuple(side))
    options = {"format": "designed"}
    swapped = swap(registered, deck[:2], side[:2], options)
    assert isinstance(swapped, Registered)
    assert (len(swapped.deck), len(swapped.sideboard)) == (60, 15)
    assert sorted(swapped.deck + swapped.sideboard) == sorted(deck + side)
    [refused] = swap(registered, [], side[:1], options)
    assert refused.code == "not_one_for_one"
    assert "14 in the sideboard" in refused.detail
    [strange] = swap(registered, ["Bolt from the Blue"], side[:1], options)
    assert (strange.pointer, strange.rule) == ("/out", "EP-18.2")
    assert registered == Registered(tuple(deck), tuple(side)), "the registered lists stay as they are"
    assert may_choose_first([0, 1], [[1]], [0]) == [1]
    game = given("epic", 2, options={"format": "designed", "chooser": 1}, decks=[deck, list(swapped.deck)])
    assert game.waits_for == {1: "choose_first_player"}
    game.answer(1, choose_first_player="s0")
    assert game.waits_for == {0: "mulligan"}


@rule("epic", "EP-18.6", "RU-56")
def test_who_chooses_the_first_player_at_a_bigger_table():
    assert may_choose_first([0, 1, 2], [[2], [1]], [0]) == [2], "the first to lose"
    assert may_choose_first([0, 1, 2], [[1, 2]], [0]) == [1, 2], "several at the same moment: a random one of them"
    assert may_choose_first([0, 1], [[0, 1]], [0, 1]) == [0, 1], "all tied: a random player"
    assert may_choose_first([0, 1, 2], [], [1]) == [0, 2], "an empty deck won, nobody was eliminated"
    asked = set()
    for seed in range(12):
        game = given("epic", 3, options={"format": "pack_war", "chooser": [0, 2]}, key=bytes([seed]) * 32)
        asked |= set(game.waits_for)
    assert asked == {0, 2}, "by lot, and never the one who did not lose"
    [wrong] = rulebook("epic").violations(3, {"chooser": [0, 3]}, [])
    assert (wrong.pointer, wrong.rule) == ("/options/chooser", "EP-18.6")


@rule("epic", "EP-18.4", "RU-55")
def test_a_match_is_best_of_three_and_ties_count_for_nobody():
    assert match_winner([[0], [1]]) is None
    assert match_winner([[0], [0, 1], [1]]) is None
    assert match_winner([[0], [0, 1], [1], [0]]) == 0
    assert match_winner([[0], [0], [0]], wins=3) == 0


def test_the_options_are_described():
    assert set(rulebook("epic").about["options"]) == {"format", "packs", "list", "first", "chooser"}
