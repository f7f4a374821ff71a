"""Edges the scenarios leave open: costs, instantaneous speeds, what looks under a veil, control that falls back."""

from games.kernel.stops import auto_answer
from games.kernel.testing import given
from tests.rules import rule

from .scene import FILLER, Scene


@rule("epic", "EP-4.5", "EP-4.6", "EP-4.8")
def test_a_cost_is_paid_completely_or_the_play_is_illegal():
    scene = Scene(play={0: ["Stormglass Titan", "/Guildhall Fixer", "%Grave Bell"]}, hands={0: ["Naturalist"]})
    assert not scene.can_use(0, "Stormglass Titan"), "no wild card to discard"
    assert not scene.can_use(0, "Guildhall Fixer"), "expended things pay neither"
    assert not scene.can_use(0, "Grave Bell"), "nor do flipped ones"
    scene.change(lambda t: t.make(["EP031", "EP034"], 0, "hand:0"))
    assert scene.can_use(0, "Stormglass Titan")
    scene.use(0, "Stormglass Titan", "Stormglass Titan", "Thrust")
    assert (scene.pose("Stormglass Titan"), scene.discard(0)) == ("expended", ["Thrust"])
    scene.all_pass()
    assert "Stormglass Titan" in scene.discard(0), "5 deadly damage on itself"


@rule("epic", "EP-5.4", "EP-7.7", "EP-5.1")
def test_instantaneous_is_a_trait_on_top_of_a_speed():
    scene = Scene("pre_battle", hands={0: ["Bellringer of Dawn", "Forget the Past"], 1: ["Forget the Past"]})
    assert not scene.can_play(0, "Bellringer of Dawn"), "build!"
    assert scene.can_play(0, "Forget the Past"), "paced!"
    scene.passes(0)
    assert not scene.can_play(1, "Forget the Past")
    scene.passes(1).to("build").play(0, "Bellringer of Dawn")
    assert (scene.field(0), scene.waits_for) == (["Bellringer of Dawn"], {0: "priority"})


@rule("epic", "EP-16.12", "EP-3.5", "EP-13.7", "EP-15.3")
def test_prepare_expend_flip_break_banish():
    scene = Scene(hands={0: ["Night Rise", "Snowblind"]}, play={0: ["%Naturalist"], 1: [FILLER]})
    scene.play(0, "Night Rise", "Naturalist")
    assert scene.pose("Naturalist") == "prepared", "preparing turns a flipped thing upright too"
    scene.play(0, "Snowblind", FILLER).all_pass()
    assert scene.pose(FILLER) == "expended"
    assert "Night Rise" in scene.names("deck:0"), "banished: to the bottom of its owner's deck"


@rule("epic", "EP-16.13", "RU-50")
def test_what_looks_under_a_veil():
    """Resolving effects that ask for a hidden trait do; what covers every champion, or asks for a token, does not."""
    for event, unveils in (("Walk it Off", False), ("Evil Dead", False), ("Full Moon", True), ("Flash Fire", True)):
        scene = Scene(hands={0: [event]}, play={0: ["~Tunnelling Horror"]})
        scene.play(0, event)
        if scene.line:
            scene.all_pass()
        assert scene.card("Tunnelling Horror").down is not unveils, event
    lord = Scene(play={0: ["~Veilwalker Paladin", "Temple Exemplar"]})
    assert lord.card("Veilwalker Paladin").down, "continuous abilities do not look"
    assert (lord.value("Veilwalker Paladin").alignment, lord.value("Veilwalker Paladin").name) == ("good", "")


@rule("epic", "EP-16.13", "EP-16.9", "RU-51")
def test_what_is_unveiled_as_it_would_be_broken_may_not_break():
    scene = Scene(hands={0: ["Night Without Stars"]}, play={1: ["~Adamant Idol", FILLER]})
    scene.play(0, "Night Without Stars").all_pass()
    assert scene.field(1) == ["Adamant Idol"]
    assert not scene.card("Adamant Idol").down


@rule("epic", "EP-16.13", "RU-64")
def test_face_down_costs_one_action_also_for_a_free_card_and_never_outside_the_build_step():
    scene = Scene("pre_battle", hands={0: ["Chapel Gargoyle"]}, play={0: ["Mask of the Many"]})
    scene.to("build")
    assert scene.targets(0, "play:Chapel Gargoyle") == ["down", "up"]
    scene.play(0, "Chapel Gargoyle", "down")
    assert scene.actions == [0, 1]
    [seen] = [effect for effect in scene.s.seen(1) if effect["e"] == "move"]
    assert seen["down"]
    assert not {"keys", "cards"} & set(seen)


@rule("epic", "EP-16.13")
def test_keywords_given_to_a_veiled_champion_do_not_count_in_battle():
    play = {0: ["~Faceless Envoy", "Wind-Singer", "Alpha of the Long Dark"], 1: ["Hired Muscle"]}
    scene = Scene("battle", play=play)
    assert {"airborne", "hunter"} <= scene.value("Faceless Envoy").keywords
    scene.attack("s1", "Faceless Envoy").passes(0, 1)
    assert scene.options(1, "declare_blockers") == ["Hired Muscle"]
    hunt = Scene("battle", play=play | {0: ["~Faceless Envoy", "/Alpha of the Long Dark"]}).pass_while_asked()
    assert hunt.options(0, "attack_or_end") == ["end", "attack:s1"]


@rule("epic", "EP-2.4", "EP-17.5")
def test_nobody_wins_by_an_empty_deck_before_there_are_decks():
    game = given("epic", 3, options={"format": "draft", "packs": 2})
    game.concede(1)
    assert game.outcome is None
    assert game.waits_for == {0: "draft_pick", 2: "draft_pick"}


@rule("epic", "EP-15.4", "RU-45")
def test_control_falls_back_in_reverse_order():
    scene = Scene(seats=3, turn=1, hands={1: ["Turncoat's Coin"]}, play={0: [FILLER], 2: ["~Masked Usurper"]})
    scene.passes(1).unveil(2, "Masked Usurper").answer(2, as_trigger_targets=FILLER)
    assert scene.card(FILLER).ctrl == 2
    scene.passes(2, 0).play(1, "Turncoat's Coin", FILLER)
    assert scene.card(FILLER).ctrl == 1, "the latest wins"
    scene.to("pre_battle", turn=2)
    assert scene.card(FILLER).ctrl == 2, "then the most recent that is left"


@rule("epic", "RU-40", "EP-12.7", "EP-2.2")
def test_the_rest_goes_on_when_its_controller_is_eliminated():
    scene = Scene(seats=3, hands={0: ["Bolt from the Blue"]}, mojo=[2, 30, 30])
    scene.play(0, "Bolt from the Blue", "s0").all_pass()
    assert (scene.s.table.seats[0].out, scene.names("hand:0")) == ("mojo", [])
    assert scene.var("turn")[1] == 1, "the turn went straight to its cleanup, and on"


@rule("epic", "EP-10.11")
def test_two_ramparts_offer_a_choice_two_gates_do_not():
    scene = Scene(hands={0: ["Bolt from the Blue"]}, play={1: ["Living Rampart", "Living Rampart"]})
    scene.play(0, "Bolt from the Blue", "s1").all_pass()
    assert scene.waits_for == {1: "choose_as_trigger"}
    first, second = (card.id for card in scene.t.cards("play"))
    scene.answer(1, choose_as_trigger=second)
    assert [scene.s.table.cards[card].n.get("damage", 0) for card in (first, second)] == [0, 2]
    gates = Scene(hands={0: ["Second Wind"]}, play={1: ["Ashen Gate", "Ashen Gate"]})
    gates.play(0, "Second Wind").all_pass()
    assert (gates.waits_for, gates.bottom(0)) == ({0: "priority"}, ["Second Wind"])


@rule("epic", "EP-16.14", "EP-10.9")
def test_a_ward_also_keeps_as_triggers_off():
    scene = Scene(hands={0: ["Twin Ruin"]}, play={0: ["Ashen Gate"], 1: ["Dawnwing Sentinel", "Grave Bell"]})
    scene.play(0, "Twin Ruin", "Dawnwing Sentinel", "Grave Bell").all_pass()
    assert scene.discard(1) == ["Dawnwing Sentinel"]
    assert scene.bottom(1) == ["Grave Bell"]


@rule("epic", "EP-3.11", "EP-0.6")
def test_a_random_discard_is_drawn_over_the_whole_hand():
    kept = set()
    for number in range(8):
        mixed = {"hands": {1: ["Naturalist"]}, "foreign": [(1, "Grim Bargain", 0)]}
        scene = Scene("battle", play={0: ["Whisper of Ruin"]}, **mixed)
        scene.s._key = bytes([number]) * 32
        scene.attack("s1").fight().all_pass()
        [draw] = [effect for effect in scene.s.last if effect["e"] == "draw"]
        assert (len(draw["input"]), draw["only"]["result"]) == (2, 0)
        kept |= set(scene.hand(1))
    assert kept == {"Naturalist", "Grim Bargain"}, "face-up cards included"


@rule("epic", "EP-7.3")
def test_standing_passes_stop_where_the_seat_says():
    scene = Scene(hands={1: ["Second Wind"]})
    settings = {"pass": "turn", "stops": []}
    scene.s.do({"do": "use", "seat": 1, "option": "stops", "set": settings})
    scene.passes(0)
    assert auto_answer(scene.s.table, scene.s.asked(1, "priority")).path == [["pass"]], "until the turn changes"
    scene.s.do({"do": "use", "seat": 1, "option": "stops", "set": {"pass": "turn", "stops": ["priority"]}})
    assert auto_answer(scene.s.table, scene.s.asked(1, "priority")) is None
    watchful = {"pass": "turn", "stops": ["priority:line", "priority:end"]}
    scene.s.do({"do": "use", "seat": 1, "option": "stops", "set": watchful})
    assert auto_answer(scene.s.table, scene.s.asked(1, "priority")) is not None, "the Build Step, nothing on the line"
    scene.passes(1, 0)
    assert auto_answer(scene.s.table, scene.s.asked(1, "priority")) is None, "the End Step"
    scene.s.do({"do": "use", "seat": 1, "option": "stops", "set": settings})
    scene.to("pre_battle", turn=1)
    assert auto_answer(scene.s.table, scene.s.asked(1, "priority")) is None, "the turn has changed"
