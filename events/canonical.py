"""Canonical JSON and domain-separated hashes: the bytes everything else is proved with (docs/format.md)."""

import hashlib
import hmac
from typing import Any
from unicodedata import is_normalized

import msgspec

_encoder = msgspec.json.Encoder(order="sorted")
_decoder = msgspec.json.Decoder()
_MAX = 2**53 - 1


class NotCanonical(ValueError):
    """A value that two honest JSON encoders could write differently, so it may not be hashed."""


def check(value: Any, path: str = "") -> None:
    """Only what every encoder agrees on: no floats, no huge integers, NFC text, ASCII keys."""
    kind = type(value)
    if kind is str:
        if not value.isascii():
            if not is_normalized("NFC", value):
                raise NotCanonical(f"{path or '/'}: text must be in Unicode normal form NFC")
            try:
                value.encode()
            except UnicodeEncodeError:
                raise NotCanonical(f"{path or '/'}: text holds a lone surrogate") from None
    elif kind is dict:
        for key, item in value.items():
            if type(key) is not str or not key.isascii():
                raise NotCanonical(f"{path}/{key}: keys must be ASCII text")
            check(item, f"{path}/{key}")
    elif kind is list or kind is tuple:
        for index, item in enumerate(value):
            check(item, f"{path}/{index}")
    elif kind is int:
        if not -_MAX <= value <= _MAX:
            raise NotCanonical(f"{path or '/'}: integers must lie within ±(2^53-1)")
    elif value is not None and kind is not bool:
        raise NotCanonical(f"{path or '/'}: {kind.__name__} has no canonical form; use text, integers, lists, objects")


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
        out.append(len(data).to_bytes(4, "big"))
        out.append(data)
    return b"".join(out)


def domain(name: str) -> bytes:
    return b"arbiter/" + name.encode() + b"/v1\0"


def digest(name: str, *parts: str | int | bytes) -> bytes:
    """H(name, …) of docs/format.md."""
    return hashlib.sha256(domain(name) + fields(*parts)).digest()


def keyed(key: bytes, name: str, *parts: str | int | bytes) -> bytes:
    """HMAC-SHA-256 under the same separation of domains."""
    return hmac.digest(key, domain(name) + fields(*parts), "sha256")
