#!/usr/bin/env python3
"""Check an exported Arbiter stream, offline: one file, standard library only, no code shared with the service.

    python3 verifier.py FILE [--json] [--checkpoint FILE] [--key HEX]

docs/format.md says what an export is; each part below names the section of it that it checks. The report has one line
per kind of proof: `ok`, `failed` (naming the first bad event), or `not checked` (saying why; it never counts as ok).

    structure    every line is canonical JSON of the right shape, in the right order, and none is missing
    chain        every event has the hash it claims and continues the one before, from the stream's genesis to the head
    seals        hidden parts are those that were committed to, and each seat was told what the record says it was
    shuffles     seed and seats' numbers match their commitments, and every draw is recomputed from them
    texts        the words shown are those that were committed to
    signature    the checkpoint is signed by the key (the one pinned with --key, else the one in the file)
    inclusion    the stream lies under that checkpoint
    consistency  an older checkpoint that you kept (--checkpoint) describes the beginning of the same history

Exit code 0: nothing failed. 1: something failed. 2: the file cannot be read, or wrong usage.
"""

import argparse
import gc
import hashlib
import hmac
import json
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

SECTIONS = ("structure", "chain", "seals", "shuffles", "texts", "signature", "inclusion", "consistency")
OK, FAILED, NOT_CHECKED = "ok", "failed", "not checked"
MAX_LINE = 16 * 1024 * 1024
MAX_INTEGER = 2**53 - 1


# --- the report -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Finding:
    status: str
    detail: str
    seq: int | None = None  # the first bad event, where one can be named


@dataclass
class Report:
    about: str
    sections: dict[str, Finding] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        return not any(finding.status == FAILED for finding in self.sections.values())

    @property
    def first_bad(self) -> int | None:
        """The seq of the first event that something is wrong with."""
        return min((f.seq for f in self.sections.values() if f.status == FAILED and f.seq is not None), default=None)

    def as_dict(self) -> dict[str, Any]:
        sections = {name: vars(finding) for name, finding in self.sections.items()}
        return {"ok": self.ok, "about": self.about, "first_bad": self.first_bad, "sections": sections}

    def __str__(self) -> str:
        rows = [self.about]
        for name, finding in self.sections.items():
            status = finding.status if finding.status == OK else finding.status.upper()
            rows.append(f"  {name:<12} {status:<12} {finding.detail}")
        skipped = ", ".join(name for name, finding in self.sections.items() if finding.status == NOT_CHECKED)
        if self.ok:
            rows.append("Everything that was checked is right." + f" NOT CHECKED: {skipped}." * bool(skipped))
        else:
            rows.append(f"FAILED; first bad event: {self.first_bad or 'none can be named'}.")
        return "\n".join(rows)


class Malformed(Exception):
    """A line that is not what the format says. Nothing after it can be trusted to be what it seems: we stop.
    `seq` is the event it shows to be bad, where that is not simply the event of the line."""

    def __init__(self, reason: str, seq: int | None = None) -> None:
        super().__init__(reason)
        self.seq = seq


class Wrong(Exception):
    """A proof that does not hold. The other sections are still checked."""


def quote(value: object) -> str:
    """A foreign value in our sentence: short, printable, nothing that a terminal would act on."""
    text = ascii(value)
    return text if len(text) <= 80 else text[:77] + "..."


# --- hashing (format: "Hashing") --------------------------------------------------------------------------------------


def fields(*parts: object) -> bytes:
    data = [part if type(part) is bytes else str(part).encode() for part in parts]
    return b"".join(len(part).to_bytes(4, "big") + part for part in data)


def domain(name: str) -> bytes:
    return b"arbiter/" + name.encode() + b"/v1\0"


def H(name: str, *parts: object) -> bytes:
    return hashlib.sha256(domain(name) + fields(*parts)).digest()


def mac(key: bytes, name: str, *parts: object) -> bytes:
    return hmac.digest(key, domain(name) + fields(*parts), "sha256")


def framed_hashes(items: Any) -> bytes | None:
    """A list of hashes, each 32 bytes as lower-case hex, as `fields(…)` of their bytes; None if it is no such list."""
    if type(items) is not list:
        return None
    try:
        framed = "00000020".join(["", *items])  # the length 32, as u32
        data = bytes.fromhex(framed)
    except (TypeError, ValueError):
        return None
    return data if data.hex() == framed and {*map(len, items)} <= {64} else None


def hashes(*items: Any) -> bool:
    """Whether each of these is 32 bytes as lower-case hex."""
    return framed_hashes([*items]) is not None


# --- canonical JSON (format: "Hashing") -------------------------------------------------------------------------------
# Encoding the parsed value again must give the same text: that refuses white space, other key orders, duplicate keys
# and other ways to write an escape or a number. What it cannot see (NFC, ASCII keys, the size of integers) is looked
# for where it could be: next to a character beyond ASCII, or in sixteen digits in a row.


def _no_float(text: str) -> None:
    raise ValueError(f"{text[:40]} is not an integer")


_parse = json.JSONDecoder(parse_float=_no_float, parse_constant=_no_float).scan_once
_DEFAULT = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, check_circular=False).encode
_DIGITS, _SIXTEEN = bytes(ord("9") if 48 <= byte <= 57 else 32 for byte in range(256)), b"9" * 16


def _encoder() -> Callable[[Any], str]:
    """`JSONEncoder.encode` makes its C encoder anew for each value. Where Python lets us, make it once."""
    try:
        text = json.encoder.encode_basestring
        encode = json.encoder.c_make_encoder(None, None, text, None, ":", ",", True, False, False)
        return lambda value: "".join(encode(value, 0))
    except (AttributeError, TypeError):
        return _DEFAULT


canonical = _encoder()


def parse(line: bytes) -> tuple[str, dict[str, Any]]:
    """The text of a line, and the object in it."""
    if len(line) > MAX_LINE:
        raise Malformed("is longer than 16 MiB")
    if line[-1:] != b"\n":
        raise Malformed("does not end with a line feed: the file is cut off")
    try:
        text = line[:-1].decode()
        item, end = _parse(text, 0)
    except UnicodeDecodeError:
        raise Malformed("is not UTF-8") from None
    except StopIteration:
        raise Malformed("is not JSON") from None
    except ValueError as error:
        raise Malformed(f"is not JSON: {error}") from None
    if end != len(text):
        raise Malformed(f"has something after its JSON, at column {end + 1}")
    if type(item) is not dict or type(item.get("t")) is not str:
        raise Malformed('is not an object with a "t"')
    return text, item


def restrict(value: object, data: bytes) -> None:
    """What is left to refuse in a value, given its canonical bytes."""
    if data.isascii() and _SIXTEEN not in data.translate(_DIGITS):
        return
    todo = [value]
    while todo:
        value = todo.pop()
        if type(value) is dict:
            todo += value.values()
            if not all(map(str.isascii, value)):
                raise Malformed("has a key that is not ASCII")
        elif type(value) is list:
            todo += value
        elif type(value) is int and abs(value) > MAX_INTEGER:
            raise Malformed("has an integer beyond 2^53-1")
        elif type(value) is str and not unicodedata.is_normalized("NFC", value):
            raise Malformed("has text that is not in Unicode normal form NFC")


Shape = tuple[list[str], list[type]]


def _shape(text: str) -> Shape:
    types = {kind.__name__: kind for kind in (int, str, bool, list, dict, object)}
    names, kinds = zip(*(word.split(":") for word in text.split()), strict=True)
    return [*names], [types[kind] for kind in kinds]


SHAPES = {
    "manifest": _shape("events:int head:str kind:str opened:bool seats:int stream:str t:str v:int viewer:object"),
    "secret": _shape("numbers:list seed:str t:str"),
    "text": _shape("salt:str seq:int t:str text:str"),
    "proof": _shape("checkpoint:dict inclusion:list position:int public_key:str seq:int signature:str t:str"),
    "checkpoint": _shape("checkpoint:dict public_key:str signature:str t:str"),
    "consistency": _shape("from:int proof:list t:str to:int"),
    "end": _shape("lines:int t:str"),
}
ENVELOPE = _shape("at:int body:dict build:str by:str do:str prev:str seq:int stream:str v:int")
BODY = _shape("action:dict effects:list seals:str")
OPENING = _shape("opening:list salt:str")
SIGNED = _shape("at:int key:str origin:str root:str size:int v:int")
FOLLOWS: dict[str | None, tuple[str, ...]] = {
    None: ("manifest",),
    "manifest": ("secret", "event"),
    "secret": ("event",),
    "event": ("event", "text", "proof", "end"),
    "text": ("event", "text", "proof", "end"),
    "proof": ("consistency", "end"),
    "consistency": ("end",),
    "end": (),
}


def shaped(item: Any, shape: Shape, what: str) -> None:
    """Exactly these keys, in canonical order, with values of exactly these types (`object`: of any)."""
    names, kinds = shape
    if type(item) is not dict or [*item] != names:
        raise Malformed(f"{what} should have exactly the fields {', '.join(names)}, in this order")
    if [*map(type, item.values())] != kinds:
        for name, kind in zip(names, kinds, strict=True):
            if kind is not object and type(item[name]) is not kind:
                raise Malformed(f"{what}: {name} is {quote(item[name])}, which is no {kind.__name__}")


# --- the walk over the lines (format: "Export") -----------------------------------------------------------------------


class Walk:
    """One pass over the lines of an export. Remembers the first failure of each section, and what was checked."""

    def __init__(self, keys: tuple[str, ...], kept: "Kept | None") -> None:
        self.keys, self.kept = keys, kept
        self.failed: dict[str, Finding] = {}
        self.manifest: dict[str, Any] | None = None
        self.salt_key: bytes | None = None  # known when the seals are open
        self.last: str | None = None  # kind of the last line
        self.lines = self.seq = self.at = self.openings = self.texts = 0
        self.hashes: list[str] = []  # of the events, for the proof that comes after them
        self.signed: Signed | None = None
        self.bridge: dict[str, Any] | None = None

    def check(self, section: str, seq: int | None, test: Callable[..., None], *arguments: Any) -> None:
        """Only the first failure of a section is told: what comes after it may be nothing but its consequence."""
        if section not in self.failed:
            try:
                test(*arguments)
            except Wrong as wrong:
                self.failed[section] = Finding(FAILED, f"event {seq}: {wrong}" if seq else str(wrong), seq)

    def walk(self, lines: Iterable[bytes]) -> None:
        for line in lines:
            before = self.seq
            self.lines += 1
            try:
                self.read(line)
            except RecursionError:
                return self.stop("is nested too deeply", self.belongs_to(line, before))
            except Malformed as error:
                return self.stop(str(error), error.seq or self.belongs_to(line, before))
        if self.last != "end":
            missing = self.seq + 1 if self.manifest and self.seq < self.manifest["events"] else None
            self.stop("is the last; the file is cut off after it", missing)
        return None

    def stop(self, reason: str, seq: int | None) -> None:
        self.failed["structure"] = Finding(FAILED, f"line {self.lines} {reason}", seq)

    def belongs_to(self, line: bytes, before: int) -> int | None:
        """The event a malformed line belongs to: a text to the one before it, else it stands where the next should."""
        if self.manifest is None:
            return None
        if line.startswith(b'{"salt":') or (b'"t":"text"' in line and not line.startswith(b'{"envelope":')):
            return before or None
        return before + 1 if before < self.manifest["events"] else None

    def read(self, line: bytes) -> None:
        text, item = parse(line)
        kind = item["t"]
        if kind not in FOLLOWS[self.last]:
            wanted = " or ".join(FOLLOWS[self.last]) or "nothing"
            raise Malformed(f"is of kind {quote(kind)}; after {self.last or 'the beginning'} comes {wanted}")
        self.last = kind
        if kind == "event":
            return self.read_event(text, item)
        shaped(item, SHAPES[kind], kind)
        if canonical(item) != text:
            raise Malformed("is not canonical JSON")
        restrict(item, line)
        getattr(self, f"read_{kind}")(item)

    def read_manifest(self, item: dict[str, Any]) -> None:
        seats, viewer = item["seats"], item["viewer"]
        if item["v"] != 1:
            raise Malformed(f"is of format version {item['v']}; this verifier knows version 1")
        if not 0 <= seats <= 64 or item["events"] < 1 or not hashes(item["head"]):
            raise Malformed("manifest: needs 0 to 64 seats, at least one event and a head hash")
        if viewer not in (None, "table") and (type(viewer) is not int or not 0 <= viewer < seats):
            raise Malformed(f"manifest: viewer {quote(viewer)} is neither null, a seat nor table")
        if item["opened"] and viewer != "table":
            raise Malformed("manifest: when the seals are open the viewer is table")
        self.manifest, self.stream = item, item["stream"]
        self.slots = [*map(str, range(seats)), "table"]
        self.shown = sorted(self.slots) if viewer == "table" else [] if viewer is None else [str(viewer)]
        self.prev = H("genesis", self.stream, item["kind"], seats).hex()
        self.random = Randomness(self.stream, seats)

    def read_secret(self, item: dict[str, Any]) -> None:
        numbers = item["numbers"]
        if not self.manifest["opened"]:
            raise Malformed("is a secret, but the manifest says that the seals are not open")
        if not hashes(item["seed"], *numbers) or len(numbers) not in (0, self.manifest["seats"]):
            raise Malformed("secret: needs a seed and one number for each seat or none, 64 hex digits each")
        self.random.seed = bytes.fromhex(item["seed"])
        self.random.numbers = [bytes.fromhex(number) for number in numbers]
        self.salt_key = H("salt-key", self.stream, self.random.seed)

    def read_event(self, text: str, item: dict[str, Any]) -> None:
        seq = self.seq = self.seq + 1
        envelope, leaves, openings = item.get("envelope"), item.get("leaves"), item.get("openings")
        shaped(envelope, ENVELOPE, "envelope")
        body = envelope["body"]
        shaped(body, BODY, "body")
        for effect in body["effects"]:
            if type(effect) is not dict:
                raise Malformed("envelope: every effect should be an object")
        if self.manifest["opened"] and self.salt_key is None:
            raise Malformed("is an event; since the seals are open, the secret should come first")
        framed = framed_hashes(leaves)
        if framed is None or len(leaves) != len(self.slots):
            raise Malformed(f"event: needs {len(self.slots)} leaves of 64 lower-case hex digits")
        if type(openings) is not dict or [*openings] != self.shown:
            raise Malformed(f"event: should open the slots {self.shown}, as its viewer may see them")
        opened = {slot: self.read_opening(slot, openings[slot]) for slot in openings} if openings else openings
        # The line must be exactly these pieces put together, whose bytes are the ones that are hashed.
        written = envelope_text(envelope, body)
        if text != event_line(written, item.get("hash"), leaves, opened, openings, item.get("seq")):
            raise Malformed("is not the canonical JSON of an event")
        data = written.encode()
        restrict(envelope, data)
        for slot in openings:
            restrict(openings[slot], opened[slot].encode())

        actual = hashlib.sha256(_EVENT + len(data).to_bytes(4, "big") + data).hexdigest()
        self.check("chain", seq, self.check_chain, seq, envelope, item, actual)
        self.check("seals", seq, self.check_seals, seq, body, leaves, framed, openings, opened)
        drawn = self.salt_key is not None and '"e":"draw"' in text
        if drawn or seq == 1 or '"number_' in text:
            public = [body["action"], *body["effects"]]
            known = whole(public, openings["table"]["opening"]) if drawn else public
            self.check("shuffles", seq, self.random.event, seq, actual, public, known)
        self.prev, self.at = actual, envelope["at"]
        self.hashes.append(actual)
        self.event_text, self.text_from = text, 0

    def read_opening(self, slot: str, item: Any) -> str:
        shaped(item, OPENING, f"opening {slot}")
        if not hashes(item["salt"]):
            raise Malformed(f"opening {slot}: the salt should be 64 lower-case hex digits")
        return canonical(item["opening"])

    def read_text(self, item: dict[str, Any]) -> None:
        if not hashes(item["salt"]):
            raise Malformed("text: the salt should be 64 lower-case hex digits")
        if "texts" in self.failed:
            return
        commitment = H("text", self.stream, bytes.fromhex(item["salt"]), item["text"]).hex()
        found = self.event_text.find(f'{{"text":"{commitment}"}}', self.text_from)
        if item["seq"] != self.seq:
            lost = self.seq + 1 if found < 0 and item["seq"] > self.seq else self.seq
            raise Malformed(f"is a text of event {item['seq']}, but stands after event {self.seq}", lost)
        self.check("texts", self.seq, self.check_text, found)

    def read_proof(self, item: dict[str, Any]) -> None:
        if not 1 <= item["seq"] <= self.seq or not hashes(*item["inclusion"]):
            raise Malformed(f"proof: needs an event from 1 to {self.seq} and a path of hashes, 64 hex digits each")
        self.signed, self.proved = Signed(item), item["seq"]
        self.check("signature", None, self.signed.check, self.keys)
        self.check("inclusion", None, self.check_inclusion, item)

    def read_consistency(self, item: dict[str, Any]) -> None:
        if not hashes(*item["proof"]):
            raise Malformed("consistency: needs a path of hashes, 64 hex digits each")
        self.bridge = item

    def read_end(self, item: dict[str, Any]) -> None:
        missing = self.seq + 1 if self.seq < self.manifest["events"] else None
        self.check("structure", missing, self.check_end, item)
        self.check("chain", self.seq, self.check_head)

    # --- what must hold ---

    def check_chain(self, seq: int, envelope: dict[str, Any], item: dict[str, Any], actual: str) -> None:
        """Format: "An event"."""
        if envelope["stream"] != self.stream:
            raise Wrong(f"belongs to another stream, {quote(envelope['stream'])}")
        if envelope["seq"] != seq or item["seq"] != seq:
            raise Wrong(f"is not in its place: line {self.lines} holds event {item['seq']}")
        if seq > self.manifest["events"]:
            raise Wrong(f"is one more than the {self.manifest['events']} that the manifest speaks of")
        if actual != item["hash"]:
            raise Wrong(f"was changed: its hash is {actual}, not {quote(item['hash'])}")
        if envelope["prev"] != self.prev:
            before = f"event {seq - 1}" if seq > 1 else "this stream's genesis"
            raise Wrong(f"does not continue {before}, whose hash is {self.prev}")
        if envelope["at"] < self.at:
            raise Wrong("is earlier than the event before it")
        if envelope["v"] != 1:
            raise Wrong(f"is of version {envelope['v']}; this verifier knows version 1")
        if envelope["do"] != envelope["body"]["action"].get("do"):
            raise Wrong("is named otherwise than its action")

    def check_head(self) -> None:
        if self.prev != self.manifest["head"]:
            raise Wrong("its hash is not the head that the manifest names")

    def check_end(self, item: dict[str, Any]) -> None:
        if self.seq < self.manifest["events"]:
            raise Wrong(f"is missing; the manifest speaks of {self.manifest['events']} events")
        if item["lines"] != self.lines - 1:
            raise Wrong(f"the end speaks of {item['lines']} lines before it, there are {self.lines - 1}")

    def check_seals(
        self, seq: int, body: Any, leaves: list[str], framed: bytes, openings: dict[str, Any], opened: dict[str, str]
    ) -> None:
        """Format: "Seals"."""
        if hashlib.sha256(_SEALS + framed).hexdigest() != body["seals"]:
            raise Wrong("its leaves do not give the root in its body")
        for slot, opening in opened.items():
            salt = bytes.fromhex(openings[slot]["salt"])
            if self.salt_key and salt != mac(self.salt_key, "salt", seq, slot):
                raise Wrong(f"the salt of slot {slot} does not follow from the seed")
            if H("seal", self.stream, seq, slot, salt, opening).hex() != leaves[self.slots.index(slot)]:
                raise Wrong(f"slot {slot} was committed to as something else")
            self.openings += 1
        if "table" in openings:
            table = openings["table"]["opening"]
            if not table or not all(well_formed(part, 1 + len(body["effects"])) for part in table[1:]):
                raise Wrong("the opening of the table has a part that fits nowhere")
            for seat in range(self.manifest["seats"]):
                if opened[str(seat)] != canonical(told(table, seat)):
                    raise Wrong(f"seat {seat} was told something else than the record says")

    def check_text(self, found: int) -> None:
        """Format: "An event". Texts stand in the order of their commitments, each once."""
        if found < 0:
            raise Wrong("commits to no such text in this place")
        self.text_from = found + 1
        self.texts += 1

    def check_inclusion(self, item: dict[str, Any]) -> None:
        """Format: "Feed and checkpoints". A path to a root that nobody vouches for proves nothing."""
        if "signature" in self.failed:
            raise Wrong("the checkpoint it leads to is not verified")
        leaf = leaf_hash(bytes.fromhex(self.hashes[item["seq"] - 1]))
        path = [bytes.fromhex(step) for step in item["inclusion"]]
        if not included(leaf, item["position"] - 1, self.signed.size, path, self.signed.root):
            raise Wrong(f"event {item['seq']} does not lie under the checkpoint at the place that the proof says")

    def check_consistency(self) -> None:
        self.kept.check(self.keys)
        if not self.signed or "signature" in self.failed:
            raise Wrong("the export has no verified checkpoint to compare the kept one with")
        old, new = sorted((self.kept.signed, self.signed), key=lambda signed: signed.size)
        if old.origin != new.origin:
            raise Wrong(f"these are two logs, {quote(old.origin)} and {quote(new.origin)}")
        bridges = [item for item in (self.bridge, self.kept.bridge) if item]
        paths = [item["proof"] for item in bridges if (item["from"], item["to"]) == (old.size, new.size)]
        if not paths and old.size != new.size:
            raise Wrong(f"neither file has the proof that leads from size {old.size} to {new.size}")
        path = [bytes.fromhex(step) for step in paths[0]] if paths else []
        if not consistent(old.size, old.root, new.size, new.root, path):
            raise Wrong(f"size {new.size} does not continue what was signed at size {old.size}: history was rewritten")

    # --- what it comes to ---

    def report(self) -> Report:
        if self.manifest is None:
            self.failed.setdefault("structure", Finding(FAILED, "there is no manifest"))
        elif "structure" not in self.failed:
            self.check("shuffles", None, self.random.check_numbers)
        if self.kept:
            self.check("consistency", None, self.check_consistency)
        passed = dict(zip(SECTIONS, self.passed(), strict=True)) if self.manifest else {}
        broken = Finding(NOT_CHECKED, "the structure failed; up to there nothing was wrong")
        fallback = dict.fromkeys(SECTIONS, broken) if "structure" in self.failed else passed
        return Report(self.about(), fallback | self.failed)

    def about(self) -> str:
        if self.manifest is None:
            return "This is not an Arbiter export."
        kind, seats, events, viewer = (self.manifest[name] for name in ("kind", "seats", "events", "viewer"))
        who = f"seat {viewer}" if type(viewer) is int else viewer or "anybody"
        opened = ", seals open" if self.manifest["opened"] else ""
        return f"{quote(self.stream)}: {quote(kind)}, {seats} seats, {events} events, as {who} may see it{opened}"

    def passed(self) -> Iterator[Finding]:
        """What each section says when nothing failed in it, in the order of SECTIONS."""
        yield Finding(OK, f"{self.lines} lines")
        yield Finding(OK, f"{self.seq} events up to head {self.prev}")
        yield Finding(OK, f"{self.seq} roots, {self.openings} openings")
        yield self.random.passed()
        yield Finding(OK, f"{self.texts} texts") if self.texts else Finding(NOT_CHECKED, "the file has none")
        if self.signed:
            whose = "the pinned key" if self.keys else "the key in the file (COMPARE with the published one, or --key)"
            yield Finding(OK, f"size {self.signed.size}, signed by {whose} {self.signed.public_key}")
            later = f"; events {self.proved + 1} to {self.seq} came later" if self.proved < self.seq else ""
            yield Finding(OK, f"event {self.proved} and all before it lie under the checkpoint{later}")
        else:
            nothing = "the file has no checkpoint: who runs the service could still rewrite all of it"
            yield from (Finding(NOT_CHECKED, nothing), Finding(NOT_CHECKED, nothing))
        if self.kept:
            yield Finding(OK, "the kept checkpoint and this one are of one history")
        else:
            yield Finding(NOT_CHECKED, "no older checkpoint was given (--checkpoint)")


_EVENT, _SEALS = domain("event"), domain("seals")


def envelope_text(envelope: dict[str, Any], body: dict[str, Any]) -> str:
    """The canonical text of an envelope whose fields are there and of the right types."""
    string = json.encoder.encode_basestring
    return (
        f'{{"at":{envelope["at"]},"body":{{"action":{canonical(body["action"])},"effects":{canonical(body["effects"])},'
        f'"seals":{string(body["seals"])}}},"build":{string(envelope["build"])},"by":{string(envelope["by"])},'
        f'"do":{string(envelope["do"])},"prev":{string(envelope["prev"])},"seq":{envelope["seq"]},'
        f'"stream":{string(envelope["stream"])},"v":{envelope["v"]}}}'
    )


def event_line(envelope: str, hash_: Any, leaves: list[str], opened: dict[str, str], openings: Any, seq: Any) -> str:
    """The line of an event, from the canonical text of its pieces."""
    slots = [f'"{slot}":{{"opening":{text},"salt":"{openings[slot]["salt"]}"}}' for slot, text in opened.items()]
    listed, opened_ = '","'.join(leaves), ",".join(slots)
    rest = f'"leaves":["{listed}"],"openings":{{{opened_}}},"seq":{seq},"t":"event"}}'
    return f'{{"envelope":{envelope},"hash":"{hash_}",{rest}'


# --- openings (format: "Seals") ---------------------------------------------------------------------------------------


def well_formed(part: Any, records: int) -> bool:
    """A part of the table's opening: fields of a public record, or a whole record, and who else may read them."""
    if type(part) is not dict or type(part.get("at")) is not int or not 0 <= part["at"] <= records:
        return False
    only = part.get("only")
    if [*part] == ["at", "effect", "only"]:
        return type(part["effect"]) is dict and type(only) is int
    if [*part] != ["at", "fields", "only"] or part["at"] == records or type(part["fields"]) is not dict:
        return False
    return type(only) is dict and [*part["fields"]] == [*only] and all(type(mask) is int for mask in only.values())


def told(table: list[Any], seat: int) -> list[Any]:
    """The opening of a seat, as it follows from the table's."""
    mine = []
    for part in table[1:]:
        if "effect" in part:
            if part["only"] >> seat & 1:
                mine.append({"at": part["at"], "effect": part["effect"]})
        elif some := {name: value for name, value in part["fields"].items() if part["only"][name] >> seat & 1}:
            mine.append({"at": part["at"], "fields": some})
    return mine


def whole(public: list[dict[str, Any]], table: list[Any]) -> list[dict[str, Any]]:
    """The records as the table knows them, in order."""
    parts: dict[int, list[Any]] = {}
    for part in table[1:]:
        if well_formed(part, len(public)):
            parts.setdefault(part["at"], []).append(part)
    known = []
    for at, record in enumerate([*public, {}]):
        here = parts.get(at, [])
        known += [part["effect"] for part in here if "effect" in part]
        known.append(record | {name: value for part in here for name, value in part.get("fields", {}).items()})
    return known


# --- randomness (format: "Randomness") --------------------------------------------------------------------------------


class Randomness:
    """Who committed to which number and when, and whether every draw follows from the numbers."""

    def __init__(self, stream: str, seats: int) -> None:
        self.stream, self.seats = stream, seats
        self.seed: bytes | None = None
        self.numbers: list[bytes] = []  # as the secret line has them; they must be those of the events
        self.commits: dict[int, str | None] = {}  # None: the seat asked for a house number
        self.opened: dict[int, bytes] = {}
        self.completed: str | None = None  # the hash of the event that completed the joins
        self.key: bytes | None = None
        self.draws = 0

    def event(self, seq: int, hash_: str, public: list[dict[str, Any]], known: list[dict[str, Any]]) -> None:
        if seq == 1 and self.seed and public[0].get("commit") != H("commit", self.stream, self.seed).hex():
            raise Wrong("its commit stands for another seed than the one given")
        for record in public:
            if "number_withdrawn" in record:
                self.leave(record.get("seat"))
            if "number_commit" in record:
                self.join(record.get("seat"), record["number_commit"])
            if "number_open" in record:
                self.open(record.get("seat"), record["number_open"])
        for record in known:
            if self.seed and record.get("e") == "draw":
                self.draw(record)
        if self.completed is None and len(self.commits) == self.seats:
            self.completed = hash_

    def join(self, seat: Any, commit: Any) -> None:
        if type(seat) is not int or not 0 <= seat < self.seats or not (commit is None or hashes(commit)):
            raise Wrong(f"a number_commit for seat {quote(seat)} should be 64 hex digits, or null for a house number")
        if self.completed is not None:
            raise Wrong(f"seat {seat} commits to a number after all were in")
        self.commits[seat] = commit

    def leave(self, seat: Any) -> None:
        if type(seat) is not int or seat not in self.commits or self.completed is not None:
            raise Wrong(f"seat {quote(seat)} has no number to withdraw here")
        del self.commits[seat]

    def open(self, seat: Any, number: Any) -> None:
        if type(seat) is not int or self.completed is None or not hashes(number, self.commits.get(seat)):
            raise Wrong(f"seat {quote(seat)} has no number to open here")
        self.opened[seat] = bytes.fromhex(number)
        if H("seat", self.stream, seat, self.opened[seat]).hex() != self.commits[seat]:
            raise Wrong(f"seat {seat} opens another number than it committed to")

    def all_numbers(self) -> list[bytes]:
        """The number of every seat, or none as long as one is not open."""
        if self.completed is None or any(commit and seat not in self.opened for seat, commit in self.commits.items()):
            return []
        return [self.opened.get(seat) or H("house", self.stream, seat, self.seed) for seat in range(self.seats)]

    def check_numbers(self) -> None:
        if self.seed and (self.numbers or self.draws) and self.numbers != self.all_numbers():
            raise Wrong("the numbers in the secret line are not those of the events")

    def draw(self, record: dict[str, Any]) -> None:
        n, label, how, given = (record.get(name) for name in ("n", "label", "how", "input"))
        if type(n) is not int or n != self.draws:
            raise Wrong(f"draw {quote(n)} where draw {self.draws} is due")
        self.draws += 1
        if self.key is None:
            numbers = self.all_numbers()
            if self.completed is None or len(numbers) != self.seats:
                raise Wrong(f"draw {n} comes before every seat's number was open")
            self.key = mac(self.seed, "key", self.stream, self.completed, *numbers)
        words = words_of(mac(self.key, "draw", n, label))
        if how == "below" and type(given) is int and 1 <= given <= 2**32:
            right: Any = below(words, given)
        elif how == "shuffle" and type(given) is list and in_order(given):
            right = shuffled(words, given)
        else:
            raise Wrong(f"draw {n} is neither a shuffle of a sorted list nor a number below one from 1 to 2^32")
        if canonical(right) != canonical(record.get("result")):
            raise Wrong(f"draw {n} ({quote(label)}) should have given {quote(right)}")

    def passed(self) -> Finding:
        own = len(self.opened)
        if self.seed:
            return Finding(OK, f"the seed and {own} seats' own numbers match, {self.draws} draws recomputed")
        return Finding(NOT_CHECKED, f"the seals are not open, so the seed is not known ({own} seats' numbers match)")


def words_of(key: bytes) -> Iterator[int]:
    counter = 0
    while True:
        block = hmac.digest(key, counter.to_bytes(8, "big"), "sha256")
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))
        counter += 1


def below(words: Iterator[int], m: int) -> int:
    limit = 2**32 - 2**32 % m
    return next(word for word in words if word < limit) % m


def shuffled(words: Iterator[int], items: list[Any]) -> list[Any]:
    items = list(items)
    for i in range(len(items) - 1, 0, -1):
        j = below(words, i + 1)
        items[i], items[j] = items[j], items[i]
    return items


def in_order(items: list[Any]) -> bool:
    try:
        return len({type(item) for item in items}) < 2 and items == sorted(items)
    except TypeError:
        return False


# --- checkpoints (format: "Feed and checkpoints"; RFC 6962) ------------------------------------------------------


class Signed:
    """A checkpoint with a signature that is still to be checked."""

    def __init__(self, item: dict[str, Any]) -> None:
        checkpoint, self.public_key, signature = item["checkpoint"], item["public_key"], item["signature"]
        shaped(checkpoint, SIGNED, "checkpoint")
        if not hashes(checkpoint["root"], self.public_key, signature[:64], signature[64:]):
            raise Malformed("checkpoint: root and key should be 64 lower-case hex digits, the signature 128")
        if checkpoint["v"] != 1 or checkpoint["size"] < 1:
            raise Malformed("checkpoint: needs version 1 and a size of at least 1")
        self.origin, self.size, self.root = checkpoint["origin"], checkpoint["size"], bytes.fromhex(checkpoint["root"])
        self.key_id, self.signature = checkpoint["key"], bytes.fromhex(signature)
        self.message = domain("checkpoint") + canonical(checkpoint).encode()

    def check(self, pinned: tuple[str, ...]) -> None:
        key = bytes.fromhex(self.public_key)
        if pinned and self.public_key not in pinned:
            raise Wrong(f"the checkpoint is signed by {self.public_key}, which is not the key you trust")
        if hashlib.sha256(key).hexdigest()[:16] != self.key_id:
            raise Wrong(f"the checkpoint names key {quote(self.key_id)}, which is not the key beside it")
        if not ed25519_verify(key, self.message, self.signature):
            raise Wrong("the signature does not fit the checkpoint")


class Kept:
    """What the user kept: a checkpoint or an older export, perhaps a consistency proof, a JSON object on each line. It
    may come straight from the service's replies: what was signed is its canonical form, however it is written here."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self.signed: Signed | None = None
        self.bridge: dict[str, Any] | None = None
        self.unreadable = ""
        try:
            for line in filter(None, map(bytes.strip, lines)):
                item = _parse(canonical(parse(line + b"\n")[1]), 0)[0]
                if item["t"] in ("checkpoint", "proof", "consistency"):
                    shaped(item, SHAPES[item["t"]], item["t"])
                    if item["t"] != "consistency":
                        self.signed = Signed(item)
                    elif hashes(*item["proof"]):
                        self.bridge = item
        except (Malformed, RecursionError, UnicodeEncodeError) as error:
            self.unreadable = f"a line of it {error}"

    def check(self, pinned: tuple[str, ...]) -> None:
        if self.unreadable or not self.signed:
            raise Wrong(f"the kept checkpoint: {self.unreadable or 'there is none in the file'}")
        self.signed.check(pinned)


def leaf_hash(data: bytes) -> bytes:
    return hashlib.sha256(b"\0" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()


def split(size: int) -> int:
    """The largest power of two below `size`: where RFC 6962 divides a tree."""
    return 1 << (size - 1).bit_length() - 1


def root_above(leaf: bytes, index: int, size: int, path: list[bytes]) -> bytes | None:
    """RFC 6962, 2.1.1: the root that a path leads to from leaf `index` (from 0) of `size`."""
    if size == 1 or not path:
        return leaf if size == 1 and not path else None
    *path, step = path
    if index < split(size):
        below = root_above(leaf, index, split(size), path)
        return below and node_hash(below, step)
    below = root_above(leaf, index - split(size), size - split(size), path)
    return below and node_hash(step, below)


def included(leaf: bytes, index: int, size: int, path: list[bytes], root: bytes) -> bool:
    return 0 <= index < size and root_above(leaf, index, size, path) == root


def roots_above(old: int, new: int, path: list[bytes], known: bytes | None) -> tuple[bytes, bytes] | None:
    """RFC 6962, 2.1.2: the roots of both trees that a proof leads to. `known` is the old root, as long as we are in the
    part that holds the whole old tree; else the path begins with what they have in common."""
    if old == new:
        both = path if known is None else [known, *path]
        return (both[0], both[0]) if len(both) == 1 else None
    if not path:
        return None
    *path, step = path
    if old <= split(new):
        below = roots_above(old, split(new), path, known)
        return below and (below[0], node_hash(below[1], step))
    below = roots_above(old - split(new), new - split(new), path, None)
    return below and (node_hash(step, below[0]), node_hash(step, below[1]))


def consistent(old: int, old_root: bytes, new: int, new_root: bytes, path: list[bytes]) -> bool:
    """Whether the tree of `new` leaves begins with the tree of `old` leaves."""
    return 1 <= old <= new and roots_above(old, new, path, old_root) == (old_root, new_root)


# --- Ed25519, verification only (RFC 8032 section 5.1.7). Nothing here is secret, so plain integers will do. ----------

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
Point = tuple[int, int, int, int]  # extended coordinates: x = X/Z, y = Y/Z, xy = T/Z


def add(p: Point, q: Point) -> Point:
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(factor: int, point: Point) -> Point:
    total = (0, 1, 1, 0)
    while factor:
        if factor & 1:
            total = add(total, point)
        point, factor = add(point, point), factor >> 1
    return total


def decompress(data: bytes) -> Point | None:
    sign, y = divmod(int.from_bytes(data, "little"), 2**255)
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - square) % P or (x == 0 and sign):
        return None
    x = x if x & 1 == sign else P - x
    return x, y, 1, x * y % P


BASE = decompress((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def ed25519_verify(public_key: bytes, message: bytes, signature: bytes) -> bool:
    a, r, s = decompress(public_key), decompress(signature[:32]), int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= ORDER:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little") % ORDER
    (x, y, z, _), (u, v, w, _) = times(s, BASE), add(r, times(h, a))
    return (x * w - u * z) % P == 0 and (y * w - v * z) % P == 0


# --- front door -------------------------------------------------------------------------------------------------------


def verify(lines: Iterable[bytes], *, checkpoint: Iterable[bytes] | None = None, keys: Iterable[str] = ()) -> Report:
    """Check the lines of an export (bytes, each with its line feed). Never raises for what is in them."""
    walk = Walk(tuple(keys), None if checkpoint is None else Kept(checkpoint))
    collecting = gc.isenabled()
    gc.disable()  # parsed JSON has no cycles: the collector would only cost time
    try:
        walk.walk(lines)
    finally:
        if collecting:
            gc.enable()
    return walk.report()


def lines_of(path: str) -> Iterator[bytes]:
    """The lines of a file. One that is longer than allowed comes cut, one byte too long, and is refused for it."""
    with open(path, "rb") as file:
        while line := file.readline(MAX_LINE + 1):
            yield line


def public_key(text: str) -> str:
    if not hashes(text):
        raise argparse.ArgumentTypeError("a public key is 64 lower-case hex digits")
    return text


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Check an exported Arbiter stream.")
    parser.add_argument("file", help="the export")
    parser.add_argument("--json", action="store_true", help="report as JSON")
    parser.add_argument("--checkpoint", metavar="FILE", help="a checkpoint (or an older export) that you kept")
    parser.add_argument("--key", metavar="HEX", type=public_key, action="append", help="a public key that you trust")
    given = parser.parse_args(arguments)
    kept = lines_of(given.checkpoint) if given.checkpoint else None
    try:
        report = verify(lines_of(given.file), checkpoint=kept, keys=given.key or ())
    except OSError as error:
        print(f"cannot read {quote(error.filename or given.file)}: {error.strerror}", file=sys.stderr)
        return 2
    except MemoryError:
        print("this file needs more memory than there is", file=sys.stderr)
        return 2
    print(json.dumps(report.as_dict(), indent=2) if given.json else report)
    return 0 if report.ok else 1


if __name__ == "__main__":
    sys.exit(main())
