"""All cheats, by row of the protocol's list."""

from tests.cheats import chain, decks, greeting, moves, records, shares, shuffles

CHEATS = tuple(
    sorted(
        (
            *chain.CHEATS,
            *greeting.CHEATS,
            *shuffles.CHEATS,
            *decks.CHEATS,
            *shares.CHEATS,
            *moves.CHEATS,
            *records.CHEATS,
        ),
        key=lambda cheat: cheat.row.number,
    )
)
