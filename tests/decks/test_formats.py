"""Formats as data, one checker: every violation at once, with its rule."""

from collections import Counter
from random import Random

import pytest

from decks import services
from decks.cards import catalogue
from decks.checking import as_brought, check_together
from decks.formats import PRINTED, ROSTERS, format_named
from events.errors import Rejected
from games.kernel import rulebook
from tests.rules import rule

EPIC = catalogue("epic")


def cards(test, n: int, copies: int) -> dict[str, int]:
    """`n` cards of the set that pass the test, each so many times."""
    return {card.key: copies for card in [one for one in EPIC.values() if test(one)][:n]}


def plain(card) -> bool:
    return card.cost == "action" and not card.data["gift"]


def broken(format_id: str, content, pool=None, **more) -> list[tuple[str, str]]:
    return [(one.rule, one.code) for one in services.check(format_id, content, pool, **more)]


@rule("epic", "EP-17.6", "EP-18.1", "SC-63")
def test_a_designed_deck_of_sixty_with_fifteen_aside_is_legal():
    deck = {"deck": cards(plain, 20, 3)}
    side = {"sideboard": dict.fromkeys(list(cards(plain, 35, 1))[20:], 1)}
    assert broken("epic/designed", deck) == []
    assert broken("epic/designed", deck | side) == []


@rule("epic", "EP-17.6", "EP-17.7", "EP-17.8", "EP-18.1", "RU-61", "RU-71", "SC-63")
def test_one_refusal_names_every_limit_that_is_broken():
    free = cards(lambda card: card.cost == "free" and not card.data["gift"], 3, 4)
    gifts = cards(lambda card: card.data["gift"] and card.cost == "free" and card.name != "Rushing In", 3, 3)
    names = {card.name: key for key, card in EPIC.items()}
    content = {
        "deck": free | gifts | {names["Nature's Renewal"]: 2, names["Rushing In"]: 1},
        "sideboard": dict.fromkeys(cards(plain, 14, 1), 1),
    }
    content["deck"].pop(names["Nature's Renewal"], None)
    content["deck"][names["Nature's Renewal"]] = 2
    wrong = services.check("epic/designed", content)
    assert {(one.rule, one.code) for one in wrong} == {
        ("EP-17.6", "too_few"), ("EP-18.1", "wrong_size"), ("EP-17.6", "copies"), ("EP-17.6", "free"),
        ("EP-17.6", "gift"), ("EP-17.7", "restricted"), ("EP-17.7", "banned"),
    }  # fmt: skip
    assert len([one for one in wrong if one.code == "copies"]) == 3
    assert next(one for one in wrong if one.code == "banned").cards == ["Rushing In"]


@rule("epic", "EP-17.7")
def test_the_lists_of_the_day_hold():
    """At print time nothing was restricted or banned."""
    from datetime import date

    names = {card.name: key for key, card in EPIC.items()}
    deck = {"deck": cards(plain, 20, 3) | {names["Rushing In"]: 1}}
    assert broken("epic/designed", deck) == [("EP-17.7", "banned")]
    assert broken("epic/designed", deck, on=date(2015, 12, 24)) == []


@rule("epic", "EP-17.2", "EP-17.3", "EP-17.4", "EP-17.5", "RU-54")
def test_pool_formats_take_exactly_the_own_cards():
    pool = Counter(cards(lambda card: True, 45, 1))
    deck = {"deck": dict.fromkeys(list(pool)[:30], 1)}
    assert broken("epic/sealed", deck, pool) == []
    assert broken("epic/draft", deck | {"sideboard": dict.fromkeys(list(pool)[30:], 1)}, pool) == []
    twice = {"deck": deck["deck"] | {next(iter(pool)): 2}}
    assert broken("epic/draft", twice, pool) == [("EP-17.5", "not_in_pool")]
    stranger = {"deck": deck["deck"] | {list(EPIC)[-1]: 1}}
    assert broken("epic/sealed", stranger, pool) == [("EP-17.2", "not_in_pool")]
    two_packs = Counter(dict.fromkeys(list(pool)[:30], 1))
    short = {"deck": dict.fromkeys(list(two_packs)[:29], 1)}
    assert broken("epic/sealed-2", deck, two_packs) == []
    assert set(broken("epic/sealed-2", short, two_packs)) == {("EP-17.2", "too_few"), ("EP-17.2", "left_out")}
    one_pack = Counter(dict.fromkeys(list(pool)[:15], 1))
    assert broken("epic/pack-war", {"deck": dict(one_pack)}, one_pack) == []
    assert broken("epic/draft", deck) == [("EP-17.5", "no_pool")]


@rule("theos", "TH-4.1", "TH-4.2", "TH-4.3", "TH-4.5", "TH-4.8", "TS-1", "TR-21")
def test_theos_decks_have_twelve_different_cards_or_ten_with_six():
    any_mix = {"deck": dict.fromkeys(list(catalogue("theos"))[:12], 1)}
    assert broken("theos/host-made", any_mix) == []
    assert broken("theos/host-made-6", any_mix) == [("TH-4.1", "wrong_size")]
    assert broken("theos/host-made", {"deck": {"P1": 2, "P2": 9}}) == [
        ("TH-4.1", "wrong_size"), ("TH-4.2", "copies"), ("TH-4.2", "copies"),
    ]  # fmt: skip


@rule("theos", "TH-4.7", "TH-4.30", "TH-4.31", "TH-4.32", "TR-23", "TS-9")
def test_printed_decks_and_rosters():
    deck = {"deck": dict.fromkeys(PRINTED["Demeter's Guidance"], 1)}
    assert broken("theos/prebuilt", deck) == []
    mixed = {"deck": dict.fromkeys([*ROSTERS["Bountiful Sea"][:11], "P1"], 1)}
    assert broken("theos/roster", {"deck": dict.fromkeys(ROSTERS["Bountiful Sea"][:12], 1)}) == []
    assert broken("theos/roster", mixed) == [("TH-4.31", "not_printed")]
    for size in (30, 20):
        assert {key for cards in ROSTERS.values() if len(cards) == size for key in cards} == set(catalogue("theos"))


@rule("theos", "TH-4.2", "TH-4.5")
def test_no_card_is_in_two_decks_of_a_table():
    one, other = {"deck": {"P1": 1, "P2": 1}}, {"deck": {"P2": 1}}
    found = check_together(format_named("theos/host-made"), [one, other])
    assert [(v.rule, v.code, v.cards) for v in found] == [("TH-4.2", "shared_card", ["Sunken Treasure"])]
    assert check_together(format_named("epic/designed"), [one, other]) == []


@rule("titans", "TI-2.21", "TI-2.25", "TS-06", "TR-6")
def test_spellbooks():
    titans = [card.key for card in catalogue("titans").values() if card.data["species"] == "titan"][:8]
    book = {"spellbook": dict.fromkeys(titans, 4)}
    assert broken("titans/constructed", book) == []
    assert broken("titans/constructed-solo", book) == [("TI-2.21", "wrong_size")]
    assert broken("titans/constructed-solo", book | {"spellbook 2": book["spellbook"]}) == []
    with_traveler = {"spellbook": {**book["spellbook"], titans[0]: 3, "traveler": 1}}
    assert broken("titans/constructed", with_traveler) == [("TI-2.21", "not_allowed")]
    assert broken("titans/constructed", {"spellbook": {**book["spellbook"], titans[0]: 5}}) == [
        ("TI-2.21", "wrong_size"), ("TI-2.21", "copies"),
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(60))
def test_the_checker_and_the_rulebook_agree(seed):
    """Both read the same limits; a deck that one takes and the other refuses would be a trap at the table."""
    rng = Random(seed)
    keys = list(EPIC)
    few = rng.sample(keys, 12)
    deck = {"deck": dict(Counter(rng.choices(few if seed % 3 else keys, k=rng.choice([59, 60, 61, 75]))))}
    if rng.random() < 0.5:
        deck["sideboard"] = dict(Counter(rng.choices(keys, k=rng.choice([14, 15]))))
    options = {"format": "designed", "list": "later"}
    brought = as_brought(format_named("epic/designed"), deck)
    ours = services.check("epic/designed", deck)
    theirs = rulebook("epic").deck_violations(2, options, brought)
    assert bool(ours) == bool(theirs), (ours, theirs)
    assert {one.rule for one in theirs if one.rule != "EP-17.2"} <= {one.rule for one in ours}


@rule("epic", "EP-17.8")
def test_a_format_that_does_not_exist_is_refused_with_those_that_do():
    with pytest.raises(Rejected) as refused:
        services.check("epic/standard", {"deck": {}})
    assert "epic/designed" in refused.value.detail
