from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from events import commands
        from games import decider, doctor, lists, tasks, waiting  # noqa: F401 - decider and doctor register themselves

        commands.LISTENERS += [lists.appended, tasks.appended, waiting.appended]
