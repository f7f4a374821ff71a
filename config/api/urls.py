"""Everything below /api/v1/ (owner: rest; each app includes its own urls here)."""

urlpatterns: list = []
