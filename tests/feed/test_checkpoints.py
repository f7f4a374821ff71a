"""Checkpoints can be checked by anybody: signature, inclusion, consistency, the keys and their time."""

import random
import stat

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, transaction

from events import checkpoints, export, feed, keys, merkle, store
from events.canonical import decode
from events.errors import Rejected
from events.models import Checkpoint, Sequencer, SigningKey, Tile
from events.tree import Tree
from events.verifier import verify


@pytest.fixture
def key(db, tmp_path, monkeypatch):
    """The signing key of this test, in a folder of its own."""
    monkeypatch.setenv("ARBITER_KEYS", str(tmp_path))
    return keys.make()


@pytest.fixture
def signed(key, sequenced):
    """Bring the feed up to date and sign it."""

    def sign() -> Checkpoint:
        sequenced()
        return checkpoints.sign() or checkpoints.latest()

    return sign


def test_an_event_is_proved_with_nothing_but_the_checkpoint(counter, do, signed):
    stream = counter()
    events = [do(stream, "a", {"do": "add", "n": 1}) for _ in range(5)]
    row = signed()
    shown = checkpoints.shown(row)
    content = shown["checkpoint"]
    assert keys.signed(
        bytes.fromhex(shown["public_key"]), bytes.fromhex(shown["signature"]), checkpoints.message(bytes(row.body))
    )
    assert content["key"] == keys.key_id(bytes.fromhex(shown["public_key"]))
    for event in events:
        proof = checkpoints.proof_of(stream, event.seq)
        root = merkle.root_by_inclusion(event.hash, proof.position - 1, content["size"], proof.inclusion)
        assert root.hex() == content["root"]
    assert checkpoints.last_proof(stream)[0] == 6
    late = do(stream, "a", {"do": "add", "n": 1})
    assert checkpoints.proof_of(stream, late.seq) is None
    assert checkpoints.last_proof(stream)[0] == 6
    assert checkpoints.check(row) is None


def test_a_file_of_a_stream_that_grew_meanwhile_proves_what_is_in_it(counter, do, signed):
    """The checkpoint is newer than the last event that is written: its proof is of that one, not of one to come."""
    stream = counter()
    events = [do(stream, "a", {"do": "add", "n": 1}) for _ in range(5)]
    signed()
    report = verify(export.lines(store.stream_key(stream), 4, events[2].hash, "table", []))
    assert report.sections["inclusion"].status == "ok", str(report)


def test_later_checkpoints_continue_earlier_ones(counter, do, signed):
    stream = counter()
    rows = [signed()]
    for _ in range(4):
        do(stream, "a", {"do": "add", "n": 1})
        rows.append(signed())
    assert [row.size for row in rows] == list(range(rows[0].size, rows[0].size + 5))
    assert len({decode(bytes(row.body))["origin"] for row in rows}) == 1
    for old in rows:
        for new in rows[rows.index(old) :]:
            proof = checkpoints.consistency(old.size, new.size)
            assert merkle.consistent(old.size, bytes(old.root), new.size, bytes(new.root), proof)
    with pytest.raises(Rejected):
        checkpoints.consistency(rows[0].size, rows[-1].size + 1)
    assert checkpoints.sign() is None  # nothing new, nothing signed


def test_the_tree_in_tiles_is_the_tree_of_rfc_6962(db, monkeypatch):
    """Grown in random steps over several levels; the plain definition says what its hashes must be."""
    monkeypatch.setattr("events.tree.WIDTH", 4)
    monkeypatch.setattr("events.tree.AT_ONCE", 64)
    size = 300
    hashes = [merkle.leaf(bytes([n % 256] * 32)) for n in range(size)]
    monkeypatch.setattr(feed, "hashes", lambda after, upto: (bytes([n % 256] * 32) for n in range(after, upto)))

    def plain(lo: int, hi: int) -> bytes:
        if hi - lo == 1:
            return hashes[lo]
        middle = lo + merkle.split(hi - lo)
        return merkle.node(plain(lo, middle), plain(middle, hi))

    chance = random.Random(4)
    with transaction.atomic():
        Tile.objects.all().delete()
        Sequencer.objects.update_or_create(id=1, defaults={"tree_size": 0})
        grown = 0
        while grown < size:
            grown = min(size, grown + chance.randint(1, 40))
            Tree().grow(grown)
            assert Tree().span(0, grown) == plain(0, grown)
        for index, total in [(0, 1), (3, 7), (63, 64), (64, 65), (255, 256), (17, 299), (299, 300)]:
            for lo, hi in [*merkle.inclusion(index, total), *merkle.consistency(index + 1, total)]:
                assert Tree().span(lo, hi) == plain(lo, hi)
        with pytest.raises(LookupError):
            Tree().span(0, size + 1)
        transaction.set_rollback(True)


def test_keys_rotate_and_old_signatures_stay_valid(counter, key, signed, capsys):
    counter()
    before = signed()
    with pytest.raises(CommandError, match="rotate"):
        call_command("keys", "make")
    call_command("keys", "rotate")
    counter()
    after = signed()
    assert before.key == key.id != after.key
    assert checkpoints.check(before) is None
    assert checkpoints.check(after) is None
    key.refresh_from_db()
    assert key.from_ms <= before.at_ms <= key.until_ms <= after.at_ms
    call_command("keys", "list")
    listed = capsys.readouterr().out
    assert key.id in listed
    assert after.key in listed
    with pytest.raises(keys.NoKey, match="retired"):
        keys.publish(bytes(key.public))


def test_the_private_half_is_nobody_elses(key, counter, sequenced, monkeypatch, tmp_path):
    file = keys.folder() / f"{key.id}.key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    secret = file.read_text().strip()
    for row in SigningKey.objects.all():
        assert secret not in f"{row.__dict__}"
    counter()
    sequenced()
    monkeypatch.setenv("ARBITER_KEYS", str(tmp_path / "elsewhere"))
    with pytest.raises(keys.NoKey, match="is not here"):
        checkpoints.sign()
    monkeypatch.setenv(keys.VARIABLE, "00" * 32)
    with pytest.raises(keys.NoKey, match="not the key that signs now"):
        checkpoints.sign()
    monkeypatch.setenv(keys.VARIABLE, secret)
    assert checkpoints.sign().key == key.id


def test_a_checkpoint_given_out_cannot_be_taken_back(counter, signed):
    counter()
    row = signed()
    for change in (
        lambda: Checkpoint.objects.filter(size=row.size).update(at_ms=1),
        lambda: Checkpoint.objects.filter(size=row.size).delete(),
    ):
        with pytest.raises(DatabaseError, match="only ever added"), transaction.atomic():
            change()
    row.signature = bytes(64)
    assert checkpoints.check(row) == "the signature does not fit"


def test_a_changed_event_no_longer_fits_its_checkpoint(counter, do, signed):
    stream = counter()
    event = do(stream, "a", {"do": "add", "n": 1})
    row = signed()
    proof = checkpoints.proof_of(stream, event.seq)
    forged = store.build(
        store.stream_key(stream), event.moment, cmd=event.cmd, request=event.request,
        action={"do": "add", "n": 2}, effects=[], version="test",
    )  # fmt: skip
    assert merkle.root_by_inclusion(forged.hash, proof.position - 1, row.size, proof.inclusion) != bytes(row.root)
