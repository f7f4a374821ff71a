"""Seals: what only some may see, committed to for everybody (docs/format.md, "Seals")."""

from typing import Any

from events.canonical import digest, encode, keyed
from events.decider import Record, Viewer

Parts = list[dict[str, Any]]


def split(records: list[Record]) -> tuple[list[Record], Parts]:
    """The public form of the records, and the parts of the `table` opening that complete it. A record is sealed whole
    (`secret`) or field by field (`only`), not both."""
    public: list[Record] = []
    parts: Parts = []
    for record in records:
        if "secret" in record:
            if "only" in record:
                raise ValueError(f"a record is sealed whole or field by field, not both: {record}")
            effect = {name: value for name, value in record.items() if name != "secret"}
            parts.append({"at": len(public), "effect": effect, "only": record["secret"]})
        elif only := record.get("only"):
            parts.append({"at": len(public), "fields": {name: record[name] for name in only}, "only": only})
            public.append({name: value for name, value in record.items() if name != "only" and name not in only})
        else:
            public.append({name: value for name, value in record.items() if name != "only"})
    return public, parts


def join(public: list[Record], parts: Parts) -> list[Record]:
    """What the holder of an opening knows. The inverse of `split` for the opening of `table`."""
    records = [dict(record) for record in public]
    inserted = 0
    for part in parts:
        at = part.get("at")
        if at is None:
            continue
        if "effect" in part:
            effect = dict(part["effect"])
            if "only" in part:
                effect["secret"] = part["only"]
            records.insert(at + inserted, effect)
            inserted += 1
        else:
            record = records[at + inserted]
            record.update(part["fields"])
            if "only" in part:
                record["only"] = part["only"]
    return records


def for_seat(table: Parts, seat: int) -> Parts:
    """A seat's opening, derived from the omniscient one."""
    bit = 1 << seat
    mine: Parts = []
    for part in table:
        if "effect" in part:
            if part["only"] & bit:
                mine.append({"at": part["at"], "effect": part["effect"]})
        elif "fields" in part:
            fields = {name: value for name, value in part["fields"].items() if part["only"][name] & bit}
            if fields:
                mine.append({"at": part["at"], "fields": fields})
    return mine


def slots(seats: int) -> list[Viewer]:
    return [*range(seats), "table"]


def salt_key(stream: str, seed: bytes) -> bytes:
    return digest("salt-key", stream, seed)


def salt(key: bytes, seq: int, slot: Viewer) -> bytes:
    return keyed(key, "salt", seq, str(slot))


def leaves(stream: str, seq: int, seats: int, key: bytes, table: Parts, table_bytes: bytes) -> list[bytes]:
    """One commitment per slot, always the same slots: who was told something is itself a secret."""
    out = []
    for slot in range(seats):
        opening = encode(for_seat(table, slot)) if table else b"[]"
        out.append(digest("seal", stream, seq, slot, salt(key, seq, slot), opening))
    out.append(digest("seal", stream, seq, "table", salt(key, seq, "table"), table_bytes))
    return out


def root(leaves: list[bytes]) -> bytes:
    return digest("seals", *leaves)
