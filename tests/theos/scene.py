"""Theos tables in the notation of the catalogue's scenarios.

    table = scene("A: D5 G3; B: P7", active="gaia demeter")
    table.play(A="D9", B="Blank")
    table.choose(choose_trigger="P7.2 G3")
    assert table.row("A") == "D5(1) G3 D9(1)"

`G3(2)` has two Followers, `P4†` is destroyed. Cards are committed, targets and everything else chosen through the
game's own questions; after every one of them the invariants of section 7 must hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from games.kernel.play import T
from games.kernel.rulebook import rulebook
from games.kernel.testing import Scenario, given
from games.rulebooks.theos import board, setup
from games.rulebooks.theos.cards import BLANK, CARDS, MANUAL
from games.rulebooks.theos.decks import deck_size
from games.rulebooks.theos.round import ascension, end_phase, play_phase

LETTERS = "ABCDEF"
CARD = re.compile(r"([PDHGX]\d+)(?:\((\d+)\))?(†)?")
GAME_TYPE = {(1, 1): "1v1", (2, 2): "2v2", (3, 3): "3v3", (2, 2, 2): "2v2v2"} | {(1,) * n: "ffa" for n in range(3, 7)}
OPTIONAL = ("use_may", "choose_empower")


def scene(
    rows: str = "", *, seats: int = 2, teams: str = "", active: str | Mapping[int, str] = "poseidon hades",
    realms: str = "", hands: Mapping[str, str] | None = None, decks: Mapping[str, str] | None = None,
    supply: int | None = None, round: int = 1, end: bool = False, pairs: Any = MANUAL.default_pairs,
) -> Scene:  # fmt: skip
    """`rows`: "A: G3(2) P4† D5; B: D4". `teams`: "AB CD". `realms`: the Realm of each player, "12122".
    `hands`: what is in hand besides the cards the first `play` names. `decks`: what is surely in the deck; the rest
    comes from the pool. `end`: the hands are empty and the End Phase begins."""
    laid = {player: CARD.findall(cards) for player, cards in _by_player(rows).items()}
    sides = teams.split() or list(LETTERS[:seats])
    kept = {player: words.split() for player, words in (decks or {}).items()}

    def deal(plays: Mapping[str, str]) -> Scenario:
        hidden = {player: (hands or {}).get(player, "").split() for player in LETTERS[:seats]}
        for player, card in plays.items():
            hidden[player].append(card)
        largest = max(map(len, hidden.values()))
        for hand in hidden.values():
            hand += ["Blank"] * (largest - len(hand))
        options = {"type": GAME_TYPE[tuple(map(len, sides))]}
        return given("theos", seats, options=options, lay=lambda t: lay(t, hidden))

    def lay(t: T, hidden: dict[str, list[str]]) -> None:
        setup.lay_zones(t)
        t.set("decks", "random")
        t.set("pairs", pairs)
        team_of = {seat(player): side for side, members in enumerate(sides) for player in members}
        around = list(team_of)
        t.team([team_of[n] for n in range(seats)])
        t.set("around", around)
        t.set("_orders", [setup.from_seat(around, team_of, n) for n in range(seats)])
        for n in range(seats):
            t.mark(n, board.REALM, int(realms[n]) if realms else 1)
        for realm in board.realms(t.s):
            t.set(f"symbols {realm}", (active if isinstance(active, str) else active[realm]).split())
        t.set("round", round)
        t.set("die", ascension(round))
        on_cards = sum(int(n or 0) for cards in laid.values() for _, n, _ in cards)
        t.set("supply", 60 - on_cards if supply is None else supply)
        named = {key for cards in laid.values() for key, _, _ in cards}
        named |= {key for zone in (hidden, kept) for keys in zone.values() for key in keys}
        pool = [key for key in CARDS if key not in named]
        for n in range(seats):
            player = LETTERS[n]
            for key, followers, destroyed in laid.get(player, ()):
                (card,) = t.make(key, n, board.ROW[n])
                t.count(card, board.FOLLOWERS, int(followers or 0))
                t.turn(card, board.DESTROYED if destroyed else "")
            t.make([key if key != "Blank" else BLANK for key in hidden.get(player, ())], n, board.HAND[n])
            t.count(n, board.BLANKS, hidden.get(player, []).count("Blank"))
            real = len(laid.get(player, ())) + sum(key != "Blank" for key in hidden.get(player, ()))
            deck = kept.get(player, [])
            t.make([*deck, *(pool.pop() for _ in range(deck_size(seats) - real - len(deck)))], n, board.DECK[n])
        t.push(end_phase if end else play_phase)

    return Scene(deal, short=supply is not None)


def _by_player(words: str) -> dict[str, str]:
    return {part.split(":")[0].strip(): part.split(":")[1] for part in words.split(";") if part.strip()}


def seat(player: str) -> int:
    return LETTERS.index(player)


class Scene:
    """A Theos table under test. Before the first `play` it only exists on paper: what is played must be in hand."""

    def __init__(self, deal: Callable[[Mapping[str, str]], Scenario], short: bool = False) -> None:
        self._deal = deal
        self._table: Scenario | None = None
        self.short = short

    @property
    def s(self) -> Scenario:
        """The table underneath; dealt as it is if nobody has played yet."""
        if self._table is None:
            self._table = self._deal({})
            self._check()
        return self._table

    # -- when -------------------------------------------------------------------------------------------------------

    def play(self, **cards: str) -> Scene:
        """Everybody commits a card (TH-6.1); all who are not named commit a Blank."""
        if self._table is None:
            self._table = self._deal(cards)
        for n in sorted(self.s.waits_for):
            card = cards.get(LETTERS[n], "Blank")
            self.s.answer(n, play_card=BLANK if card == "Blank" else card)
            self._check()
        return self

    def choose(self, **answers: Any) -> Scene:
        """Answer one question after the other, whoever is asked."""
        for kind, value in answers.items():
            (n,) = [n for n, asked in self.s.waits_for.items() if asked == kind] or [self._nobody(kind)]
            self.s.answer(n, **{kind: value})
            self._check()
        return self

    def target(self, *cards: str) -> Scene:
        for card in cards:
            self.choose(choose_target=card)
        return self

    def empower(self, card: str) -> Scene:
        return self.choose(choose_empower=card)

    def decline(self) -> Scene:
        """Decline everything optional, until something else is asked."""
        while self.kind in OPTIONAL:
            self.choose(**{self.kind: []})
        return self

    def answer(self, player: str, **answer: Any) -> Scene:
        self.s.answer(seat(player), **answer)
        self._check()
        return self

    def refuses(self, player: str, **answer: Any) -> Any:
        return self.s.refuses(seat(player), **answer)

    def clean_up(self, **stays: str) -> Scene:
        """Every player of the team whose cleanup it is: which cards stay."""
        for n in sorted(self.s.waits_for):
            self.s.answer(n, cleanup=stays.get(LETTERS[n], "").split())
            self._check()
        return self

    # -- then -------------------------------------------------------------------------------------------------------

    @property
    def kind(self) -> str:
        """What the table waits for; "" if it waits for several players."""
        asked = set(self.s.waits_for.values())
        return asked.pop() if len(self.s.waits_for) == 1 else ""

    @property
    def waits_for(self) -> dict[str, str]:
        return {LETTERS[n]: kind for n, kind in self.s.waits_for.items()}

    def options(self, kind: str) -> list[str]:
        (n,) = [n for n, asked in self.s.waits_for.items() if asked == kind] or [self._nobody(kind)]
        return sorted(self.s.options(n, kind))

    def options_of(self, player: str) -> list[str]:
        """The options of the question this player is asked."""
        return self.s.options(seat(player), self.waits_for[player])

    def row(self, player: str) -> str:
        """A row in the catalogue's notation."""
        return " ".join(self._written(card) for card in board.cards(self.s.table, board.ROW[seat(player)]))

    def rows(self) -> str:
        """All rows with cards: "A: G3(2) P4†; B: D5"."""
        players = LETTERS[: len(self.s.table.seats)]
        return "; ".join(f"{player}: {self.row(player)}" for player in players if self.row(player))

    def hand(self, player: str) -> list[str]:
        return sorted(self.s.keys(board.HAND[seat(player)]))

    def deck(self, player: str) -> list[str]:
        return sorted(self.s.keys(board.DECK[seat(player)]))

    def active(self, realm: int = 1) -> str:
        return " ".join(board.symbols(self.s.table, realm))

    @property
    def supply(self) -> int:
        return board.supply(self.s.table)

    def said(self, what: str) -> list[dict[str, Any]]:
        """Everything the record says under this word, since the beginning."""
        return [effect.get("args", {}) for effect in self.s.told if effect["e"] == "say" and effect["what"] == what]

    def asked(self, kind: str) -> int:
        """How often this was asked, forced answers not counted."""
        return sum(effect["e"] == "ask" and effect["kind"] == kind for effect in self.s.told)

    def forced(self, kind: str) -> int:
        return sum(e["e"] == "answer" and e["kind"] == kind and e.get("forced", False) for e in self.s.told)

    def _written(self, card: Any) -> str:
        n = board.followers(card)
        return f"{card.key}{f'({n})' if n else ''}{'†' if card.pose == board.DESTROYED else ''}"

    def _check(self) -> None:
        wrong = rulebook("theos").hooks["invariants"](self.s.table)
        assert not [one for one in wrong if "not 60" not in one or not self.short], wrong

    def _nobody(self, kind: str) -> int:
        raise AssertionError(f"nobody is asked {kind}; the table waits for {self.waits_for}")
