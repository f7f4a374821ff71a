"""Delay and Control (TI-12.10 to 12.26; scenarios 52 to 55, 69, 77, 91, 92, 98, 104)."""

from tests.rules import rule

from .scene import A, B, C, D, scene


def seen(game, viewer, side):
    """What a viewer knows of the cards committed to a side."""
    return [card.get("key") for card in game.view(viewer)["zones"][f"slot:{side}"]["cards"]]


@rule("titans", "TS-52", "TI-12.20", "TI-12.23", "TI-12.24", "TI-5.10")
def test_delay_shows_cards():
    game = scene(a=["Zenith"], hand_a=["Jace"], hand_b=["Akari"], deck_b=["Riku"])
    assert game.waits_for == {B: "commit"}, "this beats the Avatar order"
    game.commit(B, "Akari")
    assert seen(game, A, 1) == ["akari_timeless_fighter"]
    assert seen(game, None, 1) == [None]
    assert game.waits_for == {A: "commit"}
    game.commit(A, "Jace")
    assert game.side(B) == ["Akari, Timeless Fighter"]

    game = scene(a=["Zenith"], hand_b=["Akari"], deck_b=["Riku"]).commit(B, "top")
    assert seen(game, A, 1) == ["riku_warrior_supreme"]
    assert seen(game, B, 1) == [None], "the owner may still not look"


@rule("titans", "TS-53", "TI-12.21", "TI-12.20")
def test_delays_cancel():
    game = scene(avatar=1, a=["Zenith", "Thunderbringer"], b=["Zenith"])
    game.commit(B, "Wizard")
    assert seen(game, A, 1) == ["wizard"]
    game = scene(avatar=0, a=["Zenith", "Thunderbringer"], b=["Zenith"], subverted={"Thunderbringer": {"mindless": B}})
    game.commit(A, "Wizard")
    assert seen(game, B, 0) == [None], "nobody is delayed"


@rule("titans", "TS-104", "TI-12.22", "TI-13.31", "TR-19")
def test_delay_in_a_flash_batch():
    game = scene(a=["Zenith"], hand_a=["Monk"], hand_b=["Wind's Howl", "Akari", "Riku"]).reveal("Monk", "Wind's Howl")
    assert game.waits_for == {B: "commit"}
    shown = [effect for effect in game.seen(A) if effect["e"] == "move" and effect["to"] == "slot:1"]
    assert shown == []
    game.commit(B, "Akari", "Riku")
    assert not [e for e in game.seen(A) if e["e"] == "move" and e["to"] == "slot:1" and "keys" in e], "shown nothing"
    assert len(game.side(B)) == 3

    game = scene(a=["Zenith"], hand_a=["Storm's Roar", "Jace"], hand_b=["Wind's Howl", "Akari", "Riku"])
    game.reveal("Storm's Roar", "Wind's Howl")
    game.commit(B, "Akari", "Riku")
    assert sorted(seen(game, A, 1)) == ["akari_timeless_fighter", "riku_warrior_supreme"]
    game.commit(A, "Jace")
    assert {"Akari, Timeless Fighter", "Riku, Warrior Supreme"} <= set(game.side(B))


@rule("titans", "TI-12.22")
def test_delay_when_cards_are_substituted():
    game = scene(age=3, a=["Zenith", "Erik"], b=["Erik"], hand_a=["Wizard", "Jace"], hand_b=["Wizard", "Akari"])
    game.reveal("Wizard", "Wizard").choose(A, "substitute", "Erik").choose(B, "substitute", "Erik")
    assert game.waits_for == {B: "commit"}
    game.commit(B, "Akari")
    assert seen(game, A, 1) == ["akari_timeless_fighter"]


@rule("titans", "TS-54", "TI-12.10", "TI-12.11", "TI-12.12", "TR-18", "TR-57")
def test_control_in_the_third_age():
    """The rulebook's examples: the played card, the flashed card, the substituted one; not the sacrifice."""
    game = scene(
        age=3,
        a=["Danya"],
        b=["Erik", "Monk"],
        hand_a=["Wizard"] * 2,
        hand_b=["Spine Splitter", "Akari", "Ghost", "Jace"],
    )
    hand = game.view(A)["zones"]["hand:1"]["cards"]
    assert sorted(card["key"] for card in hand) == sorted(game.keys("hand:1")), "A sees B's hand"
    assert "cards" not in game.view(None)["zones"]["hand:1"]
    assert [ask.seat for ask in game.table.open.values()] == [A, B], "with A's own choices"
    game.commit(A, "Wizard", side=0).commit(A, "Spine Splitter", side=1)
    assert game.waits_for == {A: "commit"}
    game.commit(A, "Ghost")
    assert game.waits_for == {B: "sacrifice"}, "B decides alone"
    game.choose(B, "sacrifice").skip("awaken")
    assert game.waits_for == {B: "substitute"}
    game.choose(B, "substitute", "Monk")
    assert game.ask(A, "commit").seat == B
    game.commit(A, "Akari")
    assert "Akari, Timeless Fighter" in game.side(B)
    assert "cards" not in game.view(A)["zones"]["hand:1"], "Control has ended with the age"


@rule("titans", "TI-12.11", "TI-12.14")
def test_control_may_play_the_top_of_the_deck_and_ends_with_its_card():
    game = scene(age=3, a=["Danya"], hand_b=["Akari"], deck_b=["Riku"])
    game.commit(A, "top", side=1)
    assert seen(game, A, 1) == [None]
    assert scene(age=2, a=["Danya"]).commit(A, "Wizard").waits_for == {B: "commit"}, "not before the third age"
    off = scene(age=3, a=["Danya"], subverted={"Danya": {"exhausted": B}})
    assert "cards" not in off.view(A)["zones"]["hand:1"]
    assert off.waits_for == {A: "commit"}
    assert off.ask(A, "commit").seat == A
    stolen = scene(age=3, a=["Danya"], subverted={"Danya": {"traitorous": B}})
    assert "cards" in stolen.view(B)["zones"]["hand:0"], "it moves with the card"


@rule("titans", "TS-55", "TI-12.13")
def test_control_entering_in_the_third_age():
    game = scene(age=3, hand_a=["Danya", "Wizard"], hand_b=["Wind's Howl", "Akari", "Riku"])
    assert "cards" not in game.view(A)["zones"]["hand:1"]
    game.reveal("Danya", "Wind's Howl")
    assert game.ask(A, "commit").seat == B
    assert game.offered(A, "commit") == ["Akari, Timeless Fighter", "Riku, Warrior Supreme", "top"]
    assert len(game.view(A)["zones"]["hand:1"]["cards"]) == 2
    game.commit(A, "Akari", "top")
    assert "Akari, Timeless Fighter" in game.side(B)


@rule("titans", "TS-91", "TI-12.15")
def test_control_on_both_sides():
    game = scene(age=3, a=["Danya"], b=["Danya"], hand_a=["Akari", "Monk"], hand_b=["Riku"])
    assert game.waits_for == {A: "commit"}
    assert game.ask(A, "commit").seat == B
    assert "cards" in game.view(A)["zones"]["hand:1"]
    assert "cards" in game.view(B)["zones"]["hand:0"]
    game.commit(A, "Riku")
    assert game.ask(B, "commit").seat == A
    game.commit(B, "Akari")
    assert (game.side(A)[1], game.side(B)[1]) == ("Akari, Timeless Fighter", "Riku, Warrior Supreme")


@rule("titans", "TS-98", "TI-12.12", "TI-12.18", "TR-18")
def test_optional_under_control():
    game = scene(age=3, a=["Danya"], b=["Monk"], hand_a=["Wizard"] * 2, hand_b=["Glorious", "Akari", "Riku"])
    game.commit(A, "Wizard", side=0).commit(A, "Glorious", side=1)
    assert game.waits_for == {B: "commit"}, "B alone says whether it is used"
    game.number(B, "commit", 1)
    game.commit(A, "Akari")
    assert game.waits_for == {B: "take_back"}, "whether and what to return is B's decision"
    declined = scene(age=3, a=["Danya"], b=["Monk"], hand_a=["Wizard"] * 2, hand_b=["Glorious", "Akari"])
    declined.commit(A, "Wizard", side=0).commit(A, "Glorious", side=1).number(B, "commit", 0)
    assert declined.waits_for == {B: "take_back"}


@rule("titans", "TI-12.18")
def test_a_look_under_control_is_shown_to_both_and_the_controller_picks():
    game = scene(age=3, a=["Danya"], hand_a=["Wizard"] * 2, hand_b=["Stone Eagle"], deck_b=["Akari", "Riku", "Monk"])
    game.commit(A, "Wizard", side=0).commit(A, "Stone Eagle", side=1)
    for viewer in (A, B):
        known = [card and card.get("key") for card in game.view(viewer)["zones"]["deck:1"]["cards"]]
        assert known[:2] == ["akari_timeless_fighter", "riku_warrior_supreme"]
    game.commit(A, "Riku")
    assert game.discarded(B) == ["Akari, Timeless Fighter"]
    assert "Riku, Warrior Supreme" in game.side(B)


@rule("titans", "TI-12.19")
def test_a_side_both_controlled_and_delayed():
    game = scene(age=3, avatar=1, a=["Danya", "Zenith"], hand_a=["Wizard"], hand_b=["Akari"])
    assert game.waits_for == {A: "commit"}, "the delayed step, by the controller; B holds the mat"
    assert game.ask(A, "commit").seat == B
    game.commit(A, "Akari")
    assert game.ask(A, "commit").seat == A


@rule("titans", "TS-92", "TI-12.16")
def test_control_against_a_solo_player():
    """Two arenas; S (seat 0) against P (1) in the first, Q (2) in the second; P has Danya."""

    def controlled(avatar):
        return scene(
            3, age=3, avatar=avatar, play={1: ["Danya"]}, hands={0: ["Akari", "Riku"], 1: ["Monk"], 2: ["Monk"]}
        )

    game = controlled(0)
    assert game.waits_for == {A: "commit"}
    game.commit(A, "Akari")
    assert seen(game, B, 2) == ["akari_timeless_fighter"], "P sees it: it came from hand"
    assert seen(game, C, 2) == [None]
    game.skip("trade")
    assert game.offered(B, "commit", 0) == ["Riku, Warrior Supreme", "top"], "from what is left"
    game.commit(B, "Riku", side=0)
    game.commit(B, "Monk", side=1).commit(C, "Monk")
    assert game.side(A, 0) == ["Riku, Warrior Supreme"]
    assert game.side(A, 1) == ["Akari, Timeless Fighter"]

    blind = controlled(0).commit(A, "top")
    assert seen(blind, B, 2) == [None]
    first = controlled(1).skip("trade")
    assert first.ask(B, "commit", 0).seat == A, "with P's team first, P commits S's card first"
    assert A not in first.waits_for


@rule("titans", "TS-77", "TI-12.17", "TI-6.2", "TR-50", "TI-6.6", "TR-13")
def test_control_and_trading():
    """T1P1 (0) is controlled by T2P1 (2); T1P2 (1) offers a trade."""
    hands = {0: ["Akari", "Riku"], 1: ["Jace", "Aria"], 2: ["Monk"], 3: ["Monk"]}
    game = scene(4, age=3, play={1: ["Danya"]}, hands=hands)
    assert game.waits_for == {B: "trade", C: "trade"}, "the controller answers for T1P1"
    game.choose(B, "trade", "trade").choose(C, "trade", "trade")
    assert game.waits_for == {B: "commit"}
    game.commit(B, "Jace")
    assert "cards" not in game.view(C)["zones"]["hand:1"], "T2P1 never sees T1P2's hand"
    assert seen(game, C, 0) == [None]
    game.skip("trade")
    assert game.ask(C, "commit", 2).seat == A
    game.commit(C, "Akari", side=2).commit(C, "Monk", side=1).commit(D, "Monk")
    assert game.side(B, 1) == ["Akari, Timeless Fighter"]
    assert game.side(A, 0) == ["Jace, Winter's Firstborn"]

    refused = scene(4, age=3, play={1: ["Danya"]}, hands=hands).choose(B, "trade", "trade").choose(C, "trade")
    refused.commit(B, "Jace")
    assert refused.slot(2) == ["Jace, Winter's Firstborn"]


@rule("titans", "TS-69", "TI-12.25", "TI-12.26", "TI-5.10", "TI-6.5")
def test_delay_against_a_pair_of_teammates():
    """T1P1 (0) is delayed by T2P1 (2) and T1 trades."""
    game = scene(4, avatar=1, play={1: ["Zenith"]}, hands={0: ["Akari"], 1: ["Jace"], 2: ["Monk"], 3: ["Monk"]})
    assert game.waits_for == {A: "trade", B: "trade"}, "settled early for the delayed side, though T2 holds the mat"
    game.choose(A, "trade", "trade").choose(B, "trade", "trade")
    assert game.waits_for == {B: "commit"}
    game.commit(B, "Jace")
    assert seen(game, C, 0) == ["jace_winters_firstborn"], "shown to T2P1 only"
    assert seen(game, D, 0) == [None]
    assert game.waits_for == {C: "trade", D: "trade"}, "then T2's place"
    game.skip("trade")
    game.commit(C, "Monk").commit(D, "Monk").commit(A, "Akari")
    assert game.side(B, 1) == ["Akari, Timeless Fighter"]


@rule("titans", "TI-12.26", "TI-12.25")
def test_the_traded_card_to_the_other_arena_is_shown_to_nobody():
    game = scene(4, avatar=0, play={1: ["Zenith"]}, hands={0: ["Akari"], 1: ["Jace"], 2: ["Monk"], 3: ["Monk"]})
    game.choose(A, "trade", "trade").choose(B, "trade", "trade").commit(B, "Jace").commit(A, "Akari")
    assert seen(game, C, 2) == seen(game, D, 2) == [None]
    assert seen(game, B, 2) == ["akari_timeless_fighter"], "but to a teammate with whom the hand is shared"
