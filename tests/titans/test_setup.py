"""Setting up, formats, constructed, set-up checks (TI-0 to TI-2; scenarios 1 to 6, 70, 93, 94)."""

from collections import Counter
from random import Random

import pytest

from games.kernel import Rejected, rulebook, start
from games.kernel.testing import given
from games.rulebooks.titans.cards import ABILITY, CARDS, ELEMENTAL, ELEMENTS, NAMES, PRINTED, SPECIES, ability
from games.rulebooks.titans.checks import checked
from games.rulebooks.titans.formats import chosen_format
from games.rulebooks.titans.reference import REFERENCE
from games.rulebooks.titans.samples import SPELLBOOKS, spellbook
from games.rulebooks.titans.spellbooks import check_spellbook
from tests.rules import rule

from .scene import A, B, Game, key, keys, scene

KEY = b"k" * 32


def begun(seats, **options):
    return Game(given("titans", seats, options=options))


@rule("titans", "TS-01", "TI-1.5", "TI-1.6", "TI-1.7", "TI-1.8", "TI-1.9", "TI-1.10", "TI-1.11", "TI-0.1", "TR-3")
def test_two_player_setup():
    game = begun(2)
    piles = game.vars["piles"][0]
    drawn = [key for key in piles if key in ELEMENTAL]
    assert sorted((CARDS[key].element, CARDS[key].species) for key in drawn) == sorted(NAMES)
    assert all(game.pile(key) == 4 for key in drawn)
    assert (game.pile("Ghost"), game.pile("Traveler")) == (12, 8)
    for seat in (A, B):
        assert (len(game.hand(seat)), len(game.deck(seat))) == (6, 6)
        assert Counter(game.hand(seat) + game.deck(seat)) == {"Monk": 8, "Wizard": 4}
        assert game.n(seat, "surge") == 2
    assert game.vars["temples"] == [3, 3]
    assert game.vars["avatar"] in (0, 1)
    assert (
        len({begun(2).vars["avatar"], *(start("titans", 2, bytes([n]) * 32).table.vars["avatar"] for n in range(9))})
        == 2
    )


@rule("titans", "TI-0.8", "TI-0.9", "TI-1.1", "TR-1", "TI-0.13", "TI-0.11", "TI-0.10", "TR-2", "TR-24")
def test_the_cards():
    assert {pair: len(names) for pair, names in NAMES.items()} == {(e, s): 4 for e in ELEMENTS for s in SPECIES}
    assert all(CARDS[key].cost == 1 + SPECIES.index(CARDS[key].species) for key in ELEMENTAL)
    assert {CARDS[name].element for name in ("monk", "wizard", "traveler")} == {"forest"}
    assert [card.key for card in CARDS.values() if card.element == "desert"] == ["ghost"]
    assert {CARDS[name].species for name in ("monk", "wizard", "traveler", "ghost")} == {"dweller"}
    assert len(REFERENCE) == 59
    assert ability("Subvert 3: Feral")[1:] == ("Subvert: Feral", "subvert", 3, 0)
    assert ability("Flash: Foresee 2")[1:] == ("Flash: Foresee", "flash", 1, 2)
    assert ability("Bolster: Token x2")[1:] == ("Bolster: Token", "bolster", 1, 2)
    assert ability("Night's Fury").family == "night's fury"
    assert ability("Discard All").copies > 60
    assert {one.label for one in ABILITY.values()} == set(REFERENCE)


@rule("titans", "TI-7.12", "TI-0.12")
def test_the_reference_sheet_agrees_with_the_catalogue():
    """Window, rule and Now priority of each of the 59 rows of TI-7.12."""
    from pathlib import Path

    rows = {}
    for line in Path("docs/rules/titans.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("| ").split("|")]
        if len(cells) == 7 and cells[6].startswith("TI-") and cells[0] in REFERENCE:
            rows[cells[0]] = cells
    assert set(rows) == set(REFERENCE)
    said = {
        "end of 1st and 2nd age": "end of the first and second age",
        "end of 3rd age": "end of the third age",
        "end of turn": "end of the turn",
    }
    order = ["mythic", "subvert", "divert", "mimic", "flash", "haunt", "return", "sacrifice", "purify"]
    for label, row in REFERENCE.items():
        _, window, priority, _, _, _, number = rows[label]
        assert row.when == said.get(window, window), label
        assert row.rule == number, label
        family = label.partition(":")[0].lower()
        assert priority == (str(order.index(family) + 1) if row.when == "Now" else "—"), label
    for label in ("Subvert: Cave In", "Divert", "Return", "Sacrifice", "Purify", "Night's Fury", "Substitute"):
        assert rows[label][3] == "yes"
        assert REFERENCE[label].offers is not None


@rule("titans", "TS-02", "TI-2.2", "TI-2.4", "TI-2.6", "TI-2.7", "TI-0.3", "TR-3", "TR-5")
def test_two_arenas_three_players():
    game = begun(3)
    assert game.vars["sides"] == [0, 1, 0, 2]
    names = [key for piles in game.vars["piles"] for key in piles if key in ELEMENTAL]
    assert len(names) == len(set(names)) == 32
    assert [game.pile("Ghost", arena) for arena in (0, 1)] == [12, 12]
    assert [game.pile("Traveler", arena) for arena in (0, 1)] == [8, 8]
    assert [len(game.hand(seat)) for seat in range(3)] == [9, 6, 6]
    assert len(game.deck(0)) == 3
    assert [game.n(seat, "surge") for seat in range(3)] == [2, 2, 2]
    assert game.vars["temples"] == [3, 3]


@rule("titans", "TI-2.1", "TI-2.4", "TI-2.2")
def test_two_arenas_four_players():
    game = begun(4)
    assert [seat.team for seat in game.table.seats] == [0, 0, 1, 1]
    assert game.vars["sides"] == [0, 2, 1, 3], "T1P1 against T2P1, T1P2 against T2P2"
    assert game.vars["temples"] == [3, 3]
    assert chosen_format(4, {"teams": [0, 1, 0, 1]}).sides == [0, 1, 2, 3]


@rule("titans", "TS-03", "TI-2.10", "TI-2.11", "TI-2.12", "TI-2.13", "TI-2.14", "TI-2.15", "TR-4", "TR-56")
def test_three_arenas_five_players():
    game = begun(5, teams=[0, 1, 1, 2, 2])
    assert game.vars["sides"] == [0, 3, 0, 1, 2, 4], "S runs T1's sides of arenas 1 and 2"
    assert game.vars["temples"] == [2] * 6
    assert len(game.hand(0)) == 9
    names = [key for piles in game.vars["piles"] for key in piles if key in ELEMENTAL]
    assert len(set(names)) == 48
    assert game.vars["avatar"] in (0, 1, 2)


@rule("titans", "TI-2.13", "TR-5", "TI-2.10")
@pytest.mark.parametrize(
    ("seats", "sides"),
    [(6, [0, 4, 1, 2, 3, 5]), (5, [0, 4, 1, 2, 3, 4]), (4, [0, 3, 1, 2, 2, 3]), (3, [0, 2, 0, 1, 1, 2])],
)
def test_every_team_runs_two_sides_whatever_its_size(seats, sides):
    assert chosen_format(seats, {"arenas": 3}).sides == sides


@rule("titans", "TI-2.13", "TI-2.30")
@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, {"arenas": 2}),
        (5, {"arenas": 2}),
        (4, {"arenas": 1}),
        (2, {"mode": "draft"}),
        (3, {"teams": [0, 0, 0]}),
        (4, {"teams": [0, 0, 0, 1]}),
        (2, {"mode": "constructed", "checks": True}),
        (2, {"speed": 1}),
    ],
)
def test_other_formats_are_refused(seats, options):
    with pytest.raises(Rejected) as refused:
        start("titans", seats, KEY, options)
    assert refused.value.errors[0]["pointer"].startswith("/options/")


@rule("titans", "TS-04", "TI-2.31", "TI-2.32", "TR-8")
def test_setup_check_1():
    rock = ["Spine Splitter", "The Alpha", "What Lies"]
    ice = ["Jace", "Blizzard's Scream", "Frostbreath", "Army"]
    other = ["Nikolai", "Wind's Howl", "Aurora", "The Storm", "Zodiac", "Devil's", "Beast Eater", "Inferno"]
    for seed in range(8):
        names = checked(keys(["Basliah", *rock, *ice, *other]), set(), Random(seed).choice)
        assert names[0] in keys(["Akari", "Kanna", "Riku"])
        assert names[1:] == keys([*rock, *ice, *other])
    kept = keys(["Akari", "Beacon of Knowledge", *rock[1:], *ice, *other])
    assert checked(kept, set(), Random(1).choice) == kept


@rule("titans", "TI-2.31", "TI-2.34")
def test_setup_check_1b_and_when_no_replacement_is_left():
    bear = ["Akari", "Boulder Bear", "Great Stone", "What Lies", "Jace", "Frost's Bite", "Frostbreath", "Army"]
    other = ["Nikolai", "Wind's Howl", "Aurora", "The Storm", "Zodiac", "Devil's", "Beast Eater", "Inferno"]
    names = checked(keys(bear + other), set(), Random(1).choice)
    assert names[1] in keys(["Beacon of Knowledge", "Spine Splitter", "Stone Eagle"])
    elsewhere = set(keys(["Beacon of Knowledge", "Spine Splitter", "Stone Eagle"]))
    assert checked(keys(bear + other), elsewhere, Random(1).choice) == keys(bear + other)


@rule("titans", "TS-05", "TI-2.33", "TI-2.34")
def test_setup_check_2():
    drawn = keys(
        [
            "Nikolai",
            "Wind's Howl",
            "Year of Rain",
            "The Storm",
            "Zodiac",
            "Devil's Horns",
            "Smoldering",
            "Final Judgment",
            "Danya",
            "Return of",
            "Keeper",
            "Blizzard's Bodyguard",
            "Akari",
            "Stone Eagle",
            "God Killer",
            "What Lies",
        ]
    )
    for seed in range(6):
        names = checked(drawn, set(), Random(seed).choice)
        assert names[4] == key("Zephyr")
        assert names[6] in keys(["Beast Eater", "Metalwing"])
        assert [one for one in names if one not in drawn] == [names[4], names[6]]


@rule("titans", "TI-2.30", "TI-2.34")
def test_the_checks_are_run_when_switched_on():
    for number in range(20):
        table = start("titans", 2, bytes([number]) * 32, {"checks": True}).table
        names = [key for key in table.vars["piles"][0] if key in ELEMENTAL]
        assert checked(names, set(), Random(0).choice) == names
        assert sorted((CARDS[key].element, CARDS[key].species) for key in names) == sorted(NAMES)


@rule("titans", "TS-06", "TI-2.21", "TI-2.25", "TR-6", "TI-2.20")
def test_spellbooks_are_checked():
    titans = [key for key in ELEMENTAL if CARDS[key].species == "titan"][:8] * 4
    good = spellbook(0)
    assert check_spellbook(titans, "") == []
    assert check_spellbook([CARDS[key].name for key in titans], "") == []
    refused = [good[:31], [*good, good[0]], [*good[:31], "traveler"], [*good[:27], *[key("Akari")] * 5]]
    for deck in refused:
        with pytest.raises(Rejected) as error:
            start("titans", 2, KEY, {"mode": "constructed"}, [deck, good])
        assert error.value.errors[0]["rule"] == "TI-2.21"
        assert error.value.errors[0]["pointer"].startswith("/decks/0")
    with pytest.raises(Rejected) as error:
        start("titans", 3, KEY, {"mode": "constructed"}, [good, good, good])
    assert error.value.errors[0]["rule"] == "TI-2.25"
    table = start("titans", 3, KEY, {"mode": "constructed"}, [[good, titans], good, good]).table
    assert [table.cards[card].key for card in table.zones["spellbook:2"].cards] == sorted(titans)
    book = rulebook("titans")
    assert book.deck_violations(3, {}, [good, titans]) == []
    assert book.deck_violations(3, {}, [good, good, good])[0].rule == "TI-2.25"
    with pytest.raises(Rejected):
        start("titans", 2, KEY, {}, [good, good])


@rule("titans", "TS-70", "TI-2.22", "TI-2.23", "TI-2.24", "TI-13.62", "TR-28", "TI-2.26", "TR-7")
def test_constructed_gains():
    book = ["Akari"] * 4 + ["Kanna"] * 4 + ["God Killer"] * 4 + ["Boulder Bear"] * 4 + ["Inferno"] * 4
    book += ["Jace"] * 4 + ["Zodiac"] * 4 + ["Nikolai"] * 4
    game = scene(
        options={"mode": "constructed"},
        spellbooks=[book, [CARDS[key].name for key in SPELLBOOKS[0]]],
        age=1,
        a=["Traveler"],
        hand_a=["God Killer", "Monk"],
        hand_b=["Wizard"] * 2,
    )
    assert game.vars["piles"] == [["ghost", "traveler"]], "no elemental piles"
    game.reveal("Monk", "Wizard")
    assert "cards" not in game.view(B)["zones"]["spellbook:0"]
    assert "shape" not in game.view(B)["open"][0]
    game.choose(A, "awaken", "Akari")
    assert game.discarded(A) == ["Akari, Timeless Fighter"]
    assert game.view(B)["zones"]["spellbook:0"] == {"count": 31}
    game.reveal("God Killer", "Wizard")
    assert game.second(A, "sacrifice", "Traveler") == [
        "Akari, Timeless Fighter",
        "Ghost",
        "Jace, Winter's Firstborn",
        "Kanna, Soldier of Gaia",
        "Nikolai, The Cursed",
        "Zodiac, The Eternal",
    ]
    assert game.second(A, "sacrifice", "Monk") == [], "nothing costs less than 0"
    game.choose(A, "sacrifice", "Traveler", then="Jace")
    shown = [effect for effect in game.seen(B) if effect["e"] == "look"]
    assert shown[0]["keys"] == [key("Jace")], "shown to all, even to hand"
    assert game.hand(A) == ["Jace, Winter's Firstborn"]


@rule("titans", "TS-94", "TI-14.33", "TI-14.34", "TI-2.24", "TR-34", "TI-14.37", "TR-72")
def test_replicate_in_constructed():
    book = ["Kanna"] * 4 + ["Riku"] * 4 + ["Nikolai"] * 4 + ["Boulder Bear"] * 4 + ["Inferno"] * 4
    book += ["Jace"] * 4 + ["Zodiac"] * 4 + ["Zephyr"] * 4

    def army():
        game = scene(
            options={"mode": "constructed"},
            spellbooks=[book, book],
            a=["Riku"],
            b=["Akari", "Monk"],
            hand_a=["Army"],
            hand_b=["Wizard"],
        )
        return game.reveal("Army", "Wizard")

    game = army()
    assert game.second(A, "subvert", "Akari") == ["Kanna, Soldier of Gaia", "Riku, Warrior Supreme"]
    assert game.second(A, "subvert", "Monk") == ["Traveler"]
    game.choose(A, "subvert", "Akari", then="Riku")
    assert game.side(A) == ["Army of You", "Riku, Warrior Supreme"], "the new Riku's Mythic came next"
    assert game.discarded(A) == ["Riku, Warrior Supreme"]
    nothing = army().choose(A, "subvert", "Akari", then=[])
    assert nothing.side(A) == ["Riku, Warrior Supreme", "Army of You"]
    traveler = army().choose(A, "subvert", "Monk", then="Traveler")
    assert traveler.side(A)[-1] == "Traveler"
    assert traveler.energy(A) == 2


@rule("titans", "TI-2.25", "TR-7")
def test_each_spellbook_of_a_solo_player_serves_its_own_arena():
    books = [[spellbook(0), spellbook(1)], spellbook(2), spellbook(3)]
    nothing = {0: [], 1: [], 2: []}
    game = scene(
        3,
        options={"mode": "constructed"},
        spellbooks=books,
        play={0: ["Monk"], 2: ["Monk"]},
        hands=nothing,
        decks=nothing,
    )
    for side, own in ((0, spellbook(0)), (2, spellbook(1))):
        cheap = {CARDS[one].name for one in own if CARDS[one].cost == 1}
        assert set(game.offered(0, "awaken", side)) == {*cheap, "Ghost"}


def test_abilities_on_cards_are_as_the_catalogue_prints_them():
    assert [one.text for one in PRINTED[key("Snow's Herald")]] == ["Subvert 3: Feral", "Bolster: Rock"]
