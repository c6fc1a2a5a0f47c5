"""Keys in tests, with each hint given at once."""

from matcha_p2p.console.table.frame import AskHint


def press_hinted(frame, scene, key):
    """Return the scene and the choice after a key; a hint that is asked for has come."""
    scene, choice = frame.press(scene, key)
    if not isinstance(choice, AskHint):
        return scene, choice
    return frame.hinted(scene, choice, choice.advise(choice.seen))
