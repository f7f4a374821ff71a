"""What can be done with decks. Tournaments and drafts use these; so does the API.

check("epic/designed", content)                     -> every violation
seal("trn_…", "epic/designed", content, salt)       -> checked, with the hash that is public; `keep`: whose it is
lock("trn_…"), open_seals("trn_…")                  -> no more changes; everybody may read them
swapped("epic/designed", content, out, in_)         -> sideboarding: what is played in the next game of the match
"""

from __future__ import annotations

import secrets
from datetime import date
from typing import Any

from django.db import IntegrityError, transaction
from msgspec import Struct

from accounts.models import User
from decks import checking, match
from decks.checking import Content, Pool, Violation
from decks.formats import format_named
from decks.models import Deck, DeckVersion, Submission
from events.canonical import digest, encode
from events.errors import Rejected

MOST_DECKS = 500


def check(format_id: str, content: Content, pool: Pool | None = None, on: date | None = None) -> list[Violation]:
    """Everything that is wrong with this deck; the restricted and banned lists are those of the day (today)."""
    return checking.check(known_format(format_id), content, pool, (on or date.today()).isoformat())  # noqa: DTZ011


def known_format(format_id: str) -> Any:
    try:
        return format_named(format_id)
    except LookupError as unknown:
        raise illegal("/format", "unknown_option", str(unknown)) from None


def refuse(violations: list[Violation]) -> None:
    """All at once, with the rules' numbers."""
    if violations:
        errors = [
            {"pointer": f"/deck/{one.section}" if one.section else "/deck", "code": one.code, "detail": one.detail,
             "rule": one.rule, "cards": one.cards}
            for one in violations
        ]  # fmt: skip
        raise Rejected("illegal", " ".join(f"{one.detail} ({one.rule})." for one in violations)[:2000], errors)


def illegal(pointer: str, code: str, detail: str) -> Rejected:
    return Rejected("illegal", detail, [{"pointer": pointer, "code": code, "detail": detail}])


# --- lists people keep ---


def new_id(prefix: str) -> str:
    return f"{prefix}_{secrets.token_hex(12)}"


def create(owner: User, name: str, format_id: str, content: Content, command_id: str) -> Deck:
    """A list, legal or not: people save what they are working on."""
    known_format(format_id)
    if made := Deck.objects.filter(owner=owner, command=command_id).first():
        return made
    if Deck.objects.filter(owner=owner).count() >= MOST_DECKS:
        raise Rejected("full", f"You have {MOST_DECKS} decks; delete one first.")
    try:
        with transaction.atomic():
            deck = Deck(id=new_id("dck"), owner=owner, command=command_id, name=name, format=format_id)
            deck.save(force_insert=True)
            DeckVersion.objects.create(deck=deck, version=1, name=name, content=content)
            return deck
    except IntegrityError:
        return Deck.objects.get(owner=owner, command=command_id)


def edit(owner: User, deck_id: str, name: str | None, content: Content | None, expected: int | None) -> Deck:
    """The next version. `expected` is the version it was made from: of two editors the second is told."""
    with transaction.atomic():
        deck = own(owner, deck_id, lock=True)
        if expected is None:
            raise Rejected("precondition_required", "Say which version you changed, as If-Match or expected_seq.")
        if expected != deck.version:
            raise Rejected("stale", f"You changed version {expected}; the deck is at {deck.version}.", seq=deck.version)
        last = deck.versions.get(version=deck.version)
        deck.name, deck.version = name or deck.name, deck.version + 1
        deck.save()
        kept = last.content if content is None else content
        DeckVersion.objects.create(deck=deck, version=deck.version, name=deck.name, content=kept)
    return deck


def own(owner: User, deck_id: str, *, lock: bool = False) -> Deck:
    rows = Deck.objects.select_for_update() if lock else Deck.objects
    deck = rows.filter(id=deck_id, owner=owner).first()
    if deck is None:
        raise Rejected("unknown", f"You have no deck {deck_id!r}.")
    return deck


def version_of(deck: Deck, version: int | None = None) -> DeckVersion:
    row = deck.versions.filter(version=version or deck.version).first()
    if row is None:
        raise Rejected("unknown", f"The deck has versions 1 to {deck.version}.")
    return row


# --- handed in for an event ---


def sealed_hash(event: str, format_id: str, salt: bytes, content: Content) -> str:
    """Public from the moment of submission: shows later that the deck is the one handed in, and tells nothing now."""
    return digest("deck", event, format_id, salt, encode(content)).hex()


class Sealed(Struct, frozen=True):
    """A legal deck with its salt, and the hash of both."""

    format: str
    content: Content
    salt: bytes
    hash: str


def seal(event: str, format_id: str, content: Content, salt: bytes, pool: Pool | None = None) -> Sealed:
    """Checked in full, then sealed."""
    refuse(check(format_id, content, pool))
    return Sealed(format_id, content, salt, sealed_hash(event, format_id, salt, content))


def keep(event: str, person_id: int, sealed: Sealed) -> Submission:
    """Handing in again replaces it. Whether it is still time for that, the event has said."""
    fields = {"format": sealed.format, "content": sealed.content, "salt": sealed.salt, "hash": sealed.hash}
    with transaction.atomic():
        row = Submission.objects.select_for_update().filter(event=event, person_id=person_id).first()
        if row is None:
            try:
                with transaction.atomic():
                    return Submission.objects.create(id=new_id("sub"), event=event, person_id=person_id, **fields)
            except IntegrityError:
                row = Submission.objects.select_for_update().get(event=event, person_id=person_id)
        for name, value in fields.items():
            setattr(row, name, value)
        row.save()
    return row


def submissions(event: str) -> list[Submission]:
    return list(Submission.objects.filter(event=event).select_related("person").order_by("at", "id"))


def lock(event: str, *, locked: bool = True) -> int:
    """Whether the event takes changes, for everybody to see."""
    return Submission.objects.filter(event=event).update(locked=locked)


def open_seals(event: str) -> int:
    """The event's policy says so: salts and contents are for everybody from now on."""
    return Submission.objects.filter(event=event).update(locked=True, opened=True)


# --- match play ---


def swapped(format_id: str, registered: Content, out: dict[str, int], in_: dict[str, int]) -> Content:
    """EP-18.2: between the games of a match, one for one; always from the registered state, which never changes."""
    played, wrong = match.exchanged(known_format(format_id), registered, out, in_)
    refuse(wrong)
    return played


def brought(format_id: str, content: Content) -> Any:
    """A deck as the rulebook takes it."""
    return checking.as_brought(known_format(format_id), content)
