"""What `manage.py doctor` says of games that do not go on."""

from events import commands, doctor, heads
from games import lists
from games.models import Game as Row
from games.state import clone


def about(game: str) -> list[str]:
    return [code for code, _, _ in doctor.look_at(game, False)]


def test_a_game_that_waits_for_nobody_is_stuck(table):
    game = table()
    assert about(game.game) == []
    head = heads.current(game.game)
    state = clone(head.state)
    state.table.open.clear()  # as a fault in the rules would
    heads.heads.put(heads.Head(head.key, head.seq, head.at, head.hash, state))
    try:
        assert about(game.game) == ["stuck"]
    finally:
        heads.heads.forget(game.game)
    game[0].say("concede")
    assert about(game.game) == [], "what is over waits for nobody, rightly"


def test_bots_that_nobody_plays_are_named(table):
    game = table()
    exam = doctor.Exam("bots")
    game[0].say("hand-over", to="random")
    lists.write(game.game, "game", (head := heads.current(game.game)).seq, head.state)
    doctor.CHECKS["bots"](exam, False)
    assert game.game not in [finding.subject for finding in exam.findings], "a moment is no fault"
    Row.objects.filter(stream=game.game).update(at_ms=commands.now_ms() - 120_000)
    doctor.CHECKS["bots"](exam, False)
    assert game.game in [finding.subject for finding in exam.findings]
    Row.objects.filter(stream=game.game).update(bots_wait=False)
