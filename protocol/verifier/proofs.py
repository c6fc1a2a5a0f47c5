"""The three zero-knowledge proofs, verified (SPEC#proofs)."""

from dataclasses import dataclass
from math import prod

from codec import GROUP_ORDER, H, challenges, le4, refuse
from group import BASE, Element, combine, hash_to_group

Masked = tuple[Element, Element]
Pair = tuple[int, int]
Triple = tuple[int, int, int]

K = hash_to_group(b"pedersen")


@dataclass(frozen=True)
class Place:
    """The place of a proof: the game, the entry before, the prover, and the action."""

    game: str
    variant: str
    head: bytes
    seat: int
    action: int

    def sid(self, relation: str, label: str) -> bytes:
        """Return the session id of a proof (SPEC#contexts)."""
        suite = "CMPT", "sigma-proofs_Shake128_ristretto255"
        names = [name.encode() for name in (*suite, relation, self.game, self.variant, label)]
        return H("proof", *names, self.head, bytes([self.seat, self.action]))


@dataclass(frozen=True)
class Proof:
    """A challenge and the responses."""

    challenge: int
    responses: list[int]


@dataclass(frozen=True)
class Shares:
    """Shares of a seat, and the proof."""

    shares: list[Element]
    proof: Proof


@dataclass(frozen=True)
class Shuffle:
    """A shuffled deck, the commitments C and Ĉ to the permutation, and the proof."""

    deck: list[Masked]
    commitments: list[Element]
    chain: list[Element]
    proof: Proof


@dataclass(frozen=True)
class Statement:
    """A linear relation: elements, beginning with G, and equations of an image and terms."""

    elements: list[Element]
    equations: list[tuple[list[Pair], list[Triple]]]

    def serialised(self) -> bytes:
        """Return ``ser`` (SPEC#statement)."""
        parts = [le4(len(self.equations))]
        for image, terms in self.equations:
            parts.append(le4(len(image)))
            parts += [le4(i) + _scalar(a) for i, a in image]
            parts.append(le4(len(terms)))
            parts += [le4(j) + le4(i) + _scalar(b) for j, i, b in terms]
        return b"".join(parts + [element.encoding for element in self.elements[1:]])

    def verify(self, sid: bytes, proof: Proof, check: str) -> None:
        """Refuse with ``check`` unless ``proof`` holds.

        Only the instance checks 8 and 9 can fail for the protocol's statements.
        """
        if any(element.is_identity for element in self.elements):
            refuse(check)
        commitments = []
        for image_pairs, terms in self.equations:
            image = combine((a, self.elements[i]) for i, a in image_pairs)
            right = [(b * proof.responses[j], self.elements[i]) for j, i, b in terms]
            commitment = combine([*right, (-proof.challenge, image)])
            if image.is_identity or commitment.is_identity:
                refuse(check)
            commitments.append(commitment.encoding)
        data = self.serialised() + b"".join(commitments)
        if challenges(sid, data, 1) != [proof.challenge]:
            refuse(check)


def _scalar(n: int) -> bytes:
    return (n % GROUP_ORDER).to_bytes(32, "little")


def verify_possession(key: Element, proof: Proof, place: Place) -> None:
    """Refuse with E_POP unless the prover holds the secret of its game key (SPEC#pop)."""
    statement = Statement([BASE, key], [([(1, 1)], [(0, 0, 1)])])
    statement.verify(place.sid("POP", "hello"), proof, "E_POP")


def verify_shares(
    key: Element, cards: list[Masked], label: str, given: Shares, place: Place
) -> None:
    """Refuse with E_SHARE unless ``given`` are the shares of the cards (SPEC#shares)."""
    m = len(cards)
    if len(given.shares) != m:
        refuse("E_SHARE")
    elements = [BASE, key, *(card[0] for card in cards), *given.shares]
    equations = [([(1, 1)], [(0, 0, 1)])]
    equations += [([(1 + m + i, 1)], [(0, 1 + i, 1)]) for i in range(1, m + 1)]
    sid = place.sid("SHARES", label)
    Statement(elements, equations).verify(sid, given.proof, "E_SHARE")


def verify_shuffle(
    old: list[Masked], key: Element, label: str, given: Shuffle, place: Place
) -> None:
    """Refuse with E_SHUFFLE unless ``given`` is the old deck, masked again and permuted."""
    new = given.deck
    if len(new) != len(old):
        refuse("E_SHUFFLE")
    encoded = [key.encoding]
    encoded += [half.encoding for card in old + new for half in card]
    encoded += [c.encoding for c in given.commitments]
    u = challenges(place.sid("SHUFFLE", label + "/u"), b"".join(encoded), len(old))
    statement = _shuffle_statement(old, key, given, u)
    statement.verify(place.sid("SHUFFLE", label), given.proof, "E_SHUFFLE")


def _shuffle_statement(
    old: list[Masked], key: Element, given: Shuffle, u: list[int]
) -> Statement:
    """Return the statement of SPEC#shuffle."""
    n = len(old)
    numbers = range(1, n + 1)
    k = [hash_to_group(b"pedersen/" + i.to_bytes(2)) for i in numbers]
    a, b = [card[0] for card in old], [card[1] for card in old]
    new_a, new_b = [card[0] for card in given.deck], [card[1] for card in given.deck]
    elements = [BASE, K, *k, key, *a, *b, *new_a, *new_b, *given.commitments, *given.chain]
    # The index of the element before each group, so groups count from 1.
    at_k, at_key, at_a, at_b = 1, 2 + n, 2 + n, 2 + 2 * n
    at_new_a, at_new_b, at_c, at_chain = 2 + 3 * n, 2 + 4 * n, 2 + 5 * n, 2 + 6 * n

    def weighted(at: int) -> list[Pair]:
        return [(at + i, u[i - 1]) for i in numbers]

    def permuted(at: int) -> list[Triple]:
        return [(3 + n + i, at + i, 1) for i in numbers]

    equations = [
        ([(at_c + i, 1) for i in numbers] + [(at_k + i, -1) for i in numbers], [(0, 0, 1)]),
        ([(at_chain + n, 1), (1, -prod(u))], [(1, 0, 1)]),
        (weighted(at_c), [(2, 0, 1), *permuted(at_k)]),
        (weighted(at_a), [(3, 0, -1), *permuted(at_new_a)]),
        (weighted(at_b), [(3, at_key, -1), *permuted(at_new_b)]),
    ]
    for i in numbers:
        before = at_chain + i - 1 if i > 1 else 1
        equations.append(([(at_chain + i, 1)], [(3 + i, 0, 1), (3 + n + i, before, 1)]))
    return Statement(elements, equations)
