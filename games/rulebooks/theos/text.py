"""The sentence of an ability, made from its data (section 5.5).

The engine runs the same data, so what a card says and what it does cannot disagree.
"""

from __future__ import annotations

from games.kernel.narrate import listed

from .cards import (
    GODS,
    Ability,
    Accept,
    Add,
    Amount,
    AnyEffect,
    Copy,
    Count,
    Destroy,
    Empower,
    Filter,
    Immune,
    Migrate,
    Prayer,
    Raise,
    Remove,
    SetActive,
    Steal,
    Swap,
    Trigger,
)

THIS, THAT = "this card", "that card"
BY_NAME = {"self": THIS, "event_card": THAT, "last": THAT}
SIDES = {"friendly": "friendly", "enemy": "enemy"}
HAPPENED = {"destroy": "destroyed", "raise": "raised", "empower": "empowered", "reject": "rejected"}
ENEMY_DOES = {"add": "adds Followers to", "remove": "removes Followers from", "steal": "steals Followers from"}


def ability(a: Ability) -> str:
    """Rules 1 to 3: prefixes, the first clause, then the others."""
    prefix = f"{a.status.capitalize()}: " if a.status else ""
    prefix += "Multi: " if a.multi else ""
    first = f"whenever {trigger(a.trigger)}, " if a.trigger else ""
    first += "you may " if a.may else ""
    sentence = capital(first + clause(a.effects[0]))
    for effect in a.effects[1:]:
        sentence += f". If you do, {clause(effect)}" if effect.if_did else f". {capital(clause(effect))}"
    return f"{prefix}{sentence}."


def card(prayer: Prayer) -> list[str]:
    """A Prayer Card's abilities, top to bottom."""
    return [ability(a) for a in prayer.abilities]


def clause(effect: AnyEffect) -> str:
    """Rule 4: one clause for each operation."""
    match effect:
        case Add(target=target, amount=amount):
            return f"add {quantity(amount)} to {one(target)}{where(amount)}"
        case Remove(target=target, amount=amount):
            return f"remove {quantity(amount)} from {one(target)}{where(amount)}"
        case Steal(source=source, to=to, amount=amount):
            to_whom = "" if to.who == "self" else f" to {one(to)}"
            return f"steal {quantity(amount)} from {one(source)}{to_whom}{where(amount)}"
        case Migrate(source=source, to=to, amount=amount):
            return f"migrate {quantity(amount)} from {one(source)} to {one(to)}{where(amount)}"
        case Destroy(target=target):
            return f"destroy {one(target)}"
        case Raise(target=target):
            return f"raise {one(target)}"
        case Copy(target=target, abilities=kind):
            return f"copy {kind.capitalize()} abilities from {one(target)}"
        case Swap(target=target, zone=zone):
            return f"swap {one(target)} with a card in your {zone}"
        case Empower(target=target):
            return f"empower {one(target)}"
        case SetActive(realm=realm):
            return f"set a god active in {'your Realm' if realm == 'own' else 'any Realm'}"
        case Immune(scope=scope, to=ops, source=side):
            enemies = "enemies' " if side == "enemy" else ""
            return f"{subject(scope)} immune to {enemies}{listed(ops)} abilities"
        case Accept(scope=scope):
            return f"{subject(scope)} always accepted by the gods"


def quantity(amount: Amount) -> str:
    """Rule 5: how many Followers."""
    if amount.mode == "all":
        return "all Followers"
    number = "#" if isinstance(amount.value, Count) else str(amount.value)
    followers = "Follower" if number == "1" and amount.mode == "exactly" else "Followers"
    return f"{'up to ' if amount.mode == 'up_to' else ''}{number} {followers}"


def where(amount: Amount) -> str:
    if isinstance(amount.value, Count):
        return f", where # is the number of {many(amount.value.count)}"
    return ""


def one(f: Filter) -> str:
    """Rule 6: which card."""
    if f.who in BY_NAME:
        return BY_NAME[f.who]
    tail = f" that prays to {GODS[f.god].name}" if f.god else ""
    if f.who == "yours":
        return f"{'another' if f.other else 'one'} of your {words(f)}cards{tail}"
    if f.pick == "each":
        return f"each {'other ' if f.other else ''}{words(f)}card{tail}"
    if f.pick == "up_to":
        return f"up to {f.max_picks} {words(f)}cards{many_tail(f)}"
    noun = f"{words(f)}card{tail}"
    if f.other:
        return f"another {noun}"
    if f.different:
        return f"a different {noun}"
    return f"{'an' if noun[0] in 'aeiouAEIOU' else 'a'} {noun}"


def many(f: Filter) -> str:
    """Rule 6 in the plural."""
    whose = "your " if f.who == "yours" else "other " if f.other else ""
    return f"{whose}{words(f)}cards{many_tail(f)}"


def many_tail(f: Filter) -> str:
    return f" that pray to {GODS[f.god].name}" if f.god else ""


def words(f: Filter) -> str:
    """Status, state, side and type, each narrowing the choice (TH-12.6)."""
    state = "" if f.state == "raised" else f.state
    said = (f.status, state, SIDES.get(f.who), f.type.capitalize() if f.type else None)
    return "".join(f"{word} " for word in said if word)


def subject(scope: Filter) -> str:
    return f"{THIS} is" if scope.who == "self" else f"{many(scope)} are"


def trigger(t: Trigger) -> str:
    """Rule 7: what happened, and by whom."""
    if t.by == "self":
        return f"{THIS} destroys {one(t.card)}"
    if t.by == "any":
        return f"{one(t.card)} is {listed([HAPPENED[event] for event in t.events], 'or')}"
    *before, last = [ENEMY_DOES[event] for event in t.events]
    verbs = [verb.split()[0] for verb in before]
    return f"an enemy ability {' or '.join([*verbs, last])} {one(t.card)}"


def capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]
