"""As-triggers and continuous abilities: SC-23 to SC-33 (EP-10, EP-11)."""

from games.rulebooks.epic.happen import settle
from tests.rules import rule

from .scene import FILLER, Scene


@rule("epic", "SC-23", "EP-10.9", "EP-10.10", "EP-10.11", "EP-15.6", "EP-13.7", "RU-43")
def test_contradicting_as_triggers_follow_the_active_player():
    play = {0: ["Ashen Gate"], 1: ["Gleaner's Basket", "Hired Muscle"]}
    scene = Scene(hands={0: ["Grim Bargain"]}, play=play)
    scene.play(0, "Grim Bargain", "Hired Muscle").all_pass()
    assert (scene.bottom(1), scene.bottom(0)) == (["Hired Muscle"], ["Grim Bargain"])
    scene = Scene(turn=1, hands={0: ["Grim Bargain"]}, play=play)
    scene.passes(1).play(0, "Grim Bargain", "Hired Muscle").all_pass()
    assert scene.hand(1) == ["Grim Bargain", "Hired Muscle"]
    zone = scene.s.view(None)["zones"]["hand:1"]
    assert [card["key"] for card in zone["cards"]] == ["EP075"], "only the foreign card lies face up"


@rule("epic", "SC-24", "EP-10.11", "EP-10.12", "RU-32")
def test_own_contradicting_as_triggers_are_chosen_for_each_card():
    for choice, hand, bottom in (("Ashen Gate", [], "Second Wind"), ("Gleaner's Basket", ["Second Wind"], FILLER)):
        scene = Scene(hands={1: ["Second Wind"]}, play={0: ["Ashen Gate", "Gleaner's Basket"]})
        scene.passes(0).play(1, "Second Wind").all_pass()
        assert scene.waits_for == {0: "choose_as_trigger"}
        scene.answer(0, choose_as_trigger=choice)
        assert (scene.hand(0), scene.bottom(1)) == (hand, [bottom])
        assert scene.discard(1) == []
        assert scene.waits_for == {0: "priority"}


@rule("epic", "SC-25", "EP-10.11", "EP-19.1")
def test_the_nearest_to_the_left_applies():
    scene = Scene(seats=3, hands={0: ["Second Wind"]}, play={1: ["Gleaner's Basket"], 2: ["Ashen Gate"]})
    scene.play(0, "Second Wind").all_pass()
    assert scene.hand(1) == ["Second Wind"]


@rule("epic", "SC-26", "EP-10.9", "EP-10.3")
def test_as_is_not_when():
    scene = Scene(hands={0: ["Hired Muscle", "Naturalist"]})
    scene.play(0, "Hired Muscle").all_pass()
    assert (scene.line, scene.hand(0)) == ([], [FILLER, "Naturalist"])
    scene.play(0, "Naturalist").all_pass()
    assert (scene.line, scene.hand(0), scene.waits_for) == (["Naturalist"], [FILLER], {0: "priority"})
    scene.all_pass()
    assert scene.hand(0) == [FILLER, FILLER]


@rule("epic", "SC-27", "EP-10.9", "EP-13.6", "EP-16.3", "RU-42")
def test_redirected_damage():
    attackers = ["Siege Walker", "Skyguard Archer", "Hired Muscle", "Mirrorplate Golem"]
    scene = Scene("battle", play={0: attackers[1:], 1: ["Living Rampart", "Bulwark Engine"]})
    scene.change(lambda t: t.count(scene.card("Skyguard Archer").id, "+1/+1", 3))
    scene.attack("s1", *attackers[1:]).block()
    assert scene.stats("Skyguard Archer") == (6, 8)
    scene.fight()
    assert scene.mojo == [30, 30]
    assert scene.discard(1) == ["Living Rampart"]
    assert scene.field(1) == ["Bulwark Engine"]
    scene = Scene("battle", play={0: attackers[1:], 1: ["%Living Rampart", "Bulwark Engine"]})
    scene.change(lambda t: t.count(scene.card("Skyguard Archer").id, "+1/+1", 3))
    scene.attack("s1", *attackers[1:]).fight()
    while scene.waits_for == {1: "ward_prevention"}:
        shape = scene.s.asked(1, "ward_prevention").shape
        scene.answer(1, ward_prevention={shape.options[0]: shape.total}).fight()
    assert scene.mojo == [30, 20]


@rule("epic", "SC-28", "EP-11.1", "EP-11.2", "EP-11.3", "RU-34")
def test_are_before_get():
    scene = Scene(play={0: ["Leveling Stone", "Drums of the Warpath", FILLER], 1: ["Skychain Warden"]})
    assert (scene.stats(FILLER), scene.stats("Skychain Warden")) == ((5, 1), (5, 1))
    scene.change(lambda t: scene.put(t, 0, "Banner of the Dawn"))
    assert (scene.stats(FILLER), scene.stats("Skychain Warden")) == ((7, 3), (5, 1))
    scene.change(lambda t: t.count(scene.card(FILLER).id, "+1/+1", 2))
    assert scene.stats(FILLER) == (9, 5)


@rule("epic", "SC-29", "EP-11.5", "EP-11.7", "EP-11.8", "EP-15.2", "EP-15.4", "RU-36", "EP-3.9")
def test_contradicting_control():
    scene = Scene(hands={0: ["Throne of Ten Thousand"]}, play={0: ["Naturalist"], 1: [FILLER]})
    scene.play(0, "Throne of Ten Thousand").all_pass()
    assert scene.field(0) == ["Naturalist", FILLER, "Throne of Ten Thousand"]
    scene.to("build", turn=1).change(lambda t: t.make("EP078", 1, "hand:1"))
    scene.play(1, "Throne of Ten Thousand").all_pass()
    assert scene.names("removed") == ["Throne of Ten Thousand"] * 2
    assert (scene.field(0), scene.field(1)) == (["Naturalist"], [FILLER])
    assert scene.discard(0) == scene.discard(1) == []
    gives = [effect for effect in scene.s.last if effect["e"] == "give"]
    assert [effect["ctrl"] for effect in gives] == [1], "P2 never controlled P1's champion"


@rule("epic", "EP-11.8", "RU-67")
def test_arrival_abilities_belong_to_who_played_the_champion():
    scene = Scene(hands={0: ["Naturalist"]}, play={1: ["Throne of Ten Thousand"]})
    scene.play(0, "Naturalist").all_pass()
    assert scene.field(1) == ["Throne of Ten Thousand", "Naturalist"]
    assert [scene.s.table.cards[item].ctrl for item in scene.s.table.zones["line"].cards] == [0]
    scene.all_pass()
    assert (len(scene.hand(0)), len(scene.hand(1))) == (1, 0)


@rule("epic", "SC-30", "EP-11.5", "EP-11.6", "EP-14.5", "RU-36")
def test_a_counter_that_contradicts_is_removed():
    scene = Scene(play={0: ["Stonegaze Basilisk", "Leveling Stone"], 1: [FILLER]})
    scene.use(0, "Stonegaze Basilisk", FILLER).all_pass()
    assert scene.names("removed") == ["Leveling Stone"]
    assert scene.stats(FILLER) == (13, 12)
    assert "stone" not in scene.card(FILLER).n
    scene = Scene(play={0: ["Stonegaze Basilisk", "Stonegaze Basilisk"], 1: [FILLER]})
    for _ in range(2):
        scene.use(0, "Stonegaze Basilisk", FILLER).all_pass()
    assert (scene.card(FILLER).n["stone"], scene.stats(FILLER)) == (2, (0, 4))


@rule("epic", "SC-31", "EP-11.5", "EP-11.6")
def test_gain_against_lose():
    scene = Scene(hands={0: ["Skychain Warden"]}, play={1: ["Wind-Singer", "Chapel Gargoyle"]})
    scene.play(0, "Skychain Warden").all_pass()
    assert sorted(scene.names("removed")) == ["Skychain Warden", "Wind-Singer"]
    assert "airborne" in scene.value("Chapel Gargoyle").keywords
    scene = Scene(hands={0: ["Skychain Warden"]}, play={1: ["Chapel Gargoyle"]})
    scene.play(0, "Skychain Warden").all_pass()
    assert scene.names("removed") == []
    assert "airborne" not in scene.value("Chapel Gargoyle").keywords


@rule("epic", "SC-32", "EP-11.2", "EP-11.6", "EP-11.4", "RU-37", "RU-35")
def test_lose_beats_have():
    scene = Scene(
        hands={0: ["Grim Bargain"], 1: ["Vanishing Ranks"]},
        play={0: ["One-Eyed Sidekick"], 1: [FILLER, "Sunlit Duelist"]},
    )  # fmt: skip
    scene.passes(0).play(1, "Vanishing Ranks").all_pass()
    assert all("untargetable" in scene.value(name).keywords for name in (FILLER, "Sunlit Duelist"))
    scene.use(0, "One-Eyed Sidekick", "s1").all_pass()
    assert scene.targets(0, "play:Grim Bargain") == ["Iron Crusher", "One-Eyed Sidekick", "Sunlit Duelist"]
    assert scene.names("removed") == []


@rule("epic", "SC-33", "EP-11.2", "RU-34")
def test_filters_after_setting():
    scene = Scene(play={0: ["Temple Exemplar", "Hired Muscle"]})
    assert scene.value("Hired Muscle").alignment == "good"
    assert (scene.stats("Hired Muscle"), scene.stats("Temple Exemplar")) == ((5, 5), (6, 9))


@rule("epic", "SC-71", "EP-11.4", "RU-66")
def test_who_is_covered_by_every_champion_you_control_until_end_of_turn():
    for name, crusher, muscle in (("Walk it Off", (13, 16), (4, 4)), ("Banner of the Dawn", (15, 14), (6, 6))):
        scene = Scene(hands={0: [name, "Hired Muscle"]}, play={0: [FILLER]})
        scene.play(0, name).all_pass().play(0, "Hired Muscle").all_pass()
        assert (scene.stats(FILLER), scene.stats("Hired Muscle")) == (crusher, muscle)


@rule("epic", "EP-11.4", "RU-35")
def test_of_values_set_by_effects_the_latest_wins():
    """Werewolf becomes 7/7 by its ability; a stone counter put on it later makes it 0/4, and nothing is removed."""
    scene = Scene(hands={0: ["Naturalist"]}, play={0: ["Werewolf", "Stonegaze Basilisk"]})
    scene.use(0, "Werewolf", "Naturalist").all_pass()
    assert scene.stats("Werewolf") == (7, 7)
    scene.use(0, "Stonegaze Basilisk", "Werewolf").all_pass()
    assert scene.stats("Werewolf") == (0, 4)
    assert scene.names("removed") == []


@rule("epic", "EP-10.12", "EP-10.13", "RU-33", "EP-16.7")
def test_an_as_trigger_covers_its_own_source_and_what_cannot_be_banished_stays():
    scene = Scene(hands={0: ["Twin Ruin"]}, play={1: ["Ashen Gate", FILLER]})
    scene.play(0, "Twin Ruin", FILLER, "Ashen Gate").all_pass()
    assert sorted(scene.bottom(1, 2)) == ["Ashen Gate", FILLER]
    assert scene.discard(0) == ["Twin Ruin"], "the Gate was gone when Twin Ruin had resolved"
    scene = Scene(hands={0: ["Grim Bargain"]}, play={1: ["Ashen Gate", "Temple Exemplar"]})
    scene.play(0, "Grim Bargain", "Temple Exemplar").all_pass()
    assert scene.field(1) == ["Ashen Gate", "Temple Exemplar"]


@rule("epic", "EP-10.6", "RU-30", "EP-2.8")
def test_five_cards_drawn_are_five_draws():
    scene = Scene(hands={0: ["Nature's Renewal"]}, play={1: ["Tithe Collector"]}, deck=[6, 20])
    scene.play(0, "Nature's Renewal").all_pass()
    assert scene.line == ["Tithe Collector"] * 5
    scene.all_pass(5)
    assert scene.mojo == [25, 30]


@rule("epic", "EP-10.8", "RU-31", "EP-14.3", "RU-44")
def test_things_that_leave_together_see_each_other_leave():
    scene = Scene(hands={0: ["Night Without Stars"]}, play={0: ["Pontiff of Rot"], 1: [FILLER, "Human"]})
    scene.play(0, "Night Without Stars").all_pass()
    assert scene.line == ["Pontiff of Rot"] * 3
    scene.all_pass(3)
    assert scene.mojo == [30, 27]


@rule("epic", "EP-10.1", "EP-10.2", "RU-28", "EP-4.6", "EP-4.8", "EP-4.9", "RU-12", "RU-13")
def test_an_ability_resolves_without_its_source():
    scene = Scene(play={0: ["Martyr's Squire", FILLER]})
    scene.use(0, "Martyr's Squire", FILLER)
    assert (scene.discard(0), scene.line) == (["Martyr's Squire"], ["Martyr's Squire"])
    scene.all_pass()
    assert "unbreakable" in scene.value(FILLER).keywords
    torturer = Scene(play={0: ["Iron Torturer", "Adamant Idol"]}, hands={1: ["Naturalist", "Naturalist", FILLER]})
    torturer.use(0, "Iron Torturer", "s1")
    assert torturer.discard(0) == ["Iron Torturer"], "expended, then broken for its own cost; the Idol cannot be"
    torturer.all_pass().answer(1, discard_choice=["Naturalist", "Naturalist"])
    assert torturer.hand(1) == [FILLER]


@rule("epic", "EP-16.14", "RU-52")
def test_an_x_ward_covers_continuous_abilities_and_friendly_effects():
    scene = Scene(
        hands={0: ["Full Moon", "Walk it Off"]}, play={0: ["Dawnwing Sentinel", "Canopy Stalker", "Pontiff of Rot"]}
    )
    assert scene.value("Dawnwing Sentinel").alignment == "good", "evil ward against Pontiff of Rot"
    assert scene.value("Canopy Stalker").alignment == "evil"
    scene.play(0, "Walk it Off").all_pass()
    assert (scene.stats("Canopy Stalker"), scene.stats("Dawnwing Sentinel")) == ((5, 6), (6, 11)), "event ward"


@rule("epic", "EP-0.3", "EP-0.4", "EP-0.9", "RU-01", "RU-04", "EP-3.11")
def test_as_much_as_possible_and_a_settle_in_the_middle():
    scene = Scene(hands={0: ["Nature's Renewal"], 1: ["Naturalist"]}, deck=[20, 3])
    scene.play(0, "Nature's Renewal").all_pass()
    assert scene.outcome == ("win", [1]), "P2 drew three of five cards and won at the settle"


@rule("epic", "EP-13.5", "RU-68", "EP-13.1", "SC-48")
def test_negative_offense_is_kept_and_counts_as_nothing():
    scene = Scene("battle", hands={0: ["Ferocious"], 1: ["Withering Glare"]}, play={0: ["Hired Muscle"], 1: []})
    scene.passes(0).play(1, "Withering Glare", "Hired Muscle").all_pass()
    assert scene.stats("Hired Muscle") == (-1, 4)
    scene.attack("s1", "Hired Muscle").fight()
    assert scene.mojo == [30, 30]
    scene.play(0, "Ferocious", "Hired Muscle")
    assert scene.stats("Hired Muscle") == (2, 7)


@rule("epic", "SC-49", "EP-13.4", "EP-10.9", "RU-41", "EP-16.9", "RU-62")
def test_defense_drops_below_the_damage():
    scene = Scene(hands={0: ["Herald of the Last Hour"]}, play={1: ["Gentle Jailer", "Mirrorplate Golem"]})
    scene.change(lambda t: t.count(scene.card("Gentle Jailer").id, "damage", 3))
    scene.change(lambda t: t.count(scene.card("Mirrorplate Golem").id, "damage", 4))
    scene.play(0, "Herald of the Last Hour").all_pass()
    assert scene.discard(1) == ["Gentle Jailer"]
    assert scene.stats("Mirrorplate Golem") == (2, 2)
    assert scene.stats("Herald of the Last Hour") == (6, 6)


@rule("epic", "EP-13.4", "RU-41")
def test_it_breaks_the_moment_it_stops_being_unbreakable():
    scene = Scene("end", play={0: ["Duskfang Matriarch"]})
    scene.change(lambda t: t.count(scene.card("Duskfang Matriarch").id, "damage", 6))
    assert scene.field(0) == ["Duskfang Matriarch"]
    scene.change(lambda t: t.set("turn", [6, 1]))
    scene.change(lambda t: t.push(settle, []))
    assert scene.discard(0) == ["Duskfang Matriarch"]


@rule("epic", "EP-13.8")
def test_who_may_not_gain_mojo_gains_none():
    scene = Scene(hands={0: ["Second Wind"]}, play={0: ["/Hand of Navec"]})
    scene.play(0, "Second Wind").all_pass()
    assert (scene.mojo, scene.hand(0)) == ([30, 30], [FILLER])


@rule("epic", "EP-3.12", "RU-60", "EP-3.3", "EP-3.8", "RU-09")
def test_cards_under_an_object():
    def hide():
        scene = Scene(play={0: ["Seaside Cave", "Naturalist"]}, hands={1: ["Twin Ruin", "Silence the Choir"]})
        scene.change(lambda t: t.count(scene.card("Naturalist").id, "+1/+1", 2))
        scene.use(0, "Seaside Cave", ability=0).all_pass()
        assert (scene.names("under"), scene.field(0)) == (["Naturalist"], ["Seaside Cave"])
        return scene

    scene = hide()
    scene.use(0, "Seaside Cave", ability=1)
    assert (scene.bottom(0), scene.names("under")) == (["Seaside Cave"], ["Naturalist"])
    scene.all_pass()
    assert scene.stats("Naturalist") == (1, 4), "a new thing: its counters are gone"
    assert scene.hand(0) == [FILLER]
    scene = hide()
    scene.use(0, "Seaside Cave", ability=1).passes(0).play(1, "Silence the Choir", "Seaside Cave's ability")
    assert (scene.discard(0), scene.names("under")) == (["Naturalist"], [])
    scene = hide()
    scene.change(lambda t: scene.put(t, 1, "Hired Muscle"))
    scene.passes(0).play(1, "Twin Ruin", "Hired Muscle", "Seaside Cave").all_pass()
    assert sorted(scene.discard(0)) == ["Naturalist", "Seaside Cave"]


@rule("epic", "EP-10.5", "EP-15.8", "EP-4.7", "RU-11", "EP-10.7")
def test_a_trigger_from_the_discard_pile_with_a_price():
    scene = Scene(hands={0: ["Gravemire Ogre"]}, discard={0: ["At Any Price"]})
    scene.play(0, "Gravemire Ogre")
    assert scene.line == ["Gravemire Ogre", "At Any Price"]
    scene.all_pass().answer(0, use_trigger="yes")
    assert (scene.mojo, scene.hand(0), scene.discard(0)) == ([28, 30], ["At Any Price"], [])
    poor = Scene(hands={0: ["Gravemire Ogre"]}, discard={0: ["At Any Price"]}, mojo=[1, 30])
    poor.play(0, "Gravemire Ogre").all_pass()
    assert (poor.waits_for, poor.discard(0)) == ({0: "priority"}, ["At Any Price"])
    last = Scene(hands={0: ["Gravemire Ogre"]}, discard={0: ["At Any Price"]}, mojo=[2, 30])
    last.play(0, "Gravemire Ogre").all_pass().answer(0, use_trigger="yes")
    assert last.outcome == ("win", [1]), "paying down to 0 is allowed and loses"


@rule("epic", "EP-19.6", "RU-59", "EP-6.2")
def test_each_player_may_in_turn_order_openly():
    hands = {seat: ["Naturalist"] * 2 for seat in range(3)}
    scene = Scene(seats=3, hands=hands | {0: ["Rushing In", "Naturalist", "Naturalist"]})
    scene.play(0, "Rushing In").all_pass()
    assert scene.waits_for == {0: "may_do"}
    scene.answer(0, may_do="no")
    assert scene.waits_for == {1: "may_do"}
    scene.answer(1, may_do=("yes", ["Naturalist", "Naturalist"]) if len(scene.hand(1)) > 2 else "yes")
    assert scene.discard(1) == ["Naturalist"] * 2, "a payment is made at once"
    scene.answer(2, may_do="no")
    assert scene.hand(0) == ["Naturalist"] * 2, "somebody did, so nothing is drawn"
    nobody = Scene(hands={0: ["Rushing In"]})
    nobody.play(0, "Rushing In").all_pass()
    assert len(nobody.hand(0)) == 2


@rule("epic", "EP-3.1", "EP-3.2", "EP-3.4", "EP-0.1", "EP-0.8", "RU-03")
def test_what_things_are():
    scene = Scene(play={0: ["Vault Keeper", "Alpha of the Long Dark"]}, foreign=[(0, "Grim Bargain", 1)])
    keeper = scene.value("Vault Keeper")
    assert (keeper.type, keeper.alignment, keeper.origin) == ("champion", "unaligned", "constructed")
    assert (keeper.offense, keeper.defense, keeper.damage_ward) == (1, 9, 3)
    assert keeper.keywords == {"unbanishable", "hunter"}
    scene.play(0, "Grim Bargain", "Vault Keeper").all_pass()
    owners = [card.owner for card in scene.s.table.cards.values() if card.zone == "discard:0"]
    assert sorted(owners) == [0, 1], "one discard pile, its own cards and those of others"
    battle = Scene("battle", play={0: ["Vault Keeper", "Alpha of the Long Dark"]})
    battle.passes(0, 1)
    assert battle.s.asked(0, "attack_or_end").shape.options == ["end", "attack:s1"]
    battle.attack("s1")
    assert battle.pose("Vault Keeper") == "prepared", "what may not attack does not, hunter or not"
