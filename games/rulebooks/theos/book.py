"""The rulebook object that the steps and questions of the other files register with."""

from games.kernel.rulebook import Rulebook

book = Rulebook("theos", version=1, title="Theos", seats=range(2, 7))
book.goal = 20_000
