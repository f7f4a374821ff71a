"""What anybody may check us by, through HTTP and with the verifier that shares no code with us."""

import json

import pytest

from events import checkpoints, keys, merkle
from events.canonical import encode
from tests.http import problem


@pytest.fixture
def signed(counter, sequenced, tmp_path, monkeypatch):
    """Add so many events and sign them."""
    monkeypatch.setenv("ARBITER_KEYS", str(tmp_path))
    keys.make()

    def sign(count: int) -> int:
        for _ in range(count):
            counter()
        sequenced()
        return checkpoints.sign().size

    return sign


def test_a_checkpoint_is_checked_with_its_key_alone(api, signed):
    size = signed(3)
    shown = api().get("/api/v1/checkpoints/latest").json()
    assert shown == api().get(f"/api/v1/checkpoints/{size}").json()
    assert shown["checkpoint"]["size"] == size
    known = {key["id"]: key for key in api().get("/api/v1/keys").json()["data"]}
    key = known[shown["checkpoint"]["key"]]
    message = b"arbiter/checkpoint/v1\0" + json.dumps(
        shown["checkpoint"], sort_keys=True, separators=(",", ":"), ensure_ascii=False
    ).encode()
    assert keys.signed(bytes.fromhex(key["public_key"]), bytes.fromhex(shown["signature"]), message)
    assert message.removeprefix(b"arbiter/checkpoint/v1\0") == encode(shown["checkpoint"])
    assert key["from"] <= shown["checkpoint"]["at"]
    assert key["until"] is None


def test_the_larger_checkpoint_is_shown_to_continue_the_smaller(api, signed):
    old, new = signed(2), signed(3)
    roots = {
        entry["checkpoint"]["size"]: bytes.fromhex(entry["checkpoint"]["root"])
        for entry in api().get("/api/v1/checkpoints?limit=5").json()["data"]
    }
    for one, other in ((old, new), (new, old)):
        proof = api().get(f"/api/v1/checkpoints/{one}/consistency?with={other}").json()
        assert (proof["from"], proof["to"]) == (old, new)
        steps = [bytes.fromhex(step) for step in proof["proof"]]
        assert merkle.consistent(old, roots[old], new, roots[new], steps)
    assert api().get(f"/api/v1/checkpoints/{old}/consistency").json()["to"] == new


def test_pages_go_from_the_newest_to_the_oldest(api, signed):
    sizes = [signed(1) for _ in range(3)]
    first = api().get("/api/v1/checkpoints?limit=2").json()
    assert [entry["checkpoint"]["size"] for entry in first["data"]] == sizes[:0:-1]
    second = api().get(first["next"]).json()
    assert second["data"][0]["checkpoint"]["size"] == sizes[0]


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("checkpoints/0", 404, "not_found"),
        ("checkpoints/99999999999999999999999", 404, "not_found"),
        ("checkpoints/x", 404, "not_found"),
        ("checkpoints/{size}/consistency?with=0", 400, "invalid_query"),
        ("checkpoints/{size}/consistency?with=x", 400, "invalid_query"),
        ("checkpoints/{size}/consistency?with=99999999999999999999", 400, "invalid_query"),
        ("checkpoints?limit=0", 400, "invalid_query"),
        ("checkpoints?what=1", 400, "invalid_query"),
    ],
)
def test_what_there_is_not_is_a_problem(api, signed, path, status, code):
    problem(api().read("/" + path.format(size=signed(1))), status, code)
