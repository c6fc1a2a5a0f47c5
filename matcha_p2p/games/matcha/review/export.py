"""A verified game as plain values, for other programs: the format ``matcha-game``, version 1.

{"format": "matcha-game", "v": 1, "edition": "2015", "verdict": "COMPLETE", "first_dealer": 0,
 "open": [true, true], "sets": [...], "result": {"winner", "how", "tokens"}}

and each of ``sets``

{"dealer", "table", "hands", "aside", "zeros_met", "kept", "rounds": [{
    "moves": [{"seat", "move": "play", "mat", "card"} or {"seat", "move": "pass", "auto"}],
    "mats": [{"mat", "cards", "revealed", "gain"}], "tokens"}]}

A card is T, B, W or S and its number, or Z; tokens are counted by letter, K the whisk. What has
two elements is by seat; null is what is not known, or not there. ``open`` says whose game key
has been exposed: with one of them the cards of that seat are known, with both everything.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal, NotRequired, TypeAlias, TypedDict, assert_never

from matcha_p2p.chain.verify import Accepted, Report
from matcha_p2p.games.front import HandNames
from matcha_p2p.games.matcha.events import GameEnded, Unopened
from matcha_p2p.games.matcha.review import sets as review_sets
from matcha_p2p.games.matcha.rules.cards import FACES, Face, Token
from matcha_p2p.games.matcha.rules.history import Resolution, Round, Turn
from matcha_p2p.games.matcha.rules.moves import Pass, Play
from matcha_p2p.games.matcha.rules.scoring import Tokens
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat, opposite
from matcha_p2p.games.matcha.steps import hand_of, without_dealer
from matcha_p2p.games.matcha.view import game_of
from matcha_p2p.table.table import Greetings, Table

HandFaces: TypeAlias = tuple[review_sets.Faces, review_sets.Faces]

CardNames: TypeAlias = list[str | None]
"""Cards by name; None for an unknown card."""

Counts: TypeAlias = dict[str, int]
"""Tokens by letter."""

ASIDE: Final = 2


class ExportedTurn(TypedDict):
    """A turn: mat and card of a play, auto of a pass."""

    seat: int
    move: Literal["play", "pass"]
    mat: NotRequired[int]
    card: NotRequired[str | None]
    auto: NotRequired[bool]


class ExportedMat(TypedDict):
    """The outcome of a mat."""

    mat: int
    cards: CardNames
    revealed: bool
    gain: CardNames


class ExportedRound(TypedDict):
    """A round that has begun."""

    moves: list[ExportedTurn]
    mats: list[ExportedMat]
    tokens: list[Counts]


class ExportedSet(TypedDict):
    """A set. hands: as dealt, kept cards first."""

    dealer: int
    table: CardNames
    hands: list[CardNames]
    aside: CardNames
    zeros_met: int
    kept: list[CardNames]
    rounds: list[ExportedRound]


class ExportedResult(TypedDict):
    """How a game has ended."""

    winner: int | None
    how: str
    tokens: list[Counts]


class ExportedGame(TypedDict):
    """A game; see the module."""

    format: str
    v: int
    edition: str | None
    verdict: str
    first_dealer: int | None
    open: list[bool]
    sets: list[ExportedSet]
    result: ExportedResult | None


def exported(report: Report) -> ExportedGame:
    """Return the game of a valid transcript, ready for JSON."""
    sets = list(review_sets.played_sets(report))
    return {
        "format": "matcha-game",
        "v": 1,
        "edition": _edition(report),
        "verdict": report.verdict.value,
        "first_dealer": sets[0].laid.dealer if sets else None,
        "open": [seat in report.exposed for seat in SEATS],
        "sets": list(_export_sets(sets, report.exposed)),
        "result": None if (end := review_sets.end_of(report)) is None else _export_result(end),
    }


def hands(report: Report) -> HandNames:
    """Return the hands of each set as dealt, as far as open books show the cards."""
    return [each["hands"] for each in exported(report)["sets"]]


def unopened_cards(report: Report) -> Iterator[Unopened]:
    """Yield the laid cards that were never turned up, as far as open books show the cards."""
    for played in review_sets.played_sets(report):
        hands = (
            review_sets.held_faces(played, Seat(0), report.exposed),
            review_sets.held_faces(played, Seat(1), report.exposed),
        )
        for round_ in game_of(played.end).rounds:
            laid = _laid(round_, hands)
            for resolution in round_.resolutions:
                for seat in SEATS:
                    face = laid.get((seat, resolution.mat))
                    if not resolution.revealed and face is not None:
                        place = (played.laid.number, round_.number, seat, resolution.mat)
                        yield Unopened(*place, face)


def _edition(report: Report) -> str | None:
    match report.accepted:
        case (*_, Accepted(state=Table() as table)):
            return game_of(table).edition.name
        case (*_, Accepted(state=Greetings(hellos=(hello, *_)))):
            return without_dealer(hello.variant)
        case _:
            return None


def _export_sets(
    sets: list[review_sets.PlayedSet], keys: review_sets.Keys
) -> Iterator[ExportedSet]:
    kept: HandFaces = ((), ())
    for played in sets:
        hands = (
            review_sets.held_faces(played, Seat(0), keys),
            review_sets.held_faces(played, Seat(1), keys),
        )
        dealt = [_as_dealt(played, seat, keys, hands[seat], kept[seat]) for seat in SEATS]
        kept = (_kept(played, Seat(0), hands[0]), _kept(played, Seat(1), hands[1]))
        yield {
            "dealer": played.laid.dealer,
            "table": _names(played.laid.table),
            "hands": [_names(faces) for faces in dealt],
            "aside": _names(_aside(played, keys)),
            "zeros_met": played.laid.zeros_met,
            "kept": [_names(faces) for faces in kept],
            "rounds": list(_export_rounds(played.end, hands)),
        }


def _as_dealt(
    played: review_sets.PlayedSet,
    seat: Seat,
    keys: review_sets.Keys,
    held: review_sets.Faces,
    kept: review_sets.Faces,
) -> review_sets.Faces:
    """Return the faces of the hand in the order of the deal, kept cards first.

    held: the hand as played. With only the key of this seat, its cards are known, but not the
    order in which new cards were dealt: new cards come in the order of the faces.
    """
    if played.dealt is None or played.held is None or seat not in keys:
        return review_sets.UNKNOWN
    hand = hand_of(seat)
    if opposite(seat) in keys:
        return review_sets.faces_of(played.dealt, hand, keys)
    if None in held:  # not stripped yet
        return (*kept, *held[len(kept) :])
    backs = [card.back for card in played.dealt.piles[hand]]
    if backs == [card.back for card in played.held.piles[hand]]:
        return held
    new = Counter(held) - Counter(kept)
    return (*kept, *(face for face in FACES for _ in range(new[face])))


def _kept(
    played: review_sets.PlayedSet, seat: Seat, held: review_sets.Faces
) -> review_sets.Faces:
    """Return the cards that the seat kept at the end of the set, in slot order."""
    game = game_of(played.end)
    if game.number == played.laid.number:  # the choice is still open
        return ()
    return tuple(held[slot] for slot in sorted(game.hands[seat]))


def _aside(played: review_sets.PlayedSet, keys: review_sets.Keys) -> review_sets.Faces:
    if played.dealt is None or len(keys) < len(SEATS):
        return (None,) * ASIDE
    return review_sets.faces_of(played.dealt, "aside", keys)


def _export_rounds(table: Table, hands: HandFaces) -> Iterator[ExportedRound]:
    """Export the rounds of a set that have begun. hands: the faces known by the keys."""
    for played in game_of(table).rounds:
        if not played.turns:
            continue
        laid = _laid(played, hands)
        yield {
            "moves": [_export_turn(turn, laid) for turn in played.turns],
            "mats": [_export_mat(resolution, laid) for resolution in played.resolutions],
            "tokens": _export_tokens(played.tokens),
        }


def _laid(played: Round, hands: HandFaces) -> dict[tuple[Seat, int], Face | None]:
    """Return the face of each card laid in a round, by seat and mat; None if unknown."""
    laid = {
        (turn.seat, turn.move.mat): hands[turn.seat][turn.move.slot]
        for turn in played.turns
        if isinstance(turn.move, Play)
    }
    for resolution in played.resolutions:
        if resolution.revealed:
            laid |= {(seat, resolution.mat): resolution.cards[seat] for seat in SEATS}
    return laid


def _export_turn(turn: Turn, laid: Mapping[tuple[Seat, int], Face | None]) -> ExportedTurn:
    match turn.move:
        case Play(mat):
            card = _name(laid[turn.seat, mat])
            return {"seat": turn.seat, "move": "play", "mat": mat, "card": card}
        case Pass():
            return {"seat": turn.seat, "move": "pass", "auto": turn.auto}
        case _:
            assert_never(turn.move)


def _export_mat(
    resolution: Resolution, laid: Mapping[tuple[Seat, int], Face | None]
) -> ExportedMat:
    return {
        "mat": resolution.mat,
        "cards": [_name(laid.get((seat, resolution.mat))) for seat in SEATS],
        "revealed": resolution.revealed,
        "gain": [None if token is None else token.letter for token in resolution.gain],
    }


def _export_tokens(tokens: tuple[Tokens, Tokens]) -> list[Counts]:
    return [{token.letter: own[token] for token in Token} for own in tokens]


def _export_result(result: GameEnded) -> ExportedResult:
    return {
        "winner": result.ended.winner,
        "how": result.ended.how.value,
        "tokens": _export_tokens(result.tokens),
    }


def _names(faces: Iterable[Face | None]) -> CardNames:
    return [_name(face) for face in faces]


def _name(face: Face | None) -> str | None:
    return None if face is None else face.name
