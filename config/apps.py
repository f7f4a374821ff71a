from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        """Every process that has apps has the task queue: `@shared_task` binds to it, wherever it is called from."""
        from config import celery  # noqa: F401
