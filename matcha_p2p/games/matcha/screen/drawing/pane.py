"""The pane at the right: the set so far, the order, the odds, the goal."""

from typing import Final

from matcha_p2p.console.table.layout import FactLines
from matcha_p2p.console.terminal.cells import Fragment, Line, fit, fit_line, wrapped
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.matcha.rules.cards import SUITS, Face, Token, number_beats, suit_beats
from matcha_p2p.games.matcha.rules.history import Resolution
from matcha_p2p.games.matcha.rules.moves import Play
from matcha_p2p.games.matcha.rules.notation import MATS
from matcha_p2p.games.matcha.rules.seats import Seat, opposite
from matcha_p2p.games.matcha.rules.state import GameState
from matcha_p2p.games.matcha.screen import scene as screen_scene
from matcha_p2p.games.matcha.screen.drawing.tokens import short_of
from matcha_p2p.games.matcha.screen.odds import odds
from matcha_p2p.games.matcha.screen.scene import Scene
from matcha_p2p.games.matcha.screen.signs import signs_of, style_of
from matcha_p2p.games.matcha.words import captions, words

_SIDE: Final = 9  # cells of each player's side in the table of the set
_LOOP: Final = 16  # cells of the order of suits, beside the order of numbers


def pane(scene: Scene, game: GameState, skin: Skin, cells: int) -> list[list[Line] | FactLines]:
    """Return the sections of the pane, each line at most ``cells`` wide.

    Beside advice the order comes first: the mats tell the set so far, too.
    """
    played = _set_so_far(scene, game, skin)
    short = _short_order(skin)
    order = FactLines([_order(scene.question, skin), short, short[1:]])
    return [
        *((order, played) if scene.advice else (played, order)),
        _odds(scene, cells),
        _goal(scene, game, skin, cells),
    ]


def _set_so_far(scene: Scene, game: GameState, skin: Skin) -> list[Line]:
    """Return the judged mats: one's own card, the sign of the result, the other card."""
    near, far = scene.seat, opposite(scene.seat)
    names = f"{fit(scene.called(near), _SIDE)}  {fit(scene.called(far), _SIDE)}"
    lines: list[Line] = [[("class:head", f"{fit(captions.SET(), 4)} {names}")]]
    for played in game.rounds:
        told = (each for each in played.resolutions if not scene.moment.hides(each.mat))
        lines += [_mat_so_far(scene, each, skin) for each in told]
    return lines if len(lines) > 1 else []


def _mat_so_far(scene: Scene, resolution: Resolution, skin: Skin) -> Line:
    near, far = scene.seat, opposite(scene.seat)
    won, lost = resolution.gain[near], resolution.gain[far]
    sign = " "
    if resolution.revealed:
        sign = "=" if won is None and lost is None else "<" if _better(lost) else ">"
    return [
        ("", f"{MATS[resolution.mat]}    "),
        *fit_line(_side(scene, resolution, near, skin), _SIDE),
        ("class:faint", f"{sign} "),
        *fit_line(_side(scene, resolution, far, skin), _SIDE),
    ]


def _better(gain: Token | None) -> bool:
    return gain is not None and gain is not Token.WHISK


def _side(scene: Scene, resolution: Resolution, seat: Seat, skin: Skin) -> Line:
    """Return the card of a seat, as far as known here, and its gain."""
    slot, card = resolution.slots[seat], resolution.cards[seat]
    if slot is None:
        return [("class:faint", "-")]
    hand = scene.hand if seat == scene.seat else scene.theirs
    known = card or (hand[slot] if hand else None)
    cells = len(signs_of(skin).card(scene.game.table[0])) if scene.game is not None else 1
    shown: Fragment = ("class:back", skin.back * cells)
    if known is not None:
        shown = (style_of(known.suit), signs_of(skin).card(known))
    gain = resolution.gain[seat]
    if gain is None:
        return [shown]
    return [shown, (style_of(gain), f" +{signs_of(skin).token(gain)}")]


def _odds(scene: Scene, cells: int) -> list[Line]:
    """Return, in practice, how many hidden cards match at each open mat, and the odds."""
    if not scene.coached or isinstance(scene.question, screen_scene.Waiting):
        return []
    found = odds(scene.question.observation)
    head = captions.ODDS(name=scene.name)
    if all(each.held is None for each in found):
        head = captions.ODDS_ALONE()
    lines: list[Line] = [[("class:head", line)] for line in wrapped(head, cells)]
    for each in found:
        count = captions.ODDS_COUNT(count=each.matching, hidden=each.hidden)
        held = "" if each.held is None else f"{each.held:.0%}"
        text = f"{fit(MATS[each.mat], 4)} {fit(count, _SIDE)}  {held:>4}".rstrip()
        lines.append([("" if each.matching else "class:faint", text)])
    return lines


def _order(question: screen_scene.Question, skin: Skin) -> list[Line]:
    """Return the order of suits and numbers; the rows of the chosen card are lit."""
    card = _chosen_card(question)
    lines: list[Line] = [[("class:head", captions.BEATS())]]
    for suit, number in zip(SUITS, (4, 3, 2, 1), strict=True):
        weaker = [
            (style_of(each), f" {signs_of(skin).token(each)}")
            for each in SUITS
            if suit_beats(suit, each)
        ]
        lower = [f" {each}" for each in (4, 3, 2, 1) if number_beats(number, each)]
        mine = card is not None and card.suit is suit
        lit = card is not None and card.number == number
        suits: Line = [
            ("class:now" if mine else style_of(suit), signs_of(skin).token(suit)),
            ("class:faint", " >"),
            *weaker,
        ]
        numbers = ("class:now" if lit else "", str(number)), ("class:faint", " >")
        lines.append([*fit_line(suits, _LOOP), *numbers, ("", "".join(lower))])
    return lines


def _short_order(skin: Skin) -> list[Line]:
    """Return the order of suits in a line, and the order of numbers in another."""
    suits, numbers = list[Fragment](), list[str]()
    for suit, number in zip(SUITS, (4, 3, 2, 1), strict=True):
        suits += [(style_of(suit), f" {signs_of(skin).token(suit)}"), ("class:faint", ">")]
        suits += [
            (style_of(each), signs_of(skin).token(each))
            for each in SUITS
            if suit_beats(suit, each)
        ]
        weaker = "".join(str(each) for each in (4, 3, 2, 1) if number_beats(number, each))
        numbers.append(f"{number}>{weaker}")
    suits[0] = suits[0][0], suits[0][1].lstrip()
    return [[("class:head", captions.BEATS())], suits, [("", "  ".join(numbers))]]


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


def _goal(scene: Scene, game: GameState, skin: Skin, cells: int) -> list[Line]:
    """Return the winning conditions, and the players one token short of winning."""
    lines: list[Line] = [[("", line)] for line in wrapped(goal_words(game, skin), cells)]
    for seat in (scene.seat, opposite(scene.seat)):
        short = short_of(game, seat)
        if short:
            signs = " ".join(signs_of(skin).token(token) for token in sorted(short))
            mine = seat == scene.seat and scene.watched is None
            sentence = words.SHORT_YOURS if mine else words.SHORT
            text = sentence(name=scene.names[seat], tokens=signs)
            lines += [[("class:now", line)] for line in wrapped(text, cells)]
    return lines
