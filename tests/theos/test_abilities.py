"""TS-20 to TS-50: abilities, limits, triggers, keywords."""

from tests.rules import rule
from tests.theos.scene import scene


@rule("theos", "TS-20", "TH-13.4", "TH-11.2", "TH-7.4", "TH-7.5")
def test_number_of_your_destroyed_cards_is_not_a_choice():
    table = scene("A: H7 P4† D2† G3†").play(A="P9").empower("H7")

    assert table.rows() == "A: H7(3) P4† D2† G3† P9(2)"
    assert table.asked("choose_amount") == 0
    assert table.waits_for == {"A": "cleanup"}


@rule("theos", "TS-21", "TH-13.2", "TH-12.4")
def test_as_much_as_possible():
    table = scene("B: D4(1) G14(1)", active="gaia hades").play(A="G11").target("D4")
    assert table.row("B") == "D4† G14(1)"
    assert table.forced("choose_target") == 1  # the only secluded card must be taken

    table = scene("B: D4(3)", active="gaia hades").play(A="G11")
    assert table.row("B") == "D4(1)"
    assert table.said("no target") == [{"ability": "G11.2", "by": "G11"}]


@rule("theos", "TS-22", "TH-13.3", "TH-12.3", "TH-14.4")
def test_up_to_and_status_prefixes_top_to_bottom():
    table = scene("A: P2(2) G3(1)").play(A="P14").empower("P2").choose(choose_amount=0)
    assert table.row("A") == "P2(2) G3(1) P14(1)"

    table = scene("A: P2(2) G3(1)").play(A="P14").empower("P2").choose(choose_amount=2)
    assert table.row("A") == "P2(2) G3(3) P14(1)"


@rule("theos", "TS-23", "TH-13.1", "TR-36", "TH-15.1")
def test_max_cuts_an_amount():
    table = scene("A: D4(2)").play(A="P11").target("D4").decline()

    assert table.row("A") == "D4(3) P11"
    assert table.supply == 60 - 3


@rule("theos", "TS-24", "TH-13.1", "TH-14.1", "TR-37")
def test_a_full_card_steals_nothing_and_triggers_nothing():
    table = scene("A: P4(2); B: H10(2) D5(1)").play(A="P14").empower("P4").target("D5")

    assert table.rows() == "A: P4(2) P14(1); B: H10(2) D5(1)"
    assert table.said("triggers") == []


@rule("theos", "TS-25", "TH-14.1")
def test_removing_zero_is_not_removing():
    table = scene("A: G4; B: G12(1) D5").play(A="P14").empower("G4").target("D5")
    assert table.row("B") == "G12(1) D5"

    table = scene("A: G4; B: G12(1) D5(1)").play(A="P14").empower("G4").target("D5")
    assert table.row("B") == "G12(2) D5"


@rule("theos", "TS-26", "TH-14.2", "TR-32", "TR-34", "TH-12.1", "TH-11.4")
def test_trigger_in_the_middle_of_an_ability():
    table = scene("A: G6(1) D4(2); B: H10(1) D5(1)").play(A="P14").empower("G6").target("D5")

    assert table.waits_for == {"A": "choose_target"}  # for B's trigger
    assert table.options("choose_target") == ["D4", "G6"]  # not the resolving P14
    table.target("G6")
    assert table.rows() == "A: G6(1) D4(2) P14(1); B: H10(1) D5"


@rule("theos", "TS-27", "TH-14.2", "TH-15.13")
def test_trigger_between_two_instants():
    table = scene("B: P7", active="gaia demeter").play(A="D12").decline()

    assert table.rows() == "A: D12; B: P7(1)"


@rule("theos", "TS-28", "TR-49", "TR-59", "TR-53")
def test_trigger_inside_a_trigger():
    table = scene("A: D5; B: P7").play(A="D13")

    assert table.rows() == "A: D5 D13†; B: P7(1)"
    assert [told["ability"] for told in table.said("triggers")] == ["D5.2", "P7.2"]


@rule("theos", "TS-29", "TH-14.3", "TR-61", "TR-33")
def test_simultaneous_abilities_the_order_matters():
    before = "A: D11(1) D6; B: P14(1)"

    table = scene(before).play(A="P15").empower("D6")
    assert table.options("choose_trigger") == ["D11.3 D6", "P14.2 D6"]
    table.choose(choose_trigger="P14.2 D6")
    assert table.rows() == "A: D11(1) D6(3) P15(2); B: P14(1)"

    table = scene(before).play(A="P15").empower("D6").choose(choose_trigger="D11.3 D6")
    assert table.rows() == "A: D11(1) D6(2) P15(2); B: P14(2)"


@rule("theos", "TS-30", "TR-54", "TR-58", "TR-60", "TH-14.5")
def test_waiting_triggers_can_lapse():
    table = scene("A: D5 G3; B: P7", active="gaia demeter").play(A="D9")

    assert table.options("choose_trigger") == ["P7.2 D5", "P7.2 D9", "P7.2 G3"]
    table.choose(choose_trigger="P7.2 G3").decline()
    assert table.rows() == "A: D5(1) G3 D9(1); B: P7(1)"
    assert table.asked("choose_trigger") == 1


@rule("theos", "TS-31", "TH-15.11", "TH-13.1", "TR-55", "TH-15.3")
def test_multi_and_max():
    table = scene("B: D4(2); C: G3(3)", seats=3).play(A="P12")

    assert table.options("choose_multi_team") == ["team 1", "team 2"]
    table.choose(choose_multi_team="team 1")
    assert table.rows() == "A: P12(3); B: D4; C: G3(2)"


@rule("theos", "TS-32", "TH-15.11")
def test_multi_skips_a_team():
    table = scene("B: D4†; C: G3(3)", seats=3).play(A="P12")

    assert table.rows() == "A: P12(2); B: D4†; C: G3(1)"
    assert table.asked("choose_multi_team") == 0


@rule("theos", "TS-33", "TH-15.11", "TH-1.4")
def test_multi_counts_teams_not_players():
    table = scene(
        "A: G8; C: P4 D5(1); D: H2; E: G3(1)", seats=6, teams="AB CD EF", realms="121212",
        active={1: "poseidon hades", 2: "gaia hades"},
    ).play(A="P14").empower("G8")  # fmt: skip

    assert table.options("choose_target") == ["H2", "P4"]
    table.target("H2")
    assert table.rows() == "A: G8 P14(1); C: P4 D5(2); D: H2†; E: G3(1)"


@rule("theos", "TS-34", "TH-7.5", "TR-33")
def test_empowering_a_teammates_card_whose_cards_are_yours():
    table = scene("A: P4† D2†; B: H7 G4†", seats=4, teams="AB CD").play(A="P14").empower("H7")

    assert table.row("B") == "H7(2) G4†"


@rule("theos", "TS-35", "TH-15.3", "TH-12.1")
def test_empowering_a_teammates_card_where_followers_go():
    table = scene("B: P4; C: D5(1) G3(1)", seats=4, teams="AB CD").play(A="P14").empower("P4")

    assert table.waits_for == {"A": "choose_target"}
    table.target("D5")
    assert table.rows() == "A: P14(1); B: P4(1); C: D5 G3(1)"


@rule("theos", "TS-36", "TR-34", "TH-10.2")
def test_another_does_not_reach_the_resolving_card():
    table = scene("A: P5").play(A="P9").empower("P5")

    assert table.row("A") == "P5(1) P9(2)"


@rule("theos", "TS-37", "TR-38", "TH-12.7", "TH-15.10")
def test_immune_is_a_legal_target():
    table = scene("B: D7(2) G3(2) G12(1)").play(A="H12").target("D7").decline()

    assert table.rows() == "A: H12(1); B: D7(2) G3(2) G12(1)"


@rule("theos", "TS-38", "TH-12.5", "TR-35", "TH-9.1")
def test_immunity_does_not_cover_unresolved_cards():
    table = scene("B: D3(1) G14(1)").play(A="P1", B="P12").target("D3")
    assert table.rows() == "A: P1(1); B: D3 G14(1) P12†"

    table = scene("B: D3(1) G14(1)").play(A="P1", B="P12").target("G14")
    assert table.rows() == "A: P1; B: D3(1) G14(1) P12†"


@rule("theos", "TS-39", "TH-11.3", "TH-12.3")
def test_protection_that_ends_half_way():
    before = "B: G2(2) G3(1)"
    assert scene(before, active="gaia hades").play(A="G11").target("G2").row("B") == "G2† G3(1)"
    assert scene(before, active="gaia hades").play(A="G11").target("G3").row("B") == "G2(2) G3(1)"


@rule("theos", "TS-40", "TH-15.15", "TR-50", "TH-1.1", "TH-6.6")
def test_always_accepted():
    table = scene("A: G13(1)").play(A="G3")
    assert table.row("A") == "G13(1) G3"
    assert table.active() == "poseidon hades"

    table = scene("A: G13(1)").play(A="G9", B="P9").decline()
    assert table.rows() == "A: G13 G9†; B: P9(2)"


@rule("theos", "TS-41", "TR-47", "TH-15.5")
def test_destroying_removes_first():
    table = scene("A: G3(2); B: D4(2) G12(1) H10(1)").play(A="H11").target("D4")

    assert table.row("B") == "D4 G12(1) H10(1)"  # not yet turned
    assert table.options("choose_trigger") == ["G12.2", "H10.2"]
    table.choose(choose_trigger="H10.2")  # G3 is the only enemy card of B, so it is taken without asking
    assert table.decline().rows() == "A: G3(1) H11(1); B: D4† G12(2) H10(1)"


@rule("theos", "TS-42", "TR-47", "TR-48", "TR-53")
def test_reacting_to_the_own_removal_does_not_save_the_card():
    table = scene("B: G12(2)").play(A="H11")

    assert table.rows() == "A: H11(1); B: G12†"
    assert table.supply == 59
    assert [told["ability"] for told in table.said("triggers")] == ["G12.2"]


@rule("theos", "TS-43", "TH-15.7", "TR-63", "TH-12.9")
def test_copy_from_a_destroyed_card():
    table = scene("A: G3 D5 P4; B: D13†").play(A="H13").decline()

    assert table.rows() == "A: G3 D5 P4 H13(3); B: D13†"


@rule("theos", "TS-44", "TH-15.8", "TR-68", "TR-66", "TR-67")
def test_swap_with_a_blank():
    before = {"active": "poseidon demeter", "hands": {"A": "Blank H11"}}
    table = scene("A: P4† G3(2)", **before).play(A="D14").choose(use_may="use", choose_swap_card="BLANK").decline()
    assert table.row("A") == "G3(2) D14(2)"
    assert table.hand("A") == ["H11", "P4"]
    assert table.waits_for == {"A": "play_card", "B": "play_card"}

    table = scene("A: P4† G3(2)", **before).play(A="D14").choose(use_may="use", choose_swap_card="H11").decline()
    assert table.row("A") == "H11 G3(2) D14(2)"
    assert table.hand("A") == ["BLANK", "P4"]
    assert table.said("destroyed") == []  # H11's Instants are not used
    assert table.s.card("P4").pose == ""


@rule("theos", "TS-45", "TR-66", "TH-15.7", "TR-69")
def test_swap_from_the_deck_then_copy():
    table = scene("A: P4 D7(2); B: G6(2)", active="gaia hades", decks={"A": "P12 D9"})
    table.play(A="G15").choose(use_may="use").target("P4")
    assert table.options("choose_swap_card") == table.deck("A")
    table.choose(choose_swap_card="P12").target("P12").decline()

    assert table.rows() == "A: P12 D7(2) G15(3); B: G6"
    assert {"P4", "D9"} < set(table.deck("A"))
    assert "P12" not in table.deck("A")


@rule("theos", "TS-46", "TH-12.8", "TR-41")
def test_if_you_do():
    table = scene("A: P8 D5(1) P4; B: G3(4)").play(A="P14").empower("P8").choose(use_may="use").target("P4")
    assert table.rows() == "A: P8(3) D5(2) P4† P14(1); B: G3(1)"

    table = scene("A: H3").play(A="P14").empower("H3")
    assert table.asked("use_may") == 0
    assert table.row("A") == "H3 P14(1)"


@rule("theos", "TS-47", "TH-12.3", "TH-15.9", "TR-62")
def test_status_decides_at_the_moment_of_use():
    before = "A: G5(1) G3; B: D13(4)"
    table = scene(before).play(A="P10").choose(use_may=[]).empower("G5")
    assert table.rows() == "A: G5(1) G3 P10(1); B: D13(4)"

    table = scene(before).play(A="P10").choose(use_may="use").target("G3").choose(choose_amount=1).empower("G5")
    assert table.rows() == "A: G5 G3(2) P10(1); B: D13†"


@rule("theos", "TS-48", "TR-45", "TR-39", "TH-12.2", "TR-54")
def test_mandatory_harm():
    table = scene("A: P4 D5(1) G4; B: G3(1) H7 H2", active="gaia hades").play(A="G9").decline()

    assert table.rows() == "A: P4† D5(2) G4† G9(1); B: G3(1) H7† H2†"


@rule("theos", "TS-49", "TH-15.10", "TR-38", "TH-15.6")
def test_nothing_rises_in_tartarus():
    table = scene("A: P4†; B: H14(1)", active="gaia demeter").play(A="D15")
    table.choose(choose_targets_up_to="P4").decline()
    assert table.row("A") == "P4† D15(1)"

    table = scene("A: P4†; B: H14", active="gaia demeter").play(A="D15")
    table.choose(choose_targets_up_to="P4").decline()
    assert table.row("A") == "P4 D15(1)"


@rule("theos", "TS-50", "TH-13.5", "TR-56", "TR-10")
def test_the_supply_runs_short():
    table = scene("A: D5 G3", active="gaia demeter", supply=2).play(A="D9").decline()

    assert table.row("A") == "D5(1) G3(1) D9"
    assert table.supply == 0
