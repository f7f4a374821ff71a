"""Committing and revealing cards (TI-5, 6, 12.10 to 12.26, 13.31 to 13.36): at the start of an age, by Flash, after
Substitute. Who still has to commit what stands in the variable `owes`; everybody may know that (TI-5.6):
{"side:player": cards}, with a list of all that Due holds where it is more than some cards."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from games.kernel import Ask, T, number, pick

from .board import (
    ARENA,
    DECK,
    DISCARD,
    HAND,
    LAST_AGE,
    SLOT,
    controlled,
    controller,
    copies,
    delayer,
    is_solo,
    place,
    sides,
    sides_of,
    uses,
    watch_hands,
)
from .book import book
from .deeds import entered

TOP = "top"
"""TI-5.6, TR-49: the pose of a face-down card that came from the deck, looked at or not; everybody may know that."""
TOPS = [f"{TOP}:{number}" for number in range(1, 100)]
"""The unseen cards of a deck as options: how many of them, not which."""
NEVER = (True, 9)
NOTHING: dict[str, Any] = {}
DUES = {f"{side}:{by}": (side, by) for side in range(6) for by in range(6)}


class Due(Struct, frozen=True, gc=False):
    """What one player owes to one side. `shown`: the delaying opponent who sees it (-1: nobody, TI-12.20)."""

    side: int
    by: int
    cards: int
    shown: int = -1
    may: int = 0
    looks: tuple[int, ...] | list[int] = ()
    looking: bool = False

    @property
    def name(self) -> str:
        return f"{self.side}:{self.by}"

    @property
    def rest(self) -> Any:
        """As it stands in `owes`."""
        if self.shown < 0 and not self.may and not self.looks:
            return self.cards
        return [self.cards, self.shown, self.may, list(self.looks), self.looking]


def due_of(name: str, rest: Any) -> Due:
    return Due(*DUES[name], *rest) if type(rest) is list else Due(*DUES[name], rest)


def owed(t: T) -> list[Due]:
    found = []
    for name, rest in t.s.vars.get("owes", NOTHING).items():
        due = due_of(name, rest)
        if not t.s.seats[due.by].out:
            found.append(due)
    return found


def owe(t: T, dues: list[Due]) -> None:
    t.set("owes", {due.name: due.rest for due in dues} or None)


def elsewhere(t: T, due: Due) -> list[Due]:
    """What the same player owes to other sides."""
    return [other for other in owed(t) if other.by == due.by and other.side != due.side]


def available(t: T, seat: int) -> int:
    return len(t.s.zones[HAND[seat]].cards) + len(t.s.zones[DECK[seat]].cards)


def can_pay(t: T, due: Due) -> bool:
    """TI-5.4, 13.35: a plain card may come from hand or deck, a look needs the deck."""
    if due.cards or due.may:
        return available(t, due.by) > reserved(t, due)
    return bool(due.looks and t.s.zones[DECK[due.by]].cards)


def reserved(t: T, due: Due) -> int:
    """TR-12: the card a player has agreed to trade precedes its Summon cards."""
    known = t.s.vars
    if "trading" not in known or "owes" not in known or t.s.seats[due.by].team not in known["trading"]:
        return 0
    return len(elsewhere(t, due)) if sides(t)[due.side] == due.by else 0


# -- who chooses, and when --------------------------------------------------------------------------------------------


def chooser(t: T, due: Due, ruled: dict[int, int]) -> int:
    """TI-12.10, 12.16, 12.17: the opponent with Control in the arena; a traded card is chosen by its giver's."""
    side = due.side if sides(t)[due.side] == due.by else sides_of(t, due.by)[0]
    return ruled.get(side, due.by)


def present(t: T) -> list[tuple[Due, int]]:
    """TI-5.5, 5.10, 12.15, 12.19: what is committed next, and who chooses it: to delayed sides, then the rest; by the
    chooser's place."""
    if not (dues := owed(t)):
        return []
    ruled = controlled(t)
    found: list[tuple[Due, int]] = []
    first = NEVER
    for due in dues:
        who = chooser(t, due, ruled) if ruled else due.by
        when = (due.shown < 0, place(t, who))
        if when <= first and can_pay(t, due):
            found = [*found, (due, who)] if when == first else [(due, who)]
            first = when
    return found


def limits(t: T, due: Due, who: int) -> tuple[int, int]:
    """TI-5.4, TR-12: as many as there are. A solo player shares out too few; a traded card precedes Summon cards."""
    have = available(t, due.by)
    needed = sum([other.cards for other in elsewhere(t, due)]) if len(t.s.seats) > 2 else 0
    if needed and is_solo(t, due.by):
        least = min(due.cards, have if who != due.by else max(0, have - needed))
        return least, min(due.cards + due.may, have)
    if needed:
        have -= reserved(t, due)
    return min(due.cards, have), min(due.cards + due.may, have)


# -- opening ----------------------------------------------------------------------------------------------------------


def open_commitments(t: T, dues: list[Due]) -> None:
    """TI-12.20, 12.22, TR-19: each side's player owes cards; a side is delayed only if both sides of the arena play."""
    dues = [due for due in dues if can_pay(t, due) and not t.s.seats[due.by].out]
    if uses(t, "delay"):
        playing = {due.side for due in dues}
        dues = [replace(due, shown=delayer(t, due.side)) if due.side ^ 1 in playing else due for due in dues]
    owe(t, dues)


@book.step
def commit_age(t: T) -> None:
    """TI-3.2: after the start-of-age abilities."""
    commit_for_the_age(t)


def commit_for_the_age(t: T) -> None:
    """TI-5.1, 12.40: one card for each side, and one for every Summon."""
    anew = t.s.vars["age"] == 1  # nothing is in play
    open_commitments(
        t, [Due(side, by, 1 if anew else 1 + copies(t, "summon", side)) for side, by in enumerate(sides(t))]
    )
    t.push(committing, "age")
    if len(t.s.seats) > 2:
        t.set("may_trade", teams_that_may_trade(t))
    else:
        t.ask(commit)


@book.step
def replacements(t: T, lost: list[int]) -> None:
    """TI-17.10, 17.12: each side plays one card for each it lost; they trigger no Now ability (TI-17.13)."""
    open_commitments(t, [Due(side, sides(t)[side], lost.count(side)) for side in sorted(set(lost))])
    t.push(committing, "substitute")


@book.step
def committing(t: T, by: str) -> None:
    """TI-5.10: settle the trade, commit, place after place; then reveal. `by`: the age, Flash, or Substitute."""
    dues = [due for due, _ in present(t)]
    if not dues:
        reveal(t, by)
        return
    t.push(committing, by)
    teams = [team for team in t.s.vars.get("may_trade", ()) if any(t.s.seats[due.by].team == team for due in dues)]
    if teams:
        t.seq(*(trade(team) for team in teams))
    else:
        look_ahead(t, dues)
        t.ask(commit)


# -- trading ----------------------------------------------------------------------------------------------------------


def teams_that_may_trade(t: T) -> list[int]:
    """TI-6.2, 6.7: two teammates, each with at least one card."""
    teams = sorted(t.teams().items())
    return [team for team, seats in teams if len(seats) == 2 and all(available(t, seat) for seat in seats)]


@book.question(mode="all")
def trade(t: T, team: int) -> list[Ask]:
    """TI-6.1, 6.2, 12.17, TD-7: both must agree; who controls a member answers for it."""
    return [
        Ask(seat, pick(["trade"], 0), chooser=controller(t, sides_of(t, seat)[0]), rule="TI-6.2")
        for seat in t.teams().get(team, ())
    ]


@trade.answered
def trade_settled(t: T, team: int, answer: dict[int, list[str]]) -> None:
    """TI-6.1, 6.3: each first card goes to the other's side, Summon cards to the own."""
    t.set("may_trade", [other for other in t.s.vars["may_trade"] if other != team])
    agreed = len(answer) == 2 and all(answer.values())
    t.say("trade", team=team, agreed=agreed)
    if agreed:
        t.set("trading", [*t.s.vars.get("trading", ()), team])
        own = {seat: sides_of(t, seat)[0] for seat in answer}
        (a, b), dues = answer, []
        for due in owed(t):
            if due.by in own:
                other = own[b if due.by == a else a]
                dues.append(Due(other, due.by, 1, shown_to(t, other)))
                due = replace(due, cards=due.cards - 1)
            if due.cards:
                dues.append(due)
        owe(t, sorted(dues, key=lambda due: (due.side, due.by)))


def shown_to(t: T, side: int) -> int:
    """The delaying opponent of a side, as settled when the commitments were opened."""
    return next((due.shown for due in owed(t) if due.side == side), -1)


# -- committing -------------------------------------------------------------------------------------------------------


@book.question(mode="each")
def commit(t: T) -> list[Ask]:
    """TI-5.2, 5.3, TD-8, TD-9, TD-17, TD-18: hand cards or the top of the deck, unseen; who has Control chooses."""
    dues = present(t)
    unsettled = t.s.vars.get("may_trade")
    for due, _ in dues:
        if (unsettled and t.s.seats[due.by].team in unsettled) or (due.looks and must_look(t, due)):
            return []
    asks = []
    for due, who in dues:
        asks.append(ask_for(t, due, who))
    return asks


def ask_for(t: T, due: Due, who: int) -> Ask:
    """One question about one side: an Optional first if another chooses the card, a look's cards, or cards to play."""
    by, zones = due.by, t.s.zones
    if due.looking:
        return Ask(by, pick(looked_at(t, due)), who, public=False, sealed=True, about=due.name, rule="TI-13.33")
    if due.may and who != by:
        return Ask(by, number(0, min(due.may, available(t, by))), about=due.name, rule="TI-12.18")
    hand, deck = zones[HAND[by]].cards, zones[DECK[by]].cards
    if due.looks and deck:
        options = ["foresee", *hand, TOPS[0]]
        return Ask(by, pick(options), who, public=False, sealed=True, about=due.name, rule="TI-13.32")
    lo, hi = limits(t, due, who)
    # The player says in which order several lie: the kernel's own order, by key, would tell which is the lower one.
    cards = pick([*hand, *TOPS[: min(hi, len(deck))]], lo, hi, ordered=hi > 1)
    return Ask(by, cards, who, public=False, sealed=True, about=due.name, rule="TI-5.2")


@commit.answered
def committed(t: T, answer: dict[str, Any]) -> bool:
    [(name, chosen)] = answer.items()
    owes = dict(t.s.vars["owes"])
    after = commitment(t, due_of(name, owes[name]), chosen)
    if after:
        owes[name] = after.rest
    else:
        del owes[name]
    t.set("owes", owes or None)
    if after and after.looks:
        look_ahead(t, [due for due, _ in present(t)])
    return not owes


def commitment(t: T, due: Due, answer: Any) -> Due | None:
    """Carry one answer out; what this player still owes to this side, or None."""
    if isinstance(answer, int):
        return replace(due, cards=due.cards + answer, may=0)
    if due.looking:
        foreseen(t, due, answer[0])
        return rest_of(t, replace(due, looking=False, looks=due.looks[1:]))
    if answer == ["foresee"]:
        return look(t, due)
    one_by_one = is_one_by_one(t, due)
    for option in answer:
        blind = option.startswith(TOP)
        card = t.s.zones[DECK[due.by]].cards[0] if blind else option
        t.move(card, SLOT[due.side], down=True, known=known_to(t, due, blind), pose=TOP if blind else "")
    if not one_by_one:
        return None
    return rest_of(t, replace(due, cards=due.cards - 1) if due.cards else replace(due, may=due.may - 1))


def rest_of(t: T, due: Due) -> Due | None:
    return due if can_pay(t, due) else None


def known_to(t: T, due: Due, blind: bool) -> int:
    """TH-6 to TH-9, TH-11, TH-12, TI-12.23: a hand card who sees that hand, a delayed one its delayer. As a mask."""
    delaying = 1 << due.shown if due.shown >= 0 else 0
    return delaying if blind else delaying | seeing(t, due.by)


def seeing(t: T, seat: int) -> int:
    """TH-2, TH-10: who sees this player's hand now: itself, teammates, who has Control (board.watch_hands)."""
    return t.s.zones[HAND[seat]].faces


# -- Foresee ----------------------------------------------------------------------------------------------------------


def is_one_by_one(t: T, due: Due) -> bool:
    """TI-13.32: while a look can still be taken, its place among the other cards matters."""
    return bool(due.looks and t.s.zones[DECK[due.by]].cards)


def must_look(t: T, due: Due) -> bool:
    """TI-13.33: nothing but looks is left to do."""
    return is_one_by_one(t, due) and not (due.looking or due.cards or due.may)


def look_ahead(t: T, dues: list[Due]) -> None:
    """Those who have nothing but a look left to do, look."""
    waiting = {due.name for due in dues if due.looks and must_look(t, due)}
    if waiting:
        owe(t, [look(t, due) if due.name in waiting else due for due in owed(t)])


def look(t: T, due: Due) -> Due:
    """TI-13.33 to 13.35, TH-15: the top n cards of the deck, shown to who sees that hand."""
    t.know(looked_at(t, due), seeing(t, due.by))
    return replace(due, looking=True)


def looked_at(t: T, due: Due) -> list[str]:
    return list(t.s.zones[DECK[due.by]].cards[: due.looks[0]])


def foreseen(t: T, due: Due, chosen: str) -> None:
    """TI-13.33: one is committed, the rest is discarded face-up at once."""
    rest = [card for card in looked_at(t, due) if card != chosen]
    t.move(chosen, SLOT[due.side], down=True, known=known_to(t, due, blind=False), pose=TOP)
    t.move_all(rest, DISCARD[due.by])


# -- reveal -----------------------------------------------------------------------------------------------------------


def reveal(t: T, by: str) -> None:
    """TI-5.7, 5.9, 6.4: all committed cards enter play at the same moment; a traded card becomes the receiver's."""
    for name in ("owes", "may_trade", "trading"):
        if name in t.s.vars:
            t.set(name, None)
    fresh: list[str] = []
    for side, player in enumerate(sides(t)):
        if cards := t.s.zones[SLOT[side]].cards:
            fresh += t.move_all(cards, ARENA[side >> 1], owner=player)
    if by != "substitute":
        entered(t, fresh, anew=by == "age")
    if t.s.vars["age"] == LAST_AGE:
        watch_hands(t)
