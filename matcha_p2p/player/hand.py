"""What this seat alone can see: its own cards."""

from matcha_p2p.crypto.elgamal import share
from matcha_p2p.machine.faces import unmask
from matcha_p2p.machine.table import Table
from matcha_p2p.player.secret import Player
from matcha_p2p.rules.cards import Face
from matcha_p2p.rules.observation import Observation, observe


def own_faces(player: Player, table: Table) -> tuple[Face, ...]:
    """Return the faces of the player's five cards of this set, once they are stripped.

    Raises:
        ProofError: E_CARD if a card shows no face there is, which proofs exclude.
    """
    hand = table.hands[player.seat]
    return tuple(
        unmask(card, (theirs, share(player.x, card)))
        for card, theirs in zip(hand.cards, hand.shares, strict=True)
    )


def look(player: Player, table: Table) -> Observation:
    """Return what the player may know of the game while cards are being played or kept."""
    return observe(table.game, player.seat, own_faces(player, table))
