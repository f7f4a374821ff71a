from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        """Every process that has apps has the task queue: `@shared_task` binds to it, wherever it is called from.
        And the rooms that must not know each other are introduced here."""
        from accounts.models import User
        from accounts.signals import person_erased
        from config import celery  # noqa: F401
        from events import participants

        def forget(person: User, **_: object) -> None:
            participants.erase(person.pk)

        person_erased.connect(forget, weak=False, dispatch_uid="participants")
