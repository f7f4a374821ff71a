"""How the record of a game reads (TH-17.3): what happened, to which card, and by which ability or act of the gods.

Each `say` has its cause in it; the bare changes of counters, poses and variables that follow it are then silent.
"""

from __future__ import annotations

from typing import Any

from games.kernel.narrate import Teller, listed

from .book import book
from .cards import ABILITIES, BLANK, CARDS, GODS

Facts = dict[str, Any]


def count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def followers(n: int) -> str:
    return count(n, "Follower")


def cause(tell: Teller, facts: Facts) -> str:
    """ "P9 Flood, “Add 2 Followers to this card.”: "; a copied ability names the card it is printed on."""
    ability = ABILITIES[facts["ability"]]
    card = facts["by"] or ability.id.partition(".")[0]
    printed_on = ability.id.partition(".")[0]
    copied = f" (copied from {tell.card(printed_on)})" if printed_on != card else ""
    return f"{tell.card(card)}{copied}, “{ability.text}”: "


def god(name: str) -> str:
    return GODS[name].name


# -- the round ------------------------------------------------------------------------------------------------------


def takes(tell: Teller, facts: Facts) -> str:
    return f"{tell.player(facts['seat'])} takes {facts['list']}: {', '.join(facts['cards'])}."


def round_begins(tell: Teller, facts: Facts) -> str:
    return f"round {facts['round']} begins; the Ascension Die shows {facts['die']}."


def side(tell: Teller, seats: list[int]) -> str:
    """A team by its players."""
    return listed([tell.player(seat) for seat in seats])


def win_check(tell: Teller, facts: Facts) -> str:
    sides = [
        f"{side(tell, one['seats'])} {'has' if len(one['seats']) == 1 else 'have'} {one['has']} of {one['needs']}"
        for one in facts["teams"]
    ]
    return f"win check, Followers: {'; '.join(sides)}."


def cleanup_order(tell: Teller, facts: Facts) -> str:
    order = [
        f"{side(tell, one['seats'])} ({'final card ' + tell.card(one['final']) if one['final'] else 'no card'})"
        for one in facts["teams"]
    ]
    return f"nobody has won. Cleanup, most Followers first, ties by the fastest final card: {', then '.join(order)}."


def cleanup(tell: Teller, facts: Facts) -> str:
    returns, stays = facts["returns"], facts["stays"]
    gives_up = sum(one["n"] for one in returns)
    lost = f", giving up {followers(gives_up)}" if gives_up else ""
    back = f"returns {listed([tell.card(one['card']) for one in returns])} to the deck{lost}" if returns else ""
    kept = f"leaves {tell.cards(stays)} in play" if stays else ""
    return f"{tell.player(facts['seat'])} {'; '.join(part for part in (back, kept) if part) or 'has an empty row'}."


def may(tell: Teller, facts: Facts) -> str:
    verb = "uses" if facts["use"] else "does not use"
    return f"{tell.player(facts['seat'])} {verb} “{ABILITIES[facts['ability']].text}”"


# -- cards and gods -------------------------------------------------------------------------------------------------


def judged(tell: Teller, facts: Facts) -> str:
    """Who resolves which card, and its Speed: the reason why it is its turn (TH-6.4)."""
    card = CARDS[facts["card"]]
    speed = f"Speed {card.speed} {card.god_speed_roman}"
    return f"{tell.player(facts['seat'])} resolves {tell.card(card.id)} ({speed}) in Realm {facts['realm']}: "


def accepted(tell: Teller, facts: Facts) -> str:
    return f"{judged(tell, facts)}accepted."


def always_accepted(tell: Teller, facts: Facts) -> str:
    return f"{judged(tell, facts)}accepted, because of {tell.card(facts['by'])}."


def rejected(tell: Teller, facts: Facts) -> str:
    return f"{judged(tell, facts)}rejected, {god(facts['god'])} is passive there; the gods destroy it."


def active(tell: Teller, facts: Facts) -> str:
    why = cause(tell, facts) if facts["ability"] else f"{tell.card(facts['by'])} was an Offering: "
    return f"{why}{god(facts['god'])} becomes active in Realm {facts['realm']}."


def empowered(tell: Teller, facts: Facts) -> str:
    why = cause(tell, facts) if facts["ability"] else ""
    return f"{why}{tell.player(facts['seat'])} empowers {tell.card(facts['card'])}."


def swapped(tell: Teller, facts: Facts) -> str:
    lost = f" without its {followers(facts['n'])}" if facts["n"] else ""
    blank = facts["enters"] == BLANK
    enters = "a Blank of the hand to its supply" if blank else f"{tell.card(facts['enters'])} takes its place"
    return f"{cause(tell, facts)}{tell.card(facts['leaves'])} goes to the {facts['zone']}{lost}, {enters}."


# -- Followers ------------------------------------------------------------------------------------------------------


def moved(verb: str, route: str) -> Any:
    """One sentence for all that moved at the same instant."""

    def sentence(tell: Teller, facts: Facts) -> str:
        parts = [
            route.format(n=followers(one["n"]), source=tell.card(one["from"]), to=tell.card(one["to"]))
            for one in facts["moved"]
        ]
        return f"{cause(tell, facts)}{listed(parts) or f'nothing could be {verb}'}."

    return sentence


def acts_on(sentence: str) -> Any:
    """A sentence about several cards."""

    def told(tell: Teller, facts: Facts) -> str:
        cards = facts["cards"]
        return f"{cause(tell, facts)}{tell.cards(cards)} {'is' if len(cards) == 1 else 'are'} {sentence}."

    return told


# -- bare effects ---------------------------------------------------------------------------------------------------


def move(tell: Teller, form: Facts) -> str:
    """The moves no `say` speaks of: hands built, cards revealed, cards resolved."""
    src, to = form["src"].partition(":")[0], form["to"].partition(":")[0]
    who = tell.player(int(form["to"].partition(":")[2] or 0))
    if (src, to) == ("deck", "hand"):
        return f"{who} takes {count(form.get('n', 1), 'card')} into hand."
    cards = tell.cards(form.get("keys", ["c0"]))
    if (src, to) == ("hand", "slot"):
        return f"{who} reveals {'a Blank' if form.get('keys') == [BLANK] else cards}."
    if (src, to) == ("slot", "row"):
        return f"{cards} is resolved, at the right end of {who}'s row."
    if (src, to) == ("drafted", "deck"):
        return f"{who}'s deck is turned face down."
    return ""


def made(tell: Teller, form: Facts) -> str:
    zone, _, seat = form["zone"].partition(":")
    number = form.get("n", 1)
    if zone == "hand":
        return f"{tell.player(int(seat))} takes {count(number, 'Blank')} into hand."
    if zone == "deck":
        return f"{tell.player(int(seat))} has a deck of {count(number, 'card')}."
    return ""


def blank_gone(tell: Teller, form: Facts) -> str:
    return f"{tell.player(int(form['src'].partition(':')[2]))}'s Blank leaves play." if "slot" in form["src"] else ""


def teams(tell: Teller, form: Facts) -> str:
    given = form["teams"]
    members = {one: [seat for seat, team in enumerate(given) if team == one] for one in sorted(set(given))}
    return "; ".join(f"team {one}: {side(tell, seats)}" for one, seats in members.items()) + "."


def starting_sides(tell: Teller, facts: Facts) -> str:
    return f"{listed([god(name) for name in facts['gods']])} start active in Realm {facts['realm']}."


def chosen(sentence: str) -> Any:
    """An answer; where there was no choice the record says so (TR-27)."""

    def told(tell: Teller, form: Facts) -> str:
        only = ", the only one possible" if form.get("forced") else ""
        return f"{tell.vformat(sentence, (), form)}{only}."

    return told


def trigger_answer(tell: Teller, form: Facts) -> str:
    """The option is an ability and, where it speaks of "that card", the card."""
    ability, _, about = form["value"][0].partition(" ")
    concerning = f", about {tell.card(about)}" if about else ""
    return f"{form['who']} takes first what {tell.card(ability.partition('.')[0])} does{concerning}."


def realms_answer(tell: Teller, form: Facts) -> str:
    _, alone, *where = form["value"][0].split()
    return f"{form['who']} decides for the team: {tell.player(int(alone))} {' '.join(where)}."


def hand_answer(tell: Teller, form: Facts) -> str:
    return f"{form['who']} builds a hand from {form['told'] if form['value'] else 'Blanks only'}."


def cleanup_answer(tell: Teller, form: Facts) -> str:
    """The option "move" is no card: it is told by itself."""
    stays = [card for card in form["value"] if card != "move"]
    moves = " and move to the other Realm" if "move" in form["value"] else ""
    return f"{form['who']} will leave {tell.cards(stays) or 'nothing'} in play{moves}."


def empower_answer(tell: Teller, form: Facts) -> str:
    if form["value"]:
        return ""
    return f"{form['who']} {'has nothing to empower' if form.get('forced') else 'empowers nothing'}."


book.sentences |= {
    "takes": takes,
    "starting sides": starting_sides,
    "round": round_begins,
    "turn": "round {round}, turn {turn}:",
    "win check": win_check,
    "cleanup order": cleanup_order,
    "cleanup": cleanup,
    "moves": "{seat!p} moves to Realm {realm}.",
    "drafts": "{seat!p} drafts {card!c}.",
    "draft pool": "the Draft Pool is laid out; turned up and discarded: {discarded!c}.",
    "set aside": "set aside, out of the game: {kept!c}.",
    "accepted": accepted,
    "always accepted": always_accepted,
    "rejected": rejected,
    "active": active,
    "empowered": empowered,
    "triggers": "{card!c} of {seat!p} triggers.",
    "may": may,
    "no target": lambda tell, facts: f"{cause(tell, facts)}there is no valid target.",
    "add": moved("added", "{to} gains {n}"),
    "remove": moved("removed", "{source} loses {n}"),
    "steal": moved("stolen", "{n} of {source} to {to}"),
    "migrate": moved("moved", "{n} from {source} to {to}"),
    "destroyed": acts_on("destroyed"),
    "raised": acts_on("raised"),
    "immune": acts_on("immune"),
    "copies": lambda tell, facts: f"{cause(tell, facts)}it copies {tell.card(facts['model'])}.",
    "swap": swapped,
    "move": move,
    "make": made,
    "gone": blank_gone,
    "team": teams,
    "pose": "",
    "count": "",
    "give": "",
    "mark:realm": "{on} is in Realm {value}.",
    "mark:resolved": "",
    "answer:use_may": "",
    "answer:choose_empower": empower_answer,
    "answer:choose_target": chosen("{who} chooses {told}"),
    "answer:choose_targets_up_to": chosen("{who} chooses {told}"),
    "answer:choose_destination": chosen("{who} chooses {told} as destination"),
    "answer:choose_amount": chosen("{who} chooses the number {told}"),
    "answer:choose_trigger": trigger_answer,
    "answer:choose_multi_team": "{who} takes {told} first.",
    "answer:choose_god": "",
    "answer:choose_swap_card": "",
    "answer:choose_start_realms": realms_answer,
    "answer:choose_prebuilt_deck": "",
    "answer:choose_roster": "",
    "answer:open_draft_pick": "",
    "answer:build_roster_deck": "{who} builds a deck from the roster: {told}.",
    "answer:pass_draft_pick": "{who} picks {told}.",
    "answer:build_hand": hand_answer,
    "answer:play_card": "{who} commits {told}.",
    "answer:cleanup": cleanup_answer,
    "sealed:build_roster_deck": "{who} has built a deck from the roster.",
    "sealed:pass_draft_pick": "{who} has picked a card.",
    "sealed:build_hand": "{who} has built a hand.",
    "sealed:play_card": "{who} has committed a card.",
    "sealed:cleanup": "{who} has decided the cleanup.",
}
"""The words of every `say`, of the answers worth telling, and of the effects that no `say` explains."""
