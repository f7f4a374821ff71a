"""The OpenAPI document is valid, says what the service does, and its page needs nothing from elsewhere."""

import os
import re

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from django.test import Client
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema
from hypothesis import HealthCheck, Phase, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from config.api.problems import CONTENT_TYPE


@pytest.fixture(scope="module")
def document():
    return SchemaGenerator().get_schema(request=None, public=True)


def operations(document):
    return [
        (f"{method.upper()} {path}", operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def test_it_is_valid_openapi_31_without_a_warning(document):
    assert document["openapi"].startswith("3.1")
    validate_schema(document)
    assert not GENERATOR_STATS._warn_cache
    assert not GENERATOR_STATS._error_cache


def test_every_reference_leads_somewhere(document):
    refs = set(re.findall(r"'\$ref': '#/components/schemas/([^']+)'", str(document)))
    assert refs
    assert refs <= document["components"]["schemas"].keys()


def test_every_operation_names_its_problems_scopes_and_itself(document):
    ids = [operation["operationId"] for _, operation in operations(document)]
    assert len(ids) == len(set(ids))
    for name, operation in operations(document):
        responses = operation["responses"]
        assert {"429", "500", "503"} <= responses.keys(), name
        assert ("401" in responses) or "security" not in operation, name
        for status, response in responses.items():
            if int(status) >= 400:
                assert list(response["content"]) == [CONTENT_TYPE], name


def test_it_is_served(db, document):
    answer = Client().get("/api/v1/schema")
    assert answer.status_code == 200
    assert answer.json()["paths"].keys() == document["paths"].keys()


def test_the_page_works_offline_under_its_policy(db):
    page = Client().get("/api/v1/docs")
    html, policy = page.content.decode(), page.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "script-src" not in policy  # so scripts are 'self' only: none inline
    assert not re.findall(r"<script(?![^>]* src=)[^>]*>", html)
    assert not re.search(r"\son\w+=", html)

    resources = re.findall(r"(?:src|href)=\"([^\"]+)\"", html)
    assert len(resources) >= 5
    for resource in resources:
        assert resource.startswith("/"), resource
        assert not resource.startswith("//")
        answer = Client().get(resource.replace("&amp;", "&"))
        assert answer.status_code == 200, resource
    script = Client().get("/api/v1/docs?script=").content.decode()
    assert "/api/v1/schema" in script
    assert "http://" not in script
    assert "https://" not in script


def test_static_files_do_not_lead_outside(db):
    for path in (
        "../config/settings.py",
        "..%2f..%2fconfig/settings.py",
        "%00",
        "/etc/passwd",
        "drf_spectacular_sidecar",
    ):
        assert Client().get(f"/static/{path}").status_code == 404
    here = "/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui.css"
    changed = Client().get(here).headers["Last-Modified"]
    assert Client().get(here, headers={"If-Modified-Since": changed}).status_code == 304


# --- everything at once, by a machine that reads the document and tries to break it ---

schema = schemathesis.openapi.from_wsgi("/api/v1/schema", get_wsgi_application(), headers={"Host": "localhost"})


def fits_what_it_says(ctx, response, case):
    """What the document allows is not called unfit, and 500 is never right. What JSON Schema cannot say is the one
    exception: it calls `7.0` an integer, we do not; and where anything may stand (a path, options), only what every
    JSON library reads back alike may: whole numbers, text in normal form, no NUL."""
    assert response.status_code != 500
    if case.meta.generation.mode.is_positive and response.status_code in (400, 422):
        found = response.json()
        assert found["code"] not in ("invalid_body", "invalid_query", "malformed_json") or all(
            error["detail"].endswith("got `float`")
            or any(words in error["detail"] for words in ("whole numbers", "normal form", "NUL character"))
            for error in found["errors"]
        )


@schema.parametrize()
@settings(
    max_examples=25 if os.environ["ARBITER_STACK"] == "embedded" else 8,  # the other database may disagree, too
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_the_service_does_what_the_document_says(case, person, monkeypatch):
    monkeypatch.setattr("config.api.throttle.spend", lambda *args: None)
    case.call_and_validate(
        headers={"Authorization": f"Bearer {person('admin').token}", "Host": "localhost"},
        excluded_checks=[positive_data_acceptance],
        additional_checks=[fits_what_it_says],
    )
