"""Priority, simultaneity, the Now loop (TI-4, TI-7; scenarios 15 to 25, 58, 71 to 74, 87, 97, 101)."""

from tests.rules import rule

from .scene import A, B, scene


@rule("titans", "TS-15", "TI-7.3", "TI-7.4", "TI-7.5", "TI-7.12", "TI-13.20", "TI-13.21", "TI-14.4", "TR-45", "TR-62")
def test_backtracking():
    """The rulebook's example: a flashed Mimic activates before a Haunt that has waited longer."""
    game = scene(age=1, hand_a=["Frost's Bite", "Face", "Wizard"], hand_b=["Aurora", "Monk"])
    game.reveal("Frost's Bite", "Aurora")

    assert game.subversions("Aurora") == {"wounded": A}, "forced: B's only card"
    assert game.waits_for == {A: "commit"}, "Flash (5) before Haunt (6)"
    game.commit(A, "Face")
    assert game.side(A) == ["Frost's Bite", "Face of the False God"], "no Ghost yet"
    assert game.one("Face").marks["gained"] == ["Flash", "Subvert: Wounded"], (
        "Mimic (4), forced; Subvert (2) found nothing"
    )
    assert game.waits_for == {A: "commit"}, "the copied Flash (5)"
    game.commit(A, "Wizard")
    assert game.side(A).count("Ghost") == 2
    assert game.vars["pending"] == []


@rule("titans", "TS-16", "TI-14.7", "TI-4.8", "TI-4.3", "TI-14.24", "TI-14.25")
def test_subverts_do_not_stop_each_other():
    game = scene(age=1, hand_a=["Jace"], hand_b=["Frostbreath"]).reveal("Jace", "Frostbreath")

    assert game.subversions("Frostbreath") == {"harmless": A}
    assert game.subversions("Jace") == {"mindless": B}
    assert (game.total(A), game.total(B)) == (1, 0)


@rule("titans", "TI-4.1", "TI-4.3", "TI-4.4", "TR-65")
def test_the_rulebooks_example_of_declaring():
    """Harmless, Mindless against Wounded: first the Avatar holder declares, then the other, then all is attached."""
    game = scene(a=["Nikolai"], b=["Monk", "Wizard"], hand_a=["Jace", "Frostbreath"], hand_b=["Frost's Bite"])
    game.reveal(["Frostbreath", "Jace"], "Frost's Bite")
    game.choose(A, "subvert", "Monk")
    assert game.subversions("Monk") == {}, "nothing is carried out before all have declared"
    game.choose(A, "subvert", "Frost's Bite")
    assert game.waits_for == {B: "subvert"}
    said = [chosen for _, chosen in game.view(B)["vars"]["declared"]]
    assert said == [[game.one("Monk").id], [game.one("Frost's Bite").id]], "public, also to those who declare later"
    game.choose(B, "subvert", "Jace")
    assert game.subversions("Monk") == {"mindless": A}
    assert game.subversions("Frost's Bite") == {"harmless": A}
    assert game.subversions("Jace") == {"wounded": B}


@rule("titans", "TI-4.3", "TI-7.5", "TI-14.6")
def test_who_has_several_to_declare_chooses_the_order():
    """It never matters in which order the cards were played. Extinguished may follow Harmless onto one card; the other
    way round nothing is missing there any more and Harmless must go elsewhere."""

    def declaring():
        game = scene(a=["Nikolai"], b=["Monk", "Wizard"], hand_a=["Jace", "Blizzard's Scream"], hand_b=["Akari"])
        return game.reveal(["Blizzard's Scream", "Jace"], "Akari")

    assert declaring().waits_for == {A: ["subvert", "subvert"]}
    game = declaring().choose(A, "subvert", "Monk", of="Jace")
    assert "Monk" in game.offered(A, "subvert")
    assert game.choose(A, "subvert", "Monk").subversions("Monk") == {"exhausted": A, "harmless": A}
    assert game.subversions("Wizard") == game.subversions("Akari") == {}
    game = declaring().choose(A, "subvert", "Monk", of="Blizzard's Scream")
    assert game.offered(A, "subvert") == ["Akari, Timeless Fighter", "Wizard"]


@rule("titans", "TI-4.1", "TI-4.3", "TI-13.31")
def test_the_rulebooks_example_of_two_flashes():
    """B holds the mat: B chooses its card first, face down; then A; both are turned up together."""
    game = scene(age=1, avatar=1, hand_a=["Storm's Roar", "Jace"], hand_b=["Storm's Roar", "Akari"])
    game.commit(B, "Storm's Roar").commit(A, "Storm's Roar")
    assert game.waits_for == {B: "commit"}
    game.commit(B, "Akari")
    assert game.side(B) == ["Storm's Roar"]
    assert game.slot(1) == ["Akari, Timeless Fighter"]
    game.commit(A, "Jace")
    assert "Akari, Timeless Fighter" in game.side(B)
    assert "Jace, Winter's Firstborn" in game.side(A)


@rule("titans", "TS-17", "TI-14.20", "TI-14.8", "TI-14.2", "TI-4.4")
def test_cave_in_as_an_answer():
    """The rulebook's first example: the Mindless is lost."""
    game = scene(a=[], b=["Monk"], hand_a=["Frostbreath"], hand_b=["Cavern's Defender"])
    game.reveal("Frostbreath", "Cavern's Defender")
    game.choose(A, "subvert", "Cavern's Defender")
    assert game.offered(B, "subvert") == ["Frostbreath"]
    game.choose(B, "subvert", "Frostbreath")
    assert game.subversions("Frostbreath") == {"mindless": B, "harmless": B}
    assert game.discarded(B) == ["Cavern's Defender"]
    assert game.side(B) == ["Monk"]


@rule("titans", "TS-18", "TI-14.20", "TR-58", "TI-4.5")
def test_cave_in_committed_first():
    """The rulebook's second example: A knows, and names another card; or must waste it."""
    game = scene(avatar=1, b=["Monk"], hand_a=["Frostbreath"], hand_b=["Cavern's Defender"])
    game.reveal("Frostbreath", "Cavern's Defender")
    game.choose(B, "subvert", "Frostbreath")
    assert game.offered(A, "subvert") == ["Cavern's Defender", "Monk"]
    game.choose(A, "subvert", "Monk")
    assert game.subversions("Monk") == {"mindless": A}

    alone = scene(avatar=1, age=1, hand_a=["Frostbreath"], hand_b=["Cavern's Defender"])
    alone.reveal("Frostbreath", "Cavern's Defender").choose(B, "subvert", "Frostbreath")
    assert alone.side(B) == [], "the only card A could name left play"
    assert alone.discarded(B) == ["Cavern's Defender"]


@rule("titans", "TS-87", "TI-14.20", "TI-4.8", "TI-14.8")
def test_two_cave_ins_at_each_other():
    game = scene(age=1, hand_a=["Cavern's"], hand_b=["Cavern's"]).reveal("Cavern's", "Cavern's")
    game.choose(A, "subvert", "Cavern's").choose(B, "subvert", "Cavern's")
    assert (game.side(A), game.side(B)) == ([], [])
    assert (game.discarded(A), game.discarded(B)) == (["Cavern's Defender"], ["Cavern's Defender"])

    game = scene(age=1, hand_a=["Cavern's"], hand_b=["Cavern's"]).reveal("Cavern's", "Cavern's")
    game.choose(A, "subvert", "Cavern's").choose(B, "subvert")
    assert game.side(A) == []
    assert game.subversions("Cavern's") == {"mindless": A, "harmless": A}
    assert game.power("Cavern's") == 0


@rule("titans", "TS-19", "TI-13.1", "TI-13.2", "TR-60")
def test_a_mythic_pair():
    game = scene(a=["Riku"], hand_a=["Wind's Howl", "Riku", "Riku"], hand_b=["Wizard"]).reveal("Wind's Howl", "Wizard")
    game.commit(A, "Riku", "Riku")
    assert game.side(A) == ["Wind's Howl"]
    assert game.discarded(A) == ["Riku, Warrior Supreme"] * 3
    assert game.total(A) == -1


@rule("titans", "TS-20", "TI-13.3", "TI-13.20", "TI-13.21", "TR-48", "TI-13.22")
def test_mimic_copies_mythic():
    game = scene(a=["Riku", "Face"], hand_a=["Face"], hand_b=["Wizard"]).reveal("Face", "Wizard")
    assert game.side(A) == ["Riku, Warrior Supreme", "Face of the False God"]
    assert game.one("Face").marks["gained"] == ["Mythic"], "the older Face is gone, the new one stays"
    assert game.discarded(A) == ["Face of the False God"]


@rule("titans", "TI-13.4", "TR-22")
def test_stealing_a_second_copy_triggers_no_mythic():
    """A stolen copy counts when one is played, and goes to its owner's discard pile."""
    game = scene(age=1, a=["Riku"], b=["Riku"], hand_a=["Hell", "Riku"], hand_b=["Wizard", "Ghost"])
    game.reveal("Hell", "Wizard").choose(A, "subvert", "Riku")
    assert game.side(A).count("Riku, Warrior Supreme") == 2
    game.skip("awaken").reveal("Riku", "Ghost")
    assert game.side(A).count("Riku, Warrior Supreme") == 1
    assert game.discarded(B) == ["Riku, Warrior Supreme"]
    assert game.discarded(A) == ["Riku, Warrior Supreme"]


@rule("titans", "TS-21", "TI-7.2", "TI-13.71", "TI-13.70", "TI-7.1")
def test_purify_frees_a_skipped_flash():
    game = scene(
        a=["Nikolai"], hand_a=["Living Volcano", "Zodiac", "Akari"], hand_b=["Frostbreath", "Monk", "Monk", "Monk"]
    )
    game.reveal(["Living Volcano", "Zodiac"], "Frostbreath").choose(B, "subvert", "Living Volcano")
    assert game.waits_for == {A: "purify"}, "no Flash activates"
    game.choose(A, "purify", "Living Volcano")
    assert game.waits_for == {A: "commit"}
    game.commit(A, "Akari").skip("awaken")
    assert game.discarded(B) == ["Monk"] * 2, "the next age begins with Discard 2"


@rule("titans", "TS-22", "TI-13.71", "TI-3.10", "TI-7.7")
def test_purify_an_age_later():
    game = scene(age=1, hand_a=["Living Volcano", "Zodiac"], hand_b=["Frostbreath", *["Monk"] * 5])
    game.reveal("Living Volcano", "Frostbreath").skip("awaken")
    assert game.subversions("Living Volcano") == {"mindless": B}
    game.reveal("Zodiac", "Monk").choose(A, "purify", "Living Volcano")
    assert game.waits_for == {B: "awaken"}, "no Flash happens"
    before = len(game.hand(B))
    game.skip("awaken")
    assert len(game.hand(B)) == before - 2, "Discard 2 works at the start of the third age"


@rule("titans", "TS-23", "TI-13.17", "TI-13.15", "TR-44", "TI-13.10", "TI-13.11")
def test_divert_frees_a_skipped_flash():
    game = scene(a=["Nikolai"], hand_a=["Wind's Howl", "Stampeding", *["Riku"] * 3], hand_b=["Frostbreath"])
    game.reveal(["Wind's Howl", "Stampeding"], "Frostbreath").choose(B, "subvert", "Wind's Howl")
    game.choose(A, "divert", "Wind's Howl", then="Frostbreath")
    assert game.subversions("Frostbreath") == {"mindless": A}
    assert game.power("Frostbreath") == 2, "no Bolster"
    assert game.must(A, "commit") == (3, 3), "2 + 1"


@rule("titans", "TS-24", "TI-13.41", "TI-4.6", "TI-13.40", "TI-1.4")
def test_haunt_with_two_ghosts_left():
    game = scene(age=1, sizes={(0, "Ghost"): 2}, hand_a=["Aurora"], hand_b=["Aurora"]).reveal("Aurora", "Aurora")
    assert game.side(B).count("Ghost") == 2
    assert game.side(A) == ["Aurora Draco"]
    assert all(card.marks == {"harmless": A} for card in game.cards(B) if card.key == "ghost")


@rule("titans", "TS-25", "TI-4.5", "TI-13.63", "TI-4.6")
def test_the_contest_for_a_last_copy():
    piles = [["Jace", "Erik"]]
    game = scene(
        piles=piles, sizes={(0, "Jace"): 1}, a=["Monk"], b=["Monk"], hand_a=["God Killer"], hand_b=["God Killer"]
    )
    game.reveal("God Killer", "God Killer")
    game.choose(A, "sacrifice", "Monk", then="Jace")
    assert game.second(B, "sacrifice", "Monk") == ["Erik, Revered Watchman", "Ghost"]
    game.choose(B, "sacrifice", "Monk", then="Erik")
    assert game.hand(A) == ["Jace, Winter's Firstborn"]
    assert game.hand(B) == ["Erik, Revered Watchman"]


@rule("titans", "TS-71", "TI-14.3", "TI-14.6", "TR-31", "TI-14.22")
def test_a_two_type_subvert_on_a_card_that_has_one_type():
    game = scene(b=["Akari"], subverted={"Akari": {"harmless": A}}, hand_a=["Blizzard's Scream"], hand_b=[], deck_b=[])
    game.commit(A, "Blizzard's Scream")
    assert game.subversions("Akari") == {"exhausted": A, "harmless": A}, "forced"
    game.skip("commit", "awaken")
    assert game.hand(B) == []


@rule("titans", "TS-72", "TI-14.4", "TI-14.5", "TI-12.1", "TI-14.23", "TI-15.1", "TI-0.10", "TR-2")
def test_fewer_targets_than_copies():
    game = scene(b=["Monk", "Great Stone"], hand_a=["Snow's Herald"], hand_b=[], deck_b=[]).commit(A, "Snow's Herald")
    assert game.subversions("Monk") == {"feral": A}
    assert game.subversions("Great Stone") == {}
    assert (game.energy(A), game.energy(B)) == (1, 1)


@rule("titans", "TS-73", "TI-14.21", "TI-13.23")
def test_exhausted_keeps_now_abilities():
    game = scene(age=1, hand_a=["Blizzard's Beacon", *["Monk"] * 4], hand_b=["Living Volcano", "Wizard"])
    game.reveal("Blizzard's Beacon", "Living Volcano")
    assert game.subversions("Living Volcano") == {"exhausted": A}
    game.commit(B, "Wizard").skip("awaken")
    assert len(game.hand(A)) == 4, "no Discard"

    game = scene(
        b=["Monk", "Thunderbringer"], subverted={n: {"exhausted": A} for n in ("Monk", "Thunderbringer")}, a=["Zodiac"]
    )
    assert game.energy(B) == 0
    assert game.power("Thunderbringer") == 2, "no Bolster against fire"
    assert game.waits_for == {A: "commit"}, "and no Delay"


@rule("titans", "TS-74", "TI-1.3", "TI-1.2", "TI-14.28")
def test_the_supply_of_subversions_limits_nothing():
    game = scene(b=["Monk"] * 9, hand_a=["The Death"], hand_b=[], deck_b=[]).commit(A, "The Death")
    assert [card.marks for card in game.cards(B)] == [{"wounded": A}] * 9


@rule("titans", "TS-97", "TI-14.10", "TI-4.5", "TI-14.26", "TR-71", "TI-13.10")
def test_overlapping_subverts():
    game = scene(age=2, b=["Wizard"], hand_a=["Jace", "Monk"], hand_b=["Civilization's", "Stampeding", "Monk"])
    game.reveal("Jace", "Civilization's")
    game.choose(A, "subvert", "Wizard").choose(B, "subvert", "use")
    assert game.subversions("Wizard") == {"harmless": A, "mindless": B}
    assert game.subversions("Jace") == {"mindless": B, "harmless": B}
    game.skip("awaken").reveal("Monk", "Stampeding")
    game.choose(B, "divert", "Wizard", then="Monk")
    assert game.subversions("Wizard") == {"mindless": B}
    assert game.subversions("Monk", A) == {"harmless": B}


@rule("titans", "TS-101", "TI-7.8", "TI-14.40", "TI-14.43")
def test_stealing_a_pending_flash():
    game = scene(age=3, hand_a=["Hell", "Monk", "Monk"], hand_b=["Wind's Howl"], deck_b=[]).reveal(
        "Hell", "Wind's Howl"
    )
    assert game.side(A) == ["Hell, Frozen Over", "Wind's Howl"]
    assert game.waits_for == {A: "commit"}
    assert game.must(A, "commit") == (2, 2)
    game.commit(A, "Monk", "Monk").skip("awaken", "discard_hand")
    assert "Wind's Howl" in game.deck(B) + game.hand(B)

    late = scene(age=2, b=["Wind's Howl"], hand_a=["Hell"], hand_b=["Monk"], deck_b=[]).reveal("Hell", "Monk")
    late.choose(A, "subvert", "Wind's Howl")
    assert late.waits_for == {B: "awaken"}


@rule("titans", "TI-4.7", "TR-32", "TI-14.26")
def test_power_is_read_at_the_start_of_the_batch():
    """Jace makes the Wizard worth 0 in the same batch in which Quivering Fools reads 1; Akari (2) is not hit."""
    game = scene(b=["Akari"], a=["Wizard"], hand_a=["Civilization's"], hand_b=["Jace"], avatar=1)
    game.reveal("Civilization's", "Jace")
    game.choose(B, "subvert", "Civilization's").choose(A, "subvert", "use")
    assert game.subversions("Civilization's") == {"harmless": B}, "its power was 3"
    assert game.subversions("Akari") == {}
    assert game.subversions("Jace") == {"mindless": A, "harmless": A}


@rule("titans", "TI-7.11", "TI-3.2")
def test_the_step_ends_when_nothing_is_pending():
    """When all is used up awakening comes."""
    game = scene(a=["Monk"], hand_a=["Glorious", "Wizard"], hand_b=["Wizard"]).reveal("Glorious", "Wizard")
    game.commit(A)
    assert game.waits_for == {A: "take_back"}
    assert game.offered(A, "take_back") == ["Monk"]
    game.choose(A, "take_back")
    assert game.waits_for == {A: "awaken"}
