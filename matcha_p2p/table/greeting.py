"""The greetings that begin a game: what the seats play, and their keys (SPEC#hello)."""

from typing import Final

from matcha_p2p.crypto import signature
from matcha_p2p.crypto.elgamal import verify_possession
from matcha_p2p.crypto.ristretto255 import Point
from matcha_p2p.crypto.sigma import Context
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check, ProofError
from matcha_p2p.seats import Seat
from matcha_p2p.table.game import Find, TableGame
from matcha_p2p.table.messages import Hello
from matcha_p2p.table.piles import DeckParameters
from matcha_p2p.table.steps import Coin
from matcha_p2p.table.table import Greetings, Table
from matcha_p2p.table.verbs import ask
from matcha_p2p.wire.encoding import pack
from matcha_p2p.wire.names import EntryId, GameId
from matcha_p2p.wire.roster import Roster, RosterGame
from matcha_p2p.wire.text import check_name

VERSIONS: Final = (1,)
"""The protocol versions of this package."""

_IDENTITY_DOMAIN: Final = b"matcha/v1/id\0"


def rules_digest(game: TableGame) -> bytes:
    """Return the digest that is equal if two seats mean equal rules (SPEC#rules)."""
    return H("rules", pack([game.name, game.variant, game.seats, game.rules()]))


def roster_game(game: TableGame) -> RosterGame:
    """Return ``game`` as a roster names it."""
    return RosterGame(game.name, game.variant, rules_digest(game))


def identity_statement(hello: Hello, prev: bytes) -> bytes:
    """Return the bytes that a long-term key signs: keys of the game, anchor and ``prev``."""
    keys = hello.session_key + hello.game_key.encode() + hello.anchor
    return _IDENTITY_DOMAIN + keys + prev


def hello_context(game: str, variant: str, prev: bytes, seat: Seat) -> Context:
    """Bind a proof of possession to the greeting of ``seat`` after ``prev``."""
    return Context("hello", prev, seat, game, variant, 0)


def greet(state: Greetings, hello: Hello) -> TableGame:
    """Check the greeting of the seat that is due, and return the game to be played.

    Raises:
        ProofError, EncodingError: a check of SPEC#hello fails; the checks cover ``hello``
            together with all earlier greetings.
    """
    seat = Seat(len(state.hellos))
    _check_version(state, hello)
    game = _agreed(state.find, (*state.hellos, hello)[0], hello)
    check_name(hello.name)
    signature.check_key(hello.session_key)
    for other in state.hellos:
        if hello.anchor == other.anchor or hello.game_key == other.game_key:
            raise ProofError(Check.KEY, "a key or anchor of an earlier seat comes back")
    if is_last(state) and _sum(state.hellos, hello).is_identity:
        raise ProofError(Check.KEY, "the game keys undo each other")
    context = hello_context(game.name, game.variant, state.head, seat)
    verify_possession(hello.game_key, context, hello.pop)
    _check_certificate(hello, state.head)
    _check_fit(state.roster, seat, hello)
    return game


def check_listed(state: Greetings, hello: Hello) -> None:
    """Check that the roster has the session key of ``hello`` for the next seat.

    A failure blames nobody: any key can sign a HELLO.

    Raises:
        ProofError: E_ROSTER.
    """
    listed = state.roster.seats[len(state.hellos)]
    if hello.session_key != listed.session_key:
        raise ProofError(Check.ROSTER, "the roster has another session key for the seat")


def _check_fit(roster: Roster, seat: Seat, hello: Hello) -> None:
    """Check that ``hello``, signed by the key in ``roster``, fits the roster."""
    listed, game = roster.seats[seat], roster.game
    agreed = (game.name, game.variant, len(roster.seats), game.rules)
    if _rules(hello) != agreed:
        raise ProofError(Check.ROSTER, "the roster is of another game")
    if (hello.name, hello.identity) != (listed.name, listed.identity):
        raise ProofError(Check.ROSTER, "the roster has another name or identity for the seat")


def is_last(state: Greetings) -> bool:
    """Tell whether the next greeting is that of the last seat."""
    return len(state.hellos) == len(state.roster.seats) - 1


def _check_version(state: Greetings, hello: Hello) -> None:
    common = set(hello.versions).intersection(*(each.versions for each in state.hellos))
    if not common or hello.version != max(common):
        raise ProofError(Check.VERSION, "the version is not the highest that all so far speak")
    agreed = {hello.version} if is_last(state) else common
    if not agreed & set(VERSIONS):
        raise ProofError(Check.VERSION, f"of versions {hello.versions} none is known here")


def _agreed(find: Find, first: Hello, hello: Hello) -> TableGame:
    if _rules(hello) != _rules(first):
        raise ProofError(Check.GAME, "the seats mean different games or rules")
    game = find(hello.game, hello.variant, hello.seats)
    if game is None or hello.rules != rules_digest(game):
        raise ProofError(Check.GAME, f"game {hello.game!r:.20} or its rules are unknown here")
    return game


def _rules(hello: Hello) -> tuple[str, str, int, bytes]:
    return hello.game, hello.variant, hello.seats, hello.rules


def _sum(hellos: tuple[Hello, ...], last: Hello) -> Point:
    key = last.game_key
    for hello in hellos:
        key = key + hello.game_key
    return key


def _check_certificate(hello: Hello, prev: bytes) -> None:
    if hello.identity is None or hello.certificate is None:
        return
    signature.check_key(hello.identity)
    try:
        signature.verify(hello.identity, identity_statement(hello, prev), hello.certificate)
    except ProofError:
        raise ProofError(Check.CERT, "the identity did not sign these keys here") from None


def sit_down(state: Greetings, hello: Hello, encoded: bytes, game: TableGame) -> Table:
    """Return the table after the last greeting.

    encoded: the entry of the last HELLO. The id of this entry is not yet the head.

    Raises:
        GuardError: the game does not begin with a coin of all seats, the last seat first.
    """
    hellos = (*state.hellos, hello)
    gid = GameId(H("game", *state.entries, encoded))
    faces = tuple(sorted(game.faces.items()))
    deck = DeckParameters(game.name, faces, gid, _sum(state.hellos, hello), len(hellos))
    table = Table(
        deck=deck,
        hellos=hellos,
        links=tuple(each.anchor for each in hellos),
        coins=0,
        head=EntryId(state.head),
        length=len(state.hellos),
        game=game,
        piles={},
        out=dict(faces),
        step=Coin(()),
        owing=(),
        roster=state.roster,
    )
    return ask(table, first=True)
