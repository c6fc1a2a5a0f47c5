"""What tests of exports share."""

from matcha_p2p.chain.verify import verified_transcript
from matcha_p2p.games.matcha.review.export import ExportedGame, exported


def export_game(data: bytes) -> ExportedGame:
    """Return the game in the file ``data``.

    Raises:
        TranscriptError: the transcript is not valid.
    """
    return exported(verified_transcript(data))
