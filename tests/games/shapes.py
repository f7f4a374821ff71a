"""A rulebook for tests with what High Card lacks: a number, a split, parts, a public pick, draws, any-time acts, and
questions that may be passed."""

from games.kernel import PUBLIC, Ask, May, Rulebook, T, number, pick, register, split

book = Rulebook("test-shapes", version=1, title="Shapes", seats=range(1, 4), draws=True)


@book.setup
def setup(t: T, options: dict, decks: list) -> None:
    t.zone("pile", ids=PUBLIC, faces=PUBLIC)
    if options.get("respond"):
        t.ask(respond, seat=1)
    else:
        t.ask(how_many, seat=0)


@book.question()
def respond(t: T, seat: int) -> Ask:
    """Something private that may be passed."""
    bare = bool(t.s.options.get("bare")) and seat == 0  # everybody sees that seat 0 has nothing to respond with
    return Ask(seat, pick([] if bare else ["thunder"], lo=0, hi=1), public=False, passes=True, bare=bare)


@respond.answered
def responded(t: T, seat: int, answer: list[str]) -> None:
    t.count(seat, "responses", len(answer))
    t.ask(respond, seat=1 - seat)


@book.question()
def how_many(t: T, seat: int) -> Ask:
    return Ask(seat, number(0, 3), rule="TS-1")


@how_many.answered
def counted(t: T, seat: int, answer: int) -> None:
    t.count(seat, "points", answer)
    t.ask(share, seat=seat)


@book.question()
def share(t: T, seat: int) -> Ask:
    return Ask(seat, split(5, ["left", "right"], caps={"left": 4, "right": 4}), rule="TS-2")


@share.answered
def shared(t: T, seat: int, answer: dict[str, int]) -> None:
    t.count(seat, "left", answer.get("left", 0))
    t.ask(play, seat=(seat + 1) % len(t.s.seats))


@book.question()
def play(t: T, seat: int) -> Ask:
    """A play of two parts: what, and whom."""
    return Ask(seat, pick(["praise", "blame", "stop"]), rule="TS-3")


@play.answered
def played(t: T, seat: int, answer: list[str]) -> None:
    if answer == ["stop"]:
        t.push(finish)
    else:
        t.part(whom, seat=seat, what=answer[0])


@book.question()
def whom(t: T, seat: int, what: str) -> Ask:
    return Ask(seat, pick([f"s{other}" for other in t.seats], lo=1), rule="TS-4")


@whom.answered
def done(t: T, seat: int, what: str, answer: list[str]) -> None:
    t.count(int(answer[0][1:]), what, 1)
    t.ask(how_many, seat=seat)


@book.step
def finish(t: T) -> None:
    t.end("tie", t.seats)


@book.anytime
def anytime(t: T, seat: int) -> list[May]:
    return [May("wave", "wave at everybody")]


@book.use
def use(t: T, seat: int, option: str) -> None:
    t.count(seat, "waves", 1)


register(book)
