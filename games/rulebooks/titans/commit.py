"""Committing and revealing cards (TI-5, 6, 12.10 to 12.26, 13.31 to 13.36): at the start of an age, by Flash, after
Substitute. Who still has to commit what stands in the variable `owes`; everybody may know that (TI-5.6)."""

from __future__ import annotations

from typing import Any, NamedTuple

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
    controllers,
    delayer,
    is_solo,
    place,
    shares,
    side_in,
    sides,
    sides_of,
    uses,
    watch_hands,
)
from .book import book
from .deeds import entered
from .flash import Plays

TOP = "top"
NEVER = (True, 9)


class Due(NamedTuple):
    """What one player owes to one side. `shown`: the delaying opponent who sees it (-1: nobody, TI-12.20)."""

    side: int
    by: int
    cards: int
    may: int
    looks: list[int]
    shown: int
    looking: bool = False

    @property
    def name(self) -> str:
        return f"{self.side}:{self.by}"


def owed(t: T) -> list[Due]:
    return [Due(*row) for row in t.s.vars.get("owes", ()) if not t.s.seats[row[1]].out]


def owe(t: T, dues: list[Due]) -> None:
    t.set("owes", [list(due) for due in dues] or None)


def available(t: T, seat: int) -> int:
    return len(t.s.zones[HAND[seat]].cards) + len(t.s.zones[DECK[seat]].cards)


def can_pay(t: T, due: Due) -> bool:
    """TI-5.4, 13.35: a plain card may come from hand or deck, a look needs the deck."""
    if due.cards or due.may:
        return available(t, due.by) > reserved(t, due)
    return bool(due.looks and t.s.zones[DECK[due.by]].cards)


def reserved(t: T, due: Due) -> int:
    """TR-12: the card a player has agreed to trade precedes its Summon cards."""
    if t.s.seats[due.by].team not in t.s.vars.get("trading", ()) or "owes" not in t.s.vars:
        return 0
    own = sides(t)[due.side] == due.by
    return sum(row[1] == due.by and row[0] != due.side for row in t.s.vars["owes"]) if own else 0


# -- who chooses, and when --------------------------------------------------------------------------------------------


def chooser(t: T, due: Due, ruled: dict[int, int]) -> int:
    """TI-12.10, 12.16, 12.17: the opponent with Control in the arena; a traded card is chosen by its giver's."""
    if not ruled:
        return due.by
    side = due.side if sides(t)[due.side] == due.by else sides_of(t, due.by)[0]
    return ruled.get(side, due.by)


def present(t: T) -> list[Due]:
    """TI-5.5, 5.10, 12.15, 12.19: what is committed next: to delayed sides, then the rest; by the chooser's place."""
    ruled = controlled(t)
    found: list[Due] = []
    first = NEVER
    for due in owed(t):
        when = (due.shown < 0, place(t, chooser(t, due, ruled)))
        if when <= first and can_pay(t, due):
            found = [*found, due] if when == first else [due]
            first = when
    return found


def limits(t: T, due: Due, who: int) -> tuple[int, int]:
    """TI-5.4, TR-12: as many as there are. A solo player shares out too few; a traded card precedes Summon cards."""
    have = available(t, due.by)
    most = min(due.cards + due.may, have)
    least = min(due.cards, have)
    elsewhere = sum(row[2] for row in t.s.vars["owes"] if row[1] == due.by and row[0] != due.side)
    if elsewhere and is_solo(t, due.by):
        return (max(0, min(least, have - elsewhere)), most) if who == due.by else (least, most)
    kept = reserved(t, due) if elsewhere else 0
    return min(least, have - kept), min(most, have - kept)


# -- opening ----------------------------------------------------------------------------------------------------------


def open_commitments(t: T, plays: dict[int, Plays]) -> None:
    """TI-12.20, 12.22, TR-19: each side's player owes cards; a side is delayed only if both sides of the arena play."""
    player = sides(t)
    dues = [Due(side, player[side], one.cards, one.may, list(one.looks), -1) for side, one in sorted(plays.items())]
    dues = [due for due in dues if can_pay(t, due) and not t.s.seats[due.by].out]
    if uses(t, "delay"):
        playing = {due.side for due in dues}
        dues = [due._replace(shown=delayer(t, due.side)) if due.side ^ 1 in playing else due for due in dues]
    owe(t, dues)


@book.step
def commit_age(t: T) -> None:
    """TI-3.2: after the start-of-age abilities."""
    commit_for_the_age(t)


def commit_for_the_age(t: T) -> None:
    """TI-5.1, 12.40: one card for each side, and one for every Summon."""
    more = dict.fromkeys(range(len(sides(t))), 1)
    if t.s.vars["age"] > 1:
        for use in uses(t, "summon"):
            more[side_in(t, use.arena, use.user)] += use.ability.copies
    open_commitments(t, {side: Plays(cards) for side, cards in more.items()})
    t.push(committing, "age")
    if len(t.s.seats) > 2:
        t.set("may_trade", teams_that_may_trade(t))
    else:
        t.ask(commit)


@book.step
def replacements(t: T, lost: list[int]) -> None:
    """TI-17.10, 17.12: each side plays one card for each it lost; they trigger no Now ability (TI-17.13)."""
    open_commitments(t, {side: Plays(lost.count(side)) for side in lost})
    t.push(committing, "substitute")


@book.step
def committing(t: T, by: str) -> None:
    """TI-5.10: settle the trade, commit, place after place; then reveal. `by`: the age, Flash, or Substitute."""
    dues = present(t)
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
                dues.append(Due(other, due.by, 1, 0, [], shown_to(t, other)))
                due = due._replace(cards=due.cards - 1)
            if due.cards:
                dues.append(due)
        owe(t, sorted(dues))


def shown_to(t: T, side: int) -> int:
    """The delaying opponent of a side, as settled when the commitments were opened."""
    return next((due.shown for due in owed(t) if due.side == side), -1)


# -- committing -------------------------------------------------------------------------------------------------------


@book.question(mode="each")
def commit(t: T) -> list[Ask]:
    """TI-5.2, 5.3, TD-8, TD-9, TD-17, TD-18: hand cards or the top of the deck, unseen; who has Control chooses."""
    dues = present(t)
    unsettled = t.s.vars.get("may_trade")
    if unsettled and any(t.s.seats[due.by].team in unsettled for due in dues):
        return []
    if any(due.looks and must_look(t, due) for due in dues):
        return []
    return [ask_for(t, due) for due in dues]


def ask_for(t: T, due: Due) -> Ask:
    """One question about one side: an Optional first if another chooses the card, a look's cards, or cards to play."""
    who = chooser(t, due, controlled(t))
    if due.looking:
        return Ask(due.by, pick(looked_at(t, due)), who, public=False, sealed=True, about=due.name, rule="TI-13.33")
    if due.may and who != due.by:
        return Ask(due.by, number(0, min(due.may, available(t, due.by))), about=due.name, rule="TI-12.18")
    hand, deck = t.s.zones[HAND[due.by]].cards, t.s.zones[DECK[due.by]].cards
    lo, hi = limits(t, due, who)
    if is_one_by_one(t, due):
        options = ["foresee", *hand, f"{TOP}:1"]
        return Ask(due.by, pick(options), chooser=who, public=False, sealed=True, about=due.name, rule="TI-13.32")
    tops = [f"{TOP}:{number}" for number in range(1, min(hi, len(deck)) + 1)]
    # The player says in which order several lie: the kernel's own order, by key, would tell which is the lower one.
    cards = pick([*hand, *tops], lo, hi, ordered=hi > 1)
    return Ask(due.by, cards, chooser=who, public=False, sealed=True, about=due.name, rule="TI-5.2")


@commit.answered
def committed(t: T, answer: dict[str, Any]) -> None:
    [(name, chosen)] = answer.items()
    due = next(due for due in owed(t) if due.name == name)
    after = commitment(t, due, chosen)
    rest = [row for row in t.s.vars["owes"] if row[:2] != [due.side, due.by]]
    t.set("owes", sorted([*rest, list(after)]) if after else rest or None)
    if after and after.looks:
        look_ahead(t, present(t))
    if "owes" not in t.s.vars:
        t.cut(commit, also=True)  # all is committed: no need to ask on


def commitment(t: T, due: Due, answer: Any) -> Due | None:
    """Carry one answer out; what this player still owes to this side, or None."""
    if isinstance(answer, int):
        return due._replace(cards=due.cards + answer, may=0)
    if due.looking:
        foreseen(t, due, answer[0])
        return rest_of(t, due._replace(looking=False, looks=due.looks[1:]))
    if answer == ["foresee"]:
        return look(t, due)
    one_by_one = is_one_by_one(t, due)
    for option in answer:
        blind = option.startswith(TOP)
        card = t.s.zones[DECK[due.by]].cards[0] if blind else option
        t.move(card, SLOT[due.side], down=True, known=known_to(t, due, blind))
    if not one_by_one:
        return None
    return rest_of(t, due._replace(cards=due.cards - 1) if due.cards else due._replace(may=due.may - 1))


def rest_of(t: T, due: Due) -> Due | None:
    return due if can_pay(t, due) else None


def known_to(t: T, due: Due, blind: bool) -> list[int]:
    """TH-6 to TH-9, TH-11, TH-12, TI-12.23: a hand card who sees that hand, a delayed one its delayer."""
    delaying = [due.shown] if due.shown >= 0 else []
    return delaying if blind else [due.by, *shares(t, due.by), *controllers(t, due.by), *delaying]


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
    t.know(looked_at(t, due), [due.by, *shares(t, due.by), *controllers(t, due.by)])
    return due._replace(looking=True)


def looked_at(t: T, due: Due) -> list[str]:
    return list(t.s.zones[DECK[due.by]].cards[: due.looks[0]])


def foreseen(t: T, due: Due, chosen: str) -> None:
    """TI-13.33: one is committed, the rest is discarded face-up at once."""
    rest = [card for card in looked_at(t, due) if card != chosen]
    t.move(chosen, SLOT[due.side], down=True, known=known_to(t, due, blind=False))
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
            for card in t.move_all(cards, ARENA[side >> 1], ctrl=player):
                fresh.append(card)
                if t.s.cards[card].owner != player:
                    t.give(card, player, player)
    if by != "substitute":
        entered(t, fresh, anew=by == "age")
    if t.s.vars["age"] == LAST_AGE:
        watch_hands(t)
