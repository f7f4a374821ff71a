"""Flash, Haunt, Replicate, Sacrifice, Purify, Return (TI-13, TI-14.30; scenarios 44 to 51, 79 to 81, 84, 95)."""

from tests.rules import rule

from .scene import A, B, scene


@rule("titans", "TS-44", "TI-13.30", "TI-13.32", "TI-13.33", "TI-13.34", "TI-0.11")
def test_flash_3_with_foresee():
    """The rulebook's example: a hand card, the top unseen, a look at the next two, the top again unseen."""
    game = scene(
        a=["Nikolai"] * 2,
        hand_a=["Wind's Howl", "Spine Splitter", "Stone Eagle", "Monk"],
        hand_b=["Wizard"] * 2,
        deck_a=["Akari", "Jace", "Riku", "Kanna"],
    )
    game.reveal(["Wind's Howl", "Spine Splitter", "Stone Eagle"], "Wizard")
    game.commit(A, "Monk").commit(A, "top")
    game.commit(A, "foresee")
    assert game.offered(A, "commit") == ["Jace, Winter's Firstborn", "Riku, Warrior Supreme"]
    assert "cards" not in game.view(B)["zones"]["deck:0"]
    game.commit(A, "Jace")
    assert game.discarded(A) == ["Riku, Warrior Supreme"], "face-up at once"
    assert game.side(A)[2:] == ["Wind's Howl", "Spine Splitter", "Stone Eagle"] or len(game.side(A)) == 5
    shown = [card.get("key") for card in game.view(A)["zones"]["slot:0"]["cards"]]
    assert shown == ["monk", None, "jace_winters_firstborn"], "A has not seen the first blind card"
    game.commit(A, "top")
    assert sorted(game.side(A)[5:]) == [
        "Akari, Timeless Fighter",
        "Jace, Winter's Firstborn",
        "Kanna, Soldier of Gaia",
        "Monk",
    ]


@rule("titans", "TS-45", "TI-13.34", "TI-13.35", "TR-25")
def test_two_foresees_and_a_short_deck():
    eagles = {"a": ["Nikolai"], "hand_a": ["Stone Eagle", "Stone Eagle", "Monk"], "hand_b": ["Wizard"]}
    game = scene(**eagles, deck_a=["Akari", "Jace", "Riku"]).reveal(["Stone Eagle", "Stone Eagle"], "Wizard")
    assert game.offered(A, "commit") == ["Akari, Timeless Fighter", "Jace, Winter's Firstborn"], "it looks at once"
    game.commit(A, "Akari")
    assert game.offered(A, "commit") == ["Riku, Warrior Supreme"]
    game.commit(A, "Riku")
    assert "Riku, Warrior Supreme" in game.side(A)
    game = scene(**eagles, deck_a=[]).reveal(["Stone Eagle", "Stone Eagle"], "Wizard")
    assert game.side(A) == ["Nikolai, The Cursed", "Stone Eagle", "Stone Eagle"], "skipped although A has hand cards"
    assert game.vars["age"] == 3


@rule("titans", "TI-13.32", "TI-13.35", "TI-13.30")
def test_a_look_that_finds_no_deck_any_more():
    """Flash 3 and Foresee with one card in the deck: taken blind, it leaves two cards from hand and no look."""
    game = scene(
        a=["Nikolai"] * 2,
        hand_a=["Wind's Howl", "Spine Splitter", "Stone Eagle", *["Riku"] * 4],
        hand_b=["Wizard"] * 2,
        deck_a=["Akari"],
    )
    game.reveal(["Wind's Howl", "Spine Splitter", "Stone Eagle"], "Wizard").commit(A, "top")
    assert game.must(A, "commit") == (2, 2)
    game.commit(A, "Riku", "Riku")
    assert game.side(A)[-1] == "Akari, Timeless Fighter", "and the two Rikus discarded each other"
    assert game.discarded(A) == ["Riku, Warrior Supreme"] * 2


@rule("titans", "TS-46", "TI-13.36")
def test_optional_is_decided_before_the_reveal():
    game = scene(a=["Nikolai"], hand_a=["Glorious", "Wind's Howl", *["Monk"] * 3], hand_b=["Wizard"])
    game.reveal(["Glorious", "Wind's Howl"], "Wizard")
    assert game.must(A, "commit") == (2, 3)
    game.commit(A, "Monk", "Monk", "Monk")
    assert game.side(A).count("Monk") == 3


@rule("titans", "TI-13.30", "TI-5.4")
def test_flash_with_no_cards_left_does_nothing():
    game = scene(age=1, hand_a=["Wind's Howl", "Monk"], deck_a=[], hand_b=["Wizard"]).reveal("Wind's Howl", "Wizard")
    assert game.must(A, "commit") == (1, 1), "as many as there are"


@rule("titans", "TS-47", "TI-13.43", "TR-21", "TR-41", "TI-12.37")
def test_no_escape():
    game = scene(age=1, hand_a=["Merciless", "Wizard"], hand_b=["Wizard", "Ghost", "Ghost", "Monk"]).reveal(
        "Merciless", "Wizard"
    )
    assert game.side(B).count("Ghost") == 4
    assert [card.marks for card in game.cards(B) if card.key == "ghost"] == [{"harmless": A}] * 2 + [{}] * 2
    assert game.total(B) == 1 - 2
    looks = [effect for effect in game.scenario.told if effect["e"] == "look"]
    assert sorted(looks[-1]["keys"]) == ["ghost", "ghost", "monk"], "the hand is shown to all"
    assert game.hand(B) == ["Monk"]
    game = scene(age=1, hand_a=["Merciless"], hand_b=["Smoldering", "Ghost"]).reveal("Merciless", "Smoldering")
    assert (game.side(B), game.hand(B)) == (["Smoldering Dragon"], ["Ghost"])


@rule("titans", "TS-48", "TI-14.30", "TI-14.31", "TI-14.34", "TI-14.35", "TR-33", "TI-12.1")
def test_replicate():
    piles = [["Wind's Howl", "Boulder Bear", "What Lies", "Jace"]]
    has = {"b": ["Wind's Howl", "Boulder Bear", "What Lies"], "hand_a": ["Army", *["Monk"] * 2], "piles": piles}
    game = scene(**has, hand_b=["Metalwing"]).reveal("Army", "Metalwing")
    assert game.offered(A, "subvert") == ["Wind's Howl"], "no titan, no Armor"
    game.choose(A, "subvert", "Wind's Howl")
    assert game.pile("Wind's Howl") == 3
    assert game.must(A, "commit") == (2, 2), "its Flash 2"
    assert game.one("Wind's Howl", A).owner == A
    game = scene(**has, sizes={(0, "Wind's Howl"): 0}, hand_b=["Metalwing"]).reveal("Army", "Metalwing")
    game.choose(A, "subvert", "Wind's Howl")
    assert game.side(A) == ["Army of You"]
    game = scene(**has, hand_b=["Caiden"]).reveal("Army", "Caiden")
    assert game.side(A) == ["Army of You"], "used up without effect"
    monk = (
        scene(b=["Monk"], hand_a=["Army"], hand_b=["Metalwing"])
        .reveal("Army", "Metalwing")
        .choose(A, "subvert", "Monk")
    )
    assert monk.side(A) == ["Army of You"], "a Monk may be named and yields nothing"


@rule("titans", "TI-14.36", "TI-4.6", "TI-14.37", "TR-72")
def test_the_last_copy_goes_to_the_first_replicate():
    piles = [["Wind's Howl"]]
    game = scene(
        piles=piles,
        sizes={(0, "Wind's Howl"): 1},
        a=["Wind's Howl"],
        b=["Wind's Howl"],
        hand_a=["Army", *["Monk"] * 2],
        hand_b=["Army"],
    )
    game.reveal("Army", "Army").choose(A, "subvert", "Wind's Howl").choose(B, "subvert", "Wind's Howl")
    assert game.side(A).count("Wind's Howl") == 2
    assert game.side(B).count("Wind's Howl") == 1
    jace = scene(a=[], b=["Kanna"], piles=[["Kanna"]], hand_a=["Army"], hand_b=["Jace"]).reveal("Army", "Jace")
    jace.choose(A, "subvert", "Kanna")
    assert jace.subversions("Army") == {"harmless": B}, "Jace could not name what came in the same batch"


@rule("titans", "TS-49", "TI-13.62", "TI-13.64", "TI-13.61")
def test_ritual():
    game = scene(a=["Monk"], hand_a=["God Killer"], hand_b=["Wizard"], piles=[["Jace", "Boulder Bear"]])
    game.reveal("God Killer", "Wizard")
    assert game.offered(A, "sacrifice") == ["Monk"]
    assert game.second(A, "sacrifice", "Monk") == ["Ghost", "Jace, Winter's Firstborn"]
    game.choose(A, "sacrifice", "Monk", then="Jace")
    assert game.zone("removed") == ["Monk"]
    gained = [effect for effect in game.seen(None) if effect["e"] == "move" and effect["to"] == "hand:0"]
    assert gained[0]["keys"] == ["jace_winters_firstborn"], "seen by all"
    empty = scene(a=["Monk"], hand_a=["God Killer"], hand_b=["Wizard"], piles=[["Inferno"]], sizes={(0, "Ghost"): 0})
    empty.reveal("God Killer", "Wizard").choose(A, "sacrifice", "Monk")
    assert (empty.zone("removed"), empty.hand(A)) == (["Monk"], []), "nothing qualifies"


@rule("titans", "TS-50", "TI-13.74", "TI-13.75")
def test_tokens_and_diverted_subversions():
    """The rulebook's two sides of it."""
    game = scene(
        a=["Monk", "Nikolai"], hand_a=["Kovu", "Wizard"], hand_b=["Wizard"], subverted={"Monk": {"harmless": A}}
    )
    game.reveal(["Kovu", "Wizard"], "Wizard").choose(A, "purify", "Monk")
    assert game.one("Kovu").n == {}, "A had diverted it: A is the placer"
    game = scene(
        a=["Monk", "Nikolai"], hand_a=["Kovu", "Wizard"], hand_b=["Wizard"], subverted={"Monk": {"harmless": B}}
    )
    game.reveal(["Kovu", "Wizard"], "Wizard").choose(A, "purify", "Monk")
    assert game.one("Kovu").n == {"token": 1}
    assert game.power("Kovu") == 3


@rule("titans", "TI-13.15", "TI-13.75", "TS-50")
def test_what_one_diverts_oneself_earns_no_token():
    game = scene(age=1, a=["Wizard"], hand_a=["Stampeding", "Kovu", "Monk"], hand_b=["Jace", "Ghost"], avatar=1)
    game.reveal("Stampeding", "Jace").choose(B, "subvert", "Wizard").choose(A, "divert", "Wizard", then="Stampeding")
    game.commit(A, "Monk").skip("awaken").reveal("Kovu", "Ghost").choose(A, "purify", "Stampeding")
    assert game.one("Kovu").n == {}


@rule("titans", "TR-66", "TI-13.70")
def test_a_token_for_what_the_opponent_put_on_its_own_card():
    game = scene(hand_a=["Kovu"], b=["Wizard"], subverted={"Wizard": {"mindless": B, "harmless": B}}, hand_b=["Monk"])
    game.reveal("Kovu", "Monk").choose(A, "purify", "Wizard")
    assert game.one("Kovu").n == {"token": 1}


@rule("titans", "TS-51", "TI-13.60", "TI-13.61")
def test_sacrifice_is_open():
    game = scene(hand_a=["Basliah", "Wizard", "Wizard", "Monk"], hand_b=["Wizard"]).reveal("Basliah", "Wizard")
    assert game.must(A, "sacrifice") == (0, 2)
    assert "shape" not in game.view(B)["open"][0], "the hand is A's secret"
    game.choose(A, "sacrifice", "Wizard")
    assert [card["key"] for card in game.view(None)["zones"]["removed"]["cards"]] == ["wizard"]
    assert len(game.hand(A)) == 2


@rule("titans", "TI-4.4", "TI-13.60")
def test_a_sacrifice_is_shown_when_it_is_declared():
    """B, who declares later, knows what A removes before anything is carried out."""
    game = scene(hand_a=["Basliah", "Ghost", "Monk"], hand_b=["Basliah", "Monk"]).reveal("Basliah", "Basliah")
    game.choose(A, "sacrifice", "Ghost")
    assert game.waits_for == {B: "sacrifice"}
    assert [effect["keys"] for effect in game.seen(B) if effect["e"] == "look"] == [["ghost"]]
    assert game.zone("removed") == []


@rule("titans", "TS-79", "TI-13.73", "TI-13.70")
def test_purify_absolute():
    game = scene(
        a=["Monk", "Wizard", "Akari"],
        b=["The Death"],
        hand_a=["World Ignited"],
        hand_b=["Monk"],
        subverted={
            "Monk": {"wounded": B},
            "Wizard": {"wounded": B},
            "Akari": {"wounded": B},
            "The Death": {"harmless": A},
        },
    )
    game.reveal("World Ignited", "Monk")
    assert game.must(A, "purify") == (0, 4)
    game.choose(A, "purify", "Monk", "Akari", "The Death")
    assert game.subversions("Wizard") == {"wounded": B}
    assert game.subversions("Akari") == game.subversions("The Death") == {}


@rule("titans", "TI-13.72", "TI-7.2")
def test_a_mindless_purify_cannot_clear_itself():
    game = scene(age=1, hand_a=["Zodiac"], hand_b=["Frostbreath"]).reveal("Zodiac", "Frostbreath")
    assert game.subversions("Zodiac") == {"mindless": B}
    assert game.vars["age"] == 2


@rule("titans", "TS-80", "TI-13.50", "TI-13.51", "TI-7.10", "TI-19.1")
def test_return_and_replay():
    game = scene(
        a=["Wind's Howl"],
        subverted={"Wind's Howl": {"harmless": B}},
        hand_a=["Glorious", "Monk", "Monk"],
        hand_b=["Wizard"] * 2,
    )
    game.reveal("Glorious", "Wizard").commit(A).choose(A, "take_back", "Wind's Howl")
    assert "Wind's Howl" in game.hand(A)
    game.reveal("Wind's Howl", "Wizard")
    assert game.subversions("Wind's Howl") == {}
    assert game.must(A, "commit") == (2, 2)


@rule("titans", "TS-81", "TI-13.65", "TI-19.2", "TR-29")
def test_ritual_on_a_stolen_card():
    game = scene(
        b=["Akari"],
        subverted={"Akari": {"traitorous": A}},
        hand_a=["God Killer"],
        hand_b=["Wizard"],
        piles=[["Jace", "Boulder Bear", "Inferno"]],
    )
    game.reveal("God Killer", "Wizard")
    assert game.second(A, "sacrifice", "Akari") == ["Boulder Bear", "Ghost", "Jace, Winter's Firstborn", "Traveler"]
    game.choose(A, "sacrifice", "Akari", then="Boulder Bear")
    assert game.discarded(B) == ["Akari, Timeless Fighter"]
    assert "Boulder Bear" in game.hand(A)


@rule("titans", "TS-84", "TI-13.42", "TI-18.9", "TI-14.20", "TR-27", "TI-19.3")
def test_haunted_ghosts_count_but_were_not_played():
    game = scene(
        age=2,
        a=["Nikolai"] * 2,
        hand_a=["Aurora", "Zodiac", "Wind's Howl", "Cavern's", "What Lies"],
        hand_b=["Frostbreath", "Wizard"],
    )
    game.reveal(["Aurora", "Zodiac", "Wind's Howl"], "Frostbreath").choose(B, "subvert", "Wind's Howl")
    assert game.side(B).count("Ghost") == 2, "Haunt before Purify"
    game.choose(A, "purify", "Wind's Howl").commit(A, "Cavern's", "What Lies")
    assert game.offered(A, "subvert") == ["Frostbreath"], "not the Ghosts"
    assert game.power("What Lies") == 3, "which count"


@rule("titans", "TS-95", "TI-13.40", "TI-13.75", "TR-64")
def test_a_token_from_a_haunted_ghost():
    game = (
        scene(age=1, hand_a=["Kovu"], hand_b=["Storm's Roar", "Monk"]).reveal("Kovu", "Storm's Roar").commit(B, "Monk")
    )
    game.choose(A, "purify", "Ghost")
    assert game.power("Ghost") == -1
    assert game.one("Kovu").n == {"token": 1}
    assert game.power("Kovu") == 3


@rule("titans", "TI-13.42", "TI-10.3")
def test_a_haunted_ghost_stays_in_the_deck():
    game = scene(age=3, hand_a=["Soldier's Bane", "Monk"], hand_b=["Wizard", "Monk"]).reveal("Soldier's Bane", "Wizard")
    game.skip("awaken", "discard_hand")
    assert (game.deck(B) + game.hand(B)).count("Ghost") == 1


@rule("titans", "TI-14.1", "TI-14.22", "TI-14.40")
def test_subverts_reach_only_the_opponents_cards():
    game = scene(a=["Monk"], b=["Wizard", "Kanna"], hand_a=["Blizzard's Scream", "Monk"], hand_b=["Wizard"]).reveal(
        "Blizzard's Scream", "Wizard"
    )
    assert game.offered(A, "subvert") == ["Kanna, Soldier of Gaia", "Wizard"]
