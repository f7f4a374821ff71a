"""Budgets: separate, exact about when to come back, shared through Redis, and in nobody's way when Redis is gone."""

import threading
import time

import pytest

from config.api import throttle
from config.api.throttle import Budget, Local, Shared
from tests.http import problem

pytestmark = pytest.mark.urls("tests.api.urls")


@pytest.fixture
def small(settings):
    settings.API_BUDGETS = settings.API_BUDGETS | {"reads": "3/30", "commands": "2/60", "failures": "4/60"}


@pytest.fixture
def counters(settings):
    return Shared(settings.REDIS_URL) if settings.REDIS_URL else Local()


def test_reads_and_commands_have_budgets_of_their_own(api, person, small):
    mine = api(person().token)
    for left in (2, 1, 0):
        answer = mine.read("/echo")
        assert answer.headers["RateLimit-Policy"] == '"reads";q=3;w=30'
        assert answer.headers["RateLimit"] == f'"reads";r={left}'

    answer = mine.read("/echo")
    assert problem(answer, 429, "too_many_requests")["budget"] == "reads"
    assert 1 <= int(answer.headers["Retry-After"]) <= 10

    for i in range(2):  # whoever reads too much still can move
        assert mine.do("/echo", {"command_id": f"c{i}"}).status_code == 201
    answer = mine.do("/echo", {"command_id": "c2"})
    assert problem(answer, 429, "too_many_requests")["budget"] == "commands"
    assert 20 <= int(answer.headers["Retry-After"]) <= 30


def test_a_budget_belongs_to_the_person_not_to_the_token(api, person, small):
    somebody, other = person(), person()
    for _ in range(3):
        assert api(somebody.minted("games:read")).read("/echo").status_code == 200
    problem(api(somebody.token).read("/echo"), 429, "too_many_requests")
    assert api(other.token).read("/echo").status_code == 200


def test_guessing_tokens_is_slowed_down(api, small):
    guesser = api("arb_guessed")
    for _ in range(4):
        problem(guesser.read("/me"), 401, "unauthenticated")
    assert problem(guesser.read("/me"), 429, "too_many_requests")["budget"] == "failures"


def test_a_budget_comes_back_evenly(counters):
    key, budget = f"test-{time.time_ns()}", Budget(4, 1)
    assert [counters.spend(key, budget).ok for _ in range(5)] == [True] * 4 + [False]
    refused = counters.spend(key, budget)
    assert 0 < refused.wait <= 0.25
    time.sleep(refused.wait + 0.02)
    assert counters.spend(key, budget).ok
    assert not counters.spend(key, budget).ok


def test_many_at_once_get_no_more_than_there_is(counters):
    key, allowed = f"test-{time.time_ns()}", []

    def work() -> None:
        allowed.extend(counters.spend(key, Budget(50, 3600)).ok for _ in range(20))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(allowed) == 50


def test_without_redis_each_process_counts_for_itself():
    nobody_listens = Shared("redis://127.0.0.1:1/0")
    began = time.monotonic()
    assert [nobody_listens.spend("k", Budget(2, 60)).ok for _ in range(3)] == [True, True, False]
    assert time.monotonic() - began < 1.0  # and does not wait for it each time


def test_forgotten_keys_make_room():
    counters = Local()
    counters.MOST = 10
    for i in range(10):
        counters.spend(f"short {i}", Budget(1000, 1))
    counters.spend("long", Budget(1, 60))
    time.sleep(0.01)
    for i in range(10):
        counters.spend(f"next {i}", Budget(1000, 1))
    assert len(counters.due) <= 12
    assert not counters.spend("long", Budget(1, 60)).ok


@pytest.mark.parametrize(
    ("proxies", "forwarded", "expected"),
    [
        (0, "1.2.3.4", "9.9.9.9"),  # anybody can write this header
        (1, "6.6.6.6, 1.2.3.4", "1.2.3.4"),
        (2, "6.6.6.6, 1.2.3.4, 10.0.0.1", "1.2.3.4"),
        (2, "1.2.3.4", "1.2.3.4"),
        (1, "", "9.9.9.9"),
        (1, "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        (1, "nonsense", "unknown"),
    ],
)
def test_an_address_is_believed_as_far_as_our_proxies_reach(rf, settings, proxies, forwarded, expected):
    settings.TRUSTED_PROXIES = proxies
    request = rf.get("/", REMOTE_ADDR="9.9.9.9", headers={"X-Forwarded-For": forwarded})
    assert throttle.address(request) == expected


@pytest.mark.production
def test_a_large_budget_is_taken_in_parts_and_never_exceeded(settings):
    """Two processes, which ask Redis once for a hundredth of the budget each time."""
    here, there = Shared(settings.REDIS_URL), Shared(settings.REDIS_URL)
    asked = []
    for one in (here, there):
        ask = one.script
        one.script = lambda ask=ask, **given: [asked.append(1), ask(**given)][1]
    key, budget, allowed = f"test-{time.time_ns()}", Budget(500, 3600), 0
    while (mine := here.spend(key, budget).ok) | (yours := there.spend(key, budget).ok):
        allowed += mine + yours
    assert 490 <= allowed <= 501  # a 3600th of the budget comes back meanwhile
    assert len(asked) <= 110
