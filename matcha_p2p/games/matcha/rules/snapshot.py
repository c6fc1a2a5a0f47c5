"""The public state as plain values, for a digest on which both peers must agree."""

from typing import TypeAlias, assert_never

from matcha_p2p.games.matcha.rules import phases
from matcha_p2p.games.matcha.rules.cards import Face, Token
from matcha_p2p.games.matcha.rules.history import Resolution, Round, Turn
from matcha_p2p.games.matcha.rules.moves import Pass, Play
from matcha_p2p.games.matcha.rules.scoring import Tokens
from matcha_p2p.games.matcha.rules.state import GameState

Plain: TypeAlias = "int | str | list[Plain]"


def snapshot(game: GameState) -> list[Plain]:
    """Return the whole public state as nested lists of small ints and ASCII strings.

    An optional value is a list of none or one. Faces and tokens are their index. In order:

    0. edition: its name, "2015" or "2020".
    1. set: its number, from 1.
    2. dealer: the seat, 0 or 1.
    3. table: six faces, 0..15, or none before the first deal.
    4. hands: for each seat the slots it holds, ascending.
    5. rounds: each [number, turns, resolutions, tokens of seat 0, tokens of seat 1], where
       a turn is ["play", seat, mat, slot] or ["pass", seat, 1 if automatic else 0],
       a resolution, none or two in a round, is [mat, card of seat 0, card of seat 1, gain of
       seat 0, gain of seat 1], all four optional, the cards 0..16, the gains 0..4,
       and tokens are five counts: leaf, bowl, water, scoop, whisk.
    6. tokens: the five counts of seat 0, then of seat 1.
    7. comparing: 1 in further rounds, else 0.
    8. kept: how many cards seat 0, seat 1 kept into this set.
    9. phase: ["deal"], ["place", seat], ["reveal", mats due of seat 0, of seat 1, faces opened
       by seat 0, by seat 1], ["keep"] or ["end", winner optional, how].
    """
    return [
        game.edition.name,
        game.number,
        game.dealer,
        _faces(game.table),
        [[*sorted(hand)] for hand in game.hands],
        [_round(played) for played in game.rounds],
        _counts(game.tokens),
        int(game.comparing),
        [*game.kept],
        _phase(game.phase),
    ]


def _faces(faces: tuple[Face, ...]) -> list[Plain]:
    return [face.index for face in faces]


def _counts(tokens: tuple[Tokens, Tokens]) -> list[Plain]:
    return [[*own] for own in tokens]


def _round(played: Round) -> list[Plain]:
    return [
        played.number,
        [_turn(turn) for turn in played.turns],
        [_resolution(resolution) for resolution in played.resolutions],
        *_counts(played.tokens),
    ]


def _turn(turn: Turn) -> list[Plain]:
    match turn.move:
        case Play(mat, slot):
            return ["play", turn.seat, mat, slot]
        case Pass():
            return ["pass", turn.seat, int(turn.auto)]
        case _:
            assert_never(turn.move)


def _resolution(resolution: Resolution) -> list[Plain]:
    return [
        resolution.mat,
        *(_faces(() if card is None else (card,)) for card in resolution.cards),
        *(_optional(token) for token in resolution.gain),
    ]


def _optional(value: Token | int | None) -> list[Plain]:
    return [] if value is None else [int(value)]


def _phase(phase: phases.GamePhase) -> list[Plain]:
    match phase:
        case phases.AwaitingDeal():
            return ["deal"]
        case phases.Placing(to_move):
            return ["place", to_move]
        case phases.Revealing(due, opened):
            return ["reveal", [*due[0]], [*due[1]], *(_faces(cards) for cards in opened)]
        case phases.Keeping():
            return ["keep"]
        case phases.Ended(winner, how):
            return ["end", _optional(winner), how.value]
        case _:
            assert_never(phase)
