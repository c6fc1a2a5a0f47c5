"""What the rules say of the marked move: for the page that w opens."""

from collections.abc import Collection

from matcha_p2p.games.matcha.lessons import rulebook
from matcha_p2p.games.matcha.rules.moves import Pass, Play
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.screen import scene as screen_scene
from matcha_p2p.games.matcha.screen.drawing.forecast import forecast, foretold
from matcha_p2p.games.matcha.words.narrator import demand_words
from matcha_p2p.games.matcha.words.words import NUMBERED, card_words


def marked_move(scene: screen_scene.Scene) -> tuple[str, ...]:
    """Return what the rules say of the marked card on each mat, or of the marked pass.

    (): no such move is marked.
    """
    match scene.question:
        case screen_scene.Ready(seen, Play(mat, slot)):
            return _laid(seen, slot, [mat])
        case screen_scene.Aiming(seen, slot):
            return _laid(seen, slot, screen_scene.free_mats(seen))
        case screen_scene.Picking(seen, slot) if slot != screen_scene.PASSING:
            return _laid(seen, slot, screen_scene.free_mats(seen))
        case screen_scene.Picking(seen) | screen_scene.Ready(seen, Pass()):
            return rulebook.turns_of(seen.game.edition), rulebook.PASSING()
        case _:
            return ()


def _laid(seen: Observation, slot: int, mats: Collection[int]) -> tuple[str, ...]:
    card = card_words(seen.hand[slot])
    told = [NUMBERED(number=slot + 1, card=card)]
    for each in forecast(seen, slot):
        if each.mat in mats:
            told += [demand_words(each.mat, each.shown), foretold(each, card_words), ""]
    return tuple(told[:-1])
