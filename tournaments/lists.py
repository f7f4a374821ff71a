"""The read model behind lists of tournaments; it also says which of them the house has still something to do in."""

from events import heads, readmodels
from events.feed import Entry
from events.store import Stored
from tournaments import groups
from tournaments.models import Tournament
from tournaments.state import Tournament as State


def waits(state: State) -> str:
    """What the house does next: open drafts, build decks, compute a round, make and read games, open their seals."""
    now, preparing = state.now, state.preparing
    if state.phase == "running" and preparing:
        return {"seated": "drafts", "drafting": "drafts", "building": "decks", "late": "decks"}[preparing.status]
    if state.phase == "running" and state.format and not state.drafted and lacks_deck(state):
        return "decks"
    if state.phase == "running" and now and now.status == "called":
        return "pair"
    if state.phase == "running" and now and now.status == "published" and state.rules_.rulebook:
        return "play"
    return "seals" if state.phase in ("over", "closed") and state.rules_.rulebook else ""


def lacks_deck(state: State) -> bool:
    """Bots of a constructed event: the house builds for them."""
    return any(one.bot and not one.deck for one in state.entrants.values() if one.status == "in")


def write(stream: str, seq: int, state: State) -> None:
    line = {
        "seq": seq, "title": state.rules_.title, "rulebook": state.rules_.rulebook, "phase": state.phase,
        "entrants": sum(one.status != "waiting" for one in state.entrants.values()), "round": len(state.rounds),
        "at_ms": state.at, "waits": waits(state),
    }  # fmt: skip
    row, made = Tournament.objects.get_or_create(stream=stream, defaults=line)
    if not made:
        Tournament.objects.filter(pk=row.pk, seq__lt=seq).update(**line)


def follow(entry: Entry) -> None:
    write(entry.event.stream, entry.event.seq, entry.head.state)


def appended(event: Stored, head: heads.Head) -> None:
    if head.key.kind == "tournament":
        write(event.stream, event.seq, head.state)
        if event.do == "close":
            groups.forget(event.stream)


MODEL = readmodels.register(
    readmodels.ReadModel(
        "tournaments", apply=follow, clear=Tournament.objects.all().delete, kinds=frozenset({"tournament"}), latest=True
    )
)
