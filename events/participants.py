"""Who acts in a stream: a random id per stream and person, so that history names nobody and links nobody."""

import secrets
from collections.abc import Collection

from django.db import IntegrityError, transaction

from events import texts
from events.commands import base62
from events.models import Participant

ARBITER = "arbiter"  # the service itself: deadlines, bots' takeovers, house acts


def of(stream: str, person_id: int) -> str:
    """The actor id of this person in this stream, made when it is first needed."""
    known = find(stream, person_id)
    if known:
        return known
    try:
        with transaction.atomic():
            row = Participant(id=f"p_{base62(secrets.token_bytes(12))}", stream=stream, person_id=person_id)
            row.save(force_insert=True)
            return row.id
    except IntegrityError:  # somebody was as quick as we were
        return Participant.objects.get(stream=stream, person_id=person_id).id


def find(stream: str, person_id: int) -> str | None:
    return Participant.objects.filter(stream=stream, person_id=person_id).values_list("id", flat=True).first()


def person_of(actor: str) -> int | None:
    return Participant.objects.filter(id=actor).values_list("person_id", flat=True).first()


def people_of(actors: Collection[str]) -> dict[str, int]:
    return dict(Participant.objects.filter(id__in=actors).values_list("id", "person_id")) if actors else {}


def names(actors: list[str]) -> dict[str, str]:
    """What the people behind these participants are called, as long as they are known."""
    return dict(Participant.objects.filter(id__in=actors, person__isnull=False).values_list("id", "person__name"))


def erase(person_id: int) -> None:
    """Forget the person: words and links go, every chain stays valid."""
    for actor in Participant.objects.filter(person_id=person_id).values_list("id", flat=True):
        texts.erase(actor)
    Participant.objects.filter(person_id=person_id).delete()
