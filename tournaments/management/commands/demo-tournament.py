"""`manage.py demo-tournament`: a whole event with bots that play the real games, printed as it goes."""

import json
import secrets
import sys
import time
from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import User
from accounts.scopes import Role
from events import export, heads, store, verification
from events.errors import Rejected
from games import tasks as bots
from tournaments import checker, drafts, exports, folds, play, services, tasks
from tournaments.core import tables
from tournaments.limited import DRAFTS
from tournaments.models import MatchGame, PodDraft
from tournaments.state import Tournament

WIDTH, PICKS = 32, 45


def planned(players: int, options: dict[str, Any]) -> list[dict[str, Any]]:
    """Drafted where the rulebook has a draft. In Theos every card exists once: pods of four draft and play among
    themselves, and in the final matches two draft at the table."""
    plan, rounds, rulebook = tables.swiss(players), options["rounds"], options["rulebook"]
    swiss: dict[str, Any] = {"kind": "swiss", "rounds": rounds or plan.rounds}
    final: dict[str, Any] = {"kind": "single", "cut": plan.cut}
    stages = [swiss, final] if plan.cut else [swiss]
    if options["no_draft"] or rulebook not in DRAFTS:
        return stages
    if rulebook == "theos":
        swiss |= {"rounds": rounds, "in_pods": True}
        final |= {"options": {"decks": "draft"}}
    return [{"kind": "draft"}, *stages]


def seals_open(stream: str) -> bool:
    """The event is over, and the house has opened every game and every draft of it."""
    games = MatchGame.objects.filter(tournament=stream).values_list("game", flat=True)
    pods = PodDraft.objects.filter(tournament=stream).values_list("draft", flat=True)
    return all(heads.current(one).state.seals_open for one in [*games, *pods])


class Command(BaseCommand):
    help = "Run a tournament from registration to the final; exit status 1 when anything in it does not verify."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--players", type=int, default=16)
        parser.add_argument("--rulebook", default="theos")
        parser.add_argument("--rounds", type=int, default=0, help="0: as the tables propose")
        parser.add_argument("--best-of", type=int, default=1)
        parser.add_argument("--no-draft", action="store_true", help="play with what the rulebook deals")
        parser.add_argument("--queue", action="store_true", help="leave the work to running Celery workers")
        parser.add_argument("--json", action="store_true", help="one JSON object at the end")

    def handle(self, **options: Any) -> None:
        self.quiet, self.queue, self.began = options["json"], options["queue"], time.monotonic()
        players = options["players"]
        if players < 2:
            raise CommandError("a tournament needs two players.")
        try:
            stream = self.open(players, options)
        except Rejected as refusal:
            raise CommandError(refusal.detail) from None
        self.say(f"{stream}: {players} bots, {options['rulebook']}, seed committed in event 1")
        stages = self.state(stream).rules_.stages
        self.say("  " + " → ".join(f"top {stage.cut} {stage.kind}" if stage.cut else stage.kind for stage in stages))
        self.run(stream)
        report = self.examine(stream, players)
        self.stdout.write(json.dumps(report)) if self.quiet else self.show(stream, report)
        if not report["ok"]:
            sys.exit(1)

    # --- running it ---

    def open(self, players: int, options: dict[str, Any]) -> str:
        self.person, _ = User.objects.get_or_create(name="demo-organiser", defaults={"role": Role.ORGANISER})
        rules = {
            "title": "Demo", "stages": planned(players, options), "rulebook": options["rulebook"],
            "best_of": options["best_of"], "show_up_ms": 3_600_000,
        }  # fmt: skip
        stream = services.create(self.person, rules, f"demo-{secrets.token_hex(8)}").stream
        self.do(stream, "add_bots", count=players)
        self.do(stream, "start")
        return stream

    def do(self, stream: str, verb: str, **fields: Any) -> None:
        services.act(stream, self.person, {"do": verb, **fields}, f"demo-{secrets.token_hex(8)}")

    def run(self, stream: str) -> None:
        while (state := self.state(stream)).phase == "running":
            if state.preparing:
                self.prepare(stream)
                continue
            if folds.stage_over(state):
                self.do(stream, "advance")
                continue
            self.do(stream, "pair")
            self.until(stream, lambda: self.round_is(stream, "proposed"), lambda: tasks.run_house(stream))
            self.do(stream, "publish")
            self.until(stream, lambda: self.round_is(stream, "closed"), lambda: self.play(stream))
            self.told(self.state(stream))
        self.until(stream, lambda: seals_open(stream), lambda: tasks.run_house(stream))

    def prepare(self, stream: str) -> None:
        """The pods draft, the decks are built, the next stage begins."""
        stage = self.state(stream).stage
        while (state := self.state(stream)).preparing and state.stage == stage:
            if self.queue:
                time.sleep(0.2)
            else:
                tasks.run_house(stream)
                for draft in PodDraft.objects.filter(tournament=stream, reported=False).values_list("draft", flat=True):
                    while not heads.current(draft).state.ended:
                        if not bots.play_on(draft):
                            raise CommandError(f"{draft} waits for nobody and does not end.")
                        self.draft_bar(state)
                    drafts.report(draft)
            self.draft_bar(state)
        self.clear()
        found = state.limited[stage]
        sizes = sorted({len(pod.players) for pod in found.pods})
        pods = f"{len(found.pods):4} pod{'s' * (len(found.pods) > 1)} of {' and '.join(map(str, sizes))}"
        seconds, decks = time.monotonic() - self.began, sum(bool(one.deck) for one in state.entrants.values())
        self.say(f"  {'draft':14}{pods}  {seconds:6.1f} s  {decks} decks handed in, sealed ({found.format})")

    def state(self, stream: str) -> Tournament:
        state: Tournament = heads.current(stream).state
        return state

    def until(self, stream: str, done: Callable[[], bool], work: Callable[[], Any]) -> None:
        """By ourselves, or by waiting for the workers."""
        if not self.queue:
            work()
            return
        while not done():
            self.bar(self.state(stream))
            time.sleep(0.2)

    def round_is(self, stream: str, status: str) -> bool:
        now = self.state(stream).now
        assert now is not None
        if now.status == "stuck":
            raise CommandError(f"round {now.number} cannot be paired.")
        return now.status == status

    def play(self, stream: str) -> None:
        """The games of the round, one after the other, through the same write path as everybody's."""
        tasks.run_house(stream)
        while waiting := list(
            MatchGame.objects.filter(tournament=stream, reported=False).values_list("game", flat=True)
        ):
            for game in waiting:
                while not heads.current(game).state.ended:
                    if not bots.play_on(game):
                        raise CommandError(f"{game} waits for nobody and does not end.")
                play.report(game)
                self.bar(self.state(stream))

    # --- saying so ---

    def draft_bar(self, state: Tournament) -> None:
        found = state.preparing
        if found and not self.quiet and sys.stderr.isatty():
            picks, most = 0, 0
            for pod in found.pods:
                table = heads.current(pod.draft).state.table if pod.draft else None
                picks += sum(seat.n.get("picks", 0) for seat in table.seats) if table else 0
                most += PICKS * len(pod.players)
            filled = min(WIDTH, WIDTH * picks // max(1, most))
            shown = f"[{'#' * filled}{'.' * (WIDTH - filled)}] {picks} picks"
            self.stderr.write(f"\r  {found.status:9} {shown}", ending="")
            self.stderr.flush()

    def clear(self) -> None:
        if sys.stderr.isatty() and not self.quiet:
            self.stderr.write("\r" + " " * (WIDTH + 40) + "\r", ending="")

    def say(self, line: str) -> None:
        if not self.quiet:
            self.stdout.write(line)
            self.stdout.flush()

    def bar(self, state: Tournament) -> None:
        now = state.now
        if self.quiet or now is None or not sys.stderr.isatty():
            return
        done = len(now.matches) - len(state.open_matches())
        filled = WIDTH * done // max(1, len(now.matches))
        self.stderr.write(
            f"\r  round {now.number} [{'#' * filled}{'.' * (WIDTH - filled)}] {done}/{len(now.matches)}", ending=""
        )
        self.stderr.flush()

    def told(self, state: Tournament) -> None:
        now = state.now
        assert now is not None
        self.clear()
        top = ", ".join(f"#{line.number} {line.tally.points}" for line in folds.ranking(state).lines[:5])
        kind = state.rules_.stages[now.stage].kind
        seconds = time.monotonic() - self.began
        self.say(f"  round {now.number:2} {kind:6} {len(now.matches):4} tables  {seconds:6.1f} s  leading: {top}")

    # --- and checking it ---

    def examine(self, stream: str, players: int) -> dict[str, Any]:
        """Verify the stream, pair every round again from the public log, replay the standings, verify a few games."""
        state, key = self.state(stream), store.stream_key(stream)
        assert key is not None
        faults: list[str] = []

        def verified(one: str) -> bool:
            found = verification.check(one)
            faults.extend([] if found.ok else [f"{one}: {found}"])
            return found.ok

        replayed = heads.fold(heads.beginning(key), store.read(stream)).state
        games = list(MatchGame.objects.filter(tournament=stream).order_by("game").values_list("game", flat=True))
        pods = PodDraft.objects.filter(tournament=stream).order_by("stage", "pod")
        drafted = list(pods.values_list("draft", flat=True))
        others = [export.export(one, None) for one in [*drafted, *games[:3]]]
        rounds, words = checker.examine(export.export(stream, None), others=others)
        report = {
            "tournament": stream, "players": players, "rounds": len(state.rounds), "games": len(games),
            "events": state.seq, "champion": folds.final_order(state)[0], "phase": state.phase,
            "verified": verified(stream), "rounds_recomputed": len(rounds), "drafts": len(drafted),
            "drafts_verified": sum(verified(draft) for draft in drafted), "checked": words, "faults": faults,
            "replay_equals_standings": exports.standings(replayed) == exports.standings(state),
            "games_verified": sum(verified(game) for game in games[:3]),
            "seconds": round(time.monotonic() - self.began, 1),
        }  # fmt: skip
        report["ok"] = (
            report["phase"] == "over" and report["verified"] and report["replay_equals_standings"]
            and report["rounds_recomputed"] == len(state.rounds) and report["games_verified"] == min(3, len(games))
            and report["drafts_verified"] == len(drafted)
        )  # fmt: skip
        return report

    def show(self, stream: str, report: dict[str, Any]) -> None:
        for fault in report["faults"]:
            self.stderr.write(fault)
        state = self.state(stream)
        found = folds.ranking(state)
        self.say(f"\n  {'':4}{'entrant':10}{'points':>7}  " + "".join(f"{name:>9}" for name in found.family.order))
        for line in found.lines[:8]:
            shown = line.shown(found.family)
            breaks = "".join(f"{one['decimal']:>9}" for one in shown["tiebreaks"])
            self.say(f"  {line.rank:3} #{line.number:<9}{shown['points']:>7}  {breaks}")
        self.say(f"\n  champion: #{report['champion']}")
        for name in (
            "verified",
            "rounds_recomputed",
            "drafts_verified",
            "replay_equals_standings",
            "games_verified",
            "games",
            "events",
            "seconds",
        ):
            self.say(f"  {name.replace('_', ' '):26}{report[name]}")
