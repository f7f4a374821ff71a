"""Scenes for the tests of Epic: a table in the middle of a turn, and the words players use.

    scene = Scene(step="build", hands={0: ["Bolt from the Blue"]}, play={1: ["Gentle Jailer", "~Masked Usurper"]})
    scene.play(0, "Bolt from the Blue", "s1").all_pass()
    assert scene.mojo == [30, 28]

P1 is seat 0 and active, decks have 20 Iron Crushers, everybody has one action (section 6, conventions). "~" is face
down, "/" expended, "%" flipped.
"""

from __future__ import annotations

from games.kernel import PUBLIC, rulebook
from games.kernel.decide import preview
from games.kernel.play import T
from games.kernel.testing import _CARD, given
from games.rulebooks.epic import board as b
from games.rulebooks.epic.battle import battle_step
from games.rulebooks.epic.cards import BY_NAME, CARDS, TOKENS
from games.rulebooks.epic.turn import begin_step, cleanup, prepare_step, turns
from games.rulebooks.epic.values import board

FILLER = "Iron Crusher"
STEPS = {
    "prepare": prepare_step(), "pre_battle": begin_step("pre_battle"), "battle": battle_step(),
    "build": begin_step("build"), "end": begin_step("end"), "cleanup": cleanup(),
}  # fmt: skip


def key(name):
    return name if name in TOKENS or name in CARDS else BY_NAME[name].id


class Scene:
    def __init__(
        self, step="build", seats=2, turn=0, hands=None, play=None, discard=None, mojo=None, deck=20, actions=1,
        pack_war=False, foreign=None,
    ):  # fmt: skip
        hands, play, discard = hands or {}, play or {}, discard or {}
        decks = deck if isinstance(deck, list) else [deck] * seats

        def lay(t):
            for zone in (b.PLAY, b.LINE, b.REMOVED, b.UNDER):
                t.zone(zone, ids=PUBLIC, faces=PUBLIC)
            for seat in range(seats):
                t.zone(b.HAND[seat], ids=[seat], faces=[seat], ordered=False, owner=seat)
                t.zone(b.DECK[seat], ids=0, faces=0, owner=seat)
                t.zone(b.DISCARD[seat], ids=PUBLIC, faces=PUBLIC, owner=seat)
                t.zone(b.GONE[seat], ids=0, faces=0, owner=seat)
                t.zone(f"sideboard:{seat}", ids=[seat], faces=[seat], ordered=False, owner=seat)
                t.count(seat, "mojo", mojo[seat] if mojo else 30)
                t.count(seat, "actions", actions)
                cards = decks[seat] if isinstance(decks[seat], list) else [FILLER] * decks[seat]
                for name in cards:
                    t.make(key(name), seat, b.DECK[seat])
                t.make([key(name) for name in hands.get(seat, [])], seat, b.HAND[seat])
                for name in discard.get(seat, []):
                    t.make(key(name), seat, b.DISCARD[seat])
                for name in play.get(seat, []):
                    self.put(t, seat, name)
            for seat, name, owner in foreign or ():
                [card] = t.make(key(name), owner, b.HAND[seat], known=PUBLIC)
                t.give(card, seat)
            for name, value in {"turn": [5, turn], "step": step, "normal": turn, "in_a_row": 1}.items():
                t.set(name, value)
            if pack_war:
                t.set("pack_war", True)
            names = list(STEPS)
            t.seq(*(STEPS[name] for name in names[names.index(step) :]), turns())

        self.s = given("epic", seats, lay=lay)

    @staticmethod
    def put(t, seat, name, owner=None):
        down, pose = name[0] == "~", {"/": b.EXPENDED, "%": b.FLIPPED}.get(name[0], "")
        owner = seat if owner is None else owner
        [card] = t.make(key(name.lstrip("~/%")), owner, b.PLAY, ctrl=seat, down=down, known=[seat] if down else 0)
        if pose:
            t.turn(card, pose)
        return card

    # -- what players do ---------------------------------------------------------------------------------------------

    def play(self, seat, name, *parts):
        return self.compose(seat, f"play:{name}", *parts)

    def use(self, seat, name, *parts, ability=None):
        found = [option for option in self.options(seat) if option.startswith(f"use:{name}")]
        return self.compose(seat, f"use:{name}:{ability}" if ability is not None else found[0], *parts)

    def compose(self, seat, first, *parts):
        """A play with its parts; those that leave no choice are not asked, and may be named all the same."""
        path = (first,)
        for part in parts:
            missing = preview(self.s.table, self.s.action(seat, "priority", path))
            asked = [] if missing is None else self.named(missing.ask.shape)
            if not isinstance(part, str) or part in asked:
                path = (*path, part)
        self.s.answer(seat, priority=path)
        return self

    def named(self, shape):
        """The options of a question by name."""
        book = rulebook("epic")
        found = getattr(shape, "options", [])
        return [_CARD.sub(lambda c: book.name_of(self.s._key_of(c[0])), option) for option in found]

    def unveil(self, seat, name):
        self.s.answer(seat, priority=f"unveil:{name}")
        return self

    def passes(self, *seats):
        for seat in seats:
            self.s.answer(seat, priority="pass")
        return self

    def answer(self, seat, **answer):
        self.s.answer(seat, **answer)
        return self

    def all_pass(self, times=1):
        """Everyone passes in a row, once: the top of the line resolves, or the window closes."""
        for _ in range(times):
            for _ in [seat for seat in self.s.table.seats if not seat.out]:
                if set(self.waits_for.values()) == {"priority"}:
                    self.passes(*self.waits_for)
        return self

    def to(self, step, turn=None):
        """Everyone passes, nobody attacks or blocks, until this step (of this turn) waits for somebody."""
        for _ in range(200):
            if self.var("step") == step and (turn is None or self.var("turn")[1] == turn) and not self.line:
                return self
            self.idle()
        raise AssertionError(f"never came to {step}")

    def idle(self):
        """Whoever is asked does as little as possible."""
        least = {
            "priority": "pass", "attack_or_end": "end", "declare_blockers": [], "may_do": "no", "use_trigger": "no",
        }  # fmt: skip
        for seat, kind in list(self.waits_for.items()):
            if kind == "hand_limit_discard":
                shape = self.s.asked(seat, kind).shape
                self.s.answer(seat, hand_limit_discard=shape.options[: shape.lo])
            elif kind in least:
                self.s.answer(seat, **{kind: least[kind]})
            else:
                raise AssertionError(f"{kind} of {seat} needs an answer")

    def attack(self, aim, *attackers, by=0):
        """B1 passes; attack a player ("s1") or hunt a champion by name."""
        self.pass_while_asked()
        if self.waits_for == {by: "declare_attack"}:
            return self.answer(by, declare_attack=list(attackers))
        what = f"attack:{aim}" if aim in ("s0", "s1", "s2", "s3") else f"hunt:{aim}"
        whole = preview(self.s.table, self.s.action(by, "attack_or_end", what)) is None
        return self.answer(by, attack_or_end=what if whole else (what, list(attackers)))

    def block(self, *blockers, by=1):
        """B3 passes; these block, or nobody does."""
        self.pass_while_asked()
        if blockers or self.waits_for == {by: "declare_blockers"}:
            self.answer(by, declare_blockers=list(blockers))
        return self

    def pass_while_asked(self):
        while set(self.waits_for.values()) == {"priority"}:
            self.passes(*self.waits_for)
        return self

    def fight(self):
        """The windows of an attack pass, nobody blocks who has not; up to another question, or the next B1."""
        while self.var("battle") and set(self.waits_for.values()) <= {"priority", "declare_blockers"}:
            self.idle()
        return self

    # -- what is there -----------------------------------------------------------------------------------------------

    @property
    def t(self):
        return T(self.s.table, rulebook("epic"))

    @property
    def waits_for(self):
        return self.s.waits_for

    def var(self, name):
        return self.s.table.vars.get(name)

    @property
    def mojo(self):
        return [seat.n.get("mojo", 0) for seat in self.s.table.seats]

    @property
    def actions(self):
        return [seat.n.get("actions", 0) for seat in self.s.table.seats]

    @property
    def outcome(self):
        return self.s.outcome

    def names(self, zone):
        return [CARDS[found.partition(":")[0]].name for found in self.s.keys(zone)]

    @property
    def line(self):
        return self.names(b.LINE)

    def hand(self, seat):
        return sorted(self.names(b.HAND[seat]))

    def discard(self, seat):
        return self.names(b.DISCARD[seat])

    def bottom(self, seat, n=1):
        return self.names(b.DECK[seat])[-n:]

    def deck(self, seat):
        return len(self.s.keys(b.DECK[seat]))

    def field(self, seat):
        return [CARDS[card.key].name for card in self._in_play() if card.ctrl == seat]

    def _in_play(self):
        return [self.s.table.cards[card] for card in self.s.table.zones[b.PLAY].cards]

    def card(self, name, seat=None):
        """The first thing of this name in play (of this controller)."""
        found = [card for card in self._in_play() if CARDS[card.key].name == name and seat in (None, card.ctrl)]
        assert found, f"{name} is not in play"
        return found[0]

    def value(self, name, seat=None):
        return board(self.t).values[self.card(name, seat).id]

    def stats(self, name, seat=None):
        value = self.value(name, seat)
        return value.offense, value.defense

    def pose(self, name, seat=None):
        return self.card(name, seat).pose or "prepared"

    def damage(self, name, seat=None):
        return self.card(name, seat).n.get("damage", 0)

    def options(self, seat, kind="priority"):
        """What is offered, by name."""
        return self.named(self.s.asked(seat, kind).shape)

    def can_play(self, seat, name):
        return f"play:{name}" in self.options(seat)

    def can_use(self, seat, name):
        return any(option.startswith(f"use:{name}") for option in self.options(seat))

    def targets(self, seat, first, *parts):
        """What the next part of this play offers."""
        missing = preview(self.s.table, self.s.action(seat, "priority", (first, *parts)))
        return sorted(self.named(missing.ask.shape))

    def change(self, build):
        """Arrange something by hand."""
        self.s.lay(build)
        return self
