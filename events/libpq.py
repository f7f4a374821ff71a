"""One statement, prepared once per connection and carried out by libpq itself: what a driver does around each call
costs more CPU than the call. For the one statement that runs for every move; everything else is the driver's."""

from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

from psycopg import Connection, OperationalError
from psycopg.errors import InvalidSqlStatementName, error_from_result
from psycopg.pq import ConnStatus, ExecStatus, TransactionStatus
from psycopg.pq.abc import PGresult

TEXT, BINARY = 0, 1
_prepared: WeakKeyDictionary[Connection[Any], dict[str, bytes]] = WeakKeyDictionary()


def insert(connection: Connection[Any], query: str, row: Sequence[str | int | bytes]) -> int:
    """How many rows were inserted. `query` has %s for each value; it runs in a transaction of its own."""
    server = connection.pgconn
    if server.transaction_status != TransactionStatus.IDLE:
        raise OperationalError(f"the connection is not ready: {TransactionStatus(server.transaction_status).name}")
    values = [value if type(value) is bytes else str(value).encode() for value in row]
    formats = [BINARY if type(value) is bytes else TEXT for value in row]
    try:
        result = server.exec_prepared(_name(connection, query, len(values)), values, formats)
        _checked(connection, result)
    except InvalidSqlStatementName:  # the driver, or a pooler, has dropped what was prepared; nothing was carried out
        del _prepared[connection]
        result = server.exec_prepared(_name(connection, query, len(values)), values, formats)
        _checked(connection, result)
    return result.command_tuples or 0


def _name(connection: Connection[Any], query: str, values: int) -> bytes:
    known = _prepared.setdefault(connection, {})
    if query not in known:
        name = f"arbiter_{len(known)}".encode()
        numbered = query % tuple(f"${n}" for n in range(1, values + 1))
        _checked(connection, connection.pgconn.prepare(name, numbered.encode()))
        known[query] = name
    return known[query]


def _checked(connection: Connection[Any], result: PGresult) -> None:
    if connection.pgconn.status == ConnStatus.BAD:  # the server is gone, perhaps in the middle of this
        raise OperationalError(connection.pgconn.get_error_message())
    if result.status != ExecStatus.COMMAND_OK:
        raise error_from_result(result)
