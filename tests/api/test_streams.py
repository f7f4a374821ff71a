"""Stale, repeated and illegal commands on a real stream, over HTTP: the last of issue 2's bad requests."""

import pytest

import tests.counter  # noqa: F401 - registers the decider
from events import commands, heads, participants, store, texts
from tests.http import problem

pytestmark = pytest.mark.urls("tests.api.urls")
ADD = {"do": "add", "n": 3}


@pytest.fixture
def stream(db) -> str:
    name = commands.new_stream_id("counter")
    commands.open_stream("counter", 2, stream=name, actor="arbiter", action={"do": "begin"}, command_id="begin")
    return name


@pytest.fixture
def ada(api, person):
    return api(person().token)


def test_a_repeated_command_gets_its_first_answer_and_happens_once(ada, stream):
    body = {"command_id": "once", "expected_seq": 1, "action": ADD}
    first = ada.do(f"/counters/{stream}", body)
    assert (first.status_code, first.json()["seq"]) == (201, 2)

    heads.heads.forget()  # as in another process
    again = ada.do(f"/counters/{stream}", body)
    by_header = ada.do(f"/counters/{stream}", {"action": ADD}, **{"Idempotency-Key": "once", "If-Match": '"1"'})

    for retry in (again, by_header):
        assert (retry.status_code, retry.content) == (201, first.content)
    assert store.head_seq(stream) == 2


def test_the_same_id_for_something_else_is_refused(ada, stream):
    ada.do(f"/counters/{stream}", {"command_id": "once", "action": ADD})
    answer = ada.do(f"/counters/{stream}", {"command_id": "once", "action": ADD | {"n": 4}})
    problem(answer, 422, "key_reused")
    assert heads.current(stream).state.value == 3


def test_a_stale_command_learns_where_the_stream_is(ada, stream):
    ada.do(f"/counters/{stream}", {"command_id": "a", "action": ADD})
    stale = ada.do(f"/counters/{stream}", {"command_id": "b", "expected_seq": 1, "action": ADD})
    assert problem(stale, 409, "stale")["seq"] == 2
    stale = ada.do(f"/counters/{stream}", {"command_id": "b", "action": ADD}, **{"If-Match": '"1"'})
    assert problem(stale, 412, "precondition_failed")["seq"] == 2
    assert store.head_seq(stream) == 2

    state = ada.read(f"/counters/{stream}")
    assert state.headers["ETag"] == '"2"'
    right = ada.do(f"/counters/{stream}", {"command_id": "b", "action": ADD}, **{"If-Match": state.headers["ETag"]})
    assert right.json()["seq"] == 3


def test_an_illegal_command_names_the_place(ada, stream):
    answer = ada.do(f"/counters/{stream}", {"command_id": "a", "action": {"do": "add", "n": 99}})
    document = problem(answer, 422, "illegal")
    assert document["seq"] == 1
    assert document["errors"][0]["pointer"] == "/n"
    assert store.head_seq(stream) == 1


def test_what_is_over_is_over(ada, stream):
    ada.do(f"/counters/{stream}", {"command_id": "a", "action": {"do": "finish"}})
    assert problem(ada.do(f"/counters/{stream}", {"command_id": "b", "action": ADD}), 409, "over")["seq"] == 2


@pytest.mark.parametrize("unknown", ["cnt_nothing", "gam_1", "cnt_%00"])
def test_an_unknown_stream_is_not_found(ada, unknown):
    for answer in (
        ada.read(f"/counters/{unknown}"),
        ada.do(f"/counters/{unknown}", {"command_id": "a", "action": ADD}),
    ):
        assert answer.status_code == 404
        assert answer.headers["Content-Type"] == "application/problem+json"


def test_erasing_a_person_leaves_the_stream_and_takes_the_name(api, person, stream):
    somebody = person()
    actor = participants.of(stream, somebody.user.pk)
    event = commands.execute(
        stream, actor=actor, action={"do": "note"}, command_id="n", written={"text": "it was me, Cleo"}
    )
    commitment = event.content["body"]["action"]["text"]["text"]
    before = [stored.envelope for stored in store.read(stream)]
    assert texts.show(commitment) == "it was me, Cleo"

    erased = api(somebody.token).do("/me/erase", {"password": somebody.password, "really": somebody.user.name})
    assert erased.status_code == 204

    assert participants.person_of(actor) is None
    assert texts.show(commitment) is None
    assert [stored.envelope for stored in store.read(stream)] == before
    assert somebody.user.pk.encode() not in b"".join(before)
