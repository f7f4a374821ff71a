"""`python3 manage.py check_drafts [--drafts 1000] [NAME …]`: random drafts of every format to their end, all checked.

After every event: every card is accounted for (the rulebook's invariants), folding the effects gives the table, no
viewer sees a card that it may not know, and the action, decided again, has the same effects.
"""

import json
import time
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.kernel import Rulebook, Setup, bit, clone, decide, faces, fold, names, new_table, rulebook, view
from games.kernel.playout import Random, begin, broken, random_move
from games.kernel.table import Table


class Command(BaseCommand):
    help = "Play random drafts of every format to their end and check everything that must hold."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("names", nargs="*", help="set-ups by name, such as `Winston`; left out: all")
        parser.add_argument("--drafts", type=int, default=1000)
        parser.add_argument("--first", type=int, default=0, help="the number of the first one: for slices")

    def handle(self, *, names: list[str], drafts: int, first: int, **_: Any) -> None:
        wrong = 0
        for book, setup in cases():
            label = f"{book.name}, {setup.seats} seats{f', {setup.name}' if setup.name else ''}"
            if names and setup.name not in names:
                continue
            began, decisions, faults = time.monotonic(), 0, []
            for seed in range(first, first + drafts):
                found = check(book, setup, seed)
                decisions += found[0]
                faults += [f"seed {seed}: {fault}" for fault in found[1]]
            wrong += bool(faults)
            took = time.monotonic() - began
            self.stdout.write(f"{label:40} {drafts} drafts  {decisions} picks  {len(faults)} faults  {took:.0f} s")
            for fault in faults[:5]:
                self.stdout.write(f"    {fault}")
            self.stdout.flush()
        if wrong:
            raise CommandError(f"{wrong} formats have faults.")


def cases() -> Iterator[tuple[Rulebook, Setup]]:
    for name in names("draft"):
        for setup in rulebook(name).sample_setups():
            yield rulebook(name), setup


def check(book: Rulebook, setup: Setup, seed: int) -> tuple[int, list[str]]:
    rng = Random(f"{book.id}/{setup.name}/{seed}")
    key = rng.randbytes(32)
    decided, before = begin(book, setup, key), new_table()
    folded, count = new_table(), 0
    while True:
        folded = fold(folded, decided.effects)
        faults = broken(book, decided.table)
        if folded != decided.table:
            faults.append("folding the effects does not give the table")
        again = decide(before, json.loads(json.dumps(decided.action)), key)
        if again.effects != decided.effects:
            faults.append("the action, decided again, has other effects")
        faults += leaks(decided.table)
        if faults:
            return count, [f"after {count} picks: {fault}" for fault in faults]
        if decided.table.outcome is not None:
            return count, []
        before, count = decided.table, count + 1
        folded = clone(folded)
        decided = random_move(decided.table, rng, key)


def leaks(table: Table) -> list[str]:
    """Keys in a view of cards whose faces that viewer may not see."""
    found = []
    for viewer in (None, *range(len(table.seats))):
        for zone in view(table, viewer)["zones"].values():
            for card in zone.get("cards", []):
                if card and "key" in card and not faces(table, table.cards[card["id"]]) & bit(viewer):
                    found.append(f"viewer {viewer} sees {card['key']} in secret")
    return found
