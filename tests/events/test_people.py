"""Nothing personal is in the hashed bytes: a person can be erased and every chain stays valid."""

import secrets

from accounts.models import User
from accounts.signals import person_erased
from events import audit, history, participants, store, texts
from events.canonical import digest
from events.models import Participant, Text


def somebody() -> User:
    return User.objects.create(name=f"n{secrets.token_hex(6)}")


def test_a_person_has_another_name_in_every_stream(counter):
    person, one, two = somebody(), counter(), counter()
    assert participants.of(one, person.pk) == participants.of(one, person.pk) != participants.of(two, person.pk)


def test_erasing_a_person_leaves_no_word_and_breaks_no_chain(counter, do):
    person, other, stream = somebody(), somebody(), counter()
    me, you = participants.of(stream, person.pk), participants.of(stream, other.pk)
    mine = do(stream, me, {"do": "note"}, written={"reason": "I am Zoë from Utrecht"})
    yours = do(stream, you, {"do": "note"}, written={"reason": "I am not"})
    said = mine.content["body"]["action"]["reason"]["text"]
    assert texts.show(said) == "I am Zoë from Utrecht"
    row = Text.objects.get(commitment=said)
    assert digest("text", stream, bytes(row.salt), row.text).hex() == said

    person_erased.send(sender=User, person=person)

    assert texts.show(said) is None
    assert participants.person_of(me) is None
    assert not Participant.objects.filter(person=person).exists()
    assert texts.show(yours.content["body"]["action"]["reason"]["text"]) == "I am not"
    for event in store.read(stream):
        assert event.hash == digest("event", event.envelope)
        assert b"Utrecht" not in event.envelope + event.sealed


def test_a_repeated_command_keeps_the_first_words(counter, do):
    stream = counter()
    first = do(stream, "a", {"do": "note"}, cmd="once", written={"reason": "hello"})
    assert do(stream, "a", {"do": "note"}, cmd="once", written={"reason": "hello"}) == first
    assert Text.objects.filter(stream=stream).count() == 1
    assert texts.show(first.content["body"]["action"]["reason"]["text"]) == "hello"


def test_a_privileged_look_is_recorded_apart(counter):
    judge, stream = somebody(), counter()
    before = store.head_seq(stream)
    for seq in (1, 1):
        audit.record_look(judge.pk, stream, seq=seq, viewer="table", what="state")
    assert store.head_seq(stream) == before
    _, *looks = (history.seen(event, None) for event in store.read(audit.audit_stream(stream)))
    assert [(look["do"], look["action"]["as"], look["action"]["seq"]) for look in looks] == [("look", "table", 1)] * 2
    assert {participants.person_of(look["by"]) for look in looks} == {judge.pk}
