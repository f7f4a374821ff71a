from tests.http import api, person  # noqa: F401
