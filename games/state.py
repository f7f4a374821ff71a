"""A game as the store folds it: the lobby, the kernel's table, the clocks, and what the players have on offer."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct

from games.kernel import table as kernel
from games.kernel.decide import waiting
from games.kernel.table import Table

Visibility = Literal["public", "unlisted", "private"]
SealPolicy = Literal["game", "match", "event", "judges"]
OnTimeout = Literal["default", "loss", "bot"]
Phase = Literal["lobby", "ready", "play", "over", "void"]


class TimeControl(Struct, frozen=True, omit_defaults=True):
    """Every decision has a time of its own; what is over that comes out of the bank, to which each answer adds the
    increment. `by_kind` has other times for some questions: of the first, second, … decision of a seat, and then from
    the beginning again (falling pick times)."""

    decision_ms: int = 0
    bank_ms: int = 0
    increment_ms: int = 0
    by_kind: dict[str, list[int]] = {}


class Terms(Struct, frozen=True, omit_defaults=True):
    """What was agreed on when the game was made. It never changes."""

    rulebook: str  # name@version
    options: dict[str, Any] = {}
    decks: list[Any] = []
    time: TimeControl | None = None
    on_timeout: OnTimeout = "default"
    visibility: Visibility = "public"
    seals: SealPolicy = "game"
    join_within_ms: int = 0  # 0: no limit
    ready_within_ms: int = 0
    invited: list[str] = []  # by seat: the only participant who may join it
    sandbox: bool = False
    house_decks: bool = False  # nobody brings a deck: the game deals them, or the house has brought them


class Chair(Struct, frozen=True, omit_defaults=True):
    """A seat and who plays it: a participant of this stream, or a bot."""

    actor: str = ""
    bot: str = ""
    commit: str | None = None  # to the number it brought; None: a house number
    number: str = ""  # the number, opened (hex)
    ready: bool = False
    deck: Any = None
    owner: str = ""  # the last person in it: may come back from a bot
    free: bool = False  # its owner or a judge lets anybody take it
    ruled: bool = False  # a judge has given it away: its owner does not take it back alone
    handed: int = 0  # how often it has changed hands

    @property
    def taken(self) -> bool:
        return bool(self.actor or self.bot)


class Clock(Struct, frozen=True, omit_defaults=True):
    """Milliseconds: what is left in the bank, and what is used of the present decision's own time. `n` decisions of the
    seat are past."""

    bank: int = 0
    spent: int = 0
    n: int = 0


class Offer(Struct, frozen=True, omit_defaults=True):
    """A draw, a takeback, a pause, its end, a rematch: happens when everyone in `waits` has accepted."""

    id: str
    kind: str
    seat: int
    waits: list[int]
    to: int = 0  # takeback: the seq it goes back to
    length_ms: int = 0  # pause; 0: until it is ended
    happens_at: int = 0  # also when not everybody has accepted by then


class Dispute(Struct, frozen=True, omit_defaults=True):
    id: str
    by: str
    about: int  # seq
    settled: str = ""


class Pause(Struct, frozen=True, omit_defaults=True):
    since: int
    until: int = 0  # 0: open end
    judge: bool = False  # a judge's: players do not end it


class Game(Struct):
    """The whole state. `at` is the time of the last event: clocks run from there."""

    stream: str
    seats: int
    host: str = ""
    terms: Terms | None = None
    chairs: list[Chair] = []
    brought: dict[str, Any] = {}  # by seat: decks that were handed in elsewhere, for whoever sits down there
    created: int = 0
    complete_seq: int = 0  # the event that completed the joins
    complete_at: int = 0
    complete_hash: str = ""
    numbers: list[str] = []  # every seat's, house numbers too, once the game has begun
    pass_key: str = ""  # drives the delay of standing passes
    table: Table = msgspec.field(default_factory=Table)
    at: int = 0
    clocks: list[Clock] = []
    paused: Pause | None = None
    offers: dict[str, Offer] = {}
    disputes: dict[str, Dispute] = {}
    ids: int = 0  # of offers and disputes
    informed: int = 0  # the last event that told anyone anything new
    answered: list[int] = []  # by seat: the event of its last answer
    asked: list[int] = []  # by seat: since when it knows what it is asked, and what its standing pass is
    played: dict[str, int] = {}  # who has had a seat and left it to somebody else: they know its cards
    judged: list[str] = []  # who has acted as a judge
    void: str = ""  # why the game came to nothing
    opened: bool = False  # the seals, by an `open` of its own
    rematch: str = ""

    @property
    def terms_(self) -> Terms:
        assert self.terms is not None, "the first event sets the terms"
        return self.terms

    @property
    def phase(self) -> Phase:
        if self.void:
            return "void"
        if self.table.outcome is not None:
            return "over"
        if self.table.rulebook:
            return "play"
        return "ready" if self.complete_seq else "lobby"

    @property
    def ended(self) -> bool:
        return bool(self.void) or self.table.outcome is not None

    @property
    def seals_open(self) -> bool:
        """By the terms when the game is over. One that never began has nothing to prove, and decks to keep secret."""
        over = self.table.outcome is not None
        return self.opened or (over and self.terms is not None and self.terms.seals == "game")

    def seat_of(self, actor: str) -> int | None:
        """Where this actor sits. In a sandbox one person sits everywhere: then it is the first seat."""
        return next((seat for seat in range(self.seats) if plays(self, seat) == actor), None)

    def may_play(self, seat: int, actor: str) -> bool:
        return 0 <= seat < self.seats and plays(self, seat) == actor


def bot_actor(seat: int) -> str:
    return f"bot-{seat}"


def plays(game: Game, seat: int) -> str:
    """The actor that acts for a seat; empty while nobody does."""
    chair = game.chairs[seat]
    return bot_actor(seat) if chair.bot else chair.actor


def humans(game: Game) -> list[int]:
    """The seats with a person in them."""
    return [seat for seat, chair in enumerate(game.chairs) if chair.actor and not chair.bot]


def people(game: Game) -> list[int]:
    """The seats with a person in them who is still in the game."""
    seats = game.table.seats
    return [seat for seat in humans(game) if not (seat < len(seats) and seats[seat].out)]


def choosers(game: Game) -> dict[int, list[str]]:
    """Whom the table waits for: seat → its unanswered decisions, the oldest first."""
    found: dict[int, list[str]] = {}
    for ask in waiting(game.table):
        found.setdefault(ask.chooser, []).append(ask.id)
    return found


def clone(game: Game) -> Game:
    """Independent in microseconds: containers are copied, what is frozen is shared."""
    return msgspec.structs.replace(
        game, chairs=game.chairs.copy(), table=kernel.clone(game.table), clocks=game.clocks.copy(),
        offers=game.offers.copy(), disputes=game.disputes.copy(), answered=game.answered.copy(),
        asked=game.asked.copy(),
    )  # fmt: skip


_ENCODER = msgspec.msgpack.Encoder(order="deterministic")
_DECODER = msgspec.msgpack.Decoder(Game)


def encode(game: Game) -> bytes:
    return _ENCODER.encode(game)


def decode(data: bytes) -> Game:
    return _DECODER.decode(data)
