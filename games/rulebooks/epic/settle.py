"""The settle after every happening (EP-0.4), winning and losing (EP-2), elimination (EP-19.3, 19.4)."""

from __future__ import annotations

from games.kernel.play import T
from games.kernel.table import Card

from .board import DECK, DISCARD, GONE, HAND, LINE, PLAY, REMOVED, UNDER, battle, in_play, mojo, step_name
from .cards import TOKENS, is_ability
from .triggers import QUEUE
from .values import Board, board


def settled(t: T, tried: list[str]) -> list[Card] | None:
    """EP-0.4, one round: the champions that must be broken now, or nothing if all is quiet; None: look again.

    `tried`: whose breaking came to nothing; once is enough (EP-10.12).
    """
    now = board(t)
    if now.contradicting:
        remove_contradicting(t, now.contradicting)
        return None
    if now.controls and hand_over(t, now):
        return None
    if doomed := [card for card in in_play(t) if card.id not in tried and must_break(card, now)]:
        return doomed
    if lost := [seat for seat in t.seats if mojo(t, seat) <= 0 or "lost" in t.seat(seat).marks]:
        eliminate(t, lost)
        return None if t.s.outcome is None else []
    if not empty_deck_wins(t):
        leave_battle(t)
    return []


# -- (a) contradictions and control ------------------------------------------------------------------------------------


def remove_contradicting(t: T, sources: list[str]) -> None:
    """EP-11.5, 11.7: cards, tokens and counters are removed from the game; that is neither breaking nor banishing."""
    for source in dict.fromkeys(sources):
        card, _, kind = source.partition(" ")
        if kind:
            t.count(card, kind, -t.n(card, kind))
        elif t.card(card).key in TOKENS:
            t.remove(card)
        else:
            _drop_cards_under(t, t.card(card))
            t.move(card, REMOVED)
    t.say("contradiction", things=list(dict.fromkeys(sources)))


def hand_over(t: T, now: Board) -> bool:
    """EP-15.4: control goes to whom the latest effect gives it, else back to the base controller."""
    moved = False
    for card in in_play(t):
        ctrl = now.values[card.id].ctrl
        if ctrl != card.ctrl:
            moved = True
            if "base" not in card.marks:
                t.mark(card.id, "base", card.ctrl)
            t.give(card.id, ctrl)
            if card.down:
                t.conceal(card.id, card.known | 1 << ctrl)
    return moved


# -- (b) breaking ------------------------------------------------------------------------------------------------------


def must_break(card: Card, now: Board) -> bool:
    """EP-13.4, 16.4, 16.9."""
    value = now.values[card.id]
    if value.type != "champion" or "unbreakable" in value.keywords:
        return False
    return value.defense <= card.n.get("damage", 0) or value.defense <= 0 or "deadly" in card.marks


# -- (c), (d) losing and winning ---------------------------------------------------------------------------------------


def eliminate(t: T, lost: list[int]) -> None:
    """EP-2.1 to 2.3, 2.6, 19.3: together; the last player in the game wins, nobody left is a tie."""
    reasons = {seat: t.seat(seat).marks.get("lost", "mojo") for seat in lost}
    t.set("eliminated", [*t.var("eliminated", []), lost])
    for seat in lost:
        t.out(seat, reasons[seat])
    if not t.seats:
        t.end("tie", lost)
    elif len(t.seats) == 1:
        t.end("win", t.seats, next((reason for reason in reasons.values() if reason in ("conceded", "time")), "rules"))
    else:
        for seat in lost:
            clear_away(t, seat)


def clear_away(t: T, seat: int) -> None:
    """EP-19.3: what the player owns leaves the game, what others own goes back to them; this triggers nothing."""
    for card in sorted(t.s.cards.values(), key=lambda card: int(card.id[1:])):
        if t.find(card.id) is None or (card.zone in (DECK[seat], HAND[seat], DISCARD[seat]) and card.owner == seat):
            continue
        if card.owner == seat or (card.zone == LINE and card.ctrl == seat):
            _take_away(t, card, seat)
        elif card.zone in (HAND[seat], DISCARD[seat]):
            t.move(card.id, DISCARD[card.owner])
        elif card.zone == PLAY:
            _end_control(t, card, seat)
    t.move_all(t.ids(DISCARD[seat]), REMOVED)
    for zone in (DECK[seat], HAND[seat]):
        t.move_all(t.ids(zone), GONE[seat])
    if queue := t.var(QUEUE):
        left = [[run for run in batch if run["by"] != seat] for batch in queue]
        t.set(QUEUE, [batch for batch in left if batch] or None)


def _take_away(t: T, card: Card, seat: int) -> None:
    if card.key in TOKENS or is_ability(card.key):
        _drop_cards_under(t, card)
        t.remove(card.id)
    elif card.owner == seat:
        _drop_cards_under(t, card)
        t.move(card.id, REMOVED)
    else:
        t.move(card.id, DISCARD[card.owner])


def _drop_cards_under(t: T, card: Card) -> None:
    """EP-3.12."""
    for under in card.held:
        if t.find(under) is not None and t.card(under).zone == UNDER:
            t.move(under, DISCARD[t.card(under).owner])


def _end_control(t: T, card: Card, seat: int) -> None:
    """Control effects favouring the player end; control falls to a remaining one, the base controller, the owner."""
    mods = card.marks.get("mods", [])
    if left := [mod for mod in mods if mod.get("ctrl") != seat]:
        if left != mods:
            t.mark(card.id, "mods", left)
    elif mods:
        t.mark(card.id, "mods", None)
    base = card.marks.get("base", card.ctrl)
    if base == seat:
        t.mark(card.id, "base", card.owner)
        base = card.owner
    if card.ctrl == seat:
        t.give(card.id, base)
        t.mark(card.id, "base", base)


def empty_deck_wins(t: T) -> bool:
    """EP-2.4, 2.5: not in Pack War (EP-17.4)."""
    if t.var("pack_war") or step_name(t) == "setup":
        return False
    if not (winners := [seat for seat in t.seats if not t.size(DECK[seat])]):
        return False
    t.end("win" if len(winners) == 1 else "tie", winners, "empty deck")
    return True


# -- (e) the battle ----------------------------------------------------------------------------------------------------


def leave_battle(t: T) -> None:
    """EP-9.12: who left play or changed controller, or is no champion, is out of the battle."""
    fight = battle(t)
    if fight is None:
        return
    values = board(t).values

    def stays(thing: str, seat: int) -> bool:
        return thing in values and values[thing].ctrl == seat and values[thing].type == "champion"

    new = {
        **fight,
        "attackers": [thing for thing in fight["attackers"] if stays(thing, fight["by"])],
        "blockers": [thing for thing in fight["blockers"] if stays(thing, fight["defender"])],
        "hunted": fight["hunted"] if fight["hunted"] and stays(fight["hunted"], fight["defender"]) else "",
    }
    if new != fight:
        t.set("battle", new)
