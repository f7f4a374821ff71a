"""Personal access tokens: how they look, what is kept of them, what they open and for how long."""

import json
from datetime import timedelta

import pytest
from django.core import serializers
from django.db import connection
from django.utils import timezone

from accounts import services, tokens
from accounts.errors import Refused
from accounts.models import AccessToken, User
from accounts.scopes import ACCOUNT, SCOPES, Role
from tests.http import problem


def test_a_token_is_recognised_by_prefix_and_checksum():
    token = tokens.new_token()

    assert token.startswith("arb_")
    assert len(token) == 40
    assert tokens.is_token(token)
    for wrong in (token[:-1], token + "0", "ghp_" + token[4:], token.swapcase(), "", "arb_", token[:-1] + "é"):
        assert not tokens.is_token(wrong)
    for i in range(4, 40):  # a checksum that no single wrong character gets past
        assert not tokens.is_token(token[:i] + ("a" if token[i] != "a" else "b") + token[i + 1 :])


def test_the_token_itself_is_kept_nowhere(person):
    somebody = person()
    rows = serializers.serialize("json", [*AccessToken.objects.filter(owner=somebody.user), somebody.user])

    assert somebody.token not in rows
    assert somebody.token[4:34] not in rows
    assert tokens.digest(somebody.token) == bytes(AccessToken.objects.get(owner=somebody.user).digest)


def test_minting_shows_the_token_once(api, person):
    mine = api(person().token)

    minted = mine.do("/tokens", {"label": "my bot", "scopes": ["games:play", "games:read"], "days": 7})
    assert minted.status_code == 201
    shown = minted.json()
    assert shown["scopes"] == ["games:play", "games:read"]
    assert tokens.is_token(shown["token"])

    again = mine.read(minted.headers["Location"].removeprefix("/api/v1"))
    assert again.json() == {key: value for key, value in shown.items() if key != "token"}
    assert shown["token"] not in mine.read("/tokens").content.decode()
    assert api(shown["token"]).read("/me").status_code == 200


@pytest.mark.parametrize(
    ("role", "beyond"),
    [
        ("player", {"tournaments:run", "audit:read", "games:judge"}),
        ("organiser", {"audit:read", "games:judge"}),
        ("judge", {"tournaments:run"}),
        ("admin", set()),
    ],
)
def test_a_role_bounds_the_scopes(api, person, role, beyond):
    mine = api(person(role).token)
    for scope in SCOPES:
        answer = mine.do("/tokens", {"label": "x", "scopes": [scope]})
        if scope in beyond:
            assert problem(answer, 403, "scope_beyond_role")["errors"][0]["detail"] == scope
        else:
            assert answer.json()["scopes"] == [scope]


def test_nobody_mints_the_account_itself(api, person):
    answer = api(person("admin").token).do("/tokens", {"label": "x", "scopes": [ACCOUNT]})
    problem(answer, 422, "invalid_body")
    with pytest.raises(Refused, match="no scope"):
        services.mint_token(person("admin").user, "x", [ACCOUNT])


def test_a_minted_token_cannot_touch_the_account(api, person):
    somebody = person()
    program = api(somebody.minted())

    for answer in (
        program.do("/tokens", {"label": "more", "scopes": ["games:read"]}),
        program.read("/tokens"),
        program.do("/me/password", {"password": somebody.password, "new_password": "another long one 42"}),
        program.do("/me/erase", {"password": somebody.password, "really": somebody.user.name}),
    ):
        document = problem(answer, 403, "missing_scope")
        assert document["required_scopes"] == [ACCOUNT]
        assert 'error="insufficient_scope"' in answer.headers["WWW-Authenticate"]
    assert User.objects.filter(pk=somebody.user.pk).exists()


def test_a_role_taken_away_takes_the_scope_from_living_tokens(person):
    judge = person("judge")
    minted = judge.minted("audit:read")
    assert "audit:read" in services.identify(minted).allows

    services.set_role(judge.user.name, Role.PLAYER)
    assert services.identify(minted).allows == frozenset()


def test_a_token_looked_up_is_the_token_stored(person):
    """The query made by hand gives what the ORM gives, field by field."""
    somebody = person("judge")
    found = services.identify(somebody.token)
    stored = AccessToken.objects.select_related("owner").get(pk=found.pk)
    for one, other in ((found, stored), (found.owner, stored.owner)):
        for field in one._meta.concrete_fields:
            mine, theirs = getattr(one, field.attname), getattr(other, field.attname)
            assert mine == theirs
            assert type(mine) is type(theirs)


def test_last_used_is_written_at_most_once_a_minute(person, django_assert_num_queries):
    token = person().token
    services.identify(token)
    with django_assert_num_queries(0):  # the look-up itself goes straight to the driver
        found = services.identify(token)

    AccessToken.objects.filter(pk=found.pk).update(last_used=timezone.now() - timedelta(minutes=2))
    with django_assert_num_queries(1):
        services.identify(token)
    assert timezone.now() - AccessToken.objects.get(pk=found.pk).last_used < timedelta(minutes=1)


@pytest.mark.production
def test_a_database_that_came_back_is_no_error(person):
    """The look-up is the first thing a request asks: it finds out that the connection it kept is dead."""
    token = person().token
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (process,) = cursor.fetchone()
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [process])
    other.close()
    connection.close_if_unusable_or_obsolete()  # as at the start of every request
    assert services.identify(token) is not None


def test_revoking_holds_from_the_next_request_on(api, person):
    mine = api(person().token)
    minted = mine.do("/tokens", {"label": "x", "scopes": ["games:read"]}).json()
    program = api(minted["token"])
    assert program.read("/me").status_code == 200

    assert mine.drop(f"/tokens/{minted['id']}").status_code == 204
    problem(program.read("/me"), 401, "unauthenticated")

    revoked = mine.read(f"/tokens/{minted['id']}").json()["revoked"]
    assert mine.drop(f"/tokens/{minted['id']}").status_code == 204  # twice is once
    assert mine.read(f"/tokens/{minted['id']}").json()["revoked"] == revoked


def test_a_token_can_give_itself_up(api, person):
    program = api(person().minted("games:read"))
    assert program.read("/tokens/current").json()["scopes"] == ["games:read"]
    assert program.drop("/tokens/current").status_code == 204
    problem(program.read("/tokens/current"), 401, "unauthenticated")


def test_there_are_only_so_many_live_tokens(api, person, monkeypatch):
    somebody = person()
    for _ in range(services.MOST_TOKENS - 1):
        somebody.minted("games:read")
    mine = api(somebody.token)
    problem(mine.do("/tokens", {"label": "x", "scopes": ["games:read"]}), 409, "too_many_tokens")

    newest = mine.read("/tokens?limit=1").json()["data"][0]
    mine.drop(f"/tokens/{newest['id']}")
    assert mine.do("/tokens", {"label": "x", "scopes": ["games:read"]}).status_code == 201


def test_dead_tokens_are_forgotten_after_a_month(person):
    somebody = person()
    old = services.mint_token(somebody.user, "old", ["games:read"]).token
    AccessToken.objects.filter(pk=old.pk).update(expires=timezone.now() - timedelta(days=31))
    services.mint_token(somebody.user, "new", ["games:read"])
    assert not AccessToken.objects.filter(pk=old.pk).exists()


def test_no_token_and_no_password_reaches_a_log(api, person, log_lines):
    """Through the real handler, for requests that succeed and that fail."""
    somebody = person()
    secret = "a password nobody may read 1"
    mine = api(somebody.token)
    mine.read("/me")
    mine.do("/log-in", {"name": somebody.user.name, "password": secret})
    api(somebody.token[:-1] + "x").read("/me")
    minted = mine.do("/tokens", {"label": "x", "scopes": ["games:read"]}).json()["token"]
    mine.do("/me/password", {"password": secret, "new_password": 7})

    lines = log_lines()
    assert len([line for line in lines if line["logger"] == "arbiter.access"]) == 5
    for hidden in (somebody.token, somebody.token[4:34], minted, secret):
        assert hidden not in json.dumps(lines)
