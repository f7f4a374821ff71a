"""The read model behind the list of privileged look-ups: who looked at what, through whose eyes, and when."""

from django.db.models import QuerySet

from events import participants, readmodels
from events.feed import Entry
from events.models import Look


def follow(entry: Entry) -> None:
    event = entry.event
    if event.do != "look":
        return
    look = event.content["body"]["action"]
    person = participants.person_of(event.actor)
    eyes = "public" if look["as"] is None else str(look["as"])
    Look.objects.bulk_create(
        [Look(entry.pos, look["subject"], look["seq"], eyes, look["what"], event.at, event.actor, person)],
        ignore_conflicts=True,
    )


MODEL = readmodels.register(
    readmodels.ReadModel("looks", apply=follow, clear=Look.objects.all().delete, kinds=frozenset({"audit"}))
)


def looks(subject: str | None = None, person: str | None = None) -> QuerySet[Look]:
    """All of them, or those at one game, or of one person (by name)."""
    rows = Look.objects.select_related("person")
    if subject:
        rows = rows.filter(subject=subject)
    if person:
        rows = rows.filter(person__name__iexact=person)
    return rows
