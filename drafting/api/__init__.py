"""Drafts over REST, one noun per file."""
