#!/usr/bin/env python3
"""Check an exported Arbiter stream, offline: one file, standard library only, no code shared with the service.

    python3 verifier.py FILE [--json] [--checkpoint FILE] [--key HEX]

docs/format.md says what an export is; each part below cites the section it checks. The report has one line per kind of
proof, each `ok`, `failed` (naming the first bad event) or `not checked` (saying why, and never counted as ok):

    structure    every line is canonical JSON of the right shape, in the right order, none is missing
    chain        every event has the hash it claims and continues the one before it, from the stream's genesis to the head
    seals        hidden parts are those that were committed to, and every seat was told what the record says it was told
    shuffles     seed and seats' numbers match their commitments, every draw is recomputed from them
    texts        the words shown are those that were committed to
    signature    the checkpoint is signed by the key (pinned with --key, else the one in the file)
    inclusion    the stream lies under that checkpoint
    consistency  an older checkpoint you kept (--checkpoint) describes the beginning of the same history

Exit code 0: nothing failed. 1: something failed. 2: the file cannot be read, or wrong usage.
"""

import argparse
import gc
import hashlib
import hmac
import json
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

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
    about: str = "no export"
    sections: dict[str, Finding] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        return not any(finding.status == FAILED for finding in self.sections.values())

    @property
    def first_bad(self) -> int | None:
        """The seq of the first event that something is wrong with."""
        return min((f.seq for f in self.sections.values() if f.status == FAILED and f.seq is not None), default=None)

    def as_dict(self) -> dict:
        sections = {name: vars(finding) for name, finding in self.sections.items()}
        return {"ok": self.ok, "about": self.about, "first_bad": self.first_bad, "sections": sections}

    def __str__(self) -> str:
        lines = [self.about]
        for name, finding in self.sections.items():
            status = finding.status if finding.status == OK else finding.status.upper()
            lines.append(f"  {name:<12} {status:<12} {finding.detail}")
        skipped = [name for name, finding in self.sections.items() if finding.status == NOT_CHECKED]
        if not self.ok:
            place = f"the first bad event is {self.first_bad}" if self.first_bad else "no single event can be named"
            lines.append(f"FAILED: {place}.")
        else:
            lines.append(
                "Everything that was checked is right." + (f" NOT CHECKED: {', '.join(skipped)}." * bool(skipped))
            )
        return "\n".join(lines)


class Malformed(Exception):
    """A line that is not what the format says: nothing after it can be trusted to be what it seems."""


def quote(value: object) -> str:
    """A foreign value in our sentence: short, printable, nothing that a terminal would act on."""
    text = ascii(value)
    return text if len(text) <= 80 else text[:77] + "..."


# --- hashing (format: "Hashing") --------------------------------------------------------------------------------------


def raw(part: object) -> bytes:
    return part if type(part) is bytes else str(part).encode()


def fields(*parts: object) -> bytes:
    return b"".join(len(data).to_bytes(4, "big") + data for data in map(raw, parts))


def domain(name: str) -> bytes:
    return b"arbiter/" + name.encode() + b"/v1\0"


def H(name: str, *parts: object) -> bytes:
    return hashlib.sha256(domain(name) + fields(*parts)).digest()


def mac(key: bytes, name: str, *parts: object) -> bytes:
    return hmac.digest(key, domain(name) + fields(*parts), "sha256")


_EVENT, _SEALS, _U32_32 = domain("event"), domain("seals"), (32).to_bytes(4, "big")
is_hash = re.compile(r"[0-9a-f]{64}\Z").match


def hashes(items: list) -> bool:
    return all(type(item) is str and is_hash(item) for item in items)


# --- canonical JSON (format: "Hashing") -------------------------------------------------------------------------------
# Re-encoding the parsed value must give the same bytes: that refuses white space, key order, duplicate keys, other ways
# to write an escape or a number. What it cannot see (NFC, ASCII keys, the size of integers) is looked for in the few
# lines that could have it.


def _no_float(text: str) -> None:
    raise ValueError(f"{text[:40]} is not an integer")


_parse = json.JSONDecoder(parse_float=_no_float, parse_constant=_no_float).scan_once
canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, check_circular=False).encode
_digits = bytes(ord("9") if 48 <= byte <= 57 else 32 for byte in range(256))


def parse(line: bytes) -> tuple[str, dict]:
    """The text of a line and the object in it."""
    if len(line) > MAX_LINE:
        raise Malformed("is longer than 16 MiB")
    if line[-1:] != b"\n":
        raise Malformed("does not end with a line feed; the file is cut off")
    try:
        text = line[:-1].decode()
        item, end = _parse(text, 0)
    except UnicodeDecodeError:
        raise Malformed("is not UTF-8") from None
    except StopIteration:
        raise Malformed("is not JSON") from None
    except ValueError as error:
        raise Malformed(f"is not JSON: {error}") from None
    except RecursionError:
        raise Malformed("is nested too deeply") from None
    if end != len(text):
        raise Malformed(f"has something after its JSON object, at column {end + 1}")
    if type(item) is not dict or type(item.get("t")) is not str:
        raise Malformed('is not an object with a "t"')
    if not text.isascii() or b"9" * 16 in line.translate(_digits):
        restrict(item)
    return text, item


def restrict(value: object) -> None:
    """What is left to refuse after re-encoding: big integers, keys that are not ASCII, text that is not NFC."""
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


def shaped(item: object, shape: dict[str, object], what: str) -> None:
    """Exactly these keys, in canonical order, with values of exactly these types."""
    if type(item) is not dict or [*item] != [*shape]:
        raise Malformed(f"{what} should have exactly the fields {', '.join(shape)}, sorted")
    for name, kind in shape.items():
        if type(item[name]) not in (kind if type(kind) is tuple else (kind,)):
            raise Malformed(f"{what}: {name} is {quote(item[name])}, which is of the wrong type")


SHAPES = {
    "manifest": {"events": int, "head": str, "kind": str, "opened": bool, "seats": int, "stream": str, "t": str, "v": int,
                 "viewer": (type(None), int, str)},
    "secret": {"numbers": list, "seed": str, "t": str},
    "event": {"envelope": dict, "hash": str, "leaves": list, "openings": dict, "seq": int, "t": str},
    "text": {"salt": str, "seq": int, "t": str, "text": str},
    "proof": {"checkpoint": dict, "inclusion": list, "position": int, "public_key": str, "seq": int, "signature": str,
              "t": str},
    "consistency": {"from": int, "proof": list, "t": str, "to": int},
    "checkpoint": {"checkpoint": dict, "public_key": str, "signature": str, "t": str},
    "end": {"lines": int, "t": str},
}  # fmt: skip
SIGNED = {"at": int, "key": str, "origin": str, "root": str, "size": int, "v": int}
ENVELOPE = {
    "at": int,
    "body": dict,
    "build": str,
    "by": str,
    "do": str,
    "prev": str,
    "seq": int,
    "stream": str,
    "v": int,
}
BODY = {"action": dict, "effects": list, "seals": str}
OPENING = {"opening": list, "salt": str}
FOLLOWS = {
    None: {"manifest"},
    "manifest": {"secret", "event"},
    "secret": {"event"},
    "event": {"event", "text", "proof", "end"},
    "text": {"event", "text", "proof", "end"},
    "proof": {"consistency", "end"},
    "consistency": {"end"},
    "end": set(),
}


# --- the walk over the lines (format: "Export") -----------------------------------------------------------------------


class Walk:
    """One pass over the lines of an export, remembering the first failure of each section."""

    def __init__(self, keys: tuple[str, ...], kept: "Kept | None") -> None:
        self.keys, self.kept = keys, kept
        self.found: dict[str, Finding] = {}
        self.count = 0  # lines read
        self.last: str | None = None  # kind of the last line
        self.seq = 0  # of the last event
        self.at = 0
        self.hashes: list[str] = []
        self.manifest: dict = {}
        self.openings = self.texts = 0
        self.salt_key: bytes | None = None

    def fail(self, section: str, reason: str, seq: int | None = None) -> None:
        reason = f"event {seq}: {reason}" if seq else reason
        self.found.setdefault(section, Finding(FAILED, reason, seq))

    def lines(self, lines: Iterable[bytes]) -> None:
        for line in lines:
            seq = self.seq
            try:
                text, item = parse(line)
                kind = item["t"]
                if kind not in FOLLOWS[self.last]:
                    raise Malformed(
                        f"is {quote(kind)}; after {self.last or 'nothing'} comes {wanted(FOLLOWS[self.last])}"
                    )
                if kind == "event":
                    self.event(text, item)
                else:
                    shaped(item, SHAPES[kind], kind)
                    if canonical(item) != text:
                        raise Malformed("is not canonical JSON")
                    getattr(self, kind)(item)
            except Malformed as error:
                return self.fail("structure", f"line {self.count + 1} {error}", self.place(line, seq))
            except RecursionError:
                return self.fail("structure", f"line {self.count + 1} is nested too deeply", self.place(line, seq))
            self.last = kind
            self.count += 1
        if self.last != "end":
            missing = self.seq + 1 if self.seq < self.manifest.get("events", 0) else None
            self.fail("structure", f"the file is cut off after line {self.count}", missing)

    def place(self, line: bytes, seq: int) -> int | None:
        """Which event a malformed line belongs to: a text to the event before it, anything else among events is the next."""
        if self.last is None:
            return None
        if line.startswith(b'{"salt":') or b'"t":"text"' in line:
            return seq or None
        return seq + 1 if seq < self.manifest["events"] else None

    def manifest_(self, item: dict) -> None:
        seats, viewer = item["seats"], item["viewer"]
        if item["v"] != 1:
            raise Malformed(f"is of format version {item['v']}; this verifier knows version 1")
        if not 0 <= seats <= 64 or item["events"] < 1 or not is_hash(item["head"]):
            raise Malformed("manifest: needs 0 to 64 seats, at least one event and a head hash")
        if viewer not in (None, "table") and (type(viewer) is not int or not 0 <= viewer < seats):
            raise Malformed(f"manifest: viewer {quote(viewer)} is neither null, a seat nor table")
        if item["opened"] and viewer != "table":
            raise Malformed("manifest: an opened export is what the table sees")
        self.manifest, self.stream = item, item["stream"]
        self.slots = [*map(str, range(seats)), "table"]
        self.shown = sorted(self.slots) if viewer == "table" else [] if viewer is None else [str(viewer)]
        self.prev = H("genesis", self.stream, item["kind"], seats).hex()
        self.seal_prefix = domain("seal") + fields(self.stream)
        self.random = Randomness(self.stream, seats)

    def secret(self, item: dict) -> None:
        numbers = item["numbers"]
        if not self.manifest["opened"]:
            raise Malformed("is a secret, but the manifest says the seals are not open")
        if not hashes([item["seed"], *numbers]) or len(numbers) not in (0, len(self.slots) - 1):
            raise Malformed("secret: needs a seed and no number or one for each seat, 64 hex digits each")
        seed = bytes.fromhex(item["seed"])
        self.random.open(seed, [bytes.fromhex(number) for number in numbers])
        self.salt_key = H("salt-key", self.stream, seed)

    # chain (format: "An event")

    def event(self, text: str, item: dict) -> None:
        seq = self.seq = self.seq + 1
        envelope, leaves, openings = item.get("envelope"), item.get("leaves"), item.get("openings")
        shaped(item, SHAPES["event"], "event")
        shaped(envelope, ENVELOPE, "envelope")
        body = envelope["body"]
        shaped(body, BODY, "body")
        if self.manifest["opened"] and self.salt_key is None:
            raise Malformed("is an event, but the manifest says opened, and no secret came before")
        if not all(type(effect) is dict for effect in body["effects"]) or envelope["v"] != 1:
            raise Malformed("envelope: effects should be objects, and v 1")
        if len(leaves) != len(self.slots) or not hashes(leaves) or not is_hash(item["hash"]):
            raise Malformed(f"event: needs a hash and {len(self.slots)} leaves, 64 lower-case hex digits each")
        if [*openings] != self.shown:
            raise Malformed(f"event: opens {quote([*openings])}; this viewer's export opens {quote(self.shown)}")
        # The line must be exactly these pieces; each is encoded once, and the bytes that are hashed are these very bytes.
        written = canonical(envelope)
        opened = {slot: self.opening(slot, openings[slot]) for slot in self.shown}
        inside = ",".join(f'"{slot}":{{"opening":{o},"salt":"{openings[slot]["salt"]}"}}' for slot, o in opened.items())
        if text != (
            f'{{"envelope":{written},"hash":"{item["hash"]}","leaves":["{'","'.join(leaves)}"],'
            f'"openings":{{{inside}}},"seq":{item["seq"]},"t":"event"}}'
        ):
            raise Malformed("is not canonical JSON")

        data = written.encode()
        actual = hashlib.sha256(_EVENT + len(data).to_bytes(4, "big") + data).hexdigest()
        if "chain" not in self.found:
            self.link(envelope, item, actual)
        self.prev, self.at = actual, envelope["at"]
        self.hashes.append(actual)
        self.seals(seq, body, leaves, openings, opened)
        self.line, self.text_from = text, 0
        if '"number_' in text or seq == 1 or (self.salt_key and '"e":"draw"' in text):
            public = [body["action"], *body["effects"]]
            known = (
                merge(public, openings["table"]["opening"]) if self.salt_key and "seals" not in self.found else public
            )
            if reason := self.random.event(seq, actual, public, known):
                self.fail("shuffles", reason, seq)

    def opening(self, slot: str, item: object) -> str:
        shaped(item, OPENING, f"opening {slot}")
        if not is_hash(item["salt"]):
            raise Malformed(f"opening {slot}: the salt should be 64 lower-case hex digits")
        return canonical(item["opening"])

    def link(self, envelope: dict, item: dict, actual: str) -> None:
        seq = self.seq
        if seq > self.manifest["events"]:
            self.fail("chain", f"is one more than the {self.manifest['events']} the manifest speaks of", seq)
        elif envelope["stream"] != self.stream:
            self.fail("chain", f"belongs to another stream, {quote(envelope['stream'])}", seq)
        elif envelope["seq"] != seq or item["seq"] != seq:
            self.fail("chain", f"is not where it should be; line {self.count + 1} holds event {item['seq']}", seq)
        elif actual != item["hash"]:
            self.fail("chain", f"its hash is {actual}, but the line says {item['hash']}: it was changed", seq)
        elif envelope["prev"] != self.prev:
            before = f"event {seq - 1}" if seq > 1 else "the genesis of this stream"
            self.fail("chain", f"does not continue {before}, whose hash is {self.prev}", seq)
        elif envelope["at"] < self.at:
            self.fail("chain", "is earlier than the event before it", seq)
        elif envelope["do"] != envelope["body"]["action"].get("do"):
            self.fail("chain", "is called otherwise than its action", seq)

    # seals (format: "Seals")

    def seals(self, seq: int, body: dict, leaves: list[str], openings: dict, opened: dict[str, str]) -> None:
        if "seals" in self.found:
            return
        digests = bytes.fromhex("".join(leaves))
        joined = b"".join(_U32_32 + digests[at : at + 32] for at in range(0, len(digests), 32))
        if hashlib.sha256(_SEALS + joined).hexdigest() != body["seals"]:
            return self.fail("seals", "its leaves do not give the root in its body", seq)
        for slot, opening in opened.items():
            salt = bytes.fromhex(openings[slot]["salt"])
            if self.salt_key and salt != mac(self.salt_key, "salt", seq, slot):
                return self.fail("seals", f"the salt of slot {slot} does not follow from the seed", seq)
            leaf = hashlib.sha256(self.seal_prefix + fields(seq, slot, salt, opening)).hexdigest()
            if leaf != leaves[self.slots.index(slot)]:
                return self.fail("seals", f"slot {slot} was committed to as something else", seq)
            self.openings += 1
        if "table" in openings:
            table = openings["table"]["opening"]
            if reason := malformed_parts(table, 1 + len(body["effects"])):
                return self.fail("seals", f"the table's opening {reason}", seq)
            for seat in range(len(self.slots) - 1):
                if openings[str(seat)]["opening"] != told(table, seat):
                    return self.fail("seals", f"seat {seat} was told something else than the record says", seq)

    # texts (format: "An event", "Export")

    def text(self, item: dict) -> None:
        if item["seq"] != self.seq or not is_hash(item["salt"]):
            raise Malformed(f"text: should belong to event {self.seq} and have a salt of 64 hex digits")
        commitment = H("text", self.stream, bytes.fromhex(item["salt"]), item["text"]).hex()
        found = self.line.find(f'{{"text":"{commitment}"}}', self.text_from)
        if found < 0:
            return self.fail("texts", "commits to no such text (or to it in another place)", self.seq)
        self.text_from = found + 1
        self.texts += 1

    # signature, inclusion, consistency (format: "Feed and checkpoints")

    def proof(self, item: dict) -> None:
        events = self.seq
        if not 1 <= item["seq"] <= events or not hashes(item["inclusion"]):
            raise Malformed(f"proof: needs an event from 1 to {events} and hashes of 64 hex digits")
        self.signed = Signed(item)
        self.proved = item["seq"]
        if reason := self.signed.wrong(self.keys):
            self.fail("signature", reason)
            return self.fail("inclusion", "the checkpoint it leads to is not verified")
        leaf = leaf_hash(bytes.fromhex(self.hashes[item["seq"] - 1]))
        path = [bytes.fromhex(step) for step in item["inclusion"]]
        if not included(leaf, item["position"] - 1, self.signed.size, path, self.signed.root):
            self.fail("inclusion", "does not lie under the checkpoint at the place the proof says", item["seq"])

    def consistency(self, item: dict) -> None:
        if not hashes(item["proof"]):
            raise Malformed("consistency: needs hashes of 64 hex digits")
        self.bridge = item

    def end(self, item: dict) -> None:
        events = self.manifest["events"]
        if item["lines"] != self.count:
            self.fail("structure", f"the end speaks of {item['lines']} lines before it, there are {self.count}")
        if self.seq < events:
            self.fail("structure", f"is missing; the manifest speaks of {events} events", self.seq + 1)
        elif self.prev != self.manifest["head"]:
            self.fail("chain", "its hash is not the head that the manifest names", self.seq)

    def compare(self) -> None:
        """The checkpoint that was kept against the one in the file."""
        if reason := self.kept.wrong(self.keys):
            return self.fail("consistency", f"the kept checkpoint: {reason}")
        if not hasattr(self, "signed") or "signature" in self.found:
            return self.fail("consistency", "the file has no verified checkpoint to compare the kept one with")
        old, new = sorted((self.kept.signed, self.signed), key=lambda signed: signed.size)
        bridges = [item for item in (getattr(self, "bridge", None), self.kept.bridge) if item]
        path = next((item["proof"] for item in bridges if (item["from"], item["to"]) == (old.size, new.size)), None)
        if old.origin != new.origin:
            self.fail("consistency", f"two logs: {quote(old.origin)} and {quote(new.origin)}")
        elif path is None and old.size != new.size:
            self.fail(
                "consistency", f"no proof from size {old.size} to {new.size} in the export or beside the checkpoint"
            )
        elif not consistent(old.size, old.root, new.size, new.root, [bytes.fromhex(step) for step in path or []]):
            self.fail(
                "consistency", f"size {new.size} does not continue what was signed at {old.size}: history was rewritten"
            )

    # what it all comes to

    def report(self) -> Report:
        if self.kept:
            self.compare()
        passed = dict(self.passed()) if self.manifest else {}
        broken = self.found.get("structure")
        report = Report(self.about())
        for name in SECTIONS:
            finding = self.found.get(name) or passed.get(name)
            if broken and finding is not broken and (finding is None or finding.status == OK):
                finding = Finding(NOT_CHECKED, f"the structure failed ({broken.detail}); nothing was wrong up to there")
            report.sections[name] = finding or Finding(OK, "")
        return report

    def about(self) -> str:
        if not self.manifest:
            return "not an Arbiter export"
        viewer = {None: "the public", "table": "the table"}.get(
            self.manifest["viewer"], f"seat {self.manifest['viewer']}"
        )
        kind, seats, events = quote(self.manifest["kind"]), self.manifest["seats"], self.manifest["events"]
        opened = ", seals open" if self.manifest["opened"] else ""
        return f"{quote(self.stream)}: {kind}, {seats} seats, {events} events, as seen by {viewer}{opened}"

    def passed(self) -> Iterator[tuple[str, Finding]]:
        """What each section says when nothing failed in it."""
        yield "structure", Finding(OK, f"{self.count} lines")
        yield "chain", Finding(OK, f"{self.seq} events up to head {self.prev}")
        yield "seals", Finding(OK, f"{self.seq} roots, {self.openings} openings")
        yield "shuffles", self.random.verdict()
        none = Finding(NOT_CHECKED, "there are none in the file")
        yield "texts", Finding(OK, f"{self.texts} texts") if self.texts else none
        if not hasattr(self, "signed"):
            nothing = Finding(
                NOT_CHECKED, "the file has no checkpoint yet: an owner of the service could still rewrite it"
            )
            yield from (("signature", nothing), ("inclusion", nothing))
        else:
            pin = (
                "the pinned key"
                if self.keys
                else "the key in the file, COMPARE IT with the published one or pass --key:"
            )
            yield "signature", Finding(OK, f"size {self.signed.size}, signed by {pin} {self.signed.public_key}")
            rest = f"; events {self.proved + 1} to {self.seq} came later" if self.proved < self.seq else ""
            yield "inclusion", Finding(OK, f"event {self.proved} and all before it lie under the checkpoint{rest}")
        kept = Finding(OK, "the kept checkpoint and this one are of one history")
        yield "consistency", kept if self.kept else Finding(NOT_CHECKED, "no older checkpoint was given (--checkpoint)")


Walk.manifest = Walk.manifest_
