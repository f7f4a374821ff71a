"""People, log-ins and tokens over REST."""

from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

import msgspec
from django.conf import settings
from django.http import Http404
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.response import Response

from accounts import services
from accounts.errors import Refused
from accounts.models import AccessToken, User
from accounts.scopes import ACCOUNT, SCOPES
from config.api import problems, throttle
from config.api.loading import Body, exactly
from config.api.paging import PageQuery, page, page_of
from config.api.schema import parameters
from config.api.views import ApiView, Created
from config.api.when import Time, shown

problems.register("name_taken", 409, "That name is taken")
problems.register("registration_closed", 403, "This service takes no new people", "Ask whoever runs it for an account.")
problems.register("not_confirmed", 422, "Erasing was not confirmed")
problems.register("wrong_password", 403, "That is not your password")
problems.register("weak_password", 422, "That password is too easy to guess")
problems.register("unknown_scope", 422, "There is no such scope")
problems.register("scope_beyond_role", 403, "Your role does not carry that scope")
problems.register("too_many_tokens", 409, "Too many live tokens", "Revoke those that are not used: see `last_used`.")

Name = Annotated[str, Meta(pattern=exactly("[A-Za-z0-9][A-Za-z0-9_-]{1,29}"), description="2 to 30 of A-Z a-z 0-9 _ -")]
Password = Annotated[str, Meta(pattern=exactly(r"[^\x00]{1,200}"), description="1 to 200 characters")]
Email = Annotated[
    str, Meta(pattern=exactly(r"([^@\s\x00-\x1f]{1,64}@[^@\s\x00-\x1f]{1,180})?"), description="an address, or nothing")
]
Label = Annotated[
    str, Meta(pattern=exactly(r"[^\x00-\x1f\x7f]{1,80}"), description="1 to 80 characters: what the token is for")
]
Days = Annotated[int, Meta(ge=1, le=services.LONGEST.days)]
Scope = Literal[tuple(SCOPES)]  # type: ignore[valid-type]


class RegisterIn(Body):
    name: Name
    password: Password
    email: Email = ""


class LogInIn(Body):
    name: Annotated[str, Meta(pattern=exactly(r"[^\x00]{1,100}"))]
    password: Password
    label: Label = "log-in"


class MeIn(Body):
    email: Email


class PasswordIn(Body):
    password: Password
    new_password: Password


class EraseIn(Body):
    password: Password
    really: Annotated[str, Meta(pattern=exactly(r"[^\x00]{1,30}"), description="your own name, typed again")]


class TokenIn(Body):
    label: Label
    scopes: Annotated[list[Scope], Meta(min_length=1)]
    days: Days = 90


class PersonOut(msgspec.Struct):
    id: str
    name: str
    role: Literal["player", "organiser", "judge", "admin"]
    email: str
    created: Time
    scopes: Annotated[list[str], Meta(description="What the role may put on a token.")]

    @classmethod
    def of(cls, person: User) -> "PersonOut":
        return cls(person.pk, person.name, person.role, person.email, shown(person.created), sorted(person.may))


class TokenOut(msgspec.Struct):
    id: str
    label: str
    scopes: list[str]
    created: Time
    expires: Time
    last_used: Time | None
    revoked: Time | None

    @classmethod
    def of(cls, token: AccessToken) -> "TokenOut":
        times: list[datetime | None] = [token.created, token.expires, token.last_used, token.revoked]
        return cls(token.pk, token.label, token.scopes, *map(shown, times))


class MintedOut(TokenOut):
    token: Annotated[str, Meta(description="The token itself. It is shown this once and kept nowhere.")]

    @classmethod
    def of_minted(cls, minted: services.Minted) -> "MintedOut":
        return cls(**msgspec.structs.asdict(TokenOut.of(minted.token)), token=minted.secret)


class SignedInOut(msgspec.Struct):
    person: PersonOut
    token: MintedOut


def shown_with(person: User, minted: services.Minted) -> SignedInOut:
    return SignedInOut(PersonOut.of(person), MintedOut.of_minted(minted))


class PeopleView(ApiView):
    public = True

    @extend_schema(request=RegisterIn, responses={201: SignedInOut, 403: None, 409: None}, operation_id="register")
    def post(self, request: Any) -> Response:
        """Register, and be logged in."""
        if not settings.OPEN_REGISTRATION:
            raise Refused("registration_closed", "This service takes no new people by itself.")
        throttle.spend(request._request, "registrations", throttle.address(request))
        body = RegisterIn.load(request)
        person = services.register(body.name, body.password, body.email)
        return Created(shown_with(person, services.signed_in(person)))


class LogInView(ApiView):
    public = True

    @extend_schema(request=LogInIn, responses={201: SignedInOut, 401: None}, operation_id="log_in")
    def post(self, request: Any) -> Response:
        """Name and password for a token that may do all you may."""
        body, address = LogInIn.load(request), throttle.address(request)
        throttle.spend(request._request, "log_ins_from_address", address)
        throttle.spend(request._request, "log_ins_to_name", body.name.lower())
        throttle.spend(request._request, "log_ins", f"{address} {body.name.lower()}")
        minted = services.log_in(body.name, body.password, body.label)
        return Created(shown_with(minted.token.owner, minted))


class MeView(ApiView):
    required_scopes = {"GET": [], "PATCH": [ACCOUNT]}

    @extend_schema(responses=PersonOut, operation_id="me")
    def get(self, request: Any) -> Response:
        """Who this token speaks for."""
        return Response(PersonOut.of(request.user))

    @extend_schema(request=MeIn, responses=PersonOut, operation_id="change_me")
    def patch(self, request: Any) -> Response:
        """Change or remove the address."""
        request.user.email = MeIn.load(request).email
        request.user.save(update_fields=["email"])
        return Response(PersonOut.of(request.user))


class PasswordView(ApiView):
    required_scopes = [ACCOUNT]

    @extend_schema(request=PasswordIn, responses={204: None}, operation_id="change_password")
    def post(self, request: Any) -> Response:
        """Change the password. Every other log-in ends; minted tokens live on."""
        body = PasswordIn.load(request)
        throttle.spend(request._request, "log_ins", request.user.pk)
        services.change_password(request.user, body.password, body.new_password, keep=request.auth)
        return Response(status=204)


class EraseView(ApiView):
    required_scopes = [ACCOUNT]

    @extend_schema(request=EraseIn, responses={204: None}, operation_id="erase_me")
    def post(self, request: Any) -> Response:
        """Erase yourself: name, address, tokens, and who sat where. Histories stay, without you in them."""
        body = EraseIn.load(request)
        throttle.spend(request._request, "log_ins", request.user.pk)
        if body.really != request.user.name:
            detail = "type your own name to confirm"
            raise Refused("not_confirmed", f"/really: {detail}", [services.fault("/really", "unfit", detail)])
        services.erase(request.user, body.password)
        return Response(status=204)


class TokensView(ApiView):
    required_scopes = [ACCOUNT]

    @extend_schema(parameters=parameters(PageQuery), responses=page_of(TokenOut), operation_id="list_tokens")
    def get(self, request: Any) -> Response:
        """Your tokens, the newest first; dead ones for a month."""
        query = PageQuery.load(request)
        return Response(page(request, request.user.tokens.all(), query, TokenOut.of, newest_first=True))

    @extend_schema(request=TokenIn, responses={201: MintedOut, 409: None}, operation_id="mint_token")
    def post(self, request: Any) -> Response:
        """Mint a token for a program: only scopes your role carries, never the account itself."""
        body = TokenIn.load(request)
        minted = services.mint_token(request.user, body.label, body.scopes, timedelta(days=body.days))
        return Created(MintedOut.of_minted(minted), f"/api/v1/tokens/{minted.token.pk}")


class TokenView(ApiView):
    required_scopes = [ACCOUNT]

    @extend_schema(responses=TokenOut, operation_id="get_token")
    def get(self, request: Any, token: str) -> Response:
        return Response(TokenOut.of(own(request.user, token)))

    @extend_schema(responses={204: None}, operation_id="revoke_token")
    def delete(self, request: Any, token: str) -> Response:
        """Revoke it. From the next request on it opens nothing."""
        services.revoke(own(request.user, token))
        return Response(status=204)


class CurrentTokenView(ApiView):
    """The token of this very request: no scope is needed to look at it or to give it up."""

    required_scopes = []

    @extend_schema(responses=TokenOut, operation_id="current_token")
    def get(self, request: Any) -> Response:
        """What this token may do, and until when."""
        return Response(TokenOut.of(request.auth))

    @extend_schema(responses={204: None}, operation_id="log_out")
    def delete(self, request: Any) -> Response:
        """Log out: revoke the token of this request."""
        services.revoke(request.auth)
        return Response(status=204)


def own(person: User, token: str) -> AccessToken:
    """Somebody else's token is not found, like one that never was."""
    found = person.tokens.filter(pk=token).first()
    if found is None:
        raise Http404
    return found
