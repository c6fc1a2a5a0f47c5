"""What tests of exports share."""

from matcha_p2p.review.export import ExportedGame, exported
from matcha_p2p.review.verify import verified_transcript


def export_game(data: bytes) -> ExportedGame:
    """Return the game in the file ``data``.

    Raises:
        TranscriptError: the transcript is not valid.
    """
    return exported(verified_transcript(data))
