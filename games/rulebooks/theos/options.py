"""What the host chooses before the game (TH-2, TH-3, TH-4; DP-1 to DP-3), checked as a whole.

type         "1v1", "ffa", "2v2", "3v3" or "2v2v2"                        (TH-3.1; default TH-3.10)
teams        [[0, 1], [2, 3]] or "random"                                  (TH-3.2; default: neighbours)
pairs        [["poseidon", "gaia"], ["hades", "demeter"]] or "random"      (TH-2.4)
active       [["poseidon", "hades"], …] for each Realm, or "random"        (TR-1)
decks        a printed set or roster set by its id, "draft", "random" (the host deals the pool out blindly),
             or a list with one deck a player: ids of printed decks, or lists of cards  (TH-4.4 to 4.6, TR-22)
take         who takes which deck or roster: "choose" in seat order, "random", or a list  (TH-4.6, TH-4.30)
experienced  the team that is more experienced (TR-25), a number, or "random"
novice       the seat that is less experienced and says who picks first in an open draft (TH-4.13), or "random"
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from .cards import GODS, LISTS, MANUAL, SETS, PrintedSet
from .decks import Refusal, check_decks

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
CHOOSE = "choose"


class Plan(Struct, frozen=True):
    """The host's choices, found legal. `None` stands for "draw it" (recorded, TH-17.1)."""

    seats: int
    type: GameType
    teams: tuple[tuple[int, ...], ...] | None
    pairs: tuple[tuple[str, str], ...] | None
    active: tuple[tuple[str, ...], ...] | None
    source: Literal["lists", "roster", "draft", "random"]
    lists: tuple[tuple[str, tuple[str, ...]], ...]
    take: Literal["choose", "random"] | tuple[int, ...]
    experienced: int | None
    novice: int | None

    @property
    def realms(self) -> int:
        return realms(self.seats)


class Refused(Exception):
    """The host's choices break rules; `refusals` names all of them."""

    def __init__(self, refusals: Sequence[Refusal]) -> None:
        super().__init__(" ".join(refusal.detail for refusal in refusals))
        self.refusals = tuple(refusals)


def realms(seats: int) -> int:
    """TH-2.6: two Realms with 5-6 players."""
    return 2 if seats >= 5 else 1


def neighbours(seats: int, game_type: str) -> tuple[tuple[int, ...], ...]:
    """TH-3.4: teammates side by side."""
    size = TEAM_SIZE[game_type]
    return tuple(tuple(range(first, first + size)) for first in range(0, seats, size))


def plan(seats: int, options: Mapping[str, Any]) -> Plan:
    """TH-2.1 in its order. Raises `Refused` with everything that is wrong."""
    found: list[Refusal] = []
    if seats not in SUPPORTED:
        raise Refused([Refusal("TH-3.1", "/seats", "unsupported", f"Theos is for 2 to 6 players, not {seats}.")])
    for name in sorted(set(options) - set(READERS)):
        known = ", ".join(READERS)
        found.append(
            Refusal("TH-2.1", f"/{name}", "unknown_option", f"Theos knows no option {name!r}; it has {known}.")
        )
    context: dict[str, Any] = {"seats": seats}
    for name, read in READERS.items():
        context[name] = read(options.get(name), context, found)
    if found:
        raise Refused(found)
    source, lists = context["decks"]
    return Plan(
        seats=seats,
        type=context["type"],
        teams=context["teams"],
        pairs=context["pairs"],
        active=context["active"],
        source=source,
        lists=lists,
        take=context["take"],
        experienced=context["experienced"],
        novice=context["novice"],
    )


def read_type(value: Any, context: dict[str, Any], found: list[Refusal]) -> GameType:
    """TH-3.1: anything else is refused."""
    seats = context["seats"]
    if value is None or value in SUPPORTED[seats]:
        return value or SUPPORTED[seats][0]
    offered = " or ".join(SUPPORTED[seats])
    found.append(Refusal("TH-3.1", "/type", "unsupported", f"{seats} players can play {offered}, not {value!r}."))
    return SUPPORTED[seats][0]


def read_teams(value: Any, context: dict[str, Any], found: list[Refusal]) -> tuple[tuple[int, ...], ...] | None:
    """TH-3.2: drawn at random or chosen; in a Team Battle all teams have the same size."""
    seats, game_type = context["seats"], context["type"]
    if value is None:
        return neighbours(seats, game_type)
    if value == RANDOM:
        return None
    size = TEAM_SIZE[game_type]
    fits = is_nested(value, int) and sorted(seat for team in value for seat in team) == list(range(seats))
    if not fits or any(len(team) != size for team in value):
        example = [list(team) for team in neighbours(seats, game_type)]
        detail = f"{game_type} needs every seat in one team of {size}, for example {example}, or {RANDOM!r}."
        found.append(Refusal("TH-3.2", "/teams", "bad_teams", detail))
        return None
    return tuple(tuple(team) for team in value)


def read_decks(
    value: Any, context: dict[str, Any], found: list[Refusal]
) -> tuple[str, tuple[tuple[str, tuple[str, ...]], ...]]:
    """TH-4.4 to 4.8, TH-4.30: where the decks come from, and the lists to take."""
    seats = context["seats"]
    if value is None:
        value = DEFAULT_DECKS[seats]
    if value in ("draft", RANDOM):
        return value, ()
    if isinstance(value, str) and value in SETS:
        return read_set(SETS[value], context, found)
    if isinstance(value, (list, tuple)):
        return "lists", read_lists(value, context, found)
    offered = ", ".join(["draft", RANDOM, *SETS])
    found.append(Refusal("TH-4.4", "/decks", "unknown_decks", f"{value!r} is none of {offered}, nor a list of decks."))
    return "draft", ()


def read_set(
    printed: PrintedSet, context: dict[str, Any], found: list[Refusal]
) -> tuple[str, tuple[tuple[str, tuple[str, ...]], ...]]:
    """TH-4.7, TH-4.32: a printed set brings its own pairs (TR-12); fewer players may use it (TR-22)."""
    seats = context["seats"]
    context["printed_pairs"] = printed.pairs
    lists = tuple((one.name, one.cards) for one in printed.lists)
    if printed.rosters and seats not in ROSTER_SEATS:
        found.append(Refusal("TH-4.4", "/decks", "unsupported", f"Roster decks are for 2 or 3 players, not {seats}."))
    elif len(lists) < seats:
        kind = "rosters" if printed.rosters else "decks"
        detail = f"{printed.name} has {len(lists)} {kind}, too few for {seats} players."
        found.append(Refusal("TR-23" if printed.rosters else "TH-4.6", "/decks", "too_few", detail))
    elif printed.decks:
        found += check_decks([cards for _, cards in lists], seats)
    return ("roster" if printed.rosters else "lists"), lists


def read_lists(
    value: Sequence[Any], context: dict[str, Any], found: list[Refusal]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """TH-4.5, TR-22: host-made decks, printed decks, or both, as long as they share no card."""
    lists = []
    for n, one in enumerate(value):
        if isinstance(one, str) and one in LISTS:
            context["printed_pairs"] = MANUAL.default_pairs
            lists.append((LISTS[one].name, LISTS[one].cards))
        elif is_list(one, str):
            lists.append((f"deck {n + 1}", tuple(one)))
        else:
            detail = f"{one!r} is neither the id of a printed deck nor a list of card numbers such as 'P4'."
            found.append(Refusal("TH-4.5", f"/decks/{n}", "bad_deck", detail))
    found += check_decks([cards for _, cards in lists], context["seats"])
    return tuple(lists)


def read_pairs(value: Any, context: dict[str, Any], found: list[Refusal]) -> tuple[tuple[str, str], ...] | None:
    """TH-2.4: the four gods in two pairs. Printed sets force their own (TR-12)."""
    printed = context.get("printed_pairs")
    if value is None:
        return printed or MANUAL.default_pairs
    if value == RANDOM:
        split = None
    elif is_nested(value, str) and [len(pair) for pair in value] == [2, 2] and is_all_gods(value):
        split = (tuple(value[0]), tuple(value[1]))
    else:
        detail = f"The pairs split the gods {', '.join(GODS)} in two and two, for example {MANUAL.default_pairs}."
        found.append(Refusal("TH-2.4", "/pairs", "bad_pairs", detail))
        return None
    if printed and (split is None or {frozenset(pair) for pair in split} != {frozenset(pair) for pair in printed}):
        detail = "Printed decks and rosters are played with Poseidon/Gaia and Hades/Demeter."
        found.append(Refusal("TR-12", "/pairs", "printed_pairs", detail))
    return split


def read_active(value: Any, context: dict[str, Any], found: list[Refusal]) -> tuple[tuple[str, ...], ...] | None:
    """TH-2.5, TR-1: one active god of each pair in each Realm, fixed by the host or drawn."""
    if value is None or value == RANDOM:
        return None
    pairs, count = context["pairs"], realms(context["seats"])
    fits = is_nested(value, str) and len(value) == count and pairs is not None
    if not fits or any(
        [sum(god in active for god in pair) for pair in pairs] != [1, 1] or len(active) != 2 for active in value
    ):
        detail = f"Name one god of each pair for each of the {count} Realm(s), for example [['poseidon', 'hades']]."
        found.append(Refusal("TH-2.5", "/active", "bad_active", detail))
        return None
    return tuple(tuple(god for pair in pairs for god in pair if god in active) for active in value)


def read_take(
    value: Any, context: dict[str, Any], found: list[Refusal]
) -> Literal["choose", "random"] | tuple[int, ...]:
    """TH-4.6, TH-4.30, TR-23: by choice, at random, or agreed; nothing is taken twice."""
    if value in (None, CHOOSE):
        return "choose"
    if value == RANDOM:
        return RANDOM
    _, lists = context["decks"]
    seats = context["seats"]
    if is_list(value, int) and len(set(value)) == len(value) == seats and all(0 <= n < len(lists) for n in value):
        return tuple(value)
    rule = "TR-23" if context["decks"][0] == "roster" else "TH-4.6"
    detail = f"Say which of the {len(lists)} lists each seat takes, no two the same, or {CHOOSE!r} or {RANDOM!r}."
    found.append(Refusal(rule, "/take", "bad_take", detail))
    return "choose"


def read_experienced(value: Any, context: dict[str, Any], found: list[Refusal]) -> int | None:
    """TR-25: named by the host, otherwise random."""
    return read_number(value, context["seats"] // TEAM_SIZE[context["type"]], "TR-25", "/experienced", "team", found)


def read_novice(value: Any, context: dict[str, Any], found: list[Refusal]) -> int | None:
    """TH-4.13, TR-16: the first picker is random unless the host names a less experienced player."""
    return read_number(value, context["seats"], "TR-16", "/novice", "seat", found)


def read_number(value: Any, below: int, rule: str, pointer: str, noun: str, found: list[Refusal]) -> int | None:
    if value is None or value == RANDOM:
        return None
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < below:
        return value
    found.append(Refusal(rule, pointer, "out_of_range", f"Name a {noun} from 0 to {below - 1}, or {RANDOM!r}."))
    return None


def is_list(value: Any, of: type) -> bool:
    return isinstance(value, (list, tuple)) and all(type(item) is of for item in value)


def is_nested(value: Any, of: type) -> bool:
    return isinstance(value, (list, tuple)) and all(is_list(item, of) for item in value)


def is_all_gods(pairs: Sequence[Sequence[str]]) -> bool:
    return sorted(god for pair in pairs for god in pair) == sorted(GODS)


READERS: dict[str, Callable[[Any, dict[str, Any], list[Refusal]], Any]] = {
    "type": read_type,
    "teams": read_teams,
    "decks": read_decks,
    "pairs": read_pairs,
    "active": read_active,
    "take": read_take,
    "experienced": read_experienced,
    "novice": read_novice,
}
"""Read in this order: a later reader may look at what an earlier one found."""
