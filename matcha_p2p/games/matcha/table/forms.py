"""The plain forms of Matcha (``games/plain.py``)."""

from typing import Final

from matcha_p2p.games.exchange import BotExchange
from matcha_p2p.games.matcha.rules import notation
from matcha_p2p.games.matcha.rules.cards import FACES, Face, Token
from matcha_p2p.games.matcha.rules.edition import EDITIONS, Edition
from matcha_p2p.games.matcha.rules.moves import Keep, Move, Pass, Play
from matcha_p2p.games.matcha.rules.observation import Observation, check_decision
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.games.matcha.table import events
from matcha_p2p.games.plain import Form, Leaves, choice, form_of, number


def _read_turn(text: str) -> Play | Pass:
    move = notation.parse_move(text)
    if isinstance(move, Keep):
        raise ValueError("nothing is kept in a round")  # noqa: TRY004 -- of the form of a move
    return move


_TURN: Final = {"title": "TurnMove", "type": "string", "pattern": "^([1-5][a-f]|p)$"}
LEAVES: Final[Leaves] = {
    Seat: number(0, len(SEATS) - 1),
    Face: choice({face.name: face for face in FACES}, "Card"),
    Token: choice({token.letter: token for token in Token}, "Token"),
    Edition: choice(EDITIONS, "Edition"),
    Play | Pass: Form(notation.move_text, lambda plain: _read_turn(str(plain)), _TURN),
}

EXCHANGE: Final[BotExchange[Observation, Move]] = BotExchange(
    tuple(EDITIONS),
    lambda seen: seen.game.edition.name,
    form_of(Observation, LEAVES),
    notation,
    check_decision,
)
EVENT: Final[Form[events.Event]] = form_of(events.Event, LEAVES)
HAND: Final[Form[tuple[Face, ...]]] = form_of(tuple[Face, ...], LEAVES)
UNOPENED: Final[Form[events.Unopened]] = form_of(events.Unopened, LEAVES)
