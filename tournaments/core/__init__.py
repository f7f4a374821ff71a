"""The mathematics of tournaments: pairing, brackets, pods, standings. Pure functions over plain numbers; no Django, no
clock, no global randomness, so that anybody can recompute any round from the public log."""
