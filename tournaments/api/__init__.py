"""Tournaments over HTTP: for organisers, judges, players and everybody who wants to look."""
