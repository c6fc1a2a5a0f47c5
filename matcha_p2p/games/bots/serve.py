"""The other end of the engine protocol: a bot answers on its standard streams."""

import json
import random
import reprlib
import traceback
from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from matcha_p2p.errors import BotError
from matcha_p2p.games.bots.bot import Bot, Seen
from matcha_p2p.games.exchange import AnyExchange
from matcha_p2p.games.json_values import VERSION, JsonObject, message_of

Write: TypeAlias = Callable[[str], None]

_FAILED: Final = (
    "The bot's own code failed: {error}. The bot's author finds the traceback on the "
    "standard error of the bot's program."
)
_NO_MOVE: Final = "The bot chose {move}, which is no move."
_SHOWN: Final = 80
"""The most characters of a wrong move, or of an exception, that are shown."""
_WORDS: Final = reprlib.Repr()
"""Shows any value of the author's code: briefly, and without an exception of its own."""
_WORDS.maxstring = _WORDS.maxother = _SHOWN


def serve(protocol: AnyExchange, bot: Bot, lines: Iterable[str], write: Write) -> None:
    """Answer each of ``lines`` by ``bot`` until the lines end, or a line says quit.

    A line that cannot be understood, or at which the bot fails, gets an error as its answer;
    then the next line is read.
    """
    for line in lines:
        try:
            message = message_of(line)
            if message.get("do") == "quit":
                return
            answer = _answer(protocol, bot, message)
        except BotError as error:
            answer = {"error": str(error)}
        if answer:
            write(json.dumps(answer))


def _answer(protocol: AnyExchange, bot: Bot, message: JsonObject) -> JsonObject:
    match message.get("do"):
        case "hello":
            return {"v": VERSION, "name": bot.name, "editions": list(protocol.editions)}
        case "choose":
            seed = str(message.get("seed")).encode(errors="surrogatepass")
            rng = random.Random(seed)
            seen = protocol.observed(message.get("observation"))
            return {"id": message.get("id"), "move": _move(protocol, bot, seen, rng)}
        case "stop":  # our bots answer soon
            return {}
        case _:
            raise BotError("This is no message of the bot protocol.")


def _move(protocol: AnyExchange, bot: Bot, seen: Seen, rng: random.Random) -> str:
    """Return the bot's move as text. If the bot fails, print the traceback on standard error.

    Raises:
        BotError: the bot has failed, or has chosen a value that is no move.
    """
    try:
        return _text(protocol, seen, bot.choose(seen, rng))
    except BotError:
        raise
    except Exception as error:  # the author's code may raise anything, and the match goes on
        traceback.print_exception(error)
        raise BotError(_FAILED, error=_WORDS.repr(error)) from error


def _text(protocol: AnyExchange, seen: Seen, move: object) -> str:
    try:
        return protocol.notation.text_of(seen, move)
    except (AssertionError, AttributeError, RecursionError, TypeError, ValueError) as error:
        raise BotError(_NO_MOVE, move=_WORDS.repr(move)) from error
