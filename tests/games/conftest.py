from tests.games.play import clock, table  # noqa: F401
from tests.http import api, person  # noqa: F401
