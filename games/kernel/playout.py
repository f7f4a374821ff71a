"""Random games to their end, and what must hold in them: for playouts, benches, conformance. Nothing is timed here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

from .decide import Decided, decide, new_table, waiting
from .errors import Stuck
from .questions import Ask
from .rulebook import Rulebook, Setup
from .table import Asked, Assign, Number, Pick, Shape, Split, Table

LIMIT = 50_000
"""Decisions after which a game counts as stuck."""


def random_answer(shape: Shape, rng: Random) -> Any:
    """A random answer that fits."""
    if isinstance(shape, Pick):
        count = shape.lo if shape.lo == shape.hi else rng.randint(shape.lo, shape.hi)
        if count == 1:
            return [shape.options[int(rng.random() * len(shape.options))]]
        chosen = rng.sample(shape.options, count)
        return chosen if shape.ordered else sorted(chosen, key=shape.options.index)
    if isinstance(shape, Number):
        return rng.randint(shape.lo, shape.hi)
    return _random_split(shape, rng) if isinstance(shape, Split) else _random_assignment(shape, rng)


def _random_split(shape: Split, rng: Random) -> dict[str, int]:
    shares = {option: shape.floors.get(option, 0) for option in shape.options}
    for _ in range(shape.total - sum(shares.values())):
        open_to = [option for option in shares if shares[option] < shape.caps.get(option, shape.total)]
        shares[rng.choice(open_to)] += 1
    return {option: share for option, share in shares.items() if share}


def _random_assignment(shape: Assign, rng: Random) -> dict[str, str]:
    """Required things first; where the caps make a random start fail, start over."""
    while True:
        load: Counter[str] = Counter()
        placed: dict[str, str] = {}
        things = list(shape.things)
        rng.shuffle(things)
        for thing in sorted(things, key=lambda one: one not in shape.required):
            bins = [place for place in shape.things[thing] if load[place] < shape.caps.get(place, len(things))]
            if bins and (thing in shape.required or rng.random() < 0.5):
                placed[thing] = rng.choice(bins)
                load[placed[thing]] += 1
        if all(thing in placed for thing in shape.required):
            return placed


def random_part(rng: Random, part: Ask) -> Any:
    return random_answer(part.shape, rng)


def passes(ask: Asked, seats: int, rng: Random) -> bool:
    """Where a pass is offered it is usually given: so often that everybody passing in a row is likelier than not,
    or free abilities that can be used again and again would pile up without end."""
    return ask.default is not None and rng.random() * 2 * seats >= 1


def begin(book: Rulebook, setup: Setup, key: bytes) -> Decided:
    action = {"do": "start", "rulebook": book.id, "seats": setup.seats, "options": setup.options, "decks": setup.decks}
    return decide(new_table(), {**action, "teams": setup.teams} if setup.teams else action, key)


def random_move(table: Table, rng: Random, key: bytes, ask: Asked | None = None) -> Decided:
    """Somebody who is waited for answers at random."""
    if ask is None:
        asks = waiting(table)
        ask = asks[int(rng.random() * len(asks))]

    path = [ask.default if ask.passes and passes(ask, len(table.seats), rng) else random_answer(ask.shape, rng)]
    action = {"do": "answer", "seat": ask.chooser, "decision": ask.id, "path": path}
    return decide(table, action, key, partial(random_part, rng))


def random_game(book: Rulebook, setup: Setup, seed: int, limit: int = LIMIT) -> Iterator[Decided]:
    """Every event of one random game, the start first."""
    rng = Random(f"{book.id}/{seed}")
    key = rng.randbytes(32)
    decided = begin(book, setup, key)
    yield decided
    for _ in range(limit):
        if decided.table.outcome is not None:
            return
        decided = random_move(decided.table, rng, key)
        yield decided
    raise Stuck(f"{book.id}, seed {seed}: not over after {limit} decisions; agenda {decided.table.agenda}")


def broken(book: Rulebook, table: Table) -> list[str]:
    """What must hold on every table of every game, and what the rulebook adds."""
    found = []
    listed = [card for zone in table.zones.values() for card in zone.cards]
    if len(listed) != len(set(listed)):
        found.append(f"cards in two zones: {[card for card, times in Counter(listed).items() if times > 1]}")
    if set(listed) != set(table.cards):
        found.append(f"cards in no zone or without a card: {set(listed) ^ set(table.cards)}")
    for name, zone in table.zones.items():
        found += [f"{card} lies in {name} and says {table.cards[card].zone}" for card in zone.cards
                  if card in table.cards and table.cards[card].zone != name]  # fmt: skip
    for card in table.cards.values():
        if card.on and card.id not in table.cards[card.on].held:
            found.append(f"{card.id} hangs on {card.on}, which does not hold it")
        found += [f"{card.id} holds {other}, which hangs elsewhere" for other in card.held
                  if other not in table.cards or table.cards[other].on != card.id]  # fmt: skip
    if table.outcome is None and not waiting(table):
        found.append("the game is not over and waits for nobody")
    hook = book.hooks.get("invariants")
    return found + (list(hook(table)) if hook else [])
