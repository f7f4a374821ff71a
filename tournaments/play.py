"""Matches make their games, and finished games report themselves. All of it can be done again without harm: ids follow
from the match, command ids from the game."""

import logging
from collections import defaultdict
from typing import Any

from decks.formats import format_named
from drafting.formats import game_options
from events import commands, heads, participants
from events.errors import Rejected
from events.participants import ARBITER
from games.kernel.rulebook import rulebook
from games.services import start_if_ready
from games.state import Game
from tournaments import handed, limited
from tournaments.models import MatchGame
from tournaments.state import Match, Tournament

log = logging.getLogger("tournaments")


def make_games(stream: str) -> int:
    """Every match that is being played has the game it needs next. How many were made."""
    state: Tournament = heads.current(stream).state
    now = state.now
    if not state.rules_.rulebook or state.phase != "running" or now is None or now.status != "published":
        return 0
    rows = MatchGame.objects.filter(tournament=stream, match__in=now.matches, attempt=now.attempt)
    made: defaultdict[str, set[int]] = defaultdict(set)
    for name, nth in rows.values_list("match", "nth"):
        made[name].add(nth)
    count = 0
    for match in state.open_matches():
        try:
            count += make_next(state, match, made[match.id])
        except Rejected as refusal:  # one table's trouble is not the others'; the sweep tries again
            log.error("no game for %s of %s: %s", match.id, stream, refusal.detail)
    return count


def make_next(state: Tournament, match: Match, made: set[int] | None = None) -> int:
    """The next game of a match, when the sideboards are settled; of a team match, all boards at once."""
    if match.waits_until:
        return 0
    wanted = range(1, state.rules_.team + 1) if state.rules_.team > 1 else [len(match.games) + 1]
    if made is None:
        attempt = state.rounds[match.round - 1].attempt
        rows = MatchGame.objects.filter(tournament=state.stream, match=match.id, attempt=attempt)
        made = set(rows.values_list("nth", flat=True))
    lost = {game.nth for game in match.games if not game.game}
    return sum(nth not in made | lost and make_game(state, match, nth) for nth in wanted)


def seats_of(state: Tournament, match: Match, nth: int) -> list[int]:
    """Who sits where: the draw of the round, then as the rules say."""
    players, rule = [n for n in match.players if n not in match.lost], state.rules_.first
    if len(players) != 2 or nth == 1 or state.rules_.team > 1 or rule == "lot":
        return players
    if rule == "alternate":
        return players if nth % 2 else players[::-1]
    last = match.games[-1].winners
    return [n for n in players if n not in last] + [n for n in players if n in last]


def options_of(state: Tournament, match: Match, nth: int) -> dict[str, Any]:
    """The tournament's, the stage's, those of the decks that are played, and who goes first."""
    rules, stage = state.rules_, state.rules_.stages[state.rounds[match.round - 1].stage]
    options = {**rules.options, **stage.options}
    if state.format and limited.own_decks(stage):
        played = format_named(state.format).options
        if state.drafted:
            played = game_options(played, limited.options_of(rules, rules.stages[state.drafted.stage]))
        options |= played
    return {**first_player(state, match, nth), **options}


def first_player(state: Tournament, match: Match, nth: int) -> dict[str, Any]:
    """Where the rulebook lets it be said. Seat 0 is whom the rules put first (seats_of); by EP-18.6 the loser of the
    last game chooses, after a drawn one somebody by lot. In the first one it is the game's own lot."""
    known, rule = rulebook(state.rules_.rulebook).about.get("options", {}), state.rules_.first
    if len(match.players) != 2 or state.rules_.team > 1:
        return {}
    if rule == "alternate" and "first" in known:
        return {"first": 0}
    if rule == "loser" and nth > 1:
        drawn = len(match.games[-1].winners) != 1
        if "chooser" in known:
            return {"chooser": [0, 1] if drawn else 0}
        return {"first": 0} if "first" in known and not drawn else {}
    return {}


def make_game(state: Tournament, match: Match, nth: int) -> bool:
    attempt = state.rounds[match.round - 1].attempt
    game = commands.new_stream_id("game", "match", state.stream, match.id, attempt, nth)
    seats = seats_of(state, match, nth)
    if len(seats) not in rulebook(state.rules_.rulebook).seats:
        return False  # too few are left of a pod: a judge decides it
    rules, invited, bots = state.rules_, [""] * len(seats), []
    for seat, number in enumerate(seats):
        entrant = state.entrants[number]
        if entrant.bot:
            bots.append(seat)
            continue
        actor = [entrant.actor, *entrant.members][nth - 1] if rules.team > 1 else entrant.actor
        person = participants.person_of(actor)
        invited[seat] = participants.of(game, person) if person else ARBITER  # erased: nobody can come
    action: dict[str, Any] = {
        "do": "create", "rulebook": rules.rulebook, "options": options_of(state, match, nth), "seats": len(seats),
        "invited": invited,
        "seals": "event", "house_decks": True, "on_timeout": "loss",
        "join_within_ms": rules.show_up_ms, "ready_within_ms": rules.show_up_ms,
        "match": {"tournament": state.stream, "match": match.id, "nth": nth},
    }  # fmt: skip
    if limited.own_decks(rules.stages[state.rounds[match.round - 1].stage]) and state.format:
        action["brought"] = {str(seat): handed.deck_for(state, match, number) for seat, number in enumerate(seats)}
    if rules.decision_ms:
        action["time"] = {"decision_ms": rules.decision_ms}
    commands.open_stream("game", len(seats), stream=game, actor=ARBITER, action=action, command_id=f"match-{game}")
    row = {"tournament": state.stream, "match": match.id, "attempt": attempt, "nth": nth, "seats": seats}
    MatchGame.objects.get_or_create(game=game, defaults=row)
    if bots:
        fill = {"do": "fill", "bot": state.entrants[seats[bots[0]]].bot, "seats": bots}
        commands.execute(game, actor=ARBITER, action=fill, command_id=f"bots-{game}")
        start_if_ready(game)
    return True


def report(game: str) -> str:
    """A finished game tells its tournament: who won, and the head of its stream. Once."""
    row = MatchGame.objects.filter(game=game, reported=False).first()
    if row is None:
        return "nothing to report"
    head = heads.current(game)
    table: Game = head.state
    if not table.ended:
        return "not over"
    before: Tournament = heads.current(row.tournament).state
    action = {
        "do": "played", "match": row.match, "game": game, "seq": head.seq, "hash": head.hash.hex(), "nth": row.nth,
        "winners": [] if table.void else [row.seats[seat] for seat in winners(table)],
        "absent": absent(table, row.seats, before.matches.get(row.match)),
    }  # fmt: skip
    try:
        if is_of(before, row):
            commands.execute(row.tournament, actor=ARBITER, action=action, command_id=f"played-{game}")
    except Rejected as refusal:
        if refusal.code not in ("exists", "over", "key_reused", "unknown"):
            raise
        log.info("game %s is not counted: %s", game, refusal.detail)
    MatchGame.objects.filter(game=game).update(reported=True)
    state: Tournament = heads.current(row.tournament).state
    match = state.matches.get(row.match)
    if match and match.score is None and state.now and state.now.status == "published":
        make_next(state, match)
    return "reported"


def is_of(state: Tournament, row: MatchGame) -> bool:
    """Is it a game of the round as it stands, not of an attempt that was paired again?"""
    match = state.matches.get(row.match)
    return match is not None and state.rounds[match.round - 1].attempt == row.attempt


def winners(table: Game) -> list[int]:
    outcome = table.table.outcome
    assert outcome is not None
    return outcome.winners if outcome.result in ("win", "tie") else []


def absent(table: Game, seats: list[int], match: Match | None) -> list[int]:
    """Who did not come, or did not open the number in time: a no-show there, never a void game. One that the house
    called off (tournaments/ends.py) lacks those who have left the match."""
    if not table.void:
        return []
    if table.void == "match":
        return [n for n in seats if match and n in match.lost]
    came = [chair.ready if table.complete_seq else chair.taken for chair in table.chairs]
    gone = [number for number, here in zip(seats, came, strict=True) if not here]
    return gone or seats


def open_seals(stream: str) -> int:
    """The event is over: the games show everything."""
    opened = 0
    for game in MatchGame.objects.filter(tournament=stream).values_list("game", flat=True):
        table: Game = heads.current(game).state
        if table.ended and not table.seals_open:
            commands.execute(game, actor=ARBITER, action={"do": "open"}, command_id=f"open-{game}")
            opened += 1
    return opened
