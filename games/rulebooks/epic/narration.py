"""What people see: one sentence for what happens, none for the book-keeping; and what things in play are just now."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.kernel.narrate import Teller, listed
from games.kernel.play import T
from games.kernel.table import Viewer, bit, faces

from .board import EXPENDED, FLIPPED, LINE, PLAY, PREPARED, UNDER, in_play
from .book import book
from .cards import TOKENS, noun
from .text import STEP_NAME, mods_text
from .values import Value, board

Form = dict[str, Any]
STEPS = {**STEP_NAME, "prepare": "Prepare Step", "cleanup": "cleanup"}


def where(tell: Teller, zone: str) -> str:
    name, _, seat = zone.partition(":")
    pile = {"discard": "discard pile", "removed": "the cards removed from the game", LINE: "the line"}.get(name, name)
    return f"{tell.player(int(seat))}'s {pile}" if seat else pile


def moved(tell: Teller, form: Form) -> str:
    source, to, count = form["src"], form["to"], form.get("n", 1)
    what = tell.cards(form["keys"]) if "keys" in form else f"{count} cards" if count > 1 else "a card"
    goes = "goes" if count == 1 else "go"
    kinds = (source.partition(":")[0], to.partition(":")[0])
    if kinds == ("deck", "hand"):
        return f"{tell.player(int(to[5:]))} draws {what}."
    if kinds == ("hand", "discard"):
        return f"{tell.player(int(source[5:]))} discards {what}."
    if to == LINE:
        face = " face down" if form.get("down") else ""
        known = what if "keys" in form else "a champion"
        return f"{tell.player(form['ctrl'])} plays {known}{face}."
    if to == UNDER:
        return ""
    if to == PLAY:
        known = what if "keys" in form else "a face-down champion"
        return f"{known} comes into play for {tell.player(form['ctrl'])}."
    if kinds[1] == "deck":
        return f"{what} {goes} from {where(tell, source)} to the bottom of {where(tell, to)}."
    return f"{what} {goes} from {where(tell, source)} to {where(tell, to)}."


def made(tell: Teller, form: Form) -> str:
    keys = form.get("keys", ["?"])
    if form["zone"] == LINE:
        return f"{noun(keys[0])} goes on the line for {tell.player(form['owner'])}."
    if form["zone"] == PLAY:
        return f"{tell.player(form['owner'])} puts {listed([f'{key} token' for key in keys])} into play."
    return ""


def gone(tell: Teller, form: Form) -> str:
    [key] = form.get("keys", ["?"])
    return f"the {key} token is removed from the game." if key in TOKENS else ""


def played(tell: Teller, form: Form) -> str:
    """What was named as a card or ability was put on the line."""
    run: Form = form["value"] or {}
    named = [thing for word in sorted(run.get("targets", {})) for thing in run["targets"][word]]
    shares = run.get("shares", {})
    said = [tell.thing(thing) + (f" ({shares[thing]})" if thing in shares else "") for thing in named]
    mode = f"mode {run['mode'] + 1}" if "mode" in run else ""
    told = "; ".join(filter(None, [mode, f"on {listed(said)}" if said else ""]))
    return f"{form['on']}: {told}." if told else ""


def changed(tell: Teller, form: Form) -> str:
    """An effect with a duration; control is told by the change of control itself."""
    effects = form["value"] or []
    if not effects or "mods" not in effects[-1] or effects[-1]["until"] != "end_of_turn":
        return ""
    return f"{form['on']} {mods_text(effects[-1]['mods'])} until end of turn."


def laid_under(tell: Teller, form: Form) -> str:
    return f"{tell.card(form['card'])} lies under {tell.card(form['to'])}." if form.get("to") else ""


def turned(tell: Teller, form: Form) -> str:
    return f"{tell.cards(form['keys'])} is turned face up." if "keys" in form and not form.get("down") else ""


def damaged(tell: Teller, form: Form) -> str:
    return f"{form['on']} takes {form['by']} damage." if form["gains"] == "gains" else ""


def acted(tell: Teller, form: Form) -> str:
    return "" if form["gains"] == "gains" else f"{form['on']} has {form['by']} fewer action{'s' * (form['by'] > 1)}."


def attack(tell: Teller, form: Form) -> str:
    aim = form["aim"]
    verb = "attacks" if aim[0] == "s" else "hunts"
    return f"{tell.player(form['by'])} {verb} {tell.thing(aim)} with {tell.cards(form['attackers'])}."


def block(tell: Teller, form: Form) -> str:
    return f"{tell.player(form['by'])} blocks with {tell.cards(form['blockers'])}." if form["blockers"] else "no block."


def accepted(tell: Teller, form: Form) -> str:
    return f"{form['who']} {'accepts' if form['value'] == ['yes'] else 'declines'}."


def turn(tell: Teller, form: Form) -> str:
    number, seat = form["value"]
    return f"— turn {number}, {tell.player(seat)} —" if number else ""


def step(tell: Teller, form: Form) -> str:
    return f"{STEPS.get(form['value'], form['value'])}." if form["value"] != "setup" else ""


SILENT = (
    "answer:priority", "sealed:priority", "answer:choose", "sealed:choose", "answer:attack_or_end",
    "answer:declare_attack", "answer:declare_blockers", "answer:mulligan", "sealed:mulligan", "answer:pick_from_zone",
    "sealed:pick_from_zone", "answer:discard_choice", "sealed:discard_choice", "answer:pay_picks", "sealed:pay_picks",
    "answer:hand_limit_discard", "sealed:hand_limit_discard", "answer:trigger_targets", "mark:attacked", "mark:base",
    "mark:last", "mark:lost", "mark:stone since",
)  # fmt: skip

SENTENCES: dict[str, str | Callable[[Teller, Form], str]] = {
    **dict.fromkeys(SILENT, ""),
    "move": moved, "make": made, "gone": gone, "attach": laid_under, "know": turned,
    "mark:play": played, "mark:mods": changed,
    "mark:deadly": "", "mark:skip_prepare": "", "mark:limited": "", "count:damage": damaged, "count:actions": acted,
    "count:mojo": "{on} {gains} {by} Mojo.", "set:turn": turn, "set:step": step,
    f"pose:{PREPARED}": "{card} is prepared.", f"pose:{EXPENDED}": "{card} is expended.",
    f"pose:{FLIPPED}": "{card} is flipped.", "answer:use_trigger": accepted, "answer:may_do": accepted,
    "answer:split_damage": "{who} divides the damage: {told}.",
    "answer:split_breakthrough": "breakthrough: {told}.",
    "answer:ward_prevention": "{who} prevents {told}.",
    "answer:choose_as_trigger": "{who} applies {told}.",
    "answer:as_trigger_targets": "{who} chooses {told}.",
    "answer:order_triggers": "{who} orders the triggers.",
    "passes": "{seat!p} passes.", "mulligan": "{seat!p} replaces {n} of the opening hand.", "attack": attack,
    "block": block, "fails": "{item!c} fails: none of its targets is legal.", "prevented": "{n} damage is prevented.",
    "contradiction": "contradicting abilities: what makes them is removed from the game.",
    "no_extra_turn": "no extra turn for {seat!p}: never more than two in a row.",
    "nothing_to_draw": "{seat!p} cannot draw {n} more: each opponent loses 5 Mojo for each.",
}  # fmt: skip
book.sentences.update(SENTENCES)


@book.shown
def shown(t: T, viewer: Viewer) -> Form:
    """EP-11: the values of everything in play whose face this viewer knows, so that no client has to compute them."""
    own, values = bit(viewer), board(t).values
    seen = [card for card in in_play(t) if faces(t.s, card) & own]
    return {"values": {card.id: _value(values[card.id]) for card in seen}}


def _value(value: Value) -> Form:
    found: Form = {"offense": value.offense, "defense": value.defense} if value.type == "champion" else {}
    found |= {"alignment": value.alignment, "origin": value.origin, "keywords": sorted(value.keywords)}
    return found | ({"damage_ward": value.damage_ward} if value.damage_ward else {})
