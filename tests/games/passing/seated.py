"""What a session asks of the game of passing while it is played."""

from collections.abc import Sequence

from matcha_p2p.table import step
from matcha_p2p.table.seat import Player


def told(
    events: Sequence[step.TableEvent], player: Player | None = None
) -> tuple[step.TableEvent, ...]:
    """Return the events themselves."""
    del player
    return tuple(events)
