"""Lists come in pages: `{data, has_more, next}`. A page continues after the last key it showed, whatever was added or
removed meanwhile; so there is no depth limit and nothing is skipped or shown twice."""

from collections.abc import Callable
from functools import cache
from typing import Annotated, Any
from urllib.parse import urlencode

import msgspec
from django.db.models import QuerySet

from config.api.loading import Query, exactly

MOST = 200
Limit = Annotated[int, msgspec.Meta(ge=1, le=MOST, description=f"How many, {MOST} at most.")]
Key = Annotated[str, msgspec.Meta(pattern=exactly("[A-Za-z0-9_-]{1,64}"), description="As in `next`; opaque.")]
Seq = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]


class PageQuery(Query, kw_only=True):
    """For rows whose key is an id."""

    limit: Limit = 50
    after: Key | None = None


class SeqQuery(Query, kw_only=True):
    """For rows whose key is a seq."""

    limit: Limit = 50
    after: Seq | None = None


@cache
def page_of(item: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """The type of a page, for the schema."""
    name = item.__name__.removesuffix("Out")
    next_url = Annotated[str | None, msgspec.Meta(description="Where the next page is; null on the last one.")]
    return msgspec.defstruct(f"{name}Page", [("data", list[item]), ("has_more", bool), ("next", next_url)])  # type: ignore[valid-type]


def page(
    request: Any, rows: QuerySet, query: Any, show: Callable[[Any], Any], key: str = "id", *, newest_first: bool = False
) -> dict[str, Any]:
    """One page of `rows`, ordered by `key`, which must be unique among them."""
    if query.after is not None:
        rows = rows.filter(**{f"{key}__{'lt' if newest_first else 'gt'}": query.after})
    found = list(rows.order_by(f"-{key}" if newest_first else key)[: query.limit + 1])
    has_more = len(found) > query.limit
    found = found[: query.limit]
    return {
        "data": [show(row) for row in found],
        "has_more": has_more,
        "next": next_url(request, getattr(found[-1], key)) if has_more else None,
    }


def next_url(request: Any, last: Any) -> str:
    kept = {name: value for name, value in request.GET.items() if name != "after"}
    return request.build_absolute_uri(f"{request.path}?{urlencode(kept | {'after': last})}")
