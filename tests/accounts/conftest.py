from tests.http import api, log_lines, person  # noqa: F401
