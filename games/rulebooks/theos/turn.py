"""The turn and the resolution of a card (TH-6, TH-7)."""

from __future__ import annotations

from games.kernel.play import T
from games.kernel.questions import Ask, pick
from games.kernel.table import Card, Step

from .abilities import use_ability
from .board import (
    BLANKS,
    HAND,
    RESOLVED,
    ROW,
    SLOT,
    active_player,
    blanks_in_hand,
    cards,
    fastest,
    has_only_blanks,
    in_play,
    realm,
    symbols,
    team,
    unresolved,
)
from .book import book
from .cards import BLANK, CARDS, LIMITS, Kind
from .operations import empower, may_be_empowered, set_god_active, turn_sideways
from .targets import Use, patron_of
from .triggers import THE_GODS, happen


@book.question(mode="all")
def play_card(t: T) -> list[Ask]:
    """DP-12, TH-6.1: secretly and at the same time, one card each. Asked even with one card left (TR-27)."""
    asks = []
    for seat in range(len(t.s.seats)):
        if hand := playable(t, seat):
            idle = has_only_blanks(t.s, seat)  # a public fact, so the Blank may be played for the player
            asks.append(Ask(seat, pick(hand), rule="TH-6.1", passes=idle, bare=idle))
    return asks


def playable(t: T, seat: int) -> list[str]:
    """The hand, Blanks first: for a silent or absent player the first card is played."""
    if not blanks_in_hand(t.s, seat):
        return t.ids(HAND[seat])
    return [card.id for card in sorted(cards(t.s, HAND[seat]), key=is_blank, reverse=True)]


@play_card.answered
def cards_played(t: T, answer: dict[int, list[str]]) -> None:
    """TH-6.2, 6.3: all slots are turned up at once; Blanks leave before anything resolves."""
    t.say("turn", round=t.var("round"), turn=LIMITS.hand_size + 1 - t.size(HAND[0]))
    blanks = []
    for seat in range(len(t.s.seats)):
        for card in answer.get(seat) or playable(t, seat)[:1]:
            revealed = t.move(card, SLOT[seat])
            if is_blank(t.card(revealed)):
                blanks.append(revealed)
    for blank in blanks:
        t.count(t.card(blank).owner, BLANKS, -1)
        t.remove(blank)
    resolve_next(t)


def is_blank(card: Card) -> bool:
    return card.key == BLANK


def resolve_next(t: T) -> None:
    """TH-6.4, TR-29: the fastest unresolved card of all Realms, decided anew after each resolution. Without any
    there is no Active Player (TR-31) and the turn is over (TH-6.5)."""
    if waiting := unresolved(t.s):
        resolve(t, fastest(waiting))
    elif "active" in t.s.vars:
        t.set("active", None)


def resolve(t: T, card: Card) -> None:
    """TH-7.1, 7.2: its owner is the Active Player; the gods judge it with the Symbols as they are now."""
    seat = card.owner
    t.set("active", {"seat": seat, "card": card.id})
    where, god = realm(t.s, seat), CARDS[card.key].god
    if god in symbols(t.s, where):
        t.say("accepted", card=card.key, seat=seat, realm=where)
        accept(t, card)
    elif patron := patron_of(t.s, card):
        t.say("always accepted", card=card.key, seat=seat, realm=where, by=patron.key)
        accept(t, card)
    else:
        t.say("rejected", card=card.key, seat=seat, realm=where, god=god)
        reject(t, card)


def accept(t: T, card: Card) -> None:
    """TH-7.3, 7.4: the Instants, top to bottom; then, for a Power card, one card may be empowered."""
    t.push(place, card.id)
    if CARDS[card.key].type == "power":
        t.ask(choose_empower)
    t.seq(*use_all(card, "instant"))


def use_all(card: Card, kind: Kind) -> list[Step]:
    return [use_ability(ability.id, card.id, card.owner) for ability in CARDS[card.key].of_kind(kind)]


@book.question
def choose_empower(t: T) -> Ask:
    """DP-19, TH-7.4: any eligible card of the team, or none."""
    seat = active_player(t.s)
    own, seats = team(t.s, seat), t.s.seats
    eligible = [card.id for card in in_play(t.s) if seats[card.owner].team == own and may_be_empowered(card)]
    return Ask(seat, pick(eligible, lo=0, hi=1), rule="TH-7.5")


@choose_empower.answered
def empower_chosen(t: T, answer: list[str]) -> None:
    for card in answer:
        empower(t, t.card(card), Use("", "", active_player(t.s)))


def reject(t: T, card: Card) -> None:
    """TH-7.6, TR-49: the gods destroy it; one happening with two names, and its triggers come before the flip."""
    t.push(place, card.id)
    if CARDS[card.key].type == "offering":
        t.push(please, card.id)
    turn_sideways(t, card)
    happen(t, [("reject", card.id), ("destroy", card.id)], THE_GODS)


@book.step
def please(t: T, card: str) -> None:
    """TH-7.7: a rejected Offering makes its god active, in the Realm where it was played."""
    offering = t.find(card)
    if offering is None:
        return
    god, where = CARDS[offering.key].god, realm(t.s, offering.owner)
    if god not in symbols(t.s, where):
        t.say("active", ability="", by=offering.key, god=god, realm=where)
        set_god_active(t, god, where)


@book.step
def place(t: T, card: str) -> None:
    """TH-7.8: to the right end of the owner's row; resolved. Then the next card's turn comes (TH-6.4)."""
    if resolved := t.find(card):  # a ruling may have taken it away
        if RESOLVED in resolved.marks:
            t.mark(card, RESOLVED, None)
        t.move(card, ROW[resolved.owner], keep=True)
    resolve_next(t)
