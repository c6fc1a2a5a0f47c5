"""All cheats, by row of the protocol's list."""

from tests.cheats import chain, greeting

CHEATS = tuple(
    sorted((*chain.CHEATS, *greeting.CHEATS), key=lambda cheat: cheat.row)
)
