"""The rulebook object that the steps and questions of the other files register with."""

from games.kernel import Rulebook

book = Rulebook("titans", version=1, title="Titans of Eden", seats=range(2, 7))
book.goal = 20_000
