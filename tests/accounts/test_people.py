"""Registering, logging in, changing and erasing oneself."""

import secrets

import pytest

from accounts import services
from accounts.models import AccessToken, User
from accounts.signals import person_erased
from tests.http import PASSWORD, problem


@pytest.fixture
def name() -> str:
    return f"n{secrets.token_hex(6)}"


def test_register_log_in_and_be_somebody(api, name):
    registered = api().do("/people", {"name": name, "password": PASSWORD})
    assert registered.status_code == 201

    logged_in = api().do("/log-in", {"name": name.upper(), "password": PASSWORD, "label": "phone"})
    assert logged_in.status_code == 201
    assert logged_in.json()["token"]["label"] == "phone"

    me = api(logged_in.json()["token"]["token"]).read("/me").json()
    assert me == registered.json()["person"]
    assert (me["name"], me["role"], me["email"]) == (name, "player", "")
    assert me["id"].startswith("per_")


def test_a_name_is_taken_whatever_its_case(api, person):
    taken = person().user.name
    answer = api().do("/people", {"name": taken.upper(), "password": PASSWORD})
    assert problem(answer, 409, "name_taken")["errors"][0]["pointer"] == "/name"
    assert User.objects.named(taken).count() == 1


@pytest.mark.parametrize("password", ["short", "password123", "1234567890"])
def test_a_weak_password_is_refused_with_reasons(api, name, password):
    document = problem(api().do("/people", {"name": name, "password": password}), 422, "weak_password")
    assert document["errors"][0]["pointer"] == "/password"
    assert not User.objects.named(name).exists()


@pytest.mark.parametrize("odd", ["a", "x" * 31, "_ada", "ada lovelace", "ada\n", "ådа", "ada\u0000", ""])
def test_odd_names_are_refused(api, odd):
    document = problem(api().do("/people", {"name": odd, "password": PASSWORD}), 422, "invalid_body")
    assert {error["pointer"] for error in document["errors"]} == {"/name"}


def test_a_closed_service_takes_nobody(api, name, settings):
    settings.OPEN_REGISTRATION = False
    problem(api().do("/people", {"name": name, "password": PASSWORD}), 403, "registration_closed")
    assert not User.objects.named(name).exists()


def test_wrong_name_and_wrong_password_look_the_same(api, person, name, monkeypatch):
    known = person().user.name
    hashed = []
    monkeypatch.setattr(User, "set_password", lambda self, raw: hashed.append(raw))
    monkeypatch.setattr(User, "check_password", lambda self, raw: hashed.append(raw))

    answers = [
        problem(api().do("/log-in", {"name": tried, "password": "not this one"}), 401, "wrong_credentials")
        for tried in (known, name)
    ]

    assert hashed == ["not this one"] * 2  # an unknown name costs the same work
    for document in answers:
        del document["request_id"]
    assert answers[0] == answers[1]


def test_a_person_shut_out_cannot_log_in_nor_use_old_tokens(api, person):
    somebody = person()
    User.objects.filter(pk=somebody.user.pk).update(is_active=False)
    answer = api().do("/log-in", {"name": somebody.user.name, "password": somebody.password})
    problem(answer, 401, "wrong_credentials")
    problem(api(somebody.token).read("/me"), 401, "unauthenticated")


def test_guessing_a_password_is_slowed_down(api, person):
    somebody, guesser = person(), api()
    guess = {"name": somebody.user.name, "password": "wrong guess 1"}
    for _ in range(10):
        problem(guesser.do("/log-in", guess), 401, "wrong_credentials")

    answer = guesser.do("/log-in", guess | {"password": somebody.password})
    document = problem(answer, 429, "too_many_requests")
    assert document["budget"] == "log_ins"
    assert 1 <= int(answer.headers["Retry-After"]) <= 30
    # The owner, elsewhere, still gets in: guessing locks nobody out.
    assert api().do("/log-in", {"name": somebody.user.name, "password": somebody.password}).status_code == 201


def test_guessing_many_names_from_one_address_is_slowed_down(api):
    guesser = api()
    for _ in range(60):
        guesser.do("/log-in", {"name": secrets.token_hex(5), "password": "wrong guess 1"})
    answer = guesser.do("/log-in", {"name": secrets.token_hex(5), "password": "wrong guess 1"})
    assert problem(answer, 429, "too_many_requests")["budget"] == "log_ins_from_address"


def test_a_new_password_ends_the_other_log_ins(api, person):
    somebody = person()
    other = services.log_in(somebody.user.name, somebody.password).secret
    program = somebody.minted("games:read")
    body = {"password": somebody.password, "new_password": "a rather different one"}

    problem(api(somebody.token).do("/me/password", body | {"password": "not it at all"}), 403, "wrong_password")
    problem(api(somebody.token).do("/me/password", body | {"new_password": "short"}), 422, "weak_password")
    assert api(other).read("/me").status_code == 200

    assert api(somebody.token).do("/me/password", body).status_code == 204
    assert api(somebody.token).read("/me").status_code == 200
    assert api(program).read("/me").status_code == 200
    problem(api(other).read("/me"), 401, "unauthenticated")
    with pytest.raises(services.Refused):
        services.log_in(somebody.user.name, somebody.password)
    assert services.log_in(somebody.user.name, body["new_password"])


def test_the_address_is_optional_and_can_go_again(api, person):
    mine = api(person().token)
    assert mine.send("PATCH", "/me", {"email": "ada@example.org"}).json()["email"] == "ada@example.org"
    assert mine.send("PATCH", "/me", {"email": ""}).json()["email"] == ""
    problem(mine.send("PATCH", "/me", {"email": "nowhere"}), 422, "invalid_body")


def test_erasing_takes_everything_and_tells_the_others(api, person):
    somebody = person()
    program = somebody.minted("games:read")
    told = []

    def hear(person, **_):
        told.append((person.pk, User.objects.filter(pk=person.pk).exists()))

    person_erased.connect(hear)
    try:
        mine = api(somebody.token)
        body = {"password": somebody.password, "really": somebody.user.name}
        problem(mine.do("/me/erase", body | {"password": "not this"}), 403, "wrong_password")
        problem(mine.do("/me/erase", body | {"really": "somebody else"}), 422, "not_confirmed")
        assert told == []
        assert mine.do("/me/erase", body).status_code == 204
    finally:
        person_erased.disconnect(hear)

    assert told == [(somebody.user.pk, True)]
    assert not User.objects.filter(pk=somebody.user.pk).exists()
    assert not AccessToken.objects.filter(owner_id=somebody.user.pk).exists()
    for token in (somebody.token, program):
        problem(api(token).read("/me"), 401, "unauthenticated")


def test_an_erasure_that_fails_somewhere_has_not_happened(api, person):
    somebody = person()

    def fail(**_):
        raise RuntimeError("the mapping could not be deleted")

    person_erased.connect(fail)
    try:
        answer = api(somebody.token).do("/me/erase", {"password": somebody.password, "really": somebody.user.name})
    finally:
        person_erased.disconnect(fail)
    problem(answer, 500, "internal")
    assert "mapping" not in answer.content.decode()
    assert api(somebody.token).read("/me").status_code == 200


def test_demo_people_are_made_once(db):
    User.objects.filter(name__in=services.DEMO).delete()
    made = services.make_demo_people()

    assert [(role, name) for role, name, _ in made] == [
        ("organiser", "olga"), ("player", "ada"), ("player", "ben"), ("judge", "judy"),
    ]  # fmt: skip
    for _, name, token in made:
        assert services.identify(token).owner.name == name
    assert "audit:read" in services.identify(made[3][2]).allows
    assert "tournaments:run" in services.identify(made[0][2]).allows
    assert services.make_demo_people() == []
