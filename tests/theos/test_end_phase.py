"""TS-51 to TS-60: the win check, cleanup, two Realms."""

import pytest

from games.kernel.testing import given
from tests.rules import rule
from tests.theos.scene import scene


def cleanup_order(table):
    (order,) = table.said("cleanup order")
    return [team["seats"] for team in order["teams"]]


@rule("theos", "TS-51", "TH-8.1", "TH-8.3", "TH-1.2", "TH-3.3")
@pytest.mark.parametrize(
    ("rows", "seats", "teams", "winners"),
    [
        ("A: G3(4) D13(4); B: P15(4) D6(2); C: G12(3) H7(3) G15(3); D: P8(3) H2(1)", 4, "AB CD", [0, 1]),
        ("A: G3(4) D13(4); B: P15(4) D6(1); C: G12(3) H7(3) G15(3)", 4, "AB CD", None),
        ("A: G3(4) P8(3); B: G12(3) H7(3); C: G15(3)", 3, "", [0]),
        ("A: G3(4) D13(4); B: P15(4); C: G12(3)", 4, "AB CD", None),
    ],
)
def test_win_check(rows, seats, teams, winners):
    table = scene(rows, seats=seats, teams=teams, round=4, end=True)

    assert table.s.outcome == (("win", winners) if winners else None)


@rule("theos", "TH-8.3")
def test_reaching_the_number_during_the_play_phase_wins_nothing():
    table = scene("A: G3(4) P15(4); B: D5", round=5, hands={"A": "H11", "B": "H12"}).play(A="P9", B="Blank")

    assert table.s.table.vars["die"] == 6  # A has had more than that since the turn began
    assert table.s.outcome is None


@rule("theos", "TS-52", "TH-8.2", "TH-8.5", "TR-73", "TR-80")
def test_tie_for_the_win():
    table = scene(
        "A: G3(4) D13(4) G12(3); B: P15(4) D9†; C: D6(3) D10(3) H7(3) P9(2); D: G10(3) H2(1)",
        seats=4, teams="AB CD", round=4, end=True,
    )  # fmt: skip

    assert table.said("win check") == [
        {"teams": [{"seats": [0, 1], "has": 15, "needs": 14}, {"seats": [2, 3], "has": 15, "needs": 14}]}
    ]
    (order,) = table.said("cleanup order")
    assert order == {"teams": [{"seats": [2, 3], "final": "H2"}, {"seats": [0, 1], "final": "D9"}]}
    assert table.waits_for == {"C": "cleanup", "D": "cleanup"}


@rule("theos", "TS-53", "TH-8.4", "TH-8.5", "TR-72", "TH-8.9")
def test_cleanup_order_is_fixed():
    table = scene("A: G3(3) P9; B: D13(4) H2(1); C: D6(3) D9", seats=3, end=True)
    assert cleanup_order(table) == [[1], [2], [0]]

    assert table.waits_for == {"B": "cleanup"}
    table.clean_up()  # B returns everything and has 0
    assert table.waits_for == {"C": "cleanup"}
    table.clean_up(C="D6")
    assert table.waits_for == {"A": "cleanup"}
    assert table.rows() == "A: G3(3) P9; C: D6(3)"  # A sees what the others left


@rule("theos", "TR-74")
def test_a_team_without_any_card_comes_last_among_the_tied():
    assert cleanup_order(scene("C: H2", seats=3, end=True)) == [[2], [0], [1]]
    assert cleanup_order(scene("A: H7; C: H2†", seats=3, end=True)) == [[2], [0], [1]]


@rule("theos", "TS-54", "TH-8.6", "TH-8.7", "TR-70", "TR-71")
def test_staying_and_returning():
    table = scene("A: D7(2) P4(1) H7 G9†; B: G12(1)", end=True).clean_up(A="D7 H7 G9").clean_up(B="G12")

    assert table.row("A") == "D7(2) H7 G9†"
    assert "P4" in table.deck("A")
    assert (table.s.card("P4").pose, table.s.n("P4", "followers")) == ("", 0)
    assert table.hand("A") == ["BLANK"] * 3
    assert (table.supply, table.said("triggers")) == (60 - 3, [])

    again = scene("A: D7(2) H7 G9†").play(A="P9").empower("H7")
    assert again.row("A") == "D7(1) H7(1) G9† P9(2)"


@rule("theos", "TS-55", "TR-9", "TH-4.1", "TH-5.3")
def test_blanks_with_six_players():
    rows = "A: P2 P3 P4 P5; B: D2 D3 D4 D5; C: H2 H3 H4 H5; D: G2 G3 G4 G5; E: P6 P7 P8 P9; F: D6 D7 D8 D9"
    table = scene(rows, seats=6, realms="112212", active={1: "poseidon hades", 2: "gaia hades"}, end=True)
    for _ in range(6):
        (player,) = table.waits_for
        table.clean_up(**{player: table.row(player)})

    assert sum(table.hand(player).count("BLANK") for player in "ABCDEF") == 24
    for player in "ABCDEF":
        table.answer(player, build_hand=table.deck(player)[:3])
    assert all(len(table.hand(player)) == 7 and len(table.deck(player)) == 3 for player in "ABCDEF")


@rule("theos", "TS-56", "TH-5.3", "TH-5.5", "TR-27")
def test_everything_stays():
    row = "P4 D5(1) H7 G9† G3 P5 D2"
    table = scene(f"A: {row}; B: P8", end=True).clean_up(A=row.replace("(1)", "").replace("†", "")).clean_up()

    assert table.hand("A") == ["BLANK"] * 7
    assert table.refuses("A", build_hand=table.deck("A")[:1]).errors[0]["code"] == "too_many"
    table.answer("A", build_hand=[]).answer("B", build_hand=table.deck("B")[:7])  # asked all the same
    assert table.row("A") == row
    assert table.options_of("A") == ["BLANK"] * 7
    assert [ask.bare for ask in table.s.table.open.values()] == [True, False]  # public: A has nothing but Blanks
    assert table.s.view(None)["seats"][0]["n"] == {"blanks": 7}

    mate = scene("A: P4 D5 H7 G9† G3 P5 D2; C: D4(1)", seats=4, teams="AB CD").play(B="P9").empower("P4")
    assert mate.rows() == "A: P4 D5 H7 G9† G3 P5 D2; B: P9(2); C: D4"  # still counts, still can be empowered


@rule("theos", "TS-57", "TR-29", "TH-3.9", "TH-7.7", "TH-2.6")
def test_one_speed_order_separate_symbols():
    table = scene(seats=5, realms="12122", active={1: "gaia hades", 2: "poseidon hades"})
    table.play(A="P4", B="G2", C="P9", E="G11").decline()

    assert [told["card"] for told in table.said("accepted")] == ["P9", "G11"]
    assert table.rows() == "A: P4†; B: G2†; C: P9†; E: G11"
    assert (table.active(1), table.active(2)) == ("poseidon hades", "gaia hades")


@rule("theos", "TS-58", "TH-3.9", "TH-7.2")
def test_a_betrayal_reaches_the_other_realm():
    table = scene(seats=5, realms="12112", active={1: "poseidon demeter", 2: "poseidon hades"})
    table.play(A="D1", B="D13", E="D9").target("D9")

    assert table.rows() == "A: D1(2); B: D13†; E: D9†"


@rule("theos", "TS-59", "TH-15.14", "TR-43")
def test_changing_a_god_elsewhere():
    table = scene(seats=5, realms="12112", active={1: "poseidon hades", 2: "gaia hades"}).play(A="P11", B="G12")
    table.choose(use_may="use")  # P11 is the only friendly card and got its Followers
    assert table.options("choose_god") == [
        "demeter in Realm 1", "demeter in Realm 2", "gaia in Realm 1", "poseidon in Realm 2",
    ]  # fmt: skip
    table.choose(choose_god="poseidon in Realm 2")

    assert table.rows() == "A: P11(2); B: G12†"
    assert (table.active(1), table.active(2)) == ("poseidon hades", "poseidon hades")


@rule("theos", "TS-60", "TH-8.8", "TH-8.9", "TR-76", "TR-77", "TH-3.8")
def test_moving():
    table = scene(
        "E: G3(4); A: D13(3); B: H7(2); C: P4(1); D: D5", seats=5, realms="11122",
        active={1: "poseidon hades", 2: "gaia hades"}, end=True,
    )  # fmt: skip
    assert table.waits_for == {"E": "cleanup"}
    table.answer("E", cleanup=["G3", "move"])
    assert table.s.view(0)["seats"][4]["marks"] == {"realm": 1}  # A decides knowing it
    for player, card in (("A", "D13"), ("B", "H7"), ("C", "P4")):
        table.answer(player, cleanup=[card])
    table.answer("D", cleanup=["D5", "move"])

    assert [seat.marks["realm"] for seat in table.s.table.seats] == [1, 1, 1, 1, 1]
    assert table.active(2) == "gaia hades"
    assert table.rows() == "A: D13(3); B: H7(2); C: P4(1); D: D5; E: G3(4)"

    moved = scene("A: P4", seats=5, realms="21111", active={1: "poseidon hades", 2: "gaia hades"}).play(A="P9", B="G9")
    assert moved.row("A") == "P4 P9†"  # judged where its player is now


@rule("theos", "TR-75")
def test_members_of_a_team_submit_independently():
    table = scene("A: P4(1); B: G3(2) D2; C: H2", seats=4, teams="AB CD", end=True)
    before = table.rows()
    table.answer("B", cleanup=["G3"])
    assert table.rows() == before
    assert table.waits_for == {"A": "cleanup"}

    table.answer("A", cleanup=[])
    assert table.rows() == "B: G3(2); C: H2"
    assert table.waits_for == {"C": "cleanup", "D": "cleanup"}


@rule("theos", "TR-79", "TH-1.2")
def test_leaving_the_table_is_no_game_event():
    table = scene("A: P4; B: D5; C: H7", seats=3, hands={"A": "P9 P5", "B": "G9 D2", "C": "H9 H2"})
    table.answer("A", play_card="P9")
    table.s.concede(1)
    assert table.waits_for == {"C": "play_card"}  # A's committed card is kept, B is played on by default answers
    table.answer("C", play_card="H2").decline()
    assert table.row("B") == "D5 D2†"
    assert len(table.hand("B")) == len(table.hand("A")) == 1

    table.s.concede(2)
    assert table.s.outcome == ("win", [0])
    assert table.s.table.outcome.reason == "conceded"  # not by the rules


@rule("theos", "TR-79")
def test_a_deserted_game_may_end_without_a_winner():
    table = given("theos", 4, options={"type": "2v2", "decks": "random", "leaving": "void"})
    table.concede(3, "time").concede(0)
    assert table.outcome is None  # somebody of both teams is still there
    table.concede(2)
    assert (table.outcome, table.table.outcome.reason) == (("void", []), "conceded")
