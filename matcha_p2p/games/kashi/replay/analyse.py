"""Judges the turns of a finished game: what each has cost."""

from collections.abc import Sequence
from itertools import pairwise

from matcha_p2p.chain.verify import Report, verified_transcript
from matcha_p2p.games.kashi.replay.steps import replay_of
from matcha_p2p.games.kashi.review.analysis import Analysis, Decision, JudgedDecision
from matcha_p2p.games.kashi.review.analysis import judged as judge
from matcha_p2p.games.kashi.review.mistakes import Analyse, BetterMove
from matcha_p2p.games.kashi.rules import moves
from matcha_p2p.games.kashi.rules.moves import TakeTurn
from matcha_p2p.games.kashi.rules.notation import text_of
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.screen.routes import trodden
from matcha_p2p.games.kashi.table.events import TurnTaken
from matcha_p2p.games.kashi.table.signed import number_of
from matcha_p2p.games.kashi.words import analysis_sentences
from matcha_p2p.games.kashi.words.analysis_sentences import UNKNOWN, notes
from matcha_p2p.review.analysis import GameAnalysis, Mistake
from matcha_p2p.seats import Seat

__all__ = ["UNKNOWN", "analysis_of", "begin", "fields", "judge", "mistake", "notes"]


def analysis_of(
    report: Report, own: tuple[Seat, int] | None = None, seat: Seat | None = None
) -> Analysis:
    """Return the turns of our own seat, or of all if it is unknown."""
    del own
    replay = replay_of(report)
    found: list[Decision] = []
    for before, step in pairwise(replay.steps):
        match step.event:
            case TurnTaken(by, actions) if seat in (None, by):
                found.append(Decision(step.entries, before.game, by, actions))
            case _:
                pass
    return GameAnalysis(replay.names, tuple(found))


def begin(asked: Analyse) -> Analysis:
    """Return the turns of the asker, all still without a judgement."""
    return analysis_of(verified_transcript(asked.transcript), seat=asked.seat)


def mistake(found: JudgedDecision, names: Sequence[str], seat: Seat | None) -> Mistake | None:
    """Return a mistake with both turns; None if the turn is no mistake."""
    told = analysis_sentences.mistake(found, names, seat)
    return told and told._replace(marks=_marks(found.better))


def _marks(better: BetterMove) -> dict[str, list[int]]:
    """Return the squares of the better way, and the squares where it lays shops."""
    game, seat, actions, _ = better
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


def fields(judged: JudgedDecision) -> dict[str, object]:
    """Return the fields of the fact about a turn."""
    decision, found = judged
    values = {decision.made: found.lead, found.better.actions: found.best}
    seen = Outlook(decision.game, decision.seat)
    texts = {actions: text_of(seen, TakeTurn(actions)) for actions in values}
    return {
        "round": decision.round,
        "seat": decision.seat,
        "move": texts[decision.made],
        "value": found.lead,
        "loss": found.loss,
        "moves": [
            {"move": texts[actions], "value": values[actions]}
            for actions in sorted(values, key=lambda actions: -values[actions])
        ],
    }
