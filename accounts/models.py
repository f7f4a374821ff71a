"""People and the tokens that speak for them. Nothing is known about a person beyond what signing in needs."""

import secrets
import time

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models.functions import Lower

from accounts.scopes import ROLE_SCOPES, Role

CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz"  # base 32 without i, l, o, u: read aloud without mistakes


def new_id(prefix: str) -> str:
    """An opaque id that sorts by the time it was made (48 bits of milliseconds, 80 random ones), as in ULIDs."""
    number = time.time_ns() // 1_000_000 << 80 | secrets.randbits(80)
    return f"{prefix}_" + "".join(CROCKFORD[number >> shift & 31] for shift in range(125, -1, -5))


def new_person_id() -> str:
    return new_id("per")


def new_token_id() -> str:
    return new_id("tok")


class People(BaseUserManager["User"]):
    def named(self, name: str) -> models.QuerySet["User"]:
        """Names differ by more than upper and lower case."""
        return self.alias(lower=Lower("name")).filter(lower=name.lower())

    def get_by_natural_key(self, name: str) -> "User":
        return self.named(name).get()


class User(AbstractBaseUser):
    """A person: a name others see, a password, and an address only if the person gave one."""

    id = models.CharField(primary_key=True, max_length=40, default=new_person_id, editable=False)
    name = models.CharField(max_length=30, unique=True)
    email = models.EmailField(blank=True)
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.PLAYER)
    is_active = models.BooleanField(default=True)
    created = models.DateTimeField(auto_now_add=True)
    last_login = None  # a token's `last_used` says it, and dies with the token

    objects = People()
    USERNAME_FIELD = "name"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS = []

    class Meta:
        constraints = [
            models.UniqueConstraint(Lower("name"), name="accounts_one_name_one_person"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="accounts_known_role"),
        ]

    @property
    def may(self) -> frozenset[str]:
        """The scopes this person's role can put on a token."""
        return ROLE_SCOPES[Role(self.role)]


class AccessToken(models.Model):
    """A personal access token. The token itself is shown once; the row holds only its SHA-256."""

    id = models.CharField(primary_key=True, max_length=40, default=new_token_id, editable=False)
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    label = models.CharField(max_length=80)
    digest = models.BinaryField(max_length=32, unique=True, editable=False)
    scopes = models.JSONField(default=list)
    created = models.DateTimeField()
    expires = models.DateTimeField()
    last_used = models.DateTimeField(null=True)
    revoked = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["owner", "id"], name="accounts_tokens_of_owner")]

    @property
    def allows(self) -> frozenset[str]:
        """What it may do now: a role taken away takes its scopes away from every token at once."""
        return self.owner.may.intersection(self.scopes)
