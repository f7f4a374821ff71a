from django.apps import AppConfig


class EventsConfig(AppConfig):
    name = "events"

    def ready(self) -> None:
        import events.audit  # noqa: F401  makes audit streams known
        from events import checkpoints, commands, deadlines, hints

        commands.LISTENERS += [lambda event, head: hints.ring(hints.APPENDED), deadlines.appended, checkpoints.appended]
