"""The line with the question to the person, or with the reason for waiting."""

from typing import Final

from matcha_p2p.console.table.bars import MARK, filled, framed_question, over
from matcha_p2p.console.table.focus import AtTable
from matcha_p2p.console.terminal.cells import (
    Line,
    clicked,
    wrapped,
)
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


def prompt_line(scene: screen_scene.Scene, columns: int, margin: int, skin: Skin) -> Line:
    """Return the line: a question, a line of talk being written, or the reason for waiting.

    margin: cells that stay empty at its left. A line with a question is marked.
    """
    return filled(_prompt(scene, columns - margin, skin), columns, margin)


def prompt_rest(scene: screen_scene.Scene, columns: int, margin: int) -> list[Line]:
    """Return the lines after the first; while a card is turned up, the whole text is shown."""
    framed = framed_question(scene.focus, columns - margin)
    if framed is not None:
        return [filled(line, columns, margin) for line in framed[1:]]
    if not scene.moment.runs or scene.focus != AtTable() or scene.watched is not None:
        return []
    _, *rest = _in_lines(scene.work, columns - margin)
    return [filled([("class:due", f" {line}")], columns, margin) for line in rest]


def _in_lines(text: str, columns: int) -> list[str]:
    return wrapped(text, columns - 2)


def _prompt(scene: screen_scene.Scene, columns: int, skin: Skin) -> Line:
    if scene.watched is not None:
        return [("class:due", f" {scene.watched.position}")]
    framed = framed_question(scene.focus, columns)
    if framed is not None:
        return framed[0]
    if scene.moment.runs:
        return [("class:due", f" {_in_lines(scene.work, columns)[0]}")]
    if scene.end is not None:
        return [(f"class:due {clicked('enter')}", f"{MARK}{over(scene)}")]
    if scene.asked:
        style = f"class:due {clicked('enter')}" if _confirms(scene.question) else "class:due"
        return [(style, f"{MARK}{_question(scene.question, skin)}")]
    return [("", f" {_waiting(scene)}")]


def _confirms(question: screen_scene.Question) -> bool:
    match question:
        case screen_scene.Ready():
            return True
        case _:
            return False


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


def foreseen(scene: screen_scene.Scene, cells: int, skin: Skin) -> list[str]:
    """Return the forecast of the chosen card at each free mat, a mat a line."""
    match scene.question:
        case screen_scene.Aiming(observation, slot) | screen_scene.Ready(
            observation, Play(slot=slot)
        ) if scene.watched is None:
            told = [foretold(each, signs_of(skin).card) for each in forecast(observation, slot)]
            return [line for sentence in told for line in wrapped(sentence, cells)]
        case _:
            return []
