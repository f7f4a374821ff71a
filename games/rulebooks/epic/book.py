"""The rulebook object that the steps and questions of the other files register with."""

from games.kernel.rulebook import Rulebook

book = Rulebook("epic", version=1, title="Epic", seats=range(2, 7), draws=True)
book.goal = 10_000
