from django.apps import AppConfig


class DraftingConfig(AppConfig):
    name = "drafting"

    def ready(self) -> None:
        from drafting import decider  # noqa: F401 - it registers itself
