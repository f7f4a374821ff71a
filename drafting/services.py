"""What can be done with drafts. Tournaments use `open_pod` and `pools`; the API the rest.

event  = create(host, {"rulebook": "draft", "options": {"packs": 3}, "clock": {"pace": "table"}}, 8, command_id)
seat_all(event.stream, people)                 everybody in order, with house numbers; the draft begins
pools(draft)                                   {seat: {card: copies}}, any time
decks(draft)                                   what was built: as decks.checking takes it, by seat
game_of(draft, host, [0, 4], command_id)       a game between these seats, with what they drafted
open_pod(draft, terms, chairs, seed)           a draft of the house: everybody seated, and it begins
"""

from __future__ import annotations

from collections import Counter

from accounts.models import User
from decks.cards import key_of
from decks.checking import as_brought
from decks.formats import Format, format_named
from drafting import clock
from drafting.formats import format_name, game_options
from drafting.shown import OWN
from events import commands, heads, participants, store
from events.decider import Record
from events.errors import Rejected
from events.participants import ARBITER
from games import services as games
from games.access import acting
from games.kernel.table import Table
from games.state import Game
from games.turn import illegal

ORGANISERS = frozenset({"tournaments:run", "games:judge"})


def create(host: User, terms: Record, seats: int, command_id: str) -> store.Stored:
    """A draft with its terms. Its seals open when the host or the organiser opens them, unless the terms say more."""
    terms = {"seals": "match", **terms}
    terms["options"] = by_key(terms.get("options", {}))
    time = clock.time_control(terms.pop("clock", None), str(terms.get("rulebook")), terms.get("options", {}))
    return games.create(host, terms | ({"time": time} if time else {}), seats, command_id, kind="draft")


def by_key(options: Record) -> Record:
    """A cube and its ratings name cards as people do: by key or by name. What is no card stays, to be refused."""
    set_, found = str(options.get("set", "epic")), dict(options)
    if not set_.isidentifier():
        return found
    if isinstance(cube := options.get("cube"), list):
        found["cube"] = [key_of(set_, str(name)) or name for name in cube]
    if isinstance(ratings := options.get("ratings"), dict):
        found["ratings"] = {key_of(set_, name) or name: worth for name, worth in ratings.items()}
    return found


def seat_all(draft: str, people: list[User]) -> None:
    """Everybody sits down in this order, with house numbers, ready: for organisers. Repeating it changes nothing."""
    for seat, person in enumerate(people):
        if state(draft).seat_of(participants.of(draft, person.pk)) is None:
            action = {"do": "join", "seat": seat, "number_commit": None, "ready": True}
            commands.execute(draft, actor=acting(draft, person), action=action, command_id=f"seat-{seat}")
    games.start_if_ready(draft)


def open_pod(draft: str, terms: Record, chairs: list[User | str], seed: bytes) -> str:
    """A draft the house makes, for these people and bots (by name) in this order; its commitment. The id and the seed
    are the caller's, so doing it again, or doing the rest of it, makes no second draft and no other packs."""
    terms = {"rulebook": "draft", "seals": "event", **terms}
    time = clock.time_control(terms.pop("clock", None), terms["rulebook"], terms.get("options", {}))
    invited = [ARBITER if isinstance(one, str) else participants.of(draft, one.pk) for one in chairs]
    action = {"do": "create", "seats": len(chairs), "invited": invited, **terms, **({"time": time} if time else {})}
    first = commands.open_stream(
        "draft", len(chairs), stream=draft, actor=ARBITER, action=action, command_id=f"pod-{draft}", seed=seed
    )
    for bot in sorted({one for one in chairs if isinstance(one, str)}):
        fill = {"do": "fill", "bot": bot, "seats": [seat for seat, one in enumerate(chairs) if one == bot]}
        commands.execute(draft, actor=ARBITER, action=fill, command_id=f"bots-{bot}")
    for seat, person in enumerate(chairs):
        if not isinstance(person, str):
            action = {"do": "join", "seat": seat, "number_commit": None, "ready": True}
            commands.execute(draft, actor=invited[seat], action=action, command_id=f"seat-{seat}")
    games.start_if_ready(draft)
    return str(first.content["body"]["action"]["commit"])


def state(draft: str) -> Game:
    head = heads.current(draft)
    if head.key.kind != "draft":
        raise Rejected("unknown", f"There is no draft {draft!r}.")
    found: Game = head.state
    return found


def organise(draft: str, person: User, do: str, command_id: str, expected: int | None) -> store.Stored:
    """`halt`, `go_on`, `open`: for the host, or for an organiser, whose right to it the caller has checked."""
    return commands.execute(
        draft, actor=acting(draft, person), action={"do": do}, command_id=command_id, expected_seq=expected
    )


# --- afterwards ---


def pools(draft: str) -> dict[int, dict[str, int]]:
    """Everything each seat drafted or opened so far, however it is built up by now."""
    table = state(draft).table
    return {seat: sum((held(table, part, seat) for part in OWN), Counter()) for seat in range(len(table.seats))}


def held(table: Table, part: str, seat: int) -> Counter[str]:
    zone = table.zones.get(f"{part}:{seat}")
    return Counter(table.cards[card].key for card in zone.cards) if zone else Counter()


def decks(draft: str) -> dict[int, dict[str, dict[str, int]]]:
    """What each seat built: {section: {card: copies}}. Without deck building the pool is the deck."""
    game = finished(draft)
    table = game.table
    found = {}
    for seat in range(game.seats):
        built, side = held(table, "deck", seat), held(table, "sideboard", seat)
        content = {"deck": built or held(table, "pool", seat), "sideboard": side}
        found[seat] = {section: dict(sorted(cards.items())) for section, cards in content.items() if cards}
    return found


def finished(draft: str) -> Game:
    game = state(draft)
    outcome = game.table.outcome
    if outcome is None or outcome.result != "drafted":
        raise Rejected("illegal", "The draft is not over, or came to nothing.", seq=heads.known(draft).seq)
    return game


def format_of(game: Game) -> Format:
    name = format_name(game.terms_.rulebook, game.terms_.options, game.seats)
    if name is None:
        raise Rejected("illegal", "No game is known that is played with what this draft gives; take the pools instead.")
    return format_named(name)


def game_of(draft: str, host: User, seats: list[int] | None, terms: Record, command_id: str) -> store.Stored:
    """A game between these seats of a finished draft. Everybody sits there with the deck of the draft, sealed, and
    begins it by being ready."""
    drafted = finished(draft)
    format_ = format_of(drafted)
    seats = list(range(drafted.seats)) if seats is None else seats
    if len(set(seats)) != len(seats) or not set(seats) <= set(range(drafted.seats)):
        raise illegal("/seats", "out_of_range", f"different seats from 0 to {drafted.seats - 1}")
    chairs = [drafted.chairs[seat] for seat in seats]
    people = [None if chair.bot else participants.person_of(chair.actor) for chair in chairs]
    if any(person is None and not chair.bot for person, chair in zip(people, chairs, strict=True)):
        raise illegal("/seats", "unfit", "one of these people is gone")
    built = {seat: as_brought(format_, deck) for seat, deck in decks(draft).items()}
    options = game_options(format_.options, drafted.terms_.options)
    made = games.create(host, {"rulebook": format_.rulebook, "options": options, **terms}, len(seats), command_id)
    for place, (seat, person) in enumerate(zip(seats, people, strict=True)):
        if person is None:
            continue
        actor = participants.of(made.stream, person)
        if heads.current(made.stream).state.seat_of(actor) is None:
            action = {"do": "join", "seat": place, "number_commit": None, "ready": False, "deck": built[seat]}
            commands.execute(made.stream, actor=actor, action=action, command_id=f"draft-{place}")
    bots = {str(place): built[seats[place]] for place, person in enumerate(people) if person is None}
    if bots and heads.current(made.stream).state.phase == "lobby":
        action = {"do": "fill", "bot": "random", "seats": sorted(map(int, bots)), "decks": bots}
        commands.execute(made.stream, actor=acting(made.stream, host), action=action, command_id="draft-bots")
    return made
