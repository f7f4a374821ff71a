"""Deck lists: check one, keep it, change it, share it."""

from datetime import date
from typing import Annotated, Any, Literal

import msgspec
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.response import Response

from config.api.commands import CommandBody, command
from config.api.loading import Body, Query, exactly
from config.api.paging import PageQuery, Seq, page, page_of
from config.api.schema import parameters
from config.api.views import ApiView, Created
from config.api.when import Time, shown
from decks import checking, lists, services
from decks.api.base import Cards, Code, Content, FormatId, ListIn, Rulebook, Text, ViolationOut, content_of
from decks.formats import ALL, Format, formats_of
from decks.models import Deck, DeckVersion

Name = Annotated[str, Meta(pattern=exactly(r"[^\x00-\x1f\x7f]{1,80}"), description="1 to 80 characters, any script.")]


class FormatOut(msgspec.Struct):
    id: str
    rulebook: str
    title: str
    sections: list[str]
    limits: Annotated[list[dict[str, Any]], Meta(description="Each with the rule that says so.")]
    options: Annotated[dict[str, Any], Meta(description="That a game with such decks is made with.")]
    needs_pool: bool
    rules: str

    @classmethod
    def of(cls, one: Format) -> "FormatOut":
        return cls(**{name: getattr(one, name) for name in cls.__struct_fields__})


class FormatList(msgspec.Struct):
    data: list[FormatOut]


class FormatsQuery(Query):
    rulebook: Rulebook | None = None


class CheckIn(ListIn):
    pool: Annotated[Cards | None, Meta(description="What was opened or drafted, for formats that need it.")] = None
    on: Annotated[date, Meta(description="The day whose restricted and banned lists hold; left out: today.")] | None = (
        None
    )


class ReadOut(msgspec.Struct):
    """A deck as it was understood, in every form, and what is wrong with it."""

    legal: bool
    violations: list[ViolationOut]
    deck: dict[str, dict[str, int]]
    text: str
    code: str


class DeckIn(CommandBody):
    name: Name
    format: FormatId
    deck: Content | None = None
    text: Text | None = None
    code: Code | None = None


class EditIn(Body):
    name: Name | None = None
    deck: Content | None = None
    text: Text | None = None
    code: Code | None = None
    expected_seq: Annotated[Seq | None, Meta(description="The version you changed; or as `If-Match`.")] = None
    command_id: Annotated[str, Meta(max_length=64)] | None = None


class DeckLineOut(msgspec.Struct):
    id: str
    name: str
    format: str
    version: int
    created: Time

    @classmethod
    def of(cls, row: Deck) -> "DeckLineOut":
        return cls(row.id, row.name, row.format, row.version, shown(row.created))


class DeckOut(msgspec.Struct):
    id: str
    name: str
    format: str
    version: int
    deck: dict[str, dict[str, int]]
    legal: bool
    violations: list[ViolationOut]
    at: Time

    @classmethod
    def of(cls, deck: Deck, row: DeckVersion) -> "DeckOut":
        wrong = [ViolationOut.of(one) for one in services.check(deck.format, row.content)]
        return cls(deck.id, row.name, deck.format, row.version, row.content, not wrong, wrong, shown(row.at))


class VersionQuery(Query):
    version: Annotated[int, Meta(ge=1, le=2**31 - 1, description="Left out: the newest.")] | None = None


class ExportQuery(VersionQuery):
    form: Annotated[Literal["text", "json", "code"], Meta()] = msgspec.field(default="text", name="as")


class ExportOut(msgspec.Struct):
    text: str | None = None
    code: str | None = None
    deck: dict[str, dict[str, int]] | None = None


class FormatsView(ApiView):
    required_scopes = ["games:read"]

    @extend_schema(parameters=parameters(FormatsQuery), responses=FormatList, operation_id="list_formats")
    def get(self, request: Any) -> Response:
        """What decks there can be, and every limit with its rule."""
        wanted = FormatsQuery.load(request).rulebook
        return Response(FormatList([FormatOut.of(one) for one in (formats_of(wanted) if wanted else ALL)]))


class CheckView(ApiView):
    required_scopes = {"POST": ["games:read"]}
    budget = "reads"

    @extend_schema(request=CheckIn, responses={200: ReadOut, 422: None}, operation_id="check_deck")
    def post(self, request: Any) -> Response:
        """Everything that is wrong with a deck, at once. Also turns text, cards and codes into each other."""
        body = CheckIn.load(request)
        content, format_ = body.content(), services.known_format(body.format)
        wrong = services.check(body.format, content, body.pool, body.on)
        known = not any(one.code in ("unknown_card", "unknown_section") for one in wrong)
        text, code = (lists.written(format_, content), lists.code_of(format_, content)) if known else ("", "")
        return Response(ReadOut(not wrong, [ViolationOut.of(one) for one in wrong], content, text, code))


class DecksView(ApiView):
    required_scopes = {"GET": ["games:read"], "POST": ["decks:write"]}

    @extend_schema(parameters=parameters(PageQuery), responses=page_of(DeckLineOut), operation_id="list_decks")
    def get(self, request: Any) -> Response:
        """Your decks."""
        query = PageQuery.load(request)
        return Response(page(request, Deck.objects.filter(owner=request.user), query, DeckLineOut.of))

    @extend_schema(request=DeckIn, responses={201: DeckOut}, operation_id="create_deck")
    def post(self, request: Any) -> Response:
        """Keep a deck. It need not be legal yet; `violations` says what is missing."""
        body = DeckIn.load(request)
        format_ = services.known_format(body.format)
        content = content_of(format_, body.deck, body.text, body.code)
        storable(format_, content)
        deck = services.create(request.user, body.name, body.format, content, command(request, body).id)
        return Created(DeckOut.of(deck, services.version_of(deck, 1)), f"/api/v1/decks/{deck.id}")


def storable(format_: Format, content: dict[str, dict[str, int]]) -> None:
    """Unfinished is fine, unknown is not."""
    wrong = checking.check(format_, content)
    services.refuse([one for one in wrong if one.code in ("unknown_card", "unknown_section")])


class DeckView(ApiView):
    required_scopes = {"GET": ["games:read"], "PUT": ["decks:write"], "DELETE": ["decks:write"]}

    @extend_schema(parameters=parameters(VersionQuery), responses=DeckOut, operation_id="get_deck")
    def get(self, request: Any, deck: str) -> Response:
        """One of your decks, at any of its versions. ETag is the version."""
        query = VersionQuery.load(request)
        row = services.own(request.user, deck)
        found = services.version_of(row, query.version)
        return Response(DeckOut.of(row, found), headers={"ETag": f'"{found.version}"'})

    @extend_schema(request=EditIn, responses={200: DeckOut, 409: None, 428: None}, operation_id="edit_deck")
    def put(self, request: Any, deck: str) -> Response:
        """The next version. The earlier ones stay."""
        body = EditIn.load(request)
        row = services.own(request.user, deck)
        format_ = services.known_format(row.format)
        given = body.deck is not None or body.text is not None or body.code is not None
        content = content_of(format_, body.deck, body.text, body.code) if given else None
        if content is not None:
            storable(format_, content)
        wanted = command(request, CommandBody(command_id=body.command_id or "edit", expected_seq=body.expected_seq))
        row = services.edit(request.user, deck, body.name, content, wanted.expected_seq)
        return Response(DeckOut.of(row, services.version_of(row)), headers={"ETag": f'"{row.version}"'})

    @extend_schema(responses={204: None}, operation_id="delete_deck")
    def delete(self, request: Any, deck: str) -> Response:
        """Away with it, all versions. What was handed in for events stays."""
        services.own(request.user, deck).delete()
        return Response(status=204)


class ExportView(ApiView):
    required_scopes = ["games:read"]

    @extend_schema(parameters=parameters(ExportQuery), responses=ExportOut, operation_id="export_deck")
    def get(self, request: Any, deck: str) -> Response:
        """As text, as JSON, or as a short code that anybody can import."""
        query = ExportQuery.load(request)
        row = services.own(request.user, deck)
        content, format_ = services.version_of(row, query.version).content, services.known_format(row.format)
        match query.form:
            case "text":
                return Response(ExportOut(text=lists.written(format_, content)))
            case "code":
                return Response(ExportOut(code=lists.code_of(format_, content)))
        return Response(ExportOut(deck=content))
