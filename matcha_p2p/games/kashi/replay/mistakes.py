"""The mistakes of a game, for its page and for its replay."""

from collections.abc import Iterator
from functools import partial

from matcha_p2p.chain.verify import Report
from matcha_p2p.games.kashi.replay.analyse import analysis_of
from matcha_p2p.games.kashi.review.analysis import Analysis, Judged, judged
from matcha_p2p.games.kashi.review.asked import Better
from matcha_p2p.games.kashi.rules import moves
from matcha_p2p.games.kashi.screen.routes import trodden
from matcha_p2p.games.kashi.signed import number_of
from matcha_p2p.games.kashi.words.analysis_sentences import lost
from matcha_p2p.review.told import Count, PageMistake, counted
from matcha_p2p.seats import Seat


def page_mistakes(
    report: Report, _own: tuple[Seat, int] | None = None, *, count: Count | None = None
) -> Iterator[PageMistake] | None:
    """Return the mistakes of all seats, in order; judging takes a moment for each turn.

    None: nobody has had a turn. count: told how many turns are judged.
    """
    analysis = analysis_of(report)
    return _mistakes(analysis, count) if analysis.decisions else None


def _mistakes(analysis: Analysis, count: Count | None) -> Iterator[PageMistake]:
    for decision in counted(analysis.decisions, count):
        turn = judged(decision)
        if turn.found.is_mistake:
            said = partial(_said, turn, analysis.names)
            better = Better(decision.game, decision.seat, turn.found.better.actions)
            yield PageMistake(decision.step, said, better, _marks(better))


def _marks(better: Better) -> dict[str, list[int]]:
    """Return the squares of the better way, and the squares where it lays shops."""
    game, seat, actions = better
    at = start = game.players[seat].person
    shops: list[int] = []
    for action in actions:
        match action:
            case moves.Go(square):
                at = square
            case moves.LayShop() if at is not None:
                shops.append(at)
            case moves.Fulfil(wish=moves.PlaceShop(square)):
                shops.append(square)
            case _:
                pass
    way = [square for square, _ in trodden(game, start, actions)]
    squares = {"way": way, "shops": shops}
    return {
        kind: [number_of(game.board, it) for it in places] for kind, places in squares.items()
    }


def _said(turn: Judged, names: tuple[str, ...]) -> tuple[str, ...]:
    return (lost(turn, names),)
