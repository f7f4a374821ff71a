"""Issue 2, must show 8, over HTTP: each bad request gets its problem document, and nothing has changed."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import services, tokens
from accounts.models import AccessToken, User
from accounts.scopes import SCOPES
from tests.http import problem

pytestmark = pytest.mark.urls("tests.api.urls")
GOOD = {"label": "bot", "scopes": ["games:read"], "days": 7}


def rows() -> list:
    """Everything a request to /tokens could change."""
    return [
        *AccessToken.objects.order_by("pk").values_list("pk", "label", "scopes", "expires", "revoked"),
        *User.objects.order_by("pk").values_list("pk", "name", "password", "email", "role"),
    ]


@pytest.fixture
def mine(api, person):
    """A logged-in client; afterwards nothing may have changed."""
    client = api(person().token)
    before = rows()
    yield client
    assert rows() == before


BODIES = {
    "empty": (b"", 400, "malformed_json"),
    "not json": (b"label=bot", 400, "malformed_json"),
    "cut off": (b'{"label": "bo', 400, "malformed_json"),
    "trailing": (json.dumps(GOOD).encode() + b"}", 400, "malformed_json"),
    "not utf-8": (b'{"label": "\xff\xfe", "scopes": ["games:read"]}', 400, "malformed_json"),
    "half a surrogate": (b'{"label": "\\ud800", "scopes": ["games:read"]}', 400, "malformed_json"),
    "not a number": (b'{"label": "x", "scopes": ["games:read"], "days": NaN}', 400, "malformed_json"),
    "endless nesting": (b'{"label": ' + b"[" * 100_000, 400, "malformed_json"),
    "endless nesting of an unknown": (b'{"x": ' + b"[" * 100_000, 400, "malformed_json"),
    "an array": (b"[1]", 422, "invalid_body"),
    "null": (b"null", 422, "invalid_body"),
    "text": (b'"label"', 422, "invalid_body"),
}


@pytest.mark.parametrize("what", BODIES)
def test_a_malformed_body(mine, what):
    body, status, code = BODIES[what]
    problem(mine.send("POST", "/tokens", body), status, code)


FIELDS = {
    "unknown field": ({"admin": True}, [("/admin", "unknown")]),
    "two unknown fields": ({"a/b": 1, "c~d": 2}, [("/a~1b", "unknown"), ("/c~0d", "unknown")]),
    "wrong type": ({"label": 7}, [("/label", "wrong_type")]),
    "a number in quotes": ({"days": "7"}, [("/days", "wrong_type")]),
    "a float": ({"days": 7.5}, [("/days", "wrong_type")]),
    "true is no number": ({"days": True}, [("/days", "wrong_type")]),
    "too small": ({"days": 0}, [("/days", "out_of_range")]),
    "too large": ({"days": 10**30}, [("/days", "out_of_range")]),
    "far too large": ({"days": int("9" * 4000)}, [("/days", "out_of_range")]),
    "too long": ({"label": "x" * 81}, [("/label", "wrong_form")]),
    "null": ({"label": None}, [("/label", "wrong_type")]),
    "NUL": ({"label": "a\0b"}, [("/label", "wrong_form")]),
    "inside a list": (
        {"scopes": ["games:read", "games:win", 3]},
        [("/scopes/1", "unknown_value"), ("/scopes/2", "wrong_type")],
    ),
    "empty list": ({"scopes": []}, [("/scopes", "wrong_length")]),
    "everything at once": (
        {"label": 1, "scopes": 2, "days": "x", "extra": 4},
        [("/days", "wrong_type"), ("/extra", "unknown"), ("/label", "wrong_type"), ("/scopes", "wrong_type")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", FIELDS)
def test_every_field_that_does_not_fit_is_pointed_at(mine, what):
    change, expected = FIELDS[what]
    document = problem(mine.do("/tokens", GOOD | change), 422, "invalid_body")
    assert sorted((error["pointer"], error["code"]) for error in document["errors"]) == expected
    assert all(error["detail"] for error in document["errors"])


def test_what_would_be_right_is_said(mine):
    document = problem(mine.do("/tokens", {"label": "", "scopes": ["games:win"], "days": 400}), 422, "invalid_body")
    assert [error["detail"] for error in document["errors"]] == [
        "must be: 1 to 80 characters: what the token is for",
        "must be one of: " + ", ".join(SCOPES),
        "expected `int` <= 366",
    ]


def test_missing_fields_are_all_named(mine):
    document = problem(mine.do("/tokens", {}), 422, "invalid_body")
    assert [(error["pointer"], error["code"]) for error in document["errors"]] == [
        ("/label", "missing"),
        ("/scopes", "missing"),
    ]


def test_faults_deep_inside_are_pointed_at(api):
    body = {"parts": [{"count": 1}, {"count": "2", "x": 1}, 3], "by_name": {"a": "b"}, "choice": {"name": 5}}
    document = problem(api().do("/deep", body), 422, "invalid_body")
    assert sorted((error["pointer"], error["code"]) for error in document["errors"]) == [
        ("/by_name/a", "wrong_type"),
        ("/choice/count", "missing"),
        ("/choice/name", "wrong_type"),
        ("/parts/1/count", "wrong_type"),
        ("/parts/1/x", "unknown"),
        ("/parts/2", "wrong_type"),
    ]


def test_nul_is_found_wherever_it_hides(api):
    document = problem(api().do("/deep", {"parts": [{"count": 1, "name": "a\0"}]}), 422, "invalid_body")
    assert document["errors"] == [
        {"pointer": "/parts/0/name", "code": "nul", "detail": "must not contain the NUL character"}
    ]
    # Six characters that only look like the escape are text like any other.
    assert api().do("/deep", {"parts": [{"count": 1, "name": r"\u0000"}]}).status_code == 200


def test_free_contents_must_be_storable(api, person):
    mine = api(person().token)
    body = {"command_id": "c1", "payload": {"a": [1, 2.5], "b": 2**53, "c": "\0", "d\0": 1, "e": "e\u0301"}}
    document = problem(mine.do("/echo", body), 422, "invalid_body")
    assert {(error["pointer"], error["code"]) for error in document["errors"]} == {
        ("/payload/a/1", "wrong_type"),
        ("/payload/b", "out_of_range"),
        ("/payload/c", "nul"),
        ("/payload/d\0", "nul"),
        ("/payload/e", "wrong_form"),
    }


def test_an_oversized_body(mine, settings):
    body = json.dumps(GOOD | {"label": "x" * settings.DATA_UPLOAD_MAX_MEMORY_SIZE}).encode()
    answer = mine.send("POST", "/tokens", body)
    assert problem(answer, 413, "too_large")["limit"] == settings.DATA_UPLOAD_MAX_MEMORY_SIZE


def test_a_body_in_chunks_where_none_can_be_read(mine):
    problem(mine.send("POST", "/tokens", b"", **{"Transfer-Encoding": "chunked"}), 411, "length_required")


def test_a_body_of_another_kind(mine):
    for kind in ("application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x", ""):
        answer = mine.generic("POST", "/api/v1/tokens", json.dumps(GOOD), kind)
        problem(answer, 415, "unsupported_media_type")


def test_json_with_a_charset_is_json(api, person):
    mine = api(person().token)
    assert (
        mine.generic("POST", "/api/v1/tokens", json.dumps(GOOD), "application/json; charset=utf-8").status_code == 201
    )


@pytest.mark.parametrize(
    "path", ["/tokens/tok_nothing", "/tokens/gam_1", "/tokens/17", "/tokens/tok_%00", "/tokens/..%2f", "/tokens/", "/x"]
)
def test_unknown_ids_and_paths(mine, path):
    problem(mine.read(path), 404, "not_found")
    problem(mine.drop(path), 404, "not_found")


def test_somebody_elses_token_is_not_found(api, person, mine):
    """A foreign id looks exactly like one that never was."""
    other = person()
    theirs = services.identify(other.token).pk
    before = rows()
    foreign, invented = (
        mine.drop(f"/tokens/{theirs}"),
        mine.drop(f"/tokens/{theirs[:-1]}{'0' if theirs[-1] != '0' else '1'}"),
    )
    documents = [problem(answer, 404, "not_found") for answer in (foreign, invented)]
    for document in documents:
        del document["request_id"], document["instance"]
    assert documents[0] == documents[1]
    assert rows() == before
    assert api(other.token).read("/me").status_code == 200
    assert api(other.token).drop("/tokens/current").status_code == 204  # leaves `mine`'s world as it was, but for this
    AccessToken.objects.filter(owner=other.user).delete()
    other.user.delete()


def dead_tokens(person) -> dict[str, str]:
    expired, revoked = person(), person()
    AccessToken.objects.filter(owner=expired.user).update(expires=timezone.now() - timedelta(seconds=1))
    services.revoke(services.identify(revoked.token))
    return {
        "expired": f"Bearer {expired.token}",
        "revoked": f"Bearer {revoked.token}",
        "never issued": f"Bearer {tokens.new_token()}",
        "of another service": "Bearer ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        "mistyped": f"Bearer {expired.token[:-1]}!",
        "empty": "Bearer ",
        "another scheme": "Basic YWRhOmFkYQ==",
        "no scheme": expired.token,
        "with NUL": "Bearer arb_\0",
        "not latin": "Bearer arb_ж",
        "endless": "Bearer arb_" + "a" * 5000,
    }


def test_a_token_that_opens_nothing(api, person):
    for what, header in dead_tokens(person).items():
        client = api(Authorization=header)
        before = rows()
        for answer in (client.read("/me"), client.do("/tokens", GOOD), client.drop("/tokens/current")):
            problem(answer, 401, "unauthenticated")
            assert answer.headers["WWW-Authenticate"] == 'Bearer realm="arbiter", error="invalid_token"', what
        assert rows() == before, what


def test_no_token_at_all(api):
    answer = api().read("/me")
    problem(answer, 401, "unauthenticated")
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="arbiter"'


def test_a_dead_token_is_refused_even_where_none_is_needed(api, person):
    """A client that believes to be somebody must not be served as nobody."""
    answer = api(tokens.new_token()).do("/log-in", {"name": "ada", "password": "x"})
    problem(answer, 401, "unauthenticated")


def test_a_missing_scope(api, person):
    reader = api(person().minted("games:read"))
    assert reader.read("/echo").status_code == 200
    document = problem(reader.do("/echo", {"command_id": "c1"}), 403, "missing_scope")
    assert document["required_scopes"] == ["games:play"]


QUERIES = {
    "limit=0": [("limit", "out_of_range")],
    "limit=201": [("limit", "out_of_range")],
    "limit=ten": [("limit", "wrong_type")],
    "limit=" + "9" * 5000: [("limit", "out_of_range")],
    "limit=1&limit=2": [("limit", "repeated")],
    "after=%00": [("after", "nul"), ("after", "wrong_form")],
    "after=a%0A": [("after", "wrong_form")],
    "page=2": [("page", "unknown")],
    "page=2&limit=x": [("limit", "wrong_type"), ("page", "unknown")],
}


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query[:20])
def test_a_query_string_that_does_not_fit(mine, query):
    document = problem(mine.read(f"/tokens?{query}"), 400, "invalid_query")
    assert sorted((error["parameter"], error["code"]) for error in document["errors"]) == QUERIES[query]
