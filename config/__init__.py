"""Settings, servers and the two commands: everything that puts the rooms together."""
