"""The eight verbs of the table and their form on the wire (SPEC#verbs).

An action is an array: a verb, then fields in order. Group elements and scalars are decoded
here, once. A decoded action cannot hold a malformed element or scalar.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never

from matcha_p2p.crypto.elgamal import Ciphertext
from matcha_p2p.crypto.ristretto255 import Point, encode_all
from matcha_p2p.crypto.shuffle import ShuffleProof
from matcha_p2p.crypto.sigma import Proof
from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.seats import LEAST_SEATS, MOST_SEATS
from matcha_p2p.table.moves import HASH_SIZE, MoveForms, check_move
from matcha_p2p.table.steps import Wire
from matcha_p2p.wire.encoding import Value

MAGIC: Final = b"matcha"
KEY_PROOF_SIZE: Final = 64
"""Bytes of a proof with one secret: a challenge and one response."""


@dataclass(frozen=True, slots=True)
class Hello:
    """A seat's proven keys, and the game that the seat is ready to play (SPEC#hello)."""

    versions: tuple[int, ...]
    """Protocol versions that the seat speaks, ascending."""
    version: int
    """Of seat 0 its highest version; of a later seat the highest common to all lists so far."""
    game: str
    """The game, "matcha" for example."""
    variant: str
    """The rules of the game, "2020" for example."""
    seats: int
    """The number of seats at the table, 2 to 4."""
    rules: bytes
    """Digest of the rules, 32 bytes."""
    name: str
    """The player's name; ``check_name`` accepts the name."""
    session_key: bytes
    """Ed25519 key that signs the seat's entries of the game, 32 bytes."""
    anchor: bytes
    """Link 0 of the seat's coin chain, 32 bytes; each coin opens the next link."""
    game_key: Point
    """X = x*G, the seat's part of the key under which cards are masked."""
    pop: Proof
    """Proof of possession of x."""
    identity: bytes | None = None
    """Long-term Ed25519 key, 32 bytes, to recognise a player in later games; or None."""
    certificate: bytes | None = None
    """Signature by ``identity`` over both keys, anchor and prev, 64 bytes; or None."""


@dataclass(frozen=True, slots=True)
class Toss:
    """COIN: the next link of the author's hash chain, 32 bytes (SPEC#coin)."""

    link: bytes


@dataclass(frozen=True, slots=True)
class Shuf:
    """SHUF: a pile masked once more and permuted by the author, proven (SPEC#shuf)."""

    deck: tuple[Ciphertext, ...]
    proof: ShuffleProof


@dataclass(frozen=True, slots=True)
class Shares:
    """SHARE: the author's shares of the cards of the step, proven (SPEC#share)."""

    shares: tuple[Point, ...]
    proof: Proof


@dataclass(frozen=True, slots=True)
class MoveAction:
    """MOVE: the author's decision, in the game's own form (SPEC#move)."""

    move: Wire


@dataclass(frozen=True, slots=True)
class Seal:
    """SEAL: a commitment, 32 bytes, to a move that the author opens later (SPEC#seal)."""

    commitment: bytes


@dataclass(frozen=True, slots=True)
class Unseal:
    """UNSEAL: the move under the author's seal, and the 32-byte salt (SPEC#seal)."""

    salt: bytes
    move: Wire


@dataclass(frozen=True, slots=True)
class Result:
    """RESULT: the game's outcome, and the digest of the final state, 32 bytes (SPEC#result)."""

    outcome: tuple[int, ...]
    digest: bytes


Action: TypeAlias = Hello | Toss | Shuf | Shares | MoveAction | Seal | Unseal | Result


def encode_action(action: Action) -> Value:
    """Return the array for ``action``."""
    match action:
        case Hello():
            return _encode_hello(action)
        case Toss(link):
            return ["COIN", link]
        case Shuf(deck, proof):
            points = [point for card in deck for point in (card.c1, card.c2)]
            return ["SHUF", b"".join(encode_all(points)), proof.encode()]
        case Shares(shares, proof):
            return ["SHARE", b"".join(encode_all(shares)), proof.encode()]
        case MoveAction(move):
            return ["MOVE", *move]
        case Seal(commitment):
            return ["SEAL", commitment]
        case Unseal(salt, move):
            return ["UNSEAL", salt, *move]
        case Result(outcome, digest):
            return ["RESULT", list(outcome), digest]
        case _:
            assert_never(action)


def decode_action(value: Value, forms: MoveForms) -> Action:
    """Return the action in the array ``value``. forms: the forms of the game's moves.

    Raises:
        EncodingError: E_ENCODING for an unknown verb or a field of wrong number, type, size or
            range; E_POINT, E_SCALAR, or E_SHUFFLE for a shuffle proof of the wrong length.
    """
    match value:
        case ["HELLO", *fields]:
            return _decode_hello(fields)
        case ["COIN", bytes(link)]:
            return Toss(_hash(link))
        case ["SHUF", bytes(deck), bytes(proof)]:
            cards = Ciphertext.decode_all(_whole(deck, Ciphertext.SIZE))
            return Shuf(cards, ShuffleProof.decode(proof, len(cards)))
        case ["SHARE", bytes(shares), bytes(proof)]:
            points = Point.decode_all(_whole(shares, Point.SIZE))
            return Shares(points, _decode_key_proof(proof))
        case ["MOVE", *fields]:
            return MoveAction(check_move(forms, fields))
        case ["SEAL", bytes(commitment)]:
            return Seal(_hash(commitment))
        case ["UNSEAL", bytes(salt), *fields]:
            return Unseal(_hash(salt), check_move(forms, fields))
        case ["RESULT", [*outcome], bytes(digest)]:
            return Result(_numbers(outcome), _hash(digest))
        case _:
            raise EncodingError(Check.ENCODING, f"no action has the form {_shape(value)}")


def _encode_hello(hello: Hello) -> Value:
    return [
        "HELLO",
        MAGIC,
        list(hello.versions),
        hello.version,
        hello.game,
        hello.variant,
        hello.seats,
        hello.rules,
        hello.name,
        hello.session_key,
        hello.anchor,
        hello.game_key.encode(),
        hello.pop.encode(),
        hello.identity or b"",
        hello.certificate or b"",
    ]


def _decode_hello(fields: list[Value]) -> Hello:
    match fields:
        case [
            bytes(magic),
            [*versions],
            int(version),
            str(game),
            str(variant),
            int(seats),
            bytes(rules),
            str(name),
            bytes(session_key),
            bytes(anchor),
            bytes(game_key),
            bytes(pop),
            bytes(identity),
            bytes(certificate),
        ] if (
            magic == MAGIC
            and LEAST_SEATS <= seats <= MOST_SEATS
            and (len(identity), len(certificate)) in ((0, 0), (32, 64))
        ):
            return Hello(
                _decode_versions(versions),
                version,
                game,
                variant,
                seats,
                _hash(rules),
                name,
                _hash(session_key),
                _hash(anchor),
                Point.decode(game_key),
                _decode_key_proof(pop),
                identity or None,
                certificate or None,
            )
        case _:
            raise EncodingError(Check.ENCODING, f"HELLO of the form {_shape(fields)}")


def _decode_versions(versions: list[Value]) -> tuple[int, ...]:
    numbers = _numbers(versions)
    if not numbers or list(numbers) != sorted(set(numbers)):
        raise EncodingError(Check.ENCODING, "versions are integers, at least one, ascending")
    return numbers


def _numbers(values: list[Value]) -> tuple[int, ...]:
    numbers = tuple(value for value in values if isinstance(value, int))
    if len(numbers) != len(values):
        raise EncodingError(Check.ENCODING, "an array holds other values than integers")
    return numbers


def _decode_key_proof(encoding: bytes) -> Proof:
    if len(encoding) != KEY_PROOF_SIZE:
        raise EncodingError(Check.ENCODING, f"a proof of {len(encoding)} bytes, not 64")
    return Proof.decode(encoding)


def _hash(value: bytes) -> bytes:
    """Accept a field of exactly 32 bytes: a hash, a key, a salt."""
    if len(value) != HASH_SIZE:
        raise EncodingError(Check.ENCODING, f"a field of {len(value)} bytes, not 32")
    return value


def _whole(value: bytes, size: int) -> bytes:
    """Accept a field of any number of items of ``size`` bytes each."""
    if len(value) % size:
        raise EncodingError(Check.ENCODING, f"{len(value)} bytes are no multiple of {size}")
    return value


def _shape(value: Value) -> str:
    """Describe a refused value by type, never by content."""
    if isinstance(value, int | bytes | str):
        return type(value).__name__
    return "[" + ", ".join(map(_shape, value)) + "]"
