"""`Authorization: Bearer arb_…`: one indexed query, so that a revocation holds from the next request on."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed

from accounts.models import AccessToken, User
from accounts.services import identify
from config.api.problems import Problem


class BearerToken(BaseAuthentication):
    """`request.user` is the person, `request.auth` the token; both None without a header."""

    def authenticate(self, request: Any) -> tuple[User, AccessToken] | None:
        header = request._request.META.get("HTTP_AUTHORIZATION")
        if not header:
            return None
        token = bearer(header)
        return token.owner, token

    def authenticate_header(self, request: Any) -> str:
        return 'Bearer realm="arbiter"'


def bearer(header: str) -> AccessToken:
    """The token of an Authorization header, for views that are not REST framework's as well."""
    scheme, _, text = header.partition(" ")
    if scheme.lower() != "bearer":
        raise AuthenticationFailed("Only `Authorization: Bearer arb_…` is understood.")
    token = identify(text.strip())
    if token is None:
        raise AuthenticationFailed("This token is unknown, expired or revoked.")
    return token


def require(token: AccessToken, needed: list[str]) -> None:
    """The scopes, or a 403 that names them."""
    if missing := [scope for scope in needed if scope not in token.allows]:
        raise Problem(
            "missing_scope",
            f"This token lacks {' and '.join(missing)}.",
            headers={"WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{" ".join(needed)}"'},
            required_scopes=needed,
        )


class BearerTokenSchema(OpenApiAuthenticationExtension):
    target_class = BearerToken
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "bearerFormat": "arb_…", "description": "A personal access token."}

    def get_security_requirement(self, auto_schema: Any) -> dict[str, list[str]]:
        return {self.name: auto_schema.view.scopes_for(auto_schema.method)}
