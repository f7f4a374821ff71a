"""What commands and reads of streams have in common."""

import pytest

from tests.http import problem

pytestmark = pytest.mark.urls("tests.api.urls")


@pytest.fixture
def mine(api, person):
    return api(person().token)


@pytest.mark.parametrize(
    ("headers", "body", "expected"),
    [
        ({"Idempotency-Key": "a-b_C1"}, {}, ["a-b_C1", None]),
        ({}, {"command_id": "a-b_C1"}, ["a-b_C1", None]),
        ({"Idempotency-Key": "same"}, {"command_id": "same"}, ["same", None]),
        ({"If-Match": '"57"'}, {"command_id": "c"}, ["c", 57]),
        ({"If-Match": 'W/"57"'}, {"command_id": "c"}, ["c", 57]),
        ({}, {"command_id": "c", "expected_seq": 0}, ["c", 0]),
        ({"If-Match": '"57"'}, {"command_id": "c", "expected_seq": 57}, ["c", 57]),
    ],
)
def test_id_and_precondition_come_by_header_or_body(mine, headers, body, expected):
    answer = mine.do("/echo", body, **headers)
    assert answer.status_code == 201
    assert answer.json()["command"] == expected


@pytest.mark.parametrize(
    ("headers", "body", "status", "code"),
    [
        ({}, {}, 400, "command_id_missing"),
        ({"Idempotency-Key": "x" * 65}, {}, 400, "invalid_header"),
        ({"Idempotency-Key": "a b"}, {}, 400, "invalid_header"),
        ({"Idempotency-Key": ""}, {}, 400, "invalid_header"),
        ({"Idempotency-Key": "a"}, {"command_id": "b"}, 400, "invalid_header"),
        ({"If-Match": "57"}, {"command_id": "c"}, 400, "invalid_header"),
        ({"If-Match": "*"}, {"command_id": "c"}, 400, "invalid_header"),
        ({"If-Match": '"57"'}, {"command_id": "c", "expected_seq": 58}, 400, "invalid_header"),
        ({}, {"command_id": "c\n"}, 422, "invalid_body"),
        ({}, {"command_id": ""}, 422, "invalid_body"),
        ({}, {"command_id": "c", "expected_seq": -1}, 422, "invalid_body"),
        ({}, {"command_id": "c", "expected_seq": 2**53}, 422, "invalid_body"),
    ],
)
def test_what_cannot_be_meant_is_refused(mine, headers, body, status, code):
    problem(mine.do("/echo", body, **headers), status, code)


def test_a_state_has_its_seq_as_tag_and_is_not_sent_twice(mine):
    answer = mine.read("/echo")
    assert answer.headers["ETag"] == '"57"'
    assert answer.headers["Cache-Control"] == "private, no-cache"
    for known in ('"57"', 'W/"57"', '"12", "57"', "*"):
        again = mine.read("/echo", **{"If-None-Match": known})
        assert (again.status_code, again.content) == (304, b"")
    assert mine.read("/echo", **{"If-None-Match": '"56"'}).status_code == 200


def test_min_seq(mine):
    assert mine.read("/echo?min_seq=12").json() == {"min_seq": 12}
    assert problem(mine.read("/echo?min_seq=-1"), 400, "invalid_query")["errors"][0]["parameter"] == "min_seq"
