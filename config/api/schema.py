"""OpenAPI 3.1 out of the code: msgspec types describe bodies, answers and query strings; every endpoint has its
problems."""

from typing import Any

import msgspec
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentIdentity, ResolvedComponent
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse

from config.api.problems import CONTENT_TYPE, KINDS, ProblemOut


class StructSchema(OpenApiSerializerExtension):
    """Lets `@extend_schema(request=TokenIn, responses=TokenOut)` take msgspec types."""

    target_class = "msgspec.Struct"
    match_subclasses = True

    def get_name(self, auto_schema: Any, direction: Any) -> str:
        return self.target.__name__

    def get_identity(self, auto_schema: Any, direction: Any) -> ComponentIdentity:
        return ComponentIdentity(described(self.target)[self.target.__name__])

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        components = described(self.target)
        own = components.pop(self.target.__name__)
        for name, schema in components.items():
            auto_schema.registry.register_on_missing(
                ResolvedComponent(name, ResolvedComponent.SCHEMA, schema, ComponentIdentity(schema))
            )
        return own


def described(struct: type[msgspec.Struct]) -> dict[str, Any]:
    """JSON Schema of a type and of all types in it. Two of one name must be equal: the generator warns if not."""
    return msgspec.json.schema_components([struct], ref_template="#/components/schemas/{name}")[1]


class Schema(AutoSchema):
    """Bodies are JSON; every declared status from 400 up is a problem document, and so are those any request meets."""

    def map_parsers(self) -> list[str]:
        return ["application/json"]

    def get_auth(self) -> list[dict[str, list[str]]]:
        return [] if self.view.public else super().get_auth()

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        bodies = super()._get_response_bodies(direction)
        declared = {status for status in map(int, bodies) if status >= 400}
        for status in sorted(declared | self.common_problems()):
            bodies[str(status)] = self._get_response_for_code(problem(status), str(status), [CONTENT_TYPE], direction)
        return bodies

    def common_problems(self) -> set[int]:
        found = {400, 404, 405, 406, 429, 500, 503}
        if not self.view.public:
            found |= {401, 403}
        if self.method in ("POST", "PUT", "PATCH"):
            found |= {413, 415, 422}
        return found


def problem(status: int) -> OpenApiResponse:
    codes = sorted(code for code, kind in KINDS.items() if kind.status == status)
    return OpenApiResponse(ProblemOut, description=", ".join(codes))


def parameters(query: type[msgspec.Struct]) -> list[OpenApiParameter]:
    """The query string's type as OpenAPI parameters."""
    own = described(query)[query.__name__]
    given = {name: schema.get("anyOf", [schema])[0] for name, schema in own["properties"].items()}  # no null in a URL
    required = own.get("required", [])
    return [
        OpenApiParameter(name, schema, required=name in required, description=schema.pop("description", ""))
        for name, schema in given.items()
    ]
