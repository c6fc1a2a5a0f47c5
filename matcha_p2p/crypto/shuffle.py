"""The verifiable shuffle: mask and permute a deck, and prove the shuffle honest.

Terelius and Wikström's argument in its ElGamal variant, as one linear relation (SPEC#shuffle).
Source: Haenni, Locher, Koenig, Dubuis, "Pseudo-Code Algorithms for Verifiable Re-Encryption
Mix-Nets", FC 2017 workshops. The symbols below are as in SPEC.md, except c and chain: SPEC.md
says C and Ĉ. Lists count from 0 here.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, reduce
from itertools import pairwise
from typing import Final, Self, TypeAlias

from matcha_p2p.crypto import ristretto255, sigma
from matcha_p2p.crypto.elgamal import Ciphertext
from matcha_p2p.crypto.sponge import integers, permutation, stream, xof
from matcha_p2p.errors import Check, EncodingError, ProofError

Deck: TypeAlias = tuple[Ciphertext, ...]

SMALLEST: Final = 2
LARGEST: Final = 64


@dataclass(frozen=True, slots=True)
class ShuffleProof:
    """For N cards: commitments C_1..C_N to a permutation, the chain Ĉ_1..Ĉ_N, a sigma proof."""

    commitments: tuple[ristretto255.Point, ...]
    chain: tuple[ristretto255.Point, ...]
    proof: sigma.Proof

    def encode(self) -> bytes:
        """Return the 32·(4N + 5) bytes of the proof."""
        points = ristretto255.encode_all((*self.commitments, *self.chain))
        return b"".join(points) + self.proof.encode()

    @classmethod
    def decode(cls, encoding: bytes, n: int) -> Self:
        """Read the proof for a deck of ``n`` cards.

        Raises:
            EncodingError: a wrong length (E_SHUFFLE), a bad point (E_POINT), or a scalar not
                below the order (E_SCALAR).
        """
        points = 2 * n * ristretto255.Point.SIZE
        if len(encoding) != points + (2 * n + 5) * ristretto255.SCALAR_SIZE:
            message = f"{len(encoding)} bytes are no shuffle proof for {n} cards"
            raise EncodingError(Check.SHUFFLE, message)
        decoded = ristretto255.Point.decode_all(encoding[:points])
        return cls(decoded[:n], decoded[n:], sigma.Proof.decode(encoding[points:]))


@cache
def blinding() -> ristretto255.Point:
    """Return K, where every chain starts."""
    return ristretto255.hash_to_group(b"pedersen")


@cache
def generators(n: int) -> tuple[ristretto255.Point, ...]:
    """Return K_1..K_n, 1 <= n <= 64, independent of each other, of K and of G."""
    return tuple(map(_generator, range(1, n + 1)))


@cache
def _generator(i: int) -> ristretto255.Point:
    return ristretto255.hash_to_group(b"pedersen/" + i.to_bytes(2, "big"))


def shuffle(
    deck: Sequence[Ciphertext],
    key: ristretto255.Point,
    context: sigma.Context,
    random: sigma.Random,
    last: Sequence[int] = (),
) -> tuple[Deck, ShuffleProof]:
    """Return ``deck``, 2 to 64 cards, masked once more and permuted, and the proof.

    last: places of the cards to come last, in order; the rest is permuted before. Besides
    ``random`` itself, all randomness depends on the context's label, the key, the deck and
    ``last``: other inputs never meet equal masks (PEER#randomness).
    Cost: about 10N multiplications, including 6N of G, K or the key.

    Raises:
        ValueError: a deck of another size, or ``last`` are not different places of the deck.
    """
    n = len(deck)
    if not SMALLEST <= n <= LARGEST:
        raise ValueError(f"a deck of {n} cards")
    if len({*last} & {*range(n)}) != len(last):
        raise ValueError(f"{last} are not different places of {n}")
    draws = _Draws(context.label, key.encode() + _encode(deck), n, random)
    psi = draws.order(last)
    r, rho, r_hat = (draws.scalars(name, last) for name in ("mask", "commitment", "chain"))
    after = masked(deck, key, psi, r)
    c = commitments(psi, rho)
    u = challenges(deck, after, key, c, context)
    u_prime = tuple(u[j] for j in psi)
    chain, logarithms = chained(u_prime, r_hat)
    witness = (
        sum(rho) % ristretto255.ORDER,
        logarithms[-1][0],
        sum(a * b for a, b in zip(rho, u, strict=True)) % ristretto255.ORDER,
        sum(a * b for a, b in zip(r, u, strict=True)) % ristretto255.ORDER,
        *r_hat,
        *u_prime,
    )
    statement = relation(deck, after, key, c, chain, u)
    links = range(len(statement.elements) - n, len(statement.elements))
    known = {link: ((0, q), (1, U)) for link, (q, U) in zip(links, logarithms, strict=True)}
    proof = sigma.prove(statement, context.sid("SHUFFLE"), witness, random, known)
    return after, ShuffleProof(c, chain, proof)


def find_order(
    before: Deck,
    after: Deck,
    key: ristretto255.Point,
    draws: tuple[str, sigma.Random],
    lasts: Iterable[Sequence[int]],
) -> tuple[int, ...]:
    """Return ψ of a shuffle whose last cards were one of the choices ``lasts``.

    draws: the label and the randomness of the shuffle. The choices are tried in their order;
    each costs a multiplication of G.

    Raises:
        LookupError: the shuffle was made with other randomness, or another choice.
    """
    n = len(before)
    label, random = draws
    drawn = _Draws(label, key.encode() + _encode(before), n, random)
    for last in lasts:
        order = drawn.order(last)
        j = order[0]
        if after[0].c1 == before[j].c1 + ristretto255.base_mul(drawn.scalars("mask", last)[j]):
            return order
    raise LookupError("the shuffle was not made with this secret")


@dataclass(frozen=True, slots=True)
class _Draws:
    """The random draws for shuffling ``n`` cards (PEER#randomness). source: key and deck."""

    label: str
    source: bytes
    n: int
    random: sigma.Random

    def order(self, last: Sequence[int]) -> tuple[int, ...]:
        """Return ψ: the places outside ``last``, permuted, then the places of ``last``."""
        seed = self.random(f"{self.label}/permutation", self.source + bytes(last), 32)
        others = [place for place in range(self.n) if place not in last]
        return (*(others[i] for i in permutation(stream(seed), len(others))), *last)

    def scalars(self, name: str, last: Sequence[int]) -> tuple[int, ...]:
        """Return the N scalars named ``name``."""
        message = self.source + bytes(last)
        return integers(
            self.random(f"{self.label}/{name}", message, 48 * self.n), ristretto255.ORDER
        )


def verify_shuffle(
    before: Sequence[Ciphertext],
    after: Sequence[Ciphertext],
    key: ristretto255.Point,
    context: sigma.Context,
    proof: ShuffleProof,
) -> None:
    """Check that ``after`` is ``before``, masked once more under ``key`` and permuted.

    Cost: about 9N multiplications. Variable time: all is public.

    Raises:
        ProofError: a size is wrong, the statement is not valid or the proof does not hold
            (E_SHUFFLE).
    """
    n = len(before)
    if not SMALLEST <= n <= LARGEST:
        raise ProofError(Check.SHUFFLE, f"a deck of {n} cards")
    if not n == len(after) == len(proof.commitments) == len(proof.chain):
        raise ProofError(Check.SHUFFLE, f"the deck of {n} cards or its proof changed size")
    c = proof.commitments
    u = challenges(before, after, key, c, context)
    statement = relation(before, after, key, c, proof.chain, u)
    sigma.verify(statement, context.sid("SHUFFLE"), proof.proof, Check.SHUFFLE)


def masked(
    deck: Sequence[Ciphertext], key: ristretto255.Point, psi: Sequence[int], r: Sequence[int]
) -> Deck:
    """Step 2: card i of the result is card j = ψ(i) of ``deck``, masked by r_j."""
    drawn = [r[j] for j in psi]
    left = [*(deck[j].c1 for j in psi), *(deck[j].c2 for j in psi)]
    right = [
        *ristretto255.secret_products(drawn, ristretto255.GENERATOR),
        *ristretto255.secret_products(drawn, key),
    ]
    both = ristretto255.add_all(left, right)
    return tuple(map(Ciphertext, both[: len(psi)], both[len(psi) :]))


def commitments(psi: Sequence[int], rho: Sequence[int]) -> tuple[ristretto255.Point, ...]:
    """Step 3: commit to ψ, by C_ψ(i) = rho_ψ(i)·G + K_i."""
    bases = generators(len(psi))
    inverse = sorted(range(len(psi)), key=psi.__getitem__)
    rho_G = ristretto255.secret_products(rho, ristretto255.GENERATOR)
    return tuple(ristretto255.add_all(rho_G, [bases[i] for i in inverse]))


def challenges(
    before: Sequence[Ciphertext],
    after: Sequence[Ciphertext],
    key: ristretto255.Point,
    c: Sequence[ristretto255.Point],
    context: sigma.Context,
) -> tuple[int, ...]:
    """Step 4: u_1..u_N, from all values fixed before."""
    sid = replace(context, label=f"{context.label}/u").sid("SHUFFLE")
    message = (
        key.encode() + _encode(before) + _encode(after) + b"".join(ristretto255.encode_all(c))
    )
    return integers(xof(sid, message, 48 * len(before)), ristretto255.ORDER)


def chained(
    u_prime: Sequence[int], r_hat: Sequence[int]
) -> tuple[tuple[ristretto255.Point, ...], tuple[tuple[int, int], ...]]:
    """Step 5: the chain Ĉ_i = r̂_i·G + u'_i·Ĉ_(i-1) from Ĉ_0 = K, and all (q_i, U_i).

    By the fixed bases alone: Ĉ_i = q_i·G + U_i·K, where U_i is the product of u'_1..u'_i.
    """
    order = ristretto255.ORDER
    logarithms, q, product = list[tuple[int, int]](), 0, 1
    for u, r in zip(u_prime, r_hat, strict=True):
        q, product = (r + u * q) % order, u * product % order
        logarithms.append((q, product))
    bases = (ristretto255.GENERATOR, blinding())
    chain = ristretto255.secret_sums(bases, [((0, q), (1, U)) for q, U in logarithms])
    return tuple(chain), tuple(logarithms)


def relation(
    before: Sequence[Ciphertext],
    after: Sequence[Ciphertext],
    key: ristretto255.Point,
    c: Sequence[ristretto255.Point],
    chain: Sequence[ristretto255.Point],
    u: Sequence[int],
) -> sigma.Relation[ristretto255.Point]:
    """State the shuffle; elements G, K, K_i, Y, A_i, B_i, A'_i, B'_i, C_i, Ĉ_i, in turn.

    Scalars w_0..w_3, then r̂_1..r̂_N, then u'_1..u'_N.
    """
    places = _places(len(before))
    product = reduce(lambda done, factor: done * factor % ristretto255.ORDER, u)
    elements = (
        *(ristretto255.GENERATOR, blinding(), *generators(len(before)), key),
        *(card.c1 for card in before),
        *(card.c2 for card in before),
        *(card.c1 for card in after),
        *(card.c2 for card in after),
        *c,
        *chain,
    )
    equations = (
        sigma.Equation(places.permuting, places.terms[0]),
        sigma.Equation(((places.last, 1), (1, -product % ristretto255.ORDER)), places.terms[1]),
        *(
            sigma.Equation(tuple(zip(points, u, strict=True)), terms)
            for points, terms in zip(places.weighted, places.terms[2:], strict=True)
        ),
        *places.links,
    )
    return sigma.Relation(ristretto255.RISTRETTO255, elements, equations)


@dataclass(frozen=True, slots=True)
class _Places:
    """The places of elements, common to the statements of all shuffles of N cards.

    permuting: ΣC_i - ΣK_i. last: Ĉ_N. weighted: the elements weighted by u, C, A and B. terms:
    the right-hand sides of the first five equations. links: the remaining equations, for the
    chain.
    """

    permuting: sigma.Image
    last: int
    weighted: tuple[range, ...]
    terms: tuple[sigma.LinearCombination, ...]
    links: tuple[sigma.Equation, ...]


@cache
def _places(n: int) -> _Places:
    G, K, Y = 0, 1, 2 + n
    bases, A, B, A_, B_, C, links = (
        range(start, start + n) for start in (2, *range(3 + n, 3 + 7 * n, n))
    )
    r_hat, u_prime = range(4, 4 + n), range(4 + n, 4 + 2 * n)

    def permuted(points: range) -> Iterator[tuple[int, int, int]]:
        return ((w, point, 1) for w, point in zip(u_prime, points, strict=True))

    return _Places(
        (*((j, 1) for j in C), *((i, -1) for i in bases)),
        links[-1],
        (C, A, B),
        (
            ((0, G, 1),),
            ((1, G, 1),),
            ((2, G, 1), *permuted(bases)),
            ((3, G, -1), *permuted(A_)),
            ((3, Y, -1), *permuted(B_)),
        ),
        tuple(  # Ĉ_i = r̂_i·G + u'_i·Ĉ_(i-1)
            sigma.Equation(((link, 1),), ((r, G, 1), (w, previous, 1)))
            for r, w, (previous, link) in zip(
                r_hat, u_prime, pairwise((K, *links)), strict=True
            )
        ),
    )


def _encode(deck: Sequence[Ciphertext]) -> bytes:
    return b"".join(
        ristretto255.encode_all([point for card in deck for point in (card.c1, card.c2)])
    )
