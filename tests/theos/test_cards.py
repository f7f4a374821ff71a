"""Every card is played and every ability is used, through real decisions.

Instants and Power abilities: on a table where each finds something to do, the first option is always taken, and the
record must show that this very ability really changed something. Triggered and Passive abilities have a table each.
"""

import pytest

from games.rulebooks.theos.cards import ABILITIES, CARDS
from tests.rules import rule
from tests.theos.scene import scene

ROWS = "A: D4(1) P3(1) G3(1) H7† D2†; B: D13(2) G10(1) H6 P15† P12(1); C: G8(1) D6"
"""Friends and enemies, devoted, secluded and destroyed, of all gods."""
DID = {"add", "remove", "steal", "migrate"}
HAPPENED = {"destroyed", "raised", "copies", "swap", "empowered", "active"}
PREY = {"poseidon": "P9", "demeter": "D9", "hades": "H9", "gaia": "G9"}


def table_for(key: str) -> str:
    """ROWS without the card itself."""
    return " ".join(word for word in ROWS.split() if not word.rstrip(";").startswith((f"{key}(", f"{key}†"))
                    and word.rstrip(";") != key)  # fmt: skip


def gods_with(god: str) -> str:
    return {"poseidon": "poseidon hades", "gaia": "gaia hades", "hades": "gaia hades", "demeter": "gaia demeter"}[god]


def take_everything(table):
    """Use every "may", take the first option of everything, the most of every number."""
    while table.kind and table.kind != "cleanup":
        (player,) = table.waits_for
        if table.kind == "choose_amount":
            answer = table.s.asked("ABC".index(player), table.kind).shape.hi
        else:
            answer = table.options_of(player)[:1]
        table.choose(**{table.kind: answer})
    return table


def used(table) -> set[str]:
    """The abilities that really changed something."""
    return {
        told["ability"]
        for what in DID | HAPPENED
        for told in table.said(what)
        if what in HAPPENED or told["moved"]
    }  # fmt: skip


@rule("theos", "TH-7.3", "TH-11.1")
@pytest.mark.parametrize("key", [key for key, card in CARDS.items() if card.of_kind("instant")])
def test_instants(key):
    card = CARDS[key]
    table = scene(table_for(key), seats=3, active=gods_with(card.god), hands={"A": "H2 Blank"})
    prey = PREY[card.god] if card.type == "betrayal" else "Blank"
    take_everything(table.play(A=key, B=prey))

    assert table.said("accepted")[0]["card"] == key
    expected = {ability.id for ability in card.of_kind("instant")} - NEEDS_MORE
    assert expected <= used(table)


@rule("theos", "TH-7.5", "TH-11.2")
@pytest.mark.parametrize("key", [key for key, card in CARDS.items() if card.of_kind("power")])
def test_power_abilities(key):
    gives_away = any(effect.__struct_config__.tag == "migrate" for effect in ABILITIES[f"{key}.1"].effects)
    rows = f"A: {key}{'(1)' if gives_away or key == 'P3' else ''} {table_for(key)[3:]}"
    table = scene(rows, seats=3, active="poseidon hades").play(A="P14").empower(key)
    take_everything(table)

    expected = {ability.id for ability in CARDS[key].of_kind("power")}
    assert expected - NEEDS_MORE <= used(table)


NEEDS_MORE = {"G10.2", "P2.2"}
"""Abilities that the generated table cannot reach after the one before them; shown below."""


def test_what_the_generated_table_cannot_reach():
    table = scene("B: D5", active="gaia hades").play(A="G10").decline()
    assert table.rows() == "A: G10(1); B: D5"  # nothing to remove, so it stays secluded and adds 1

    table = scene("A: P2").play(A="P14").empower("P2")
    assert table.row("A") == "P2(2) P14(1)"


TRIGGERED = {
    "P1.2": ("B: G3(1)", {"A": "P1", "B": "P9"}, "A: P1(1); B: G3 P9†"),
    "P7.2": ("B: P7", {"A": "P9"}, "A: P9(1); B: P7(1)"),
    "P14.2": ("A: D5(1); B: P14", {"A": "H12"}, "A: D5(1) H12(1); B: P14(1)"),
    "D1.2": ("", {"A": "D1", "B": "D9"}, "A: D1(2); B: D9†"),
    "D5.2": ("A: D5", {"A": "G9"}, "A: D5(1) G9†"),
    "D10.2": ("A: D10†", {"A": "H1"}, "A: D10(2) H1"),
    "D11.3": ("A: D11 D5", {"A": "H11"}, "A: D11 D5(2) H11(1)"),
    "H3.2": ("A: H3", {"A": "Blank", "B": "G9"}, "A: H3(1); B: G9†"),
    "H4.2": ("A: H4; B: P5", {"A": "P14"}, "A: H4(1) P14(1); B: P5†"),
    "H10.2": ("A: P15(2); B: H10 D5(1)", {"A": "P9"}, "A: P15 P9(2); B: H10 D5"),
    "G12.2": ("B: G12 D5(1)", {"A": "P9"}, "A: P9(2); B: G12(1) D5"),
    "G14.2": ("B: G14", {"A": "G9"}, "A: G9†; B: G14(1)"),
}


@rule("theos", "TH-11.4", "TH-14.1")
@pytest.mark.parametrize("ability", [a.id for a in ABILITIES.values() if a.kind == "triggered"])
def test_triggered_abilities(ability):
    rows, plays, end = TRIGGERED[ability]
    active = "poseidon demeter" if ability == "D1.2" else "poseidon hades"
    table = take_everything(scene(rows, active=active).play(**plays))

    assert ability in [told["ability"] for told in table.said("triggers")]
    assert table.rows() == end


PASSIVE = {
    "P15.2": ("A: P4; B: P15(1) P5(1)", "P14", "P4", "P5", "A: P4 P14(1); B: P15(1) P5(1)"),
    "D3.2": ("A: H4; B: D3(1) D5", "P14", "H4", None, "A: H4 P14(1); B: D3(1) D5"),
    "D7.2": ("A: P4; B: D7(1)", "P14", "P4", None, "A: P4 P14(1); B: D7(1)"),
    "H5.2": ("A: P4; B: H5 D5(1)", "P14", "P4", "D5", "A: P4 P14(1); B: H5 D5(1)"),
    "G2.2": ("A: G4; B: G2(1) D5(1)", "P14", "G4", "D5", "A: G4 P14(1); B: G2(1) D5(1)"),
    "G4.2": ("A: H4; B: G4", "P14", "H4", None, "A: H4 P14(1); B: G4"),
    "G14.3": ("A: G4; B: G14(1)", "P14", "G4", None, "A: G4 P14(1); B: G14(1)"),
    "H14.3": ("A: P4† D2; B: H14(1)", "P14", "D2", None, "A: P4† D2 P14(1); B: H14(1)"),
}
ACCEPTS = {"D8.3": ("A: D8(1)", "D9"), "G13.2": ("A: G13(1)", "G9")}


@rule("theos", "TH-11.3", "TH-15.10")
@pytest.mark.parametrize("ability", PASSIVE)
def test_immunities(ability):
    rows, power, empowered, target, end = PASSIVE[ability]
    table = scene(rows).play(A=power).empower(empowered)
    if target:
        table.target(target)
    assert table.rows() == end


@rule("theos", "TH-11.3", "TH-15.15")
@pytest.mark.parametrize("ability", ACCEPTS)
def test_acceptance(ability):
    rows, played = ACCEPTS[ability]
    table = scene(rows).play(A=played).decline()
    assert table.said("always accepted")[0]["card"] == played


def test_no_ability_is_left_out():
    shown = set(TRIGGERED) | set(PASSIVE) | set(ACCEPTS)
    assert shown == {a.id for a in ABILITIES.values() if a.kind in ("triggered", "passive")}
