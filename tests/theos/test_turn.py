"""TS-11 to TS-19: rounds, turns, the resolution of a card."""

import pytest

from games.kernel import Rejected
from games.rulebooks.theos import board
from games.rulebooks.theos.round import ascension
from tests.rules import rule
from tests.theos.scene import scene


@rule("theos", "TS-11", "TH-5.2", "TR-78")
@pytest.mark.parametrize(("round", "die"), [(1, 10), (2, 9), (3, 8), (9, 2), (10, 1), (11, 1), (15, 1)])
def test_ascension_die(round, die):
    assert ascension(round) == die


@rule("theos", "TH-5.1", "TH-5.2", "TH-5.6", "TR-2")
def test_the_next_round_keeps_the_table_and_lowers_the_die():
    table = scene("A: D7(2) G9†; B: P4", end=True, round=3, active="gaia hades").clean_up(A="D7 G9").clean_up(B="P4")

    assert table.rows() == "A: D7(2) G9†; B: P4"
    assert (table.s.table.vars["round"], table.s.table.vars["die"]) == (4, 7)
    assert table.active() == "gaia hades"
    assert table.waits_for == {"A": "build_hand", "B": "build_hand"}


@rule("theos", "TS-12", "TH-5.3", "TH-5.4", "TR-26", "TH-9.4")
def test_hand_with_blanks():
    table = scene("A: D7 P4", end=True).clean_up(A="D7 P4").clean_up()
    deck = table.deck("A")
    assert (table.hand("A"), len(deck)) == (["BLANK", "BLANK"], 10)

    assert table.refuses("A", build_hand=deck[:4]).errors[0]["code"] == "too_few"
    assert table.refuses("A", build_hand=deck[:6]).errors[0] | {"detail": ""} == {
        "pointer": "/path/0", "code": "too_many", "detail": "", "rule": "TH-5.3",
    }  # fmt: skip
    table.answer("A", build_hand=deck[:5]).answer("B", build_hand=table.deck("B")[:7])
    assert table.hand("A") == sorted(["BLANK", "BLANK", *deck[:5]])
    assert table.waits_for == {"A": "play_card", "B": "play_card"}


@rule("theos", "TS-13", "TH-6.6", "TR-4", "TH-6.4")
def test_speed_order():
    table = scene(seats=3).play(A="G4", B="P4", C="P7")

    assert [told["card"] for told in table.said("accepted")] == ["P4"]
    assert [told["card"] for told in table.said("rejected")] == ["G4", "P7"]
    assert table.rows() == "A: G4†; B: P4; C: P7†"
    assert table.active() == "poseidon hades"


@rule("theos", "TS-14", "TH-7.6", "TH-7.7", "TH-7.2", "TH-9.2", "TH-9.3")
def test_a_rejected_offering_turns_the_turn():
    table = scene(active="gaia hades").play(A="P4", B="G9")

    assert table.rows() == "A: P4†; B: G9†"
    assert table.active() == "poseidon hades"


@rule("theos", "TS-15", "TH-15.5", "TR-54", "TR-51", "TH-6.5", "TH-10.3", "TH-10.1", "TR-60")
def test_betrayal_hits_several_unresolved_cards():
    table = scene("B: G6(1); C: H7(1)", seats=3).play(A="P1", B="P4", C="P9")

    assert table.rows() == "B: G6(1) P4†; C: H7(1) P9†"  # both at once, resolved at once
    table.target("G6", "H7")
    assert table.rows() == "A: P1(2); B: G6 P4†; C: H7 P9†"
    assert table.active() == "poseidon hades"
    assert [told["seat"] for told in table.said("accepted") + table.said("rejected")] == [0]


@rule("theos", "TS-16", "TH-9.1", "TH-7.6")
def test_betrayal_rejected():
    table = scene().play(A="G1", B="G9")

    assert table.rows() == "A: G1†; B: G9†"
    assert table.active() == "poseidon hades"
    assert table.said("destroyed") == []


@rule("theos", "TS-17", "TH-12.5", "TH-15.6", "TH-12.6")
def test_a_betrayal_that_does_not_spare_the_own_team():
    table = scene(seats=4, teams="AB CD").play(A="H1", B="H11", C="H3", D="P4").choose(use_may="use")

    assert table.rows() == "A: H1; B: H11; C: H3†; D: P4"
    assert table.said("destroyed") == [{"ability": "H1.1", "by": "H1", "cards": ["H11", "H3"]}]
    assert [told["card"] for told in table.said("accepted")] == ["H1", "P4"]


@rule("theos", "TS-18", "TH-6.3", "TR-11", "TH-9.4", "TH-9.5")
def test_blanks():
    table = scene(active="poseidon demeter").play(A="D1")
    assert table.rows() == "A: D1"
    assert table.said("no target") == [{"ability": "D1.1", "by": "D1"}]
    assert table.said("triggers") == []

    table = scene(hands={"A": "Blank Blank"}).play()
    assert table.rows() == ""
    assert not table.said("accepted")
    assert table.waits_for == {"A": "play_card", "B": "play_card"}


@rule("theos", "TS-19", "TH-6.1", "TH-6.2", "TR-28")
def test_commit_and_reveal():
    table = scene(seats=3, hands={"A": "P4 D5", "B": "G3 D9", "C": "H2 H3"})
    before = {viewer: table.s.view(viewer) for viewer in (1, 2, None)}
    table.answer("A", play_card="P4")
    a_d5 = {"do": "answer", "seat": 0, "decision": "d0", "path": [[table.s.card("D5").id]]}
    for viewer, view in before.items():
        after = table.s.view(viewer)
        assert [ask["seat"] for ask in after["open"]] == [1, 2]  # that a card is committed is public
        assert after["zones"] == view["zones"]
    table.s.do(a_d5)  # exchanged before the reveal
    table.answer("B", play_card="G3")
    assert not table.s.keys("slot:0")

    table.answer("C", play_card="H2")
    assert table.rows() == "A: D5†; B: G3†; C: H2"  # all three were revealed in one step
    with pytest.raises(Rejected, match="not open"):
        table.s.do(a_d5)
    table.answer("A", play_card="P4")
    assert table.waits_for == {"B": "play_card", "C": "play_card"}  # A cannot play a second card


@rule("theos", "TH-5.5")
def test_a_round_has_seven_turns():
    table = scene(hands={"A": "Blank " * 7, "B": "Blank " * 7})
    for left in (6, 5, 4, 3, 2, 1):
        table.play()
        assert len(table.hand("A")) == len(table.hand("B")) == left
        assert table.waits_for == {"A": "play_card", "B": "play_card"}
    table.play()
    assert table.kind == "cleanup"


@rule("theos", "TH-7.1", "TH-7.3", "TH-7.8", "TR-31", "TH-11.1", "TH-10.2")
def test_the_active_player_exists_only_while_a_card_resolves():
    table = scene("A: P4; B: D5(1)", hands={"A": "Blank"}).play(A="P14")

    active = table.s.table.vars["active"]
    assert (active["seat"], table.s.table.cards[active["card"]].key) == (0, "P14")
    assert table.s.card("P14").zone == board.SLOT[0]
    assert table.s.n("P14", "followers") == 1  # the Instant came before the empower step
    table.decline()
    assert "active" not in table.s.table.vars
    assert table.row("A") == "P4 P14(1)"
    assert table.kind == ""


@rule("theos", "TH-7.4", "TH-7.5", "TR-62", "TR-27")
def test_who_may_be_empowered():
    table = scene("A: P4 P5† P15(1); B: G6; C: D5", seats=4, teams="AB CD").play(A="P14")

    assert table.options("choose_empower") == ["G6", "P4"]  # raised, with a Power ability, of the team; not P14
    table.choose(choose_empower=[])
    assert table.row("A") == "P4 P5† P15(1) P14(1)"

    table = scene("A: P4†").play(A="P14")  # nobody to empower: not asked, recorded as forced
    assert table.forced("choose_empower") == 1
    assert table.asked("choose_empower") == 0


@rule("theos", "TH-7.4")
def test_an_accepted_offering_does_not_empower():
    table = scene("A: P4; B: D5(1)").play(A="P5")

    assert table.rows() == "A: P4 P5; B: D5(1)"
    assert table.asked("choose_empower") + table.forced("choose_empower") == 0
