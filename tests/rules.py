"""`@rule("theos", "TH-6.3", "TS-18")`: which numbered rules of which game a test shows (`manage.py rules` counts them)."""

import pytest


def rule(game: str, *ids: str) -> pytest.MarkDecorator:
    """Cite game and number: some labels occur in two catalogues."""
    return pytest.mark.rule(game, *ids)
