"""What tests of exports and of pages share."""

from matcha_p2p.chain.verify import Report, verified_transcript
from matcha_p2p.games import game_of
from matcha_p2p.games.game import Game
from matcha_p2p.games.json_values import JsonObject
from matcha_p2p.review.export import exported
from matcha_p2p.review.told import PageStep, isolated, page_steps


def export_game(data: bytes) -> JsonObject:
    """Return the game in the file ``data``.

    Raises:
        TranscriptError: the transcript is not valid.
    """
    report = verified_transcript(data)
    return exported(game_of(report.game or "matcha"), report)


def told_steps(report: Report) -> list[PageStep]:
    """Return the steps of the page of a game."""
    assert report.game is not None
    game = game_of(report.game)
    replay = game.needed(Game.replay)(report, written=isolated)
    return page_steps(replay, game.telling.facts(None).events)
