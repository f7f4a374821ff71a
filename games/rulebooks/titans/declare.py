"""Declare in priority order, carry out together (TI-4.3 to 4.8).

A batch is all uses of one family at one moment. Nothing changes while it is declared, so what has been declared is
read from the variable `declared` (it is public, TI-4.4) and everything else is worked out again from the board.
"""

from __future__ import annotations

from itertools import groupby

from games.kernel import PUBLIC, Ask, T, faces, pick
from games.kernel.rulebook import QuestionDef

from .board import LAST_AGE, Use, arena_of, held, in_order, is_in_play, place, shared, side_in, sides, uses, watch_hands
from .book import book
from .cards import ABILITY, MINDLESS, PRIORITY
from .commit import Due, committing, open_commitments, replacements
from .deeds import DEEDS, no_escape
from .flash import Plays
from .offers import Deeds, Offer
from .reference import REFERENCE, Row

Declared = list[tuple[str, list[str]]]
"""What was chosen for which use, in the order in which it was said."""
Asked = tuple[str, Use, Offer]

KINDS = {
    "subvert": "subvert", "divert": "divert", "mimic": "mimic", "return": "take_back", "sacrifice": "sacrifice",
    "purify": "purify", "night's fury": "nights_fury", "substitute": "substitute", "rage": "rage",
}  # fmt: skip
"""Family → the kind of the question in which its uses are declared."""
SECOND_KINDS = {"Divert": "divert_to", "Subvert: Replicate": "replicate_gain", "Sacrifice: Ritual": "ritual_gain"}


# -- what is declared -----------------------------------------------------------------------------------------------


def pending(t: T) -> list[tuple[str, int]]:
    """TI-7.1, 7.2: the Now abilities, as (card, index), that are pending and not suppressed by Mindless."""
    return [(card, index) for card, index in t.s.vars["pending"] if is_pending(t, card)]


def is_pending(t: T, card: str) -> bool:
    """TI-7.2, 7.10: a card that has left play is another thing; under Mindless nothing activates."""
    return is_in_play(t, card) and MINDLESS not in t.s.cards[card].marks


def batch(t: T, family: str) -> list[Use]:
    """TI-7.4, 7.8, 7.9: the uses of a family that activate together, in priority order."""
    if family not in PRIORITY:
        return uses(t, family)
    found: list[Use] = []
    for name, index in pending(t):
        card = t.s.cards[name]
        ability = held(card)[index]
        if ability.family == family:
            found += shared(t, arena_of(card), card, ability, index)
    return in_order(t, found)


def declarations(t: T, family: str) -> tuple[Deeds, list[Asked]]:
    """The deeds declared so far, and what the players at the present place have to declare.

    TI-4.2, 4.5: later places see the earlier deeds. TI-4.3, 7.5: who has several to declare does so in any order, which
    is why all of them are asked at once. What leaves no choice is not asked.
    """
    declared: Declared = t.s.vars.get("declared", [])
    deeds: Deeds = []
    asked: list[Asked] = []
    for _, there in groupby(batch(t, family), lambda use: place(t, use.user)):
        left = {name_of(use, copy): use for use in there if not t.s.seats[use.user].out for copy in copies_of(use)}
        for about, chosen in declared:
            if use := left.pop(about, None):
                deeds = deeds + REFERENCE[use.ability.label].does(t, use, chosen)
        for about, use in left.items():
            if any(use is other for _, other, _ in asked):
                continue  # one copy at a time: they are alike
            row = REFERENCE[use.ability.label]
            offer = row.offers(t, use, deeds) if row.offers else Offer([])
            if is_choice(row, offer):
                asked.append((about, use, offer))
            else:
                deeds = deeds + row.does(t, use, offer.options)
        if asked:
            break
    return deeds, asked


def name_of(use: Use, copy: int) -> str:
    return f"{use.card.id}:{use.at}:{copy}:{use.user}"


def copies_of(use: Use) -> range:
    """What is declared of a use: all its copies together, or each alone."""
    return range(use.ability.copies if REFERENCE[use.ability.label].each else 1)


def is_choice(row: Row, offer: Offer) -> bool:
    """Is there something to decide? What must be chosen whole, openly and with nothing to name second, is not asked."""
    return bool(offer.options) and (len(offer.options) > offer.lo or not offer.public or row.second is not None)


def _question(family: str, kind: str) -> QuestionDef[[]]:
    """The question in which the uses of one family are declared, place after place."""

    def ask(t: T) -> list[Ask]:
        return [
            Ask(use.user, pick(offer.options, offer.lo, max(offer.hi, offer.lo)), public=offer.public, about=about,
                rule=REFERENCE[use.ability.label].rule)
            for about, use, offer in declarations(t, family)[1]
        ]  # fmt: skip

    def answered(t: T, answer: dict[str, list[str]]) -> None:
        deeds, asked = declarations(t, family)
        for about, use, _ in asked:
            if about in answer:
                chosen, row = answer[about], REFERENCE[use.ability.label]
                if chosen and row.second and row.second(t, use, t.card(chosen[0]), deeds):
                    t.part(SECONDS[use.ability.label], about, chosen[0])
                else:
                    record(t, about, chosen)

    ask.__name__ = kind
    ask.__doc__ = f"TI-4.3: {family}."
    made: QuestionDef[[]] = book.question(mode="each")(ask)
    made.answered(answered)
    return made


def _second(label: str, kind: str) -> QuestionDef[[str, str]]:
    """What a declaration names second, in the same action (Divert's destination, the card gained)."""
    family = ABILITY[label].family

    def ask(t: T, about: str, first: str) -> Ask:
        row = REFERENCE[label]
        deeds, asked = declarations(t, family)
        use = next(use for name, use, _ in asked if name == about)
        options = row.second(t, use, t.card(first), deeds) if row.second else []
        optional = label == "Subvert: Replicate" and t.s.vars["constructed"]
        return Ask(use.user, pick(options, 0 if optional else 1, 1), rule=row.rule)

    def answered(t: T, about: str, first: str, answer: list[str]) -> None:
        record(t, about, [first, *answer])

    ask.__name__ = kind
    ask.__doc__ = f"TI-4.5: the second choice of {label}."
    made: QuestionDef[[str, str]] = book.question()(ask)
    made.answered(answered)
    return made


def record(t: T, about: str, chosen: list[str]) -> None:
    """TI-4.4, TH-17, TH-19: public, final, and visible to those who declare later; named hand cards and cards of a
    spellbook are shown."""
    named = [t.s.cards[card] for card in chosen if card in t.s.cards]
    t.look([card.id for card in named if faces(t.s, card) != PUBLIC], PUBLIC)
    t.set("declared", [*t.s.vars.get("declared", ()), [about, chosen]])


QUESTIONS = {family: _question(family, kind) for family, kind in KINDS.items()}
SECONDS = {label: _second(label, kind) for label, kind in SECOND_KINDS.items()}


# -- what is carried out --------------------------------------------------------------------------------------------


def declare(t: T, family: str) -> None:
    """TI-4.3: ask for what there is to declare, then carry out."""
    if family in QUESTIONS:
        t.seq(QUESTIONS[family](), carry_out(family))
    else:
        t.push(carry_out, family)


@book.step
def carry_out(t: T, family: str) -> None:
    """TI-4.3, 4.8, 7.4: everything at once; the abilities of the batch are used up, with an effect or without."""
    deeds, _ = declarations(t, family)
    if family in PRIORITY:
        use_up(t, family)
    if "declared" in t.s.vars:
        t.set("declared", None)
    left = [t.s.cards[deed[1]] for deed in deeds] if family == "substitute" else []
    lost = [side_in(t, arena_of(card), card.ctrl) for card in left]
    for name, perform in DEEDS.items():
        for deed in deeds:
            if deed[0] == name:
                perform(t, *deed[1:])
    if escapes := sorted({deed[1:] for deed in deeds if deed[0] == "escape"}):
        t.push(no_escape, escapes)
    if lost:
        t.push(replacements, lost)
    if t.s.vars["age"] == LAST_AGE:
        watch_hands(t)


def use_up(t: T, family: str) -> None:
    """TI-7.4, 7.7."""
    cards = t.s.cards
    rest = [
        [name, index]
        for name, index in t.s.vars["pending"]
        if name in cards and not (is_pending(t, name) and held(cards[name])[index].family == family)
    ]
    t.set("pending", rest)


@book.step
def now(t: T) -> None:
    """TI-7.3 to 7.6, 7.11: one loop for the whole table; what is pending is read anew, so backtracking is free."""
    families = {held(t.s.cards[card])[index].family for card, index in pending(t)}
    if families:
        family = min(families, key=PRIORITY.__getitem__)
        t.push(now)
        if family == "flash":
            t.push(flash_batch)
        else:
            declare(t, family)


@book.step
def flash_batch(t: T) -> None:
    """TI-13.31: all Flash cards of all players and arenas are committed, then revealed together."""
    plays: dict[int, Plays] = {}
    for use in batch(t, "flash"):
        side = side_in(t, use.arena, use.user)
        had, more = plays.get(side, Plays()), REFERENCE[use.ability.label].does(t, use)
        plays[side] = Plays(had.cards + more.cards, had.may + more.may, had.looks + more.looks)
    use_up(t, "flash")
    player = sides(t)
    dues = [Due(side, player[side], one.cards, -1, one.may, one.looks) for side, one in sorted(plays.items())]
    open_commitments(t, dues)
    t.push(committing, "flash")
