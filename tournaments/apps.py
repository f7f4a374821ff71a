from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        from events import commands
        from tournaments import decider, lists, tasks  # noqa: F401 - the decider registers itself

        commands.LISTENERS += [lists.appended, tasks.appended]
