"""Deck lists as people write them, one line a card, and as a short code to share.

    // what I play on Fridays
    3 Flash Fire
    2x Wither
    Sideboard
    15 …

A name may be typed with or without accents and capitals; a close miss is answered with what may have been meant.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from functools import cache
from typing import Any
from zlib import crc32

from decks.cards import catalogue, close_to, folded, key_of
from decks.formats import Format, format_named
from events.canonical import digest

MOST_LINES, MOST_COPIES, LONGEST_LINE = 1_000, 250, 200
Error = dict[str, Any]
Content = dict[str, dict[str, int]]

LINE = re.compile(
    r"(?:(?P<side>sb|side(?:board)?)\s*:\s*)?(?:(?P<n>\d{1,6})\s*[x×]?\s+)?(?P<name>\S.*?)", re.IGNORECASE
)
COMMENT = re.compile(r"^\s*(?://|#|;).*$|\s+(?://|#)\s.*$")
HEADING = re.compile(r"\[?(?P<name>[a-z0-9 ]{3,20}?)\]?\s*(?:\(\d+\))?\s*:?", re.IGNORECASE)
ALSO = {"main": 0, "main deck": 0, "maindeck": 0, "deck": 0}


class Unreadable(Exception):
    """Lines that could not be read, each with its number and what would be right."""

    def __init__(self, errors: list[Error]) -> None:
        super().__init__("; ".join(error["detail"] for error in errors[:3]))
        self.errors = errors


def parse(format_: Format, text: str) -> Content:
    """A list as {section: {key: copies}}. Raises Unreadable with every line that makes no sense."""
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        raise Unreadable([_error(0, "too_long", f"at most {MOST_LINES} lines, {len(lines)} given")])
    content: Content = {section: {} for section in format_.sections}
    errors: list[Error] = []
    section = format_.sections[0]
    for number, line in enumerate(lines, 1):
        line = COMMENT.sub("", line).strip()
        if not line:
            continue
        if heading := _heading(format_, line):
            section = heading
            continue
        errors += _read(format_, content, section, number, line)
    if errors:
        raise Unreadable(errors)
    return {name: dict(sorted(cards.items())) for name, cards in content.items() if cards}


def _heading(format_: Format, line: str) -> str | None:
    found = HEADING.fullmatch(line)
    if not found or key_of(format_.rulebook, found["name"]):
        return None
    name = folded(found["name"])
    names = {folded(section): section for section in format_.sections}
    return names.get(name) or (format_.sections[ALSO[name]] if name in ALSO else None)


def _read(format_: Format, content: Content, section: str, number: int, line: str) -> Iterator[Error]:
    if len(line) > LONGEST_LINE:
        yield _error(number, "too_long", f"line {number}: at most {LONGEST_LINE} characters, {len(line)} given")
        return
    found = LINE.fullmatch(line)
    if not found:
        yield _error(number, "unreadable", f"line {number}: write it as `3 Name of the card`")
        return
    copies, name = int(found["n"] or 1), found["name"]
    if found["side"]:
        section = "sideboard" if "sideboard" in format_.sections else section
    key = key_of(format_.rulebook, name)
    if key is None and found["n"] and (whole := key_of(format_.rulebook, line)):  # a name that begins with a number
        key, copies = whole, 1
    if key is None:
        meant = close_to(format_.rulebook, name)
        hint = f"; did you mean {' or '.join(meant)}?" if meant else ""
        yield _error(number, "unknown_card", f"line {number}: there is no card {name!r}{hint}", suggestions=meant)
    elif not 1 <= copies <= MOST_COPIES:
        yield _error(number, "out_of_range", f"line {number}: from 1 to {MOST_COPIES} copies, {copies} given")
    else:
        cards = content[section]
        cards[key] = cards.get(key, 0) + copies


def _error(line: int, code: str, detail: str, **more: Any) -> Error:
    return {"pointer": "/text", "line": line, "code": code, "detail": detail, **more}


def written(format_: Format, content: Content) -> str:
    """The list as text; `parse` reads it back."""
    names = catalogue(format_.rulebook)
    blocks = []
    for section in format_.sections:
        cards = sorted((names[key].name, n) for key, n in content.get(section, {}).items())
        if cards:
            head = [] if section == format_.sections[0] else [section.capitalize()]
            blocks.append("\n".join([*head, *(f"{n} {name}" for name, n in cards)]))
    return "\n\n".join(blocks) + "\n"


# --- share codes: "arb1" + base64url( format, then for each section: groups of cards with equal copies; checksum ) ---

PREFIX, TAG = "arb1", 3


@cache
def _tags(rulebook: str) -> dict[bytes, str]:
    """Three bytes that stand for a card, whatever else joins the set later."""
    tags = {digest("card-tag", rulebook, key)[:TAG]: key for key in catalogue(rulebook)}
    assert len(tags) == len(catalogue(rulebook)), f"two cards of {rulebook} have the same tag"
    return tags


def code_of(format_: Format, content: Content) -> str:
    tags = {key: tag for tag, key in _tags(format_.rulebook).items()}
    data = bytes([len(format_.id)]) + format_.id.encode()
    for section in format_.sections:
        groups: dict[int, list[bytes]] = {}
        for key, n in content.get(section, {}).items():
            groups.setdefault(n, []).append(tags[key])
        data += bytes([len(groups)])
        for n, cards in sorted(groups.items()):
            data += bytes([n, len(cards)]) + b"".join(sorted(cards))
    data += crc32(data).to_bytes(4, "big")
    return PREFIX + base64.urlsafe_b64encode(data).decode().rstrip("=")


def read_code(code: str) -> tuple[Format, Content]:
    """Raises Unreadable."""
    wrong = Unreadable(
        [{"pointer": "/code", "code": "unreadable", "detail": "this is no deck code, or a part is missing"}]
    )
    if not code.startswith(PREFIX) or not re.fullmatch(r"[A-Za-z0-9_-]{8,4000}", code):
        raise wrong
    body = code[len(PREFIX) :]
    try:
        data = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))
        data, check = data[:-4], data[-4:]
        if crc32(data).to_bytes(4, "big") != check:
            raise wrong
        size = data[0]
        format_ = format_named(data[1 : 1 + size].decode("ascii"))
        at, content, tags = 1 + size, {}, _tags(format_.rulebook)
        for section in format_.sections:
            groups, at, cards = data[at], at + 1, {}
            for _ in range(groups):
                n, count = data[at], data[at + 1]
                for index in range(count):
                    start = at + 2 + index * TAG
                    cards[tags[data[start : start + TAG]]] = n
                at += 2 + count * TAG
            if cards:
                content[section] = dict(sorted(cards.items()))
    except (ValueError, IndexError, LookupError):
        raise wrong from None
    return format_, content
