"""Teams and several arenas (TI-2, TI-6, TI-9; scenarios 63 to 68, 75, 83, 86, 93, 99, 105)."""

from games.kernel.testing import given
from tests.rules import rule

from .scene import A, B, C, D, E, F, Game, scene


def fought(seats, totals, temples, **options):
    """Battle: Wizards on each side, and the temples before it."""
    play = {side: ["Wizard"] * count for side, count in enumerate(totals)}
    hands = {seat: ["Monk"] for seat in range(seats)}
    return scene(seats, at="battle", play=play, temples=temples, hands=hands, options=options)


@rule("titans", "TS-63", "TI-9.4", "TI-9.5", "TR-14", "TI-2.4")
def test_two_arena_results():
    assert fought(4, [3, 0, 0, 3], [3, 3]).vars["temples"] == [3, 3], "win and loss"
    assert fought(4, [3, 0, 1, 1], [3, 3]).vars["temples"] == [3, 2], "win and tie"
    assert fought(4, [3, 0, 3, 0], [3, 3]).vars["temples"] == [3, 2], "two wins: one temple"
    assert fought(4, [1, 0, 0, 1], [3, 3]).vars["temples"] == [3, 3], "two ties"
    assert fought(4, [3, 0, 1, 1], [1, 3]).vars["temples"] == [2, 2], "captured"
    assert fought(3, [3, 0, 1, 1], [3, 3]).vars["temples"] == [3, 2], "and so with a solo player"


@rule("titans", "TS-64", "TI-9.7", "TI-9.8", "TI-9.9", "TI-9.2")
def test_three_arena_temples():
    """Sides: arena 1 T1, T3; arena 2 T1, T2; arena 3 T2, T3."""
    assert fought(6, [3, 0, 0, 0, 0, 0], [0, 2, 2, 2, 2, 2]).vars["temples"] == [1, 1, 2, 2, 2, 2]
    again = fought(6, [3, 0, 0, 0, 0, 0], [2, 0, 2, 2, 2, 2])
    assert again.vars["temples"] == [2, 0, 2, 2, 2, 2]
    assert again.outcome is None, "T3 plays on"
    assert fought(6, [3, 0, 3, 0, 0, 0], [2, 1, 2, 1, 2, 2]).outcome == ("win", [A, B])
    assert fought(6, [0, 0, 3, 0, 0, 0], [1, 1, 2, 1, 2, 2]).outcome is None


@rule("titans", "TS-86", "TI-9.5", "TI-9.6", "TI-9.10")
def test_two_arena_elimination():
    game = fought(4, [0, 3, 1, 1], [1, 1])
    assert game.vars["temples"] == [0, 2]
    assert game.outcome == ("win", [C, D])


@rule("titans", "TS-99", "TI-2.14", "TI-9.7")
def test_solo_temples_are_separate():
    game = fought(5, [3, 0, 3, 0, 0, 0], [0, 2, 2, 2, 2, 2], teams=[0, 1, 1, 2, 2])
    assert game.vars["temples"][:4] == [1, 1, 2, 1]


@rule("titans", "TS-65", "TI-6.1", "TI-6.2", "TI-6.3", "TI-6.4", "TI-5.9", "TI-4.2", "TR-11", "TR-12")
def test_a_trade_with_summon_and_flash():
    """The rulebook's examples: one card crosses, Summon cards stay; the receiver flashes from the own hand."""
    hands = {0: ["Akari", "Riku", "Monk"], 1: ["Wind's Howl", "Jace"], 2: ["Monk"] * 3, 3: ["Monk"] * 3}
    game = scene(4, age=3, play={0: ["Nikolai"]}, hands=hands)
    assert game.waits_for == {A: "trade", B: "trade"}
    game.choose(B, "trade", "trade")
    assert "value" not in next(effect for effect in game.seen(C) if effect["e"] == "answer")
    game.choose(A, "trade", "trade")
    assert set(game.waits_for) == {A, B}
    game.commit(A, "Akari", side=2).commit(B, "Wind's Howl", side=0).commit(A, "Riku", side=0)
    game.skip("trade").commit(C, "Monk").commit(D, "Monk")
    assert game.side(B, 1) == ["Akari, Timeless Fighter"]
    assert sorted(game.side(A, 0)) == ["Nikolai, The Cursed", "Riku, Warrior Supreme", "Wind's Howl"]
    assert game.one("Wind's Howl").owner == A
    assert game.one("Akari").owner == B
    assert game.waits_for == {A: "commit"}
    assert game.offered(A, "commit") == ["Monk", "top"], "its own hand or deck"
    game.commit(A, "Monk", "top").skip("awaken", "discard_hand")
    assert "Wind's Howl" in game.deck(A) + game.hand(A)


@rule("titans", "TI-6.2", "TI-6.1", "TI-4.2")
def test_a_trade_needs_both_and_cards():
    hands = {seat: ["Monk"] * 2 for seat in range(4)}
    game = scene(4, hands=hands).choose(A, "trade", "trade").choose(B, "trade")
    game.commit(B, "Monk")
    assert game.waits_for == {A: "commit"}, "both must be in before the next team decides"
    game.commit(A, "Monk")
    assert (len(game.slot(0)), len(game.slot(2))) == (1, 1)
    assert game.waits_for == {C: "trade", D: "trade"}
    empty = scene(4, hands={**hands, 1: []}, decks={1: []})
    assert empty.waits_for == {A: "commit"}, "a player with neither hand nor deck cannot trade"


@rule("titans", "TS-66", "TI-7.6", "TI-6.8", "TI-3.1")
def test_one_loop_for_all_arenas():
    hands = {0: ["Storm's Roar", "Jace"], 1: ["Monk"], 2: ["Aurora"], 3: ["Aurora"], 4: ["Monk"], 5: ["Monk"]}
    game = scene(6, age=1, play={1: ["Wizard"]}, hands=hands).skip("trade")
    game.commit(A, "Storm's Roar").commit(B, "Monk").skip("trade").commit(C, "Aurora").commit(D, "Aurora").skip("trade")
    game.commit(E, "Monk").commit(F, "Monk")
    assert game.waits_for == {A: "commit"}, "Flash in arena 1"
    game.commit(A, "Jace")
    assert game.waits_for == {A: "subvert"}, "Jace first"
    assert not any("Ghost" in game.side(seat, arena) for seat in range(6) for arena in range(3))
    game.choose(A, "subvert", "Wizard")
    assert (game.side(B, 1).count("Ghost"), game.side(F, 2).count("Ghost")) == (2, 2)


@rule("titans", "TS-67", "TI-2.3", "TI-2.5", "TI-12.36", "TI-2.8", "TI-2.9", "TI-0.2", "TI-8.3")
def test_arena_limits():
    game = scene(3, age=1, play={0: ["Monk"], 2: ["Wizard"]}, hands={0: ["Caiden", "Monk"], 1: ["Monk"], 2: ["Jace"]})
    game.commit(A, "Caiden", side=0).commit(A, "Monk", side=2).skip("trade").commit(B, "Monk").commit(C, "Jace")
    assert game.vars["protected"] == {"0": "age"}
    assert game.offered(C, "subvert") == ["Monk", "Wizard"], "in arena 2"
    game.choose(C, "subvert", "Wizard")
    assert (game.energy(A, 0), game.energy(A, 1)) == (1, 1), "Energy stays in its arena"
    ghost = game.offered(A, "awaken", 0), game.offered(A, "awaken", 2)
    assert "Ghost" in ghost[0]
    assert "Ghost" in ghost[1]
    assert not set(ghost[0]) - {"Ghost"} & set(ghost[1]), "each arena its own names"
    game.choose(A, "awaken", "Ghost")
    assert len(game.ask(A, "awaken").about) == 1, "once in each"
    game.choose(A, "awaken", "Ghost")
    assert game.discarded(A) == ["Ghost", "Ghost"], "to its one discard pile"
    assert [game.pile("Ghost", arena) for arena in (0, 1)] == [11, 11]


@rule("titans", "TS-68", "TI-13.44", "TR-21")
def test_two_no_escapes_on_a_solo_player():
    hands = {0: ["Monk", "Wizard", "Ghost", "Ghost", "Ghost"], 1: ["Merciless"], 2: ["Merciless"]}
    game = scene(3, age=1, hands=hands).commit(A, "Monk", side=0).commit(A, "Wizard", side=2).skip("trade")
    game.commit(B, "Merciless").commit(C, "Merciless")
    assert [game.side(A, arena).count("Ghost") for arena in (0, 1)] == [3, 3]
    assert game.waits_for == {A: "odd_ghost"}
    game.choose(A, "odd_ghost", "arena:1")
    assert [game.side(A, arena).count("Ghost") for arena in (0, 1)] == [3, 4]
    single = scene(3, age=1, hands={**hands, 2: ["Monk"]}).commit(A, "Monk", side=0).commit(A, "Wizard", side=2)
    single.skip("trade").commit(B, "Merciless").commit(C, "Monk")
    assert [single.side(A, arena).count("Ghost") for arena in (0, 1)] == [5, 0], "all to its own arena"


@rule("titans", "TS-75", "TI-14.43", "TI-6.4")
def test_stolen_after_a_trade():
    hands = {0: ["Monk", "Monk"], 1: ["Akari", "Monk"], 2: ["Hell"], 3: ["Monk"]}
    game = scene(4, age=3, hands=hands).choose(A, "trade", "trade").choose(B, "trade", "trade")
    game.commit(A, "Monk").commit(B, "Akari").skip("trade").commit(C, "Hell").commit(D, "Monk")
    assert "Akari, Timeless Fighter" in game.side(C, 0)
    game.skip("awaken", "discard_hand")
    assert "Akari, Timeless Fighter" in game.deck(A) + game.hand(A)


@rule("titans", "TS-83", "TI-5.4", "TI-2.8", "TR-12", "TI-6.7")
def test_a_solo_player_short_of_cards():
    nothing = {0: [], 1: [], 2: []}
    game = scene(3, age=1, play={1: ["Monk"]}, hands={**nothing, 0: ["Akari"]}, decks=nothing)
    assert [ask.about for ask in game.table.open.values()] == ["0:0", "2:0"]
    assert game.must(A, "commit") == (0, 1)
    game.commit(A, "Akari", side=2)
    assert (game.side(A, 0), game.side(A, 1)) == ([], ["Akari, Timeless Fighter"])


@rule("titans", "TI-6.3", "TR-12", "TI-12.25")
def test_a_traded_card_precedes_summon_cards():
    """T1P1 has Summon, is delayed and has one card left: it is kept for the trade."""
    game = scene(4, play={0: ["Nikolai"], 1: ["Zenith"]}, hands={0: ["Akari"], 1: ["Jace"]}, decks={0: [], 1: []})
    game.choose(A, "trade", "trade").choose(B, "trade", "trade").commit(B, "Jace", side=0)
    assert game.offered(A, "commit") == ["Akari, Timeless Fighter"]
    game.commit(A, "Akari", side=2)
    assert game.slot(0) == ["Jace, Winter's Firstborn"]
    assert game.slot(2) == ["Akari, Timeless Fighter"]


@rule("titans", "TI-2.7", "TI-10.5", "TI-2.9", "TI-18.8")
def test_a_solo_player_has_one_hand_of_nine():
    game = scene(
        3,
        at="battle",
        hands={0: ["Monk"] * 2, 1: [], 2: []},
        decks={0: ["Monk"] * 12},
        play={0: ["He The Earth"], 2: ["He The Earth"]},
    )
    assert [game.total(A, arena) for arena in (0, 1)] == [3, 3], "the one hand counts in both arenas"
    game.choose(A, "discard_hand")
    assert len(game.hand(A)) == 9


@rule("titans", "TI-11.7", "TR-17", "TI-2.9", "TI-4.2")
def test_discards_of_two_opponents_act_on_one_hand():
    hands = {0: ["Monk"] * 5, 1: ["Monk"], 2: ["Monk"]}
    game = scene(3, play={1: ["Living Volcano"], 3: ["Living Volcano"]}, hands=hands)
    assert len(game.hand(A)) == 1
    looks = scene(
        3, play={1: ["Devil's Horns"], 3: ["Devil's Horns"]}, hands=hands, decks={0: ["Akari", "Riku", "Jace", "Aria"]}
    )
    assert looks.waits_for == {B: "discard", C: "discard"}, "teammates, at one place"
    looks.choose(B, "discard", "discard")
    assert looks.discarded(A) == ["Akari, Timeless Fighter"]


@rule("titans", "TS-93", "TI-14.32", "TR-47", "TI-2.3")
def test_replicate_without_access_to_the_pile():
    def army(size):
        game = scene(
            4,
            piles=[["Beast Eater"], ["Smoldering"]],
            sizes={(0, "Beast Eater"): size},
            play={1: ["Smoldering"]},
            hands={0: ["Army"], 1: ["Monk"], 2: ["Metalwing"], 3: ["Monk"]},
        )
        game.skip("trade").commit(A, "Army").commit(B, "Monk").skip("trade").commit(C, "Metalwing").commit(D, "Monk")
        return game.choose(A, "subvert", "Smoldering")

    assert army(4).side(A, 0) == ["Army of You", "Beast Eater"]
    assert army(0).side(A, 0) == ["Army of You"]


@rule("titans", "TS-105", "TI-17.22", "TI-17.23", "TR-37", "TR-68")
def test_spite_in_two_arenas():
    def ghosts(totals, seats=4, **more):
        play = {side: ["Wizard"] * count for side, count in enumerate(totals)}
        play[2] = [*play.get(2, []), "Zephyr"]
        game = scene(seats, at="battle", play=play, hands={seat: ["Monk"] for seat in range(seats)}, **more)
        return [game.deck(seat).count("Ghost") for seat in range(seats)]

    assert ghosts([0, 3, 0, 2]) == [0, 0, 0, 2], "T1P1 lost, T1P2 tied: T2P2 gains two of arena 2"
    assert ghosts([3, 0, 0, 5]) == [0, 0, 0, 0], "no temple lost"
    lost_elsewhere = ghosts([0, 3, 0, 2, 0, 0], 6)
    assert lost_elsewhere == [0] * 6, "three arenas: only the side's own mat counts"


@rule("titans", "TI-17.23", "TI-9.7")
def test_a_lost_battle_without_a_temple_causes_no_spite():
    game = scene(
        6,
        at="battle",
        play={0: ["Zephyr"], 1: ["Wizard"] * 5},
        temples=[0, 2, 2, 2, 2, 2],
        hands={s: ["Monk"] for s in range(6)},
    )
    assert game.deck(E).count("Ghost") == 0


@rule("titans", "TI-6.6", "TR-51")
def test_sharing_hands():
    game = Game(given("titans", 4))
    assert "cards" in game.view(B)["zones"]["hand:0"], "on by default"
    assert "cards" not in game.view(C)["zones"]["hand:0"]
    game.use(A, "hide hand")
    assert "cards" not in game.view(B)["zones"]["hand:0"]
    game.use(A, "show hand")
    assert "cards" in game.view(B)["zones"]["hand:0"]
    assert Game(given("titans")).view(A)["may"] == []


@rule("titans", "TI-4.2", "TI-8.1", "TI-8.4")
def test_teammates_awaken_in_either_order():
    game = scene(
        4,
        age=1,
        play={0: ["Monk"], 2: ["Monk"], 1: ["Monk"]},
        hands={seat: [] for seat in range(4)},
        decks={seat: [] for seat in range(4)},
    )
    assert game.waits_for == {A: "awaken", B: "awaken"}
    game.choose(B, "awaken").choose(A, "awaken")
    assert game.waits_for == {C: "awaken"}


@rule("titans", "TR-54")
def test_a_team_leaves_together():
    game = Game(given("titans", 4))
    game.concede(A)
    assert game.outcome == ("win", [C, D])
    three = Game(given("titans", 6))
    three.concede(B)
    assert three.outcome is None
    assert three.vars["temples"] == [0, 2, 0, 2, 2, 2]
    three.concede(E)
    assert three.outcome == ("win", [C, D])
