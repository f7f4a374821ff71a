"""Canonical JSON and domain-separated hashes: the bytes everything else is proved with (docs/format.md)."""

import hashlib
import hmac
import struct
from functools import cache
from typing import Any
from unicodedata import is_normalized

import msgspec

_encoder = msgspec.json.Encoder(order="sorted")
_decoder = msgspec.json.Decoder()
_MAX = 2**53 - 1


class NotCanonical(ValueError):
    """A value that two honest JSON encoders could write differently, so it may not be hashed."""


def check(value: Any) -> None:
    """Only what every encoder agrees on: no floats, no huge integers, NFC text, ASCII keys."""
    if not _agreed(value):
        raise NotCanonical(_objection(value, ""))


def _agreed(value: Any) -> bool:
    kind = type(value)
    if kind is str:
        return value.isascii() or (is_normalized("NFC", value) and _encodable(value))
    if kind is dict:
        for key, item in value.items():  # noqa: SIM110  (this runs for every event: a generator costs half as much again)
            if type(key) is not str or not key.isascii() or not _agreed(item):
                return False
        return True
    if kind is list or kind is tuple:
        for item in value:  # noqa: SIM110
            if not _agreed(item):
                return False
        return True
    return -_MAX <= value <= _MAX if kind is int else value is None or kind is bool


def _objection(value: Any, path: str) -> str:
    """The first thing wrong, and where: only worked out once something is."""
    if isinstance(value, dict):
        for key, item in value.items():
            if type(key) is not str or not key.isascii():
                return f"{path}/{key}: keys must be ASCII text"
            if not _agreed(item):
                return _objection(item, f"{path}/{key}")
    if isinstance(value, list | tuple):
        return next(_objection(item, f"{path}/{n}") for n, item in enumerate(value) if not _agreed(item))
    if isinstance(value, str):
        return f"{path or '/'}: text must be in Unicode normal form NFC and hold no lone surrogates"
    if isinstance(value, int):
        return f"{path or '/'}: integers must lie within ±(2^53-1)"
    return f"{path or '/'}: {type(value).__name__} has no canonical form; use text, integers, lists, objects"


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def encode(value: Any) -> bytes:
    check(value)
    return _encoder.encode(value)


def decode(data: bytes) -> Any:
    return _decoder.decode(data)


def fields(*parts: str | int | bytes) -> bytes:
    """Length-prefixed, so that no two lists of fields give the same bytes."""
    out = []
    for part in parts:
        data = part if type(part) is bytes else str(part).encode()
        out += (_length(len(data)), data)
    return b"".join(out)


_length = struct.Struct(">I").pack


@cache
def domain(name: str) -> bytes:
    return b"arbiter/" + name.encode() + b"/v1\0"


def digest(name: str, *parts: str | int | bytes) -> bytes:
    """H(name, …) of docs/format.md."""
    return hashlib.sha256(domain(name) + fields(*parts)).digest()


def keyed(key: bytes, name: str, *parts: str | int | bytes) -> bytes:
    """HMAC-SHA-256 under the same separation of domains."""
    return hmac.digest(key, domain(name) + fields(*parts), "sha256")
