"""What must hold for every game: it ends, history gives it back, a saved table goes on, misfits are refused."""

import json
from itertools import islice
from random import Random

import pytest

from games.kernel import (
    Rejected,
    clone,
    decide,
    decode,
    default_path,
    encode,
    fold,
    from_dict,
    new_table,
    preview,
    to_dict,
    waiting,
)
from games.kernel.playout import begin, broken, random_game, random_move
from games.kernel.table import Assign, Number, Pick


def stored(effects):
    """Effects as the store gives them back: through JSON with sorted keys."""
    return [from_dict(form) for form in json.loads(json.dumps([to_dict(effect) for effect in effects], sort_keys=True))]


def test_random_play_ends_and_no_invariant_breaks(case, games):
    book, setup = case
    for seed in games:
        for event in random_game(book, setup, seed):
            assert broken(book, event.table) == []
        assert event.table.outcome is not None
        assert waiting(event.table) == []


def test_history_gives_the_table_back(case, games):
    """Fold equals state; every stored action decided again, on a saved and reloaded table, gives the stored event."""
    book, setup = case
    for seed in games:
        rng = Random(f"{book.id}/{seed}")
        key = rng.randbytes(32)
        table = folded = new_table()
        for event in random_game(book, setup, seed):
            before = encode(table)
            folded = fold(clone(folded), stored(event.effects))
            assert folded == event.table
            assert encode(folded) == encode(event.table)
            again = decide(decode(before), json.loads(json.dumps(event.action, sort_keys=True)), key)
            assert again.effects == event.effects
            assert again.action == event.action
            assert encode(table) == before, "deciding changed the table it was given"
            table = event.table


def test_exactly_one_sealed_agenda_ends_every_event(case):
    book, setup = case
    for event in random_game(book, setup, seed=0):
        forms = [to_dict(effect) for effect in event.effects]
        assert [form["e"] for form in forms].count("agenda") == 1
        assert forms[-1]["e"] == "agenda"
        assert forms[-1]["secret"] == 0
        for form in [*forms, event.action]:
            assert set(form.get("only", {})) <= set(form), "a field is sealed that is not there"
            assert "only" not in form or "secret" not in form, "seals refuse both at once"


def test_any_other_answer_is_refused_with_a_reason(case):
    book, setup = case
    events = list(random_game(book, setup, seed=1))
    rng = Random(7)
    for event in rng.sample(events[:-1], min(25, len(events) - 1)):
        table, before = event.table, encode(event.table)
        for ask in waiting(table):
            action = {"do": "answer", "seat": ask.chooser, "decision": ask.id}
            for value, code in misfitting(ask.shape):
                with pytest.raises(Rejected) as refused:
                    decide(table, {**action, "path": [value]}, b"k" * 32)
                assert refused.value.code == "illegal"
                assert code in {error["code"] for error in refused.value.errors}, (value, refused.value.errors)
                assert all(error["pointer"].startswith("/path/0") for error in refused.value.errors)
                assert all(error["detail"] for error in refused.value.errors)
                if ask.rule:
                    assert all(error["rule"] == ask.rule for error in refused.value.errors)
            good = default_path(table, ask.id)
            stranger = next((seat for seat in range(len(table.seats)) if seat != ask.chooser), None)
            if stranger is not None and not table.seats[stranger].out:
                assert refusal(table, {**action, "seat": stranger, "path": good}) == "not_yours"
            assert refusal(table, {**action, "decision": "d999999", "path": good}) == "stale"
            assert refusal(table, {**action, "path": [*good, ["one too many"]]}) == "illegal"
            assert refusal(table, {**action, "path": []}) == "incomplete"
            assert refusal(table, {**action, "path": "nonsense"}) == "illegal"
        assert encode(table) == before
    over = events[-1].table
    for do in ("answer", "use", "concede"):
        assert refusal(over, {"do": do, "seat": 0, "decision": "d0", "path": [], "option": "x"}) == "over"


def refusal(table, action):
    with pytest.raises(Rejected) as refused:
        decide(table, action, b"k" * 32)
    return refused.value.code


def misfitting(shape):
    """Answers that do not fit, each with the code it must be refused with."""
    yield None, "wrong_shape"
    yield 1.5, "wrong_shape"
    if isinstance(shape, Pick):
        yield 3, "wrong_shape"
        yield [["c1"]], "wrong_shape"
        yield ["no such thing"] * max(1, shape.lo), "unknown_option"
        if shape.options and shape.hi > 1:
            yield [shape.options[0]] * 2, "duplicate_option"
        if shape.lo > 0:
            yield shape.options[: shape.lo - 1], "too_few"
        if shape.hi < len(shape.options):
            yield shape.options[: shape.hi + 1], "too_many"
    elif isinstance(shape, Number):
        yield True, "wrong_shape"
        yield shape.lo - 1, "out_of_range"
        yield shape.hi + 1, "out_of_range"
    elif isinstance(shape, Assign):
        yield ["c1"], "wrong_shape"
        yield {"no such thing": "nowhere"}, "unknown_option"
        if shape.required:
            yield {}, "too_few"
    else:
        yield ["c1"], "wrong_shape"
        yield {"no such thing": shape.total}, "unknown_option"
        yield {}, "does_not_add_up"
        yield {shape.options[0]: shape.total + 1}, "does_not_add_up"


def test_the_default_answer_always_fits_and_previews_change_nothing(case):
    book, setup = case
    key = b"p" * 32
    for event in islice(random_game(book, setup, seed=2), 0, None, 7):
        for ask in waiting(event.table):
            before = encode(event.table)
            path = default_path(event.table, ask.id)
            action = {"do": "answer", "seat": ask.chooser, "decision": ask.id, "path": path}
            assert preview(event.table, action) is None
            if len(path) > 1:
                missing = preview(event.table, {**action, "path": path[:-1]})
                assert missing is not None
                assert refusal(event.table, {**action, "path": path[:-1]}) == "incomplete"
            decide(event.table, action, key)
            assert encode(event.table) == before


def test_clones_are_independent(case):
    """Two lines of play from one table do not touch each other or the table they came from."""
    book, setup = case
    key = b"c" * 32
    table = begin(book, setup, key).table
    for _ in range(10):
        if table.outcome is not None:
            break
        before = encode(table)
        first = random_move(table, Random(1), key).table
        kept = encode(first)
        for seed in range(3):
            other = random_move(table, Random(seed), key).table
            for _ in range(3):
                if other.outcome is None:
                    other = random_move(other, Random(seed), key).table
        assert encode(table) == before
        assert encode(first) == kept
        table = first
