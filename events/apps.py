from django.apps import AppConfig


class EventsConfig(AppConfig):
    name = "events"

    def ready(self) -> None:
        import events.looks  # noqa: F401 - a list of what audit streams hold
        from events import audit, checkpoints, commands, deadlines, hints  # noqa: F401 - audit streams are known

        commands.LISTENERS += [lambda event, head: hints.ring(hints.APPENDED), deadlines.appended, checkpoints.appended]
