"""The line with the question to the person, or with the reason for waiting."""

from collections.abc import Sequence
from typing import Final

from matcha_p2p.console.terminal import cells as terminal_cells
from matcha_p2p.console.terminal.keyboard import narrow
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.matcha.rules.moves import Keep, Move, Pass, Play
from matcha_p2p.games.matcha.rules.notation import MATS
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.rules.phases import Keeping, Placing
from matcha_p2p.games.matcha.screen import coach
from matcha_p2p.games.matcha.screen import scene as screen_scene
from matcha_p2p.games.matcha.screen.drawing.forecast import forecast, foretold
from matcha_p2p.games.matcha.screen.moments import MOST_DOTS, Moment
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


def prompt_line(
    scene: screen_scene.Scene, columns: int, margin: int, skin: Skin
) -> terminal_cells.Line:
    """Return the line: a question, a line of talk being written, or the reason for waiting.

    margin: cells that stay empty at its left. A line with a question is marked.
    """
    return _filled(_prompt(scene, columns - margin, skin), columns, margin)


def prompt_rest(
    scene: screen_scene.Scene, columns: int, margin: int
) -> list[terminal_cells.Line]:
    """Return the lines after the first; while a card is turned up, the whole text is shown."""
    if (
        not scene.moment.runs
        or scene.focus != screen_scene.AtTable()
        or scene.watched is not None
    ):
        return []
    _, *rest = _in_lines(scene.work, columns - margin)
    return [_filled([("class:due", f" {line}")], columns, margin) for line in rest]


def _filled(line: terminal_cells.Line, columns: int, margin: int) -> terminal_cells.Line:
    asks = any(style.startswith("class:due") for style, _ in line)
    whole = terminal_cells.fit_line(
        [(style, " " * margin) for style, _ in line[:1]] + line, columns
    )
    return [(f"class:due {style}", text) for style, text in whole] if asks else whole


def _in_lines(text: str, columns: int) -> list[str]:
    return terminal_cells.wrapped(text, columns - 2)


def _prompt(scene: screen_scene.Scene, columns: int, skin: Skin) -> terminal_cells.Line:
    if scene.watched is not None:
        return [("class:due", f" {scene.watched.position}")]
    match scene.focus:
        case screen_scene.Talking(draft):
            return _draft(draft, columns)
        case screen_scene.Leaving(at):
            return _partings(scene, at)
        case screen_scene.Admitting(sight):
            return _sights(sight)
        case screen_scene.TakingBack():
            return [
                (f"class:due {terminal_cells.clicked('enter')}", f"{_MARK}{coach.TAKE_BACK()}")
            ]
        case screen_scene.Departing():
            return [("", f" {captions.DEPARTING()}")]
        case _:
            pass
    if scene.moment.runs:
        return [("class:due", f" {_in_lines(scene.work, columns)[0]}")]
    if scene.end is not None:
        return [(f"class:due {terminal_cells.clicked('enter')}", f"{_MARK}{_over(scene)}")]
    if scene.asked:
        style = (
            f"class:due {terminal_cells.clicked('enter')}"
            if _confirms(scene.question)
            else "class:due"
        )
        return [(style, f"{_MARK}{_question(scene.question, skin)}")]
    return [("", f" {_waiting(scene)}")]


def _over(scene: screen_scene.Scene) -> str:
    """Return the keys at the end of the game."""
    after_game = scene.after_game
    if after_game is None:
        return captions.OVER()
    if after_game.allows(Proposal.BOOKS):
        return KEYS()
    return KEYS_AGAIN() if after_game.allows(Proposal.REMATCH) else WAITING(name=scene.name)


def _draft(draft: str, columns: int) -> terminal_cells.Line:
    """Return the end of the draft that fits."""
    prompt = f"{_MARK}{captions.TALK_PROMPT()} "
    room = columns - terminal_cells.width(prompt) - 1
    shown = draft
    while terminal_cells.width(shown) > room:
        shown = terminal_cells.CUT + shown[2:]
    number = phrase_of(narrow(draft))
    meaning = "" if number is None else MEANS(phrase=PHRASES[number]())
    return [
        ("class:due", prompt),
        terminal_cells.field("class:due"),
        ("class:due", f"{shown}{meaning}"),
    ]


def _partings(scene: screen_scene.Scene, at: int) -> terminal_cells.Line:
    later, *others = captions.PARTINGS
    if scene.coach is not None or scene.lesson:
        later = captions.PARTING_FOR_GOOD
    return _answers(captions.PARTING(), [answer() for answer in (later, *others)], at)


def _sights(at: Visibility) -> terminal_cells.Line:
    return _answers(audience.ASK(), [audience.ANSWERS[each]() for each in Visibility], at)


def _answers(question: str, answers: Sequence[str], at: int) -> terminal_cells.Line:
    """Return a question with its answers; the answer ``at`` is marked."""
    line: terminal_cells.Line = [("class:due", f"{_MARK}{question} ")]
    for place, answer in enumerate(answers):
        if place == at:
            line.append(("class:at", f">{answer}<"))
        else:
            line.append(("", f" {answer} "))
    return line


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
        ):
            told = [foretold(each, signs_of(skin).card) for each in forecast(observation, slot)]
            return [
                line for sentence in told for line in terminal_cells.wrapped(sentence, cells)
            ]
        case _:
            return []
