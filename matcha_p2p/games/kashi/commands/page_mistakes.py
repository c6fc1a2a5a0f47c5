"""The mistakes of a game, for its page and for its replay."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from matcha_p2p.chain.verify import Report
from matcha_p2p.games.kashi.bots.judge import JudgedTurn, judged
from matcha_p2p.games.kashi.events import TurnTaken
from matcha_p2p.games.kashi.replay.state import Better
from matcha_p2p.games.kashi.replay.steps import Replay, replay_of
from matcha_p2p.games.kashi.rules.state import GameState
from matcha_p2p.games.kashi.words.seat_words import ONLOOKER, SeatWords
from matcha_p2p.language import Sentence
from matcha_p2p.review.told import PageMistake
from matcha_p2p.seats import Seat

ENDING: Final = Sentence("ending the turn at once")
LOST: Final = Sentence(
    "{name} loses {loss:.0f} points by this turn (+-{error:.0f}). Better: {better}."
)


def page_mistakes(report: Report) -> Iterator[PageMistake] | None:
    """Return the mistakes of all seats, in order; judging takes a second for each turn.

    None: nobody has had a turn.
    """
    replay = replay_of(report)
    has_turns = any(isinstance(step.event, TurnTaken) for step in replay.steps)
    return _mistakes(replay) if has_turns else None


def _mistakes(replay: Replay) -> Iterator[PageMistake]:
    for at, step in enumerate(replay.steps):
        match step.event:
            case TurnTaken(seat, actions):
                game = replay.steps[at - 1].game
                found = judged(game, seat, actions)
                if found.is_mistake:
                    said = partial(_said, found, game, seat, replay.names)
                    yield PageMistake(at, said, Better(game, seat, found.better))
            case _:
                pass


def _said(
    found: JudgedTurn, game: GameState, seat: Seat, names: tuple[str, ...]
) -> tuple[str, ...]:
    words = SeatWords(ONLOOKER, names)
    better = words.actions(game, seat, found.better) or ENDING()
    lost = {"loss": found.best - found.lead, "error": found.error}
    return (LOST(name=names[seat], **lost, better=better),)
