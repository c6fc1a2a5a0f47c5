"""The other end of the engine protocol: a bot answers on its standard streams."""

import json
import random
from collections.abc import Callable, Iterable
from typing import TypeAlias

from matcha_p2p.errors import BotError
from matcha_p2p.games.matcha.bots.bot import Bot
from matcha_p2p.games.matcha.bots.engines.protocol import (
    VERSION,
    JsonObject,
    as_object,
    observed,
)
from matcha_p2p.games.matcha.rules.edition import EDITIONS
from matcha_p2p.games.matcha.rules.notation import move_text

Write: TypeAlias = Callable[[str], None]


def serve(bot: Bot, lines: Iterable[str], write: Write) -> None:
    """Answer each of ``lines`` by ``bot`` until the lines end, or a line says quit.

    A line that cannot be understood gets an error as its answer; then the next line is read.
    """
    for line in lines:
        try:
            message = as_object(line)
            if message.get("do") == "quit":
                return
            answer = _answer(bot, message)
        except BotError as error:
            answer = {"error": str(error)}
        if answer:
            write(json.dumps(answer))


def _answer(bot: Bot, message: JsonObject) -> JsonObject:
    match message.get("do"):
        case "hello":
            return {"v": VERSION, "name": bot.name, "editions": list(EDITIONS)}
        case "choose":
            rng = random.Random(str(message.get("seed")))
            move = bot.choose(observed(message.get("observation")), rng)
            return {"id": message.get("id"), "move": move_text(move)}
        case "stop":  # a move takes a fifth of a second
            return {}
        case _:
            raise BotError("This is no message of the bot protocol.")
