"""Cards, formats, decks over REST, one noun per file."""
