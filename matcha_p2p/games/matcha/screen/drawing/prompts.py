"""The line with the question to the person, or with the reason for waiting."""

from collections.abc import Sequence
from typing import Final

from matcha_p2p.console.terminal.cells import (
    CUT,
    Line,
    clicked,
    field,
    fit_line,
    width,
    wrapped,
)
from matcha_p2p.console.terminal.keyboard import narrow
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.matcha.rules.moves import Keep, Move, Pass, Play
from matcha_p2p.games.matcha.rules.notation import MATS
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.rules.phases import Keeping, Placing
from matcha_p2p.games.matcha.screen import coach
from matcha_p2p.games.matcha.screen.drawing.forecast import forecast, foretold
from matcha_p2p.games.matcha.screen.moments import MOST_DOTS, Moment
from matcha_p2p.games.matcha.screen.scene import (
    Admitting,
    Aiming,
    AtTable,
    Departing,
    Leaving,
    Picking,
    Question,
    Ready,
    Scene,
    Sorting,
    TakingBack,
    Talking,
    Waiting,
    free_mats,
)
from matcha_p2p.games.matcha.screen.signs import signs_of
from matcha_p2p.games.matcha.words import captions, words
from matcha_p2p.games.matcha.words.words import card_words, mats_to_choose
from matcha_p2p.narration import audience
from matcha_p2p.narration.after_game import KEYS, KEYS_AGAIN, WAITING
from matcha_p2p.narration.quick_phrases import MEANS, PHRASES, phrase_of
from matcha_p2p.wire.talk import Proposal, Visibility

_LONG: Final = 10
"""Seconds of thinking from which on the line shows the time."""

_MARK: Final = "> "
"""Begins the line of a question, as in line mode."""


def prompt_line(scene: Scene, columns: int, margin: int, skin: Skin) -> Line:
    """Return the line: a question, a line of talk being written, or the reason for waiting.

    margin: cells that stay empty at its left. A line with a question is marked.
    """
    return _filled(_prompt(scene, columns - margin, skin), columns, margin)


def prompt_rest(scene: Scene, columns: int, margin: int) -> list[Line]:
    """Return the lines after the first; while a card is turned up, the whole text is shown."""
    if not scene.moment.runs or scene.focus != AtTable() or scene.watched is not None:
        return []
    _, *rest = _in_lines(scene.work, columns - margin)
    return [_filled([("class:due", f" {line}")], columns, margin) for line in rest]


def _filled(line: Line, columns: int, margin: int) -> Line:
    asks = any(style.startswith("class:due") for style, _ in line)
    whole = fit_line([(style, " " * margin) for style, _ in line[:1]] + line, columns)
    return [(f"class:due {style}", text) for style, text in whole] if asks else whole


def _in_lines(text: str, columns: int) -> list[str]:
    return wrapped(text, columns - 2)


def _prompt(scene: Scene, columns: int, skin: Skin) -> Line:
    if scene.watched is not None:
        return [("class:due", f" {scene.watched.position}")]
    match scene.focus:
        case Talking(draft):
            return _draft(draft, columns)
        case Leaving(at):
            return _partings(scene, at)
        case Admitting(sight):
            return _sights(sight)
        case TakingBack():
            return [(f"class:due {clicked('enter')}", f"{_MARK}{coach.TAKE_BACK()}")]
        case Departing():
            return [("", f" {captions.DEPARTING()}")]
        case _:
            pass
    if scene.moment.runs:
        return [("class:due", f" {_in_lines(scene.work, columns)[0]}")]
    if scene.end is not None:
        return [(f"class:due {clicked('enter')}", f"{_MARK}{_over(scene)}")]
    if scene.asked:
        style = f"class:due {clicked('enter')}" if _confirms(scene.question) else "class:due"
        return [(style, f"{_MARK}{_question(scene.question, skin)}")]
    return [("", f" {_waiting(scene)}")]


def _over(scene: Scene) -> str:
    """Return the keys at the end of the game."""
    after_game = scene.after_game
    if after_game is None:
        return captions.OVER()
    if after_game.allows(Proposal.BOOKS):
        return KEYS()
    return KEYS_AGAIN() if after_game.allows(Proposal.REMATCH) else WAITING(name=scene.name)


def _draft(draft: str, columns: int) -> Line:
    """Return the end of the draft that fits."""
    prompt = f"{_MARK}{captions.TALK_PROMPT()} "
    room = columns - width(prompt) - 1
    shown = draft
    while width(shown) > room:
        shown = CUT + shown[2:]
    number = phrase_of(narrow(draft))
    meaning = "" if number is None else MEANS(phrase=PHRASES[number]())
    return [("class:due", prompt), field("class:due"), ("class:due", f"{shown}{meaning}")]


def _partings(scene: Scene, at: int) -> Line:
    later, *others = captions.PARTINGS
    if scene.coach is not None or scene.lesson:
        later = captions.PARTING_FOR_GOOD
    return _answers(captions.PARTING(), [answer() for answer in (later, *others)], at)


def _sights(at: Visibility) -> Line:
    return _answers(audience.ASK(), [audience.ANSWERS[each]() for each in Visibility], at)


def _answers(question: str, answers: Sequence[str], at: int) -> Line:
    """Return a question with its answers; the answer ``at`` is marked."""
    line: Line = [("class:due", f"{_MARK}{question} ")]
    for place, answer in enumerate(answers):
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
            return captions.PICK(mats=_mats(observation))
        case Aiming(observation, slot):
            card = card_words(observation.hand[slot])
            return captions.AIM(card=card, mats=_mats(observation))
        case Sorting():
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


def _waiting(scene: Scene) -> str:
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
    return mats_to_choose(free_mats(observation))


def foreseen(scene: Scene, cells: int, skin: Skin) -> list[str]:
    """Return the forecast of the chosen card at each free mat, a mat a line."""
    match scene.question:
        case Aiming(observation, slot) | Ready(observation, Play(slot=slot)):
            told = [foretold(each, signs_of(skin).card) for each in forecast(observation, slot)]
            return [line for sentence in told for line in wrapped(sentence, cells)]
        case _:
            return []
