"""The line on which the person is asked, or told what everybody waits for."""

from matcha_p2p.console import captions, words
from matcha_p2p.console.cells import CUT, Line, clicked, width
from matcha_p2p.console.scene import (
    Aiming,
    Departing,
    Parting,
    Picking,
    Question,
    Ready,
    Scene,
    Sorting,
    Talking,
    Waiting,
    free_mats,
)
from matcha_p2p.console.skins import Skin
from matcha_p2p.console.words import card_words
from matcha_p2p.rules.moves import Keep, Move, Pass, Play
from matcha_p2p.rules.notation import MATS
from matcha_p2p.rules.observation import Observation
from matcha_p2p.rules.phases import Keeping, Placing

CURSOR = ("[SetCursorPosition]", "")
"""Where the cursor of the terminal stands: input methods open their windows there."""


def prompt_line(scene: Scene, columns: int, skin: Skin) -> Line:
    """Return the line: a question, a line of talk that is written, or what is waited for."""
    match scene.focus:
        case Talking(draft):
            return _draft(draft, columns)
        case Parting(at):
            return _partings(at)
        case Departing():
            return [("", f" {captions.DEPARTING}")]
        case _:
            pass
    if scene.end is not None:
        return [(f"class:due {clicked('enter')}", f" {captions.OVER}")]
    if scene.asked:
        style = f"class:due {clicked('enter')}" if _confirms(scene.question) else "class:due"
        return [(style, f" {_question(scene.question, skin)}")]
    return [("", f" {_waiting(scene)}")]


def _draft(draft: str, columns: int) -> Line:
    """Return the end of the draft, as much as there is room for."""
    room = columns - width(captions.TALK_PROMPT) - 1
    shown = draft
    while width(shown) > room:
        shown = CUT + shown[2:]
    return [("class:due", captions.TALK_PROMPT), ("", shown), CURSOR]


def _partings(at: int) -> Line:
    line: Line = [("class:due", captions.PARTING)]
    for place, answer in enumerate(captions.PARTINGS):
        if place == at:
            line.append(("class:at", f">{answer}<"))
        else:
            line.append(("", f" {answer} "))
    return line


def _confirms(question: Question) -> bool:
    match question:
        case Ready():
            return True
        case _:
            return False


def _question(question: Question, skin: Skin) -> str:
    match question:
        case Waiting():
            return ""
        case Ready(observation, move):
            return _confirmation(observation, move, skin)
        case Picking(observation):
            return captions.PICK.format(mats=_mats(observation))
        case Aiming(observation, slot):
            card = card_words(observation.hand[slot]).capitalize()
            return captions.AIM.format(card=card, mats=_mats(observation))
        case Sorting():
            return captions.KEEP_WHICH


def _confirmation(observation: Observation, move: Move, skin: Skin) -> str:
    match move:
        case Play(mat, slot):
            card = card_words(observation.hand[slot])
            return captions.SEAL.format(card=card, mat=MATS[mat])
        case Pass():
            once = observation.game.edition.turns is not None
            return captions.SKIP if once else captions.SIT_OUT
        case Keep(slots):
            cards = " ".join(skin.card(observation.hand[slot]) for slot in sorted(slots))
            return captions.KEEP.format(cards=cards) if cards else captions.KEEP_NONE


def _waiting(scene: Scene) -> str:
    if scene.work or scene.game is None:
        return scene.work
    match scene.game.phase:
        case Placing(to_move) if to_move != scene.seat:
            return captions.THEIR_MOVE.format(name=scene.name)
        case Keeping():
            return captions.THEIR_CHOICE.format(name=scene.name)
        case _:
            return captions.SENT


def _mats(observation: Observation) -> str:
    return words.OR.join(MATS[mat] for mat in free_mats(observation))
