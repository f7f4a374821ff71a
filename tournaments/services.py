"""What can be done with tournaments. Each use case is a straight line down the one write path."""

import contextlib
from collections import OrderedDict
from typing import Any, NamedTuple

from accounts.models import User
from events import commands, heads, participants, store
from events.canonical import digest, encode
from events.decider import Record
from events.errors import Rejected
from events.models import Participant
from events.participants import ARBITER
from tournaments import folds, groups, reasons
from tournaments.core import swiss
from tournaments.core.standings import Standings
from tournaments.models import Tournament as Row
from tournaments.state import Round, Tournament

TRIES = 50  # at a stream that moves while we compute
GONE = frozenset({"stale", "key_reused", "exists", "illegal", "over"})


def create(person: User, rules: Record, command_id: str) -> store.Stored:
    """A tournament with its rules, committed to its seed before anybody registers."""
    stream = commands.new_stream_id("tournament", str(person.pk), command_id)
    return commands.open_stream(
        "tournament", 0, stream=stream, actor=participants.of(stream, person.pk), action={"do": "create", **rules},
        command_id=command_id,
    )  # fmt: skip


def look(stream: str, at: int | None = None, min_seq: int = 0) -> heads.Head:
    """The tournament now, or right after any of its events."""
    head = heads.current(stream, min_seq)
    if head.key.kind != "tournament":
        raise Rejected("unknown", f"There is no tournament {stream!r}.")
    return head if at is None else heads.at(stream, at)


class Ranked(NamedTuple):
    standings: Standings
    final: list[int]  # the whole event, the best first


RANKED: OrderedDict[tuple[str, bytes], Ranked] = OrderedDict()  # of the moments looked at last: a large event is paged
KEPT = 16


def ranked(head: heads.Head) -> Ranked:
    """Standings of this moment. They follow from the log up to it, whose hash is the head's."""
    name = (head.state.stream, head.hash)
    found = RANKED.get(name) or Ranked(folds.ranking(head.state), folds.final_order(head.state))
    RANKED[name] = found
    while len(RANKED) > KEPT:
        try:
            RANKED.popitem(last=False)
        except KeyError:  # another thread was quicker
            break
    return found


NEWCOMERS = frozenset({"register"})


def act(
    stream: str, person: User, action: Record, command_id: str, expected_seq: int | None = None, **written: str | None
) -> store.Stored:
    """Anything a person does in a tournament."""
    head = look(stream)
    actor = participants.find(stream, person.pk)
    if actor is None:
        if action["do"] not in NEWCOMERS:
            raise Rejected("not_yours", "You are no part of this tournament.", seq=head.seq)
        actor = participants.of(stream, person.pk)
    words = {name: text for name, text in written.items() if text}
    if "group" in words:
        action = {**action, "token": groups.token(stream, words["group"])}
    return commands.execute(
        stream, actor=actor, action=action, command_id=command_id, expected_seq=expected_seq, written=words or None
    )


def actors(stream: str, names: list[str], where: str = "/names/{}") -> list[str]:
    """People by name, as participants of this stream. `where` they stand in the request."""
    found = {person.name: person for person in User.objects.filter(name__in=names)}
    if missing := [name for name in names if name not in found]:
        wrong = [
            {"pointer": where.format(names.index(n)), "code": "unknown", "detail": "nobody is called so"}
            for n in missing
        ]
        raise Rejected("illegal", f"Nobody is called {', '.join(missing)}.", wrong)
    return [participants.of(stream, found[name].pk) for name in names]


# --- the round the house computes ---


def propose(stream: str, algorithm: str = swiss.ALGORITHM) -> str:
    """Compute the round that was called and put it to the tournament: once, however many workers do it, wherever they
    are killed. The command id follows from the round and the attempt; the state it was computed on is its precondition.
    Returns what became of it."""
    for _ in range(TRIES):
        head = heads.current(stream)
        round_ = head.state.now
        if round_ is None or round_.status != "called":
            return "nothing to pair"
        name: Record = {"round": round_.number, "attempt": round_.attempt}
        try:
            found = folds.compute(head.state, round_, algorithm=algorithm)
            action = {"do": "propose", **name, "at": head.seq, **found.record()}
        except swiss.Infeasible as none:
            stuck = {"stuck": none.stuck, "partners": none.partners, "missing": none.missing}
            action = {"do": "infeasible", **name, **stuck}
        try:
            commands.execute(
                stream, actor=ARBITER, action=action, command_id=f"round-{round_.number}-{round_.attempt}",
                expected_seq=head.seq,
            )  # fmt: skip
        except Rejected as refusal:
            if refusal.code not in GONE or (refusal.code == "illegal" and refusal.seq == head.seq):
                raise
            heads.current(stream)
            continue
        return str(action["do"])
    raise Rejected("busy", "The tournament moves too fast to be paired; it will be tried again.")


def before(stream: str, round_: Round) -> Tournament:
    """The state a round was paired in."""
    state: Tournament = heads.at(stream, round_.proposed - 1).state
    return state


def the_round(state: Tournament, number: int) -> Round:
    if not 1 <= number <= len(state.rounds):
        raise Rejected("unknown", f"There is no round {number}; {len(state.rounds)} were called.", seq=state.seq)
    return state.rounds[number - 1]


def proposed_round(state: Tournament, number: int) -> Round:
    round_ = the_round(state, number)
    if not round_.proposed or round_.status in ("called", "stuck"):
        raise Rejected("illegal", f"Round {number} is {round_.status}: there is no pairing to look at.", seq=state.seq)
    return round_


def verify_round(stream: str, number: int) -> dict[str, Any]:
    """The round computed again from the state before it, compared byte for byte with what was proposed."""
    round_ = proposed_round(look(stream).state, number)
    said = store.read(stream, round_.proposed - 1, upto=round_.proposed)[0].content["body"]["action"]
    stored = encode({name: said[name] for name in ("algorithm", "tables", "cost")})
    again = encode(folds.again(before(stream, round_), round_, round_.algorithm).record())
    return {
        "ok": stored == again, "round": number, "attempt": round_.attempt, "algorithm": round_.algorithm,
        "computed_at": round_.proposed - 1, "key": round_.key, "stored": digest("round", stored).hex(),
        "recomputed": digest("round", again).hex(),
        "words": f"Computed again from the tournament as it stood at event {round_.proposed - 1} and the key drawn in "
        f"event {round_.called}: {'the same, byte for byte.' if stored == again else 'NOT what was proposed.'}",
    }  # fmt: skip


def explain(stream: str, number: int, table: int) -> dict[str, Any]:
    state = look(stream).state
    round_ = proposed_round(state, number)
    match = state.matches.get(f"r{number}t{table}")
    if match is None:
        raise Rejected("unknown", f"Round {number} has no table {table}.", seq=state.seq)
    return {
        "round": number,
        "table": table,
        **reasons.explain(before(stream, round_), round_, match.players, match.node),
    }


def say_farewell(person: User, **_: object) -> None:
    """Somebody is about to be erased: they leave every tournament that goes on, and nobody is paired with nobody."""
    mine = dict(Participant.objects.filter(person_id=person.pk).values_list("stream", "id"))
    for row in Row.objects.filter(stream__in=list(mine), phase__in=["registration", "running"]):
        own = look(row.stream).state.entrant_of(mine[row.stream])
        if own and own.actor == mine[row.stream] and own.status in ("in", "waiting"):
            with contextlib.suppress(Rejected):
                act(row.stream, person, {"do": "drop"}, "farewell-drop")


def needs_organiser(stream: str, person: User) -> None:
    """Before people are looked up by name: only who may."""
    head = look(stream)
    if head.state.staff.get(participants.find(stream, person.pk) or "") != "organiser":
        raise Rejected("not_yours", "Only organisers of this tournament do that.", seq=head.seq)
