"""The numbered sentences of a rules catalogue, docs/rules/<rulebook>.md, and which tests show them.

Every catalogue has the same sections: 1 Rules, 4 Rulings, 6 Scenarios. A sentence is defined where its number
opens a list item, a table row or a paragraph of its section; everywhere else the number is only cited.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "docs" / "rules"
RECORD = ROOT / ".pytest_cache" / "rules.json"

SECTIONS = {"1": "rules", "4": "rulings", "6": "scenarios"}
HEADING = re.compile(r"#{1,2} (\d+)\. ")
DEFINED = re.compile(r"(?:[-*] |\| *)?\**([A-Z]{2,3}-[A-Z]?\d+(?:\.\d+)*[a-z]?)\b")


def catalogues() -> list[str]:
    return sorted(path.stem for path in RULES.glob("*.md"))


def numbered(rulebook: str) -> dict[str, list[str]]:
    """The numbers a catalogue defines: {"rules": […], "rulings": […], "scenarios": […]}, in its order."""
    found: dict[str, list[str]] = {name: [] for name in SECTIONS.values()}
    section = None
    for line in (RULES / f"{rulebook}.md").read_text().splitlines():
        if heading := HEADING.match(line):
            section = SECTIONS.get(heading[1])
        elif section and (defined := DEFINED.match(line)) and defined[1] not in found[section]:
            found[section].append(defined[1])
    return found


def coverage(rulebook: str, cited: set[str]) -> dict[str, object]:
    """How much of a catalogue these citations cover."""
    report: dict[str, object] = {"rulebook": rulebook}
    for section, numbers in numbered(rulebook).items():
        missing = [number for number in numbers if number not in cited]
        report[section] = {"total": len(numbers), "cited": len(numbers) - len(missing), "missing": missing}
    return report


def fingerprint(rulebook: str) -> str:
    """What the record of a test run depends on: the rules in words, in code and in tests."""
    digest = hashlib.sha256()
    for path in sorted(sources(rulebook)):
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def sources(rulebook: str) -> Iterator[Path]:
    yield RULES / f"{rulebook}.md"
    for folder in (ROOT / "games" / "kernel", ROOT / "games" / "rulebooks" / rulebook, ROOT / "tests" / rulebook):
        yield from folder.rglob("*.py")
        yield from folder.rglob("*.json")
    for test in ROOT.glob("tests/*/test_*.py"):
        if test.parent.name != rulebook and cites(test, rulebook):
            yield test


def cites(test: Path, rulebook: str) -> bool:
    """Does this file cite the catalogue (any catalogue: "all")?"""
    return ('rule("' if rulebook == "all" else f'rule("{rulebook}"') in test.read_text()


def read_record(rulebook: str, *, whatever_sources: bool = False) -> set[str] | None:
    """The numbers cited by passing tests in the last whole run; None when that run is not of today's sources."""
    try:
        record = json.loads(RECORD.read_text())[rulebook]
    except (OSError, ValueError, KeyError):
        return None
    return set(record["cited"]) if whatever_sources or record["fingerprint"] == fingerprint(rulebook) else None


def write_record(cited: dict[str, list[str]]) -> None:
    """Keep what a whole run showed, for every rulebook in it."""
    try:
        record = json.loads(RECORD.read_text())
    except (OSError, ValueError):
        record = {}
    for rulebook, numbers in cited.items():
        record[rulebook] = {"fingerprint": fingerprint(rulebook), "cited": numbers}
    RECORD.parent.mkdir(exist_ok=True)
    RECORD.write_text(json.dumps(record, indent=1, sort_keys=True))
