"""REST framework, schema, logging and budgets: imported whole by config.settings."""

from config.api.logs import logging_settings
from config.environment import Environment

_env = Environment()

REST_FRAMEWORK = {  # the rest of the frame is config.api.views.ApiView, the only base of our endpoints
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "config.api.errors.exception_handler",
    "UNAUTHENTICATED_USER": None,
    "UNAUTHENTICATED_TOKEN": None,
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "OAS_VERSION": "3.1.0",
    "TITLE": "Arbiter",
    "VERSION": "1",
    "DESCRIPTION": "The referee behind card games. Conventions: docs/api.md.",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_PATCH": False,
    "POSTPROCESSING_HOOKS": [],
    "SERVE_INCLUDE_SCHEMA": False,
    "PATH_CONVERTER_OVERRIDES": {"id": {"type": "string", "pattern": "^[a-z]{3}_[0-9A-Za-z]{1,60}$"}},
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}

DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024
API_BUDGETS = {  # requests / seconds
    "reads": _env.text("BUDGET_READS", "2400/60"),
    "commands": _env.text("BUDGET_COMMANDS", "1200/60"),
    "checks": _env.text("BUDGET_CHECKS", "120/60"),  # whole games at once: verify, export
    "failures": _env.text("BUDGET_FAILURES", "60/60"),  # requests with a token that opens nothing, per address
    "registrations": _env.text("BUDGET_REGISTRATIONS", "20/3600"),  # per address
    "log_ins": _env.text("BUDGET_LOG_INS", "10/300"),  # per address and name
    "log_ins_from_address": _env.text("BUDGET_LOG_INS_FROM_ADDRESS", "60/300"),
    "log_ins_to_name": _env.text("BUDGET_LOG_INS_TO_NAME", "100/3600"),  # from anywhere: slow guessing by many
}
TRUSTED_PROXIES = _env.number("TRUSTED_PROXIES", 0)
REDIS_URL = "" if _env.embedded else _env.text("REDIS_URL")
STREAMS = _env.number("STREAMS", 1000)  # that stay open at once in one process
STREAMS_EACH = _env.number("STREAMS_EACH", 20)  # of one person
METRICS_TOKEN = _env.text("METRICS_TOKEN")
OPEN_REGISTRATION = _env.flag("OPEN_REGISTRATION", default=True)

LOGGING = logging_settings(_env.text("LOG_LEVEL", "WARNING" if _env.embedded else "INFO"))

PASSWORD_HASHERS = [  # the first one hashes, the others are still read
    "django.contrib.auth.hashers.ScryptPasswordHasher",  # costs a guesser memory, not only time
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ["name", "email"]},
    },
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
