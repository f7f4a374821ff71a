"""The smallest decider that needs everything the store has: a shared counter, a secret per seat, questions that six
seats answer at once, a deadline, free text, an end."""

import msgspec

from events.decider import Decided, Due, Moment, Record, Viewer, register
from events.errors import Rejected

EVERYBODY = "arbiter"


class Counter(msgspec.Struct):
    stream: str
    seats: int
    value: int = 0
    round: int = 1  # the open decision is d<round>
    whispers: dict[str, int] = {}  # seat -> number, this round
    heard: list[dict[str, int]] = []
    deadline: int = 0
    last_at: int = 0
    over: bool = False


class CounterDecider:
    """`whisper` answers decision d<round>, secretly, once per seat; when all have, the sum is added and the next
    round opens. `add` names no decision. `late` is what a passed deadline does. `finish` opens the seals."""

    kind, prefix, schema = "counter", "cnt", 1

    def initial(self, stream: str, seats: int) -> Counter:
        return Counter(stream, seats)

    def clone(self, state: Counter) -> Counter:
        return msgspec.structs.replace(state, whispers=dict(state.whispers), heard=list(state.heard))

    def decide(self, state: Counter, action: Record, secret: bytes, moment: Moment) -> Decided:
        effects = getattr(self, "do_" + action["do"])(state, action, secret, moment)
        after = self.clone(state)
        stored = dict(action)
        if action["do"] == "whisper":
            stored["only"] = {"number": 1 << action["seat"]}
        for record in [stored, *effects]:
            after = self.evolve(after, record, moment)
        return Decided(stored, effects, after)

    def do_begin(self, state: Counter, action: Record, secret: bytes, moment: Moment) -> list[Record]:
        return []

    def do_add(self, state: Counter, action: Record, secret: bytes, moment: Moment) -> list[Record]:
        if state.over:
            raise Rejected("over", "The counter is finished; nothing can be added.")
        if not isinstance(action.get("n"), int) or not 1 <= action["n"] <= 10:
            raise Rejected(
                "illegal",
                "Add a number from 1 to 10.",
                [{"pointer": "/n", "code": "out_of_range", "detail": "1 to 10"}],
            )
        return [{"e": "added", "n": action["n"]}]

    def do_whisper(self, state: Counter, action: Record, secret: bytes, moment: Moment) -> list[Record]:
        seat = str(action["seat"])
        if state.over:
            raise Rejected("over", "The counter is finished.")
        if action["decision"] != f"d{state.round}" or seat in state.whispers:
            raise Rejected("stale", f"Decision {action['decision']} is closed; d{state.round} is open.")
        effects: list[Record] = [
            {"e": "whispered", "seat": seat, "number": action["number"], "only": {"number": 1 << action["seat"]}},
            {"e": "nudge", "seat": seat, "secret": 1 << action["seat"]},
        ]
        if len(state.whispers) + 1 == state.seats:
            effects.append({"e": "round", "sum": sum(state.whispers.values()) + action["number"]})
        return effects

    def do_clock(self, state: Counter, action: Record, secret: bytes, moment: Moment) -> list[Record]:
        return [{"e": "deadline", "at": moment.at + action["ms"]}]

    def do_late(self, state: Counter, action: Record, secret: bytes, moment: Moment) -> list[Record]:
        if not state.deadline or action["decision"] != f"d{state.round}":
            raise Rejected("stale", "That deadline no longer stands.")
        return [{"e": "round", "sum": 0}]

    def do_note(self, state: Counter, action: Record, secret: bytes, moment: Moment) -> list[Record]:
        if state.over:
            raise Rejected("over", "The counter is finished.")
        return []

    def do_finish(self, state: Counter, action: Record, secret: bytes, moment: Moment) -> list[Record]:
        return [{"e": "over"}]

    def evolve(self, state: Counter, record: Record, moment: Moment) -> Counter:
        state.last_at = moment.at
        match record.get("e"):
            case "added":
                state.value += record["n"]
            case "whispered":
                state.whispers[record["seat"]] = record["number"]
            case "round":
                state.value += record["sum"]
                state.heard.append(state.whispers)
                state.whispers, state.round, state.deadline = {}, state.round + 1, 0
            case "deadline":
                state.deadline = record["at"]
            case "over":
                state.over = True
        return state

    def view(self, state: Counter, viewer: Viewer) -> dict:
        mine = {seat: n for seat, n in state.whispers.items() if viewer == "table" or seat == str(viewer)}
        return {"value": state.value, "decision": f"d{state.round}", "whispers": mine, "over": state.over}

    def encode(self, state: Counter) -> bytes:
        return msgspec.json.encode(state)

    def decode(self, data: bytes) -> Counter:
        return msgspec.json.decode(data, type=Counter)

    def due(self, state: Counter) -> list[Due]:
        if not state.deadline or state.over:
            return []
        decision = f"d{state.round}"
        return [Due(decision, state.deadline, EVERYBODY, {"do": "late", "decision": decision})]

    def opened(self, state: Counter) -> bool:
        return state.over

    def numbers(self, state: Counter) -> list[bytes]:
        return []


register(CounterDecider())
