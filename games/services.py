"""What can be done with games. Each use case is a straight line down the one write path; a repeated command id repeats
the first reply."""

import contextlib
from typing import Any

import msgspec

from accounts.models import User
from events import audit, commands, heads, participants, store, texts
from events.deadlines import command_id as due_id
from events.decider import Record
from events.errors import Rejected
from games import lists
from games.access import acting, actor_of, look, may_watch, takes_part
from games.kernel import part_view
from games.kernel import preview as kernel_preview
from games.kernel.errors import Rejected as KernelRejected
from games.lists import KINDS
from games.offers import takeback_target
from games.state import Game, humans, people
from games.turn import rejected


def create(person: User, terms: Record, seats: int, command_id: str, kind: str = "game") -> store.Stored:
    """A game with its terms. The id follows from who asks and the command: creating can be repeated."""
    stream = commands.new_stream_id(kind, str(person.pk), command_id)
    return commands.open_stream(
        kind, seats, stream=stream, actor=acting(stream, person), action={"do": "create", "seats": seats, **terms},
        command_id=command_id,
    )  # fmt: skip


def act(
    stream: str, person: User, action: Record, command_id: str, expected_seq: int | None = None, **written: str
) -> store.Stored:
    """Anything a participant does in a game."""
    actor = acting_in(stream, person, action["do"])
    return commands.execute(
        stream, actor=actor, action=action, command_id=command_id, expected_seq=expected_seq, written=written or None
    )


def answer(
    stream: str, person: User, decision: str, path: list[Any], command_id: str, expected_seq: int | None = None
) -> store.Stored:
    """Answer an open decision. Its id is the precondition."""
    return act(stream, person, {"do": "answer", "decision": decision, "path": path}, command_id, expected_seq)


NEWCOMERS = frozenset({"join", "take_over"})  # what somebody does who is no participant yet


def acting_in(stream: str, person: User, do: str) -> str:
    """The participant. Having tried to be one (a seat that was taken) is no right to see a private game."""
    actor, kind = actor_of(stream, person), heads.known(stream).key.kind
    if actor is None or not may_act(heads.known(stream), actor):
        seen = look(stream, person, kind=kind if kind in KINDS else "game")
        if actor is None and do not in NEWCOMERS:
            raise Rejected("not_yours", f"You have no seat in this {kind}.", seq=seen.head.seq)
    if do in NEWCOMERS and "audit:read" in person.may and not audit.has_looked(person.pk, stream):
        audit.sits_down(person.pk, stream)
    if do in NEWCOMERS and audit.has_looked(person.pk, stream):
        detail = f"You have looked at this {kind} as a judge, so you cannot play in it."
        raise Rejected("not_yours", detail, seq=heads.known(stream).seq)
    return actor or acting(stream, person)


def needed(expected_seq: int | None) -> int:
    if expected_seq is None:
        raise Rejected(
            "precondition_required", "Say which state you act on: `expected_seq`, or `If-Match` with the ETag.",
            [{"pointer": "/expected_seq", "code": "missing", "detail": "the seq of the state you have seen"}],
        )  # fmt: skip
    return expected_seq


def may_act(head: heads.Head, actor: str) -> bool:
    return head.key.kind in KINDS and may_watch(head.state, actor)


def dispute(
    stream: str, person: User, about: int, command_id: str, expected_seq: int | None, *, judge: bool, reason: str
) -> store.Stored:
    """Something went wrong at a seq, says somebody who plays or played, the host, or a judge."""
    judge = judge and heads.known(stream).key.kind == "game"
    actor = acting(stream, person) if judge else acting_in(stream, person, "dispute")
    head = heads.current(stream)
    if not judge and not takes_part(head.state, actor):
        raise Rejected("not_yours", "Only who takes part disputes what happened, or a judge.", seq=head.seq)
    return commands.execute(
        stream, actor=actor, action={"do": "dispute", "about": about}, command_id=command_id,
        expected_seq=expected_seq, written={"reason": reason},
    )  # fmt: skip


def say_farewell(person: User, **_: object) -> None:
    """Somebody is about to be erased and will never answer again: nobody shall wait for them."""
    for kind in sorted(KINDS):
        for row in lists.games(person.pk, "mine", kind).filter(phase__in=["lobby", "ready", "play"], sandbox=False):
            do = "concede" if row.phase == "play" else "leave"
            with contextlib.suppress(Rejected):
                act(row.stream, person, {"do": do}, f"farewell-{do}")


# --- the lobby ---


def join(stream: str, person: User, seat: Record, command_id: str, expected_seq: int | None = None) -> store.Stored:
    event = act(stream, person, {"do": "join", **seat}, command_id, expected_seq)
    start_if_ready(stream)
    return event


def fill(stream: str, person: User, bots: Record, command_id: str, expected_seq: int | None = None) -> store.Stored:
    event = act(stream, person, {"do": "fill", **bots}, command_id, expected_seq)
    start_if_ready(stream)
    return event


def start_if_ready(stream: str) -> None:
    """When everybody was ready before the last one came. The deadline of the same name does it if we cannot."""
    for due in heads.known(stream).decider.due(heads.known(stream).state):
        if due.key == "start":
            try:
                commands.execute(stream, actor=due.actor, action=due.action, command_id=due_id(stream, due.key))
            except Rejected:
                return  # the deadline was quicker, or somebody left


# --- playing ---


def preview(stream: str, person: User, action: Record) -> dict[str, Any] | None:
    """The next part of an answer or an any-time act that is being composed; None: it is complete. Nothing happens."""
    seen = look(stream, person)
    game, actor = seen.game, seen.actor
    ask = game.table.open.get(str(action.get("decision")))
    seat = ask.chooser if ask and actor and game.may_play(ask.chooser, actor) else game.seat_of(actor or "")
    if seat is None:
        raise Rejected("not_yours", "You have no seat in this game.", seq=seen.head.seq)
    try:
        missing = kernel_preview(game.table, {**action, "seat": seat})
    except KernelRejected as refusal:
        raise rejected(refusal).at(seen.head.seq) from None
    return None if missing is None else part_view(missing)


# --- offers ---


def offer(stream: str, person: User, action: Record, command_id: str, expected_seq: int | None = None) -> store.Stored:
    actor = acting_in(stream, person, "offer")
    if earlier := repeated(stream, actor, command_id, action):
        return after_agreement(earlier)
    game: Game = heads.current(stream).state
    if game.rematch:
        make_rematch(stream)  # it was agreed on; whoever was to make it may have been cut off
    if action["offer"] == "takeback" and people(game) == [seat := game.seat_of(actor)]:  # nobody else to ask
        action = with_table(stream, action, takeback_target(game, seat))
    elif action["offer"] == "rematch":
        action = {**action, "game": rematch_id(stream)}
    event = commands.execute(stream, actor=actor, action=action, command_id=command_id, expected_seq=expected_seq)
    return after_agreement(event)


def accept(stream: str, person: User, offer_id: str, command_id: str, expected_seq: int | None = None) -> store.Stored:
    actor = acting_in(stream, person, "accept")
    action: Record = {"do": "accept", "id": offer_id}
    if earlier := repeated(stream, actor, command_id, action):
        return after_agreement(earlier)
    made = heads.current(stream).state.offers.get(offer_id)
    if made and made.kind == "takeback":
        action = with_table(stream, action, made.to)
    elif made and made.kind == "rematch":
        action = {**action, "game": rematch_id(stream)}
    event = commands.execute(stream, actor=actor, action=action, command_id=command_id, expected_seq=expected_seq)
    return after_agreement(event)


def with_table(stream: str, action: Record, to: int | None) -> Record:
    """What goes back to an earlier moment carries its table, sealed: history is the only place to have it from."""
    return action if to is None else {**action, "to": to, "table": table_at(stream, to)}


def table_at(stream: str, seq: int) -> Record:
    table: Record = msgspec.to_builtins(heads.at(stream, seq).state.table)
    return table


def repeated(stream: str, actor: str, command_id: str, said: Record, **written: str) -> store.Stored | None:
    """The first reply to a command that the service completes from history: a repeat is recognised by what its sender
    said and wrote, for what history adds may be more by now."""
    earlier = store.find(stream, actor, command_id)
    if earlier is None:
        return None
    stored = earlier.records("table")[0]
    if {name: stored.get(name) for name in said} != said or not texts.same(stored, written):
        raise Rejected("key_reused", "This command id was already used for another request.", seq=earlier.seq)
    return earlier


# --- a rematch ---


def rematch_id(stream: str) -> str:
    return commands.new_stream_id("game", "rematch", stream)


def after_agreement(event: store.Stored) -> store.Stored:
    """Whoever completes the agreement on a rematch makes the game; repeating the command repeats that too."""
    if any(effect.get("e") == "rematch" for effect in event.content["body"]["effects"]):
        make_rematch(event.stream)
    return event


def make_rematch(stream: str) -> None:
    """The same terms, the same people in the same seats; each brings a new number or asks for the house's."""
    old: Game = heads.at(stream, store.head_seq(stream)).state
    new, terms = rematch_id(stream), msgspec.to_builtins(old.terms_)
    invited = [""] * old.seats
    for seat in humans(old):
        person = participants.person_of(old.chairs[seat].actor)
        if person is not None:
            invited[seat] = participants.of(new, person)
    host = next((actor for actor in invited if actor), participants.ARBITER)
    terms.pop("house_decks", None)  # a rematch is no game of the tournament any more
    action = {"do": "create", **terms, "invited": invited, "rematch_of": stream}
    commands.open_stream("game", old.seats, stream=new, actor=host, action=action, command_id=f"rematch-{stream}")
    bots = [seat for seat, chair in enumerate(old.chairs) if chair.bot]
    if bots:
        fill_in = {"do": "fill", "bot": old.chairs[bots[0]].bot, "seats": bots}
        commands.execute(new, actor=host, action=fill_in, command_id=f"bots-{stream}")
