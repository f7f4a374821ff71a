"""How the record reads."""
