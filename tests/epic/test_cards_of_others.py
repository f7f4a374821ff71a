"""Control, tokens, cards of others, veiled champions: SC-50 to SC-57, SC-67 to SC-70 (EP-14 to EP-16, EP-19)."""

from games.kernel import PUBLIC
from tests.rules import rule

from .scene import FILLER, Scene


@rule("epic", "SC-50", "EP-15.2", "EP-15.3", "EP-15.4", "EP-15.6", "RU-45", "EP-15.7")
def test_gain_control_then_break_return_banish():
    def taken():
        scene = Scene("pre_battle", hands={0: ["Turncoat's Coin", "Grim Bargain", "Unmaking Wave"]},
                      play={0: ["Gentle Jailer"], 1: ["/Iron Crusher"]}, actions=3)  # fmt: skip
        scene.play(0, "Turncoat's Coin", FILLER)
        assert (scene.card(FILLER).ctrl, scene.pose(FILLER)) == (0, "prepared")
        return scene

    scene = taken()
    scene.play(0, "Grim Bargain", FILLER).all_pass()
    assert scene.discard(0) == ["Turncoat's Coin", FILLER, "Grim Bargain"]
    assert scene.s.card("EP100", "discard:0").owner == 1
    scene = taken()
    scene.use(0, "Gentle Jailer", FILLER).all_pass()
    assert FILLER in scene.hand(0)
    assert [card["key"] for card in scene.s.view(1)["zones"]["hand:0"]["cards"]] == ["EP100"]
    scene = taken()
    scene.change(lambda t: t.mark(scene.card(FILLER).id, "mods", [
        *scene.card(FILLER).marks["mods"],
        {"class": "are", "mods": [{"set": "origin", "to": "magical"}], "until": "end_of_turn", "at": 1},
    ]))  # fmt: skip
    scene.play(0, "Unmaking Wave").all_pass()
    assert scene.deck(1) == 21
    scene = taken()
    scene.to("battle").attack("s1", FILLER).fight()
    assert scene.mojo == [30, 17]
    scene.to("pre_battle", turn=1)
    assert scene.card(FILLER).ctrl == 1
    assert scene.pose(FILLER) == "prepared", "returned expended at cleanup, prepared in P2's Prepare Step"


@rule("epic", "SC-50", "EP-15.4")
def test_what_was_taken_returns_expended():
    scene = Scene("pre_battle", seats=3, hands={0: ["Turncoat's Coin"]}, play={2: [FILLER]})
    scene.play(0, "Turncoat's Coin", FILLER).to("battle").attack("s1").fight().to("pre_battle", turn=1)
    assert (scene.card(FILLER).ctrl, scene.pose(FILLER)) == (2, "expended")


@rule("epic", "SC-51", "EP-14.1", "EP-14.2", "EP-14.3", "RU-44", "RU-69")
def test_tokens_leave_for_good():
    def stage(hand):
        return Scene(hands={0: hand}, play={0: ["Tollhouse of Souls", "Pontiff of Rot", "Gentle Jailer"], 1: ["Demon"]})

    scene = stage(["Grim Bargain"])
    scene.play(0, "Grim Bargain", "Demon").all_pass()
    assert scene.line == ["Pontiff of Rot"]
    assert not [card for card in scene.s.table.cards.values() if card.key == "Demon"]
    scene.all_pass()
    assert scene.mojo == [30, 29]
    scene = stage([])
    scene.use(0, "Gentle Jailer", "Demon").all_pass()
    assert (scene.line, scene.hand(1)) == ([], [])
    assert not [card for card in scene.s.table.cards.values() if card.key == "Demon"]


@rule("epic", "SC-52", "EP-15.1", "EP-15.6", "EP-15.7", "EP-8.10", "EP-3.4")
def test_a_card_of_another_player_in_hand():
    scene = Scene("end", hands={0: ["Naturalist"] * 10}, foreign=[(0, "Grim Bargain", 1)])
    scene.all_pass()
    assert scene.s.asked(0, "hand_limit_discard").shape.lo == 1
    scene.answer(0, hand_limit_discard=["Grim Bargain"])
    assert scene.discard(0) == ["Grim Bargain"]
    scene = Scene(hands={1: ["Forget the Past"]}, foreign=[(0, "Grim Bargain", 1)], play={1: [FILLER]})
    scene.play(0, "Grim Bargain", FILLER)
    assert scene.s.table.cards[scene.s.table.zones["line"].cards[0]].ctrl == 0
    scene.all_pass()
    assert scene.discard(0) == ["Grim Bargain"]
    scene.to("build", turn=1).play(1, "Forget the Past", "s0")
    assert scene.bottom(1) == ["Grim Bargain"], "banished: to its owner's deck"


@rule("epic", "SC-53", "EP-16.13", "EP-3.6")
def test_a_face_down_card_targeted_on_the_line():
    def stage(p1):
        scene = Scene(hands={0: ["Veiled Cartographer", *p1], 1: ["Brush Aside", "Naturalist"]})
        scene.play(0, "Veiled Cartographer", "down")
        item = scene.s.table.zones["line"].cards[0]
        assert "key" not in scene.s.view(1)["zones"]["line"]["cards"][0]
        assert scene.actions == [0, 1]
        scene.passes(0)
        [option] = [card for card in scene.s.asked(1, "priority").shape.options if card.startswith("play:")]
        scene.s.do({"do": "answer", "seat": 1, "decision": scene.s.asked(1, "priority").id, "path": [[option]]})
        assert not scene.s.table.cards[item].down
        return scene

    scene = stage(["Brush Aside", "Naturalist"])
    scene.passes(1).play(0, "Brush Aside", "Brush Aside").passes(0, 1).answer(0, pick_from_zone="Naturalist").all_pass()
    assert scene.field(0) == ["Veiled Cartographer"]
    assert (scene.line, scene.hand(0)) == ([], []), "that was no unveiling"
    scene = stage([])
    scene.passes(1, 0).answer(1, pick_from_zone="Naturalist")
    assert scene.discard(0) == ["Veiled Cartographer"]


@rule("epic", "SC-54", "EP-16.13", "RU-51")
def test_unveiled_as_it_would_be_broken():
    scene = Scene(hands={0: ["Night Without Stars"]}, play={0: ["~Veiled Cartographer", "Naturalist"]})
    scene.play(0, "Night Without Stars").all_pass()
    order = [effect["e"] for effect in scene.s.last if effect["e"] in ("know", "move")]
    assert order == ["know", "move", "move", "move"], "unveiled, then broken with the others"
    assert scene.line == ["Veiled Cartographer"]
    scene.all_pass()
    assert scene.hand(0) == [FILLER, FILLER]


@rule("epic", "SC-57", "EP-16.13", "RU-49", "RU-50", "RU-64")
def test_no_alignment_while_veiled():
    scene = Scene(hands={0: ["Veilwalker Paladin", "Unmaking Wave"]}, play={0: ["Lanternbearer"]}, actions=2)
    scene.play(0, "Veilwalker Paladin", "down")
    assert scene.line == ["Veilwalker Paladin"], "Lanternbearer does not trigger"
    scene.all_pass()
    assert scene.card("Veilwalker Paladin").down
    assert "key" not in scene.s.view(1)["zones"]["play"]["cards"][1]
    scene.play(0, "Unmaking Wave").all_pass().answer(0, use_trigger="no").all_pass()
    assert not scene.card("Veilwalker Paladin").down
    assert (scene.field(0), scene.line) == (["Lanternbearer", "Veilwalker Paladin"], ["Veilwalker Paladin"])
    scene.all_pass()
    assert scene.mojo == [34, 30]


@rule("epic", "SC-69", "EP-16.13", "EP-12.2", "EP-12.4", "EP-3.6")
def test_untargetable_under_a_mask():
    scene = Scene(turn=1, hands={0: ["Grim Bargain"], 1: ["Sunlit Duelist"]}, play={1: ["Mask of the Many"]})
    scene.play(1, "Sunlit Duelist", "down").all_pass()
    assert scene.card("Sunlit Duelist").down
    scene.passes(1).play(0, "Grim Bargain", "Sunlit Duelist")
    assert not scene.card("Sunlit Duelist").down
    assert scene.line == ["Grim Bargain"]
    scene.all_pass()
    assert scene.field(1) == ["Mask of the Many", "Sunlit Duelist"]
    assert (scene.hand(0), scene.discard(0)) == ([], ["Grim Bargain"])


@rule("epic", "SC-70", "EP-6.1", "EP-16.13", "EP-10.2", "RU-51", "EP-15.4")
def test_unveiling_comes_after_the_costs():
    scene = Scene(play={0: ["Gentle Jailer"], 1: ["~Masked Usurper"]})
    scene.use(0, "Gentle Jailer", "Masked Usurper").answer(1, as_trigger_targets="Gentle Jailer")
    assert (scene.card("Gentle Jailer").ctrl, scene.pose("Gentle Jailer")) == (1, "expended")
    assert scene.s.table.cards[scene.s.table.zones["line"].cards[0]].ctrl == 0
    scene.all_pass()
    assert scene.hand(1) == ["Masked Usurper"]
    assert scene.field(1) == ["Gentle Jailer"]


@rule("epic", "EP-16.13")
def test_a_face_down_champion_has_no_abilities_and_cannot_hunt():
    scene = Scene("battle", play={0: ["~Crypt Hunter", "~Guildhall Fixer"], 1: ["Naturalist"]})
    assert not scene.can_use(0, "Guildhall Fixer")
    assert "unveil:Crypt Hunter" in scene.options(0)
    scene.pass_while_asked()
    assert scene.options(0, "attack_or_end") == ["end", "attack:s1"]


@rule("epic", "EP-16.13")
def test_who_gains_control_of_a_veiled_champion_sees_it():
    scene = Scene(hands={0: ["Naturalist"]}, play={1: ["~Timewalker"]})
    scene.change(lambda t: scene.put(t, 0, "Throne of Ten Thousand"))
    scene.play(0, "Naturalist").all_pass()
    card = scene.card("Timewalker")
    assert (card.ctrl, card.down, card.known) == (0, True, 0b11), "the former controller keeps the knowledge"


@rule("epic", "SC-67", "EP-19.3", "EP-19.5", "RU-57", "EP-2.2")
def test_elimination_at_a_table_of_three():
    scene = Scene(
        seats=3, hands={0: ["Scatter the Host"], 1: ["Bolt from the Blue"]}, mojo=[30, 2, 30],
        play={0: ["~Masked Usurper", "Gentle Jailer"], 1: [FILLER, "~Masked Usurper", "Zombie"], 2: ["Naturalist"]},
    )  # fmt: skip
    scene.s.answer(0, priority=f"unveil:{scene.card('Masked Usurper', 0).id}")
    scene.answer(0, as_trigger_targets=scene.card(FILLER, 1).id)
    scene.passes(0).s.answer(1, priority=f"unveil:{scene.card('Masked Usurper', 1).id}")
    scene.answer(1, as_trigger_targets="Gentle Jailer")
    assert scene.field(0) == ["Masked Usurper", FILLER]
    assert scene.field(1) == ["Gentle Jailer", "Masked Usurper", "Zombie"]
    scene.play(1, "Bolt from the Blue", "s2").passes(1, 2)
    scene.play(0, "Scatter the Host", ["s1"]).passes(0, 1, 2)
    assert scene.s.table.seats[1].out == "mojo"
    assert (scene.field(0), scene.field(2)) == (["Masked Usurper", "Gentle Jailer"], ["Naturalist"])
    assert sorted(scene.names("removed")) == ["Bolt from the Blue", "Iron Crusher", "Masked Usurper"]
    assert (scene.line, scene.waits_for) == ([], {0: "priority"})
    scene.passes(0)
    assert scene.waits_for == {2: "priority"}
    assert scene.var("eliminated") == [[1]]


@rule("epic", "EP-19.4", "RU-58", "EP-19.5")
def test_the_active_player_is_eliminated():
    """What is left on the line resolves with the next player standing in; then the turn goes to its cleanup."""
    scene = Scene(seats=3, hands={1: ["Bolt from the Blue", "Second Wind", "Naturalist"]}, mojo=[2, 30, 30])
    scene.passes(0).play(1, "Second Wind").play(1, "Bolt from the Blue", "s0").passes(1, 2, 0)
    assert scene.s.table.seats[0].out == "mojo"
    assert (scene.line, scene.waits_for) == (["Second Wind"], {1: "priority"})
    assert not scene.can_play(1, "Naturalist"), "nobody may play build things in another's turn"
    scene.passes(1, 2)
    assert scene.mojo[1:] == [35, 30]
    assert (scene.var("turn")[1], scene.var("step")) == (1, "pre_battle")


@rule("epic", "EP-2.1", "RU-05", "EP-2.3", "RU-40")
def test_conceding_at_any_time():
    scene = Scene(seats=3, play={1: [FILLER]})
    scene.s.concede(1)
    assert (scene.names("removed"), scene.waits_for) == ([FILLER], {0: "priority"})
    scene.s.concede(2)
    assert scene.outcome == ("win", [0])


@rule("epic", "SC-68", "EP-3.3", "EP-15.6")
def test_what_a_spectator_sees():
    scene = Scene(hands={0: ["Naturalist"] * 4}, foreign=[(0, "Grim Bargain", 1)], play={0: ["~Timewalker"]})
    scene.change(lambda t: t.make(["EP001"] * 15, 0, "sideboard:0"))
    zones = scene.s.view(None)["zones"]
    assert zones["hand:0"]["count"] == 5
    assert [card["key"] for card in zones["hand:0"]["cards"]] == ["EP075"]
    [veiled] = zones["play"]["cards"]
    assert (veiled.get("key"), veiled["down"]) == (None, True)
    assert scene.s.view(None)["shown"] == {"values": {}}
    assert [value["offense"] for value in scene.s.view(0)["shown"]["values"].values()] == [3], "its controller knows it"
    assert "cards" not in zones["deck:0"]
    assert "cards" not in zones["sideboard:0"]
    assert scene.card("Timewalker").known != PUBLIC
