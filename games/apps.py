from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from events import commands
        from games import decider, lists, tasks, waiting  # noqa: F401 - the decider registers itself

        commands.LISTENERS += [lists.appended, tasks.appended, waiting.appended]
