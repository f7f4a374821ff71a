"""Games over REST, one noun per file."""
