"""The tokens of a player as five tracks, each as long as the number that wins."""

from typing import Final

from matcha_p2p.console.terminal.cells import Line
from matcha_p2p.console.terminal.skins import Skin
from matcha_p2p.games.matcha.rules.cards import Token
from matcha_p2p.games.matcha.rules.phases import Ended, How
from matcha_p2p.games.matcha.rules.scoring import add, condition
from matcha_p2p.games.matcha.rules.seats import Seat, opposite
from matcha_p2p.games.matcha.rules.state import GameState
from matcha_p2p.games.matcha.screen.scene import Scene
from matcha_p2p.games.matcha.screen.signs import signs_of, style_of
from matcha_p2p.games.matcha.table.events import GameEnded

_ALL: Final = 99


def short_of(game: GameState, seat: Seat) -> frozenset[Token]:
    """Return the tokens of which one more makes ``seat`` win, while the game goes on."""
    edition, tokens = game.edition, game.tokens[seat]
    match game.phase:
        case Ended():
            return frozenset()
        case _ if condition(edition, tokens) is not None:
            return frozenset()
        case _:
            return frozenset(
                token
                for token in Token
                if condition(edition, add(tokens, (token,))) is not None
            )


def meeting(end: GameEnded) -> tuple[Token, ...]:
    """Return the tokens with which the winner meets a condition (R18), one by one."""
    winner = end.ended.winner
    if winner is None:
        return ()
    own = end.tokens[winner]
    most = max(Token, key=lambda token: own[token])
    alike = (most,) * own[most]
    match end.ended.how:
        case How.ALIKE:
            return alike
        case How.FIVE_KINDS:
            return tuple(Token)
        case How.TIE_BREAK | How.FURTHER_ROUNDS:
            return tuple(Token) if all(own) else alike
        case How.LAST_SET | How.RESIGNED | How.DRAW:
            return ()


def deciding(end: GameEnded) -> tuple[Token, int, int] | None:
    """Return the kind that breaks a tie (R19), with the winner's and the loser's counts."""
    winner = end.ended.winner
    if winner is None:
        return None
    more, fewer = end.tokens[winner], end.tokens[opposite(winner)]
    match end.ended.how:
        case How.TIE_BREAK | How.FURTHER_ROUNDS | How.LAST_SET:
            kind = next(token for token in Token if more[token] != fewer[token])
            return kind, more[kind], fewer[kind]
        case _:
            return None


def winning(end: GameEnded) -> tuple[Token, ...]:
    """Return the winning tokens in the order in which they light up: a tie-break last."""
    met, tie = meeting(end), deciding(end)
    if tie is None:
        return met
    kind, more, _ = tie
    return *met, *(kind,) * (more - met.count(kind))


def track(scene: Scene, game: GameState, seat: Seat, skin: Skin, *, counted: bool) -> Line:
    """Return the five tracks of ``seat``. counted: with the number of kinds at the end."""
    tokens, edition = game.tokens[seat], game.edition
    short = short_of(game, seat)
    lit = _lit(scene, seat)
    signs = signs_of(skin)
    line: Line = []
    for token in Token:
        need = edition.whisks_alike if token is Token.WHISK else edition.suits_alike
        style = style_of(token)
        if _flashes(scene, game, seat, token):
            style = "class:at"
        elif token in short or token in lit:
            style = "class:now"
        won = min(lit.count(token), tokens[token])
        held = signs.held * (tokens[token] - won)
        free = signs.free * (need - tokens[token])
        line += [(style, f"{signs.letter(token)}{signs.won * won}{held}{free}"), ("", " ")]
    if not counted:
        return line[:-1]
    kinds = len(Token) - tokens.count(0)
    style = "class:now" if kinds >= len(Token) - 1 else "class:faint"
    return [*line, (style, f"{kinds}/{len(Token)}")]


def _lit(scene: Scene, seat: Seat) -> tuple[Token, ...]:
    """Return the winning tokens of ``seat`` that light up."""
    if scene.end is None or scene.end.ended.winner != seat:
        return ()
    count = _ALL if scene.moment.lit is None else scene.moment.lit
    return winning(scene.end)[:count]


def _flashes(scene: Scene, game: GameState, seat: Seat, token: Token) -> bool:
    """Tell whether ``seat`` is gaining ``token`` right now."""
    moment = scene.moment
    if not moment.flash or moment.mat is None or len(game.rounds) <= moment.mat // 2:
        return False
    return any(
        each.mat == moment.mat and each.gain[seat] is token
        for each in game.rounds[moment.mat // 2].resolutions
    )
