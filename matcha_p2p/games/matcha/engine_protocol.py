"""Observations and moves as programs read and write them: protocol/bots.md.

Observations are plain values, ready for JSON. Cards, mats and moves are written as everywhere:
T3, 0..5, 2b, p, k14.
"""

from collections.abc import Sequence
from typing import Final, TypeVar

from matcha_p2p.games import json_values
from matcha_p2p.games.json_values import JsonObject
from matcha_p2p.games.matcha.rules import notation
from matcha_p2p.games.matcha.rules.cards import Face, Token
from matcha_p2p.games.matcha.rules.edition import EDITIONS as RULES
from matcha_p2p.games.matcha.rules.history import Laid, PastSet, Resolution, Round, Turn
from matcha_p2p.games.matcha.rules.moves import Keep, Move, Pass, Play
from matcha_p2p.games.matcha.rules.notation import face, parse_move
from matcha_p2p.games.matcha.rules.observation import Observation, check_decision
from matcha_p2p.games.matcha.rules.phases import Keeping, Placing
from matcha_p2p.games.matcha.rules.scoring import Tokens
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.games.matcha.rules.state import GameState

EDITIONS: Final = tuple(RULES)
"""The names of the editions."""
_TOKENS: Final = {token.letter: token for token in Token}

T = TypeVar("T")


def move_text(_: Observation, move: Move) -> str:
    """Return ``move`` as a program reads and writes the move."""
    return notation.move_text(move)


def chosen(observation: Observation, text: str) -> Move:
    """Return the legal move that ``text`` names.

    Raises:
        ValueError: ``text`` is no legal move.
    """
    if text not in map(notation.move_text, observation.legal_moves()):
        raise ValueError("this is no legal move")
    return parse_move(text)


def described(observation: Observation) -> JsonObject:
    """Return the seat's whole observation and its legal moves as plain values."""
    game, seat = observation.game, observation.seat
    earlier = dict(observation.earlier)
    return {
        "edition": game.edition.name,
        "set": game.number,
        "dealer": game.dealer,
        "seat": seat,
        "phase": "keep" if isinstance(game.phase, Keeping) else "place",
        "table": _names(game.table),
        "hand": _names(observation.hand),
        "held": [sorted(slots) for slots in game.hands],
        "tokens": [list(own) for own in game.tokens],
        "kept": list(game.kept),
        "comparing": game.comparing,
        "rounds": [_round(played, observation.hand, seat) for played in game.rounds],
        "past": [
            {
                "set": past.number,
                "dealer": past.dealer,
                "table": _names(past.table),
                "hand": _names(earlier.get(past.number, ())),
                "kept": list(past.kept),
                "rounds": [
                    _round(played, earlier.get(past.number, ()), seat) for played in past.rounds
                ],
            }
            for past in game.past
        ],
        "legal": [notation.move_text(move) for move in observation.legal_moves()],
    }


def _round(played: Round, hand: Sequence[Face], seat: Seat) -> JsonObject:
    return {
        "number": played.number,
        "turns": [_turn(turn, hand, seat) for turn in played.turns],
        "mats": [
            {
                "mat": resolution.mat,
                "cards": [None if card is None else card.name for card in resolution.cards],
                "gain": [None if token is None else token.letter for token in resolution.gain],
            }
            for resolution in played.resolutions
        ],
        "tokens": [list(own) for own in played.tokens],
    }


def _turn(turn: Turn, hand: Sequence[Face], seat: Seat) -> JsonObject:
    card: str | None = None
    match turn.move:
        case Play(slot=slot) if turn.seat == seat and hand:
            card = hand[slot].name
        case Play() | Pass():
            pass
    return {
        "seat": turn.seat,
        "move": notation.move_text(turn.move),
        "auto": turn.auto,
        "card": card,
    }


def _names(cards: Sequence[Face]) -> list[str]:
    return [card.name for card in cards]


def observed(plain: object) -> Observation:
    """Return the observation from ``plain``, a value made by ``described``.

    Raises:
        BotError: ``plain`` is no observation, or the rules do not lead to the observation.
    """
    with json_values.reading_observation():
        found = _observed(json_values.as_object(plain))
        check_decision(found)
    return found


def _observed(plain: JsonObject) -> Observation:
    seat = _seat(plain["seat"])
    game = GameState(
        edition=RULES[str(plain["edition"])],
        number=json_values.as_number(plain["set"]),
        dealer=_seat(plain["dealer"]),
        table=_faces(plain["table"]),
        hands=_pair(
            [
                frozenset(json_values.as_numbers(held))
                for held in json_values.as_list(plain["held"])
            ]
        ),
        rounds=tuple(_read_round(played) for played in json_values.as_list(plain["rounds"])),
        tokens=_pair([_tokens(own) for own in json_values.as_list(plain["tokens"])]),
        comparing=bool(plain["comparing"]),
        kept=_pair(json_values.as_numbers(plain["kept"])),
        phase=Keeping() if plain["phase"] == "keep" else Placing(seat),
        past=tuple(_read_past(past) for past in json_values.as_list(plain["past"])),
    )
    hands = [
        (json_values.as_number(past["set"]), _faces(past["hand"]))
        for past in json_values.as_objects(plain["past"])
    ]
    earlier = tuple((number, hand) for number, hand in hands if hand)
    return Observation(game, seat, _faces(plain["hand"]), earlier)


def _read_past(plain: object) -> PastSet:
    past = json_values.as_object(plain)
    return PastSet(
        json_values.as_number(past["set"]),
        _seat(past["dealer"]),
        _faces(past["table"]),
        tuple(_read_round(played) for played in json_values.as_list(past["rounds"])),
        _pair(json_values.as_numbers(past["kept"])),
    )


def _read_round(plain: object) -> Round:
    played = json_values.as_object(plain)
    turns = tuple(_read_turn(turn) for turn in json_values.as_objects(played["turns"]))
    laid = _laid(turns)
    mats = tuple(_read_mat(mat, laid) for mat in json_values.as_objects(played["mats"]))
    tokens = _pair([_tokens(own) for own in json_values.as_list(played["tokens"])])
    return Round(json_values.as_number(played["number"]), turns, laid, mats, tokens)


def _laid(turns: tuple[Turn, ...]) -> tuple[Laid, Laid]:
    slots: list[list[int | None]] = [[None, None], [None, None]]
    for turn in turns:
        if isinstance(turn.move, Play):
            slots[turn.seat][turn.move.mat % 2] = turn.move.slot
    return _pair([_pair(own) for own in slots])


def _read_turn(turn: JsonObject) -> Turn:
    match parse_move(str(turn["move"])):
        case Keep():
            raise ValueError("nothing is kept in a round")
        case move:
            return Turn(_seat(turn["seat"]), move, auto=bool(turn["auto"]))


def _read_mat(plain: JsonObject, laid: tuple[Laid, Laid]) -> Resolution:
    mat = json_values.as_number(plain["mat"])
    cards = _pair(
        [
            None if name is None else face(str(name))
            for name in json_values.as_list(plain["cards"])
        ]
    )
    gain = [
        None if it is None else _TOKENS[str(it)] for it in json_values.as_list(plain["gain"])
    ]
    slots = laid[0][mat % 2], laid[1][mat % 2]
    return Resolution(mat, cards, slots, _pair(gain))


def _tokens(plain: object) -> Tokens:
    leaf, bowl, water, scoop, whisk = json_values.as_numbers(plain)
    return leaf, bowl, water, scoop, whisk


def _faces(plain: object) -> tuple[Face, ...]:
    return tuple(face(str(name)) for name in json_values.as_list(plain))


def _seat(plain: object) -> Seat:
    return SEATS[json_values.as_number(plain)]


def _pair(items: Sequence[T]) -> tuple[T, T]:
    first, second = items
    return first, second
