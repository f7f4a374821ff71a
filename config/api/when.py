"""Times as clients see them: RFC 3339, UTC, milliseconds."""

from datetime import UTC, datetime
from typing import Annotated

import msgspec

Time = Annotated[str, msgspec.Meta(extra_json_schema={"format": "date-time"})]


def shown(moment: datetime | None) -> str | None:
    if moment is None:
        return None
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
