"""The beginning of a game: greetings, keys and the coin (SPEC#opening)."""

from typing import Final

from matcha_p2p.crypto import signature
from matcha_p2p.crypto.elgamal import verify_possession
from matcha_p2p.crypto.sigma import Context
from matcha_p2p.crypto.sponge import H, draw, stream
from matcha_p2p.errors import Check, ProofError
from matcha_p2p.machine.deal import TABLE, dealing, lay_table
from matcha_p2p.machine.events import Event, Met
from matcha_p2p.machine.faces import mask_public, rest_of_deck
from matcha_p2p.machine.table import (
    NO_HAND,
    Greeted,
    Start,
    Table,
    Tossing,
)
from matcha_p2p.rules.cards import FACES, Face
from matcha_p2p.rules.edition import EDITIONS, Edition
from matcha_p2p.rules.game import new_game
from matcha_p2p.rules.seats import SEATS, Seat
from matcha_p2p.transcript.names import EntryId, GameId
from matcha_p2p.wire.encoding import Value, pack
from matcha_p2p.wire.messages import Coin, Hello
from matcha_p2p.wire.text import check_name

VERSIONS: Final = (1,)
"""The protocol versions this package speaks."""

_IDENTITY_DOMAIN: Final = b"matcha/v1/id\0"
_NO_SLOTS: Final[frozenset[int]] = frozenset()


def rules_digest(edition: Edition, *, drawn: bool = True) -> bytes:
    """Return the digest by which both seats know that they mean the same rules (SPEC#rules).

    drawn: whether the first dealer is drawn; if not, seat 0 deals first, as in a rematch.
    """
    values: list[Value] = [
        edition.name,
        edition.suits_alike,
        edition.whisks_alike,
        edition.turns or 0,
        int(edition.keeps),
        edition.sets or 0,
        int(edition.further_rounds),
        *([] if drawn else [0]),
    ]
    return H("rules", pack(values))


def draws_dealer(hello: Hello) -> bool:
    """Tell whether ``hello`` wants the first dealer drawn; if not, seat 0 deals first."""
    return hello.rules == rules_digest(EDITIONS[hello.edition])


def _known_rules(edition: str) -> tuple[bytes, ...]:
    return tuple(rules_digest(EDITIONS[edition], drawn=drawn) for drawn in (True, False))


def identity_statement(hello: Hello, prev: bytes) -> bytes:
    """Return the bytes that a long-term key signs: this game's keys, anchor and ``prev``."""
    keys = hello.session_key + hello.game_key.encode() + hello.anchor
    return _IDENTITY_DOMAIN + keys + prev


def hello_context(head: bytes, seat: Seat) -> Context:
    """Bind a proof of possession to the greeting of ``seat`` after ``head``."""
    return Context("hello", head, seat)


def next_link(seat: Seat, link: bytes) -> bytes:
    """Return the hash of ``link``: the link that a coin chain opens just before it."""
    return H("coin", bytes([seat]), link)


def greet_first(state: Start, hello: Hello, first: bytes, head: EntryId) -> Greeted:
    """Take seat 0's greeting; ``first`` is its entry, ``head`` that entry's id.

    Raises:
        ProofError, EncodingError: the checks of SPEC#hello.
    """
    if hello.version != hello.versions[-1]:
        raise ProofError(Check.VERSION, "seat 0 does not propose its highest version")
    if not set(hello.versions) & set(VERSIONS):
        raise ProofError(Check.VERSION, f"seat 0 speaks versions {hello.versions}, not 1")
    if hello.edition not in EDITIONS or hello.rules not in _known_rules(hello.edition):
        raise ProofError(Check.RULES, f"edition {hello.edition!r:.20} or its rules are unknown")
    _check_form(hello)
    _check_proofs(hello, state.head, Seat(0))
    return Greeted(head, hello, first)


def greet_second(state: Greeted, hello: Hello, coin: Coin, second: bytes) -> Table:
    """Take seat 1's greeting and its first link; ``second`` is its entry.

    Raises:
        ProofError, EncodingError: the checks of SPEC#hello, of both greetings together.
    """
    host = state.hello
    common = set(host.versions) & set(hello.versions)
    if not common or hello.version != max(common):
        raise ProofError(Check.VERSION, "seat 1 does not name the highest common version")
    if hello.version not in VERSIONS:
        raise ProofError(Check.VERSION, f"version {hello.version} is not known here")
    if (hello.edition, hello.rules) != (host.edition, host.rules):
        raise ProofError(Check.RULES, "the seats mean different rules")
    _check_form(hello)
    if hello.session_key == host.session_key or hello.anchor == host.anchor:
        raise ProofError(Check.KEY, "a key or anchor of seat 0 comes back from seat 1")
    joint_key = host.game_key + hello.game_key
    if hello.game_key == host.game_key or joint_key.is_identity:
        raise ProofError(Check.KEY, "seat 1's game key is seat 0's, or undoes it")
    _check_proofs(hello, state.head, Seat(1))
    table = Table(
        gid=GameId(H("game", state.first, second)),
        hellos=(host, hello),
        joint_key=joint_key,
        links=(host.anchor, hello.anchor),
        coins=0,
        head=state.head,
        length=1,
        closer=Seat(1),
        hands=(NO_HAND, NO_HAND),
        aside=(),
        kept=(_NO_SLOTS, _NO_SLOTS),
        game=new_game(EDITIONS[host.edition], Seat(0)),
        phase=Tossing((Seat(1), Seat(0))),
    )
    return toss(table, Seat(1), coin)[0]


def met(table: Table) -> Met:
    """Return the event that both have greeted each other."""
    return Met(table.gid, table.game.edition, (table.hellos[0].name, table.hellos[1].name))


def _check_form(hello: Hello) -> None:
    check_name(hello.name)
    signature.check_key(hello.session_key)


def _check_proofs(hello: Hello, prev: bytes, seat: Seat) -> None:
    verify_possession(hello.game_key, hello_context(prev, seat), hello.pop)
    if hello.identity is None or hello.certificate is None:
        return
    signature.check_key(hello.identity)
    try:
        signature.verify(hello.identity, identity_statement(hello, prev), hello.certificate)
    except ProofError:
        raise ProofError(Check.CERT, "the identity did not sign these keys here") from None


def toss(table: Table, seat: Seat, coin: Coin) -> tuple[Table, tuple[Event, ...]]:
    """Take a link; the second of a coin lays the table, and of the first coin draws the dealer.

    Raises:
        ProofError: E_COIN.
    """
    if next_link(seat, coin.link) != table.links[seat]:
        raise ProofError(Check.COIN, "the link does not lead to the last one")
    links = (coin.link, table.links[1]) if seat == 0 else (table.links[0], coin.link)
    table = table._replace(links=links)
    match table.phase:
        case Tossing((_, waiting)):
            return table._replace(phase=Tossing((waiting,))), ()
        case _:
            return _coin_fell(table._replace(coins=table.coins + 1), seat)


def _coin_fell(table: Table, seat: Seat) -> tuple[Table, tuple[Event, ...]]:
    game = table.game
    if table.coins == 1:
        drawn = SEATS[H("dealer", table.gid, *table.links)[0] & 1]
        game = new_game(game.edition, drawn if draws_dealer(table.hellos[0]) else Seat(0))
    faces = _draw_table(table)
    deck = mask_public(rest_of_deck(faces), table.joint_key)
    return lay_table(table._replace(game=game), faces, 0, dealing(game, seat, deck))


def _draw_table(table: Table) -> tuple[Face, ...]:
    """Draw six of the sixteen suited faces, in order, from both links (SPEC#table)."""
    seed = H("table", table.gid, table.game.number.to_bytes(4), *table.links)
    return tuple(FACES[index] for index in draw(stream(seed), len(FACES) - 1, TABLE))
