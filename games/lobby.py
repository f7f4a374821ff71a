"""Before the game: its terms, who sits where, everybody's number (docs/format.md, "Randomness"), and the start.

A seat joins behind a commitment to a number of its own, or says that the house's will do. When all are in, each opens
its number by being ready; the last one starts the game. After the last join no number can change any more, so whoever
leaves then ends the game.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec

from events.canonical import digest, keyed
from events.decider import Record
from events.errors import Rejected
from events.participants import ARBITER
from games.kernel.rulebook import Rulebook, Violation, rulebook
from games.state import Game, Terms
from games.turn import Turn, house_number, illegal

HEX64 = re.compile(r"[0-9a-f]{64}")
BOTS = ("random", "greedy")
GIVING_UP = {"game": "concede", "draft": "drop"}
LONGEST = 90 * 24 * 3600 * 1000  # no limit of a game is longer, in milliseconds


def create(turn: Turn, action: Record) -> None:
    """Event 1: the terms. `join` seats the host at once, with a house number. A sandbox brings its table along; the
    house brings decks that were handed in for a tournament (`brought`, by seat), and no seat plays another."""
    game = turn.game
    if game.terms is not None:
        raise Rejected("exists", f"This {turn.kind} has its terms already.")
    book = known_rulebook(action.get("rulebook"))
    if book.kind != turn.kind:
        raise illegal("/rulebook", "unfit", f"{book.title} is a {book.kind}, not a {turn.kind}")
    action = {**action, "rulebook": book.id, "seats": game.seats}
    check_terms(action)
    options, brought = action.get("options", {}), action.get("brought", {})
    if brought and not (action.get("house_decks") and brought.keys() == set(map(str, range(game.seats)))):
        raise illegal("/brought", "unfit", "the house brings decks for every seat, and then nobody else does")
    if action.get("house_decks") and turn.moment.by != ARBITER:
        raise illegal("/house_decks", "unfit", "only the house says so")
    decks = [brought[str(seat)] for seat in range(game.seats)] if brought else action.get("decks", [])
    found = book.violations(game.seats, options, decks)
    if not decks:  # players bring theirs when they join; all together they are checked when the game starts
        found = [one for one in found if (one.pointer, one.code) != ("/decks", "too_few")]
    refuse(found, lambda pointer: in_body(pointer, options))
    private = [name for name in ("table", "brought") if name in action]
    turn.take({**action, "only": dict.fromkeys(private, 0)} if private else action)
    if game.terms_.sandbox:
        for seat in range(game.seats):
            seated(turn, seat, turn.moment.by, ready=True)
        begin(turn)
    elif join := action.get("join"):
        seated(turn, join["seat"], turn.moment.by, ready=bool(join.get("ready")))


def known_rulebook(name: Any) -> Rulebook:
    try:
        return rulebook(str(name))
    except LookupError as unknown:
        raise illegal("/rulebook", "unknown_option", str(unknown)) from None


def check_terms(action: Record) -> None:
    fields = {name: value for name, value in action.items() if name in Terms.__struct_fields__}
    try:
        terms = msgspec.convert(fields, Terms)
    except msgspec.ValidationError as wrong:
        raise Rejected("illegal", f"The terms do not fit: {wrong}") from None
    time = terms.time
    if time and not (time.decision_ms or time.bank_ms or time.by_kind):
        raise illegal("/time", "too_few", "a time control has a time per decision, a bank, or both")
    limits = {"/join_within_ms": terms.join_within_ms, "/ready_within_ms": terms.ready_within_ms}
    if time:
        limits |= {f"/time/{name}": getattr(time, name) for name in ("decision_ms", "bank_ms", "increment_ms")}
        for kind, times in time.by_kind.items():
            if not times:
                raise illegal(f"/time/by_kind/{kind}", "too_few", "at least one time, in milliseconds")
            limits |= {f"/time/by_kind/{kind}/{place}": value for place, value in enumerate(times)}
    for pointer, value in limits.items():
        if not 0 <= value <= LONGEST:
            raise illegal(pointer, "out_of_range", f"from 0 to {LONGEST} milliseconds, {value} given")
    join = action.get("join")
    if join and not 0 <= join.get("seat", -1) < action["seats"]:
        raise illegal("/join/seat", "out_of_range", f"the seats are 0 to {action['seats'] - 1}")


def refuse(violations: list[Violation], place: Callable[[str], str]) -> None:
    """A set-up or a deck against the rules: every violation with its number, and its place in the request."""
    if violations:
        errors = [{**msgspec.to_builtins(one), "pointer": place(one.pointer)} for one in violations]
        raise Rejected("illegal", " ".join(one.detail for one in violations), errors)


def in_body(pointer: str, options: Record) -> str:
    """Rulebooks name their own options at the top level; in the request they lie below `options`."""
    name = pointer.split("/")[1] if "/" in pointer else ""
    return f"/options{pointer}" if name in options or name not in ("seats", "options", "decks", "") else pointer


def join(turn: Turn, action: Record) -> None:
    game, by = turn.game, turn.moment.by
    in_lobby(turn)
    if game.seat_of(by) is not None:
        raise Rejected("exists", f"You have a seat in this {turn.kind} already.")
    seat = action.get("seat")
    commit = action.get("number_commit")
    if seat is None and commit is not None:
        raise illegal("/seat", "missing", "the commitment names a seat, so say which one")
    if seat is None:
        seat = next((free for free in free_seats(turn) if may_join(turn, free)), None)
    if seat is None:
        raise Rejected("full", f"All seats of this {turn.kind} are taken.")
    if not isinstance(seat, int) or not 0 <= seat < game.seats:
        raise illegal("/seat", "out_of_range", f"the seats are 0 to {game.seats - 1}")
    if game.chairs[seat].taken:
        raise Rejected("exists", f"Seat {seat} is taken.", [{"pointer": "/seat", "code": "taken", "detail": "taken"}])
    if not may_join(turn, seat):
        raise Rejected("not_yours", f"Seat {seat} is kept for somebody else.")
    if commit is not None and not (isinstance(commit, str) and HEX64.fullmatch(commit)):
        raise illegal("/number_commit", "wrong_shape", "64 hex digits, or null for a house number")
    if commit is not None and action.get("ready"):
        raise illegal("/ready", "wrong_shape", "a number of your own is opened by `ready` once all are in")
    deck = action.get("deck")
    if game.terms_.house_decks:
        if deck is not None:
            raise illegal("/deck", "unfit", "nobody brings a deck here: you play what you handed in, or are dealt")
        deck = game.brought.get(str(seat))
    elif deck is not None:
        check_deck(turn, deck)
    stored: Record = {"do": "join", "seat": seat, "ready": bool(action.get("ready"))}
    if action.get("deck") is not None:
        stored |= {"deck": deck, "only": {"deck": 1 << seat}}
    turn.take({**stored, "number_commit": commit})
    seated(turn, seat, by, commit=commit, ready=stored["ready"], deck=deck)


def check_deck(turn: Turn, deck: Any) -> None:
    """What can be said of one deck alone; all together they are checked when the game starts."""
    terms = turn.game.terms_
    refuse(rulebook(terms.rulebook).deck_violations(turn.game.seats, terms.options, deck), "/deck{}".format)


def free_seats(turn: Turn) -> list[int]:
    return [seat for seat, chair in enumerate(turn.game.chairs) if not chair.taken]


def may_join(turn: Turn, seat: int) -> bool:
    invited = turn.game.terms_.invited
    return not invited or not invited[seat] or invited[seat] == turn.moment.by


def seated(
    turn: Turn,
    seat: int,
    actor: str,
    *,
    bot: str = "",
    commit: str | None = None,
    ready: bool = False,
    deck: Any = None,
) -> None:
    effect: Record = {"e": "seated", "seat": seat, "number_commit": commit, "ready": ready}
    effect |= {"bot": bot} if bot else {"actor": actor}
    if deck is not None:
        effect |= {"deck": deck, "only": {"deck": 1 << seat}}
    turn.emit(effect)


def fill(turn: Turn, action: Record) -> None:
    """The host puts bots on all free seats, or on some of them. They are ready, with house numbers."""
    in_lobby(turn)
    if turn.moment.by != turn.game.host:
        raise Rejected("not_yours", "Only the host fills the table with bots.")
    bot = action.get("bot", BOTS[0])
    if bot not in BOTS:
        raise illegal("/bot", "unknown_option", f"one of {', '.join(BOTS)}")
    free = free_seats(turn)
    wanted = action.get("seats", free)
    if not free:
        raise Rejected("full", f"All seats of this {turn.kind} are taken.")
    if not wanted or not set(wanted) <= set(free):
        raise illegal("/seats", "taken", f"free seats are {free}")
    decks = action.get("decks", {})  # what bots drafted, by seat
    stored: Record = {"do": "fill", "bot": bot, "seats": sorted(set(wanted))}
    for deck in decks.values():
        check_deck(turn, deck)
    turn.take(stored | ({"decks": decks, "only": {"decks": 0}} if decks else {}))
    decks = turn.game.brought or decks
    for seat in sorted(set(wanted)):
        seated(turn, seat, "", bot=bot, ready=True, deck=decks.get(str(seat)))


def leave(turn: Turn, action: Record) -> None:
    """A free seat again; once all are in, the end of the game."""
    if turn.game.phase not in ("lobby", "ready"):
        instead = f"{GIVING_UP[turn.kind]} instead, or let somebody take your seat over"
        raise Rejected("illegal", f"The {turn.kind} has begun; {instead}.")
    seat = turn.seat(action)
    if turn.game.complete_seq:
        turn.take({"do": "leave", "seat": seat})
        turn.emit({"e": "void", "why": "left"})
    else:
        turn.take({"do": "leave", "seat": seat, "number_withdrawn": True})
        turn.emit({"e": "left", "seat": seat})


def ready(turn: Turn, action: Record) -> None:
    """Open the number, if it is one's own. The last one to be ready starts the game."""
    game = turn.game
    if game.phase == "lobby":
        raise Rejected("illegal", f"{len(free_seats(turn))} seats are still free; be ready when all are in.")
    if game.phase != "ready":
        raise Rejected("over" if game.ended else "illegal", f"The {turn.kind} has begun.")
    seat = turn.seat(action)
    chair = game.chairs[seat]
    if chair.ready:
        raise Rejected("exists", "You are ready already.")
    number = action.get("number_open")
    stored: Record = {"do": "ready", "seat": seat}
    if chair.commit:
        if not isinstance(number, str) or not HEX64.fullmatch(number):
            raise illegal("/number_open", "missing", "your number, 64 hex digits: you committed to it when you joined")
        if digest("seat", game.stream, seat, bytes.fromhex(number)).hex() != chair.commit:
            raise illegal("/number_open", "unfit", "this is not the number you committed to when you joined")
        stored["number_open"] = number
    elif number is not None:
        raise illegal("/number_open", "unknown", "you asked for a house number")
    turn.take(stored)
    if all(chair.ready for chair in game.chairs):
        start(turn)


def start_by_house(turn: Turn, action: Record) -> None:
    """Everybody was ready before the last one came: the house starts the game, in an event of its own, because the
    draws depend on the event that completed the joins."""
    game = turn.game
    if turn.moment.by != ARBITER or game.phase != "ready" or not all(chair.ready for chair in game.chairs):
        raise Rejected("illegal", f"The {turn.kind} starts when all seats are taken and everybody is ready.")
    turn.take({"do": "start"})
    start(turn)


def begin(turn: Turn) -> None:
    """All numbers are known: the key follows from them."""
    game = turn.game
    numbers = [chair.number or house_number(game.stream, seat, turn.secret) for seat, chair in enumerate(game.chairs)]
    pass_key = keyed(turn.secret, "passes", game.stream, *map(bytes.fromhex, numbers)).hex()
    turn.emit({"e": "begun", "numbers": numbers, "pass_key": pass_key, "only": {"numbers": 0, "pass_key": 0}})


def start(turn: Turn) -> None:
    """The game begins; or comes to nothing, where the decks that were brought are not legal together. Which card it is
    that two of them have is nobody's business, so nothing is refused and nothing is said."""
    game, terms = turn.game, turn.game.terms_
    brought = [chair.deck for chair in game.chairs]
    decks = brought if any(deck is not None for deck in brought) else terms.decks
    if rulebook(terms.rulebook).violations(game.seats, terms.options, decks):
        turn.emit({"e": "void", "why": "decks"})
        return
    begin(turn)
    turn.follow(
        turn.kernel(
            {"do": "start", "rulebook": terms.rulebook, "seats": game.seats, "options": terms.options, "decks": decks}
        )
    )


def abort(turn: Turn, action: Record) -> None:
    """The game comes to nothing: its host gives up, or not everybody came (the house says so when the time is over), or
    the match it was made for is decided without it."""
    game = turn.game
    why = action.get("why", "host")
    if game.phase not in ("lobby", "ready"):
        detail = f"The {turn.kind} has begun; it can no longer be called off."
        raise Rejected("over" if game.ended else "illegal", detail)
    if turn.moment.by == ARBITER:
        late = 0 if why == "match" else expiry(game).get(why)
        if late is None or turn.moment.at < late:
            raise Rejected("stale", "That deadline no longer stands.")
    elif turn.moment.by != game.host:
        raise Rejected("not_yours", f"Only the host calls the {turn.kind} off.")
    else:
        why = "host"
    turn.take({"do": "abort", "why": why})
    turn.emit({"e": "void", "why": why})


def expiry(game: Game) -> dict[str, int]:
    """Until when the lobby waits, by what it waits for."""
    terms = game.terms_
    if game.phase == "lobby" and terms.join_within_ms:
        return {"join": game.created + terms.join_within_ms}
    if game.phase == "ready" and terms.ready_within_ms:
        return {"ready": game.complete_at + terms.ready_within_ms}
    return {}


def in_lobby(turn: Turn) -> None:
    phase = turn.game.phase
    if phase == "lobby":
        return
    if phase == "ready":
        raise Rejected("full", f"All seats of this {turn.kind} are taken.")
    raise Rejected("over" if turn.game.ended else "illegal", f"The {turn.kind} has begun.")
