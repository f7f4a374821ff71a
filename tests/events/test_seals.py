"""What only some may see: in nobody else's copy, committed to for everybody."""

import json

from hypothesis import given
from hypothesis import strategies as st

from events import history, seals, store
from events.canonical import encode


def test_a_secret_reaches_its_seat_and_nobody_else(counter, do):
    stream = counter(seats=3)
    event = do(stream, "a", {"do": "whisper", "seat": 1, "decision": "d1", "number": 8642097531})
    seen = {viewer: history.seen(event, viewer) for viewer in (None, 0, 1, 2, "table")}
    assert [viewer for viewer, view in seen.items() if "8642097531" in json.dumps(view)] == [1, "table"]
    assert [len(seen[viewer]["effects"]) for viewer in (None, 0, 1, 2)] == [1, 1, 2, 1]
    assert seen[None] == seen[0] == seen[2]
    assert b"8642097531" not in event.envelope


def test_commitments_say_nothing_of_who_was_told(counter, do):
    """Same slots for every event, empty ones salted too: equal contents never give equal leaves."""
    stream = counter(seats=3)
    key = store.stream_key(stream)
    leaves = []
    for n in range(3):
        leaves += do(stream, "a", {"do": "add", "n": n + 1}).leaves(key)
    assert len(set(leaves)) == 3 * 4


def test_a_viewer_checks_its_own_seal_live(counter, do):
    stream = counter(seats=2)
    event = do(stream, "a", {"do": "whisper", "seat": 0, "decision": "d1", "number": 5})
    proof = history.proof(event, store.stream_key(stream), 0)
    assert list(proof["openings"]) == ["0"]
    mine = proof["openings"]["0"]
    leaf = seals.digest("seal", stream, event.seq, "0", bytes.fromhex(mine["salt"]), encode(mine["opening"]))
    assert leaf.hex() == proof["leaves"][0]
    root = seals.root([bytes.fromhex(leaf) for leaf in proof["leaves"]])
    assert root.hex() == proof["envelope"]["body"]["seals"]


values = st.one_of(st.integers(0, 9), st.text(max_size=3), st.lists(st.integers(0, 3), max_size=2))


@st.composite
def records(draw):
    record = draw(st.dictionaries(st.sampled_from("abcd"), values, min_size=1))
    hidden = draw(st.sampled_from(["", "fields", "whole"]))
    if hidden == "fields":
        names = draw(st.lists(st.sampled_from(sorted(record)), min_size=1, unique=True))
        record["only"] = {name: draw(st.integers(0, 7)) for name in names}
    elif hidden == "whole":
        record["secret"] = draw(st.integers(0, 7))
    return record


@given(st.lists(records(), min_size=1, max_size=6))
def test_splitting_and_joining_lose_nothing_and_show_no_more_than_is_meant(given_records):
    given_records = [{"do": "x"}, *given_records]
    public, table = seals.split(given_records)
    assert seals.join(public, table) == given_records
    for seat in range(3):
        bit = 1 << seat
        expected = []
        for record in given_records:
            if "secret" in record and not record["secret"] & bit:
                continue
            only = record.get("only", {})
            expected.append({k: v for k, v in record.items() if k not in ("only", "secret") and only.get(k, bit) & bit})
        assert seals.join(public, seals.for_seat(table, seat)) == expected
