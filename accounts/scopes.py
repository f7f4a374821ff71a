"""Who may put what on a token: one table."""

from django.db.models import TextChoices


class Role(TextChoices):
    PLAYER = "player"
    ORGANISER = "organiser"
    JUDGE = "judge"
    ADMIN = "admin"


# What a client asks for, and what it then may do. The sentence is what a person is shown before agreeing to it.
SCOPES = {
    "games:read": "see your games as you may see them",
    "games:play": "play in your games",
    "games:judge": "rule in games: settle disputes, rewind, decide outcomes; each ruling is recorded",
    "decks:write": "make and change your decks",
    "drafts:play": "pick in your drafts",
    "tournaments:read": "see your tournaments as you may see them",
    "tournaments:run": "run tournaments",
    "audit:read": "look at everything in games under your review; each look is recorded",
    "webhooks:manage": "have your events sent to an address of your choice",
}

# Only a log-in carries it: a token in a bot's configuration file can neither mint others nor erase its owner.
ACCOUNT = "account:manage"

_ORGANISER = frozenset({"tournaments:run"})
_JUDGE = frozenset({"audit:read", "games:judge"})
_PLAYER = frozenset(SCOPES) - _ORGANISER - _JUDGE | {ACCOUNT}
ROLE_SCOPES: dict[Role, frozenset[str]] = {
    Role.PLAYER: _PLAYER,
    Role.ORGANISER: _PLAYER | _ORGANISER,
    Role.JUDGE: _PLAYER | _JUDGE,
    Role.ADMIN: _PLAYER | _ORGANISER | _JUDGE,
}
