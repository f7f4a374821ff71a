"""What the host chooses before the game (TH-2, TH-3, TH-4; DP-1 to DP-3), checked as a whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from games.kernel.rulebook import Violation

from .cards import GODS, LISTS, MANUAL, SETS, PrintedList, PrintedSet
from .decks import breach, check_decks, check_roster_deck

GameType = Literal["1v1", "ffa", "2v2", "3v3", "2v2v2"]

SUPPORTED: dict[int, tuple[GameType, ...]] = {
    2: ("1v1",),
    3: ("ffa",),
    4: ("ffa", "2v2"),
    5: ("ffa",),
    6: ("ffa", "3v3", "2v2v2"),
}
"""TH-3.1: players -> game types. The first one is the suggestion for a first game (TH-3.10)."""

TEAM_SIZE = {"1v1": 1, "ffa": 1, "2v2": 2, "3v3": 3, "2v2v2": 2}
DEFAULT_DECKS = {2: "tutorial-game", 3: "rites-gone-wrong", 4: "four-seasons", 5: "random", 6: "random"}
ROSTER_SEATS = (2, 3)
RANDOM: Literal["random"] = "random"
CHOOSE: Literal["choose"] = "choose"

ABOUT: dict[str, dict[str, Any]] = {
    "type": {"doc": "The game type (TH-3.1).", "values": list(TEAM_SIZE), "default": "1v1 with two players, else ffa"},
    "teams": {
        "doc": "Who is with whom: seats by team, or random (TH-3.2).",
        "type": "[[seat, …], …] or random",
        "default": "neighbours",
    },
    "decks": {
        "doc": "A printed deck set or roster set; draft; random (the host deals the pool out blindly); or one deck "
        "a player, as ids of printed decks or lists of cards (TH-4.4 to 4.6, TR-22).",
        "values": ["draft", RANDOM, *SETS],
        "type": "one of the values, or a list of deck ids and card lists",
        "default": DEFAULT_DECKS,
    },
    "pairs": {
        "doc": "Which gods oppose each other (TH-2.4); printed sets bring their own (TR-12).",
        "type": "[[god, god], [god, god]] or random",
        "default": [list(pair) for pair in MANUAL.default_pairs],
    },
    "active": {
        "doc": "The gods that start active, one of each pair, for each Realm (TR-1).",
        "type": "[[god, god], …] or random",
        "default": RANDOM,
    },
    "take": {
        "doc": "Who takes which deck or roster: in seat order by choice, at random, or as listed (TH-4.6, TH-4.30).",
        "type": "choose, random, or a list with the number of one list for each seat",
        "default": CHOOSE,
    },
    "experienced": {
        "doc": "3v3: the more experienced team, which chooses its Realms first (TR-25).",
        "type": "team number or random",
        "default": RANDOM,
    },
    "novice": {
        "doc": "Open draft: the less experienced player, who says who picks first (TH-4.13).",
        "type": "seat number or random",
        "default": RANDOM,
    },
    "leaving": {
        "doc": "When all other teams have left the table, the service gives the game to the one that stayed (win, "
        "conceded or on time), or ends it without a winner (void); by the rules nobody wins so (TR-79).",
        "values": ["win", "void"],
        "default": "win",
    },
    "draft_seats": {
        "doc": "Pass draft: the seats in the order in which packs are passed to the left (TH-4.20).",
        "type": "list of seats or random",
        "default": "in the order of the seats",
    },
}
"""Every option, for hosts and for `GET /rulebooks/theos`."""

CardList = tuple[str, tuple[str, ...]]
"""A deck or roster by name."""


class Plan(Struct, frozen=True):
    """The host's choices, found legal. `None` stands for "draw it" (recorded, TH-17.1)."""

    seats: int
    type: GameType
    teams: tuple[tuple[int, ...], ...] | None
    pairs: tuple[tuple[str, str], ...] | None
    active: tuple[tuple[str, ...], ...] | None
    source: Literal["lists", "roster", "draft", "random", "given"]
    lists: tuple[CardList, ...]
    take: Literal["choose", "random"] | tuple[int, ...]
    experienced: int | None
    novice: int | None
    draft_seats: tuple[int, ...] | None
    given: tuple[tuple[str, ...] | None, ...]
    """Decks brought along, one for each seat: host-made ones, or built from rosters long before (TH-4.31)."""


class Refused(Exception):
    """The host's choices break rules; `violations` names all of them."""

    def __init__(self, violations: Sequence[Violation]) -> None:
        super().__init__(" ".join(violation.detail for violation in violations))
        self.violations = list(violations)


def neighbours(seats: int, game_type: str) -> tuple[tuple[int, ...], ...]:
    """TH-3.4: teammates side by side."""
    size = TEAM_SIZE[game_type]
    return tuple(tuple(range(first, first + size)) for first in range(0, seats, size))


def realm_count(seats: int) -> int:
    """TH-2.6: two Realms with 5-6 players."""
    return 2 if seats >= 5 else 1


def plan(seats: int, options: Mapping[str, Any], decks: Sequence[Any] = ()) -> Plan:
    """TH-2.1 in its order. Raises `Refused` with everything that is wrong."""
    if seats not in SUPPORTED:
        raise Refused([breach("TH-3.1", "/seats", "unsupported", f"Theos is for 2 to 6 players, not {seats}.")])
    choices = Choices(seats, options, decks)
    for name, reader in READERS.items():
        choices.read[name] = reader(choices, options.get(name))
    if choices.found:
        raise Refused(choices.found)
    read = choices.read
    return Plan(
        seats, read["type"], read["teams"], read["pairs"], read["active"], choices.source, choices.lists, read["take"],
        read["experienced"], read["novice"], read["draft_seats"], read["given"],
    )  # fmt: skip


class Choices:
    """What has been read so far, and what was found wrong with it."""

    def __init__(self, seats: int, options: Mapping[str, Any], decks: Sequence[Any]) -> None:
        self.seats = seats
        self.decks = decks
        self.found: list[Violation] = []
        self.read: dict[str, Any] = {}
        self.source: Literal["lists", "roster", "draft", "random", "given"] = "random"
        self.lists: tuple[CardList, ...] = ()
        self.printed_pairs: tuple[tuple[str, str], ...] | None = None
        for name in sorted(set(options) - set(ABOUT)):
            self.refuse(
                "TH-2.1", f"/{name}", "unknown_option", f"Theos has no option {name!r}; it has {', '.join(ABOUT)}."
            )

    def refuse(self, rule: str, pointer: str, code: str, detail: str) -> None:
        self.found.append(breach(rule, pointer, code, detail))


def read_type(choices: Choices, value: Any) -> GameType:
    """TH-3.1: anything else is refused."""
    offered = SUPPORTED[choices.seats]
    if value is not None and value not in offered:
        detail = f"{choices.seats} players can play {' or '.join(offered)}, not {value!r}."
        choices.refuse("TH-3.1", "/type", "unsupported", detail)
        return offered[0]
    return value or offered[0]


def read_teams(choices: Choices, value: Any) -> tuple[tuple[int, ...], ...] | None:
    """TH-3.2: drawn at random or chosen; in a Team Battle all teams have the same size."""
    seats, game_type = choices.seats, choices.read["type"]
    if value is None:
        return neighbours(seats, game_type)
    if value == RANDOM:
        return None
    size = TEAM_SIZE[game_type]
    fits = is_nested(value, int) and sorted(seat for team in value for seat in team) == list(range(seats))
    if not fits or any(len(team) != size for team in value):
        example = [list(team) for team in neighbours(seats, game_type)]
        detail = f"{game_type} needs every seat in one team of {size}, for example {example}, or {RANDOM!r}."
        choices.refuse("TH-3.2", "/teams", "bad_teams", detail)
        return None
    return tuple(tuple(team) for team in value)


def read_decks(choices: Choices, value: Any) -> None:
    """TH-4.4 to 4.8, TH-4.30: where the decks come from, and the lists to take."""
    if value is None:
        value = "given" if choices.decks else DEFAULT_DECKS[choices.seats]
    if value in ("given", "draft", RANDOM):
        choices.source = value
    elif isinstance(value, str) and value in SETS:
        read_set(choices, SETS[value])
    elif isinstance(value, (list, tuple)):
        read_lists(choices, value)
    else:
        offered = ", ".join(["draft", RANDOM, *SETS])
        choices.refuse("TH-4.4", "/decks", "unknown_decks", f"{value!r} is none of {offered}, nor a list of decks.")


def read_set(choices: Choices, printed: PrintedSet) -> None:
    """TH-4.7, TH-4.32: a printed set brings its own pairs (TR-12); fewer players may use it (TR-22)."""
    seats = choices.seats
    choices.source = "roster" if printed.rosters else "lists"
    choices.printed_pairs = printed.pairs
    choices.lists = tuple((one.name, one.cards) for one in printed.lists)
    if printed.rosters and seats not in ROSTER_SEATS:
        choices.refuse("TH-4.4", "/decks", "unsupported", f"Roster decks are for 2 or 3 players, not {seats}.")
    elif len(choices.lists) < seats:
        kind = "rosters" if printed.rosters else "decks"
        detail = f"{printed.name} has {len(choices.lists)} {kind}, too few for {seats} players."
        choices.refuse("TR-23" if printed.rosters else "TH-4.6", "/decks", "too_few", detail)
    elif printed.decks:
        choices.found += check_decks([cards for _, cards in choices.lists], seats)


def read_lists(choices: Choices, value: Sequence[Any]) -> None:
    """TH-4.5, TR-22: host-made decks, printed decks, or both, as long as they share no card."""
    lists: list[CardList] = []
    for n, one in enumerate(value):
        if isinstance(one, str) and one in LISTS:
            choices.printed_pairs = MANUAL.default_pairs
            lists.append((LISTS[one].name, LISTS[one].cards))
        elif is_list(one, str):
            lists.append((f"deck {n + 1}", tuple(one)))
        else:
            detail = f"{one!r} is neither the id of a printed deck nor a list of card numbers such as 'P4'."
            choices.refuse("TH-4.5", f"/decks/{n}", "bad_deck", detail)
    choices.source, choices.lists = "lists", tuple(lists)
    choices.found += check_decks([cards for _, cards in lists], choices.seats)


def read_pairs(choices: Choices, value: Any) -> tuple[tuple[str, str], ...] | None:
    """TH-2.4: the four gods in two pairs. Printed sets force their own (TR-12)."""
    printed = choices.printed_pairs
    if value is None:
        return printed or MANUAL.default_pairs
    split: tuple[tuple[str, str], ...] | None = None
    if is_nested(value, str) and [len(pair) for pair in value] == [2, 2] and is_all_gods(value):
        split = (tuple(value[0]), tuple(value[1]))
    elif value != RANDOM:
        detail = f"The pairs split the gods {', '.join(GODS)} in two and two, for example {MANUAL.default_pairs}."
        choices.refuse("TH-2.4", "/pairs", "bad_pairs", detail)
        return None
    if printed and (split is None or {frozenset(pair) for pair in split} != {frozenset(pair) for pair in printed}):
        detail = "Printed decks and rosters are played with Poseidon/Gaia and Hades/Demeter."
        choices.refuse("TR-12", "/pairs", "printed_pairs", detail)
    return split


def read_active(choices: Choices, value: Any) -> tuple[tuple[str, ...], ...] | None:
    """TH-2.5, TR-1: one active god of each pair in each Realm, fixed by the host or drawn."""
    if value is None or value == RANDOM:
        return None
    pairs, count = choices.read["pairs"], realm_count(choices.seats)
    fits = pairs is not None and is_nested(value, str) and len(value) == count
    if not fits or not all(is_one_of_each(pairs, active) for active in value):
        detail = f"Name one god of each pair for each of the {count} Realm(s), for example [['poseidon', 'hades']]."
        choices.refuse("TH-2.5", "/active", "bad_active", detail)
        return None
    return tuple(tuple(god for pair in pairs for god in pair if god in active) for active in value)


def read_take(choices: Choices, value: Any) -> Literal["choose", "random"] | tuple[int, ...]:
    """TH-4.6, TH-4.30, TR-23: by choice, at random, or agreed; nothing is taken twice."""
    if value is None or value == CHOOSE:
        return CHOOSE
    if value == RANDOM:
        return RANDOM
    seats, count = choices.seats, len(choices.lists)
    if is_list(value, int) and len(set(value)) == len(value) == seats and all(0 <= n < count for n in value):
        return tuple(value)
    detail = f"Say which of the {count} lists each seat takes, no two the same, or {CHOOSE!r} or {RANDOM!r}."
    choices.refuse("TR-23" if choices.source == "roster" else "TH-4.6", "/take", "bad_take", detail)
    return CHOOSE


def read_given(choices: Choices, _: Any) -> tuple[tuple[str, ...] | None, ...]:
    """Decks brought along: host-made ones (TH-4.5), or secret ones built from rosters already taken (TH-4.31)."""
    seats, decks = choices.seats, choices.decks
    if not decks:
        return ()
    if choices.source not in ("given", "roster"):
        detail = "Decks come from one source: leave the option out, or name a roster set they are built from."
        choices.refuse("TH-4.4", "/decks", "two_sources", detail)
    elif len(decks) != seats or not all(is_list(deck, str) or deck is None for deck in decks):
        choices.refuse("TH-4.1", "/decks", "bad_deck", f"Give {seats} decks, one list of cards for each seat.")
    elif choices.source == "given":
        choices.found += check_decks([deck or () for deck in decks], seats)
    elif not isinstance(choices.read["take"], tuple):
        detail = "Decks built from rosters need to know whose roster is whose: say it in `take`."
        choices.refuse("TH-4.30", "/take", "missing", detail)
    else:
        for seat, deck in enumerate(decks):
            if deck is not None:
                name, cards = choices.lists[choices.read["take"][seat]]
                choices.found += check_roster_deck(deck, PrintedList("", name, cards), seats, f"/decks/{seat}")
    return tuple(tuple(deck) if isinstance(deck, (list, tuple)) else None for deck in decks)


def read_draft_seats(choices: Choices, value: Any) -> tuple[int, ...] | None:
    """TH-4.20: random or chosen; in team games teammates may sit together or apart."""
    if value is None:
        return tuple(range(choices.seats))
    if value == RANDOM:
        return None
    if is_list(value, int) and sorted(value) == list(range(choices.seats)):
        return tuple(value)
    detail = f"Name every seat from 0 to {choices.seats - 1} once, or {RANDOM!r}."
    choices.refuse("TH-4.20", "/draft_seats", "bad_seats", detail)
    return None


def read_experienced(choices: Choices, value: Any) -> int | None:
    """TR-25: named by the host, otherwise random."""
    teams = choices.seats // TEAM_SIZE[choices.read["type"]]
    return read_number(choices, value, teams, "TR-25", "/experienced", "team")


def read_novice(choices: Choices, value: Any) -> int | None:
    """TH-4.13, TR-16: the first picker is random unless the host names a less experienced player."""
    return read_number(choices, value, choices.seats, "TR-16", "/novice", "seat")


def read_leaving(choices: Choices, value: Any) -> Literal["win", "void"]:
    """TR-79: the service may end a deserted game without a winner."""
    if value not in (None, "win", "void"):
        choices.refuse("TR-79", "/leaving", "unknown_option", f"Say 'win' or 'void', not {value!r}.")
    return "void" if value == "void" else "win"


def read_number(choices: Choices, value: Any, below: int, rule: str, pointer: str, noun: str) -> int | None:
    if value is None or value == RANDOM:
        return None
    if type(value) is int and 0 <= value < below:
        return value
    choices.refuse(rule, pointer, "out_of_range", f"Name a {noun} from 0 to {below - 1}, or {RANDOM!r}.")
    return None


def is_list(value: Any, of: type) -> bool:
    return isinstance(value, (list, tuple)) and all(type(item) is of for item in value)


def is_nested(value: Any, of: type) -> bool:
    return isinstance(value, (list, tuple)) and all(is_list(item, of) for item in value)


def is_all_gods(pairs: Sequence[Sequence[str]]) -> bool:
    return sorted(god for pair in pairs for god in pair) == sorted(GODS)


def is_one_of_each(pairs: Sequence[Sequence[str]], active: Sequence[str]) -> bool:
    return len(active) == 2 and all(sum(god in active for god in pair) == 1 for pair in pairs)


READERS: dict[str, Callable[[Choices, Any], Any]] = {
    "type": read_type,
    "teams": read_teams,
    "decks": read_decks,
    "pairs": read_pairs,
    "active": read_active,
    "take": read_take,
    "given": read_given,
    "experienced": read_experienced,
    "novice": read_novice,
    "draft_seats": read_draft_seats,
    "leaving": read_leaving,
}
"""Read in this order: a later reader may look at what an earlier one found."""
