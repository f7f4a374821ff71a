from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        from accounts.signals import person_leaves
        from events import commands
        from tournaments import decider, lists, services, tasks  # noqa: F401 - the decider registers itself

        person_leaves.connect(services.say_farewell, dispatch_uid="tournaments")
        commands.LISTENERS += [lists.appended, tasks.appended]
