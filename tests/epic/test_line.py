"""Priority, the line, plays and targets: SC-11 to SC-22 (EP-6, EP-7, EP-12)."""

from games.kernel import part_view, preview
from games.kernel.stops import auto_answer
from games.rulebooks.epic.filters import is_unstoppable
from tests.rules import rule

from .scene import FILLER, Scene


@rule("epic", "SC-11", "EP-7.1", "EP-7.6", "EP-7.12", "EP-13.4", "EP-12.1")
def test_last_in_first_out():
    scene = Scene(hands={0: ["Sevenfold Spear"], 1: ["Walk it Off"]}, play={1: ["Gentle Jailer"]})
    scene.play(0, "Sevenfold Spear", "Gentle Jailer").passes(0).play(1, "Walk it Off")
    assert scene.line == ["Sevenfold Spear", "Walk it Off"]
    scene.passes(1, 0)
    assert scene.line == ["Sevenfold Spear"]
    assert scene.stats("Gentle Jailer") == (2, 10)
    assert scene.hand(1) == [FILLER]
    assert scene.waits_for == {0: "priority"}
    scene.passes(0, 1)
    assert scene.damage("Gentle Jailer") == 7
    scene.to("pre_battle", turn=1)
    assert (scene.stats("Gentle Jailer"), scene.damage("Gentle Jailer")) == ((2, 6), 0)


@rule("epic", "SC-12", "EP-7.3", "EP-7.4", "EP-7.7", "EP-7.8")
def test_holding_priority_with_an_instantaneous_play():
    scene = Scene(hands={0: ["Bolt from the Blue", "Thrust"]}, play={0: ["Hired Muscle"]})
    scene.play(0, "Bolt from the Blue", "s1")
    assert scene.waits_for == {0: "priority"}
    scene.play(0, "Thrust", "Hired Muscle")
    assert scene.line == ["Bolt from the Blue"]
    assert scene.stats("Hired Muscle") == (9, 4)
    assert scene.waits_for == {0: "priority"}
    scene.passes(0)
    assert scene.waits_for == {1: "priority"}


@rule("epic", "SC-13", "EP-7.7", "EP-7.9", "EP-7.10", "EP-6.6", "RU-15", "RU-16", "RU-17")
def test_an_instantaneous_stop_by_the_other_player():
    scene = Scene(hands={0: ["Grim Bargain", "Naturalist"], 1: ["Silence the Choir", "Naturalist"]}, play={1: [FILLER]})
    scene.play(0, "Grim Bargain", FILLER).passes(0).play(1, "Silence the Choir", "Grim Bargain")
    assert scene.discard(0) == ["Grim Bargain"]
    assert scene.discard(1) == ["Silence the Choir"]
    assert scene.actions == [0, 0]
    assert (scene.line, scene.waits_for) == ([], {1: "priority"})
    scene.passes(1)
    assert (scene.var("step"), scene.waits_for) == ("build", {0: "priority"})
    scene.passes(0)
    assert (scene.var("step"), scene.waits_for) == ("build", {1: "priority"})
    scene.passes(1)
    assert scene.var("step") == "end"


@rule("epic", "SC-14", "EP-7.7", "EP-0.5", "RU-02")
def test_when_you_play_waits_for_the_instantaneous_card():
    scene = Scene(hands={0: ["Rescue"]}, play={0: ["Lanternbearer"]})
    scene.play(0, "Rescue")
    assert scene.waits_for == {0: "may_do"}, "in the middle of Rescue's resolution"
    assert scene.line == ["Rescue"]
    scene.answer(0, may_do="no")
    assert scene.discard(0) == ["Rescue"]
    assert (scene.line, scene.waits_for) == (["Lanternbearer"], {0: "priority"})
    scene.all_pass().answer(0, use_trigger="yes")
    assert scene.mojo == [33, 30]


@rule("epic", "SC-15", "EP-10.4", "EP-0.5", "EP-0.2", "EP-10.3")
def test_the_active_player_s_triggers_are_added_first():
    scene = Scene(
        hands={0: ["Night Without Stars"]}, play={0: ["Tollhouse of Souls"], 1: ["Tollhouse of Souls", "Hired Muscle"]}
    )
    scene.play(0, "Night Without Stars").all_pass()
    assert [scene.s.table.cards[item].ctrl for item in scene.s.table.zones["line"].cards] == [0, 1]
    scene.all_pass()
    assert scene.waits_for == {1: "use_trigger"}
    scene.answer(1, use_trigger="yes").all_pass().answer(0, use_trigger="no")
    assert scene.mojo == [30, 33]


@rule("epic", "SC-15", "EP-10.4")
def test_each_player_orders_the_own_triggers():
    scene = Scene(
        hands={0: ["Night Without Stars"]},
        play={0: ["Tollhouse of Souls", "Pontiff of Rot"], 1: ["Hired Muscle"]},
    )  # fmt: skip
    scene.play(0, "Night Without Stars").all_pass()
    assert scene.waits_for == {0: "order_triggers"}
    pontiff, tollhouse = "EP061:1", "EP118:0"
    chosen = [f"{pontiff}#1", f"{tollhouse}#1", f"{pontiff}#2", f"{tollhouse}#2"]
    assert sorted(scene.options(0, "order_triggers")) == sorted(chosen), "two champions were broken"
    scene.answer(0, order_triggers=chosen)
    assert scene.line == ["Pontiff of Rot", "Tollhouse of Souls"] * 2
    assert scene.waits_for == {0: "priority"}


@rule("epic", "SC-15", "EP-10.4")
def test_two_tollhouses_of_one_player_are_ordered_too():
    scene = Scene(hands={0: ["Grim Bargain"]}, play={0: ["Tollhouse of Souls"] * 2, 1: ["Hired Muscle"]})
    scene.play(0, "Grim Bargain").all_pass()
    assert scene.waits_for == {0: "order_triggers"}
    first, second = (card.id for card in scene.t.cards("play"))
    scene.answer(0, order_triggers=["EP118:0#2", "EP118:0#1"])
    items = [scene.s.table.cards[item].marks["play"]["src"] for item in scene.s.table.zones["line"].cards]
    assert items == [second, first]


@rule("epic", "SC-16", "EP-6.3", "EP-16.11", "EP-0.7", "EP-12.2")
def test_without_a_legal_target_an_ability_cannot_be_used():
    play = {0: ["Nightmarket Assassin"], 1: ["Sunlit Duelist"]}
    scene = Scene(play=play, hands={0: ["Vanishing Ranks"]})
    assert scene.can_use(0, "Nightmarket Assassin")
    scene.play(0, "Vanishing Ranks").all_pass()
    assert not scene.can_use(0, "Nightmarket Assassin")
    refused = scene.s.refuses(0, priority=f"use:{scene.card('Nightmarket Assassin').id}:0")
    assert refused.errors[0]["rule"] == "EP-7.3"
    assert scene.pose("Nightmarket Assassin") == "prepared"
    other = Scene(play=play)
    other.use(0, "Nightmarket Assassin")
    assert other.discard(0) == ["Nightmarket Assassin"], "itself was its only legal target"


@rule("epic", "SC-17", "EP-16.10", "EP-12.5", "RU-48")
def test_an_unstoppable_card_is_targeted_in_vain():
    scene = Scene(
        hands={0: ["Word of Summoning"], 1: ["Brush Aside", "Naturalist"]}, play={0: ["Ring of Will"]},
    )  # fmt: skip
    scene.play(0, "Word of Summoning").passes(0).play(1, "Brush Aside", "Word of Summoning")
    assert is_unstoppable(scene.t, scene.s.table.zones["line"].cards[0])
    scene.passes(1, 0)
    scene.answer(1, pick_from_zone="Naturalist")
    assert scene.bottom(1) == ["Naturalist"]
    assert scene.line == ["Word of Summoning"]
    scene.all_pass()
    assert scene.field(0) == ["Ring of Will", "Demon"]


@rule("epic", "SC-18", "EP-6.2", "EP-3.10")
def test_stop_unless_a_card_is_revealed():
    def stage():
        scene = Scene(hands={0: [FILLER, "Clockwork Sentry", "Naturalist"], 1: ["You Lack Faith"]})
        scene.play(0, FILLER, "up").passes(0).play(1, "You Lack Faith", FILLER).passes(1, 0)
        assert scene.hand(1) == [FILLER], "P2 draws first"
        assert scene.waits_for == {0: "may_do"}
        return scene

    scene = stage()
    scene.answer(0, may_do="yes")
    [shown] = [effect for effect in scene.s.seen(None) if effect["e"] == "look"]
    assert shown["keys"] == ["EP099"]
    assert scene.hand(0) == ["Clockwork Sentry", "Naturalist"]
    scene.all_pass()
    assert scene.field(0) == [FILLER]
    scene = stage()
    scene.answer(0, may_do="no")
    assert (scene.line, scene.discard(0)) == ([], [FILLER])


@rule("epic", "EP-6.2", "EP-0.8", "RU-14")
def test_whether_a_reveal_is_possible_is_nobody_else_s_business():
    """The controller is asked even without a fitting card: not being asked would tell everybody."""
    scene = Scene(hands={0: [FILLER, "Naturalist"], 1: ["You Lack Faith"]})
    scene.play(0, FILLER).passes(0).play(1, "You Lack Faith", FILLER).passes(1, 0)
    assert scene.options(0, "may_do") == ["no"]
    [asked] = [effect for effect in scene.s.seen(1) if effect["e"] == "ask" and effect["kind"] == "may_do"]
    assert "shape" not in asked


@rule("epic", "SC-19", "EP-12.5", "EP-12.3", "RU-38")
def test_one_of_two_targets_is_illegal():
    scene = Scene(hands={0: ["Twin Ruin"], 1: ["Vanishing Ranks"]}, play={1: [FILLER, "Grave Bell"]})
    scene.play(0, "Twin Ruin", FILLER, "Grave Bell").passes(0).play(1, "Vanishing Ranks").passes(1, 0)
    scene.passes(0, 1)
    assert scene.field(1) == [FILLER]
    assert scene.discard(1) == ["Vanishing Ranks", "Grave Bell"]


@rule("epic", "SC-20", "EP-12.4")
def test_all_targets_illegal_nothing_happens():
    scene = Scene(hands={0: ["Grim Bargain"], 1: ["Vanishing Ranks"]}, play={1: [FILLER]})
    scene.play(0, "Grim Bargain", FILLER).passes(0).play(1, "Vanishing Ranks").passes(1, 0).passes(0, 1)
    assert scene.field(1) == [FILLER]
    assert (scene.hand(0), scene.discard(0)) == ([], ["Grim Bargain"])
    assert scene.s.said("fails")


@rule("epic", "SC-21", "EP-12.2", "EP-12.4", "EP-11.2", "EP-16.13")
def test_a_target_that_stops_fitting_its_description():
    scene = Scene(
        hands={0: ["Purge the Wicked"]},
        play={0: ["Temple Exemplar", "~Masked Usurper"], 1: ["Plaguetongue", "Hired Muscle", "~Timewalker"]},
    )  # fmt: skip
    scene.play(0, "Purge the Wicked")
    assert scene.s.table.cards[scene.s.table.zones["line"].cards[0]].marks["play"]["targets"] == {
        "a": [scene.card("Plaguetongue").id]
    }
    scene.unveil(0, "Masked Usurper").answer(0, as_trigger_targets="Plaguetongue")
    assert scene.card("Plaguetongue").ctrl == 0
    assert scene.value("Plaguetongue").alignment == "good"
    assert (scene.line, scene.waits_for) == (["Purge the Wicked"], {0: "priority"})
    scene.all_pass()
    assert "Plaguetongue" in scene.field(0)
    assert scene.discard(0) == ["Purge the Wicked"]


@rule("epic", "SC-22", "EP-6.2", "EP-12.5")
def test_divided_damage_for_an_illegal_target_is_lost():
    scene = Scene(hands={0: ["Scatter the Host"], 1: ["Shelter"]}, play={1: ["Chapel Gargoyle"]})
    scene.play(0, "Scatter the Host", ["Chapel Gargoyle", "s1"], {"Chapel Gargoyle": 3, "s1": 3})
    scene.passes(0).play(1, "Shelter", "1", "Chapel Gargoyle").passes(1, 0)
    scene.passes(0, 1)
    assert scene.mojo == [30, 27]
    assert scene.damage("Chapel Gargoyle") == 0
    assert scene.discard(0) == ["Scatter the Host"]


@rule("epic", "EP-6.1", "EP-0.7", "EP-6.4", "EP-7.1")
def test_a_play_is_one_action_and_its_composing_leaves_no_trace():
    scene = Scene(hands={0: ["Scatter the Host"]}, play={1: ["Chapel Gargoyle"]})
    refused = scene.s.refuses(0, priority=("play:Scatter the Host", ["Chapel Gargoyle", "s1"]))
    assert refused.code == "incomplete"
    half = scene.s.action(0, "priority", ("play:Scatter the Host", ["Chapel Gargoyle", "s1"]))
    missing = preview(scene.s.table, half)
    assert part_view(missing)["about"] == "division"
    wrong = {"Chapel Gargoyle": 5, "s1": 0}
    refused = scene.s.refuses(0, priority=("play:Scatter the Host", ["Chapel Gargoyle", "s1"], wrong))
    assert {error["rule"] for error in refused.errors} == {"EP-6.2"}
    scene.play(0, "Scatter the Host", ["Chapel Gargoyle", "s1"], {"Chapel Gargoyle": 4, "s1": 2})
    shown = [effect for effect in scene.s.seen(1) if effect["e"] == "mark"]
    assert shown[0]["value"]["shares"] == {scene.card("Chapel Gargoyle").id: 4, "s1": 2}, "the line is public"
    answers = [effect for effect in scene.s.seen(1) if effect["e"] == "answer"]
    assert answers
    assert not any("value" in effect for effect in answers)


@rule("epic", "EP-7.3")
def test_the_server_passes_at_once_only_on_public_facts():
    scene = Scene(play={0: ["Guildhall Fixer"], 1: ["/Guildhall Fixer"]}, hands={0: ["Naturalist"]})
    assert auto_answer(scene.s.table, scene.s.asked(0, "priority")) is None
    scene.passes(0)
    ask = scene.s.asked(1, "priority")
    assert ask.bare, "no card in hand, and the Fixer is expended"
    assert auto_answer(scene.s.table, ask).public
    other = Scene(play={1: ["Guildhall Fixer"]})
    other.passes(0)
    assert not other.s.asked(1, "priority").bare, "the Fixer could be used"
    hidden = Scene(hands={1: [FILLER]})
    hidden.passes(0)
    assert not hidden.s.asked(1, "priority").bare, "a hidden hand could hold anything"


@rule("epic", "EP-7.3")
def test_a_standing_pass_is_private_and_an_ordinary_answer():
    scene = Scene(hands={1: [FILLER]})
    scene.s.do({"do": "use", "seat": 1, "option": "stops", "set": {"pass": "idle", "stops": []}})
    assert scene.s.seen(0) == scene.s.seen(None)
    assert not any(effect["e"] == "stops" for effect in scene.s.seen(0))
    scene.passes(0)
    given = auto_answer(scene.s.table, scene.s.asked(1, "priority"))
    assert (given.path, given.public) == ([["pass"]], False)


@rule("epic", "EP-6.5", "EP-6.7", "EP-3.7", "EP-10.7")
def test_playing_is_not_putting_into_play():
    """Lanternbearer sees a good card played, not a good token put into play."""
    scene = Scene(hands={0: ["Recruitment"]}, play={0: ["Lanternbearer"]})
    scene.play(0, "Recruitment")
    assert scene.line == ["Recruitment", "Lanternbearer"]
    scene.all_pass().answer(0, use_trigger="no").all_pass()
    assert scene.line == []
    assert scene.field(0) == ["Lanternbearer", "Human", "Human"]
    assert scene.pose("Human") == "prepared"
    assert scene.discard(0) == ["Recruitment"]


@rule("epic", "EP-12.6", "EP-16.14", "RU-39", "EP-12.7")
def test_a_warded_champion_may_be_targeted_and_is_not_affected():
    scene = Scene(hands={0: ["Sevenfold Spear", "Grim Bargain"]}, play={1: ["Canopy Stalker"]}, actions=2)
    scene.play(0, "Sevenfold Spear", "Canopy Stalker").all_pass()
    assert scene.damage("Canopy Stalker") == 0
    scene.play(0, "Grim Bargain", "Canopy Stalker").all_pass()
    assert scene.field(1) == ["Canopy Stalker"]
    assert scene.hand(0) == [FILLER], "the rest of Grim Bargain happens"


@rule("epic", "EP-10.5", "RU-29")
def test_a_trigger_without_a_legal_target_is_not_added():
    whelp = Scene(hands={0: ["Cinder Whelp"]})
    whelp.play(0, "Cinder Whelp").all_pass()
    assert whelp.waits_for == {0: "trigger_targets"}
    whelp.answer(0, trigger_targets="s1")
    assert whelp.line == ["Cinder Whelp"]
    whelp.all_pass()
    assert whelp.mojo == [30, 28]
