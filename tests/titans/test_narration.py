"""The record as players read it: what happened in the words of the rulebook, and no more than the viewer may know."""

from games.kernel import Teller, rulebook

from .scene import A, B, scene


def told(game, viewer):
    """The whole record of a scene, as this viewer reads it."""
    return Teller(rulebook("titans"), viewer).tell(game.scenario.told)


def test_a_commitment_tells_its_source_and_to_its_owner_the_card():
    game = scene(age=1, hand_a=["Jace"], deck_a=["Akari"], hand_b=["Monk"], deck_b=["Monk"])
    game.commit(A, "Jace").commit(B, "top")
    assert "Seat 0 commits Jace, Winter's Firstborn in arena 1." in told(game, A)
    assert "Seat 0 commits a card in arena 1." in told(game, B)
    for viewer in (A, B, None):
        assert "Seat 1 commits a card from the top of the deck in arena 1." in told(game, viewer)
        assert "Revealed in arena 1 for seat 0: Jace, Winter's Firstborn." in told(game, viewer)


def test_what_is_declined_is_said():
    game = scene(age=1, hand_a=["Glorious Phoenix", "Monk"], hand_b=["Monk"]).reveal("Monk", "Monk").skip("awaken")
    assert {"Seat 0 awakens nothing.", "Seat 1 awakens nothing."} <= set(told(game, None))
    game = scene(a=["Monk"], hand_a=["Glorious Phoenix", "Monk"], hand_b=["Monk"]).reveal("Glorious Phoenix", "Monk")
    game.commit(A).choose(A, "take_back")
    assert "Seat 0 declines Return." in told(game, None)
