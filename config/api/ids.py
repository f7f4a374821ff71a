"""Ids in paths: a path that holds anything else is not found, before any database hears of it."""

from typing import Any

from django.urls import register_converter


class IdConverter:
    """`<id:token>`: a prefix, an underscore, and characters no database minds."""

    regex = "[a-z]{3}_[0-9A-Za-z]{1,60}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: Any) -> str:
        return str(value)


register_converter(IdConverter, "id")
