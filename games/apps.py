from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from accounts.signals import person_leaves
        from events import commands
        from games import decider, doctor, lists, services, tasks, waiting  # noqa: F401 - decider and doctor register themselves

        person_leaves.connect(services.say_farewell, dispatch_uid="games")
        commands.LISTENERS += [lists.appended, tasks.appended, waiting.appended]
