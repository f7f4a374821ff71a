"""Battle: SC-34 to SC-47, SC-66, SC-72 (EP-9, EP-16)."""

from tests.rules import rule

from .scene import FILLER, Scene


@rule("epic", "SC-34", "EP-16.3", "EP-9.14", "EP-9.17", "EP-9.19", "EP-9.20", "RU-46", "RU-27", "RU-25")
def test_damage_ward_against_a_group():
    group = ["Skyguard Archer", "Mirrorplate Golem", "Hired Muscle"]
    scene = Scene("battle", play={0: group, 1: ["Oathbound Bulwark"]})
    scene.attack("s1", *group).block("Oathbound Bulwark").fight()
    assert scene.damage("Oathbound Bulwark") == 0, "B6: the 3 range damage is prevented"
    assert scene.waits_for == {1: "split_damage"}
    scene.answer(1, split_damage={"Hired Muscle": 2, "Skyguard Archer": 1})
    assert scene.waits_for == {1: "ward_prevention"}
    assert scene.s.asked(1, "ward_prevention").shape.total == 2
    scene.answer(1, ward_prevention={"Mirrorplate Golem": 2})
    assert (scene.damage("Oathbound Bulwark"), scene.field(1)) == (7, ["Oathbound Bulwark"])
    assert (scene.damage("Hired Muscle"), scene.damage("Skyguard Archer")) == (2, 1)


@rule("epic", "SC-35", "EP-16.3")
def test_damage_ward_against_an_event():
    scene = Scene(hands={0: ["Sevenfold Spear"]}, play={1: ["Oathbound Bulwark"]})
    scene.play(0, "Sevenfold Spear", "Oathbound Bulwark").all_pass()
    assert scene.damage("Oathbound Bulwark") == 2


@rule("epic", "SC-36", "EP-16.3", "EP-16.4", "EP-9.7")
def test_choosing_what_the_ward_prevents():
    for prevented, survives in (("Plaguetongue", True), ("Hired Muscle", False)):
        scene = Scene("battle", play={0: ["Plaguetongue", "Hired Muscle"], 1: ["Vault Keeper"]})
        scene.attack("s1", "Plaguetongue", "Hired Muscle").block("Vault Keeper")
        assert scene.pose("Vault Keeper") == "prepared", "it does not flip when it blocks"
        scene.fight().answer(1, split_damage={"Hired Muscle": 1}).answer(1, ward_prevention={prevented: 3})
        assert ("Vault Keeper" in scene.field(1)) is survives
        if survives:
            assert scene.damage("Vault Keeper") == 4


@rule("epic", "SC-37", "EP-9.14", "EP-9.15", "EP-16.6")
def test_range_strikes_first():
    scene = Scene("battle", play={0: ["Pitborn Brute"], 1: ["Skyguard Archer"]})
    scene.attack("s1").block("Skyguard Archer").fight()
    assert scene.discard(0) == ["Pitborn Brute"]
    assert scene.damage("Skyguard Archer") == 0


@rule("epic", "SC-38", "EP-9.9", "EP-9.16", "EP-9.8", "EP-9.4", "EP-16.8", "RU-23")
def test_one_blocker_stops_the_group():
    group = ["Chapel Gargoyle", "Thieving Shade", "Hired Muscle"]
    scene = Scene("battle", play={0: group, 1: ["Guildhall Fixer"]})
    scene.attack("s1", *group).block("Guildhall Fixer")
    assert scene.var("battle")["blocked"]
    assert scene.pose("Guildhall Fixer") == "flipped"
    assert {scene.pose(name) for name in group} == {"expended"}
    scene.fight().answer(1, split_damage={"Hired Muscle": 2})
    assert (scene.mojo, scene.discard(1)) == ([30, 30], ["Guildhall Fixer"])
    for name, blockable in (("Chapel Gargoyle", False), ("Thieving Shade", False), ("Hired Muscle", True)):
        alone = Scene("battle", play={0: [name], 1: ["Guildhall Fixer"]}, hands={1: ["Naturalist"]})
        alone.attack("s1").passes(0, 1)
        assert (alone.waits_for == {1: "declare_blockers"}) is blockable


@rule("epic", "SC-39", "EP-9.7", "EP-9.8", "EP-9.10", "EP-16.1")
def test_who_may_block_airborne_attackers():
    able = ["Razorwing Drake", "Skyguard Archer"]
    scene = Scene("battle", play={0: ["Chapel Gargoyle", "Mercy's Envoy"], 1: ["Guildhall Fixer", *able]})
    scene.attack("s1", "Chapel Gargoyle", "Mercy's Envoy").passes(0, 1)
    assert sorted(scene.options(1, "declare_blockers")) == able
    scene.answer(1, declare_blockers=[]).fight()
    assert scene.mojo == [30, 23]


@rule("epic", "SC-40", "EP-9.18", "EP-16.2", "EP-9.17")
def test_breakthrough_with_several_blockers():
    scene = Scene("battle", play={0: ["Thornback Behemoth"], 1: ["Hired Muscle", "Naturalist"]})
    scene.attack("s1").block("Hired Muscle", "Naturalist").fight()
    assert scene.s.asked(0, "split_damage").shape.total == 8
    scene.answer(0, split_damage={"Hired Muscle": 4, "Naturalist": 4})
    assert scene.mojo == [30, 26]
    assert sorted(scene.discard(1)) == ["Hired Muscle", "Naturalist"]
    assert scene.damage("Thornback Behemoth") == 5


@rule("epic", "SC-41", "EP-9.18", "RU-26")
def test_breakthrough_of_a_group():
    group = ["Thornback Behemoth", "Pitborn Brute", "Hired Muscle"]
    scene = Scene("battle", play={0: group, 1: ["Clockwork Sentry"]})
    scene.attack("s1", *group).block("Clockwork Sentry").fight()
    assert scene.waits_for == {0: "split_breakthrough"}
    assert scene.s.asked(0, "split_breakthrough").shape.total == 8
    scene.answer(0, split_breakthrough={"Thornback Behemoth": 6, "Pitborn Brute": 2})
    scene.answer(1, split_damage={"Hired Muscle": 1, "Thornback Behemoth": 5})
    damage = [effect for effect in scene.s.last if effect["e"] == "count" and effect["name"] == "damage"]
    assert sum(effect["by"] for effect in damage[:3]) == 11
    assert (scene.mojo, scene.discard(1)) == ([30, 22], ["Clockwork Sentry"])


@rule("epic", "SC-42", "EP-9.13", "EP-9.16", "EP-9.18", "RU-65", "RU-24")
def test_blocked_stays_blocked():
    for attacker, mojo in (("Hired Muscle", 30), ("Thornback Behemoth", 18)):
        scene = Scene("battle", hands={0: ["Grim Bargain"]}, play={0: [attacker], 1: ["Naturalist"]})
        scene.attack("s1").block("Naturalist").play(0, "Grim Bargain", "Naturalist").all_pass()
        assert scene.var("battle")["blockers"] == []
        scene.fight()
        assert scene.mojo == [30, mojo]


@rule("epic", "SC-43", "EP-9.5", "EP-9.12", "RU-24", "EP-9.21", "EP-9.1", "EP-9.2", "RU-21")
def test_preparing_an_attacker():
    scene = Scene("battle", hands={0: ["Night Rise"]}, play={0: [FILLER]}, deck=[["Naturalist"] * 20, 20])
    scene.attack("s1").play(0, "Night Rise", FILLER)
    assert scene.pose(FILLER) == "prepared"
    scene.fight()
    assert scene.mojo == [30, 17]
    assert scene.bottom(0) == ["Night Rise"]
    assert (scene.var("battle"), scene.waits_for) == (None, {0: "priority"})
    scene.attack("s1").fight()
    assert scene.mojo == [30, 4]
    scene.passes(0, 1)
    assert scene.var("step") == "build", "with nobody left to attack, the passes of B1 end the step"


@rule("epic", "SC-44", "EP-16.5", "EP-9.8", "RU-47", "EP-12.1")
def test_hunters():
    play = {0: ["Crypt Hunter", "Skyreaver Hawk", "Hired Muscle"],
            1: ["Chapel Gargoyle", "/Clockwork Sentry", "Thieving Shade", "Saint of the Quiet Road"]}  # fmt: skip
    scene = Scene("battle", play=play).pass_while_asked()
    assert scene.options(0, "attack_or_end") == ["end", "attack:s1", "hunt:Chapel Gargoyle", "hunt:Clockwork Sentry"]
    refused = scene.s.refuses(0, attack_or_end=("hunt:Clockwork Sentry", ["Crypt Hunter", "Hired Muscle"]))
    assert refused.errors[0]["rule"] == "EP-9.4"
    scene.attack("Chapel Gargoyle", "Skyreaver Hawk")
    assert scene.pose("Chapel Gargoyle") == "flipped"
    led = Scene("battle", play=play | {0: [*play[0], "Alpha of the Long Dark"]})
    led.attack("Clockwork Sentry", "Crypt Hunter", "Hired Muscle")
    assert (led.pose("Clockwork Sentry"), led.pose("Hired Muscle")) == ("expended", "expended")


@rule("epic", "SC-45", "EP-16.5", "EP-9.16", "EP-16.4")
def test_blocking_for_the_hunted():
    play = {0: ["Crypt Hunter"], 1: ["Guildhall Fixer", FILLER]}
    scene = Scene("battle", play=play)
    scene.attack("Guildhall Fixer")
    assert scene.pose("Guildhall Fixer") == "flipped"
    scene.passes(0, 1)
    assert scene.options(1, "declare_blockers") == [FILLER]
    scene.answer(1, declare_blockers=[FILLER]).fight()
    assert (scene.discard(0), scene.discard(1)) == (["Crypt Hunter"], [FILLER])
    assert scene.damage("Guildhall Fixer") == 0
    scene = Scene("battle", play=play)
    scene.attack("Guildhall Fixer").fight()
    assert (scene.discard(1), scene.damage("Crypt Hunter"), scene.mojo) == (["Guildhall Fixer"], 2, [30, 30])


@rule("epic", "SC-46", "EP-9.6", "EP-16.5", "EP-9.18")
def test_who_may_not_be_attacked_can_be_hunted():
    play = {0: ["Crypt Hunter"], 1: ["Saint of the Quiet Road", "%Guildhall Fixer"]}
    scene = Scene("battle", hands={0: ["Full Moon"]}, play=play)
    scene.passes(0).use(1, "Saint of the Quiet Road").all_pass()
    scene.play(0, "Full Moon").pass_while_asked()
    assert scene.stats("Crypt Hunter") == (6, 5)
    assert scene.options(0, "attack_or_end") == ["end", "hunt:Guildhall Fixer"]
    scene.attack("Guildhall Fixer").fight()
    assert (scene.mojo, scene.discard(1)) == ([30, 28], ["Guildhall Fixer"])


@rule("epic", "SC-47", "EP-16.14", "EP-9.8", "EP-9.9", "EP-16.9")
def test_wards():
    scene = Scene(hands={0: ["Night Without Stars"]}, play={0: ["Dawnwing Sentinel", FILLER, "Adamant Idol"]})
    scene.play(0, "Night Without Stars").all_pass()
    assert scene.field(0) == ["Dawnwing Sentinel", "Adamant Idol"]
    play = {0: ["Dawnwing Sentinel", "Hired Muscle"], 1: ["Herald of the Last Hour"]}
    alone = Scene("battle", play=play)
    alone.attack("s1", "Dawnwing Sentinel").fight()
    assert alone.mojo == [30, 24], "the Herald could not block"
    group = Scene("battle", play=play)
    group.attack("s1", "Dawnwing Sentinel", "Hired Muscle").block("Herald of the Last Hour").fight()
    group.answer(1, split_damage={"Dawnwing Sentinel": 6})
    assert group.damage("Dawnwing Sentinel") == 0
    assert group.mojo == [30, 30]


@rule("epic", "SC-66", "EP-9.4", "EP-9.5", "EP-19.1", "EP-19.2")
def test_three_players_two_attacks():
    scene = Scene("battle", seats=3, play={0: [FILLER, "Hired Muscle"], 1: ["Naturalist"], 2: ["Naturalist"]})
    asked = []
    for _ in range(3):
        asked += list(scene.waits_for)
        scene.passes(*scene.waits_for)
    assert asked == [0, 1, 2]
    scene.attack("s1", FILLER).passes(0, 1, 2)
    assert scene.waits_for == {1: "declare_blockers"}
    scene.answer(1, declare_blockers=[]).fight()
    scene.attack("s2", "Hired Muscle").passes(0, 1, 2)
    assert scene.waits_for == {2: "declare_blockers"}
    scene.answer(2, declare_blockers=[]).fight()
    assert scene.mojo == [30, 17, 26]


@rule("epic", "SC-72", "EP-9.3", "RU-22")
def test_one_attack_is_enough():
    scene = Scene("battle", seats=3, hands={0: ["Night Rise"]}, play={0: ["Berserk Aurochs"]})
    scene.pass_while_asked()
    assert scene.options(0, "attack_or_end") == ["attack:s1", "attack:s2"], "ending the step is not offered"
    scene.attack("s1").passes(0, 1, 2).play(0, "Night Rise", "Berserk Aurochs")
    assert scene.pose("Berserk Aurochs") == "prepared"
    scene.fight().pass_while_asked()
    assert scene.mojo == [30, 20, 30]
    assert scene.options(0, "attack_or_end") == ["end", "attack:s1", "attack:s2"]


@rule("epic", "EP-9.3", "RU-22")
def test_the_only_possible_attack_is_not_asked_for():
    scene = Scene("battle", play={0: ["Berserk Aurochs"]})
    scene.passes(0, 1)
    assert scene.var("battle")["attackers"] == [scene.card("Berserk Aurochs").id]
    assert scene.waits_for == {0: "priority"}


@rule("epic", "EP-9.12", "EP-15.5", "SC-56", "EP-16.13", "EP-10.9")
def test_unveiling_takes_an_attacker_out_of_the_battle():
    scene = Scene("battle", play={0: [FILLER], 1: ["~Masked Usurper", "Naturalist"]})
    scene.attack("s1").passes(0).unveil(1, "Masked Usurper")
    assert scene.waits_for == {1: "as_trigger_targets"}
    scene.answer(1, as_trigger_targets=FILLER)
    assert (scene.card(FILLER).ctrl, scene.line, scene.waits_for) == (1, [], {1: "priority"})
    assert scene.var("battle")["attackers"] == []
    scene.passes(1, 0)
    assert scene.waits_for == {1: "priority"}, "the passes start anew after the unveiling: P1 passed, now P2 once more"
    scene.passes(1)
    assert scene.var("battle") is None
    assert (scene.pose(FILLER), scene.mojo) == ("expended", [30, 30])


@rule("epic", "EP-9.11", "EP-9.8", "EP-16.13", "SC-55")
def test_a_veiled_attacker_is_unveiled_after_the_blocks():
    play = {0: ["~Faceless Envoy"], 1: ["Hired Muscle"]}
    scene = Scene("battle", play=play)
    scene.attack("s1").block("Hired Muscle")
    assert not scene.card("Faceless Envoy").down
    assert scene.var("battle")["blocked"]
    scene.fight()
    assert scene.mojo == [30, 30]
    known = Scene("battle", play=play)
    known.attack("s1").unveil(0, "Faceless Envoy").fight()
    assert known.mojo == [30, 26], "no block was possible"


@rule("epic", "EP-9.14", "EP-10.6", "EP-9.16")
def test_triggers_of_battle_damage_wait_for_the_next_window():
    scene = Scene("battle", play={0: ["Whisper of Ruin", "Duskfang Matriarch"]}, hands={1: ["Naturalist", FILLER]})
    scene.attack("s1", "Whisper of Ruin", "Duskfang Matriarch").fight()
    scene.answer(0, order_triggers=["EP062:0", "EP066:1"])
    assert (scene.line, scene.var("battle")) == (["Whisper of Ruin", "Duskfang Matriarch"], None)
    scene.all_pass(2)
    assert (scene.mojo, len(scene.hand(1))) == ([36, 21], 1)


@rule("epic", "EP-9.22", "RU-57")
def test_the_attack_ends_when_the_defender_is_gone():
    scene = Scene("battle", seats=3, play={0: ["Siege Walker", FILLER]}, mojo=[30, 5, 30])
    scene.attack("s1", "Siege Walker", FILLER).fight()
    assert scene.s.table.seats[1].out == "mojo"
    assert (scene.var("battle"), scene.waits_for, scene.var("step")) == (None, {0: "priority"}, "battle")
