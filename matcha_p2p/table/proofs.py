"""The claim of an action, with a proof.

The machine states the claim; a ProofCheck checks the proof.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from matcha_p2p.crypto.elgamal import Ciphertext, verify_shares
from matcha_p2p.crypto.ristretto255 import Point
from matcha_p2p.crypto.shuffle import ShuffleProof, verify_shuffle
from matcha_p2p.crypto.sigma import Context, Proof


@dataclass(frozen=True, slots=True)
class Reordered:
    """``after`` is ``before``, re-encrypted under ``key`` and permuted."""

    before: tuple[Ciphertext, ...]
    after: tuple[Ciphertext, ...]
    key: Point
    context: Context
    proof: ShuffleProof


@dataclass(frozen=True, slots=True)
class Opened:
    """``shares`` are the shares of ``cards`` by the holder of ``key``."""

    key: Point
    cards: tuple[Ciphertext, ...]
    shares: tuple[Point, ...]
    context: Context
    proof: Proof


ProofClaim: TypeAlias = Reordered | Opened
ProofCheck: TypeAlias = Callable[[ProofClaim], None]


def check_proof(claim: ProofClaim) -> None:
    """Check the proof of a claim.

    Raises:
        ProofError: E_SHUFFLE, E_SHARE.
    """
    match claim:
        case Reordered(before, after, key, context, proof):
            verify_shuffle(before, after, key, context, proof)
        case Opened(key, cards, shares, context, proof):
            verify_shares(key, cards, shares, context, proof)
        case _:
            assert_never(claim)


def own_proof(claim: ProofClaim) -> None:
    """Accept a claim that our own seat has just proven; only the peer checks the proof.

    Only the proof is skipped. The code checks every rule and every length of our own actions
    as of the peer's.
    """
    del claim
