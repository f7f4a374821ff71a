"""Whatever goes wrong under /api/ is a problem document, and says nothing it should not."""

import pytest
from django.test import Client

from tests.http import problem

pytestmark = [pytest.mark.urls("tests.api.urls"), pytest.mark.usefixtures("db")]

REJECTIONS = {
    "stale": 409,
    "not_yours": 403,
    "illegal": 422,
    "over": 409,
    "key_reused": 422,
    "precondition_required": 428,
    "busy": 503,
}


@pytest.mark.parametrize("code", REJECTIONS)
def test_a_rejected_command_carries_the_seq(api, code):
    document = problem(api().do(f"/faults/{code}"), REJECTIONS[code], code)
    assert document["seq"] == 7
    if code == "illegal":
        assert document["errors"] == [{"pointer": "/n", "code": "x", "detail": "y", "rule": "TH-1"}]


def test_a_stale_if_match_is_a_failed_precondition(api):
    document = problem(api().do("/faults/stale", **{"If-Match": '"5"'}), 412, "precondition_failed")
    assert document["seq"] == 7
    assert document["detail"] == "The stream is at 7."


def test_an_unknown_stream(api):
    assert "seq" not in problem(api().read("/faults/unknown"), 404, "unknown")


def test_an_unforeseen_failure_tells_nothing_and_is_logged(api, log_lines):
    document = problem(api().read("/faults/boom"), 500, "internal")
    assert "division" not in str(document)
    [logged] = [line for line in log_lines() if line["logger"] == "arbiter.api"]
    assert "ZeroDivisionError" in logged["exc_info"]
    assert logged["request_id"] == document["request_id"]


@pytest.mark.parametrize("debug", [False, True])
def test_failures_outside_rest_framework_are_documents_too(api, settings, debug):
    settings.DEBUG = debug
    for path in ("/html", "/exception"):
        answer = api().read(path)
        document = problem(answer, 500, "internal")
        assert "secret" not in str(document)
    problem(api().read("/nothing/here"), 404, "not_found")


def test_a_database_that_is_away_is_503_and_worth_a_retry(api):
    answer = api().read("/faults/database")
    assert "10.0.0.7" not in str(problem(answer, 503, "unavailable"))
    assert answer.headers["Retry-After"] == "1"


def test_not_found_keeps_its_reasons(api):
    assert "secret" not in str(problem(api().read("/faults/http404"), 404, "not_found"))


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/v1", "/api/v1/", "/api/v2/me", "/api/v1/me/", "/api/v1/me%00"])
def test_unknown_paths(path):
    problem(Client().get(path), 404, "not_found")


@pytest.mark.parametrize("method", ["DELETE", "PUT", "OPTIONS", "TRACE", "BREW"])
def test_a_method_that_is_not_there(api, person, method):
    answer = api(person().token).send(method, "/me")
    problem(answer, 405, "method_not_allowed")
    assert answer.headers["Allow"] == "GET, PATCH, HEAD"


def test_a_representation_that_is_not_there(api, person):
    mine = api(person().token)
    problem(mine.read("/me", Accept="text/html"), 406, "not_acceptable")
    for fine in ("*/*", "application/json", "application/*;q=0.5, text/html"):
        assert mine.read("/me", Accept=fine).headers["Content-Type"] == "application/json"


def test_a_host_that_is_not_ours(api, person):
    somebody = person()
    somebody.minted("games:read")
    answer = api(somebody.token).read("/tokens?limit=1", Host="evil.example")  # `next` would name it
    problem(answer, 400, "bad_request")


def test_every_answer_has_its_security_headers(api):
    for answer in (Client().get("/healthz"), api().read("/me"), api().read("/nothing"), api().read("/faults/boom")):
        assert answer.headers["Content-Security-Policy"].startswith("default-src 'self';")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["X-Frame-Options"] == "DENY"
        assert answer.headers["Referrer-Policy"] == "same-origin"
        assert "Strict-Transport-Security" not in answer.headers
    assert "max-age=31536000" in Client().get("/healthz", secure=True).headers["Strict-Transport-Security"]
    refused = api().read("/me")
    assert refused.headers["Cache-Control"] == "no-store"
    assert refused.headers["Content-Length"] == str(len(refused.content))


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("3f0e8c1a-0000-4000-8000-000000000000", True),
        ("abc_DEF-123.4", True),
        ("short", False),
        ("x" * 65, False),
        ('evil"} {"level": "INFO', False),
        ("", False),
    ],
)
def test_a_sane_request_id_is_kept(api, log_lines, given, kept):
    answer = api().read("/me", **{"X-Request-ID": given})
    shown = answer.headers["X-Request-ID"]
    assert (shown == given) is kept
    assert problem(answer, 401, "unauthenticated")["request_id"] == shown
    line = log_lines()[0]
    assert line["request_id"] == shown
    assert (line["route"], line["status"], line["level"]) == ("/api/v1/me", 401, "INFO")
    assert line["ms"] > 0
