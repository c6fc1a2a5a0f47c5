"""The pane at the right: lesson or hint, talk, the set so far, the order, the goal."""

from typing import Final

from matcha_p2p.console.terminal import cells as terminal_cells
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.matcha.rules.cards import SUITS, Face, Token, number_beats, suit_beats
from matcha_p2p.games.matcha.rules.history import Resolution
from matcha_p2p.games.matcha.rules.moves import Play
from matcha_p2p.games.matcha.rules.notation import MATS
from matcha_p2p.games.matcha.rules.seats import Seat, opposite
from matcha_p2p.games.matcha.rules.state import GameState
from matcha_p2p.games.matcha.screen import scene as screen_scene
from matcha_p2p.games.matcha.screen.drawing.tokens import short_of
from matcha_p2p.games.matcha.screen.signs import signs_of, style_of
from matcha_p2p.games.matcha.words import captions, words
from matcha_p2p.narration.quick_phrases import phrase_list

_SIDE: Final = 9  # cells of each player's side in the table of the set
_LOOP: Final = 16  # cells of the order of suits, beside the order of numbers
_LEAST_TALK: Final = 3


def pane(
    scene: screen_scene.Scene, skin: Skin, cells: int, rows: int
) -> list[terminal_cells.Line]:
    """Return the pane, in exactly ``rows`` rows, each at most ``cells`` wide.

    A lesson or a hint goes first, and talk takes the room left.
    """
    game = scene.game
    if isinstance(scene.focus, screen_scene.Talking):
        sections = [phrases(cells)]
    elif game is None or not game.table:
        sections = [_advice(scene, cells)]
    else:
        sections = [
            _advice(scene, cells),
            _set_so_far(scene, game, skin),
            _order(scene.question, skin),
            _goal(scene, game, skin, cells),
        ]
    sections = _fitting([each for each in sections if each], rows - _talk_least(scene))
    taken = sum(map(len, sections))
    talk = talk_section(scene, cells, rows - taken - len(sections))
    shown = [talk, *sections] if talk and not scene.advice else [*sections, talk]
    shown = [each for each in shown if each]
    spaced = taken + len(talk) + len(shown) - 1 <= rows
    lines: list[terminal_cells.Line] = []
    for section in shown:
        lines += [[], *section] if spaced and lines else section
    return (lines + [[]] * rows)[:rows]


def _fitting(
    sections: list[list[terminal_cells.Line]], rows: int
) -> list[list[terminal_cells.Line]]:
    """Return the first of the sections that have room together."""
    shown: list[list[terminal_cells.Line]] = []
    for section in sections:
        if sum(map(len, shown)) + len(section) <= rows or not shown:
            shown.append(section)
    return shown


def _talk_least(scene: screen_scene.Scene) -> int:
    return _LEAST_TALK if scene.talk else 0


def talk_section(scene: screen_scene.Scene, cells: int, rows: int) -> list[terminal_cells.Line]:
    """Return the last talk under its heading; if nobody can talk, return no lines."""
    silent = scene.watched is not None or (scene.coach is not None and not scene.talk)
    if silent or rows < 2 or not scene.name:
        return []
    return [_talk_heading(scene), *talk_lines(scene, cells, rows - 1)]


def _talk_heading(scene: screen_scene.Scene) -> terminal_cells.Line:
    if scene.muted:
        return [("class:head", captions.TALK_MUTED())]
    if scene.unread:
        return [("class:now", captions.UNREAD(count=scene.unread))]
    return [("class:head", captions.TALK())]


def phrases(cells: int) -> list[terminal_cells.Line]:
    """Return the phrases and the numbers that say them."""
    lines = [line for phrase in phrase_list() for line in terminal_cells.wrapped(phrase, cells)]
    return [[("class:head", captions.PHRASES())], *([("", line)] for line in lines)]


def phrases_in_rows(cells: int) -> list[terminal_cells.Line]:
    """Return the phrases and their numbers, as many whole phrases in a row as fit."""
    rows: list[str] = []
    for phrase in phrase_list():
        longer = f"{rows[-1]}  {phrase}" if rows else phrase
        if rows and terminal_cells.width(longer) <= cells:
            rows[-1] = longer
        else:
            rows.append(phrase)
    return [[("", row)] for row in rows]


def talk_lines(scene: screen_scene.Scene, cells: int, rows: int) -> list[terminal_cells.Line]:
    """Return the end of the talk down to the scrolled place, each speaker named.

    At most ``rows`` lines; a message that is too long loses its end.
    """
    lines: list[terminal_cells.Line] = []
    for seat, text in reversed(scene.talk[: len(scene.talk) - scene.back]):
        said = captions.SAID_YOURS if seat == scene.seat else captions.SAID
        whole = terminal_cells.wrapped(said(name=scene.name, text=text), cells)
        if lines and len(whole) + len(lines) > rows:
            break
        lines = [[("class:talk", line)] for line in whole[:rows]] + lines
        if len(whole) > rows > 0:
            lines[-1] = [
                ("class:talk", terminal_cells.cut(whole[rows - 1] + " " * cells, cells))
            ]
    return lines


def _advice(scene: screen_scene.Scene, cells: int) -> list[terminal_cells.Line]:
    if not scene.advice:
        return []
    return [[("class:lesson", line)] for line in terminal_cells.wrapped(scene.advice, cells)]


def _set_so_far(
    scene: screen_scene.Scene, game: GameState, skin: Skin
) -> list[terminal_cells.Line]:
    """Return the judged mats: one's own card, the sign of the result, the other card."""
    near, far = scene.seat, opposite(scene.seat)
    names = "  ".join(terminal_cells.fit(scene.called(seat), _SIDE) for seat in (near, far))
    lines: list[terminal_cells.Line] = [
        [("class:head", f"{terminal_cells.fit(captions.SET(), 4)} {names}")]
    ]
    for played in game.rounds:
        told = (each for each in played.resolutions if not scene.moment.hides(each.mat))
        lines += [_mat_so_far(scene, each, skin) for each in told]
    return lines if len(lines) > 1 else []


def _mat_so_far(
    scene: screen_scene.Scene, resolution: Resolution, skin: Skin
) -> terminal_cells.Line:
    near, far = scene.seat, opposite(scene.seat)
    won, lost = resolution.gain[near], resolution.gain[far]
    sign = " "
    if resolution.revealed:
        sign = "=" if won is None and lost is None else "<" if _better(lost) else ">"
    return [
        ("", f"{MATS[resolution.mat]}    "),
        *terminal_cells.fit_line(_side(scene, resolution, near, skin), _SIDE),
        ("class:faint", f"{sign} "),
        *terminal_cells.fit_line(_side(scene, resolution, far, skin), _SIDE),
    ]


def _better(gain: Token | None) -> bool:
    return gain is not None and gain is not Token.WHISK


def _side(
    scene: screen_scene.Scene, resolution: Resolution, seat: Seat, skin: Skin
) -> terminal_cells.Line:
    """Return the card of a seat, as far as known here, and its gain."""
    slot, card = resolution.slots[seat], resolution.cards[seat]
    if slot is None:
        return [("class:faint", "-")]
    hand = scene.hand if seat == scene.seat else scene.theirs
    known = card or (hand[slot] if hand else None)
    cells = len(signs_of(skin).card(scene.game.table[0])) if scene.game is not None else 1
    shown: terminal_cells.Fragment = ("class:back", skin.back * cells)
    if known is not None:
        shown = (style_of(known.suit), signs_of(skin).card(known))
    gain = resolution.gain[seat]
    if gain is None:
        return [shown]
    return [shown, (style_of(gain), f" +{signs_of(skin).token(gain)}")]


def _order(question: screen_scene.Question, skin: Skin) -> list[terminal_cells.Line]:
    """Return the order of suits and numbers; the rows of the chosen card are lit."""
    card = _chosen_card(question)
    lines: list[terminal_cells.Line] = [[("class:head", captions.BEATS())]]
    for suit, number in zip(SUITS, (4, 3, 2, 1), strict=True):
        weaker = [
            (style_of(each), f" {signs_of(skin).token(each)}")
            for each in SUITS
            if suit_beats(suit, each)
        ]
        lower = [f" {each}" for each in (4, 3, 2, 1) if number_beats(number, each)]
        mine = card is not None and card.suit is suit
        lit = card is not None and card.number == number
        suits: terminal_cells.Line = [
            ("class:now" if mine else style_of(suit), signs_of(skin).token(suit)),
            ("class:faint", " >"),
            *weaker,
        ]
        numbers = ("class:now" if lit else "", str(number)), ("class:faint", " >")
        lines.append([*terminal_cells.fit_line(suits, _LOOP), *numbers, ("", "".join(lower))])
    return lines


def _chosen_card(question: screen_scene.Question) -> Face | None:
    match question:
        case screen_scene.Picking(observation, at) if at < len(observation.hand):
            return observation.hand[at]
        case screen_scene.Aiming(observation, slot) | screen_scene.Ready(
            observation, Play(slot=slot)
        ):
            return observation.hand[slot]
        case _:
            return None


def goal_words(game: GameState, skin: Skin) -> str:
    """Return the winning conditions."""
    edition = game.edition
    if edition.suits_alike == edition.whisks_alike:
        return captions.WINS_SAME(count=edition.suits_alike)
    return captions.WINS(
        suits=edition.suits_alike,
        whisks=edition.whisks_alike,
        whisk=signs_of(skin).token(Token.WHISK),
    )


def _goal(
    scene: screen_scene.Scene, game: GameState, skin: Skin, cells: int
) -> list[terminal_cells.Line]:
    """Return the winning conditions, and the players one token short of winning."""
    lines: list[terminal_cells.Line] = [
        [("", line)] for line in terminal_cells.wrapped(goal_words(game, skin), cells)
    ]
    for seat in (scene.seat, opposite(scene.seat)):
        short = short_of(game, seat)
        if short:
            signs = " ".join(signs_of(skin).token(token) for token in sorted(short))
            mine = seat == scene.seat and scene.watched is None
            sentence = words.SHORT_YOURS if mine else words.SHORT
            text = sentence(name=scene.names[seat], tokens=signs)
            lines += [[("class:now", line)] for line in terminal_cells.wrapped(text, cells)]
    return lines
