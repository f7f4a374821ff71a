"""One canonical form, three encoders: the service's (msgspec), the verifier's (stdlib), RFC 8785's own (the oracle)."""

import json
import unicodedata

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from events import canonical, verifier

pytestmark = pytest.mark.embedded  # no database in it: once is enough

LARGEST = 2**53 - 1
texts = st.text(st.characters(codec="utf-8")).map(lambda text: unicodedata.normalize("NFC", text))
keys = st.text(st.characters(max_codepoint=127))
values = st.recursive(
    st.none() | st.booleans() | st.integers(-LARGEST, LARGEST) | texts,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(keys, inner, max_size=5),
    max_leaves=20,
)


@given(values)
def test_the_same_bytes_everywhere(value):
    data = canonical.encode(value)
    assert data == verifier.canonical(value).encode() == verifier._DEFAULT(value).encode() == rfc8785.dumps(value)
    assert canonical.decode(data) == value


@pytest.mark.parametrize("codes", [range(0x80), range(0x80, 0x3000), range(0xF000, 0x10400), range(0x1F300, 0x1F700)])
def test_every_character_is_written_the_same(codes):
    for code in codes:
        text = unicodedata.normalize("NFC", chr(code))
        assert canonical.encode(text) == verifier.canonical(text).encode() == rfc8785.dumps(text)


@pytest.mark.parametrize(
    "value", [1.0, -0.0, float("nan"), 2**53, -(2**53), "a\u0308", "\ud800", {"ö": 1}, {1: 2}, b"x", {1}]
)
def test_what_has_no_canonical_form_is_refused_by_the_service(value):
    with pytest.raises(canonical.NotCanonical):
        canonical.encode([value])


@given(values)
def test_the_verifier_reads_what_the_service_writes(value):
    line = canonical.encode({"t": "x", "value": value}) + b"\n"
    text, item = verifier.parse(line)
    verifier.restrict(item, line)
    assert verifier.canonical(item) == text
    assert item["value"] == value


@given(
    st.recursive(
        st.integers() | st.floats() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_the_verifier_accepts_nothing_the_service_would_refuse(value):
    """Whatever stdlib can write: if the service would not have written these bytes, they are no line."""
    line = json.dumps({"t": "x", "value": value}, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    line = line.encode("utf-8", "surrogatepass") + b"\n"
    try:
        ours = canonical.encode({"t": "x", "value": value}) + b"\n"
    except canonical.NotCanonical:
        ours = None
    try:
        text, item = verifier.parse(line)
        verifier.restrict(item, line)
        accepted = verifier.canonical(item) == text
    except verifier.Malformed:
        accepted = False
    assert accepted == (ours == line)


@given(st.lists(st.binary() | st.text() | st.integers(0)), st.lists(st.binary() | st.text() | st.integers(0)))
def test_hashes_are_the_same_and_fields_cannot_run_into_each_other(some, other):
    assert canonical.digest("x", *some) == verifier.H("x", *some)
    assert canonical.keyed(b"k", "x", *some) == verifier.mac(b"k", "x", *some)
    as_bytes = [[part if isinstance(part, bytes) else str(part).encode() for part in parts] for parts in (some, other)]
    assert (canonical.fields(*some) == canonical.fields(*other)) == (as_bytes[0] == as_bytes[1])
