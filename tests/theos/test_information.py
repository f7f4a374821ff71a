"""TS-62 and section 3: who may know what, and what the record must hold."""

import pytest

from games.kernel import decide, to_dict
from games.kernel.playout import random_game
from games.kernel.rulebook import rulebook
from games.rulebooks.theos.board import DECK, HAND, SLOT
from tests.rules import rule
from tests.theos.scene import scene

HIDDEN = [zone[seat] for zone in (DECK, HAND) for seat in range(4)]


def of_others(view, own):
    """What a viewer sees of the hidden zones and open questions of everybody else but `own`."""
    zones = {name: zone for name, zone in view["zones"].items() if name[-1] not in map(str, own)}
    return zones, [ask for ask in view["open"] if ask["seat"] not in own]


@rule("theos", "TS-62", "TH-16.2", "TR-19")
def test_teammates_know_no_more_than_opponents():
    table = scene("A: P4(1); C: G3(2)", seats=4, teams="AB CD", hands=dict.fromkeys("ABCD", "Blank Blank"))
    table.answer("A", play_card="BLANK")
    ally, enemy, public = table.s.view(1), table.s.view(2), table.s.view(None)

    for zone in (DECK[0], HAND[0], SLOT[0]):
        assert ally["zones"][zone] == enemy["zones"][zone] == public["zones"][zone]
    assert of_others(ally, {1, 2}) == of_others(enemy, {1, 2}) == of_others(public, {1, 2})
    for name in HIDDEN:
        owner = int(name[-1])
        seen = [seat for seat in range(4) if "cards" in table.s.view(seat)["zones"][name]]
        assert seen == [owner]
        assert public["zones"][name] == {"count": len(table.s.keys(name))}


@rule("theos", "TS-62", "TH-15.8")
def test_only_the_active_player_sees_the_options_of_a_swap():
    table = scene("A: P4 D7; C: G6(2)", seats=4, teams="AB CD", active="gaia hades", decks={"A": "P12 D9"})
    table.play(A="G15").choose(use_may="use").target("P4")
    decision = table.s.asked(0, "choose_swap_card").id
    for viewer in (0, 1, 2, None):
        (ask,) = table.s.view(viewer)["open"]
        assert ask["id"] == decision  # that it is pending is public
        assert ("shape" in ask) == (viewer == 0)
    table.choose(choose_swap_card="P12")

    for viewer in (1, 2, None):
        assert [e["args"]["enters"] for e in table.s.seen(viewer) if e["e"] == "say" and e["what"] == "swap"] == ["P12"]
        assert "D9" not in str(table.s.seen(viewer))


@rule("theos", "TR-27", "TH-17.2")
def test_secret_choices_are_asked_even_with_one_option_and_public_ones_are_recorded_as_forced():
    table = scene(hands={"A": "P9", "B": "D9"})
    assert table.waits_for == {"A": "play_card", "B": "play_card"}

    table = scene("B: D4(3)", active="gaia hades").play(A="G11")
    (forced,) = [effect for effect in table.s.told if effect.get("forced") and effect["kind"] == "choose_target"]
    assert (forced["seat"], forced["value"]) == (0, [table.s.card("D4").id])


@rule("theos", "TR-30", "TH-16.2")
def test_there_is_no_command_to_show_hidden_cards():
    table = scene("A: P4(1)", seats=4, teams="AB CD", hands=dict.fromkeys("ABCD", "Blank"))
    assert [table.s.view(seat)["may"] for seat in range(4)] == [[], [], [], []]


@rule("theos", "TH-17.1", "TH-17.2", "TH-17.3")
@pytest.mark.parametrize("setup", rulebook("theos").sample_setups(), ids=lambda setup: setup.name)
def test_every_change_is_recorded_with_its_cause(setup):
    """Followers, poses and Symbols never change without a `say` of the same event that explains them."""
    explains = {
        "followers": {"add", "remove", "steal", "migrate", "destroyed", "swap", "cleanup"},
        "blanks": {"cleanup", "turn", "swap"},
        "pose": {"destroyed", "raised", "rejected"},
        "symbols": {"active", "starting sides"},
        "end": {"win check"},
        "slot": {"turn"},
    }
    for event in random_game(rulebook("theos"), setup, seed=3):
        forms = [to_dict(effect) for effect in event.effects]
        said = {form["what"] for form in forms if form["e"] == "say"}
        for form in forms:
            kind = form["e"]
            if kind == "set" and form["name"].startswith("symbols"):
                kind = "symbols"
            elif kind == "move" and form["to"].startswith("slot"):
                kind = "slot"
            elif kind == "count":
                kind = form["name"]
            assert kind not in explains or said & explains[kind], (form, said)
            if kind == "ask":
                assert {"kind", "seat", "chooser", "shape"} <= set(form)  # who, and what was offered
        for form in forms:
            if form["e"] == "say" and "ability" in form["args"]:
                assert form["args"].get("by") or form["what"] in ("may", "triggers", "empowered"), form


@rule("theos", "TH-17.1")
def test_random_results_are_facts_not_something_to_compute_again():
    """Folding needs no key: the results are in the record."""
    game = random_game(rulebook("theos"), rulebook("theos").sample_setups()[4], seed=1)
    first = next(game)
    draws = [to_dict(effect) for effect in first.effects if to_dict(effect)["e"] == "draw"]
    assert [draw["label"] for draw in draws][:2] == ["opposing pairs", "decks"]
    assert all("result" in draw for draw in draws)


@rule("theos", "TR-28")
def test_a_commitment_may_be_replaced_until_the_last_one_arrives():
    table = scene("A: P4 D5; B: G3 H2", seats=4, teams="AB CD", end=True)
    table.answer("A", cleanup=["P4"])
    (asked,) = [ask for ask in table.s.table.open.values() if ask.chooser == 0]
    again = {"do": "answer", "seat": 0, "decision": asked.id, "path": [[table.s.card("D5").id]]}
    table.s.do(again)
    table.answer("B", cleanup=[])
    assert table.row("A") == "D5"

    with pytest.raises(Exception, match="not open"):
        decide(table.s.table, again)
