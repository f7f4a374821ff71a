"""Rules and rulings that no scenario of the catalogue shows; some need a card that nobody has printed."""

import msgspec
import pytest

from games.rulebooks.theos import board, cards, targets, triggers
from games.rulebooks.theos.cards import CARDS, Accept, Immune, Prayer
from tests.rules import rule
from tests.theos.scene import scene


@pytest.fixture
def invent(monkeypatch):
    """A card of the same vocabulary that is not in the game: invent("X1", "power", "poseidon", abilities…)."""

    def make(id, type, god, *abilities, max=3):
        given = [{"id": f"{id}.{n}", "text": "", **ability} for n, ability in enumerate(abilities, 1)]
        speed = {"betrayal": 1, "offering": 8, "power": 15}[type]
        card = msgspec.convert(
            {
                "id": id, "name": f"Card {id}", "god": god, "type": type, "speed": speed, "god_speed": 11,
                "god_speed_roman": "XI", "max": max, "abilities": given, "provenance": {},
            },
            Prayer,
        )  # fmt: skip
        monkeypatch.setitem(CARDS, id, card)
        for ability in card.abilities:
            monkeypatch.setitem(cards.ABILITIES, ability.id, ability)
        if card.of_kind("triggered"):
            monkeypatch.setitem(triggers.TRIGGERED, id, card.of_kind("triggered"))
        for known, kind in ((targets.IMMUNE, Immune), (targets.ACCEPT, Accept)):
            found = tuple((a, e) for a in card.of_kind("passive") for e in a.effects if isinstance(e, kind))
            if found:
                monkeypatch.setitem(known, id, found)
        return card

    return make


def one(who, **words):
    return {"who": who, **words}


EXACTLY_1 = {"mode": "exactly", "value": 1}
DESTROY_A_FRIENDLY_CARD = {"op": "destroy", "target": one("friendly")}
ADD_1_TO_THIS = {"op": "add", "target": one("self"), "amount": EXACTLY_1}


@rule("theos", "TR-52", "TH-10.3", "TH-10.5")
def test_a_card_destroyed_while_it_resolves_finishes_the_ability_and_the_empower_step_remains(invent):
    parts = [DESTROY_A_FRIENDLY_CARD, ADD_1_TO_THIS, {"op": "add", "target": one("friendly"), "amount": EXACTLY_1}]
    more = {"kind": "instant", "effects": [ADD_1_TO_THIS]}
    invent("X1", "power", "poseidon", {"kind": "instant", "effects": parts}, more)
    table = scene("A: P4; B: D5(1)").play(A="X1")
    assert table.options("choose_target") == ["P4", "X1"]
    table.target("X1")

    assert [told["moved"] for told in table.said("add")] == [[], [{"from": "", "to": "P4", "n": 1}]]  # no third Add
    assert table.options("choose_empower") == ["P4"]
    table.decline()
    assert table.row("A") == "P4(1) X1†"


@rule("theos", "TR-52", "TH-7.5")
def test_a_card_destroyed_while_it_is_empowered_uses_no_further_ability(invent):
    invent(
        "X2", "offering", "poseidon",
        {"kind": "power", "effects": [DESTROY_A_FRIENDLY_CARD]},
        {"kind": "power", "effects": [ADD_1_TO_THIS]},
    )  # fmt: skip
    table = scene("A: X2").play(A="P14").empower("X2").target("X2")

    assert table.row("A") == "X2† P14(1)"
    assert [told["ability"] for told in table.said("add")] == ["P14.1"]


@rule("theos", "TH-10.3", "TR-62")
def test_a_card_destroyed_and_raised_while_it_resolves_is_resolved(invent):
    again = {"op": "raise", "target": one("friendly", state="destroyed")}
    invent(
        "X5", "power", "poseidon",
        {"kind": "instant", "effects": [DESTROY_A_FRIENDLY_CARD, again]},
        {"kind": "power", "effects": [ADD_1_TO_THIS]},
    )  # fmt: skip
    table = scene("A: P4; B: D5(1)").play(A="X5").target("X5")
    assert table.options("choose_empower") == ["P4", "X5"]
    assert table.empower("X5").row("A") == "P4 X5(1)"

    table = scene("A: P4; B: D5(1)").play(A="X5").target("P4")  # while it resolves it cannot be empowered
    assert table.options("choose_empower") == ["P4"]


@rule("theos", "TH-11.5", "TR-35", "TH-15.15")
def test_a_card_does_not_speak_for_its_own_acceptance(invent):
    always = {"op": "accept", "scope": one("friendly", god="gaia")}
    invent("X6", "power", "gaia", {"kind": "passive", "effects": [always]})

    assert scene().play(A="X6").row("A") == "X6†"
    assert scene("A: X6").play(A="G14").decline().row("A") == "X6 G14(1)"


@rule("theos", "TR-33")
def test_you_in_a_triggered_ability_is_the_cards_owner(invent):
    when_lost = {"events": ["destroy"], "by": "any", "card": one("friendly")}
    amount = {"mode": "exactly", "value": {"count": one("yours", state="destroyed")}}
    grow = {"op": "add", "target": one("self"), "amount": amount}
    invent("X7", "offering", "hades", {"kind": "triggered", "trigger": when_lost, "effects": [grow]})
    table = scene("A: P5† P6† P8†; B: X7 D4").play(A="H11").target("D4").decline()

    assert table.row("B") == "X7(1) D4†"  # one of B's cards, not three of A's


@rule("theos", "TR-49", "TH-14.1")
def test_the_gods_are_no_enemy(invent):
    when_hit = {"events": ["destroy"], "by": "enemy", "card": one("friendly", other=True)}
    invent("X9", "power", "hades", {"kind": "triggered", "trigger": when_hit, "effects": [ADD_1_TO_THIS]})

    assert scene("A: X9").play(A="G9").row("A") == "X9 G9†"
    assert scene("A: X9 D4").play(B="H11").target("D4").decline().row("A") == "X9(1) D4†"


@rule("theos", "TH-12.8")
def test_if_you_do_needs_a_real_change():
    table = scene("A: G6; B: D5 D4").play(A="P14").empower("G6").target("D5")
    assert table.rows() == "A: G6 P14(1); B: D5 D4"  # nothing was removed, so nothing is added

    table = scene("A: H8(2) P4†; B: D5").play(A="P14").empower("H8").choose(use_may="use").target("P14")
    assert table.row("A") == "H8(2) P4 P14"  # 1 removed from P14, so P4 is raised


@rule("theos", "TH-14.1", "TH-9.1")
def test_whenever_this_card_destroys_means_this_card():
    table = scene("A: D1 H4 P1; B: D4 G3(1)", active="gaia hades").play(A="H11").target("D4").decline()

    assert table.rows() == "A: D1 H4 P1 H11(1); B: D4† G3(1)"
    assert table.said("triggers") == []


@rule("theos", "TR-57", "TR-59")
def test_a_trigger_cannot_trigger_again_while_it_is_resolved(invent):
    bites_back = {"op": "remove", "target": one("enemy"), "amount": EXACTLY_1}
    when_robbed = {"events": ["remove"], "by": "enemy", "card": one("friendly")}
    invent("X3", "power", "hades", {"kind": "triggered", "trigger": when_robbed, "effects": [bites_back]})
    table = scene("A: X3(3); B: H10(2) D4(3)").play(A="H12").target("D4")

    # H12 empties D4; H10 bites X3; X3 bites back; H10, still being resolved, stays silent
    table.target("H10").decline()
    assert table.rows() == "A: X3(2) H12(1); B: H10(1) D4"
    assert [told["ability"] for told in table.said("triggers")] == ["H10.2", "X3.1"]


@rule("theos", "TR-64", "TR-63", "TH-15.7")
def test_a_card_without_such_abilities_may_be_copied():
    table = scene("B: P15(1) D13").play(A="H9")
    assert table.options("choose_target") == ["D13", "P15"]
    table.target("D13").decline()

    assert table.rows() == "A: H9(1); B: P15(1) D13"
    assert table.said("empowered") == []  # copying is not empowering


@rule("theos", "TR-65", "TR-63")
def test_a_copied_copy_works_but_no_card_twice_in_a_chain(invent):
    copy = {"op": "copy", "target": one("any", state="destroyed"), "abilities": "instant"}
    invent("X4", "power", "hades", {"kind": "instant", "effects": [copy]})
    table = scene("A: G3; B: X4† D13†").play(A="H13")
    assert table.options("choose_target") == ["D13", "X4"]
    table.target("X4")  # then D13 is the only card left in the chain: G3 is the one friendly Offering

    assert [told["model"] for told in table.said("copies")] == ["X4", "D13"]
    assert table.decline().row("A") == "G3 H13(2)"


@rule("theos", "TR-40", "TH-15.3", "TH-15.4")
def test_stealing_and_migrating_are_neither_removing_nor_adding():
    table = scene("A: P4; B: D5(1) G12(1)").play(A="P14").empower("P4").target("D5")
    assert table.rows() == "A: P4(1) P14(1); B: D5 G12(1)"  # G12 waits for a removal

    table = scene("A: P2(2) G3; B: P7").play(A="P12").empower("P2").choose(choose_amount=1)
    assert table.rows() == "A: P2(1) G3(1) P12; B: P7"  # P7 waits for an Add


@rule("theos", "TR-42", "TH-13.3", "TR-27")
def test_up_to_offers_what_can_really_move():
    table = scene("A: P2(2) H2(0) P5").play(A="P14").empower("P2").choose(choose_destination="P5")
    shape = table.s.asked(0, "choose_amount").shape
    assert (shape.lo, shape.hi) == (0, 1)  # P5 holds one at most

    table = scene("A: P2(2) P5(1)").play(A="P14").empower("P2")  # a full card may be chosen, nothing can move
    assert table.forced("choose_amount") == 1
    assert table.row("A") == "P2(2) P5(1) P14(1)"


@rule("theos", "TR-44", "TH-15.4")
def test_a_different_card_is_any_but_the_source():
    table = scene("A: P3(1) D4(2) G3†").play(A="P14").empower("P3")

    assert table.options("choose_target") == ["D4", "P14", "P3"]  # the resolving card is a friendly card too
    table.target("D4")
    assert table.options("choose_destination") == ["P14", "P3"]
    table.choose(choose_destination="P3", choose_amount=1)
    assert table.row("A") == "P3(2) D4(1) G3† P14(1)"


@rule("theos", "TR-46", "TH-10.1", "TH-15.13", "TH-15.12")
def test_destroyed_and_unresolved_cards_are_neither_devoted_nor_secluded():
    table = scene("A: P4†; B: H2 D5(1)", active="gaia hades").play(A="G9", B="G10").decline()
    assert table.said("destroyed") == [{"ability": "G9.1", "by": "G9", "cards": ["H2"]}]

    table = scene("A: D5† G3", active="gaia demeter").play(A="D9").decline()
    assert table.row("A") == "D5† G3(1) D9(1)"

    table = scene("A: H2; B: D4(3) D5").play(A="P14").empower("H2")  # D4 is the only devoted card
    assert table.rows() == "A: H2 P14(1); B: D4(1) D5"


@rule("theos", "TH-10.4", "TH-10.5", "TH-1.6", "TR-58")
def test_destroyed_cards_hold_nothing_and_do_nothing():
    table = scene("A: D5†; B: H10† G2† G12(2)").play(A="P11", B="Blank")
    assert table.forced("choose_target") == 1  # P11 itself: a destroyed card is no target for an Add
    assert table.decline().row("A") == "D5† P11(2)"

    table = scene("A: G4; B: H10† G2† G12(2)").play(A="P14").empower("G4")
    assert table.rows() == "A: G4 P14(1); B: H10† G2† G12(2)"  # 1 removed, G12 put it back; H10 is silent


@rule("theos", "TH-11.5", "TR-7", "TR-35")
def test_constant_abilities_work_from_acceptance_on():
    table = scene("A: P5; B: D5(1)").play(A="P9", B="P14").empower("P5").decline()
    assert table.said("triggers") == []  # P14 is unresolved when P5 is empowered

    table = scene("A: D5", active="gaia demeter").play(A="D11").choose(use_may=[]).empower("D5")
    assert table.row("A") == "D5(2) D11(1)"  # D11, still resolving, triggers for its own empower step

    constant = {a.kind for card in CARDS.values() for a in card.abilities if a.kind in ("passive", "triggered")}
    assert constant == {"passive", "triggered"}


@rule("theos", "TH-15.2", "TH-15.4")
def test_remove_and_migrate():
    table = scene("B: G3(4) D5(1)").play(A="H12").target("G3").decline()
    assert (table.row("B"), table.supply) == ("G3 D5(1)", 60 - 1 - 1)

    table = scene("A: P7(2) P5").play(A="P14").empower("P7")
    assert table.row("A") == "P7(1) P5(1) P14(1)"  # all, but P5 holds one: the rest stays where it was


@rule("theos", "TR-67", "TR-66", "TR-69", "TH-15.8")
def test_swapping_removes_destroys_and_raises_nothing():
    table = scene("A: D4(2) D10†; B: H3 H10(1)", active="gaia demeter", hands={"A": "P9"}, decks={"A": "P15"})
    table.play(A="G1").choose(use_may="use")
    assert table.forced("choose_target") == 1  # D4: D10 is destroyed, G1 is no other card
    assert table.options("choose_swap_card") == ["P9"]
    table.choose(choose_swap_card="P9")

    assert table.row("A") == "P9 D10† G1"
    assert (table.said("triggers"), table.said("remove"), table.supply) == ([], [], 60 - 1)
    assert table.hand("A") == ["D4"]
    assert table.s.card("P9").pose == ""


@rule("theos", "TR-32", "TR-33")
def test_sides_are_read_from_the_card_that_uses_the_ability():
    """B's Siren Cove calls A's cards enemies, although A is the Active Player and decides for it."""
    table = scene("B: P7 D4", active="gaia demeter").play(A="D12").decline()
    assert table.rows() == "A: D12; B: P7(1) D4"
    assert table.said("steal")[0]["moved"] == [{"from": "D12", "to": "P7", "n": 1}]


@rule("theos", "TR-39", "TR-49")
def test_immunity_to_destroy_does_not_stop_the_gods():
    table = scene("A: D3(1)").play(A="G9", B="Blank")
    assert table.row("A") == "D3(1) G9†"

    table = scene("B: G2(1) D4(2)").play(A="H11").target("D4").decline()
    assert table.row("B") == "G2(1) D4†"  # immune to remove, but the removal is part of a destroy


@rule("theos", "TR-49", "TH-7.6", "TH-7.7", "TH-14.3")
def test_a_rejection_has_two_names_and_triggers_before_the_flip():
    table = scene("A: D5; B: H3 G14(1)").play(A="G3")

    assert table.active() == "poseidon hades"  # the flip waits
    assert table.options("choose_trigger") == ["D5.2", "G14.2", "H3.2"]
    table.choose(choose_trigger="G14.2").choose(choose_trigger="D5.2")
    assert table.rows() == "A: D5(1) G3†; B: H3(1) G14(2)"
    assert table.active() == "gaia hades"


@rule("theos", "TH-1.1", "TH-15.15", "TR-50")
def test_the_golden_rule_an_offering_accepted_by_card_text_flips_nothing():
    table = scene("A: D8(1)", active="poseidon hades").play(A="D5")

    assert table.said("always accepted") == [{"card": "D5", "seat": 0, "realm": 1, "by": "D8"}]
    assert (table.row("A"), table.active()) == ("D8(1) D5", "poseidon hades")


@rule("theos", "TH-1.5", "TH-1.6", "TH-1.7")
def test_zones():
    table = scene("A: P4(1)", hands={"A": "D5"}).play(A="P9")
    zones = table.s.table.zones
    for n in (0, 1):
        assert {board.DECK[n], board.HAND[n], board.SLOT[n], board.ROW[n]} <= set(zones)
    assert [card.key for card in board.in_play(table.s.table)] == ["P4", "P9"]
    table.decline()
    hidden = board.cards(table.s.table, board.DECK[0]) + board.cards(table.s.table, board.HAND[0])
    assert all(card.pose == "" and not card.n for card in hidden)
    assert {card.owner for card in board.cards(table.s.table, board.ROW[0])} == {0}


def test_a_judge_may_take_away_what_is_being_chosen():
    table = scene("B: D5 G3").play(A="H11")
    assert table.options("choose_target") == ["D5", "G3"]
    verbs = [{"verb": "move", "args": {"card": table.s.card(key).id, "to": "deck:1"}} for key in ("D5", "G3")]
    table.s.do({"do": "ruling", "verbs": verbs})

    assert table.rows() == "A: H11(1)"
    assert table.waits_for == {"A": "cleanup"}
