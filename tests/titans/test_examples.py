"""The worked examples of the rulebook that no scenario of the catalogue tells (page by page)."""

from tests.rules import rule

from .scene import A, B, C, D, scene


@rule("titans", "TI-9.3")
def test_a_player_who_lost_two_battles_ties_the_game_with_one():
    game = scene(at="battle", a=["Wizard"] * 3, temples=[1, 3])
    assert game.vars["temples"] == [2, 2]


@rule("titans", "TI-12.10", "TI-12.40")
def test_control_5_a_summon_gives_the_controller_two_cards_to_choose():
    game = scene(age=3, a=["Danya"], b=["Nikolai"], hand_a=["Wizard"], hand_b=["Ghost", "Akari", "Riku"])
    game.commit(A, "Wizard", side=0)
    assert game.must(A, "commit") == (2, 2)
    game.commit(A, "Ghost", "top")
    assert sorted(game.side(B)) == ["Ghost", "Monk", "Nikolai, The Cursed"]


@rule("titans", "TI-12.25", "TI-5.10")
def test_delay_a_delayed_teammate_with_summon():
    """The card a teammate plays there and the Summon card are committed and shown in the same step."""
    hands = {0: ["Akari", "Riku"], 1: ["Jace"], 2: ["Monk"], 3: ["Monk"]}
    game = scene(4, avatar=1, play={0: ["Nikolai"], 1: ["Zenith"]}, hands=hands)
    game.choose(A, "trade", "trade").choose(B, "trade", "trade")
    assert set(game.waits_for) == {A, B}
    game.commit(A, "Riku", side=0).commit(B, "Jace", side=0)
    shown = sorted(card["key"] for card in game.view(C)["zones"]["slot:0"]["cards"])
    assert shown == ["jace_winters_firstborn", "riku_warrior_supreme"]
    assert all("key" not in card for card in game.view(D)["zones"]["slot:0"]["cards"])
    assert game.slot(2) == [], "Akari goes to arena 2 at T1's normal place"


@rule("titans", "TI-13.34")
def test_foresee_twice_looks_at_the_third_and_fourth_card():
    game = scene(
        a=["Nikolai"],
        hand_a=["Stone Eagle", "Stone Eagle"],
        deck_a=["Akari", "Jace", "Riku", "Kanna"],
        hand_b=["Wizard"],
    )
    game.reveal(["Stone Eagle", "Stone Eagle"], "Wizard").commit(A, "Jace")
    assert game.offered(A, "commit") == ["Kanna, Soldier of Gaia", "Riku, Warrior Supreme"]
    game.commit(A, "Riku")
    assert game.side(A)[-2:] == ["Jace, Winter's Firstborn", "Riku, Warrior Supreme"]
    assert game.discarded(A) == ["Akari, Timeless Fighter", "Kanna, Soldier of Gaia"]


@rule("titans", "TI-2.3", "TI-13.41")
def test_an_arena_without_ghosts_gets_none_from_another():
    hands = {0: ["Monk"], 1: ["Aurora"], 2: ["Monk"], 3: ["Monk"]}
    game = scene(4, age=1, sizes={(1, "Ghost"): 0}, hands=hands).skip("trade").commit(A, "Monk").commit(B, "Aurora")
    game.skip("trade").commit(C, "Monk").commit(D, "Monk")
    assert game.side(D, 1) == ["Monk"]
    assert game.pile("Ghost", 0) == 12


@rule("titans", "TI-17.12", "TI-17.10")
def test_substituting_out_with_no_cards_left():
    game = scene(age=3, a=["Erik", "Ghost"], hand_a=["Wizard"], deck_a=[], hand_b=["Wizard"] * 2).reveal(
        "Wizard", "Wizard"
    )
    game.choose(A, "substitute", "Ghost")
    assert game.side(A) == ["Erik, Revered Watchman", "Wizard"]
    assert game.waits_for == {B: "discard_hand"}


@rule("titans", "TI-12.32", "TI-14.21", "TI-14.25")
def test_neither_exhausted_nor_mindless_cancels_a_protect_played_this_age():
    """The one who protects is not reached; and what silences its card later takes nothing back."""
    game = scene(age=2, a=["Nikolai"], hand_a=["Caiden", "Wind's Howl", "Monk"], hand_b=["Frostbreath"])
    game.reveal(["Caiden", "Wind's Howl"], "Frostbreath")
    assert all("mindless" not in card.marks for card in game.cards(A))
    assert game.vars["protected"] == {"0": "age"}


@rule("titans", "TI-13.71", "TI-14.44", "TI-7.2")
def test_a_card_purified_back_keeps_what_is_pending():
    """Stolen and purified in the age it was played: its Flash comes when it is back on its owner's side."""
    game = scene(b=["Nikolai"], hand_a=["Hell"], hand_b=["Glorious", "Zodiac", "Riku"])
    game.reveal("Hell", ["Glorious", "Zodiac"]).choose(A, "subvert", "Glorious")
    assert game.must(A, "commit") == (0, 1), "the thief's Flash first (5 before 9)"
    game.commit(A).choose(A, "take_back").choose(B, "purify", "Glorious")
    assert "Glorious Phoenix" in game.side(B)
    assert game.vars["pending"] == [], "used up: it is not used again"


@rule("titans", "TI-0.12", "TI-14.4")
def test_mandatory_abilities_must_be_used_to_ones_disadvantage():
    game = scene(b=["Ghost"], hand_a=["Jace"], hand_b=[], deck_b=[]).commit(A, "Jace")
    assert game.subversions("Ghost") == {"harmless": A}, "though it makes the Ghost stronger"
    assert game.power("Ghost") == 0
