"""The line with the question to the person, or with the reason for waiting."""

from typing import Final

from matcha_p2p.console.table.bars import asks, over, tells
from matcha_p2p.console.terminal.cells import Fragment
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.matcha.rules.moves import Keep, Move, Pass, Play
from matcha_p2p.games.matcha.rules.notation import MATS
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.rules.phases import Keeping, Placing
from matcha_p2p.games.matcha.screen import scene as screen_scene
from matcha_p2p.games.matcha.screen.drawing.forecast import forecast, foretold
from matcha_p2p.games.matcha.screen.moments import MOST_DOTS, Moment
from matcha_p2p.games.matcha.screen.signs import signs_of
from matcha_p2p.games.matcha.words import captions, words
from matcha_p2p.games.matcha.words.words import card_words, mats_to_choose

_LONG: Final = 10
"""Seconds of thinking from which on the line shows the time."""


def prompt(scene: screen_scene.Scene, skin: Skin) -> Fragment:
    """Return the question, or the reason for waiting."""
    if scene.moment.runs:
        return "class:due", f" {scene.work}"
    if scene.end is not None:
        return asks(over(scene))
    if scene.asked:
        key = "enter" if isinstance(scene.question, screen_scene.Ready) else ""
        return asks(_question(scene.question, skin), key)
    return tells(_waiting(scene))


def _question(question: screen_scene.Question, skin: Skin) -> str:
    match question:
        case screen_scene.Waiting():
            return ""
        case screen_scene.Ready(observation, move):
            return _confirmation(observation, move, skin)
        case screen_scene.Picking(observation):
            return captions.PICK(mats=_mats(observation))
        case screen_scene.Aiming(observation, slot):
            card = card_words(observation.hand[slot])
            return captions.AIM(card=card, mats=_mats(observation))
        case screen_scene.Sorting():
            return captions.KEEP_WHICH()


def _confirmation(observation: Observation, move: Move, skin: Skin) -> str:
    match move:
        case Play(mat, slot):
            card = card_words(observation.hand[slot])
            return captions.SEAL(card=card, mat=MATS[mat])
        case Pass():
            once = observation.game.edition.turns is not None
            return captions.SKIP() if once else captions.SIT_OUT()
        case Keep(slots):
            cards = " ".join(
                signs_of(skin).card(observation.hand[slot]) for slot in sorted(slots)
            )
            return captions.KEEP(cards=cards) if cards else captions.KEEP_NONE()


def _waiting(scene: screen_scene.Scene) -> str:
    if scene.work or scene.game is None:
        return scene.work
    match scene.game.phase:
        case Placing(to_move) if to_move != scene.seat:
            return words.THEIR_MOVE(name=scene.name) + _patience(scene.moment)
        case Keeping():
            return captions.THEIR_CHOICE(name=scene.name) + _patience(scene.moment)
        case _:
            return captions.SENT()


def _patience(moment: Moment) -> str:
    """Return dots that come and go, and after a while the time waited."""
    dots = f"{' .' * moment.dots:<{2 * MOST_DOTS}}"
    if moment.waited < _LONG:
        return dots.rstrip()
    return f"{dots}  {moment.waited // 60}:{moment.waited % 60:02}"


def _mats(observation: Observation) -> str:
    return mats_to_choose(screen_scene.free_mats(observation))


def foreseen(scene: screen_scene.Scene, skin: Skin) -> list[list[str]]:
    """Return the forecasts of the chosen card at all free mats, and at the marked one alone."""
    match scene.question:
        case screen_scene.Aiming(observation, slot, at) | screen_scene.Ready(
            observation, Play(at, slot)
        ) if scene.watched is None:
            found = forecast(observation, slot)
            named = signs_of(skin).card
            return [
                [foretold(each, named) for each in found],
                [foretold(each, named) for each in found if each.mat == at],
            ]
        case _:
            return []
