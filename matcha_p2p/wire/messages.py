"""The thirteen actions, each a frozen dataclass, and their form on the wire (SPEC#messages).

An action is an array: its name, then its fields in order. Group elements and scalars are
decoded here, once; a decoded action cannot hold a malformed one.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never

from matcha_p2p.crypto.elgamal import Ciphertext
from matcha_p2p.crypto.ristretto255 import Point
from matcha_p2p.crypto.shuffle import ShuffleProof
from matcha_p2p.crypto.sigma import Proof
from matcha_p2p.errors import Check, EncodingError
from matcha_p2p.wire.encoding import Value

MAGIC: Final = b"matcha"
KEY_PROOF_SIZE: Final = 64
"""Bytes of a proof with one secret: a challenge and one response."""

MAX_MATS: Final = 6


@dataclass(frozen=True, slots=True)
class Hello:
    """A seat's keys, proven, and what it is ready to play (SPEC#hello)."""

    versions: tuple[int, ...]
    """Protocol versions that the seat speaks, ascending."""
    version: int
    """Seat 0 proposes its highest; seat 1 names the highest that is in both lists."""
    edition: str
    """Name of the edition of the rules: "2015" or "2020"."""
    rules: bytes
    """Digest of that edition's rules, 32 bytes."""
    name: str
    """What the player is called; ``check_name`` holds for it."""
    session_key: bytes
    """Ed25519 key that signs this seat's entries of this game, 32 bytes."""
    anchor: bytes
    """Link 0 of the seat's coin chain, 32 bytes; each coin opens the next link."""
    game_key: Point
    """X = x*G, the seat's part of the key under which cards are masked."""
    pop: Proof
    """Proof of possession of x."""
    identity: bytes | None = None
    """Long-term Ed25519 key, 32 bytes, by which a player is known again; or None."""
    certificate: bytes | None = None
    """Signature by ``identity`` over both keys, anchor and prev, 64 bytes; or None."""


@dataclass(frozen=True, slots=True)
class Coin:
    """The next link of the author's hash chain, 32 bytes (SPEC#coin)."""

    link: bytes


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The deck re-encrypted and permuted by the author, proven (SPEC#shuf)."""

    deck: tuple[Ciphertext, ...]
    proof: ShuffleProof


@dataclass(frozen=True, slots=True)
class Open:
    """The author's shares of the next positions of the mixed deck (SPEC#open)."""

    shares: tuple[Point, ...]
    proof: Proof


@dataclass(frozen=True, slots=True)
class Own:
    """The author's hand of kept and new cards, shuffled by the author, proven (SPEC#own)."""

    hand: tuple[Ciphertext, ...]
    proof: ShuffleProof


@dataclass(frozen=True, slots=True)
class Strip:
    """The author's shares of the other seat's five hand cards (SPEC#strip)."""

    shares: tuple[Point, ...]
    proof: Proof


@dataclass(frozen=True, slots=True)
class PlayCard:
    """The card named ``back`` (32 bytes) is laid face down at ``mat`` 0..5 (SPEC#play)."""

    mat: int
    back: bytes


@dataclass(frozen=True, slots=True)
class PassTurn:
    """The author passes (SPEC#pass)."""


@dataclass(frozen=True, slots=True)
class Reveal:
    """The author's shares of its contested cards, by mat (SPEC#reveal)."""

    shares: tuple[Point, ...]
    proof: Proof


@dataclass(frozen=True, slots=True)
class KeepCommit:
    """The closer's commitment, 32 bytes, to the cards it keeps (SPEC#keepc)."""

    commitment: bytes


@dataclass(frozen=True, slots=True)
class KeepCards:
    """The other seat's kept cards, by back, in slot order (SPEC#keep)."""

    backs: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class KeepOpen:
    """The closer's kept cards and the 32-byte salt of its commitment (SPEC#keepo)."""

    salt: bytes
    backs: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """How the game ended: outcome 0 or 1 the winner, 2 a draw; digest of the final state."""

    outcome: int
    digest: bytes


Action: TypeAlias = (
    Hello
    | Coin
    | Shuffle
    | Open
    | Own
    | Strip
    | PlayCard
    | PassTurn
    | Reveal
    | KeepCommit
    | KeepCards
    | KeepOpen
    | Result
)


def encode_action(action: Action) -> Value:  # noqa: C901, PLR0912 -- one flat table
    """Return the array that stands for ``action``."""
    match action:
        case Hello():
            return _encode_hello(action)
        case Coin(link):
            return ["COIN", link]
        case Shuffle(deck, proof):
            return ["SHUF", _join(deck), proof.encode()]
        case Open(shares, proof):
            return ["OPEN", _join(shares), proof.encode()]
        case Own(hand, proof):
            return ["OWN", _join(hand), proof.encode()]
        case Strip(shares, proof):
            return ["STRIP", _join(shares), proof.encode()]
        case PlayCard(mat, back):
            return ["PLAY", mat, back]
        case PassTurn():
            return ["PASS"]
        case Reveal(shares, proof):
            return ["REVEAL", _join(shares), proof.encode()]
        case KeepCommit(commitment):
            return ["KEEPC", commitment]
        case KeepCards(backs):
            return ["KEEP", b"".join(backs)]
        case KeepOpen(salt, backs):
            return ["KEEPO", salt, b"".join(backs)]
        case Result(outcome, digest):
            return ["RESULT", outcome, digest]
        case _:
            assert_never(action)


def decode_action(value: Value) -> Action:  # noqa: C901, PLR0912 -- one flat table
    """Return the action that ``value`` stands for.

    Raises:
        EncodingError: E_ENCODING for an unknown name or a field of wrong number, type, size or
            range; E_POINT, E_SCALAR, or E_SHUFFLE for a shuffle proof of the wrong length.
    """
    match value:
        case ["HELLO", *fields]:
            return _decode_hello(fields)
        case ["COIN", bytes(link)]:
            return Coin(_hash(link))
        case ["SHUF", bytes(deck), bytes(proof)]:
            return Shuffle(*_decode_shuffle(deck, proof))
        case ["OPEN", bytes(shares), bytes(proof)]:
            return Open(*_decode_shares(shares, proof))
        case ["OWN", bytes(hand), bytes(proof)]:
            return Own(*_decode_shuffle(hand, proof))
        case ["STRIP", bytes(shares), bytes(proof)]:
            return Strip(*_decode_shares(shares, proof))
        case ["PLAY", int(mat), bytes(back)] if mat < MAX_MATS:
            return PlayCard(mat, _hash(back))
        case ["PASS"]:
            return PassTurn()
        case ["REVEAL", bytes(shares), bytes(proof)]:
            return Reveal(*_decode_shares(shares, proof))
        case ["KEEPC", bytes(commitment)]:
            return KeepCommit(_hash(commitment))
        case ["KEEP", bytes(backs)]:
            return KeepCards(_split(backs, 32))
        case ["KEEPO", bytes(salt), bytes(backs)]:
            return KeepOpen(_hash(salt), _split(backs, 32))
        case ["RESULT", int(outcome), bytes(digest)] if outcome <= 2:
            return Result(outcome, _hash(digest))
        case _:
            raise EncodingError(Check.ENCODING, f"no action has the form {_shape(value)}")


def _encode_hello(hello: Hello) -> Value:
    return [
        "HELLO",
        MAGIC,
        list(hello.versions),
        hello.version,
        hello.edition,
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
            str(edition),
            bytes(rules),
            str(name),
            bytes(session_key),
            bytes(anchor),
            bytes(game_key),
            bytes(pop),
            bytes(identity),
            bytes(certificate),
        ] if magic == MAGIC and (len(identity), len(certificate)) in ((0, 0), (32, 64)):
            return Hello(
                _decode_versions(versions),
                version,
                edition,
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
    numbers = tuple(version for version in versions if isinstance(version, int))
    if not 0 < len(versions) == len(numbers) or list(numbers) != sorted(set(numbers)):
        raise EncodingError(Check.ENCODING, "versions are integers, at least one, ascending")
    return numbers


def _decode_shuffle(deck: bytes, proof: bytes) -> tuple[tuple[Ciphertext, ...], ShuffleProof]:
    cards = Ciphertext.decode_all(_whole(deck, Ciphertext.SIZE))
    return cards, ShuffleProof.decode(proof, len(cards))


def _decode_shares(shares: bytes, proof: bytes) -> tuple[tuple[Point, ...], Proof]:
    points = Point.decode_all(_whole(shares, Point.SIZE))
    return points, _decode_key_proof(proof)


def _decode_key_proof(encoding: bytes) -> Proof:
    if len(encoding) != KEY_PROOF_SIZE:
        raise EncodingError(Check.ENCODING, f"a proof of {len(encoding)} bytes, not 64")
    return Proof.decode(encoding)


def _hash(value: bytes) -> bytes:
    """Accept a field of exactly 32 bytes: a hash, a key, a salt."""
    if len(value) != 32:
        raise EncodingError(Check.ENCODING, f"a field of {len(value)} bytes, not 32")
    return value


def _whole(value: bytes, size: int) -> bytes:
    """Accept a field of any number of items of ``size`` bytes each."""
    if len(value) % size:
        raise EncodingError(Check.ENCODING, f"{len(value)} bytes are no multiple of {size}")
    return value


def _split(value: bytes, size: int) -> tuple[bytes, ...]:
    return tuple(_whole(value, size)[i : i + size] for i in range(0, len(value), size))


def _join(parts: tuple[Ciphertext, ...] | tuple[Point, ...]) -> bytes:
    return b"".join(part.encode() for part in parts)


def _shape(value: Value) -> str:
    """Describe a refused value by its types, never by its content."""
    if isinstance(value, int | bytes | str):
        return type(value).__name__
    return "[" + ", ".join(map(_shape, value)) + "]"
