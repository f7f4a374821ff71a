from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    """Placeholder until the owner of this room writes the real one."""
