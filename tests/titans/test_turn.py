"""The turn, committing, awakening, battle, shuffle (TI-3, 5, 8 to 11, 16; scenarios 7 to 14, 56 to 62, 76, 85, 100)."""

from collections import Counter

from games.kernel.testing import given
from tests.rules import rule

from .scene import A, B, Game, scene


@rule("titans", "TS-07", "TI-3.3", "TI-3.4", "TI-3.5", "TI-3.6", "TI-3.7", "TR-9", "TR-52", "TR-69", "TI-3.1")
def test_the_surge_window():
    game = Game(given("titans"))
    assert game.waits_for == {A: "surge", B: "surge"}, "unordered"
    game.choose(A, "surge").choose(B, "surge", "surge")
    assert (len(game.hand(B)), len(game.deck(B)), len(game.discarded(B))) == (6, 0, 6)
    assert game.waits_for == {A: "surge", B: "surge"}, "A may think again"
    game.choose(A, "surge", "surge")
    assert (len(game.hand(A)), game.n(A, "surge")) == (6, 1)
    game.choose(B, "surge", "surge")
    assert (game.hand(B), len(game.discarded(B)), game.n(B, "surge")) == ([], 12, 0), "no reshuffle"
    assert game.waits_for == {A: "surge"}, "B has neither token nor hand"
    game.choose(A, "surge")
    assert game.vars["age"] == 1


@rule("titans", "TS-08", "TI-11.2", "TI-11.3", "TI-3.7", "TI-11.1")
def test_draw_with_a_new_hope():
    """The rulebook's example: Draw 2 and Draw 3: A New Hope on an empty hand draw five."""
    for hand, deck, drawn in ((0, 9, 5), (1, 9, 2), (0, 4, 4)):
        game = scene(age=3, a=["Akari", "Final Sunset"], hand_a=["Wizard"] * hand, deck_a=["Monk"] * deck)
        assert len(game.hand(A)) == hand + drawn


@rule("titans", "TI-11.2")
def test_the_rulebooks_example_of_draw():
    """Draw 2 and Draw in play: three cards at the beginning of each age."""
    game = scene(a=["Akari", "Beacon of Knowledge"], hand_a=[], deck_a=["Monk"] * 9)
    assert len(game.hand(A)) == 3


@rule("titans", "TS-09", "TI-11.1", "TI-11.5", "TI-0.10", "TR-16")
def test_draw_comes_before_discard():
    game = scene(a=["Final Judgment"], b=["Akari"], hand_b=["Wizard"], deck_b=["Monk"] * 8)
    assert game.hand(B) == []
    assert Counter(game.discarded(B)) == {"Wizard": 1, "Monk": 2}
    assert [card["key"] for card in game.view(None)["zones"]["discard:1"]["cards"]].count("monk") == 2


@rule("titans", "TI-11.5", "TR-16")
def test_a_random_discard_is_recorded_chance():
    game = scene(a=["Living Volcano"], hand_b=["Wizard", "Ghost", "Akari", "Jace"])
    assert (len(game.hand(B)), len(game.discarded(B))) == (2, 2)
    draws = [effect for effect in game.told if effect["e"] == "draw" and effect["label"].startswith("discard")]
    assert len(draws) == 1


@rule("titans", "TS-100", "TI-11.6", "TI-11.7", "TR-17")
def test_discard_deck():
    game = scene(a=["Devil's Horns", "Living Volcano"], hand_b=["Wizard"] * 3, deck_b=["Jace", "Akari", "Monk"])
    assert game.offered(A, "discard") == ["deck", "hand"], "A chooses the order"
    game.choose(A, "discard", "deck")
    top = game.view(A)["zones"]["deck:1"]["cards"][0]
    assert top["key"] == "jace_winters_firstborn"
    assert game.view(B)["zones"]["deck:1"] == {"count": 3}
    assert game.view(None)["zones"]["deck:1"] == {"count": 3}
    game.choose(A, "discard", "leave").choose(A, "discard", "deck")
    assert game.view(A)["zones"]["deck:1"]["cards"][0] == top, "the second look shows it again"
    game.choose(A, "discard", "discard")
    assert game.discarded(B) == ["Jace, Winter's Firstborn", "Wizard", "Wizard"], "then the two random discards"
    assert game.deck(B) == ["Akari, Timeless Fighter", "Monk"]

    game = scene(a=["Devil's Horns"], deck_b=["Jace", "Akari"]).choose(A, "discard", "discard")
    assert game.view(A)["zones"]["deck:1"]["cards"][0]["key"] == "akari_timeless_fighter", "it shows d2"


@rule("titans", "TS-10", "TI-5.2", "TI-5.4", "TI-5.6", "TI-5.7", "TR-49", "TI-0.6", "TI-0.7")
def test_blind_play_and_empty_resources():
    game = scene(age=1, hand_a=["Jace"], deck_a=["Akari", "Wizard"], hand_b=["Monk"], deck_b=["Monk"]).commit(A, "top")
    for viewer in (A, B, None):
        assert "key" not in game.view(viewer)["zones"]["slot:0"]["cards"][0]
    moved = next(effect for effect in game.seen(B) if effect["e"] == "move")
    assert (moved["src"], moved["to"], moved.get("n", 1)) == ("deck:0", "slot:0", 1)
    assert game.side(A) == [], "committed, not yet in play"
    game.commit(B, "Monk")
    assert game.side(A) == ["Akari, Timeless Fighter"]

    game = scene(age=1, hand_a=["Akari"], hand_b=[], deck_b=[]).commit(A, "Akari")
    assert (game.side(A), game.side(B)) == (["Akari, Timeless Fighter"], [])


@rule("titans", "TI-5.6", "TI-5.2")
def test_a_card_from_hand_is_its_owners_secret_until_the_reveal():
    game = scene(age=1, hand_a=["Jace", "Akari"]).commit(A, "Jace")
    assert game.view(A)["zones"]["slot:0"]["cards"][0]["key"] == "jace_winters_firstborn"
    assert "key" not in game.view(B)["zones"]["slot:0"]["cards"][0]
    answer = next(effect for effect in game.seen(B) if effect["e"] == "answer")
    assert "value" not in answer


@rule("titans", "TI-5.6", "TR-49", "TI-13.33")
def test_the_view_says_where_a_face_down_card_came_from():
    """From hand or from the deck, to everybody, until it is turned up; a card that was looked at is from the deck."""
    game = scene(a=["Nikolai"], hand_a=["Monk"], deck_a=["Akari", "Jace"], hand_b=["Stone Eagle"], deck_b=["Monk"] * 4)

    def sources(side):
        lying = [game.view(viewer)["zones"][f"slot:{side}"]["cards"] for viewer in (A, B, None)]
        return [[card.get("pose", "hand") for card in cards] for cards in lying]

    assert sources(0) == [[], [], []]
    game.commit(A, "Monk", "top")
    assert sources(0) == [["hand", "top"]] * 3
    game.commit(B, "Stone Eagle")
    assert all("pose" not in card for card in game.view(B)["zones"]["arena:0"]["cards"])
    assert game.waits_for == {B: "commit"}, "the two cards that Foresee looks at"
    game.commit(B, "Monk")
    assert [effect["pose"] for effect in game.seen(A) if effect.get("to") == "slot:1"] == ["top"]


@rule("titans", "TS-11", "TI-12.40", "TI-12.41", "TI-5.1", "TI-5.3", "TI-5.5")
def test_summon():
    """The rulebook's example: two Summons make three cards."""
    game = scene(
        age=3, a=["Nikolai"] * 2, hand_a=["Nikolai", "Wizard"], deck_a=["Akari", "Jace", "Monk"], hand_b=["Monk"] * 3
    )
    assert game.waits_for == {A: "commit"}
    assert game.must(A, "commit") == (3, 3)
    game.commit(A, "top", "top", "Nikolai")
    assert not any(
        "key" in card and card["key"] != "nikolai_the_cursed" for card in game.view(A)["zones"]["slot:0"]["cards"]
    )
    game.commit(B, "Monk")
    assert sorted(game.side(A)[2:]) == ["Akari, Timeless Fighter", "Jace, Winter's Firstborn", "Nikolai, The Cursed"]
    fresh = scene(age=2, a=[], hand_a=["Nikolai", "Wizard", "Wizard"]).reveal("Nikolai", "Wizard")
    assert fresh.must(A, "commit") == (2, 2), "one more from the next age on"


@rule("titans", "TS-12", "TI-8.1", "TI-8.2", "TI-8.3", "TI-8.4", "TI-8.5", "TI-0.7")
def test_awakening():
    game = scene(
        age=1,
        piles=[["Jace", "Akari", "Inferno"]],
        sizes={(0, "Jace"): 1},
        a=["Traveler"] * 2,
        hand_a=["Monk"],
        hand_b=["Monk"],
    )
    game.reveal("Monk", "Monk")
    assert game.energy(A) == 5
    assert game.offered(A, "awaken") == [
        "Akari, Timeless Fighter",
        "Ghost",
        "Inferno",
        "Jace, Winter's Firstborn",
        "Traveler",
    ]
    game.choose(A, "awaken", "Jace")
    assert game.discarded(A) == ["Jace, Winter's Firstborn"]
    assert game.waits_for == {B: "awaken"}, "A may not awaken again"
    assert game.offered(B, "awaken") == ["Akari, Timeless Fighter", "Ghost"]
    game.choose(B, "awaken")
    assert game.discarded(B) == []


@rule("titans", "TS-13", "TI-16.1", "TI-16.2", "TI-16.3", "TI-16.4", "TI-8.2")
def test_counting_energy():
    has = ["Monk", "Traveler", "Andar", "Dawn"]
    game = scene(age=3, a=has, subverted={"Traveler": {"mindless": B}})
    assert game.energy(A) == 3
    fresh = scene(
        age=3, a=has[:3], subverted={"Traveler": {"mindless": B}}, hand_a=["Dawn", "Wizard"], hand_b=["Wizard"] * 2
    )
    fresh.reveal("Dawn", "Wizard").commit(A, "Wizard")
    assert fresh.energy(A) == 5
    assert scene(age=2, a=has[:3]).energy(A) == 3, "no Arc in the second age, but the Traveler works"


@rule("titans", "TS-14", "TI-10.2", "TI-10.3", "TI-10.4", "TI-10.5", "TI-10.6", "TI-19.1", "TR-15", "TI-14.2")
def test_shuffle_keeps_large_hands():
    game = scene(
        at="battle",
        a=["Monk"],
        b=["Akari"],
        subverted={"Akari": {"harmless": A}},
        hand_a=["Wizard"] * 8,
        hand_b=["Jace", "Monk"],
        deck_b=["Ghost"] * 6,
    )
    assert game.waits_for == {A: "discard_hand", B: "discard_hand"}, "together"
    game.choose(B, "discard_hand", "Monk")
    gone = [effect for effect in game.seen(A) if effect["e"] == "answer"]
    assert "value" not in gone[0]
    game.choose(A, "discard_hand")
    moved = [effect for effect in game.seen(A) if effect["e"] == "move" and effect["src"] == "hand:1"]
    assert moved[0].get("n", 1) == 1
    assert "keys" not in moved[0], "only the number"
    assert game.hand(A) == ["Wizard"] * 8
    assert len(game.hand(B)) == 6
    assert "Jace, Winter's Firstborn" in game.hand(B)
    assert (game.side(A), game.side(B), game.discarded(B)) == ([], [], [])
    assert "Monk" in game.deck(A)
    assert Counter(game.deck(B) + game.hand(B)) == {
        "Ghost": 6,
        "Akari, Timeless Fighter": 1,
        "Monk": 1,
        "Jace, Winter's Firstborn": 1,
    }
    assert all(not card.marks for card in game.table.cards.values())


@rule("titans", "TI-10.5", "TI-3.7")
def test_a_short_deck_is_drawn_out():
    game = scene(at="battle", hand_a=["Wizard"], deck_a=["Monk"] * 3, hand_b=[]).choose(A, "discard_hand")
    assert (len(game.hand(A)), game.deck(A)) == (4, [])


@rule("titans", "TS-76", "TI-3.11", "TI-4.1", "TR-10")
def test_the_avatar_mat_moves():
    def after(seats, avatar, **options):
        game = scene(seats, at="battle", avatar=avatar, options=options, hands={n: [] for n in range(seats)})
        return game.vars["avatar"]

    assert [after(2, 0), after(2, 1)] == [1, 0]
    assert [after(4, 0), after(4, 1)] == [1, 0]
    assert [after(6, team) for team in (0, 1, 2)] == [1, 2, 0]


@rule("titans", "TS-62", "TI-9.1", "TI-9.3", "TI-9.10", "TI-9.2", "TR-54")
def test_battle_limits_and_capture():
    def fought(a, b, temples):
        return scene(at="battle", a=["Wizard"] * a, b=["Wizard"] * b, temples=temples)

    assert fought(5, 4, [2, 2]).vars["temples"] == [2, 2], "a tie"
    assert fought(5, 3, [2, 2]).vars["temples"] == [2, 1], "destroyed"
    assert fought(5, 3, [1, 2]).vars["temples"] == [2, 1], "captured"
    assert fought(3, 5, [2, 1]).vars["temples"] == [1, 2]
    over = scene(at="battle", a=["Wizard"] * 5, b=["Zephyr"], temples=[2, 1])
    assert over.outcome == ("win", [A])
    assert over.deck(A) == ["Monk"] * 6, "its Spite does not happen"


@rule("titans", "TS-85", "TI-18.14", "TI-9.1")
def test_negative_totals():
    assert scene(at="battle", a=["Ghost"] * 3, b=["Ghost"]).vars["temples"] == [2, 3]
    assert scene(at="battle", a=["Ghost"] * 2, b=["Ghost"]).vars["temples"] == [3, 3]


# -- ends of ages and of the turn -------------------------------------------------------------------------------------


@rule("titans", "TS-56", "TI-17.10", "TI-17.11", "TI-17.12", "TI-17.13", "TI-13.5", "TI-3.9")
def test_substitute():
    game = scene(
        age=3,
        a=["Erik", "Return of", "Riku", "Monk"],
        b=["Hell", "Wizard"],
        hand_a=["Riku", "Keeper", "Wizard"],
        hand_b=["Wizard"] * 2,
    )
    game.reveal("Wizard", "Wizard").skip("awaken")
    game.choose(A, "substitute", "Monk").choose(A, "substitute", "Return of")
    assert game.discarded(A) == ["Monk", "Return of the Frost Giants"]
    assert game.must(A, "commit") == (2, 2)
    game.commit(A, "Riku", "Keeper")
    assert game.side(A).count("Riku, Warrior Supreme") == 2
    assert game.waits_for == {B: "discard_hand"}, "an incoming Keeper substitutes nothing"
    assert game.power("Keeper") == 2, "but its Bolster works"

    jace = scene(age=3, a=["Erik"], b=["Wizard"], hand_a=["Jace", "Wizard"], hand_b=["Wizard"] * 2)
    jace.reveal("Wizard", "Wizard").choose(A, "substitute", "Erik").commit(A, "Jace")
    assert [card.marks for card in jace.cards(B)] == [{}, {}], "a Jace coming in subverts nothing"


@rule("titans", "TS-57", "TI-17.11")
def test_declining_a_substitute_is_final():
    game = scene(age=3, a=["Keeper", "Wizard"], hand_a=["Ghost", "Akari"]).reveal("Ghost", "Wizard")
    game.choose(A, "substitute", "Ghost").commit(A, "Akari")
    assert game.waits_for == {B: "discard_hand"}


@rule("titans", "TS-58", "TI-17.16", "TI-12.2", "TR-67")
def test_fear():
    game = scene(age=3, a=["Blizzard's Bodyguard"], b=["Akari", "Boulder Bear"], hand_b=["Monk"], deck_b=[], deck_a=[])
    game.reveal("Wizard", "Monk").skip("awaken")
    assert game.offered(A, "substitute") == ["Akari, Timeless Fighter", "Monk"]
    assert game.must(A, "substitute") == (0, 2)
    game.choose(A, "substitute", "Akari", "Monk")
    assert game.discarded(B) == ["Akari, Timeless Fighter", "Monk"]
    assert game.side(B) == ["Boulder Bear"], "two cards drawn by Akari were none: the places stay empty"

    game = scene(age=3, a=["Blizzard's Bodyguard"], b=["Akari"], hand_b=["Monk", "Jace"], deck_b=[]).reveal(
        "Wizard", "Monk"
    )
    game.skip("awaken").choose(A, "substitute", "Akari")
    game.commit(B, "Jace")
    assert game.side(B) == ["Monk", "Jace, Winter's Firstborn"], "the opponent picks the replacement"


@rule("titans", "TS-59", "TI-17.1", "TI-11.3", "TI-3.9")
def test_nights_fury():
    game = scene(age=1, hand_a=["Final Sunset", *["Wizard"] * 5], deck_a=["Monk"] * 9, hand_b=["Wizard"] * 6)
    game.reveal("Final Sunset", "Wizard").choose(A, "nights_fury", "use")
    assert game.discarded(A) == ["Wizard"] * 5
    assert game.hand(A) == ["Monk"] * 3
    game.reveal("Monk", "Wizard").skip("awaken").choose(A, "nights_fury").reveal("Monk", "Wizard").skip("awaken")
    assert "discard_hand" in game.waits_for.values(), "not offered at the end of the third age"


@rule("titans", "TS-60", "TI-17.20", "TI-17.21", "TR-36", "TR-55", "TI-10.1")
def test_rage():
    def raging():
        return scene(at="battle", a=["Bloodlust", "Wizard"], b=["Akari"], subverted={"Akari": {"traitorous": A}})

    game = raging()
    assert game.offered(A, "rage") == ["Akari, Timeless Fighter", "Wizard"]
    assert game.must(A, "rage") == (1, 1)
    game.choose(A, "rage", "Wizard")
    assert game.hand(A) == ["Wizard"] * 4, "may be kept or discarded now"
    assert game.waits_for[A] == "discard_hand"
    game = raging().choose(A, "rage", "Akari")
    assert game.discarded(B) == ["Akari, Timeless Fighter"]


@rule("titans", "TS-61", "TI-17.22", "TI-15.7", "TI-15.5", "TR-59")
def test_spite_and_feral_spite():
    def ghosts(a, b, feral):
        subverted = {"Zephyr": {"feral": B}} if feral else {}
        game = scene(
            at="battle", a=["Zephyr", *["Ghost"] * a], b=["Wizard"] * b, subverted=subverted, deck_a=[], deck_b=[]
        )
        return game.deck(A).count("Ghost"), game.deck(B).count("Ghost")

    assert ghosts(0, 4, feral=False) == (0, 2)
    assert ghosts(0, 2, feral=False) == (0, 0), "a tie"
    assert ghosts(0, 4, feral=True) == (2, 2)
    assert ghosts(0, 0, feral=True) == (0, 0), "B lost a temple"


@rule("titans", "TS-82", "TI-17.14", "TI-17.15", "TI-12.2")
def test_substitute_itself_armor_and_stolen():
    game = scene(
        age=3,
        a=["Erik", "Metalwing"],
        b=["Akari"],
        subverted={"Akari": {"traitorous": A}},
        hand_a=["Riku"],
        deck_a=["Wizard"] * 3,
        hand_b=["Wizard"] * 2,
    )
    game.reveal("Wizard", "Wizard").skip("awaken")
    assert game.offered(A, "substitute") == ["Akari, Timeless Fighter", "Erik, Revered Watchman", "Wizard"]
    game.choose(A, "substitute", "Akari")
    assert game.discarded(B) == ["Akari, Timeless Fighter"]
    game.commit(A, "Riku")
    assert "Riku, Warrior Supreme" in game.side(A)


@rule("titans", "TI-17.11", "TI-17.16", "TR-35")
def test_a_card_is_named_once_by_substitute_and_fear():
    game = scene(age=3, a=["Blizzard's Bodyguard"], b=["Erik", "Ghost"], hand_b=["Wizard"] * 3)
    game.reveal("Wizard", "Wizard").skip("awaken").choose(A, "substitute", "Ghost", "Erik")
    assert game.offered(B, "substitute") == ["Wizard"], "Erik still works though it leaves in the same batch"


@rule("titans", "TR-40", "TR-39", "TI-1.2")
def test_discard_piles_are_open_and_there_are_seven_subversions():
    from games.rulebooks.titans.cards import IN_BOX, SUBVERSIONS

    game = scene(a=["Final Judgment"], hand_b=["Jace"])
    assert [card["key"] for card in game.view(A)["zones"]["discard:1"]["cards"]] == ["jace_winters_firstborn"]
    assert (len(SUBVERSIONS), IN_BOX) == (7, 8)
    assert "forgotten" not in SUBVERSIONS


@rule("titans", "TI-3.8", "TI-3.2", "TI-1.10", "TI-10.3")
def test_the_first_age_of_a_turn_starts_with_nothing_in_play():
    """Cards that drew and discarded in this turn are in the decks; both players may awaken from every pile."""
    game = scene(
        age=3, a=["Akari", "Monk"], b=["Final Judgment", "Monk"], hand_a=["Wizard"], hand_b=["Wizard"], surge=1
    )
    game.skip("commit", "awaken", "discard_hand")
    assert (game.side(A), game.side(B)) == ([], [])
    sizes = len(game.hand(A)), len(game.hand(B))
    game.skip("surge")
    assert game.vars["age"] == 1
    assert (len(game.hand(A)), len(game.hand(B))) == sizes
    asked = scene(age=1, a=["Traveler"] * 2, b=["Traveler"] * 2, hand_a=["Wizard"], hand_b=["Wizard"]).reveal(
        "Wizard", "Wizard"
    )
    first = asked.offered(A, "awaken")
    asked.choose(A, "awaken")
    assert asked.offered(B, "awaken") == first
