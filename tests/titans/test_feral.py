"""Traitorous, Feral, Mimic (TI-14.40, TI-15, TI-13.20; scenarios 34 to 43, 88 to 90, 96, 102)."""

from tests.rules import rule

from .scene import A, B, scene


@rule("titans", "TS-34", "TI-14.40", "TI-14.41", "TI-14.43", "TI-0.4", "TR-70")
def test_stealing():
    game = scene(
        age=2, b=["Akari", "What Lies"], hand_a=["Hell", "Monk", "Monk"], hand_b=["Wizard", "Ghost"], deck_b=["Monk"]
    )
    game.reveal("Hell", "Wizard")
    before = len(game.hand(A))
    game.choose(A, "subvert", "Akari")
    assert game.total(A) == 3
    assert game.power("What Lies") == 2, "it counts Akari as A's card"
    assert len(game.hand(A)) == before + 2, "nobody can awaken; A draws 2 at the next age"
    game.reveal("Monk", "Ghost").skip("awaken", "discard_hand")
    assert "Akari, Timeless Fighter" in game.deck(B) + game.hand(B)


@rule("titans", "TS-35", "TI-13.52", "TI-19.2", "TI-14.2", "TI-13.50", "TR-55")
def test_a_stolen_card_is_returned():
    game = scene(
        a=["Wizard"], b=["Akari"], subverted={"Akari": {"traitorous": A}}, hand_a=["Glorious"], hand_b=["Monk"]
    )
    game.reveal("Glorious", "Monk").commit(A)
    assert game.offered(A, "take_back") == ["Akari, Timeless Fighter", "Wizard"], "Glorious Phoenix has Return itself"
    game.choose(A, "take_back", "Akari")
    assert game.discarded(B) == ["Akari, Timeless Fighter"]
    assert "Akari, Timeless Fighter" not in game.hand(A) + game.hand(B)
    assert all("traitorous" not in card.marks for card in game.table.cards.values())


@rule("titans", "TS-36", "TI-13.71", "TI-13.74", "TI-13.75", "TI-18.12", "TI-14.44", "TI-0.14", "TI-13.76", "TR-30")
def test_purifying_a_stolen_card_earns_a_token():
    game = scene(b=["Akari"], subverted={"Akari": {"traitorous": A}}, hand_b=["Kovu", "Wizard"], hand_a=["Wizard"] * 2)
    game.reveal("Wizard", "Kovu")
    assert game.power("Kovu") == 1
    game.choose(B, "purify", "Akari")
    assert game.side(B) == ["Akari, Timeless Fighter", "Kovu, Promised Prince"]
    assert game.one("Kovu").n == {"token": 1}
    assert game.power("Kovu") == 3
    assert len(game.hand(B)) == 3, "at the next age B draws 2"


@rule("titans", "TS-37", "TI-14.9", "TI-14.42", "TR-61")
def test_targeting_stolen_cards():
    stolen = {"b": ["Akari"], "subverted": {"Akari": {"traitorous": A}}}
    game = scene(**stolen, hand_a=["Wizard"], hand_b=["Jace"]).reveal("Wizard", "Jace")
    assert game.offered(B, "subvert") == ["Akari, Timeless Fighter", "Wizard"]
    game = scene(**stolen, hand_a=["Caiden"], hand_b=["Jace"]).reveal("Caiden", "Jace")
    assert game.subversions("Akari") == {"traitorous": A}, "protected like any card of that side"
    game = scene(**stolen, a=["Monk"], hand_a=["Wizard"], hand_b=["Hell"]).reveal("Wizard", "Hell")
    assert game.offered(B, "subvert") == ["Monk", "Wizard"]


@rule("titans", "TS-38", "TI-15.1", "TI-15.5", "TI-11.4", "TI-15.4", "TR-63")
def test_feral_and_draw():
    """The rulebook's example, and A New Hope by the controller's hand alone."""

    def feral(card, **hands):
        game = scene(b=[card], subverted={card: {"feral": A}}, deck_a=["Monk"] * 6, deck_b=["Monk"] * 6, **hands)
        return len(game.hand(A)), len(game.hand(B))

    assert feral("Akari", hand_a=[], hand_b=[]) == (2, 2)
    assert feral("Final Sunset", hand_a=["Wizard"], hand_b=[]) == (4, 3)
    assert feral("Final Sunset", hand_a=[], hand_b=["Wizard"]) == (0, 1)


@rule("titans", "TS-39", "TI-15.2", "TI-13.37", "TI-13.38", "TI-14.23", "TR-26")
def test_feral_does_not_catch_up():
    game = scene(b=["Wind's Howl"], hand_a=["Shipwrecker", "Monk"], hand_b=["Monk", "Monk"]).reveal(
        "Shipwrecker", "Monk"
    )
    game.choose(A, "subvert", "Wind's Howl")
    assert game.waits_for == {B: "awaken"}, "no shared Flash, and Singular does nothing"
    game = scene(age=1, hand_a=["Shipwrecker", "Monk", "Monk"], hand_b=["Wind's Howl", "Monk", "Monk"])
    game.reveal("Shipwrecker", "Wind's Howl")
    assert game.must(A, "commit") == (2, 2), "its share of Flash 2, and nothing by Singular"
    game.commit(A, "Monk", "Monk")
    assert game.must(B, "commit") == (2, 2)


@rule("titans", "TS-40", "TI-15.6", "TI-15.7", "TI-13.21")
def test_feral_on_mimic():
    """The rulebook's example: the copied Flash 2, lying on the Feral card, is shared."""
    game = scene(b=["Wind's Howl"], hand_a=["Snow's Herald", *["Monk"] * 2], hand_b=["Face", *["Monk"] * 2])
    game.reveal("Snow's Herald", "Face")
    assert game.subversions("Wind's Howl") == game.subversions("Face") == {"feral": A}
    assert game.one("Face").marks["gained"] == ["Flash 2"]
    assert game.must(A, "commit") == (2, 2)
    game.commit(A, "Monk", "Monk")
    assert game.must(B, "commit") == (2, 2)


@rule("titans", "TS-41", "TI-15.3", "TI-14.21", "TI-14.25")
def test_feral_on_a_switched_off_card():
    def volcano(other):
        game = scene(
            a=["Nikolai"], hand_a=["Shipwrecker", other, *["Monk"] * 4], hand_b=["Living Volcano", *["Monk"] * 4]
        )
        game.reveal(["Shipwrecker", other], "Living Volcano")
        game.skip("subvert")
        return game

    game = volcano("Frostbreath")
    assert game.subversions("Living Volcano") == {"mindless": A, "feral": A}
    assert game.must(A, "commit") == (1, 1), "nobody flashes by it; Shipwrecker's own Singular does"
    game.commit(A, "Monk")
    before = len(game.hand(A)), len(game.hand(B))
    game.skip("awaken")
    assert (len(game.hand(A)), len(game.hand(B))) == before, "and nobody discards"

    game = volcano("Blizzard's Beacon")
    assert game.subversions("Living Volcano") == {"exhausted": A, "feral": A}
    assert game.must(A, "commit") == (1, 1)
    game.commit(A, "Monk")
    assert game.must(B, "commit") == (1, 1), "both flash one card"
    game.commit(B, "Monk")
    before = len(game.hand(A)), len(game.hand(B))
    game.skip("awaken")
    assert (len(game.hand(A)), len(game.hand(B))) == before


@rule("titans", "TS-42", "TI-13.37", "TI-13.38", "TI-15.7")
def test_flash_singular():
    game = scene(age=1, hand_a=["Shipwrecker", "Monk"], hand_b=["Caiden"]).reveal("Shipwrecker", "Caiden")
    assert game.must(A, "commit") == (1, 1), "(a) protected: no Feral"
    game = scene(b=["Monk"], hand_a=["Shipwrecker", "Monk"], hand_b=["Wizard"]).reveal("Shipwrecker", "Wizard")
    game.choose(A, "subvert", "Monk")
    assert game.must(A, "commit") == (1, 1), "(b) on a card without Flash"
    game = scene(a=["Nikolai"], age=2, hand_a=["Shipwrecker", "Frostbreath", "Monk"], hand_b=["Wind's Howl"])
    game.reveal(["Shipwrecker", "Frostbreath"], "Wind's Howl")
    assert game.subversions("Wind's Howl") == {"feral": A, "mindless": A}
    assert game.must(A, "commit") == (1, 1), "(c) Mindless removes the Flash"
    game = scene(a=["Monk"], hand_a=["Shipwrecker", "Monk"], hand_b=["Shipwrecker", "Monk"])
    game.reveal("Shipwrecker", "Shipwrecker")
    game.choose(B, "subvert", "Monk")
    assert game.subversions("Shipwrecker", B) == {"feral": A}, "forced"
    game.commit(A, "Monk")
    game.commit(B, "Monk")
    assert game.waits_for == {A: "awaken"}, "(d) B's Singular works for both, A's does nothing"


@rule("titans", "TS-89", "TI-13.37", "TI-15.5")
def test_a_shared_singular_that_fails():
    game = scene(a=["Wind's Howl"], hand_a=["Shipwrecker", "Monk"], hand_b=["Shipwrecker", "Monk"])
    game.reveal("Shipwrecker", "Shipwrecker").choose(B, "subvert", "Wind's Howl")
    assert game.subversions("Shipwrecker", B) == {"feral": A}
    assert game.subversions("Wind's Howl") == {"feral": B}
    assert game.vars["age"] == 3, "nobody flashes; the next age has begun"


@rule("titans", "TS-43", "TI-13.23", "TI-13.22")
def test_mimic_reads_subversions():
    def copied(**marks):
        volcano = {"Living Volcano": marks}
        game = scene(age=1, b=["Living Volcano"], subverted=volcano, hand_b=["Face", "Wizard"], hand_a=["Wizard"])
        return game.reveal("Wizard", "Face").one("Face").marks.get("gained")

    assert copied(exhausted=A) == ["Flash"]
    assert copied(mindless=A) is None
    assert copied(feral=A) == ["Flash", "Discard 2"]


@rule("titans", "TI-13.20", "TR-24")
def test_mimic_takes_any_cheap_card():
    """Dwellers and stolen cards included; of any species; not a dragon. It is mandatory."""
    game = scene(
        a=["Traveler", "Frostbreath"],
        b=["Akari"],
        subverted={"Akari": {"traitorous": A}},
        hand_a=["Face"],
        hand_b=["Monk"],
    )
    game.reveal("Face", "Monk")
    assert game.offered(A, "mimic") == ["Akari, Timeless Fighter", "Traveler"]
    assert game.must(A, "mimic") == (1, 1)
    game.choose(A, "mimic", "Traveler")
    assert game.energy(A) == 4


@rule("titans", "TS-88", "TI-13.10", "TI-13.15", "TI-0.5")
def test_diverting_back():
    """The rulebook's example."""
    game = scene(age=1, hand_a=["Jace", "Monk", "Stampeding"], hand_b=["Akari", "Stampeding", "Monk", *["Wizard"] * 3])
    game.reveal("Jace", "Akari").reveal("Monk", "Stampeding").choose(B, "divert", "Akari", then="Jace")
    assert game.subversions("Jace") == {"harmless": B}
    game.commit(B, "Wizard").skip("awaken").reveal("Stampeding", "Monk")
    game.choose(A, "divert", "Jace", then="Akari")
    assert game.subversions("Akari") == {"harmless": A}


@rule("titans", "TI-13.14", "TI-13.18", "TR-53", "TI-13.16", "TI-15.7")
def test_diverts_of_both_players_move_together():
    """A place freed by an earlier declaration is free; nothing moves twice; Traitorous is never diverted."""
    game = scene(
        a=["Wizard"],
        b=["Akari"],
        hand_a=["Stampeding", "Monk"],
        hand_b=["Stampeding", "Monk"],
        subverted={"Wizard": {"harmless": B}, "Akari": {"harmless": A}},
    )
    game.reveal("Stampeding", "Stampeding")
    assert "Akari, Timeless Fighter" not in game.second(A, "divert", "Wizard"), "it has Harmless already"
    game.choose(A, "divert", "Wizard", then="Stampeding")
    assert "Wizard" in game.second(B, "divert", "Akari"), "its place has been freed"
    game.choose(B, "divert", "Akari", then="Wizard")
    assert game.subversions("Wizard") == {"harmless": B}
    assert game.subversions("Akari") == {}
    stolen = scene(b=["Akari"], subverted={"Akari": {"traitorous": A}}, hand_a=["Stampeding"], hand_b=["Stampeding"])
    stolen.reveal("Stampeding", "Stampeding")
    assert stolen.waits_for == {A: "commit"}, "no Divert finds anything"


@rule("titans", "TS-90", "TI-15.7", "TI-13.62", "TI-15.8", "TR-46")
def test_feral_on_ritual():
    game = scene(
        a=["Monk"],
        b=["Monk"],
        hand_a=["Snow's Herald"],
        hand_b=["God Killer"],
        piles=[["Jace", "Inferno", "Boulder Bear"]],
    )
    game.reveal("Snow's Herald", "God Killer")
    assert game.subversions("God Killer") == game.subversions("Monk", B) == {"feral": A}
    assert game.offered(A, "sacrifice") == ["Monk", "Snow's Herald"]
    assert game.second(A, "sacrifice", "Monk") == ["Ghost", "Jace, Winter's Firstborn"]
    assert "Inferno" in game.second(A, "sacrifice", "Snow's Herald")
    game.choose(A, "sacrifice", "Snow's Herald", then="Inferno")
    assert game.offered(B, "sacrifice") == ["Monk"], "not God Killer itself"
    game.choose(B, "sacrifice", "Monk", then="Jace")
    assert (game.hand(A), game.hand(B)) == (["Inferno"], ["Jace, Winter's Firstborn"])


@rule("titans", "TS-96", "TI-15.7", "TI-11.1")
def test_feral_on_discard_all():
    game = scene(
        age=3,
        a=["Akari"],
        b=["Final Judgment"],
        subverted={"Final Judgment": {"feral": A}},
        hand_a=["Jace"],
        hand_b=["Jace"],
    )
    assert (game.hand(A), game.hand(B)) == ([], [])
    assert len(game.discarded(A)) == 3


@rule("titans", "TS-102", "TI-12.35", "TI-15.7", "TR-43", "TI-7.9")
def test_mimic_gains_protect_on_a_feral_card():
    game = scene(a=["Nikolai"], b=["Caiden"], hand_a=["Snow's Herald", "Storm's Roar", "Jace"], hand_b=["Face"])
    game.reveal(["Snow's Herald", "Storm's Roar"], "Face")
    assert game.vars["protected"] == {"0": "age", "1": "age"}
    game.commit(A, "Jace")
    assert all("harmless" not in card.marks for card in game.cards(B))
    assert "Ghost" not in game.side(B)


@rule("titans", "TI-15.7", "TR-42")
def test_every_row_of_the_feral_table_that_is_left():
    """Delay cancels itself, Summon and Energy serve both, Bolster, Mythic and Armor their card only."""
    game = scene(
        b=["Zenith", "Nikolai", "Traveler", "Thunderbringer"],
        hand_a=["Monk"] * 2,
        hand_b=["Monk"] * 3,
        subverted={name: {"feral": A} for name in ("Zenith", "Nikolai", "Traveler", "Thunderbringer")},
    )
    assert game.waits_for == {A: "commit"}, "nobody is delayed"
    assert game.must(A, "commit") == (2, 2)
    assert (game.energy(A), game.energy(B)) == (2, 2)
    assert game.power("Thunderbringer") == 2
    game.commit(A, "Monk", "Monk")
    assert game.must(B, "commit") == (2, 2)

    game = scene(
        age=3,
        b=["Erik", "Danya"],
        subverted={"Erik": {"feral": A}, "Danya": {"feral": A}},
        hand_a=["Monk"] * 2,
        hand_b=["Wizard"] * 2,
    )
    assert game.ask(A, "commit").seat == B, "each player controls the other's third age"
    game.commit(A, "Wizard")
    assert game.ask(B, "commit").seat == A
    game.commit(B, "Monk").skip("awaken")
    assert game.waits_for == {A: "substitute"}
    game.choose(A, "substitute", "Monk")
    assert game.waits_for == {B: "substitute"}, "each may substitute one own card"

    game = scene(age=1, a=["Zodiac"], hand_a=["Snow's Herald", "Monk"], hand_b=["Storm's Roar", "Monk"]).reveal(
        "Snow's Herald", "Storm's Roar"
    )
    game.commit(A, "Monk").commit(B, "Monk")
    assert (game.side(A).count("Ghost"), game.side(B).count("Ghost")) == (1, 1), "each player haunts the other"

    game = scene(
        b=["Final Sunset"],
        age=1,
        subverted={"Final Sunset": {"feral": A}},
        hand_a=["Wizard"] * 3,
        hand_b=["Wizard"] * 3,
    )
    game.reveal("Wizard", "Wizard")
    assert game.waits_for == {A: "nights_fury"}
    game.choose(A, "nights_fury", "use").choose(B, "nights_fury")
    assert len(game.discarded(A)) == 2

    game = scene(at="battle", a=["Wizard"] * 2, b=["Bloodlust", "Monk"], subverted={"Bloodlust": {"feral": A}})
    assert game.waits_for == {A: "rage"}
    game.choose(A, "rage", "Wizard")
    assert game.waits_for[B] == "discard_hand", "B's only other card is forced back"
    assert "Monk" in game.hand(B)

    game = scene(
        age=1,
        hand_a=["Snow's Herald", "Wizard"],
        a=["Wizard"],
        hand_b=["Kovu", "Wizard"],
        subverted={"Wizard": {"wounded": B}},
    )
    game.reveal("Snow's Herald", "Kovu").choose(A, "purify", "Wizard").choose(B, "purify", "Kovu")
    assert game.one("Kovu").n == {"token": 1}, "B removed A's Feral; A's share earns no token"

    game = scene(a=["Wizard"], hand_a=["Snow's Herald"], hand_b=["Glorious"]).reveal("Snow's Herald", "Glorious")
    assert game.must(A, "commit") == (0, 1), "each may flash"
    game.commit(A).commit(B)
    assert game.waits_for == {A: "take_back"}, "each may return"

    game = scene(hand_a=["Snow's Herald", "Monk"], hand_b=["Basliah", "Monk"]).reveal("Snow's Herald", "Basliah")
    game.choose(A, "sacrifice", "Monk").choose(B, "sacrifice", "Monk")
    assert game.zone("removed") == ["Monk", "Monk"]
