"""One seat and its secrets: no other module holds secrets of a game (PEER#randomness)."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import accumulate, permutations, repeat
from typing import Final, NamedTuple

from matcha_p2p.crypto import signature
from matcha_p2p.crypto.elgamal import prove_possession, prove_shares, share
from matcha_p2p.crypto.ristretto255 import Point, base_mul, reduce_wide
from matcha_p2p.crypto.shuffle import find_order, shuffle
from matcha_p2p.crypto.sigma import Random
from matcha_p2p.crypto.sponge import H, kdf
from matcha_p2p.errors import IllegalMoveError
from matcha_p2p.seats import Seat
from matcha_p2p.table import greeting, messages, steps
from matcha_p2p.table import table as tables
from matcha_p2p.table.game import Answering, GameMove, TableGame
from matcha_p2p.table.moves import HASH_SIZE
from matcha_p2p.table.piles import Card, GuardError, card_at
from matcha_p2p.table.step import TableEvent, act, adopt, owes_more
from matcha_p2p.table.verbs import commitment_to, next_link, owed_reads, result_of
from matcha_p2p.wire.encoding import pack
from matcha_p2p.wire.entry import Entry, sign_entry
from matcha_p2p.wire.record import Record, sign_record
from matcha_p2p.wire.statements import Statement

SECRET_SIZE: Final = 32


@dataclass(frozen=True, slots=True)
class Secrets:
    """The random secrets of a seat for one game, from the operating system; never reused.

    game: all hidden values follow from this seed and the history of the game. session: the
    seed of the key for signing messages. link: the secret half of the roster's link key, b"" if
    the game needs no links. 32 bytes each.
    """

    game: bytes = field(repr=False)
    session: bytes = field(repr=False)
    link: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class Player:
    """A seat after key generation. x: its game key. chain: its coin links, anchor first."""

    seat: Seat
    secrets: Secrets = field(repr=False)
    x: int = field(repr=False)
    chain: tuple[bytes, ...] = field(repr=False)
    _seen: dict[bytes, int] = field(default_factory=dict[bytes, int], repr=False, compare=False)
    _given: dict[bytes, tuple[int, ...]] = field(
        default_factory=dict[bytes, tuple[int, ...]], repr=False, compare=False
    )

    @property
    def game_key(self) -> Point:
        """The public key X = x*G."""
        return base_mul(self.x)

    @property
    def session_key(self) -> bytes:
        """The public key of the messages."""
        return signature.public_key(self.secrets.session)

    def random(self, head: bytes) -> Random:
        """Return the randomness for the entry after ``head``.

        Another history, label or input gives independent bytes. So no mask and no nonce ever
        serves twice, even after a backup was restored. Equal inputs give equal bytes, so a
        message is never made in two ways.
        """
        return seeded(self.secrets.game, head, self.seat)

    def faces(self, table: tables.Table, pile: str) -> tuple[int | None, ...]:
        """Return the faces of the cards of ``pile``, None for cards hidden from this seat.

        A face is unmasked once and kept.

        Raises:
            ProofError: E_CARD if a card shows no face of the game. Proofs exclude this case.
        """
        return tuple([self._face(table, card) for card in table.piles.get(pile, ())])

    def order(self, before: tables.Table, action: messages.Shuf) -> tuple[int, ...]:
        """Return the old place of each card of ``action``, our own shuffle.

        before: the table before ``action``. Cards that the seat gives away come last. No file
        has the choice: after a new start of the program, all choices are tried.

        Raises:
            LookupError: another secret made the shuffle.
        """
        match before.step:
            case steps.Shuffle(pile, _, label, give):
                deck = tuple(card.masked for card in before.piles[pile])
                key, random = before.deck.key, self.random(before.head)
                known = [self._given[before.head]] if before.head in self._given else []
                lasts = [*known, *permutations(range(len(deck)), len(give))]
                return find_order(deck, action.deck, key, (label, random), lasts)
            case _:
                raise LookupError("no shuffle was due")

    def remember(self, head: bytes, last: tuple[int, ...]) -> None:
        """Keep which cards the seat gives away by its shuffle after ``head``."""
        self._given[head] = last

    def _face(self, table: tables.Table, card: Card) -> int | None:
        if card.face is not None or card.reader != self.seat:
            return card.face
        if card.back not in self._seen:
            own = share(self.x, card.masked)
            given = enumerate(card.shares)  # our own as well, while the card is being opened
            theirs = [each for seat, each in given if each is not None and seat != self.seat]
            self._seen[card.back] = table.deck.face_of(card.masked, (*theirs, own))
        return self._seen[card.back]


def seeded(secret: bytes, head: bytes, seat: Seat) -> Random:
    """Return ``random(label, message, n)``: HKDF of the secret, the head and the message."""

    def random(label: str, message: bytes, n: int) -> bytes:
        return kdf(secret, H("rnd", label.encode(), head, bytes([seat]), message), n)

    return random


def take_seat(seat: Seat, head: bytes, secrets: Secrets) -> Player:
    """Make the keys for a greeting by ``seat`` after ``head``."""
    random = seeded(secrets.game, head, seat)
    x = reduce_wide(random("game key", b"", 48))
    root = random("coin root", b"", SECRET_SIZE)
    return Player(seat, secrets, x, coin_chain(seat, root))


def coin_chain(seat: Seat, root: bytes) -> tuple[bytes, ...]:
    """Return the links of a seat's coins, the anchor first and ``root`` last (SPEC#coin)."""
    links = accumulate(repeat(root, steps.COINS + 1), lambda link, _: next_link(seat, link))
    return tuple(links)[::-1]


@dataclass(frozen=True, slots=True)
class Offer:
    """The seat's free choices in a greeting.

    game: before its first step. identity: seed of a long-term key, None to stay unknown.
    """

    game: TableGame
    name: str
    identity: bytes | None = field(default=None, repr=False)


def greet(player: Player, state: tables.Greetings, offer: Offer) -> Entry:
    """Return the seat's greeting; the last seat's greeting also opens a first coin link."""
    head, game = state.head, offer.game
    common = set(greeting.VERSIONS).intersection(*(each.versions for each in state.hellos))
    context = greeting.hello_context(game.name, game.variant, head, player.seat)
    hello = messages.Hello(
        versions=greeting.VERSIONS,
        version=max(common),
        game=game.name,
        variant=game.variant,
        seats=game.seats,
        rules=greeting.rules_digest(game),
        name=offer.name,
        session_key=player.session_key,
        anchor=player.chain[0],
        game_key=player.game_key,
        pop=prove_possession(player.x, context, player.random(head)),
    )
    if offer.identity is not None:
        statement = greeting.identity_statement(hello, head)
        hello = replace(
            hello,
            identity=signature.public_key(offer.identity),
            certificate=signature.sign(offer.identity, statement),
        )
    actions: list[messages.Action] = [hello]
    if player.seat == game.seats - 1:
        actions.append(messages.Toss(player.chain[1]))
    return _signed(player, player.seat, head, tables.state_tag(state), actions)


class Said(NamedTuple):
    """A newly signed entry, the table after the entry, and the events."""

    entry: Entry
    table: tables.Table
    events: tuple[TableEvent, ...]


def decide(player: Player, table: tables.Table, move: GameMove) -> Said:
    """Sign ``move``, a value of the game's own, and every action that follows by itself.

    Raises:
        IllegalMoveError: the move is not legal, or the table waits for no move of the player.
    """
    due = tables.next_due(table)
    if due is None or due.seat != player.seat or not due.decision:
        raise IllegalMoveError("turn", "the table waits for no move of this seat")
    written = table.game.write(player.seat, move, table.piles)
    wire, last = written if isinstance(written, steps.Giving) else (written, ())
    match due.verb:
        case tables.Verb.SEAL:
            table.game.judge(player.seat, wire, table.piles)  # as nobody can before it opens
            commitment, _ = _sealed(player, table, table.head, wire)
            return _say(player, table, messages.Seal(commitment), last)
        case _:
            return _say(player, table, messages.MoveAction(wire), last)


def follow(player: Player, table: tables.Table) -> Said | None:
    """Sign all actions that the seat owes without a decision; return None if it owes none."""
    if not owes_more(table, player.seat):
        return None
    return _say(player, table, _due_action(player, table, 0))


def state_record(player: Player, table: tables.Table, statement: Statement) -> Record:
    """Return a record of ``statement`` by the seat about the present game."""
    return sign_record(table.gid, player.seat, table.head, statement, player.secrets.session)


def _say(
    player: Player, table: tables.Table, action: messages.Action, last: tuple[int, ...] = ()
) -> Said:
    """Sign ``action``, and every action that follows by itself, as a single entry.

    last: the places of the cards that ``action`` gives away.

    Raises:
        IllegalMoveError: the seat cannot give these cards now.
    """
    after, taken = act(table, player.seat, action, 0)
    _check_given(after, last)
    events: list[TableEvent] = [taken]
    actions = [action]
    while owes_more(after, player.seat):
        action = _due_action(player, after, len(actions), last)
        after, taken = act(after, player.seat, action, len(actions))
        actions.append(action)
        events.append(taken)
    entry = _signed(player, table.length, table.head, tables.state_tag(after), actions)
    return Said(entry, adopt(after, entry), tuple(events))


def _signed(
    player: Player, seq: int, prev: bytes, state: bytes, actions: Sequence[messages.Action]
) -> Entry:
    fields = [messages.encode_action(action) for action in actions]
    return sign_entry(seq, player.seat, prev, state, fields, player.secrets.session)


def _check_given(table: tables.Table, last: tuple[int, ...]) -> None:
    match table.step:
        case steps.Shuffle(pile, _, _, give):
            asked, places = len(give), range(len(table.piles[pile]))
        case _:
            asked, places = 0, range(0)
    if len(last) != asked or len({*last} & {*places}) != asked:
        raise IllegalMoveError("give", f"{asked} different cards of the pile are to be given")


def _due_action(
    player: Player, table: tables.Table, place: int, last: tuple[int, ...] = ()
) -> messages.Action:
    """Return the seat's next owed action, for ``place`` in its message.

    last: the places of the cards that the seat's decision gives away.
    """
    seat, verb = table.owing[0]
    match verb, table.step:
        case tables.Verb.COIN, _:
            return messages.Toss(player.chain[table.coins + 1])
        case tables.Verb.MOVE, steps.Decide(auto=True):
            if not isinstance(table.game, Answering):
                raise GuardError("the game asks for a move by itself, and makes none")
            return messages.MoveAction(
                table.game.answer(seat, partial(player.faces, table), table.piles)
            )
        case tables.Verb.SHUF, steps.Shuffle(pile, _, label, give):
            deck = tuple(card.masked for card in table.piles[pile])
            context = table.context(seat, label, place)
            key, random = table.deck.key, player.random(table.head)
            last = last if give else ()
            player.remember(table.head, last)
            return messages.Shuf(*shuffle(deck, key, context, random, last))
        case tables.Verb.SHARE, steps.Share() as step:
            reads = owed_reads(table, step, seat)
            cards = [card_at(table.piles, read).masked for read in reads]
            context = table.context(seat, step.label, place)
            return messages.Shares(
                *prove_shares(player.x, cards, context, player.random(table.head))
            )
        case tables.Verb.UNSEAL, _:
            return _unsealed(player, table, table.seals[0])
        case tables.Verb.RESULT, _:
            return result_of(table)
        case _:
            raise RuntimeError("nothing is due by itself")


def _sealed(
    player: Player, table: tables.Table, since: bytes, move: steps.Wire
) -> tuple[bytes, messages.Unseal]:
    """Return the commitment, made after the entry ``since``, to ``move``; and its opening.

    The salt follows from the secret and the move, so the seat stores no salt.
    """
    salt = player.random(since)("seal", pack(move), HASH_SIZE)
    return commitment_to(table, player.seat, since, salt, move), messages.Unseal(salt, move)


def _unsealed(player: Player, table: tables.Table, seal: tables.SealedMove) -> messages.Unseal:
    """Find our sealed move again: compare each possible move with the commitment."""
    for move in table.game.sealable(player.seat, table.piles):
        commitment, opened = _sealed(player, table, seal.since, move)
        if commitment == seal.commitment:
            return opened
    raise RuntimeError("the commitment was not made with this secret")
