"""What can be done with people and tokens. The API, the pages and the commands all call these."""

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import NamedTuple

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts import lookup, tokens
from accounts.errors import Refused
from accounts.models import AccessToken, User
from accounts.scopes import ACCOUNT, SCOPES, Role
from accounts.signals import person_erased, person_leaves

LOG_IN_LASTS = timedelta(days=30)
LONGEST = timedelta(days=366)
MOST_TOKENS = 50  # live ones, per person
SEEN_EVERY = timedelta(minutes=1)  # `last_used` is no finer than this: a read must not cost a write


class Minted(NamedTuple):
    """A token in clear. It exists only in this value and in what is shown from it."""

    token: AccessToken
    secret: str


# --- people ---


def register(name: str, password: str, email: str = "", role: Role = Role.PLAYER) -> User:
    person = User(name=name, email=email, role=role)
    check_password_rules(password, person)
    person.set_password(password)
    try:
        with transaction.atomic():
            person.save(force_insert=True)
    except IntegrityError:
        raise Refused(
            "name_taken", f"Somebody is called {name} already.", [fault("/name", "taken", "choose another name")]
        ) from None
    return person


def log_in(name: str, password: str, label: str = "log-in") -> Minted:
    """A token with everything its owner may do. Wrong name and wrong password cannot be told apart, nor timed apart."""
    person = User.objects.named(name).first()
    if person is None:
        User().set_password(password)  # the work a known name would have cost
    if person is None or not person.check_password(password) or not person.is_active:
        raise Refused("wrong_credentials", "There is nobody with this name and this password.")
    return signed_in(person, label)


def signed_in(person: User, label: str = "log-in") -> Minted:
    """A log-in for somebody who has just proved, or just chosen, the password."""
    tidy(person)
    return _mint(person, label, person.may, LOG_IN_LASTS)


def change_password(person: User, current: str, new: str, *, keep: AccessToken | None = None) -> None:
    """Every other log-in ends. Minted tokens live on: they never could change the account."""
    prove(person, current)
    check_password_rules(new, person, "/new_password")
    person.set_password(new)
    person.save(update_fields=["password"])
    for token in live(person):
        if ACCOUNT in token.scopes and token != keep:
            revoke(token)


def erase(person: User, password: str) -> None:
    """Delete a person and all that leads to them. Histories stay valid: they only ever held a seat."""
    prove(person, password)
    person_leaves.send_robust(sender=User, person=person)
    with transaction.atomic():
        person_erased.send(sender=User, person=person)
        person.delete()


def set_role(name: str, role: Role) -> User:
    person = User.objects.named(name).first()
    if person is None:
        raise Refused("unknown", f"Nobody is called {name}.")
    person.role = role
    person.save(update_fields=["role"])
    return person


def prove(person: User, password: str) -> None:
    if not person.check_password(password):
        raise Refused("wrong_password", "That is not your password.", [fault("/password", "wrong", "is not yours")])


def check_password_rules(password: str, person: User, pointer: str = "/password") -> None:
    try:
        validate_password(password, person)
    except ValidationError as exc:
        raise Refused(
            "weak_password",
            " ".join(exc.messages),
            [fault(pointer, error.code or "weak", " ".join(error.messages)) for error in exc.error_list],
        ) from None


# --- tokens ---


def mint_token(
    person: User, label: str, scopes: Iterable[str], lasts: timedelta = timedelta(days=90), *, most: int = MOST_TOKENS
) -> Minted:
    """A token for a program: what its owner's role may do, less what only a log-in may."""
    wanted = sorted(set(scopes))
    if unknown := [scope for scope in wanted if scope not in SCOPES]:
        raise Refused(
            "unknown_scope",
            f"There is no scope {unknown[0]!r}. There are: {', '.join(SCOPES)}.",
            [fault("/scopes", "unknown_value", scope) for scope in unknown],
        )
    if beyond := [scope for scope in wanted if scope not in person.may]:
        raise Refused(
            "scope_beyond_role",
            f"A {person.role} cannot have {' or '.join(beyond)}.",
            [fault("/scopes", "beyond_role", scope) for scope in beyond],
        )
    tidy(person)
    if live(person).count() >= most:
        raise Refused("too_many_tokens", f"There are {most} live tokens already. Revoke one first.")
    return _mint(person, label, wanted, min(lasts, LONGEST))


def _mint(person: User, label: str, scopes: Iterable[str], lasts: timedelta) -> Minted:
    secret, now = tokens.new_token(), timezone.now()
    token = AccessToken.objects.create(
        owner=person,
        label=label,
        digest=tokens.digest(secret),
        scopes=sorted(scopes),
        created=now,
        expires=now + lasts,
    )
    return Minted(token, secret)


def identify(secret: str) -> AccessToken | None:
    """The live token this is, with its owner; None if it is unknown, expired, revoked or its owner is shut out."""
    if not tokens.is_token(secret):
        return None
    token = lookup.by_digest(tokens.digest(secret))
    now = timezone.now()
    if token is None or token.revoked or token.expires <= now or not token.owner.is_active:
        return None
    if token.last_used is None or now - token.last_used >= SEEN_EVERY:
        seen(token, now)
    return token


def seen(token: AccessToken, now: datetime) -> None:
    """Note the use. A database that cannot write now must not keep anybody from reading."""
    token.last_used = now
    with suppress(DatabaseError):
        AccessToken.objects.filter(pk=token.pk).update(last_used=now)


def revoke(token: AccessToken) -> None:
    """From the next request on it opens nothing. Revoking twice keeps the first time."""
    AccessToken.objects.filter(pk=token.pk, revoked=None).update(revoked=timezone.now())


def live(person: User) -> QuerySet[AccessToken]:
    return person.tokens.filter(revoked=None, expires__gt=timezone.now())


def tidy(person: User) -> None:
    """Dead tokens are kept a month to be looked at, then go."""
    person.tokens.filter(expires__lt=timezone.now() - timedelta(days=30)).delete()
    person.tokens.filter(revoked__lt=timezone.now() - timedelta(days=30)).delete()


def fault(pointer: str, code: str, detail: str) -> dict[str, str]:
    return {"pointer": pointer, "code": code, "detail": detail}


# --- the demonstration ---

DEMO = {"olga": Role.ORGANISER, "ada": Role.PLAYER, "ben": Role.PLAYER, "judy": Role.JUDGE}


def make_demo_people() -> list[tuple[str, str, str]]:
    """(role, name, token) of the people `manage.py up` starts with; nothing if they are there already. They have no
    password: whoever started the service holds their tokens."""
    if User.objects.filter(name__in=DEMO).exists():
        return []
    made = []
    with transaction.atomic():
        for name, role in DEMO.items():
            person = User(name=name, role=role)
            person.set_unusable_password()
            person.save(force_insert=True)
            minted = _mint(person, "demonstration", person.may, LONGEST)
            made.append((str(role), name, minted.secret))
    return made
