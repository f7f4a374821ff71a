"""Set-up, the turn and its timing: SC-01 to SC-10 (EP-1, EP-4, EP-5, EP-8)."""

from games.kernel.testing import given
from games.kernel.views import redact_all
from tests.rules import rule

from .scene import FILLER, Scene


def new_game(first=0, seats=2, **options):
    return given("epic", seats, options={"first": first, **options})


@rule("epic", "SC-01", "EP-1.2", "EP-1.4", "EP-1.5", "EP-3.13", "RU-70")
def test_a_mulligan_costs_mojo_and_its_cards_go_to_the_bottom():
    game = new_game()
    hand = list(game.table.zones["hand:0"].cards)
    gone = sorted(game.table.cards[card].key for card in hand[:2])
    game.answer(0, mulligan=hand[:2])
    assert [game.n(0, "mojo"), game.n(1, "mojo")] == [28, 30]
    assert len(game.keys("hand:0")) == 5
    assert sorted(game.keys("deck:0")[-2:]) == gone
    seen = redact_all(game.last, 1)
    moves = [effect for effect in seen if effect["e"] == "move"]
    assert [effect["n"] for effect in moves] == [2, 2]
    assert not any(field in effect for effect in moves for field in ("cards", "keys", "new"))
    assert {"e": "say", "what": "mulligan", "args": {"seat": 0, "n": 2}} in seen
    assert not any("value" in effect for effect in seen if effect["e"] == "answer")
    game.answer(1, mulligan=[])
    assert game.n(1, "mojo") == 30
    assert game.waits_for == {0: "priority"}


@rule("epic", "EP-1.5", "EP-0.6")
def test_the_bottom_cards_of_a_mulligan_are_shuffled_by_a_recorded_draw():
    game = new_game()
    game.answer(0, mulligan=list(game.table.zones["hand:0"].cards)[:3])
    [draw] = [effect for effect in game.last if effect["e"] == "draw"]
    assert (draw["how"], len(draw["input"]), draw["only"]["result"]) == ("shuffle", 3, 0)


@rule("epic", "EP-1.3", "EP-0.6")
def test_the_first_player_is_drawn_in_public():
    firsts = set()
    for seed in range(6):
        game = given("epic", 3, key=bytes([seed]) * 32)
        [draw] = [effect for effect in game.told if effect.get("label") == "first player"]
        assert "only" not in draw
        assert game.waits_for == {draw["result"]: "mulligan"}
        firsts.add(draw["result"])
    assert len(firsts) > 1


@rule("epic", "SC-02", "EP-8.1", "EP-8.2", "EP-1.6", "EP-1.1")
def test_the_first_turn_starts_in_the_build_step():
    game = new_game(first=1, seats=2)
    game.answer(1, mulligan=[]).answer(0, mulligan=[])
    assert (game.table.vars["turn"], game.table.vars["step"]) == ([1, 1], "build")
    assert len(game.keys("hand:1")) == 5
    assert [game.n(seat, "actions") for seat in (0, 1)] == [1, 1]
    for _ in range(2):
        game.answer(1, priority="pass").answer(0, priority="pass")
    assert (game.table.vars["turn"], game.table.vars["step"]) == ([2, 0], "pre_battle")
    assert len(game.keys("hand:0")) == 6
    assert game.waits_for == {0: "priority"}


@rule("epic", "SC-03", "EP-4.1", "EP-4.2", "EP-4.4", "EP-8.12")
def test_everybody_has_exactly_one_action_in_every_turn():
    scene = Scene(hands={0: [FILLER, "Grim Bargain"], 1: ["Naturalist"]}, play={1: [FILLER]})
    scene.play(0, FILLER)
    assert scene.actions == [0, 1]
    assert not scene.can_play(0, "Grim Bargain")
    scene.all_pass().to("pre_battle", turn=1)
    assert scene.actions == [1, 1]
    scene.passes(1)
    assert scene.can_play(0, "Grim Bargain")


@rule("epic", "SC-04", "EP-5.1", "EP-5.2", "EP-5.3", "EP-5.6", "EP-5.7", "EP-8.5", "EP-8.6", "EP-8.7", "EP-8.8")
def test_speeds_say_when_a_card_may_be_played():
    cards = ["Pitborn Brute", "Bolt from the Blue", "Hired Muscle", "Walk it Off"]
    scene = Scene("pre_battle", hands={0: cards, 1: cards}, play={0: ["Bramble Shaman"]})

    def playable(seat=0):
        return [name for name in cards if scene.can_play(seat, name)]

    fast = ["Bolt from the Blue", "Walk it Off"]
    assert playable() == ["Pitborn Brute", *fast]
    assert not scene.can_use(0, "Bramble Shaman"), "its ability has build speed"
    scene.passes(0)
    assert playable(1) == fast
    scene.passes(1)
    assert scene.var("step") == "battle"
    assert playable() == fast
    scene.to("build")
    assert playable() == cards
    assert scene.can_use(0, "Bramble Shaman")
    scene.play(0, "Bolt from the Blue", "s1")
    assert playable() == ["Walk it Off"]
    assert not scene.can_use(0, "Bramble Shaman")
    scene.passes(0)
    assert playable(1) == fast
    scene.all_pass().to("end")
    assert playable() == ["Walk it Off"]


@rule("epic", "SC-05", "EP-7.5", "EP-7.11", "EP-7.2", "EP-13.2")
def test_a_step_ends_with_a_full_round_of_passes():
    scene = Scene("end", hands={1: ["Bolt from the Blue"]})
    scene.passes(0).play(1, "Bolt from the Blue", "s0").passes(1, 0)
    assert scene.mojo == [28, 30]
    assert scene.hand(1) == [FILLER]
    assert (scene.var("step"), scene.waits_for) == ("end", {0: "priority"})
    scene.passes(0)
    assert scene.var("step") == "end"
    scene.passes(1)
    assert (scene.var("step"), scene.var("turn")[1]) == ("pre_battle", 1)


@rule("epic", "SC-06", "EP-8.9", "EP-8.10", "EP-3.5", "EP-13.3", "EP-13.4", "RU-19")
def test_the_cleanup_in_its_order():
    scene = Scene(
        "end", hands={0: ["Naturalist"] * 12, 1: ["Walk it Off", *["Naturalist"] * 12]},
        play={0: ["/Iron Crusher"], 1: ["%Gentle Jailer"]},
    )  # fmt: skip
    scene.passes(0).play(1, "Walk it Off").all_pass()
    scene.change(lambda t: t.count(scene.card("Gentle Jailer").id, "damage", 7))
    assert scene.stats("Gentle Jailer") == (2, 10)
    scene.all_pass()
    assert scene.waits_for == {0: "hand_limit_discard"}
    scene.answer(0, hand_limit_discard=["Naturalist", "Naturalist"])
    assert len(scene.hand(0)) == 10
    assert len(scene.hand(1)) == 14, "12 Naturalists, one drawn by Walk it Off, one in the Prepare Step"
    assert (scene.pose("Gentle Jailer"), scene.damage("Gentle Jailer")) == ("prepared", 0)
    assert scene.stats("Gentle Jailer") == (2, 6)
    assert scene.pose("Iron Crusher") == "expended"
    scene.to("pre_battle", turn=0)
    assert scene.pose("Iron Crusher") == "prepared"


@rule("epic", "SC-07", "EP-3.5", "EP-8.3", "EP-8.9", "RU-08")
def test_snowblind_keeps_a_flipped_champion_down_for_two_turns():
    scene = Scene(hands={0: ["Snowblind"]}, play={1: ["%Chapel Gargoyle"]})
    scene.play(0, "Snowblind", "Chapel Gargoyle").all_pass()
    assert (scene.pose("Chapel Gargoyle"), scene.damage("Chapel Gargoyle")) == ("expended", 1)
    scene.to("pre_battle", turn=1)
    assert scene.pose("Chapel Gargoyle") == "expended"
    scene.to("pre_battle", turn=0).to("pre_battle", turn=1)
    assert scene.pose("Chapel Gargoyle") == "prepared"


@rule("epic", "SC-08", "EP-5.5", "EP-8.3", "EP-8.4", "EP-10.4", "EP-10.14", "RU-18", "EP-14.4")
def test_triggers_of_the_prepare_step_wait_for_the_next_window():
    scene = Scene("prepare", play={0: ["Bellringer of Dawn"], 1: ["Tithe Collector"]})
    assert scene.line == ["Tithe Collector", "Bellringer of Dawn"]
    assert (scene.var("step"), scene.waits_for) == ("pre_battle", {0: "priority"})
    scene.all_pass().answer(0, use_trigger="yes")
    assert scene.field(0) == ["Bellringer of Dawn", "Human"]
    assert scene.mojo == [30, 30]
    scene.all_pass()
    assert scene.mojo == [29, 30]


@rule("epic", "SC-09", "EP-8.11", "RU-20")
def test_no_more_than_two_turns_in_a_row():
    scene = Scene(hands={0: ["Seize the Day", "Seize the Day"]})
    scene.play(0, "Seize the Day").all_pass()
    scene.to("pre_battle")
    assert scene.var("turn") == [6, 0]
    scene.to("build").play(0, "Seize the Day").all_pass()
    assert scene.discard(0) == ["Seize the Day", "Seize the Day"]
    scene.to("pre_battle")
    assert scene.var("turn") == [7, 1]


@rule("epic", "EP-8.11", "RU-20")
def test_an_extra_turn_before_the_own_normal_one_counts_both():
    """P2's turn: the extra turn comes directly after it, then P1's normal one; a second would make three in a row."""
    scene = Scene(turn=1, hands={0: ["Seize the Day", "Seize the Day"]}, actions=2)
    scene.passes(1).play(0, "Seize the Day").all_pass()
    scene.passes(1).play(0, "Seize the Day").all_pass()
    assert scene.var("extra") == [0]
    assert scene.s.said("no_extra_turn") == [{"seat": 0}]
    turns = []
    for _ in range(3):
        number = scene.var("turn")[0]
        while scene.var("turn")[0] == number:
            scene.idle()
        turns.append(scene.var("turn")[1])
    assert turns == [0, 0, 1]


@rule("epic", "SC-10", "EP-4.3", "RU-10")
def test_a_limited_action_is_for_evil_things_only_and_used_first():
    scene = Scene(hands={0: ["I Own the Night", "Gravemire Ogre", FILLER]})
    scene.play(0, "I Own the Night").all_pass()
    assert scene.actions == [0, 1]
    assert scene.can_play(0, "Gravemire Ogre")
    assert not scene.can_play(0, FILLER)
    assert scene.s.table.seats[0].marks["limited"] == [{"alignment": ["evil"]}]
    scene.to("pre_battle")
    assert "limited" not in scene.s.table.seats[0].marks


@rule("epic", "EP-4.3", "RU-10")
def test_of_two_fitting_actions_the_limited_one_is_spent():
    scene = Scene(hands={0: ["I Own the Night", "Gravemire Ogre"]}, actions=2)
    scene.play(0, "I Own the Night").all_pass().play(0, "Gravemire Ogre")
    assert scene.actions == [1, 2]
    assert "limited" not in scene.s.table.seats[0].marks


@rule("epic", "EP-8.9", "RU-19")
def test_triggers_of_the_cleanup_open_another_end_step():
    """A champion that lived on a bonus breaks as the bonus ends: that is seen, and answered, in one more window."""
    scene = Scene("end", play={0: ["Tollhouse of Souls"], 1: ["Hired Muscle"]}, hands={1: ["Walk it Off"]})
    scene.passes(0).play(1, "Walk it Off").all_pass()

    def weaken(t):
        mods = [{"add": "defense", "n": -6}]
        lasting = {"class": "get", "mods": mods, "until": "game", "at": 1}
        card = scene.card("Hired Muscle")
        t.mark(card.id, "mods", [*card.marks["mods"], lasting])

    scene.change(weaken)
    assert scene.stats("Hired Muscle") == (4, 2)
    scene.all_pass()
    assert (scene.line, scene.var("step"), scene.waits_for) == (["Tollhouse of Souls"], "end", {0: "priority"})
    scene.all_pass().answer(0, use_trigger="yes").all_pass()
    assert (scene.mojo, scene.var("turn")[1], scene.var("step")) == ([33, 30], 1, "pre_battle")
