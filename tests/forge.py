"""A prover that learns the rules of games from protocol/verifier, and plays as no bot plays.

    python -m tests.forge tichu 0 20     # the files of the seeds 0 to 19

The forger has the secrets of all seats, and makes whole files of fresh proofs. The verifier's
rules allow most moves; the last move of a file is often forbidden. Other files are damaged, and
signed again, or seats resign. All verifiers have to find the same in each file. If
protocol/verifier misreads a rule, the forger plays by the misreading, and matcha_p2p refuses.
"""

import pickle
import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from typing import Any
from unittest import mock

from matcha_p2p.chain.archive import encode_archive
from matcha_p2p.crypto.elgamal import Ciphertext, prove_possession, prove_shares
from matcha_p2p.crypto.ristretto255 import ORDER, Point
from matcha_p2p.crypto.shuffle import shuffle
from matcha_p2p.crypto.sigma import Context
from matcha_p2p.crypto.signature import public_key
from matcha_p2p.crypto.sponge import H
from matcha_p2p.seats import Seat
from matcha_p2p.table.messages import Hello, Shares, Shuf, encode_action
from matcha_p2p.table.seat import Secrets, take_seat
from matcha_p2p.wire.encoding import Value, pack, unpack
from matcha_p2p.wire.entry import Entry, sign_entry
from matcha_p2p.wire.names import EntryId
from matcha_p2p.wire.record import sign_record
from matcha_p2p.wire.roster import RosterGame, RosterSeat, sign_roster
from matcha_p2p.wire.signed import sign
from matcha_p2p.wire.statements import Claim, Resign, ResignOffer
from tests import judges
from tests.forged_moves import IDLE, Move, likely
from tests.judges import VERIFIER, ours, theirs, written

TABLE, GAMES, CODEC = VERIFIER["table"], VERIFIER["games"], VERIFIER["codec"]
VARIANTS = {
    "matcha": (("2015", 2), ("2020", 2), ("2015 rematch 1", 2)),
    "tichu": (("round", 4), ("300 early", 4), ("round plays", 4)),
    "kashi": (("ichi", 3), ("ichi", 4)),
}
LONGEST = {"matcha": 60, "tichu": 200, "kashi": 40}
"""The decisions of a game, at most: a file need not end."""


@contextmanager
def trusting() -> Iterator[None]:
    """Let the forger's table take proofs and signatures unseen: they are the forger's own."""

    def unseen(*_: object) -> None:
        return None

    names = ("verify_shuffle", "verify_shares", "verify_possession", "check_signature")
    with ExitStack() as patches:
        for name in names:
            patches.enter_context(mock.patch.object(TABLE, name, unseen))
        yield


class Forger:
    """All seats of a game. table: protocol/verifier's, after the last entry."""

    def __init__(self, name: str, seed: int) -> None:
        self.name, self.chance = name, random.Random(f"forge {name} {seed}")
        self.variant, self.seats = self.chance.choice(VARIANTS[name])
        self.forms = GAMES.find_game(name, self.variant, self.seats).forms
        label = f"forge {name} {seed}".encode()
        self.secrets = [
            Secrets(H("test secret", label, bytes([seat])), H("test key", label, bytes([seat])))
            for seat in range(self.seats)
        ]
        self.salts: dict[int, tuple[bytes, Move]] = {}
        self.faces: dict[bytes, int] = {}
        self.entries: list[Entry] = []
        self.table = TABLE.Table()
        self._greet(label)

    # -- Greetings ---------------------------------------------------------------------------

    def _greet(self, label: bytes) -> None:
        game = GAMES.find_game(self.name, self.variant, self.seats)
        values = CODEC.pack((self.name, self.variant, self.seats, game.values))
        rules = H("rules", values)
        listed = [
            RosterSeat(
                f"Player {seat}", public_key(secrets.session), H("link", label, bytes([seat]))
            )
            for seat, secrets in enumerate(self.secrets)
        ]
        self.roster = sign_roster(
            H("nonce", label),
            RosterGame(self.name, self.variant, rules),
            listed,
            self.secrets[0].session,
        )
        self.table.roster = VERIFIER["roster"].parse_roster(self.roster.encoded)
        head: bytes = self.roster.id
        self.players = []
        for seat, secrets in enumerate(self.secrets):
            player = take_seat(Seat(seat), head, secrets)
            self.players.append(player)
            context = Context("hello", head, Seat(seat), self.name, self.variant, 0)
            hello = Hello(
                versions=(1,),
                version=1,
                game=self.name,
                variant=self.variant,
                seats=self.seats,
                rules=rules,
                name=f"Player {seat}",
                session_key=player.session_key,
                anchor=player.chain[0],
                game_key=player.game_key,
                pop=prove_possession(player.x, context, player.random(head)),
            )
            actions = [encode_action(hello)]
            if seat == self.seats - 1:
                actions.append(["COIN", player.chain[1]])
            entry = self._signed(seat, head, H("state", pack([]))[:16], actions)
            self.table.accept_entry(entry.encoded)
            self.entries.append(entry)
            head = entry.id

    def _signed(self, seat: int, head: bytes, tag: bytes, actions: Sequence[Value]) -> Entry:
        session = self.secrets[seat].session
        prev = EntryId(head)
        return sign_entry(len(self.entries), Seat(seat), prev, tag, actions, session)

    # -- Entries -----------------------------------------------------------------------------

    @property
    def due(self) -> tuple[int, str] | None:
        """The seat and the verb that the table waits for."""
        owing = self.table.step.owing
        return owing[0] if owing else None

    def say(self, move: Move | None = None) -> None:
        """Let the seat due sign its decision, if it has one, and all that follows by itself."""
        assert self.due is not None
        seat, head = self.due[0], self.entries[-1].id
        actions = list[Value]()
        self._take(actions, move)
        entry = self._signed(seat, head, self.table._state()[:16], actions)
        self.table.chain.append(TABLE.Accepted(seat, head, entry.id, [], []))
        self.entries.append(entry)

    def tail(self, move: Move | None) -> Entry:
        """Return an entry with a move of any kind, on no table. Its tag may be arbitrary."""
        assert self.due is not None
        seat, head = self.due[0], self.entries[-1].id
        actions = list[Value]()
        kept, self.table = self.table, self.twin()
        try:
            self._take(actions, move)
            tag = self.table._state()[:16]
        except CODEC.CheckError:
            tag = bytes(16)
        finally:
            self.table = kept
        return self._signed(seat, head, tag, actions)

    def _take(self, actions: list[Value], move: Move | None) -> None:
        """Put the actions of a message behind ``actions``, and let the table take each."""
        assert self.due is not None
        seat, head = self.due[0], self.entries[-1].id
        while self.due and self.due[0] == seat and not (actions and self.table._decides()):
            place = len(actions)
            actions.append(self._action(seat, self.due[1], place, move))
            verb, fields = VERIFIER["messages"].decode_action(actions[-1], self.forms)
            here = VERIFIER["proofs"].Place(self.name, self.variant, head, seat, place)
            getattr(self.table, f"_take_{verb.lower()}")(here, *fields)

    def _action(self, seat: int, verb: str, place: int, move: Move | None) -> Value:
        player, head, step = self.players[seat], self.entries[-1].id, self.table.step
        context = Context(step.label, head, Seat(seat), self.name, self.variant, place)
        match verb:
            case "COIN":
                return ["COIN", player.chain[self.table.coins + 1]]
            case "SHUF":
                deck, key = points(step.pile), Point.decode(self.table.cards.joint_key.encoding)
                mixed = shuffle(deck, key, context, player.random(head), self._order(step))
                return encode_action(Shuf(*mixed))
            case "SHARE":
                cards = points(step.owed(seat))
                made = prove_shares(player.x, cards, context, player.random(head))
                return encode_action(Shares(*made))
            case "SEAL":
                salt = self.chance.randbytes(32)
                self.salts[seat] = salt, move or []
                parts = self.table.gid, head, bytes([seat]), salt, CODEC.pack(move)
                return ["SEAL", H("seal", *parts)]
            case "UNSEAL":
                salt, sealed = self.salts[seat]
                return ["UNSEAL", salt, *sealed]
            case "RESULT":
                return ["RESULT", self.table.game.result(), self.table._digest()]
            case _:
                return ["MOVE", *(move or [])]

    def _order(self, step: Any) -> Sequence[int]:
        """Return which cards come last. Of Tichu's deck all, with fours and runs together."""
        if step.label == "give":
            return self.chance.sample(range(14), 3)
        if step.label != "mix" or self.name != "tichu" or len(step.owing) > 1:
            return ()
        numbers = [[n, n + 13, n + 26, n + 39] for n in range(13)]
        self.chance.shuffle(numbers)
        suited = [face for four in numbers[6:] for face in four]
        suited.sort()
        faces = [face for four in numbers[:6] for face in four]
        singles = [52, 53, 54, 55]
        self.chance.shuffle(singles)
        hands = [faces[6 * s : 6 * s + 6] + suited[7 * s : 7 * s + 7] for s in range(4)]
        wanted = [face for s in range(4) for face in (*hands[s], singles[s])]
        known = [self.face(card) for card in step.pile]
        return [known.index(face) for face in wanted]

    def face(self, card: Any) -> int:
        """Return the true face of a card."""
        if card.back not in self.faces:
            (masked,) = points([card])
            x = sum(player.x for player in self.players) % ORDER
            point = masked.c2 - x * masked.c1
            self.faces[card.back] = self.table.cards.faces[point.encode()]
        return self.faces[card.back]

    # -- Moves -------------------------------------------------------------------------------

    def allows(self, move: Move) -> bool:
        """Tell whether the verifier's rules take a move now, its cards opened."""
        twin = self.twin()
        seat, step = self.due[0], twin.step
        try:
            twin.game.judge(seat, move)
            if len(step.owing) == 1:
                step = step.then({seat: move})
                if step.label in ("lay", "show"):
                    for card, _ in step.reads:
                        card.face = self.face(card)
                    step.then(step.opened())
        except CODEC.CheckError:
            return False
        return True

    def twin(self) -> Any:
        """Return a copy of the table."""
        twin = TABLE.Table()
        twin.__dict__ = pickle.loads(written(vars(self.table)))
        return twin

    def move(self) -> Move:
        """Return a move of the seat due, legal for the verifier."""
        for _ in range(20):
            if self.allows(move := self.likely()):
                return move
        return next(move for move in IDLE[self.name] if self.allows(move))

    def likely(self) -> Move:
        """Return a move of the seat due that may well be legal."""
        assert self.due is not None
        return likely(
            self.name, self.table.game, self.due[0], self.hand, self.face, self.chance
        )

    def anything(self) -> Move:
        """Return a move of any form, of the game's table of moves."""
        name = self.chance.choice(sorted(self.forms))
        fields: Move = []
        hand = self.hand(self.due[0]) if self.due else []
        for kind, least, most in self.forms[name]:
            if kind is bytes:
                cards = [
                    self.chance.choice(hand).back
                    for _ in range(self.chance.randint(least, most))
                ]
                fields.append(b"".join(cards) if hand else bytes(32 * least))
            elif kind is list:
                fields += [self.chance.choice((0, 3, 10_000, self.chance.randint(0, most)))]
            else:
                fields.append(self.chance.choice((least, self.chance.randint(least, most))))
        return [name, *fields]

    def hand(self, seat: int) -> list[Any]:
        """Return the pile of a hand."""
        found: list[Any] = self.table.cards.piles.get(f"hand {seat}", [])
        return found

    # -- Files -------------------------------------------------------------------------------

    def all_files(self) -> Iterator[bytes]:
        """Play a game; yield its files, then damaged files, and files with records."""
        yield from self.files()
        for _ in range(6):
            yield self.damaged()
        yield from self.resigned()

    def files(self) -> Iterator[bytes]:
        """Play a game; yield files that end in a move of any kind, and the game."""
        decisions = 0
        while self.due and decisions < LONGEST[self.name]:
            with trusting():
                move = None
                if self.table._decides():
                    decisions += 1
                    move = self.move()
                tails = list[Entry]()
                if move is not None and self.chance.random() < 0.3:
                    tails = [self.tail(self.anything()), self.tail(self.likely())]
            yield from (self.file(tail) for tail in tails)
            with trusting():
                self.say(move)
        yield self.file()

    def forks(self, moves: int) -> tuple[bytes, bytes]:
        """Return two files that go apart in the entry after so many moves."""
        with trusting():
            while moves and self.due:
                moves -= self.table._decides()
                self.say(self.move() if self.table._decides() else None)
            first = self.move()
            other = next(move for move in iter(self.move, None) if move != first)
            return self.file(self.tail(first)), self.file(self.tail(other))

    def file(
        self, *more: Entry, end: int | None = None, records: Sequence[bytes] = ()
    ) -> bytes:
        """Return a file of the first entries, and more."""
        entries = [entry.encoded for entry in (*self.entries[:end], *more)]
        return encode_archive(entries, records, self.roster)

    def damaged(self) -> bytes:
        """Return the file up to an entry in which one value is another, signed again."""
        at = self.chance.randrange(self.seats, len(self.entries))
        entry = self.entries[at]
        body: Any = unpack(entry.signed.body)
        body = changed(body, self.chance)
        session = self.secrets[entry.seat].session
        again = sign(b"matcha/v1/msg\0", body, session)
        entries = [each.encoded for each in self.entries[:at]]
        return encode_archive([*entries, again], [], self.roster)

    def resigned(self) -> Iterator[bytes]:
        """Yield files with records of seats at random heads."""
        for _ in range(4):
            end = self.chance.randrange(self.seats + 1, len(self.entries) + 1)
            records = []
            for _ in range(self.chance.randint(1, 2)):
                seat, seen = (
                    self.chance.randrange(self.seats),
                    self.chance.randint(end - 1, end),
                )
                quits = ResignOffer() if self.name == "tichu" else Resign()
                said = self.chance.choice((quits, quits, Claim(0, 1), Claim(90, 1_800_000_000)))
                head, session = self.entries[seen - 1].id, self.secrets[seat].session
                records.append(
                    sign_record(self.table.gid, Seat(seat), head, said, session).encoded
                )
            yield self.file(end=end, records=records)


def points(cards: Sequence[Any]) -> list[Ciphertext]:
    """Return the masked cards of protocol/verifier as matcha_p2p has them."""
    halves = b"".join(half.encoding for card in cards for half in card.masked)
    return [*Ciphertext.decode_all(halves)]


def changed(value: Any, chance: random.Random) -> Any:
    """Return a value with one part changed: an integer, a bit, or one element more or less."""
    match value:
        case bool() | int():
            return value + chance.choice((1, 2)) if value < 2 else value - 1
        case str():
            return chance.choice(("", "pass", "lay", "SHARE", "MOVE", "turn"))
        case bytes() if value:
            at = chance.randrange(len(value))
            return value[:at] + bytes([value[at] ^ 1 << chance.randrange(8)]) + value[at + 1 :]
        case [*items] if items:
            at = chance.randrange(len(items))
            if chance.random() < 0.1:
                return [*items[:at], *items[at + 1 :]]
            return [*items[:at], changed(items[at], chance), *items[at + 1 :]]
        case _:
            return 7


def differences(name: str, seeds: Sequence[int], *, trusts: bool = False) -> Iterator[str]:
    """Yield a line for each forged file about which matcha_p2p and protocol/verifier differ.

    trusts: whether protocol/verifier takes proofs and signatures unseen. So differences of the
    rules are found sooner, and no file is damaged.
    """
    known, steps = (
        mock.patch.dict(found, clear=True) for found in (judges._known, judges._steps)
    )
    with known, steps:
        for seed in seeds:
            forger = Forger(name, seed)
            for number, data in enumerate(forger.files() if trusts else forger.all_files()):
                with trusting() if trusts else nullcontext():
                    found = theirs(data)
                if found != (right := ours(data)):
                    yield f"{name} {seed} file {number}: {right} or {found}"


if __name__ == "__main__":
    game, first, end = sys.argv[1:]
    for line in differences(game, range(int(first), int(end))):
        print(line)
