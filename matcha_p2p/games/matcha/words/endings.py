"""How a game of Matcha was won, after the name of the winner."""

from typing import Final

from matcha_p2p.games.matcha.rules.phases import How
from matcha_p2p.language import Sentence

__all__ = ["HOWS"]

HOWS: Final = {
    How.ALIKE.value: Sentence("with enough tokens alike"),
    How.FIVE_KINDS.value: Sentence("with all five kinds"),
    How.TIE_BREAK.value: Sentence("after both met a condition"),
    How.FURTHER_ROUNDS.value: Sentence("in further rounds"),
    How.LAST_SET.value: Sentence("after the last set"),
    How.RESIGNED.value: Sentence("by conceding"),
    How.DRAW.value: Sentence("without a winner"),
}
