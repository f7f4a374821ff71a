"""Concessions, any-time acts, standing passes, rulings and rewinds, thrown in at random moments of every game."""

import json
from random import Random

import pytest

from games.kernel import Rejected, anytime, clone, decide, fold, from_dict, new_table, to_dict, to_form, waiting
from games.kernel.play import T
from games.kernel.playout import begin, broken, random_answer, random_move

LIMIT = 20_000


def test_interrupted_games_end_too(case, games):
    book, setup = case
    for seed in games:
        for kind in (concede, use, stop, rule, rewind):
            interrupted_game(book, setup, f"{kind.__name__} {seed}", kind)


def interrupted_game(book, setup, seed, interrupt):
    """Random play; now and then `interrupt`; every event folds, keeps the invariants and leaves nobody gone asked."""
    rng = Random(f"{book.id} {seed}")
    key = rng.randbytes(32)
    event = begin(book, setup, key)
    moments, left = [event.table], 3
    folded = fold(new_table(), event.effects)
    chance = 0.02 + rng.random() * 0.1
    for _ in range(LIMIT):
        table = event.table
        if table.outcome is not None:
            return
        action = interrupt(book, table, rng, moments) if left and rng.random() < chance else None
        if action is not None:
            left -= 1
            before, event = table, decide(table, action, key)
            assert decide(before, json.loads(json.dumps(event.action)), key).effects == event.effects
            kept_answers(before, event, action)
        else:
            event = random_move(table, rng, key)
        moments.append(event.table)
        folded = fold(clone(folded), [from_dict(to_dict(effect)) for effect in event.effects])
        assert folded == event.table
        assert broken(book, event.table) == []
        for ask in event.table.open.values():
            assert not event.table.seats[ask.chooser].out, f"{ask.kind} is asked of a seat that is gone"
        assert (event.table.ids, event.table.asks, event.table.draws) >= (table.ids, table.asks, table.draws)
    raise AssertionError(f"not over after {LIMIT} decisions")


def kept_answers(before, event, action):
    """A question that is still open under its id is unchanged, and a sealed answer to it is still in."""
    for name, ask in event.table.open.items():
        if name in before.open:
            assert ask == before.open[name]
            assert before.answers.get(name) == event.table.answers.get(name)
    if action["do"] == "restore":
        assert not set(before.open) & set(event.table.open), "a rewind gives every question a new id"


def concede(book, table, rng, moments):
    """Some seat gives up, whether asked or not."""
    inside = [seat for seat, state in enumerate(table.seats) if not state.out]
    return {"do": "concede", "seat": rng.choice(inside), "reason": rng.choice(["conceded", "time"])}


def use(book, table, rng, moments):
    """An any-time act, where the game has some."""
    acts = [
        (seat, may.option)
        for seat, state in enumerate(table.seats)
        if not state.out
        for may in anytime(T(clone(table), book), seat)
    ]
    if not acts:
        return None
    seat, option = rng.choice(acts)
    action = {"do": "use", "seat": seat, "option": option}
    try:
        return decide(table, action, b"u" * 32, lambda part: random_answer(part.shape, rng)).action
    except Rejected:
        return None


def stop(book, table, rng, moments):
    """A standing pass changes nothing for anybody else."""
    setting = {"pass": rng.choice(["off", "idle", "turn", "mine"]), "stops": []}
    inside = [seat for seat, state in enumerate(table.seats) if not state.out]
    return {"do": "use", "seat": rng.choice(inside), "option": "stops", "set": setting}


def rule(book, table, rng, moments):
    """A judge notes something; every open question stays as it is."""
    return {"do": "ruling", "verbs": [{"verb": "say", "args": {"what": "ruling", "about": "nothing"}}]}


def rewind(book, table, rng, moments):
    """Back to an earlier moment, as it was or with what was hidden shuffled."""
    earlier = rng.choice(moments[-30:])
    hidden = [name for name, zone in earlier.zones.items() if zone.ids == 0 and zone.faces == 0 and zone.cards]
    action = {"do": "restore", "table": to_form(earlier)}
    return {**action, "reshuffle": hidden} if hidden and rng.random() < 0.5 else action


def test_an_answer_from_before_a_rewind_is_stale(case):
    book, setup = case
    key = b"r" * 32
    table = begin(book, setup, key).table
    after = random_move(table, Random(1), key)
    if after.table.outcome is not None:
        return
    back = decide(after.table, {"do": "restore", "table": to_form(table)}, key).table
    assert {(ask.kind, ask.seat) for ask in waiting(back)} == {(ask.kind, ask.seat) for ask in waiting(table)}
    with pytest.raises(Rejected) as refused:
        decide(back, after.action, key)
    assert refused.value.code == "stale"
