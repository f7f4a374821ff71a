"""Free text behind salted commitments: history stays valid when the words are erased."""

import secrets
import unicodedata
from collections.abc import Iterable
from typing import Any

from events.canonical import digest
from events.decider import Record
from events.models import Text


def keep(stream: str, author: str, written: dict[str, str]) -> Record:
    """Store the texts and return what the action carries instead of them."""
    rows = []
    for text in written.values():
        text = unicodedata.normalize("NFC", text)
        salt = secrets.token_bytes(32)
        rows.append(Text(digest("text", stream, salt, text).hex(), stream, author, salt, text))
    Text.objects.bulk_create(rows)
    return {name: {"text": row.commitment} for name, row in zip(written, rows, strict=True)}


def drop(kept: Record) -> None:
    Text.objects.filter(commitment__in=[reference["text"] for reference in kept.values()]).delete()


def same(action: Record, written: dict[str, str]) -> bool:
    """Are these the words the action commits to? What was erased cannot be compared, and counts as the same."""
    stored = {name: show(action[name]["text"]) for name in written}
    return all(words is None or words == unicodedata.normalize("NFC", written[name]) for name, words in stored.items())


def named_in(actions: Iterable[Record]) -> dict[str, str]:
    """The words these actions commit to, by commitment, as far as they were not erased."""
    wanted = [value["text"] for action in actions for value in action.values() if is_reference(value)]
    return dict(Text.objects.filter(commitment__in=wanted).values_list("commitment", "text")) if wanted else {}


def is_reference(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == {"text"}


def show(commitment: str) -> str | None:
    """The words, or None when they were erased."""
    return Text.objects.filter(commitment=commitment).values_list("text", flat=True).first()


def erase(author: str) -> int:
    return Text.objects.filter(author=author).delete()[0]
