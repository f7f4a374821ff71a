"""Power, Protect, Armor (TI-12, TI-18; scenarios 26 to 33, 78, 103)."""

from tests.rules import rule

from .scene import A, B, scene


def powers(name, seat, **given):
    return scene(at="battle", **given).power(name, seat)


@rule("titans", "TS-26", "TI-12.30", "TI-12.31", "TI-12.32", "TI-5.8", "TI-12.37", "TR-62")
def test_protect_works_at_reveal_and_not_backwards():
    game = scene(
        age=2, a=["Wizard"], subverted={"Wizard": {"harmless": B}}, hand_a=["Caiden", "Monk"], hand_b=["Jace", "Jace"]
    )
    game.reveal("Caiden", "Jace")
    assert game.subversions("Caiden") == {}
    assert game.subversions("Wizard") == {"harmless": B}
    game.skip("awaken").reveal("Monk", "Jace")
    assert game.offered(B, "subvert") == ["Caiden, Fire Lord", "Monk"], "in the next age they may be named again"
    game = scene(age=2, a=["Wizard"], hand_a=["Eternal Vigil", "Monk", "Monk"], hand_b=["Monk", "Jace", "Monk"])
    game.reveal("Eternal Vigil", "Monk").skip("awaken").reveal("Monk", "Jace")
    assert game.vars["protected"] == {"0": "turn"}
    assert game.waits_for == {A: "awaken"}, "Eternal: to the end of the turn"


@rule("titans", "TS-27", "TI-13.12", "TI-13.13", "TR-23", "TI-12.37")
def test_divert_against_a_protected_side():
    wizard = {"a": ["Wizard"], "subverted": {"Wizard": {"harmless": B}}}
    game = scene(**wizard, hand_a=["Stampeding"], hand_b=["Smoldering"]).reveal("Stampeding", "Smoldering")
    assert game.second(A, "divert", "Wizard") == [], "one destination: forced"
    game.choose(A, "divert", "Wizard")
    assert game.subversions("Stampeding") == {"harmless": A}
    game = scene(**wizard, b=["Nikolai"], hand_a=["Stampeding"], hand_b=["Smoldering", "Jace"])
    game.reveal("Stampeding", ["Smoldering", "Jace"])
    assert game.subversions("Stampeding") == {"harmless": B}, "forced: the Wizard has it already"
    game.choose(A, "divert", "Wizard")
    assert game.subversions("Wizard") == {}
    assert game.subversions("Stampeding") == {"harmless": B}, "the lifted one is back in the supply"


@rule("titans", "TS-28", "TI-14.28", "TI-12.1", "TI-18.4")
def test_total_warfare_and_armor():
    game = scene(b=["Boulder Bear", "Wizard", "Akari"], hand_a=["The Death"], hand_b=[], deck_b=[]).commit(
        A, "The Death"
    )
    assert game.subversions("Boulder Bear") == {}
    assert game.subversions("Wizard") == game.subversions("Akari") == {"wounded": A}
    assert game.total(B) == 3


@rule("titans", "TS-29", "TI-18.1", "TI-18.2", "TI-18.3", "TI-18.6", "TI-14.24")
def test_harmless_and_bolsters():
    """The rulebook's example: a rock dragon against two sky cards."""

    def defender(**marks):
        return powers("Cavern's", B, a=["Zenith"] * 2, b=["Cavern's"], subverted={"Cavern's": marks} if marks else None)

    assert defender() == 5
    assert defender(harmless=A) == 2
    assert defender(harmless=A, exhausted=A) == 0
    assert defender(exhausted=A) == 3
    assert defender(mindless=A) == 3


@rule("titans", "TS-30", "TI-18.5", "TI-14.27")
def test_stunted():
    """The rulebook's example: an ice dragon with Bolster: Rock goes from 3 to 1 and stays there."""
    herald = {"b": ["Snow's Herald"]}
    stunted = {"subverted": {"Snow's Herald": {"stunted": A}}}
    assert powers("Snow's Herald", B, a=["Akari"] * 2, **herald) == 3
    assert powers("Snow's Herald", B, a=["Akari"] * 2, **herald, **stunted) == 1
    assert powers("Snow's Herald", B, a=["Akari"] * 3, **herald, **stunted) == 1
    assert powers("Wind's Howl", B, b=["Wind's Howl"], subverted={"Wind's Howl": {"stunted": A}}) == -1
    game = scene(b=["Snow's Herald"], a=["Akari"], hand_a=["Aria"], hand_b=[], deck_b=[]).commit(A, "Aria")
    assert game.subversions("Snow's Herald") == {"stunted": A}


@rule("titans", "TS-31", "TI-18.4", "TI-18.5", "TI-14.29")
def test_wounded():
    """The rulebook's examples: 5 becomes 3, an ice dragon 1 and then 2, -1 becomes 0; Wounded before Stunted."""
    bane = {"b": ["Soldier's Bane"], "a": ["Akari"] * 3}
    assert powers("Soldier's Bane", B, **bane) == 5
    assert powers("Soldier's Bane", B, **bane, subverted={"Soldier's Bane": {"wounded": A}}) == 3
    assert powers("Soldier's Bane", B, **bane, subverted={"Soldier's Bane": {"wounded": A, "stunted": A}}) == 1
    frost = {"b": ["Frostbreath"], "subverted": {"Frostbreath": {"wounded": A}}}
    assert powers("Frostbreath", B, **frost) == 1
    assert powers("Frostbreath", B, **frost, a=["Akari"] * 2) == 2
    assert powers("Wind's Howl", B, b=["Wind's Howl"], subverted={"Wind's Howl": {"wounded": A}}) == 0
    assert powers("Wizard", B, b=["Wizard"], subverted={"Wizard": {"wounded": A}}) == 1


@rule("titans", "TI-18.6", "TI-12.5")
def test_the_rulebooks_example_of_bolster_fire():
    """No fire card, no additional power; it is updated when the opponent plays one."""
    game = scene(age=1, hand_a=["Thunderbringer", "Monk"], hand_b=["Wizard", "Zephyr"]).reveal(
        "Thunderbringer", "Wizard"
    )
    assert game.power("Thunderbringer") == 2
    game.skip("awaken").reveal("Monk", "Zephyr")
    assert game.power("Thunderbringer") == 3
    for name, against, expected in (
        ("Aurora", "Zephyr", 2),
        ("Smoldering", "Aria", 4),
        ("Great Stone", "Zenith", 3),
        ("Frostbreath", "Akari", 3),
        ("Soldier's Bane", "Akari", 3),
        ("Beast Eater", "Wind's Howl", 3),
        ("The Alpha", "Aurora", 4),
        ("God Killer", "Inferno", 3),
    ):
        assert powers(name, A, a=[name], b=[against, "Monk"]) == expected


@rule("titans", "TS-32", "TI-14.26", "TI-12.33", "TR-32")
def test_quivering_fools_against_protect():
    game = scene(a=["Wizard", "Monk"], b=["Monk"], hand_a=["Civilization's"], hand_b=["Caiden"])
    game.reveal("Civilization's", "Caiden").choose(A, "subvert", "use")
    assert game.subversions("Wizard") == game.subversions("Monk", A) == {"mindless": A, "harmless": A}
    assert game.subversions("Monk", B) == game.subversions("Caiden") == {}
    assert (game.energy(A), game.total(A)) == (0, 3)


@rule("titans", "TS-33", "TI-18.7", "TI-18.8", "TI-18.9", "TI-18.10", "TI-18.11", "TR-38", "TI-0.11", "TI-19.4")
def test_glory_hero_allies_cards_rivals():
    assert powers("Inferno", A, a=["Inferno", *["Monk"] * 3]) == 5
    assert powers("Inferno", A, a=["Inferno", *["Monk"] * 3, "Ghost"]) == 2
    for own, theirs, expected in ((2, 2, 1), (2, 3, 2), (2, 4, 4), (2, 5, 4)):
        assert powers("Kanna", A, a=["Kanna", *["Monk"] * (own - 1)], b=["Monk"] * theirs) == expected
    assert powers("The Storm", A, a=["The Storm", *["Monk"] * 3, *["Ghost"] * 2]) == 3
    assert powers("The Storm", A, a=["The Storm", *["Monk"] * 8]) == 6
    assert powers("He The Earth", A, a=["He The Earth"], hand_a=["Monk"] * 8) == 7
    assert powers("What Lies", A, a=["What Lies"], b=["Monk"] * 2 + ["Ghost"]) == 3
    assert powers("What Lies", A, a=["What Lies"], b=["Monk"] * 9) == 6
    assert powers("Keeper", A, a=["Keeper"], b=["Inferno"]) == 2


@rule("titans", "TS-78", "TI-12.34", "TI-12.37", "TI-14.26", "TR-20")
def test_protection_outlives_its_card():
    game = scene(a=["Nikolai"], hand_a=["Civilization's", "Caiden"], hand_b=["Soldier's Bane"])
    game.reveal(["Civilization's", "Caiden"], "Soldier's Bane")
    assert game.power("Soldier's Bane") == 4
    game.choose(A, "subvert", "use")
    assert game.subversions("Caiden") == game.subversions("Nikolai") == {"mindless": A, "harmless": A}
    assert game.subversions("Soldier's Bane") == {}
    assert "Ghost" not in game.side(A)


@rule("titans", "TS-103", "TI-12.3", "TI-13.21", "TI-13.24", "TI-12.1")
def test_armor_gained_after_a_subversion():
    game = scene(b=["Boulder Bear"], hand_a=["Jace", "Jace"], hand_b=["Face", "Wizard", "Monk"]).reveal("Jace", "Face")
    assert game.subversions("Face") == {"harmless": A}
    assert game.must(B, "commit") == (0, 1), "the gained Flash: Optional"
    game.commit(B).skip("awaken").reveal("Jace", "Wizard")
    assert game.subversions("Wizard", B) == {"harmless": A}, "Face and Boulder Bear have Armor"
    assert game.subversions("Face") == {"harmless": A}, "and Face keeps what it had"

    game = scene(b=["Boulder Bear"], hand_a=["Blizzard's Beacon", "Jace"], hand_b=["Face", "Wizard"])
    game.reveal("Blizzard's Beacon", "Face").commit(B).skip("awaken").reveal("Jace", "Wizard")
    assert game.offered(A, "subvert") == ["Face of the False God", "Wizard"], "the gained Armor does not work"


@rule("titans", "TI-12.36", "TI-12.35", "TI-12.33", "TR-67")
def test_protect_stops_neither_discard_nor_ones_own_subverts():
    game = scene(age=1, hand_a=["Living Volcano", "Wizard"], hand_b=["Eternal Vigil", *["Monk"] * 4])
    game.reveal("Living Volcano", "Eternal Vigil").commit(A, "Wizard").skip("awaken")
    assert len(game.hand(B)) == 2


@rule("titans", "TI-18.13", "TI-18.3")
def test_several_bolsters_add_up_each_with_its_own_cap():
    """Rivals 6 printed, Allies 6 and Hero gained: 6 + 6 + 0 with seven cards on each side."""
    gained = {"What Lies": {"gained": ["Bolster: Allies 6", "Bolster: Hero"]}}
    many = powers("What Lies", A, a=["What Lies", *["Monk"] * 7], b=["Monk"] * 7, subverted=gained)
    assert many == 12
    assert powers("What Lies", A, a=["What Lies"], b=["Monk"] * 2, subverted=gained) == 2 + 0 + 3
