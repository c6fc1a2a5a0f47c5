"""A deck of cards among any parties, for a program with a label of its own.

The parties need no table and no game of this package: they exchange the bytes made here in
any way. A party is a ``Player`` of ``table/seat.py``. In each proof, and in each card's point,
``app/`` and the label stand in place of a game's name. The name of a game has letters a-z
alone, so no proof made here holds at a table, and no table's proof holds here (SPEC#contexts).
A label is for one program, and a session for one deck: two decks never share both.

All parties use the same label and session, and the same messages in the same order. If two
programs differ in one of these, the proofs of one fail in the other, as the proofs of a cheat
do.

In the examples below ``ann`` and ``ben`` are parties 0 and 1 of a deck of 52 cards. ``said``
has their greetings, ``laid`` is the deck before any shuffle, ``mixed`` the deck after both.
"""

import re
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import Final

from matcha_p2p.crypto import elgamal, shuffle, sigma
from matcha_p2p.crypto.ristretto255 import Point
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check, EncodingError, ProofError
from matcha_p2p.seats import Seat
from matcha_p2p.table.piles import DeckParameters
from matcha_p2p.table.seat import Player, Secrets, take_seat
from matcha_p2p.wire.names import GameId

__all__ = [
    "LabelledDeck",
    "greeting",
    "lay",
    "opened",
    "shares",
    "shuffled",
    "take_part",
    "with_shuffle",
]

MOST_PARTIES: Final = 255

_LABEL: Final = re.compile("[!-~]{1,64}")
_PROOF: Final = 2 * Point.SIZE


@dataclass(frozen=True, slots=True)
class LabelledDeck:
    """A deck in the eyes of every party; each message makes a new value.

    keys: the public keys of the parties. cards: the masked cards by place. shuffles: how many
    parties have shuffled; party 0 begins. head: 32 bytes that name the deck and its history.
    """

    parameters: DeckParameters
    keys: tuple[Point, ...]
    cards: tuple[elgamal.Ciphertext, ...]
    shuffles: int
    head: bytes

    def context(self, party: int, label: str) -> sigma.Context:
        """Bind a proof of ``party`` to the present deck."""
        return sigma.Context(label, self.head, party, self.parameters.game, "", 0)


def take_part(label: str, session: bytes, party: int, secrets: Secrets) -> Player:
    """Return ``party`` of the deck ``label`` in ``session``, with keys from ``secrets``.

    Raises:
        TypeError: ``label`` is no str, or ``session`` is no bytes.
        ValueError: a label has 1 to 64 visible characters of ASCII, and parties have the
            numbers 0 to 254.

    >>> ann = api.deck.take_part("whist", b"table 5", 0, api.new_secrets())
    >>> ann.seat
    0
    """
    return take_seat(Seat(party), _begun(label, session, party), secrets)


def greeting(player: Player, label: str, session: bytes) -> bytes:
    """Return the party's public key and the proof of its possession, 96 bytes.

    >>> len(api.deck.greeting(ann, "whist", b"table 5"))
    96
    """
    context = _greeting_context(label, session, player.seat)
    proof = elgamal.prove_possession(player.x, context, player.random(context.head))
    return player.game_key.encode() + proof.encode()


def lay(label: str, session: bytes, greetings: Sequence[bytes], size: int) -> LabelledDeck:
    """Return the deck of the cards 0 to ``size`` - 1 in order, still readable by all.

    greetings: of all parties, by number.

    Raises:
        ValueError: a deck of another size than 2 to 64 cards, or not 2 to 255 parties.
        EncodingError, ProofError: a greeting is wrong; the sentence names the party.

    >>> laid = api.deck.lay("whist", b"table 5", said, 52)
    >>> len(laid.cards), laid.shuffles
    (52, 0)
    """
    if not shuffle.SMALLEST <= size <= shuffle.LARGEST:
        least, most = shuffle.SMALLEST, shuffle.LARGEST
        raise ValueError(f"a deck has {least} to {most} cards, not {size}")
    if not 2 <= len(greetings) <= MOST_PARTIES:
        raise ValueError(f"a deck has 2 to {MOST_PARTIES} parties, not {len(greetings)}")
    keys = [_key(label, session, party, said) for party, said in enumerate(greetings)]
    if len({*keys}) != len(keys):
        raise ProofError(Check.KEY, "two parties have one key")
    joint = reduce(add, keys)
    if joint.is_identity:
        raise ProofError(Check.KEY, "the keys undo each other")
    head = H("app", _begun(label, session, 0), *greetings)
    faces = tuple((face, 1) for face in range(size))
    parameters = DeckParameters(_domain(label), faces, GameId(head), joint, len(keys))
    cards = tuple(parameters.public(face).masked for face in range(size))
    return LabelledDeck(parameters, tuple(keys), cards, 0, head)


def shuffled(player: Player, deck: LabelledDeck) -> bytes:
    """Return the deck as the party has shuffled it, with a proof: 64 and 128 bytes a card.

    The proof has 160 bytes besides.

    Raises:
        ValueError: another party is to shuffle, or all have shuffled; or ``player`` is of
            another deck.

    >>> len(api.deck.shuffled(ann, laid)) == (64 + 128) * 52 + 160
    True
    """
    if player.seat != deck.shuffles:
        raise ValueError(f"party {player.seat} is not the next to shuffle")
    _check_party(player, deck)
    context, random = deck.context(player.seat, "shuffle"), player.random(deck.head)
    after, proof = shuffle.shuffle(deck.cards, deck.parameters.key, context, random)
    return b"".join(card.encode() for card in after) + proof.encode()


def with_shuffle(deck: LabelledDeck, message: bytes) -> LabelledDeck:
    """Return ``deck`` after the message of the next party from ``shuffled``.

    Raises:
        ValueError: all parties have shuffled.
        EncodingError, ProofError: the message is wrong; the sentence names the party.

    >>> api.deck.with_shuffle(laid, api.deck.shuffled(ann, laid)).shuffles
    1
    """
    party, size = deck.shuffles, len(deck.cards)
    if party == len(deck.keys):
        raise ValueError("all parties have shuffled")
    with _blaming(party):
        cut = size * elgamal.Ciphertext.SIZE
        proof = shuffle.ShuffleProof.decode(message[cut:], size)
        after = elgamal.Ciphertext.decode_all(message[:cut])
        context = deck.context(party, "shuffle")
        shuffle.verify_shuffle(deck.cards, after, deck.parameters.key, context, proof)
    return replace(deck, cards=after, shuffles=party + 1, head=H("app", deck.head, message))


def shares(player: Player, deck: LabelledDeck, places: Sequence[int]) -> bytes:
    """Return the party's shares of the cards at ``places``, with a proof.

    32 bytes for each card, and 64 bytes. The party that holds the shares of all other parties
    can read the cards.

    Raises:
        ValueError: a party has not shuffled yet, ``places`` are not different places, or
            ``player`` is of another deck.

    >>> len(api.deck.shares(ann, mixed, [0, 1]))
    128
    """
    _check_party(player, deck)
    context, cards = deck.context(player.seat, "share"), _asked(deck, places)
    made, proof = elgamal.prove_shares(player.x, cards, context, player.random(deck.head))
    return b"".join(share.encode() for share in made) + proof.encode()


def opened(
    deck: LabelledDeck,
    places: Sequence[int],
    said: Mapping[int, bytes],
    reader: Player | None = None,
) -> tuple[int, ...]:
    """Return the cards at ``places``, from the shares of all parties.

    said: the messages from ``shares`` by party. reader: a party that reads
    without a message of its own.

    Raises:
        ValueError: a party's message is missing, or as for ``shares``.
        EncodingError, ProofError: a message is wrong; the sentence names the party.

    >>> to_ben = api.deck.shares(ann, mixed, range(52))
    >>> sorted(api.deck.opened(mixed, range(52), {0: to_ben}, ben)) == [*range(52)]
    True
    """
    cards = _asked(deck, places)
    if reader is not None:
        _check_party(reader, deck)
    own = None if reader is None else reader.seat
    columns = [
        _checked(deck, party, cards, said.get(party))
        for party in range(len(deck.keys))
        if party != own
    ]
    if reader is not None:
        columns.append(tuple(elgamal.share(reader.x, card) for card in cards))
    return tuple(
        deck.parameters.face_of(card, column)
        for card, column in zip(cards, zip(*columns, strict=True), strict=True)
    )


def _checked(
    deck: LabelledDeck, party: int, cards: Sequence[elgamal.Ciphertext], message: bytes | None
) -> tuple[Point, ...]:
    if message is None:
        raise ValueError(f"the shares of party {party} are missing")
    with _blaming(party):
        made = Point.decode_all(message[:-_PROOF])
        proof = sigma.Proof.decode(message[-_PROOF:])
        context = deck.context(party, "share")
        elgamal.verify_shares(deck.keys[party], cards, made, context, proof)
    return made


def _check_party(player: Player, deck: LabelledDeck) -> None:
    """Refuse a player of another deck, whose messages would look like those of a cheat."""
    if deck.keys[player.seat : player.seat + 1] != (player.game_key,):
        raise ValueError(f"party {player.seat} of this deck has another key than this player")


def _asked(deck: LabelledDeck, places: Sequence[int]) -> tuple[elgamal.Ciphertext, ...]:
    if deck.shuffles < len(deck.keys):
        raise ValueError(f"party {deck.shuffles} has not shuffled yet")
    if not places or len({*places} & {*range(len(deck.cards))}) != len(places):
        raise ValueError(f"{places} are not different places of {len(deck.cards)}")
    return tuple(deck.cards[place] for place in places)


def _key(label: str, session: bytes, party: int, said: bytes) -> Point:
    with _blaming(party):
        key = Point.decode(said[: Point.SIZE])
        proof = sigma.Proof.decode(said[Point.SIZE :])
        elgamal.verify_possession(key, _greeting_context(label, session, party), proof)
        return key


def _greeting_context(label: str, session: bytes, party: int) -> sigma.Context:
    head = _begun(label, session, party)
    return sigma.Context("greeting", head, party, _domain(label), "", 0)


def _begun(label: object, session: object, party: int) -> bytes:
    if not 0 <= party < MOST_PARTIES:
        raise ValueError(f"parties have the numbers 0 to {MOST_PARTIES - 1}, not {party}")
    if not isinstance(session, bytes):
        raise TypeError(f"a session is bytes, for example b'table 5', not {session!r}")
    return H("app", _domain(label).encode(), session)


def _domain(label: object) -> str:
    if not isinstance(label, str):
        raise TypeError(f"a label is a str, for example 'whist', not {label!r}")
    if not _LABEL.fullmatch(label):
        raise ValueError(f"a label has 1 to 64 characters of ASCII, without spaces: {label!r}")
    return "app/" + label


@contextmanager
def _blaming(party: int) -> Generator[None]:
    """Name the party that has sent a message in the errors of the message."""
    try:
        yield
    except (EncodingError, ProofError) as error:
        raise type(error)(error.check, f"party {party}: {error}") from error
