"""The house in a draft stage: it opens drafts, hears how they ended, and hands in decks for bots and for who was late.
All of it can be done again without harm: ids follow from the tournament, seeds from its secret, decks from its keys."""

from __future__ import annotations

import logging

from django.conf import settings

from accounts.models import User
from decks import building
from decks import services as decks
from decks.formats import format_named
from drafting import services as drafting
from events import commands, heads, participants
from events.canonical import keyed
from events.errors import Rejected
from events.participants import ARBITER
from games.state import Game
from tournaments import limited
from tournaments.models import PodDraft
from tournaments.state import Limited, Pod, Tournament

log = logging.getLogger("tournaments")

GONE = frozenset({"stale", "exists", "over", "key_reused", "unknown"})
"""Somebody else has done it, or nobody waits for it any more."""


def open_all(stream: str) -> int:
    """A draft for every pod of the stage that has been seated. How many there are."""
    head = heads.current(stream)
    state: Tournament = head.state
    found = state.preparing
    if found is None or found.status != "seated":
        return 0
    drafts = [
        {"pod": pod.number, "draft": draft_id(state, found, pod), "commit": open_one(state, found, pod, head.key.seed)}
        for pod in found.pods
    ]
    tell(stream, {"do": "open_drafts", "stage": found.stage, "drafts": drafts}, f"drafts-{found.stage}")
    for draft in drafts:
        report(draft["draft"])  # sealed ones are over already; others may be, if a worker before us died here
    return len(drafts)


def draft_id(state: Tournament, found: Limited, pod: Pod) -> str:
    return commands.new_stream_id("draft", "pod", state.stream, found.stage, pod.number)


def pod_seed(seed: bytes, state: Tournament, found: Limited, pod: Pod) -> bytes:
    """From the seed the tournament had committed to before registration, and the stage's key: nobody chooses packs.
    Anybody can compute it when the tournament is closed (tournaments/checker.py does)."""
    return keyed(seed, "pod-seed", state.stream, found.key, pod.number)


def open_one(state: Tournament, found: Limited, pod: Pod, seed: bytes) -> str:
    """One pod sits down and drafts. Its commitment."""
    rules, stage, draft = state.rules_, state.rules_.stages[found.stage], draft_id(state, found, pod)
    terms = {
        "rulebook": limited.draft_of(rules, stage), "options": limited.options_of(rules, stage),
        "clock": stage.clock or limited.CLOCK,
        "match": {"tournament": state.stream, "stage": found.stage, "pod": pod.number},
    }  # fmt: skip
    row = {"tournament": state.stream, "stage": found.stage, "pod": pod.number}
    PodDraft.objects.get_or_create(draft=draft, defaults=row)
    return drafting.open_pod(draft, terms, [chair(state, n) for n in pod.players], pod_seed(seed, state, found, pod))


def chair(state: Tournament, number: int) -> User | str:
    """Who sits there: a person, or a bot; also for somebody who was erased, so that the others can draft."""
    one = state.entrants[number]
    person = None if one.bot else User.objects.filter(pk=participants.person_of(one.actor)).first()
    return person or one.bot or "random"


def report(draft: str) -> str:
    """A finished draft tells its tournament, with the head of its stream. Once."""
    row = PodDraft.objects.filter(draft=draft, reported=False).first()
    if row is None:
        return "nothing to report"
    head = heads.current(draft)
    table: Game = head.state
    if not table.ended:
        return "not over"
    state: Tournament = heads.current(row.tournament).state
    if state.limited[row.stage].status == "seated":
        return "too early"  # quicker than the one who opened it: the tournament does not know this draft yet
    tell(
        row.tournament,
        {"do": "drafted", "stage": row.stage, "pod": row.pod, "draft": draft, "seq": head.seq, "hash": head.hash.hex()},
        f"drafted-{draft}",
    )  # fmt: skip
    PodDraft.objects.filter(draft=draft).update(reported=True)
    return "reported"


def tell(stream: str, action: dict, command_id: str) -> None:
    try:
        commands.execute(stream, actor=ARBITER, action=action, command_id=command_id)
    except Rejected as refusal:
        if refusal.code not in GONE:
            raise
        log.info("%s: %s is not needed: %s", stream, action["do"], refusal.detail)


def hand_over(stream: str) -> int:
    """Bots pick on for those who left during the draft; they can come back to their seats. How many."""
    state: Tournament = heads.current(stream).state
    found, count = state.preparing, 0
    for pod in found.pods if found and found.status == "drafting" else []:
        for seat, number in enumerate(pod.players):
            if state.entrants[number].status != "in" and not pod.hash and left_alone(pod.draft, seat):
                action = {"do": "reseat", "of": seat, "to": "random"}
                commands.execute(pod.draft, actor=ARBITER, action=action, command_id=f"left-{seat}-{state.seq}")
                count += 1
    return count


def left_alone(draft: str, seat: int) -> bool:
    table: Game = heads.current(draft).state
    return table.phase == "play" and not table.chairs[seat].bot


# --- decks of the house ---


def bring_decks(stream: str) -> int:
    """For bots; for whoever has no choice; and, when the time is over, for everybody without a deck. How many."""
    head = heads.current(stream)
    state: Tournament = head.state
    found, count = state.preparing, 0
    wanted = limited.missing(state) if found else listless_bots(state)
    for number in wanted if state.format else []:
        pool = pool_of(state, number)
        choice = pool is None or not building.no_choice(format_named(state.format), pool)
        late = found is not None and found.status == "late"
        if late or state.entrants[number].bot or not choice:
            bring(state, number, pool, head.key.seed)
            count += 1
    return count


def listless_bots(state: Tournament) -> list[int]:
    """Constructed: bots have none of their own."""
    if not state.rules_.decks or state.drafted:
        return []
    return [n for n, one in state.entrants.items() if one.bot and one.status == "in" and not one.deck]


def pool_of(state: Tournament, number: int) -> dict[str, int] | None:
    """What this entrant drafted; None, where there was no draft."""
    pod = state.drafted.pod_of(number) if state.drafted else None
    if pod is None or not pod.hash:
        return None
    return drafting.pools(pod.draft)[pod.players.index(number)]


def salt(stream: str, actor: str, command_id: str) -> bytes:
    """Keyed, not drawn: a repeated command hands in the same bytes."""
    return keyed(settings.SECRET_KEY.encode(), "deck-salt", stream, actor, command_id)


def bring(state: Tournament, number: int, pool: dict[str, int] | None, seed: bytes) -> None:
    stage = state.drafted.stage if state.drafted else -1
    name, once = f"house-deck-{stage}-{number}", salt(state.stream, ARBITER, f"house-deck-{stage}-{number}")
    content = building.built(format_named(state.format), pool, keyed(seed, "house-deck", stage, number))
    if content is None:
        tell(state.stream, {"do": "no_deck", "number": number}, f"no-{name}")
        return
    sealed = decks.seal(state.stream, state.format, content, once, pool)
    action = {
        "do": "submit_deck", "number": number, "format": sealed.format, "hash": sealed.hash, "deck": sealed.content,
        "salt": once.hex(), "auto": True,
    }  # fmt: skip
    tell(state.stream, action, name)


# --- at the end ---


def open_seals(stream: str) -> int:
    """The event is over: its drafts show everything."""
    opened = 0
    for draft in PodDraft.objects.filter(tournament=stream).values_list("draft", flat=True):
        table: Game = heads.current(draft).state
        if table.ended and not table.seals_open:
            commands.execute(draft, actor=ARBITER, action={"do": "open"}, command_id=f"open-{draft}")
            opened += 1
    return opened
