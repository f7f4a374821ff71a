"""The sentences of a card, generated from the data the engine runs (section 5.7, "Sentences")."""

from __future__ import annotations

from collections.abc import Callable

from .cards import CardDef, Data

SPEED_WORD = {False: "{}", True: "{}, instantaneous"}
STEP_NAME = {"pre_battle": "Pre-Battle Step", "battle": "Battle Step", "build": "Build Step", "end": "End Step"}


def text(card: CardDef) -> str:
    """The whole text of a card."""
    groups = [", ".join(map(keyword, card.keywords)) + "."] if card.keywords else []
    groups += [sentence(ability) for ability in card.abilities]
    return " ".join(groups) or "(no abilities)"


def sentence(ability: Data) -> str:
    kinds = {"on_resolve": _event, "activated": _activated, "when": _when, "as": _as, "continuous": _continuous}
    return kinds[ability["kind"]](ability)


def keyword(kw: Data) -> str:
    return _first(_kw(kw))


def _kw(kw: Data) -> str:
    if "x" in kw:
        return f"{kw['x']} ward"
    return str(kw["kw"]).replace("_", " ") + (f" {kw['n']}" if "n" in kw else "")


def _first(words: str) -> str:
    """With a capital."""
    return words[0].upper() + words[1:]


# -- abilities -------------------------------------------------------------------------------------------------------


def _event(ability: Data) -> str:
    if modes := ability.get("modes"):
        return "Choose one — " + " / ".join(_ops(option["do"], _words(option)) for option in modes["options"])
    return _ops(ability["do"], _words(ability))


def _activated(ability: Data) -> str:
    costs = ", ".join(cost(part) for part in ability["cost"])
    speed = SPEED_WORD[ability["instantaneous"]].format(ability["speed"])
    return f"[{costs} · {speed}] {_ops(ability['do'], _words(ability))}"


def _when(ability: Data) -> str:
    place = " while this card is in your discard pile" if ability["zone"] == "discard" else ""
    if ability["optional"]:
        price = ", ".join(cost(part) for part in ability.get("cost", ())) or "have"
        may = f", you may {price} this" if price == "have" else f", you may {price} for this"
    else:
        may = ""
    return f"When {_trigger(ability['event'])}{place}{may}: {_ops(ability['do'], _words(ability))}"


def _as(ability: Data) -> str:
    condition = f", provided {_condition(ability['if'])}" if "if" in ability else ""
    words = _words(ability)
    what = " and ".join(_op(op, words) for op in ability["do"])
    instead = " instead" if ability["mode"] == "instead" else ""
    would = {"instead": _would, "also": _trigger}[ability["mode"]](ability["event"])
    return f"As {would}{condition}, {what}{instead}."


def _continuous(ability: Data) -> str:
    condition = f" while {_condition(ability['while'])}" if "while" in ability else ""
    affects = ability["affects"]
    on_line = isinstance(affects, dict) and affects["all"].get("zone") == "line"
    who = f"every {_described(affects['all'] | {'zone': 'played'}, {})}" if on_line else _things(affects, {})
    return _first(f"{who} {mods_text(ability['mods'], affects)}{condition}.")


def _words(ability: Data) -> Data:
    return {target["id"]: target for target in ability.get("targets", ())}


# -- conditions and triggers -----------------------------------------------------------------------------------------


def _condition(condition: Data) -> str:
    return "it is your turn" if "your_turn" in condition else f"this card is {condition['state']}"


def _trigger(event: Data) -> str:
    on, what = event["on"], event.get("what")
    thing = "this card" if what == "self" else f"any {_described(what, {})}" if isinstance(what, dict) else ""
    if on == "plays":
        played = _described(event["what"], {})
        article = "an" if played[0] in "aeiou" else "a"
        return f"you play {article} {played}"
    if on == "draws":
        return "an opponent draws a card"
    if on == "step_begins":
        return f"your {STEP_NAME[event['step']]} begins"
    return {
        "comes_into_play": f"{thing} comes into play",
        "goes_to_discard": f"{thing} goes to a discard pile" + (" from play" if event.get("from") == "play" else ""),
        "broken": f"{thing} is broken",
        "unveiled": f"{thing} is unveiled",
        "attacks": f"{thing} attacks",
        "deals_damage": f"{thing} deals damage" + (" to a player" if event.get("to") == "player" else ""),
        "is_damaged": f"{thing} is dealt damage",
    }[on]


def _would(event: Data) -> str:
    if event["on"] == "would_be_damaged":
        return "damage would be dealt to you"
    return f"any {_described(event['what'], {})} would go to a discard pile"


# -- costs -----------------------------------------------------------------------------------------------------------


def cost(part: Data) -> str:
    kind, n = part["c"], part.get("n", 1)
    if kind in ("expend", "flip", "break", "banish"):
        what = part.get("what", "self")
        return f"{kind} this" if what == "self" else f"{kind} one {_described(what, {})}"
    if kind == "action":
        return f"spend {n} {_plural(n, 'action')}"
    if kind == "mojo":
        return f"pay {n} Mojo"
    if kind == "discard":
        return f"discard {n} {_plural(n, _described(part.get('filter', {'is': ['card']}), {}))}"
    if kind == "reveal":
        return f"reveal {n} {_plural(n, 'card', _adjectives(part['filter']))}{_sharing(part['filter'])} from hand"
    return f"remove {n} {part['kind']} {_plural(n, 'counter')}"


def _sharing(filter_: Data, words: Data | None = None) -> str:
    return f" sharing {_things(filter_['same_alignment_as'], words or {})}'s alignment" if (
        "same_alignment_as" in filter_
    ) else ""


def _plural(n: int, noun: str, adjectives: str = "") -> str:
    return f"{adjectives}{noun}" + ("" if n == 1 else "s")


# -- things ----------------------------------------------------------------------------------------------------------


def _adjectives(filter_: Data) -> str:
    found = "/".join(filter_.get("alignment", ())) + " " if "alignment" in filter_ else ""
    found += "/".join(filter_.get("origin", ())) + " " if "origin" in filter_ else ""
    return (f"{filter_['cost']}-cost " if "cost" in filter_ else "") + found


def _described(filter_: Data, words: Data) -> str:
    """"evil champion you control", "champion card in your discard pile"."""
    zone = filter_.get("zone", "play")
    kinds = " or ".join(filter_["is"])
    if zone in ("discard", "hand") and "card" not in filter_["is"]:
        kinds += " card"
    if filter_.get("token"):
        kinds = f"{filter_['name']} token"
    before = ("other " if filter_.get("other") else "") + ("non-token " if filter_.get("token") is False else "")
    return f"{before}{_adjectives(filter_)}{kinds}{_where(filter_, zone, words)}"


def _where(filter_: Data, zone: str, words: Data) -> str:
    if zone == "under_self":
        return " under this object"
    whose = filter_.get("controller")
    if zone == "played":
        return " you play"
    if zone == "line":
        return " on the line"
    if zone in ("discard", "hand"):
        pile = {"discard": "discard pile", "hand": "hand"}[zone]
        return f" in {'your' if whose == 'you' else _things(whose, words) + chr(39) + 's'} {pile}"
    lacks = f" without {filter_['lacks']}" if "lacks" in filter_ else ""
    if whose is None:
        return lacks
    return lacks + (" you control" if whose == "you" else f" {_things(whose, words)} controls")


def _things(selector: object, words: Data) -> str:
    """A selector as a noun."""
    if isinstance(selector, str):
        return {"self": "this card", "that": "it", "you": "you"}[selector]
    assert isinstance(selector, dict)
    if "all" in selector:
        return f"every {_described(selector['all'], words)}"
    if "pick" in selector:
        return f"one {_described(selector['pick'], words)} of your choice"
    if "selected" in selector:
        return "the chosen card"
    if "controller_of" in selector:
        return f"the controller of {_things(selector['controller_of'], words)}"
    target = words.get(selector["target"])
    return f"target {_described(target['filter'], words)}" if target else "target card on the line"


def _who(player: object, words: Data) -> str:
    if isinstance(player, str):
        return player.replace("_", " ")
    return _things(player, words)


# -- operations ------------------------------------------------------------------------------------------------------


def _ops(ops: list[Data], words: Data) -> str:
    return " ".join(_first(_op(op, words)) + "." for op in ops)


def _op(op: Data, words: Data) -> str:
    return _SENTENCES[op["op"]](op, words)


def _verb(player: object, verb: str) -> str:
    return verb if player == "you" else f"{verb}s"


def _n_cards(n: object) -> str:
    return f"{n} {_plural(int(str(n)), 'card')}"


def _draw(op: Data, words: Data) -> str:
    return f"{_who(op['who'], words)} {_verb(op['who'], 'draw')} {_n_cards(op['n'])}"


def _discard(op: Data, words: Data) -> str:
    who = f"{_who(op['who'], words)} {_verb(op['who'], 'discard')}"
    if "what" in op:
        return f"{who} {_things(op['what'], words)}"
    if op["n"] == "all":
        return f"{who} their whole hand"
    return f"{who} {_n_cards(op['n'])}" + (" at random" if op.get("random") else "")


def _mojo(verb: str) -> Callable[[Data, Data], str]:
    def said(op: Data, words: Data) -> str:
        n = "that much" if isinstance(op["n"], dict) else op["n"]
        return f"{_who(op['who'], words)} {_verb(op['who'], verb)} {n} Mojo"

    return said


def _gain_action(op: Data, words: Data) -> str:
    only = f" usable only for {'/'.join(op['only']['alignment'])} cards and abilities" if "only" in op else ""
    who = f"{_who(op['who'], words)} {_verb(op['who'], 'gain')}"
    return f"{who} {op['n']} {_plural(op['n'], 'action')}{only}"


def _damage(op: Data, words: Data) -> str:
    deadly = "deadly " if op.get("deadly") else ""
    if isinstance(op["n"], dict):
        target = words[op["to"]["target"]]
        kinds = " and/or ".join(f"{kind}s" for kind in target["filter"]["is"])
        among = f"{target['min']} to {target['max']} target {kinds}"
        return f"{target['divide']} {deadly}damage is divided as you choose among {among}"
    return f"{op['n']} {deadly}damage is dealt to {_things(op['to'], words)}"


def _is(participle: str) -> Callable[[Data, Data], str]:
    return lambda op, words: f"{_things(op['what'], words)} is {participle}"


def _move(op: Data, words: Data) -> str:
    what = _things(op["what"], words)
    if op["to"] == "under_self":
        return f"{what} is put under this object"
    if op["to"] == "play":
        return f"{what} is put into play under your control"
    whose = {"you": "your", "controller": "its controller's", "owner": "its owner's"}[op["whose"]]
    return f"{what} goes to {whose} {'discard pile' if op['to'] == 'discard' else op['to']}"


def _token(op: Data, words: Data) -> str:
    who = f"{_who(op['who'], words)} {_verb(op['who'], 'put')}"
    return f"{who} {op['n']} {op['name']} {_plural(op['n'], 'token')} into play"


def _skip(op: Data, words: Data) -> str:
    return f"{_things(op['what'], words)} stays as it is during its controller's next Prepare Step"


def _until(duration: str) -> str:
    return " until end of turn" if duration == "end_of_turn" else ""


def _modify(op: Data, words: Data) -> str:
    return f"{_things(op['what'], words)} {mods_text(op['mods'], op['what'])}{_until(op['duration'])}"


def _counters(op: Data, words: Data) -> str:
    kind, what = op["kind"], _things(op["what"], words)
    if isinstance(op["n"], dict):
        return f"a number of {kind} counters equal to that damage are put on {what}"
    return f"{op['n']} {kind} {_plural(op['n'], 'counter')} {'is' if op['n'] == 1 else 'are'} put on {what}"


def _control(op: Data, words: Data) -> str:
    who = f"{_who(op['who'], words)} {_verb(op['who'], 'gain')}"
    return f"{who} control of {_things(op['what'], words)}{_until(op['duration'])}"


def _look(op: Data, words: Data) -> str:
    return f"{_who(op['who'], words)} {_verb(op['who'], 'look')} at {_things(op['what'], words)}"


def _select(op: Data, words: Data) -> str:
    return f"choose one {_described(op['what']['pick'], words)}"


def _unveil(op: Data, words: Data) -> str:
    return f"{_things(op['what'], words)} that is face down is unveiled"


def _extra_turn(op: Data, words: Data) -> str:
    who = f"{_who(op['who'], words)} {_verb(op['who'], 'take')}"
    return f"{who} an extra turn after this one (never more than {op['max_consecutive']} in a row this way)"


def _redirect(op: Data, words: Data) -> str:
    return f"that damage is dealt to {_things(op['to'], words)}"


def _lose_game(op: Data, words: Data) -> str:
    return f"{_who(op['who'], words)} loses the game"


def _may(op: Data, words: Data) -> str:
    who, price = _who(op["who"], words), ", ".join(cost(part) for part in op.get("cost", ()))
    does = " and ".join(_op(one, words) for one in op["do"])
    if not price:
        return f"{who} may choose that {does}"
    so = f"; if so, {does}" if does else ""
    nobody = "if nobody does" if op["who"] == "each_player" else "if not"
    otherwise = f"; {nobody}, " + " and ".join(_op(one, words) for one in op["else"]) if op.get("else") else ""
    return f"{who} may {price}{so}{otherwise}"


_SENTENCES: dict[str, Callable[[Data, Data], str]] = {
    "draw": _draw, "discard": _discard, "gain_mojo": _mojo("gain"), "lose_mojo": _mojo("lose"),
    "gain_action": _gain_action, "damage": _damage, "break": _is("broken"), "banish": _is("banished"), "move": _move,
    "token": _token, "prepare": _is("prepared"), "expend": _is("expended"), "skip_prepare": _skip, "modify": _modify,
    "counters": _counters, "gain_control": _control, "stop": _is("stopped"), "look": _look, "select": _select,
    "unveil": _unveil, "extra_turn": _extra_turn, "redirect": _redirect, "lose_game": _lose_game, "may": _may,
}  # fmt: skip


# -- what continuous abilities and effects say -----------------------------------------------------------------------

_RULES = {
    "enters_expended": "comes into play expended",
    "may_not_gain_mojo": "may not gain Mojo",
    "may_play_champions_face_down": "may play any champion card face down as though it were veiled",
    "may_not_be_attacked": "may not be attacked",
    "must_attack": "attacks each turn if able",
    "may_not_attack": "may not attack",
    "may_not_block": "may not block",
    "blocks_without_flipping": "does not flip when it blocks",
}


def mods_text(mods: list[Data], affects: object = "self") -> str:
    """"gets +1 offense and gains breakthrough", "is 1/1", "is controlled by you"."""
    sets = {mod["set"]: mod["to"] for mod in mods if "set" in mod}
    said = [f"is {sets['offense']}/{sets['defense']}"] if "offense" in sets else []
    said += [f"is {sets['alignment']}"] if "alignment" in sets else []
    said += ["is controlled by you"] if "controller" in sets else []
    adds = [f"{mod['n']:+} {mod['add']}" for mod in mods if "add" in mod]
    said += ["gets " + " and ".join(adds)] if adds else []
    have = "have" if affects == "you" else "has"
    for mod in mods:
        if "have" in mod:
            said.append(f"{have} {_kw(mod['have'])}")
        elif "gain" in mod:
            said.append(f"gains {_kw(mod['gain'])}")
        elif "lose" in mod:
            said.append(f"loses {_kw(mod['lose'])}")
        elif "rule" in mod:
            said.append(_RULES[mod["rule"]])
    return " and ".join(said)
