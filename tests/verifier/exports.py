"""Valid exports made from docs/format.md alone: shares nothing with the service or the verifier, so that each can be
held against it. Everything is derived from small seeds: the same arguments give the same bytes."""

import hashlib
import hmac
import json
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ORIGIN = "arbiter.example"


def H(name, *fields):
    return hashlib.sha256(f"arbiter/{name}/v1\0".encode() + packed(*fields)).digest()


def keyed(key, name, *fields):
    return hmac.new(key, f"arbiter/{name}/v1\0".encode() + packed(*fields), hashlib.sha256).digest()


def packed(*fields):
    out = b""
    for item in fields:
        data = item if isinstance(item, bytes) else str(item).encode()
        out += len(data).to_bytes(4, "big") + data
    return out


def dumps(value) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def secret_bytes(*name) -> bytes:
    return hashlib.sha256(repr(name).encode()).digest()


# --- RFC 6962 section 2.1, word for word ---


def tree_hash(leaves):
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\0" + leaves[0]).digest()
    k = largest_power_below(len(leaves))
    return hashlib.sha256(b"\1" + tree_hash(leaves[:k]) + tree_hash(leaves[k:])).digest()


def path(m, leaves):
    if len(leaves) <= 1:
        return []
    k = largest_power_below(len(leaves))
    if m < k:
        return [*path(m, leaves[:k]), tree_hash(leaves[k:])]
    return [*path(m - k, leaves[k:]), tree_hash(leaves[:k])]


def consistency(m, leaves, whole=True):
    if m == len(leaves):
        return [] if whole else [tree_hash(leaves)]
    k = largest_power_below(len(leaves))
    if m <= k:
        return [*consistency(m, leaves[:k], whole), tree_hash(leaves[k:])]
    return [*consistency(m - k, leaves[k:], False), tree_hash(leaves[:k])]


def largest_power_below(n):
    return 1 << (n - 1).bit_length() - 1


# --- draws ---


def words(key):
    for counter in range(2**64):
        block = hmac.new(key, counter.to_bytes(8, "big"), hashlib.sha256).digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(block[at : at + 4], "big")


def below(source, m):
    while True:
        x = next(source)
        if x < 2**32 - 2**32 % m:
            return x % m


def shuffle(source, items):
    items = sorted(items)
    for i in reversed(range(1, len(items))):
        j = below(source, i + 1)
        items[i], items[j] = items[j], items[i]
    return items


# --- a stream ---


@dataclass
class Feed:
    """All streams' events in one order, and the key that signs it."""

    leaves: list[bytes] = field(default_factory=list)
    key: Ed25519PrivateKey = field(default_factory=lambda: Ed25519PrivateKey.from_private_bytes(bytes(range(32))))

    @property
    def public(self) -> bytes:
        return self.key.public_key().public_bytes_raw()

    def signed(self, size=None, at=1794988900000) -> dict:
        size = size or len(self.leaves)
        checkpoint = {
            "at": at, "key": hashlib.sha256(self.public).hexdigest()[:16], "origin": ORIGIN,
            "root": tree_hash(self.leaves[:size]).hex(), "size": size, "v": 1,
        }  # fmt: skip
        signature = self.key.sign(b"arbiter/checkpoint/v1\0" + dumps(checkpoint))
        return {"checkpoint": checkpoint, "signature": signature.hex(), "public_key": self.public.hex()}


class Game:
    """Seat 0 brings a number of its own, the others take house numbers; then draws, secrets, texts."""

    def __init__(self, stream="gam_0001", seats=2, kind="game", seed=None, feed=None):
        self.stream, self.seats, self.kind = stream, seats, kind
        self.seed = seed or secret_bytes("seed", stream)
        self.own = secret_bytes("own", stream)
        self.salt_key = H("salt-key", stream, self.seed)
        self.feed = feed if feed is not None else Feed()
        self.head = H("genesis", stream, kind, seats)
        self.events, self.positions, self.draws = [], [], 0
        self.slots = [str(seat) for seat in range(seats)] + ["table"]

    def add(self, do, action=None, effects=(), parts=(), texts=()):
        """`parts` are those of the table's opening; `texts` are written into the action under their name."""
        seq = len(self.events) + 1
        action, lines = {"do": do, **(action or {})}, []
        for name, words_ in texts:
            salt = secret_bytes("text", self.stream, seq, name)
            action[name] = {"text": H("text", self.stream, salt, words_).hex()}
            lines.append((name, {"t": "text", "seq": seq, "salt": salt.hex(), "text": words_}))
        table = [{"cmd": f"c{seq}", "request": secret_bytes("request", seq).hex()}, *parts]
        openings = {slot: self.told(table, int(slot)) if slot != "table" else table for slot in self.slots}
        salts = {slot: keyed(self.salt_key, "salt", seq, slot) for slot in self.slots}
        leaves = [H("seal", self.stream, seq, slot, salts[slot], dumps(openings[slot])) for slot in self.slots]
        body = {"action": action, "effects": list(effects), "seals": H("seals", *leaves).hex()}
        envelope = {
            "at": 1794988800000 + seq, "body": body,
            "build": "arbiter 0.1.0", "by": "p_4kX", "do": do, "prev": self.head.hex(), "seq": seq,
            "stream": self.stream, "v": 1,
        }  # fmt: skip
        self.head = H("event", dumps(envelope))
        shown = {slot: {"salt": salts[slot].hex(), "opening": openings[slot]} for slot in self.slots}
        line = {
            "t": "event", "seq": seq, "hash": self.head.hex(), "envelope": envelope,
            "leaves": [leaf.hex() for leaf in leaves], "openings": shown,
        }  # fmt: skip
        self.events.append((line, [text for _name, text in sorted(lines, key=lambda pair: pair[0])]))
        self.feed.leaves.append(self.head)
        self.positions.append(len(self.feed.leaves))
        return self

    def told(self, table, seat):
        mine = []
        for part in table[1:]:
            if "effect" in part and part["only"] & 1 << seat:
                mine.append({"at": part["at"], "effect": part["effect"]})
            elif "fields" in part:
                some = {name: value for name, value in part["fields"].items() if part["only"][name] & 1 << seat}
                mine += [{"at": part["at"], "fields": some}] if some else []
        return mine

    # the usual course of things

    def numbers(self):
        if not self.seats:
            return []
        return [self.own, *(H("house", self.stream, seat, self.seed) for seat in range(1, self.seats))]

    def begin(self):
        self.add("create", {"commit": H("commit", self.stream, self.seed).hex(), "rulebook": "theos@1"})
        for seat in range(self.seats):
            commit = H("seat", self.stream, 0, self.own).hex() if seat == 0 else None
            self.add("join", {"seat": seat, "number_commit": commit})
        self.completed = self.head.hex()
        return self

    def ready(self):
        return self.add("ready", {"seat": 0}, [{"e": "opened", "seat": 0, "number_open": self.own.hex()}])

    def draw(self, how, label, given, only, effects=()):
        """A draw whose input and result are sealed to the seats in the mask `only`; it stands after `effects`."""
        key = keyed(self.seed, "key", self.stream, self.completed, *self.numbers())
        source = words(keyed(key, "draw", self.draws, label))
        result = shuffle(source, given) if how == "shuffle" else below(source, given)
        public = {"e": "draw", "n": self.draws, "label": label, "how": how}
        self.draws += 1
        fields = {"input": sorted(given) if how == "shuffle" else given, "result": result}
        part = {"at": 1 + len(effects), "fields": fields, "only": dict.fromkeys(fields, only)}
        return self.add("answer", {"seat": 1, "decision": f"d{len(self.events)}"}, [*effects, public], [part])

    def hidden_draw(self, label, m):
        """A draw nobody but the table knows of."""
        key = keyed(self.seed, "key", self.stream, self.completed, *self.numbers())
        result = below(words(keyed(key, "draw", self.draws, label)), m)
        effect = {"e": "draw", "n": self.draws, "label": label, "how": "below", "input": m, "result": result}
        self.draws += 1
        return self.add("answer", {}, [{"e": "move"}], [{"at": 1, "effect": effect, "only": 0}])

    # the export

    def lines(self, viewer=None, opened=False, proof=True, since=None, texts=True):
        viewer = "table" if opened else viewer
        shown = self.slots if viewer == "table" else [] if viewer is None else [str(viewer)]
        out = [{
            "t": "manifest", "v": 1, "stream": self.stream, "kind": self.kind, "seats": self.seats, "opened": opened,
            "events": len(self.events), "head": self.head.hex(), "viewer": viewer,
        }]  # fmt: skip
        if opened:
            numbers = [number.hex() for number in self.numbers()] if self.draws else []
            out.append({"t": "secret", "seed": self.seed.hex(), "numbers": numbers})
        for line, written in self.events:
            out.append({**line, "openings": {slot: line["openings"][slot] for slot in shown}})
            out += written if texts else []
        if proof:
            place, leaves = self.positions[-1], self.feed.leaves
            proof = {
                "seq": len(self.events),
                "position": place,
                "inclusion": [h.hex() for h in path(place - 1, leaves)],
            }
            out.append({"t": "proof", **proof, **self.feed.signed()})
            if since:
                steps = [step.hex() for step in consistency(since, leaves)]
                out.append({"t": "consistency", "from": since, "to": len(leaves), "proof": steps})
        out.append({"t": "end", "lines": len(out)})
        return [dumps(line) + b"\n" for line in out]


def small_game(stream="gam_0001", seats=2, feed=None):
    """Every kind of record there is, in few lines."""
    game = Game(stream, seats, feed=feed).begin().ready()
    game.draw("shuffle", "library:0", ["ruin", "gaia", "älv", "blank", "gaia"], only=1, effects=[{"e": "move", "n": 2}])
    game.hidden_draw("gap", 7)
    game.draw("below", "die", 6, only=3)
    game.add("rule", {"why": None}, texts=[("why", 'He said "no\n" — ça va'), ("what", "two cards")])
    return game.add(
        "answer",
        {"seat": 1, "big": 2**53 - 1, "low": -(2**53 - 1)},
        [{"e": "end"}],
        [
            {"at": 0, "fields": {"path": [[3, "x"]]}, "only": {"path": 2}},
            {"at": 2, "effect": {"e": "agenda"}, "only": 0},
        ],
    )
