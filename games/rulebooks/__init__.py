"""One folder per game: its rules, its cards as data, its card text. No Django, and no rulebook knows another."""
