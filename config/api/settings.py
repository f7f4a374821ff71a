"""REST framework, schema and logging settings: imported whole by config.settings (owner: rest)."""

REST_FRAMEWORK: dict = {}
SPECTACULAR_SETTINGS: dict = {"OAS_VERSION": "3.1.0"}
