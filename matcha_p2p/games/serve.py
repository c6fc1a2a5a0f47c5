"""The other end of the engine protocol: a bot answers on its standard streams."""

import json
import random
from collections.abc import Callable, Iterable
from typing import TypeAlias

from matcha_p2p.errors import BotError
from matcha_p2p.games.bot import Bot, EngineProtocol
from matcha_p2p.games.json_values import VERSION, JsonObject, message_of, reading_observation

Write: TypeAlias = Callable[[str], None]


def serve(protocol: EngineProtocol, bot: Bot, lines: Iterable[str], write: Write) -> None:
    """Answer each of ``lines`` by ``bot`` until the lines end, or a line says quit.

    A line that cannot be understood gets an error as its answer; then the next line is read.
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


def _answer(protocol: EngineProtocol, bot: Bot, message: JsonObject) -> JsonObject:
    match message.get("do"):
        case "hello":
            return {"v": VERSION, "name": bot.name, "editions": list(protocol.EDITIONS)}
        case "choose":
            rng = random.Random(str(message.get("seed")))
            seen = protocol.observed(message.get("observation"))
            with reading_observation():  # no check finds every contradiction
                move = protocol.move_text(seen, bot.choose(seen, rng))
            return {"id": message.get("id"), "move": move}
        case "stop":  # our bots answer soon
            return {}
        case _:
            raise BotError("This is no message of the bot protocol.")
