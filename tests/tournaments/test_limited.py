"""Draft and sealed stages through the front door: seated by lot, drafted, built from exactly the own pool, played."""

import io
import json
from collections import Counter
from random import Random

import pytest
from django.core.management import call_command

from decks import services as decks
from decks.cards import catalogue
from drafting import services as drafting
from events import commands, deadlines, heads, store, verification
from games import tasks as bots
from tests.drafting.play import Drafter
from tests.games.play import Player
from tests.http import Api, problem
from tests.tournaments.test_games import play_out
from tournaments import checker, drafts, limited, tasks
from tournaments.models import MatchGame, PodDraft

DRAFT = [{"kind": "draft"}, {"kind": "swiss", "rounds": 1}]


def draft_on(event, people=None, seed: int = 1) -> None:
    """All drafts of the stage to their end: people pick over HTTP, bots by themselves."""
    event.house()
    rng, people = Random(seed), people or {}
    for row in PodDraft.objects.filter(tournament=event.stream, reported=False):
        pod = next(p for p in event.state.preparing.pods if p.draft == row.draft)
        here = {pod.players.index(n): Drafter(one, row.draft) for n, one in people.items() if n in pod.players}
        while not heads.current(row.draft).state.ended:
            bots.play_on(row.draft)
            for drafter in here.values():
                if asked := drafter.asked:
                    drafter.answer(asked, rng)
        drafts.report(row.draft)


@pytest.fixture
def event(desk, person):
    """Two people and four bots who have drafted, and may build."""
    found = desk(0, DRAFT, rulebook="epic", best_of=1)
    found.people = {1: person(), 2: person()}
    for someone in found.people.values():
        found.register(someone)
    found.say("bots", count=4)
    found.say("start")
    draft_on(found, found.people)
    return found


def pool_of(event, number: int) -> dict[str, int]:
    draft = event.see("/me", who=event.players[number])["draft"]["draft"]
    reply = event.players[number].read(f"/drafts/{draft}/pool")
    return json.loads(reply.content)["pool"]


def of_pool(pool, deck: int = 30, side: int = 15):
    """A deck of the first cards, a sideboard of the next."""
    cards = [card for card, n in sorted(pool.items()) for _ in range(n)]
    return {"deck": dict(Counter(cards[:deck])), "sideboard": dict(Counter(cards[deck : deck + side]))}


def test_a_draft_is_drafted_built_sealed_and_played(event):
    seen = event.see("/stages/0/pods")
    assert (seen["status"], [len(pod["players"]) for pod in seen["pods"]]) == ("building", [6])
    assert seen["missing"] == [1, 2, 3, 4, 5, 6]
    [pod] = seen["pods"]
    last = store.read(pod["draft"])[-1]
    assert (last.seq, last.hash.hex()) == (pod["seq"], pod["hash"]), "the draft reports the head of its stream"
    early = event.organiser.do(f"/drafts/{pod['draft']}/open-seals", {"command_id": "now"})
    problem(early, 403, "not_yours")  # the tournament opens its drafts, when it is over
    event.house()
    assert event.see("/stages/0/pods")["missing"] == [1, 2], "bots have handed in"
    mine = {number: of_pool(pool_of(event, number)) for number in (1, 2)}
    first = event.say("decks", who=event.players[1], deck=of_pool(pool_of(event, 1), 45, 0))
    assert {"deck", "salt"}.isdisjoint(first["action"])
    problem(event.players[2].read(f"/tournaments/{event.stream}/decks/1"), 403, "not_yours")
    assert event.state.stage == 0
    event.say("decks", who=event.players[1], deck=mine[1])  # again: until the last one is in
    event.say("decks", who=event.players[2], deck=mine[2])
    assert event.state.stage == 1, "the next stage begins by itself"
    assert event.see("/stages/0/pods")["status"] == "done"
    problem(event.say("decks", None, event.players[1], deck=mine[1]), 409, "over")
    shown = {line["number"]: line for line in event.see("/decks")["data"]}
    assert [shown[n]["auto"] for n in (1, 2, 3, 4, 5, 6)] == [False, False, True, True, True, True]
    own = event.see("/decks/1", who=event.players[1])
    assert own["deck"] == mine[1]
    assert decks.sealed_hash(event.stream, "epic/draft", bytes.fromhex(own["salt"]), own["deck"]) == own["hash"]

    event.round()
    event.house()
    plays_with_what_was_handed_in(event, mine)
    finish(event)
    assert event.see("/decks/1", who=event.players[2])["deck"] == mine[1], "open when the event is over"
    everything_is_proved(event)


def plays_with_what_was_handed_in(event, mine) -> None:
    for number, someone in event.people.items():
        [game] = event.see("/me", who=event.players[number])["games"]
        player = Player(someone, game["game"])
        refused = player.say("join", None, seat=game["seat"], ready=True, deck=["EP001"] * 30)
        assert problem(refused, 422, "illegal")["errors"][0]["pointer"] == "/deck"
        player.say("join", seat=game["seat"], ready=True)
        table = heads.current(game["game"]).state
        assert table.chairs[game["seat"]].deck == decks.brought("epic/draft", mine[number])
    for number in (3, 4, 5, 6):
        match = next(match for match in event.state.matches.values() if number in match.players)
        seat = match.players.index(number)
        game = MatchGame.objects.get(tournament=event.stream, match=match.id).game
        deck = heads.current(game).state.chairs[seat].deck
        used = Counter(deck["deck"]) + Counter(deck["sideboard"])
        assert used <= Counter(drafts.pool_of(event.state, number)), "a bot plays what it drafted"


def finish(event) -> None:
    for match in event.state.open_matches():
        event.say(f"matches/{match.id}/rule", wins=[1, 0], reason="seen")
    event.say("advance")
    event.house()
    event.say("close")


def everything_is_proved(event) -> None:
    """The pods are seated again, the drafts' seeds follow from the tournament's, the drafts are those it names."""
    assert verification.check(event.stream).ok, str(verification.check(event.stream))

    def exported(path):
        reply = event.organiser.read(path)
        return b"".join(reply.streaming_content).decode().splitlines()

    lines = exported(f"/tournaments/{event.stream}/export")
    drafted = [pod.draft for pod in event.state.limited[0].pods]
    files = [exported(f"/drafts/{draft}/export") for draft in drafted]
    rounds, words = checker.examine(lines, others=files)
    assert len(rounds) == len(event.state.rounds)
    assert "seated again, seeds of their drafts derived" in words[0]
    assert [draft in said for draft, said in zip(drafted, words[1:], strict=True)] == [True] * len(drafted)
    assert all(verification.check(draft).ok for draft in drafted)
    seated = next(n for n, line in enumerate(lines) if '"pods"' in line and '"limited"' in line)
    with pytest.raises(checker.Bad, match="the pods of stage 0"):
        checker.check(rechained(lines, seated, swap_two_seats))
    with pytest.raises(checker.Bad, match="does not follow"):
        checker.examine(lines, others=[files[0][:5] + files[0][6:]])
    with pytest.raises(checker.Bad, match="no draft and no game"):
        checker.examine(lines, others=[lines])


def swap_two_seats(envelope) -> None:
    pods = next(effect for effect in envelope["body"]["effects"] if effect["e"] == "limited")["set"]["pods"]
    players = pods[0]["players"]
    players[0], players[1] = players[1], players[0]


def rechained(lines, at: int, change) -> list[str]:
    """A forger changes one event and makes every hash anew from there on."""
    forged, before = [], None
    for number, line in enumerate(lines):
        record = json.loads(line)
        if record["t"] == "event":
            if number == at:
                change(record["envelope"])
            if before:
                record["envelope"]["prev"] = before
            record["hash"] = before = checker.digest("event", checker.canonical(record["envelope"]))
        forged.append(json.dumps(record))
    return forged


def test_a_deck_is_of_exactly_the_own_pool(event):
    """Every violation at once, each with its rule; nothing has changed."""
    pool, other = pool_of(event, 1), pool_of(event, 2)
    card = next(card for card, n in pool.items() if n == 1)
    stranger = next(card for card in other if card not in pool)
    deck = of_pool(pool)
    deck["deck"] |= {card: 2, stranger: 1}
    deck["sideboard"].popitem()
    before = event.state.seq
    refused = problem(event.say("decks", None, event.players[1], deck=deck), 422, "illegal")
    found = {(error["code"], tuple(error["cards"])) for error in refused["errors"]}
    names = {key: card.name for key, card in catalogue("epic").items()}
    assert {("not_in_pool", (names[card],)), ("not_in_pool", (names[stranger],))} <= found
    assert "wrong_size" in {code for code, _ in found}
    assert all(error["rule"].startswith("EP-1") for error in refused["errors"])
    problem(event.say("decks", None, event.players[1], deck={"deck": {"EP999": 30}}), 422, "illegal")
    problem(event.say("decks", None, event.players[1], deck=["EP001"]), 422, "invalid_body")
    problem(event.say("decks", None, event.players[1]), 422, "invalid_body")
    problem(event.say("decks", None, deck=of_pool(pool)), 403, "not_yours")
    assert event.state.seq == before
    text = "\n".join(f"{n} {names[key]}" for key, n in of_pool(pool)["deck"].items())
    event.say("decks", who=event.players[1], text=text)


@pytest.fixture
def late(monkeypatch):
    real = commands.now_ms

    def later(ms: int) -> None:
        monkeypatch.setattr(commands, "now_ms", lambda: real() + ms)

    return later


def test_who_hands_in_nothing_in_time_plays_a_deck_of_the_house(event, late):
    event.house()
    event.say("decks", who=event.players[1], deck=of_pool(pool_of(event, 1)))
    [due] = heads.current(event.stream).decider.due(event.state)
    assert due.at - event.state.at < 1_500_001
    late(1_600_000)
    problem(event.say("decks", None, event.players[2], deck=of_pool(pool_of(event, 2))), 409, "over")
    deadlines.project(heads.current(event.stream))
    assert deadlines.fire_stream(event.stream) == 1
    problem(event.say("decks", None, event.players[2], deck=of_pool(pool_of(event, 2))), 409, "over")
    event.house()
    assert event.state.stage == 1
    one = event.state.entrants[2]
    assert one.auto
    deck = event.see("/decks/2", who=event.players[2])["deck"]
    assert decks.check("epic/draft", deck, drafts.pool_of(event.state, 2)) == []
    assert [stored.do for stored in store.read(event.stream)].count("submit_deck") == 6


def test_everything_can_be_done_twice(desk, monkeypatch):
    """A worker killed anywhere: one draft for each pod, with the same packs."""
    event = desk(0, [{"kind": "sealed", "options": {"packs": 3}, "seats": 3}, {"kind": "swiss"}], rulebook="epic")
    event.say("bots", count=6)
    event.say("start")
    real, calls = drafting.games.start_if_ready, []

    def killed(stream):
        calls.append(stream)
        raise KeyboardInterrupt

    monkeypatch.setattr("games.services.start_if_ready", killed)
    with pytest.raises(KeyboardInterrupt):
        event.house()  # after the first draft was opened, before it began
    monkeypatch.setattr("games.services.start_if_ready", real)
    PodDraft.objects.filter(tournament=event.stream).delete()
    event.house()
    event.house()
    pods = event.state.limited[0].pods
    assert [pod.draft for pod in pods] == list(
        PodDraft.objects.filter(tournament=event.stream).order_by("pod").values_list("draft", flat=True)
    )
    assert calls == [pods[0].draft]
    for pod in pods:
        assert heads.current(pod.draft).state.table.outcome.result == "drafted", "sealed: nothing to pick"
        PodDraft.objects.filter(draft=pod.draft).update(reported=False)
        drafts.report(pod.draft)
    event.house()
    event.house()
    said = Counter(stored.do for stored in store.read(event.stream))
    assert (said["open_drafts"], said["drafted"], said["submit_deck"]) == (1, 2, 6)
    assert event.state.stage == 1


@pytest.mark.parametrize("kind", ["sealed", "draft"])
def test_a_draft_that_ends_before_the_tournament_knows_it_is_heard(desk, monkeypatch, kind):
    """The worker that opens the drafts is slow, or dies; meanwhile others play them to the end and report them."""
    event = desk(0, [{"kind": kind, "options": {"packs": 3}}, {"kind": "swiss"}], rulebook="epic")
    event.say("bots", count=4)
    event.say("start")

    def die(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(drafts, "tell", die)
        with pytest.raises(KeyboardInterrupt):
            event.house()
    row = PodDraft.objects.get(tournament=event.stream)
    while not heads.current(row.draft).state.ended:
        bots.play_on(row.draft)
    tasks.report_draft(row.draft)
    assert event.state.limited[0].status == "seated"
    event.house()
    assert event.state.limited[0].status == "building"
    assert [stored.do for stored in store.read(event.stream)].count("drafted") == 1


def test_sealed_two_leaves_no_choice_so_nobody_waits(desk, person):
    event = desk(0, [{"kind": "sealed", "options": {"packs": 2}}, {"kind": "swiss"}], rulebook="epic")
    for _ in range(2):
        event.register(person())
    event.say("start")
    draft_on(event)
    event.house()
    assert event.state.stage == 1
    deck = event.see("/decks/1", who=event.players[1])["deck"]
    assert sum(deck["deck"].values()) == 30


def test_who_leaves_a_draft_holds_nobody_up(desk, person):
    event = desk(0, DRAFT, rulebook="epic", best_of=1)
    people = {1: person(), 2: person()}
    for someone in people.values():
        event.register(someone)
    event.say("bots", count=2)
    event.say("start")
    event.house()
    event.say("drop", who=event.players[2])
    problem(event.say("register", None, Api(person().token)), 409, "over")
    event.house()  # a bot picks on
    draft_on(event, {1: people[1]})
    event.house()
    assert event.see("/stages/0/pods")["missing"] == [1]
    event.say("decks", who=event.players[1], deck=of_pool(pool_of(event, 1)))
    assert event.state.stage == 1
    problem(event.say("return", None, event.players[2]), 409, "over")
    assert {n for match in event.round() for n in match["players"]} == {1, 3, 4}


def test_theos_pods_play_among_themselves(desk, person):
    """TH-4.2: every card exists once in a pod, so opponents are of one's own; a final drafts at its tables."""
    stages = [{"kind": "draft"}, {"kind": "swiss", "in_pods": True}, {"kind": "single", "cut": 2}]
    reply = refused(person, stages, rulebook="theos")
    assert reply["errors"][0]["pointer"] == "/stages/2/in_pods"
    stages[2]["options"] = {"decks": "draft"}
    event = desk(0, stages, rulebook="theos", best_of=1)
    event.say("bots", count=8)
    event.say("start")
    draft_on(event)
    event.house()
    pods = [set(pod.players) for pod in event.state.limited[0].pods]
    assert [len(pod) for pod in pods] == [4, 4]
    for _ in range(3):
        for match in event.round():
            assert any(set(match["players"]) <= pod for pod in pods)
        play_out(event)
    met = Counter(tuple(sorted(match.players)) for match in event.state.matches.values())
    assert set(met.values()) == {1}, "three rounds in pods of four: everybody once"
    event.say("advance")
    event.round()
    play_out(event)
    event.say("advance")
    event.house()
    event.say("close")
    everything_is_proved(event)


def refused(person, stages, **rules):
    body = {"command_id": "planned", "title": "Winter Open", "stages": stages} | rules
    return problem(Api(person("organiser").token).do("/tournaments", body), 422, "illegal")


@pytest.mark.parametrize(
    ("stages", "rules", "pointer"),
    [
        ([{"kind": "draft", "options": {"packs": 1}}, {"kind": "swiss"}], {"rulebook": "titans"}, "/stages/0/options"),
        ([{"kind": "draft", "draft": "epic"}, {"kind": "swiss"}], {"rulebook": "epic"}, "/stages/0/draft"),
        ([{"kind": "draft", "draft": "nothing"}, {"kind": "swiss"}], {"rulebook": "epic"}, "/stages/0/draft"),
        ([{"kind": "draft", "options": {"flavour": 1}}, {"kind": "swiss"}], {"rulebook": "epic"}, "/stages/0/options"),
        ([{"kind": "draft", "seats": 6}, {"kind": "swiss"}], {"rulebook": "theos"}, "/stages/0/seats"),
        ([{"kind": "draft"}, {"kind": "swiss"}], {"rulebook": "epic", "team": 2}, "/stages/0/kind"),
        ([{"kind": "draft"}, {"kind": "swiss"}], {"rulebook": "epic", "decks": True}, "/decks"),
        ([{"kind": "swiss", "in_pods": True}], {"rulebook": "epic"}, "/stages/0/in_pods"),
        ([{"kind": "swiss"}], {"rulebook": "epic", "decks": True}, "/format"),
        ([{"kind": "swiss"}], {"rulebook": "epic", "decks": True, "format": "epic/none"}, "/format"),
        ([{"kind": "swiss"}], {"rulebook": "epic", "decks": True, "format": "epic/draft"}, "/format"),
        ([{"kind": "swiss"}], {"rulebook": "epic", "decks": True, "format": "titans/constructed"}, "/format"),
        ([{"kind": "swiss"}], {"rulebook": "theos", "decks": True, "format": "theos/prebuilt"}, "/format"),
        ([{"kind": "swiss"}], {"rulebook": "epic", "format": "epic/designed"}, "/format"),
        ([{"kind": "swiss"}], {"rulebook": "titans", "decks": True, "format": "titans/constructed-solo"}, "/format"),
    ],
)
def test_what_cannot_be_drafted_or_played_is_refused_before_anybody_registers(person, stages, rules, pointer):
    assert refused(person, stages, **rules)["errors"][0]["pointer"] == pointer


def test_workers_run_the_whole_stage(desk, worker):
    from tests.conftest import wait_for

    event = desk(0, [{"kind": "draft", "seats": 3}, {"kind": "swiss", "rounds": 1}], rulebook="epic", best_of=1)
    event.say("bots", count=6)
    event.say("start")
    wait_for(lambda: event.state.stage == 1, 60)
    event.say("pair")
    wait_for(lambda: event.state.now.status == "proposed", 30)
    event.say("publish")
    wait_for(lambda: event.state.now.status == "closed", 60)
    event.say("advance")
    drafted = [pod.draft for pod in event.state.limited[0].pods]
    wait_for(lambda: all(heads.current(draft).state.seals_open for draft in drafted), 30)


@pytest.mark.parametrize("rulebook", ["epic", "theos"])
def test_the_demo_drafts_plays_and_proves(db, rulebook):
    out = io.StringIO()
    call_command("demo-tournament", players=4, rulebook=rulebook, best_of=3, stdout=out)
    lines = out.getvalue().splitlines()
    assert lines[1].strip() == "draft → swiss"
    assert "1 pod of 4" in lines[2]
    assert f"4 decks handed in, sealed ({rulebook}/draft)" in lines[2]
    assert [line.split() for line in lines if "verified" in line] == [
        ["verified", "True"], ["drafts", "verified", "1"], ["games", "verified", "3"]
    ]  # fmt: skip


def test_paper_events_get_their_pods_too(desk):
    event = desk(5, [{"kind": "draft", "seats": 3}, {"kind": "swiss"}])
    event.say("start")
    seen = event.see("/stages/0/pods")
    assert sorted(map(len, (pod["players"] for pod in seen["pods"]))) == [2, 3]
    assert seen["pods"] == limited.view(event.state, 0)["pods"]
    event.say("advance")
    assert len(event.round()) == 3
    assert tasks.run_house(event.stream) == "nothing to do"
