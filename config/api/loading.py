"""Requests become typed values here, or a problem that names every place that does not fit.

The fast path is one msgspec decode. Only a request that failed it is looked at again, field by field, because msgspec
stops at the first fault and a client author wants them all.
"""

import re
from collections.abc import Iterator
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, Self, Union, get_args, get_origin
from unicodedata import is_normalized

import msgspec
from django.conf import settings

from config.api.errors import too_large
from config.api.problems import Problem

LARGEST_INT = 2**53 - 1  # what every JSON library reads back unchanged
Where = tuple[str | int, ...]
Found = tuple[Where, str, str]  # where, code, detail


def exactly(form: str) -> str:
    """A pattern for the whole text. `$` alone lets a line end slip through in Python."""
    return rf"^(?:{form})$(?!\n)"


class Body(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The JSON object a request carries: `TokenIn.load(request)`."""

    free: ClassVar[tuple[str, ...]] = ()  # fields with contents of any shape: they must still be storable

    @classmethod
    def load(cls, request: Any) -> Self:
        raw = json_bytes(request)
        try:
            body = decoder(cls).decode(raw)
        except msgspec.ValidationError as exc:
            raise invalid(list(faults(untyped(raw), cls)) or [((), "unfit", str(exc))]) from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as exc:
            raise malformed(exc) from None
        wrong = list(nul(untyped(raw))) if b"\\u0000" in raw else []  # there is no other way to write it in JSON
        wrong += [found for name in cls.free for found in unstorable(getattr(body, name), (name,))]
        if wrong:
            raise invalid(wrong)
        return body


class Query(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The query string: `PageQuery.load(request)`. Unknown and repeated parameters are refused, not ignored."""

    @classmethod
    def load(cls, request: Any) -> Self:
        pairs = request.GET
        values = {name: given[-1] for name, given in pairs.lists()}
        wrong = [((name,), "repeated", "give it once") for name, given in pairs.lists() if len(given) > 1]
        wrong += nul(values)
        try:
            query = msgspec.convert(values, cls, strict=False)
        except msgspec.ValidationError:
            wrong += faults(values, cls, strict=False)
        else:  # msgspec reads the word "null" as no value
            given = [f.encode_name for f in msgspec.structs.fields(cls) if getattr(query, f.name) is None]
            wrong += [((name,), "wrong_type", "leave it out instead") for name in given if name in values]
        if wrong:
            raise Problem(
                "invalid_query", said(wrong), [{"parameter": str(w[0]), "code": c, "detail": d} for w, c, d in wrong]
            )
        return query


def json_bytes(request: Any) -> bytes:
    """The body, if it says it is JSON and is not larger than it may be."""
    said = request._request.META
    if said.get("CONTENT_TYPE", "").partition(";")[0].strip().lower() != "application/json":
        raise Problem("unsupported_media_type", "Send the body as `Content-Type: application/json`.")
    length = said.get("CONTENT_LENGTH") or "0"
    if length.isdecimal() and int(length) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
        raise too_large()  # before a byte of it is read
    body = request._request.body
    if not body and "HTTP_TRANSFER_ENCODING" in said:  # WSGI knows no body without a length
        raise Problem("length_required")
    return body


@cache
def decoder(cls: type) -> msgspec.json.Decoder:
    return msgspec.json.Decoder(cls)


def untyped(raw: bytes) -> Any:
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as exc:
        raise malformed(exc) from None


def malformed(exc: Exception) -> Problem:
    why = {
        UnicodeDecodeError: "It is not UTF-8.",
        RecursionError: "It is nested too deeply.",
    }.get(type(exc), str(exc).removeprefix("JSON is malformed: ").capitalize() + ".")
    return Problem("malformed_json", f"The body cannot be read as JSON. {why}")


def invalid(found: list[Found]) -> Problem:
    return Problem("invalid_body", said(found), [{"pointer": pointer(w), "code": c, "detail": d} for w, c, d in found])


def said(found: list[Found]) -> str:
    where, _, detail = found[0]
    more = f" ({len(found) - 1} more)" if len(found) > 1 else ""
    return f"{pointer(where) or 'The body'}: {detail}{more}"


def pointer(where: Where) -> str:
    """RFC 6901."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in where)


# --- looking for every fault ---


def faults(value: Any, wanted: Any, where: Where = (), strict: bool = True) -> Iterator[Found]:
    """Everything that keeps `value` from being a `wanted`: first what is wrong inside it, else with itself."""
    inside = list(faults_inside(value, wanted, where, strict))
    yield from inside
    if not inside:
        try:
            msgspec.convert(value, wanted, strict=strict)
        except msgspec.ValidationError as exc:
            place, code, detail = located(str(exc), where)
            yield place, code, fitting(wanted) if code in SAID_BETTER and fitting(wanted) else detail


def fitting(wanted: Any) -> str:
    """What would be right, in the type's own words if it has any."""
    origin, inner = get_origin(wanted), get_args(wanted)
    if origin is Literal:
        return f"must be one of: {', '.join(map(str, inner))}"
    if origin is Annotated:
        described = [meta.description for meta in inner[1:] if meta.description]
        return f"must be: {described[0]}" if described else fitting(inner[0])
    if origin in (Union, UnionType):
        return next((said for said in map(fitting, inner) if said), "")
    return ""


def faults_inside(value: Any, wanted: Any, where: Where, strict: bool) -> Iterator[Found]:
    origin, inner = get_origin(wanted), get_args(wanted)
    if origin is Annotated:
        yield from faults_inside(value, inner[0], where, strict)
    elif origin in (Union, UnionType):
        options = [option for option in inner if option is not NoneType]
        if len(options) == 1:
            yield from faults_inside(value, options[0], where, strict)
    elif isinstance(wanted, type) and issubclass(wanted, msgspec.Struct) and isinstance(value, dict):
        yield from struct_faults(value, wanted, where, strict)
    elif origin is list and isinstance(value, list):
        for i, item in enumerate(value):
            yield from faults(item, inner[0], (*where, i), strict)
    elif origin is dict and isinstance(value, dict):
        for key, item in value.items():
            yield from faults(item, inner[1], (*where, key), strict)


def struct_faults(value: dict[str, Any], wanted: type[msgspec.Struct], where: Where, strict: bool) -> Iterator[Found]:
    fields = {field.encode_name: field for field in msgspec.structs.fields(wanted)}
    for name in value.keys() - fields.keys():
        if wanted.__struct_config__.forbid_unknown_fields:
            yield (*where, name), "unknown", f"not known here; known are: {', '.join(fields) or 'none'}"
    for name, field in fields.items():
        if name in value:
            yield from faults(value[name], field.type, (*where, name), strict)
        elif field.required:
            yield (*where, name), "missing", "is required"


SAID_BETTER = {"wrong_form", "unknown_value"}  # where msgspec shows its regular expression or the value
CODE_OF = [
    (r"Expected `[^`]+`, got ", "wrong_type"),
    (r"of length (>=|<=)", "wrong_length"),
    (r"matching regex", "wrong_form"),
    (r"Expected `(int|float)` (>=|<=|<|>)", "out_of_range"),
    (r"[Oo]ut of range", "out_of_range"),
    (r"missing required field", "missing"),
    (r"unknown field", "unknown"),
    (r"Invalid enum value", "unknown_value"),
]


def located(message: str, where: Where) -> Found:
    """msgspec's `Expected … - at `$.a[0].b`` as place, code and sentence."""
    detail, _, path = message.partition(" - at `")
    steps = [int(i) if i else name for name, i in re.findall(r"\.([^.\[`]+)|\[(\d+)\]", path)]
    code = next((code for pattern, code in CODE_OF if re.search(pattern, detail)), "unfit")
    return (*where, *steps), code, detail[0].lower() + detail[1:]


def nul(value: Any, where: Where = ()) -> Iterator[Found]:
    """No text in this service holds NUL: databases, terminals and logs disagree about it."""
    for place, leaf in leaves(value, where):
        if isinstance(leaf, str) and "\0" in leaf:
            yield place, "nul", "must not contain the NUL character"


def unstorable(value: Any, where: Where) -> Iterator[Found]:
    """What canonical JSON has no place for (docs/format.md)."""
    for place, leaf in leaves(value, where):
        if isinstance(leaf, float):
            yield place, "wrong_type", "numbers are whole numbers here"
        elif isinstance(leaf, int) and abs(leaf) > LARGEST_INT:
            yield place, "out_of_range", f"whole numbers lie within ±{LARGEST_INT}"
        elif isinstance(leaf, str) and not is_normalized("NFC", leaf):
            yield place, "wrong_form", "text must be in normal form C (NFC)"


def leaves(value: Any, where: Where) -> Iterator[tuple[Where, Any]]:
    """Every scalar, and every key (as text at its own place)."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield (*where, key), key
            yield from leaves(item, (*where, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from leaves(item, (*where, i))
    else:
        yield where, value
