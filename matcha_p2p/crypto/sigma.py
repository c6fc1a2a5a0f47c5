"""The proof system: compact Fiat-Shamir proofs of linear relations (SPEC#proofs).

A relation says: the prover knows scalars w with, for each equation,

    Σ a·P_i  =  Σ b·w_j·P_i

where the elements P_i and the coefficients a, b are public; P_0 is the group's generator.
The code is generic over the group: the tests run P-256 against published vectors.
Source: draft-irtf-cfrg-sigma-protocols at commit 91cc933, compact flavour.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, Final, Generic, Protocol, Self, TypeAlias, TypeVar

from matcha_p2p.crypto.ristretto255 import SCALAR_SIZE, decode_scalar, encode_scalar
from matcha_p2p.crypto.sponge import H, integers, xof
from matcha_p2p.errors import Check, EncodingError, ProofError

P = TypeVar("P")

# ``random(label, message, n)`` gives n bytes, a function of a secret, of the place in the game,
# of the label and of the message (PEER#randomness).
Random: TypeAlias = Callable[[str, bytes, int], bytes]


class Group(Hashable, Protocol[P]):
    """A group of prime order, and the encoding of elements and scalars in statements."""

    @property
    def order(self) -> int:
        """The number of elements."""
        ...

    @property
    def generator(self) -> P:
        """The generator, whose multiples statements are about."""
        ...

    def is_identity(self, point: P) -> bool:
        """Return whether ``point`` is the neutral element."""
        ...

    def secret_sums(
        self, points: Sequence[P], sums: Sequence[Sequence[tuple[int, int]]]
    ) -> Sequence[P]:
        """Return several sums, each of pairs (i, scalar) for scalar·points[i].

        The scalars may be secret: integers of any size, mod the order.
        """
        ...

    def public_sum(self, scalars: Sequence[int], points: Sequence[P]) -> P:
        """Return Σ scalar·point for public scalars, integers of any size, mod the order."""
        ...

    def public_sums(
        self, points: Sequence[P], sums: Sequence[Sequence[tuple[int, int]]]
    ) -> Sequence[P]:
        """Return several sums, each of pairs (i, scalar) for scalar·points[i]."""
        ...

    def encoded_public_sums(
        self, points: Sequence[P], sums: Sequence[Sequence[tuple[int, int]]]
    ) -> Sequence[bytes]:
        """Return the encodings of several sums."""
        ...

    def encode_all(self, points: Sequence[P]) -> Sequence[bytes]:
        """Return the encoding of each point."""
        ...

    @property
    def encoded_identity(self) -> bytes:
        """The encoding of the neutral element."""
        ...

    def encode_scalar(self, scalar: int) -> bytes:
        """Return the encoding of 0 <= scalar < order."""
        ...


Image: TypeAlias = tuple[tuple[int, int], ...]  # pairs (element index, coefficient)
# Triples (scalar index, element index, coefficient).
LinearCombination: TypeAlias = tuple[tuple[int, int, int], ...]
# For an element that the prover has made as a sum of other elements: pairs (element index,
# secret scalar), so that the products of one element become products of a few frequent ones.
Logarithms: TypeAlias = Mapping[int, Image]
NONE_KNOWN: Final[Logarithms] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class Equation:
    """Σ coefficient·element = Σ coefficient·scalar·element.

    Coefficients are taken mod the order of the group. In the right-hand side, ``terms``, the
    coefficients are constants of the protocol. of_one: whether the left-hand side, ``image``,
    is a single bare element. If all equations of a relation are ``of_one``, make the equations
    once: then the form and the encoding are computed once. Equations are compared by identity.
    """

    image: Image
    terms: LinearCombination
    of_one: bool = field(init=False)

    def __post_init__(self) -> None:
        of_one = len(self.image) == 1 and self.image[0][1] == 1
        object.__setattr__(self, "of_one", of_one)


@dataclass(frozen=True)
class Relation(Generic[P]):
    """A statement: elements, the generator first, and equations.

    Every element of the statement is listed by itself, never as part of a sum. Otherwise a
    proof would hold for different elements with an equal sum.
    """

    group: Group[P]
    elements: tuple[P, ...]
    equations: tuple[Equation, ...]

    @cached_property
    def scalars(self) -> int:
        """How many scalars the witness has."""
        return 1 + max(self._form.scalars)

    @cached_property
    def image(self) -> tuple[P, ...]:
        """The left-hand side of each equation, often a bare element."""
        sums = [equation.image for equation in self.equations if not equation.of_one]
        totals = iter(self.group.public_sums(self.elements, sums) if sums else ())
        return tuple(
            self.elements[equation.image[0][0]] if equation.of_one else next(totals)
            for equation in self.equations
        )

    def map(self, scalars: Sequence[int], known: Logarithms = NONE_KNOWN) -> Sequence[P]:
        """Return the right-hand side of each equation for secret scalars."""
        sums = list[list[tuple[int, int]]]()
        for equation in self.equations:
            factors = dict[int, int]()
            for j, i, a in equation.terms:
                for base, logarithm in known.get(i, ((i, 1),)):
                    factors[base] = factors.get(base, 0) + a * scalars[j] * logarithm
            sums.append(list(factors.items()))
        return self.group.secret_sums(self.elements, sums)

    def commitments(self, proof: "Proof") -> Sequence[bytes]:
        """Return the prover's commitments if ``proof`` holds: map(z) - c·image."""
        points = list(self.elements)
        sums = list[list[tuple[int, int]]]()
        z, c = proof.responses, proof.challenge
        for equation, image in zip(self.equations, self.image, strict=True):
            terms = [(i, a * z[j]) for j, i, a in equation.terms]
            if equation.of_one:
                terms.append((equation.image[0][0], -c))
            else:
                terms.append((len(points), -c))
                points.append(image)
            sums.append(terms)
        return self.group.encoded_public_sums(points, sums)

    @cached_property
    def encoded_elements(self) -> Sequence[bytes]:
        """Each element in bytes."""
        return self.group.encode_all(self.elements)

    @cached_property
    def encoding(self) -> bytes:
        """The statement in bytes: all equations, then all elements but the generator."""
        encoded = _encoded_once if self._fixed else _encoded
        return encoded(self.group, self.equations) + b"".join(self.encoded_elements[1:])

    @cached_property
    def _fixed(self) -> bool:
        return all(equation.of_one for equation in self.equations)

    @cached_property
    def _form(self) -> "_Form":
        return (_form_once if self._fixed else _form)(self.group, self.equations)

    def _sum(self, parts: Sequence[tuple[int, int]]) -> P:
        return self.group.public_sum(
            [a for _, a in parts], [self.elements[i] for i, _ in parts]
        )

    def validate(self) -> None:
        """Check that a proof of the statement would be meaningful.

        The numbers are from the draft's instance checks. Check 9, no image is the identity, is
        costly and left to ``verify``.

        Raises:
            ValueError: a check fails; the message names the first failed check.
        """
        equations, group = self.equations, self.group
        if not equations:
            raise ValueError("check 1: no equation")
        if not all(equation.image and equation.terms for equation in equations):
            raise ValueError("check 2: an equation with an empty side")
        elements, scalars = self._form.elements, self._form.scalars
        if min(elements | scalars) < 0 or max(elements | scalars) >= 2**32:
            raise ValueError("check 3: an index that does not fit into 4 bytes")
        if max(elements) >= len(self.elements):
            raise ValueError("check 4: an index without an element")
        if len(elements | {0}) != len(self.elements):
            raise ValueError("check 5: an element that no equation uses")
        if len(scalars) != self.scalars:
            raise ValueError("check 6: a scalar that no equation uses")
        if self.elements[0] != group.generator:
            raise ValueError("check 7: the first element is not the generator")
        if group.encoded_identity in self.encoded_elements:
            raise ValueError("check 8: an element is the identity")
        if len(self._bound()) != self.scalars:
            raise ValueError("check 10: a scalar that no equation binds")

    def _bound(self) -> set[int]:
        """Return the scalars whose factor in an equation is not the identity.

        By check 8 no element is the identity, so most factors are known without computation.
        """
        bound = set(self._form.bound)
        for equation in self.equations:
            if len(bound) == self.scalars:
                break
            for j in {j for j, _, _ in equation.terms} - bound:
                parts = [(i, a) for of, i, a in equation.terms if of == j]
                if not self.group.is_identity(self._sum(parts)):
                    bound.add(j)
        return bound


@dataclass(frozen=True, slots=True)
class Context:
    """The place in a game for which a proof is made (SPEC#contexts).

    label: the step. head: id of the message before the message with the proof, 32 bytes. seat:
    of the prover. game, variant: the game, so that no different game can borrow the proof.
    place: the action's place in its message.
    """

    label: str
    head: bytes
    seat: int
    game: str
    variant: str
    place: int

    def sid(self, relation: str) -> bytes:
        """Return the 32-byte session id of a proof of ``relation`` made here."""
        suite = b"sigma-proofs_Shake128_ristretto255"
        game = self.game.encode(), self.variant.encode()
        place = self.label.encode(), self.head, bytes([self.seat, self.place])
        return H("proof", b"CMPT", suite, relation.encode(), *game, *place)


@dataclass(frozen=True, slots=True)
class Proof:
    """A challenge and a response for each scalar of the witness."""

    challenge: int
    responses: tuple[int, ...]

    def encode(self) -> bytes:
        """Return 32 bytes for the challenge and 32 for each response."""
        return b"".join(map(encode_scalar, (self.challenge, *self.responses)))

    @classmethod
    def decode(cls, encoding: bytes) -> Self:
        """Read a proof of any number of responses; ``verify`` knows how many are due.

        Raises:
            EncodingError: empty, or not a sequence of canonical scalars (E_SCALAR).
        """
        if not encoding:
            raise EncodingError(Check.SCALAR, "an empty proof")
        size = SCALAR_SIZE
        blocks = (encoding[i : i + size] for i in range(0, len(encoding), size))
        challenge, *responses = map(decode_scalar, blocks)
        return cls(challenge, tuple(responses))


def prove(
    relation: Relation[P],
    sid: bytes,
    witness: Sequence[int],
    random: Random,
    known: Logarithms = NONE_KNOWN,
) -> Proof:
    """Prove knowledge of ``witness``. It must satisfy ``relation``, which is not checked.

    sid: the id of the context of the proof, 32 bytes. The nonces depend on statement and sid,
    so two different proofs never share a nonce. known: makes the same proof in less time.

    Raises:
        ValueError: the statement is not valid, or the witness has another length.
    """
    relation.validate()
    if len(witness) != relation.scalars:
        raise ValueError(f"{len(witness)} scalars, {relation.scalars} are due")
    order = relation.group.order
    digest = hashlib.sha512(relation.encoding).digest()
    nonces = integers(random("nonce", sid + digest, 48 * relation.scalars), order)
    commitments = relation.group.encode_all(relation.map(nonces, known))
    challenge = _challenge(relation, sid, commitments)
    pairs = zip(nonces, witness, strict=True)
    return Proof(challenge, tuple((k + challenge * w) % order for k, w in pairs))


def verify(relation: Relation[P], sid: bytes, proof: Proof, check: Check) -> None:
    """Check ``proof``; variable time, since all is public.

    Several proofs cannot be checked as one random sum. A compact proof carries the challenge
    in place of the commitments, and each commitment has to be computed to be hashed.

    Raises:
        ProofError: of ``check``, with the reason. A compact proof does not tell the wrong
            equation: a wrong equation shows only as another challenge.
    """
    group = relation.group
    try:
        relation.validate()
    except ValueError as error:
        raise ProofError(check, f"the statement is not valid: {error}") from error
    if len(proof.responses) != relation.scalars:
        message = f"the proof has {len(proof.responses)} responses, not {relation.scalars}"
        raise ProofError(check, message)
    images = zip(
        relation.equations, relation.image, strict=True
    )  # one element is none by check 8
    if any(group.is_identity(image) for equation, image in images if not equation.of_one):
        raise ProofError(check, "the statement is not valid: check 9: an image is the identity")
    commitments = relation.commitments(proof)
    if group.encoded_identity in commitments:
        raise ProofError(check, "a commitment of the proof is the identity")
    if _challenge(relation, sid, commitments) != proof.challenge:
        raise ProofError(check, "the challenge of the proof is not that of its statement")


def _challenge(relation: Relation[P], sid: bytes, commitments: Sequence[bytes]) -> int:
    hashed = b"".join((relation.encoding, *commitments))
    (challenge,) = integers(xof(sid, hashed, 48), relation.group.order)
    return challenge


@dataclass(frozen=True, slots=True)
class _Form:
    """The part of equations that does not depend on the values of elements and scalars.

    elements, scalars: the named indices. bound: the scalars in exactly one term of a right-hand
    side, with a coefficient other than 0.
    """

    elements: frozenset[int]
    scalars: frozenset[int]
    bound: frozenset[int]


def _form(group: Group[Any], equations: tuple[Equation, ...]) -> _Form:
    sides = [_form_of_terms(group, equation.terms) for equation in equations]
    images = {i for equation in equations for i, _ in equation.image}
    none = frozenset[int]()
    return _Form(
        none.union(images, *[side.elements for side in sides]),
        none.union(*[side.scalars for side in sides]),
        none.union(*[side.bound for side in sides]),
    )


_form_once: Final = lru_cache(maxsize=128)(_form)


@lru_cache(maxsize=1024)
def _form_of_terms(group: Group[Any], terms: LinearCombination) -> _Form:
    uses = Counter([j for j, _, _ in terms])
    return _Form(
        frozenset(i for _, i, _ in terms),
        frozenset(uses),
        frozenset(j for j, _, a in terms if uses[j] == 1 and a % group.order),
    )


def _encoded(group: Group[Any], equations: tuple[Equation, ...]) -> bytes:
    """Return the number of equations, then the sides of each.

    An image is the number of its parts, then the index and the coefficient of each part.
    """
    coefficients = {a for equation in equations for _, a in equation.image}
    encoded = {a: group.encode_scalar(a % group.order) for a in coefficients}
    sides = [_le(len(equations))]
    for equation in equations:
        sides.append(_le(len(equation.image)))
        sides += [_le(i) + encoded[a] for i, a in equation.image]
        sides.append(_encoded_terms(group, equation.terms))
    return b"".join(sides)


_encoded_once: Final = lru_cache(maxsize=128)(_encoded)


@lru_cache(maxsize=1024)
def _encoded_terms(group: Group[Any], terms: LinearCombination) -> bytes:
    """Return the number of terms, then the indices and the coefficient of each term."""
    return _le(len(terms)) + b"".join(
        [_le(j) + _le(i) + group.encode_scalar(a % group.order) for j, i, a in terms]
    )


@lru_cache(maxsize=1024)
def _le(number: int) -> bytes:
    return number.to_bytes(4, "little")
