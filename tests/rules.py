"""`@rule("theos", "TH-6.3", "TS-18")` says which numbered sentences a test shows.

As a pytest plugin it notes after every whole run which of them are shown by passing tests (`manage.py rules`).
A number counts when a passing test cites it and no failing one does. `--rules theos` runs only that
rulebook's citing tests.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from games import catalogue


def rule(game: str, *numbers: str) -> pytest.MarkDecorator:
    """Cite the sentences of docs/rules/<game>.md that this test shows. A number that is not there fails the run."""
    return pytest.mark.rule(game, *numbers)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rules", metavar="RULEBOOK", help="only the tests that cite this rulebook's catalogue; all: any")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "rule(game, *numbers): the sentences of a rules catalogue this test shows")
    config.pluginmanager.register(Citations(config), "citations")


class Citations:
    def __init__(self, config: pytest.Config) -> None:
        self.only = config.getoption("--rules")
        options = config.option
        # A run narrowed by path, -k or --lf shows too little to be kept.
        self.whole = config.args == config.getini("testpaths") and not (
            options.keyword or options.markexpr or getattr(options, "lf", False) or options.collectonly
        )
        self.whole = self.whole and not hasattr(config, "workerinput")  # with -n the controller sees all reports
        self.shown: set[tuple[str, str]] = set()
        self.broken: set[tuple[str, str]] = set()

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """With --rules only the files that cite are read."""
        if not self.only or not collection_path.match("test_*.py"):
            return None
        return True if not catalogue.cites(collection_path, self.only) else None

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        known = {
            game: {number for numbers in catalogue.numbered(game).values() for number in numbers}
            for game in catalogue.catalogues()
        }
        for item in items:
            cited = [(mark.args[0], number) for mark in item.iter_markers("rule") for number in mark.args[1:]]
            if strangers := [f"{game} {number}" for game, number in cited if number not in known.get(game, ())]:
                raise pytest.UsageError(f"{item.nodeid} cites what no catalogue defines: {', '.join(strangers)}")
            item.user_properties += [("rule", list(one)) for one in cited]
        if self.only:
            wanted = set(known) if self.only == "all" else {self.only}
            kept = [item for item in items if any(cited[0] in wanted for _, cited in item.user_properties)]
            config.hook.pytest_deselected(items=[item for item in items if item not in kept])
            items[:] = kept

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        cited = {(value[0], value[1]) for name, value in report.user_properties if name == "rule"}
        if report.failed:
            self.broken |= cited
        elif report.when == "call" and report.passed:
            self.shown |= cited

    def pytest_sessionfinish(self) -> None:
        if not self.whole:
            return
        games = catalogue.catalogues() if self.only in (None, "all") else [self.only]
        shown = self.shown - self.broken
        catalogue.write_record({game: sorted(number for g, number in shown if g == game) for game in games})
