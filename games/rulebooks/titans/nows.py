"""The Now abilities other than Subvert and Flash (TI-13): what each offers and what it does."""

from __future__ import annotations

from games.kernel import Card, T

from .board import HAND, Use, abilities, has, in_play, is_in_play, is_protected, opponent, side_in, subversions
from .cards import COST
from .offers import Deeds, Offer, accessible, can_be_subverted, named

RITUAL_GAIN = {"classic": 1, "constructed": -1}
"""TI-13.62, TR-28: a card costing up to this much more than the removed one."""


def own(t: T, use: Use) -> list[Card]:
    return in_play(t, use.arena, use.user)


# -- Mythic (1) -----------------------------------------------------------------------------------------------------


def mythic(t: T, use: Use, chosen: list[str]) -> Deeds:
    """TI-13.1 to 13.4: all other cards of that name on that side are discarded."""
    if use.floating:
        return []
    copies = [card.id for card in own(t, use) if card.key == use.card.key and card.id != use.card.id]
    return [("leave", card, "discard") for card in copies]


# -- Divert (3) -----------------------------------------------------------------------------------------------------


def lifted(t: T, use: Use, card: Card) -> list[str]:
    """TI-13.10: every subversion the opponent placed."""
    rival = opponent(t, use.arena, use.user)
    return [kind for kind, placer in subversions(card).items() if placer == rival]


def divert_offers(t: T, use: Use, deeds: Deeds) -> Offer:
    """TI-13.10, 13.14: may pick one own card, another one for each copy."""
    sources = {deed[1] for deed in deeds if deed[0] == "lift"}
    return Offer([card.id for card in own(t, use) if lifted(t, use, card) and card.id not in sources])


def divert_destinations(t: T, use: Use, source: Card, deeds: Deeds) -> list[str]:
    """TI-13.11, 13.12, 13.18: another card that can take all of them; what is lifted before frees its place."""
    kinds = lifted(t, use, source)
    freed = {deed[1:3] for deed in deeds if deed[0] == "lift"}
    filled = {deed[1:3] for deed in deeds if deed[0] == "attach"}

    def takes_all(card: Card) -> bool:
        return all(
            (card.id, kind) not in filled and (kind not in card.marks or (card.id, kind) in freed) for kind in kinds
        )

    cards = [*own(t, use), *in_play(t, use.arena, opponent(t, use.arena, use.user))]
    return [card.id for card in cards if card.id != source.id and can_be_subverted(t, use, card) and takes_all(card)]


def divert(t: T, use: Use, chosen: list[str]) -> Deeds:
    """TI-13.11, 13.13, 13.15: onto the card named second, placed by the user now; without one, to the supply."""
    if not chosen:
        return []
    kinds = lifted(t, use, t.card(chosen[0]))
    return [("lift", chosen[0], kind) for kind in kinds] + [
        ("attach", card, kind, use.user, "") for card in chosen[1:] for kind in kinds
    ]


# -- Mimic (4) ------------------------------------------------------------------------------------------------------


def mimic_offers(t: T, use: Use, deeds: Deeds) -> Offer:
    """TI-13.20, TR-24: an own card that costs 2 or less; mandatory. TI-15.6: a floating copy copies nothing."""
    cheap = [card.id for card in own(t, use) if COST[card.key] <= 2 and card.id != use.card.id]
    return Offer([] if use.floating else cheap, min(1, len(cheap)))


def mimic(t: T, use: Use, chosen: list[str]) -> Deeds:
    """TI-13.21 to 13.23: the abilities that card has now."""
    return [("copy", use.card.id, [ability.text for ability in abilities(t.card(card))]) for card in chosen]


# -- Haunt (6) ------------------------------------------------------------------------------------------------------


def haunt(t: T, use: Use, chosen: list[str]) -> Deeds:
    """TI-13.40, 12.37: a Ghost per copy, unless the opponent's side is protected."""
    victim = opponent(t, use.arena, use.user)
    if is_protected(t, side_in(t, use.arena, victim)):
        return []
    return [("haunt", use.user, use.arena, use.ability.copies)]


def no_escape(t: T, use: Use, chosen: list[str]) -> Deeds:
    """TI-13.43, TR-21: the Ghosts, then the hand; Protect stops the whole of it."""
    ghosts = haunt(t, use, chosen)
    return [*ghosts, ("escape", opponent(t, use.arena, use.user), use.arena)] if ghosts else []


# -- Return (7) -----------------------------------------------------------------------------------------------------


def return_offers(t: T, use: Use, deeds: Deeds) -> Offer:
    """TI-13.50, TR-55: own cards without Return."""
    free = [card.id for card in own(t, use) if card.id not in named(deeds) and not has(card, "return")]
    return Offer(free, 0, use.ability.copies)


def to_hand(t: T, use: Use, chosen: list[str]) -> Deeds:
    """TI-13.50, 13.52, 17.20: back to its owner's hand, a stolen one to its owner's discard pile."""
    return [("leave", card, "hand") for card in chosen]


# -- Sacrifice (8) --------------------------------------------------------------------------------------------------


def sacrifice_offers(t: T, use: Use, deeds: Deeds) -> Offer:
    """TI-13.60: per copy one card in hand; the hand is the user's secret."""
    gone = named(deeds)
    return Offer([card for card in t.ids(HAND[use.user]) if card not in gone], 0, use.ability.copies, public=False)


def sacrifice(t: T, use: Use, chosen: list[str]) -> Deeds:
    return [("sacrifice", card) for card in chosen]


def ritual_offers(t: T, use: Use, deeds: Deeds) -> Offer:
    """TI-13.62: another own card in play."""
    gone = named(deeds)
    return Offer([card.id for card in own(t, use) if card.id not in gone and card.id != use.card.id])


def ritual_gains(t: T, use: Use, removed: Card, deeds: Deeds) -> list[str]:
    """TI-13.62, 13.63: what qualifies and is not claimed."""
    limit = COST[removed.key] + RITUAL_GAIN["constructed" if t.s.vars["constructed"] else "classic"]
    return accessible(t, side_in(t, use.arena, use.user), limit, deeds)


def ritual(t: T, use: Use, chosen: list[str]) -> Deeds:
    """TI-13.62, 13.65: the first leaves the game, the second is gained to hand."""
    if not chosen:
        return []
    return [("leave", chosen[0], "removed"), *(("gain", card, use.user, -1) for card in chosen[1:])]


# -- Purify (9) -----------------------------------------------------------------------------------------------------


def purify_offers(t: T, use: Use, deeds: Deeds) -> Offer:
    """TI-13.70: per copy any one card of the arena, on either side."""
    both = [*own(t, use), *in_play(t, use.arena, opponent(t, use.arena, use.user))]
    return Offer([card.id for card in both if subversions(card)], 0, use.ability.copies)


def absolute_offers(t: T, use: Use, deeds: Deeds) -> Offer:
    """TI-13.73: any number."""
    options = purify_offers(t, use, deeds).options
    return Offer(options, 0, len(options))


def purify(t: T, use: Use, chosen: list[str]) -> Deeds:
    return [("lift", card, kind) for card in chosen for kind in subversions(t.card(card))]


def purify_token(t: T, use: Use, chosen: list[str]) -> Deeds:
    """TI-13.74 to 13.76: one token if the opponent had placed one of them; a floating copy has no card for it."""
    rival = opponent(t, use.arena, use.user)
    earned = any(rival in subversions(t.card(card)).values() for card in chosen) and not use.floating
    return [*purify(t, use, chosen), *([("token", use.card.id)] if earned and is_in_play(t, use.card.id) else [])]

