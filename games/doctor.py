"""What can be wrong with games, for `manage.py doctor`."""

from events import doctor
from events.commands import now_ms
from games.models import Game

FORGOTTEN_MS = 60_000  # the sweep asks for them every few seconds


@doctor.check("bots")
def bots(exam: doctor.Exam, deep: bool) -> None:
    waiting = Game.objects.filter(bots_wait=True)
    exam.summary = f"{waiting.count()} games wait for one"
    forgotten = waiting.filter(at_ms__lt=now_ms() - FORGOTTEN_MS).order_by("at_ms")
    for row in forgotten[: doctor.NAMED]:
        since = f"a bot has not answered for {doctor.age_s(row.at_ms):.0f} s"
        exam.find("bots_silent", row.stream, since, "see whether Celery's workers and beat run; their log says more")
