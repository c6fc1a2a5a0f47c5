"""The games of an evening, and of a group: how each ended, and the sums."""

import enum
from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from matcha_p2p.games import game_of
from matcha_p2p.language import Counted, Sentence
from matcha_p2p.narration.news import GroupCounted, TeamScore
from matcha_p2p.narration.sentences import listed
from matcha_p2p.seats import Seat

EVENING: Final = Sentence("This evening: {won} won, {lost} lost.")
EVENING_DRAWN: Final = Sentence("This evening: {won} won, {lost} lost, {drawn} drawn.")
WON_IN_A_ROW: Final = Counted("{count} win in a row!", "{count} wins in a row!")
LOST_IN_A_ROW: Final = Counted("{count} loss in a row.", "{count} losses in a row.")

GROUP: Final = Counted(
    "{game} with {names}: {count} game. {won}", "{game} with {names}: {count} games. {won}"
)
SIDE_WON: Final = Sentence("{names} {count}")
GAMES_WON: Final = Sentence("Won: {sides}.")
DRAWN: Final = Sentence("drawn {count}")
YOU: Final = Sentence("you")
BOTS: Final = Sentence("bots")


class OwnResult(enum.Enum):
    """How a game ended for a player."""

    WON = enum.auto()
    LOST = enum.auto()
    DRAWN = enum.auto()


def outcome_of(seat: Seat, winners: Sequence[Seat]) -> OwnResult:
    """Return how a game ended for ``seat``; a game without winners is drawn."""
    if not winners:
        return OwnResult.DRAWN
    return OwnResult.WON if seat in winners else OwnResult.LOST


def group_words(news: GroupCounted) -> str:
    """Return how many games a group has played, and the wins of each team."""
    won = [SIDE_WON(names=_named(side), count=side.won) for side in news.sides]
    won += [DRAWN(count=news.drawn)] if news.drawn else []
    return GROUP(
        news.games,
        game=game_of(news.game).title,
        names=listed(news.names),
        won=GAMES_WON(sides="; ".join(won)),
    )


def _named(side: TeamScore) -> str:
    names = [*([YOU()] if side.ours else []), *side.names]
    return " + ".join(names) or BOTS()


def evening_words(outcomes: Sequence[OwnResult]) -> tuple[str, ...]:
    """Return the score of the evening and the streak that runs, a sentence each.

    outcomes: of the games so far, the oldest first. One game has no score: return no sentence.
    """
    if len(outcomes) < 2:
        return ()
    won, lost, drawn = (outcomes.count(each) for each in OwnResult)
    last = outcomes[-1]
    streak = len(tuple(takewhile(lambda each: each is last, reversed(outcomes))))
    sentence = EVENING_DRAWN if drawn else EVENING
    score = sentence(won=won, lost=lost, drawn=drawn)
    if streak < 2 or last is OwnResult.DRAWN:
        return (score,)
    row = WON_IN_A_ROW if last is OwnResult.WON else LOST_IN_A_ROW
    return score, row(streak)
