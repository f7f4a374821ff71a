"""How the record of a game reads: the rulebook's words for what happened, told from what a viewer may know."""

from __future__ import annotations

from typing import Any

from games.kernel.narrate import Teller, listed

from .book import book
from .cards import CARDS, SUBVERSIONS

Facts = dict[str, Any]


def cards(tell: Teller, facts: Facts) -> str:
    """The cards that move, as far as they are known."""
    count = facts.get("n", 1)
    if "keys" in facts:
        return tell.cards(facts["keys"])
    return "a card" if count == 1 else f"{count} cards"


def where(tell: Teller, zone: str) -> str:
    kind, _, rest = zone.partition(":")
    if kind in ("hand", "deck", "discard"):
        return f"{tell.player(int(rest))}'s {'discard pile' if kind == 'discard' else kind}"
    if kind == "pile":
        arena, _, key = rest.partition(":")
        return f"the {CARDS[key].name} pile of arena {int(arena) + 1}"
    if kind == "arena":
        return f"play in arena {int(rest) + 1}"
    if kind == "slot":
        return f"the face-down cards of arena {int(rest) // 2 + 1}"
    return "a spellbook" if kind == "spellbook" else "the cards removed from the game"


def moved(tell: Teller, facts: Facts) -> str:
    """Each way a card can go has its word in the rules."""
    src, to, what = facts["src"], facts["to"], cards(tell, facts)
    ways = src.partition(":")[0], to.partition(":")[0]
    many = facts.get("n", 1) > 1
    if ways == ("deck", "hand"):
        return f"{tell.player(int(to[5:]))} draws {what}."
    if ways[1] == "slot":
        seat, arena = int(src[5:]), int(to[5:]) // 2 + 1
        blind = " from the top of the deck" if ways[0] == "deck" else ""
        return f"{tell.player(seat)} commits {what}{blind} in arena {arena}."
    if ways == ("slot", "arena"):
        return f"revealed in arena {int(to[6:]) + 1} for {tell.player(facts['owner'])}: {what}."
    if ways[0] == "pile" and "owner" in facts:
        return f"{tell.player(facts['owner'])} gains {what} from {where(tell, src)} into {where(tell, to)}."
    return f"{what} {'go' if many else 'goes'} from {where(tell, src)} to {where(tell, to)}."


def marked(tell: Teller, facts: Facts) -> str:
    """Subversions come and go; what a card gained by Mimic."""
    name, value = facts["name"], facts.get("value")
    if name in SUBVERSIONS:
        happens = f"loses {name.title()}" if value is None else f"gets {name.title()} from {tell.player(value)}"
        return f"{tell.card(facts['on'])} {happens}."
    if name == "gained":
        return f"{tell.card(facts['on'])} gains {', '.join(value or ())}."
    if name == "hides_hand":
        return f"{tell.player(int(facts['on'][1:]))} {'hides' if value else 'shows'} the own hand."
    return ""


WORDS = {
    "surge": "surges", "subvert": "declares Subvert", "divert": "declares Divert", "divert_to": "diverts to",
    "mimic": "copies", "take_back": "declares Return", "sacrifice": "declares Sacrifice", "purify": "declares Purify",
    "replicate_gain": "replicates", "ritual_gain": "claims", "nights_fury": "declares Night's Fury",
    "substitute": "declares Substitute", "rage": "declares Rage", "awaken": "awakens", "discard": "decides (Discard)",
    "odd_ghost": "sends the odd Ghost to",
}  # fmt: skip


def declined(kind: str) -> str:
    """Not to use an ability, or to take nothing, is said too (TI-4.4)."""
    word = WORDS.get(kind, kind)
    if kind == "surge":
        return "does not surge"
    return word.replace("declares", "declines") if word.startswith("declares ") else f"{word} nothing"


def answered(tell: Teller, facts: Facts) -> str:
    """Declarations are public (TI-4.4); commitments show in the cards, consent when both have given it."""
    kind = facts["kind"]
    who = tell.player(facts["seat"])
    if facts.get("by", -1) >= 0:
        who = f"{tell.player(facts['by'])}, for {who},"
    if kind in ("commit", "trade", "discard_hand"):
        return "" if kind == "commit" else f"{who} has decided ({'trade' if kind == 'trade' else 'what to keep'})."
    told = facts.get("value")
    if not told:
        return f"{who} {declined(kind)}."
    return f"{who} {WORDS.get(kind, kind)}{'' if kind == 'surge' else f': {tell.answer(told)}'}."


def battled(tell: Teller, facts: Facts) -> str:
    (a, b), (x, y) = (tell.player(seat) for seat in facts["players"]), facts["totals"]
    result = "a tie" if facts["winner"] < 0 else f"{(a, b)[facts['winner'] % 2]} wins"
    return f"battle in arena {facts['arena'] + 1}: {a} {x}, {b} {y}: {result}."


def temple(tell: Teller, facts: Facts) -> str:
    did = "captures" if facts["captured"] else "destroys"
    return f"{tell.player(facts['winner'])} {did} a temple of {tell.player(facts['loser'])}."


def traded(tell: Teller, facts: Facts) -> str:
    return f"team {facts['team'] + 1} {'trades' if facts['agreed'] else 'does not trade'}."


def began(tell: Teller, facts: Facts) -> str:
    """The age and the rest of the turn."""
    value = facts.get("value")
    return {1: "first age.", 2: "second age.", 3: "third age.", 0: ""}.get(value if value is not None else 0, "")


def given(tell: Teller, facts: Facts) -> str:
    """A stolen card changes sides."""
    return f"{tell.player(facts['ctrl'])} now controls {tell.card(facts['card'])}." if "card" in facts else ""


def protected(tell: Teller, facts: Facts) -> str:
    sides = [f"{'AB'[int(side) % 2]} of arena {int(side) // 2 + 1}" for side in sorted(facts.get("value") or {})]
    return f"protected: side {listed(sides)}." if sides else ""


book.sentences.update(
    {
        "move": moved,
        "mark": marked,
        "answer": answered,
        "give": given,
        "battle": battled,
        "temple": temple,
        "trade": traded,
        "set:turn": lambda tell, facts: f"turn {facts['value']} begins." if facts["value"] else "",
        "set:age": began,
        "set:avatar": lambda tell, facts: f"the Avatar Mat lies with team {facts['value'] + 1}.",
        "set:temples": "temples: {value}.",
        "set:protected": protected,
        "count:surge": lambda tell, facts: f"{facts['on']} spends a surge token." if facts["gains"] == "loses" else "",
        "count:token": "{on} gets a token.",
        "make": "",
        "draw": "",
    }
)
