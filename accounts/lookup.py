"""The one query every request makes. Through the ORM it costs three times what the rest of the frame costs, through
Django's cursor still twice what the driver needs: so its SQL is made once and goes straight to the driver. Rows still
become models through the fields' own converters; what a request never looks at (the password's hash among it) is not
read, and would be fetched when asked for, as any deferred field."""

from functools import cache
from typing import Any

from django.db import connection

from accounts.models import AccessToken, User

TOKEN = [AccessToken._meta.get_field(name) for name in ("id", "owner", "scopes", "expires", "last_used", "revoked")]
OWNER = [User._meta.get_field(name) for name in ("id", "name", "role", "is_active")]
TOKEN_NAMES, OWNER_NAMES = [field.attname for field in TOKEN], [field.attname for field in OWNER]


@cache
def statement(vendor: str) -> tuple[str, list[tuple[int, Any, Any]]]:
    """The SQL, and which columns need what to turn their value into Python's on this database."""
    quote = connection.ops.quote_name
    columns = [field.get_col(field.model._meta.db_table) for field in (*TOKEN, *OWNER)]
    tokens, owners = quote(AccessToken._meta.db_table), quote(User._meta.db_table)
    names = ", ".join(f"{quote(column.alias)}.{quote(column.target.column)}" for column in columns)
    value = "%s" if vendor == "postgresql" else "?"
    sql = f"SELECT {names} FROM {tokens} JOIN {owners} ON {owners}.id = {tokens}.owner_id"
    return f"{sql} WHERE {tokens}.digest = {value}", [
        (i, convert, column)
        for i, column in enumerate(columns)
        for convert in connection.ops.get_db_converters(column) + column.get_db_converters(connection)
    ]


def by_digest(digest: bytes) -> AccessToken | None:
    sql, converters = statement(connection.vendor)
    connection.close_if_health_check_failed()  # as Django's cursor does: a database that came back is no error
    connection.ensure_connection()
    with connection.wrap_database_errors:
        row = connection.connection.execute(sql, (digest,)).fetchone()
    if row is None:
        return None
    values = list(row)
    for i, convert, column in converters:
        values[i] = convert(values[i], column, connection)
    token = AccessToken.from_db(connection.alias, TOKEN_NAMES, values[: len(TOKEN)])
    token.owner = User.from_db(connection.alias, OWNER_NAMES, values[len(TOKEN) :])
    return token
