"""Clubs, teams, countries. Who is of one club is kept apart early, so pairings must show who is; what the club is
called is personal. So the log has a token, one for each club of a tournament, and a commitment to the name.

The token is keyed with a random salt that is in no log and is deleted when the tournament closes. Erasing a person
deletes the name they gave; token and chain stay as they were, and so every pairing can still be computed again.
"""

import secrets
import unicodedata

from events.canonical import keyed
from events.models import Text
from tournaments.models import GroupSalt
from tournaments.state import Entrant


def token(stream: str, name: str) -> str:
    row, _ = GroupSalt.objects.get_or_create(stream=stream, defaults={"salt": secrets.token_bytes(32)})
    normal = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
    return keyed(bytes(row.salt), "group", stream, normal).hex()[:24]


def forget(stream: str) -> None:
    GroupSalt.objects.filter(stream=stream).delete()


def names(entrants: list[Entrant]) -> dict[int, str]:
    """By number, as far as they were given and not erased."""
    wanted = {one.club: one.number for one in entrants if one.club}
    known = Text.objects.filter(commitment__in=list(wanted)).values_list("commitment", "text") if wanted else []
    return {wanted[commitment]: text for commitment, text in known}
