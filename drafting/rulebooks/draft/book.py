from games.kernel import Rulebook

book = Rulebook("draft", version=1, title="Draft", seats=range(2, 13), kind="draft")
