"""The messages to and from a bot that is a separate program: protocol/bots.md.

Messages are plain values, ready for JSON. Cards, mats and moves are written as everywhere: T3,
0..5, 2b, p, k14.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias, TypeVar, cast

from matcha_p2p.errors import BotError
from matcha_p2p.games.matcha.rules.cards import Face, Token
from matcha_p2p.games.matcha.rules.edition import EDITIONS
from matcha_p2p.games.matcha.rules.history import Laid, PastSet, Resolution, Round, Turn
from matcha_p2p.games.matcha.rules.moves import Keep, Pass, Play
from matcha_p2p.games.matcha.rules.notation import face, move_text, parse_move
from matcha_p2p.games.matcha.rules.observation import Observation, check_decision
from matcha_p2p.games.matcha.rules.phases import Keeping, Placing
from matcha_p2p.games.matcha.rules.scoring import Tokens
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.games.matcha.rules.state import GameState

VERSION: Final = 1
LINE_LIMIT: Final = 1 << 16
"""Bytes of a line, at most."""

_TOKENS: Final = {token.letter: token for token in Token}

JsonObject: TypeAlias = Mapping[str, object]

T = TypeVar("T")


def as_object(line: str) -> JsonObject:
    """Return the message on a line.

    Raises:
        BotError: the line holds no JSON object.
    """
    try:
        return _map(json.loads(line))
    except (ValueError, TypeError, RecursionError) as error:
        raise BotError("This is no message of the bot protocol.") from error


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
        "legal": [move_text(move) for move in observation.legal_moves()],
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
    return {"seat": turn.seat, "move": move_text(turn.move), "auto": turn.auto, "card": card}


def _names(cards: Sequence[Face]) -> list[str]:
    return [card.name for card in cards]


def observed(plain: object) -> Observation:
    """Return the observation from ``plain``, a value made by ``described``.

    Raises:
        BotError: ``plain`` is no observation, or the rules do not lead to the observation.
    """
    try:
        found = _observed(_map(plain))
        check_decision(found)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise BotError(
            "This is no observation of the bot protocol: {error!r}", error=error
        ) from error
    return found


def _observed(plain: JsonObject) -> Observation:
    seat = _seat(plain["seat"])
    game = GameState(
        edition=EDITIONS[str(plain["edition"])],
        number=_number(plain["set"]),
        dealer=_seat(plain["dealer"]),
        table=_faces(plain["table"]),
        hands=_pair([frozenset(_numbers(held)) for held in as_list(plain["held"])]),
        rounds=tuple(_read_round(played) for played in as_list(plain["rounds"])),
        tokens=_pair([_tokens(own) for own in as_list(plain["tokens"])]),
        comparing=bool(plain["comparing"]),
        kept=_pair(_numbers(plain["kept"])),
        phase=Keeping() if plain["phase"] == "keep" else Placing(seat),
        past=tuple(_read_past(past) for past in as_list(plain["past"])),
    )
    hands = [(_number(past["set"]), _faces(past["hand"])) for past in _maps(plain["past"])]
    earlier = tuple((number, hand) for number, hand in hands if hand)
    return Observation(game, seat, _faces(plain["hand"]), earlier)


def _read_past(plain: object) -> PastSet:
    past = _map(plain)
    return PastSet(
        _number(past["set"]),
        _seat(past["dealer"]),
        _faces(past["table"]),
        tuple(_read_round(played) for played in as_list(past["rounds"])),
        _pair(_numbers(past["kept"])),
    )


def _read_round(plain: object) -> Round:
    played = _map(plain)
    turns = tuple(_read_turn(turn) for turn in _maps(played["turns"]))
    laid = _laid(turns)
    mats = tuple(_read_mat(mat, laid) for mat in _maps(played["mats"]))
    tokens = _pair([_tokens(own) for own in as_list(played["tokens"])])
    return Round(_number(played["number"]), turns, laid, mats, tokens)


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
    mat = _number(plain["mat"])
    cards = _pair(
        [None if name is None else face(str(name)) for name in as_list(plain["cards"])]
    )
    gain = [None if it is None else _TOKENS[str(it)] for it in as_list(plain["gain"])]
    slots = laid[0][mat % 2], laid[1][mat % 2]
    return Resolution(mat, cards, slots, _pair(gain))


def _tokens(plain: object) -> Tokens:
    leaf, bowl, water, scoop, whisk = _numbers(plain)
    return leaf, bowl, water, scoop, whisk


def _faces(plain: object) -> tuple[Face, ...]:
    return tuple(face(str(name)) for name in as_list(plain))


def _seat(plain: object) -> Seat:
    return SEATS[_number(plain)]


def _number(plain: object) -> int:
    if not isinstance(plain, int):
        raise TypeError("a number is expected")
    return plain


def _numbers(plain: object) -> list[int]:
    return [_number(number) for number in as_list(plain)]


def as_list(plain: object) -> list[object]:
    """Return the list; if ``plain`` is no list, raise TypeError."""
    if not isinstance(plain, list):
        raise TypeError("a list is expected")
    return cast("list[object]", plain)


def _map(plain: object) -> JsonObject:
    if not isinstance(plain, dict):
        raise TypeError("an object is expected")
    return cast("dict[str, object]", plain)


def _maps(plain: object) -> list[JsonObject]:
    return [_map(item) for item in as_list(plain)]


def _pair(items: Sequence[T]) -> tuple[T, T]:
    first, second = items
    return first, second
