"""Decks over HTTP: catalogue, import and export, versions, sealed submissions, sideboarding."""

import json
import secrets
from collections import Counter
from random import Random

import pytest

from decks import lists, services
from decks.building import built
from decks.cards import catalogue
from decks.formats import ALL, format_named
from events.canonical import digest, encode
from events.errors import Rejected
from tests.http import problem
from tests.rules import rule

EPIC = [card for card in catalogue("epic").values() if card.cost == "action" and not card.data["gift"]]
LEGAL = {"deck": {card.key: 3 for card in EPIC[:20]}, "sideboard": {card.key: 1 for card in EPIC[20:35]}}


def reads(client, path, status=200, **headers):
    reply = client.read(path, **headers)
    assert reply.status_code == status, reply.content
    return json.loads(reply.content) if reply.content else None


def says(client, path, body, status=201):
    reply = client.do(path, body)
    assert reply.status_code == status, reply.content
    return json.loads(reply.content)


def test_cards_are_found_by_what_is_printed_on_them(api, person):
    client = api(person().token)
    found = reads(client, "/cards?rulebook=epic&keyword=AIRBORNE&cost=free&type=champion")["data"]
    assert found
    assert all("airborne" in card["keywords"] and card["cost"] == "free" for card in found)
    assert reads(client, "/cards?name=spring of salt")["data"][0]["key"] == "P1"
    assert reads(client, "/cards/epic/flash fire")["name"] == "Flash Fire"
    assert "Flash Fire?" in problem(client.read("/cards/epic/flesh fire"), 404, "not_found")["detail"]
    assert "epic, theos" in problem(client.read("/cards?rulebook=chess"), 404, "not_found")["detail"]
    first = reads(client, "/cards?rulebook=theos&limit=40")
    rest = reads(client, first["next"].partition("/api/v1")[2])
    assert len({card["key"] for card in first["data"] + rest["data"]}) == 60
    assert not rest["has_more"]


def test_the_bulk_download_is_not_sent_twice(api, person):
    client = api(person().token)
    reply = client.read("/cards/bulk?rulebook=epic")
    document = json.loads(reply.content)
    assert len(document["cards"]) == 120
    assert all(card["text"] or not card["data"]["abilities"] for card in document["cards"])
    assert client.read("/cards/bulk?rulebook=epic", **{"If-None-Match": reply.headers["ETag"]}).status_code == 304
    assert reply.headers["ETag"] == f'"{document["version"]}"'


def test_text_code_and_cards_say_the_same(api, person):
    client = api(person().token)
    read = says(client, "/decks/check", {"format": "epic/designed", "deck": LEGAL}, 200)
    assert read["legal"]
    assert "\n\nSideboard\n" in read["text"]
    assert len(read["code"]) < 250
    for form in ({"text": read["text"]}, {"code": read["code"]}):
        assert says(client, "/decks/check", {"format": "epic/designed"} | form, 200)["deck"] == LEGAL


@rule("epic", "EP-17.7")
def test_the_lists_of_the_day_hold(api, person):
    """What is banned since March 2016 was not before; which day counts, the caller may say."""
    client = api(person().token)
    asked = {"format": "epic/designed", "text": "1 Rushing In\n2 Nature's Renewal\n"}

    def listed(**day) -> set[str]:
        return {one["code"] for one in says(client, "/decks/check", asked | day, 200)["violations"]} - {"too_few"}

    assert listed() == listed(on="2016-03-01") == {"banned", "restricted"}
    assert listed(on="2016-02-29") == set()
    problem(client.do("/decks/check", asked | {"on": "yesterday"}), 422, "invalid_body")


@pytest.mark.parametrize("format_id", ["epic/designed", "theos/host-made", "titans/constructed-solo"])
def test_every_card_survives_text_and_code(format_id):
    format_ = format_named(format_id)
    content = {
        section: {key: n % 4 + 1 for n, key in enumerate(catalogue(format_.rulebook))} for section in format_.sections
    }
    content = {section: dict(sorted(cards.items())) for section, cards in content.items()}
    assert lists.parse(format_, lists.written(format_, content)) == content
    assert lists.read_code(lists.code_of(format_, content)) == (format_, content)


def test_a_list_as_people_type_it(api, person):
    text = "// Fridays\r\n3x FLASH fire\n  2 at any price   # why not\n\n[Sideboard]\nSB: 1 Wither\n"
    text = text.replace("Wither", EPIC[0].name)
    read = says(api(person().token), "/decks/check", {"format": "epic/designed", "text": text}, 200)
    names = {catalogue("epic")[key].name: n for key, n in read["deck"]["deck"].items()}
    assert names == {"Flash Fire": 3, "At Any Price": 2}
    assert read["deck"]["sideboard"] == {EPIC[0].key: 1}
    assert {one["rule"] for one in read["violations"]} == {"EP-17.6", "EP-18.1"}


def test_lines_that_make_no_sense_are_all_named_with_what_may_be_meant(api, person):
    text = "3 Flesh Fire\n2 Огненная вспышка\n1 火の閃光\n0 Flash Fire\n999999 Flash Fire\n"
    refused = problem(api(person().token).do("/decks/check", {"format": "epic/designed", "text": text}), 422, "illegal")
    assert [(e["line"], e["code"]) for e in refused["errors"]] == [
        (1, "unknown_card"), (2, "unknown_card"), (3, "unknown_card"), (4, "out_of_range"), (5, "out_of_range"),
    ]  # fmt: skip
    assert refused["errors"][0]["suggestions"][0] == "Flash Fire"


def test_bad_input_is_refused_and_leaves_nothing(api, person):
    someone = person()
    client = api(someone.token)
    long = "1 Flash Fire\n" * 2_000
    assert (
        problem(client.do("/decks/check", {"format": "epic/designed", "text": long}), 422, "illegal")["errors"][0][
            "code"
        ]
        == "too_long"
    )
    endless = {"format": "epic/designed", "text": "1 Flash Fire\n" * 10_000}
    problem(client.do("/decks/check", endless), 422, "invalid_body")
    problem(client.do("/decks/check", {"format": "epic/designed"}), 422, "invalid_body")
    problem(client.do("/decks/check", {"format": "epic/designed", "text": "x", "code": "y"}), 422, "invalid_body")
    problem(client.do("/decks/check", {"format": "epic/designed", "code": "arb1AAAAAAAAAAAA"}), 422, "illegal")
    problem(client.do("/decks/check", {"format": "no/such", "deck": {}}), 422, "illegal")
    body = {"command_id": "a", "name": "x", "format": "epic/designed", "deck": {"deck": {"EP999": 1}, "attic": {}}}
    codes = {error["code"] for error in problem(client.do("/decks", body), 422, "illegal")["errors"]}
    assert codes == {"unknown_card", "unknown_section"}
    code = lists.code_of(format_named("epic/designed"), LEGAL)
    broken = code[:-6] + ("A" if code[-6] != "A" else "B") + code[-5:]
    problem(client.do("/decks/check", {"format": "epic/designed", "code": broken}), 422, "illegal")
    assert reads(client, "/decks")["data"] == []


def test_a_deck_is_kept_in_versions(api, person):
    someone, other = person(), person()
    client = api(someone.token)
    body = {"command_id": secrets.token_hex(8), "name": "Фініш", "format": "epic/designed", "text": "3 Flash Fire"}
    made = says(client, "/decks", body)
    assert says(client, "/decks", body)["id"] == made["id"], "a repeated command makes no second deck"
    assert not made["legal"]
    path = f"/decks/{made['id']}"
    problem(client.send("PUT", path, {"deck": LEGAL}), 428, "precondition_required")
    edited = json.loads(client.send("PUT", path, {"deck": LEGAL, "expected_seq": 1}).content)
    assert (edited["version"], edited["legal"], edited["name"]) == (2, True, "Фініш")
    problem(client.send("PUT", path, {"name": "late", "expected_seq": 1}), 409, "stale")
    assert list(reads(client, f"{path}?version=1")["deck"]["deck"].values()) == [3]
    assert reads(client, f"{path}/export?as=json")["deck"] == LEGAL
    assert reads(client, f"{path}/export?as=code")["code"].startswith("arb1")
    problem(api(other.token).read(path), 404, "unknown")
    problem(api(someone.minted("games:read")).send("PUT", path, {"name": "x", "expected_seq": 2}), 403, "missing_scope")
    assert client.drop(path).status_code == 204
    problem(client.read(path), 404, "unknown")


def test_what_is_handed_in_is_sealed_until_the_event_opens_it(api, person):
    event, one, two = f"trn_{secrets.token_hex(6)}", person(), person()
    with pytest.raises(Rejected) as refused:
        services.seal(event, "epic/designed", {"deck": {EPIC[0].key: 4}}, b"salt")
    assert {error["rule"] for error in refused.value.errors} == {"EP-17.6"}
    sealed = services.seal(event, "epic/designed", LEGAL, secrets.token_bytes(32))
    services.keep(event, one.user.pk, sealed)
    theirs = reads(api(two.token), f"/submissions?event={event}")["data"][0]
    assert (theirs["hash"], theirs["deck"], theirs["salt"]) == (sealed.hash, None, None)
    own = reads(api(one.token), f"/submissions?event={event}")["data"][0]
    assert own["deck"] == LEGAL
    services.lock(event)
    assert reads(api(two.token), f"/submissions?event={event}")["data"][0]["locked"]
    services.open_seals(event)
    shown = reads(api(two.token), f"/submissions?event={event}")["data"][0]
    expected = digest("deck", event, "epic/designed", bytes.fromhex(shown["salt"]), encode(shown["deck"])).hex()
    assert shown["hash"] == expected == sealed.hash


@pytest.mark.parametrize("format_", [one for one in ALL if one.rulebook != "theos"], ids=lambda one: one.id)
def test_the_house_builds_a_legal_deck_for_whoever_has_none(format_):
    """Of a pool the cards it has, no card more often than there; of the catalogue, other decks for other keys."""
    rng = Random(5)
    packs = format_.options.get("packs", 3)
    pool = Counter(rng.choices([card.key for card in EPIC], k=15 * packs)) if format_.needs_pool else None
    deck = built(format_, pool, b"one")
    assert services.check(format_.id, deck, pool) == []
    assert deck == built(format_, pool, b"one")
    if pool:
        assert Counter(deck["deck"]) + Counter(deck.get("sideboard", {})) <= pool
    else:
        assert deck != built(format_, pool, b"two")
    assert built(format_named("epic/draft"), {EPIC[0].key: 3}, b"one") is None, "three cards are no deck"


@rule("epic", "EP-18.1", "EP-18.2", "EP-18.3", "SC-65")
def test_sideboarding_is_one_for_one_from_what_was_registered():
    out, into = {EPIC[0].key: 2}, {EPIC[20].key: 1, EPIC[21].key: 1}
    played = services.swapped("epic/designed", LEGAL, out, into)
    assert sum(played["deck"].values()) == 60
    assert (played["deck"][EPIC[0].key], played["deck"][EPIC[20].key], played["sideboard"][EPIC[0].key]) == (1, 1, 2)
    assert Counter(played["deck"]) + Counter(played["sideboard"]) == Counter(LEGAL["deck"]) + Counter(
        LEGAL["sideboard"]
    )
    for leaving, coming in ((out, {}), ({EPIC[0].key: 4}, {EPIC[20].key: 4})):
        with pytest.raises(Rejected) as refused:
            services.swapped("epic/designed", LEGAL, leaving, coming)
        assert {error["rule"] for error in refused.value.errors} == {"EP-18.2"}
