"""The table: entries, checked in order (SPEC#entries, SPEC#table)."""

from dataclasses import dataclass
from typing import cast

from cards import Cards
from codec import CheckError, H, Value, be4, pack, refuse, require, split_statement
from games import find_game
from group import check_signature, decode_key
from messages import Fields, Hello, check_name, decode_action
from proofs import Place, Shares, Shuffle, verify_possession, verify_shares, verify_shuffle
from roster import Roster
from steps import Game, Move, Step


@dataclass(frozen=True)
class Accepted:
    """The kept data of an accepted entry.

    left: by seat, the winners if the seat resigned after this entry; [] while seats greet.
    """

    seat: int
    prev: bytes
    id: bytes
    verbs: list[str]
    left: list[list[int]]


@dataclass(frozen=True)
class Statement:
    """A RESIGN or SYNC. length: the number of the author's entries. head: the last entry.

    offer: of a RESIGN in a game of teams: empty in an offer, else the id of the partner's
    offer. In other games None.
    """

    kind: str
    seat: int
    head: bytes
    length: int
    offer: bytes | None = None

    @property
    def gives_up(self) -> bool:
        """Tell whether the record is a RESIGN that binds its author."""
        return self.kind == "RESIGN" and self.offer != b""

    def is_shown(self, chain: list[Accepted]) -> bool:
        """Return whether ``chain`` has all entries up to ``head``."""
        return self.length <= len(chain) and chain[self.length - 1].id == self.head


class Table:
    """A verifier's state (SPEC#table).

    roster: set before the first entry. game and cards: set after all greetings.
    """

    roster: Roster
    game: Game
    cards: Cards

    def __init__(self) -> None:
        self.chain: list[Accepted] = []
        self.greetings: list[bytes] = []  # entries, which name the game
        self.gid = b""
        self.hellos: list[Hello] = []
        self.links: list[bytes] = []
        self.coins = 0
        self.step = Step([(0, "HELLO")])
        self.lengths: dict[bytes, int] = {}  # of the chain up to an entry, by its id
        self.places: list[list[int]] = [[], [], [], []]  # of the entries of each seat
        self.statements: list[Statement] = []
        self.holding: set[int] = set()  # seats that say they hold a RESIGN of another seat

    # -- Questions ---------------------------------------------------------------------------

    @property
    def decided(self) -> bool:
        """Whether the chain decides the game."""
        return self.gid != b"" and self.game.result() is not None

    @property
    def resigned(self) -> set[int]:
        """The seats bound by a RESIGN."""
        return {said.seat for said in self.statements if said.gives_up}

    @property
    def given_up(self) -> Statement | None:
        """The first RESIGN that counts: of a seat alone, or after a partner's open offer."""
        given_up = [said for said in self.statements if said.gives_up]
        if given_up and given_up[0].offer is not None:
            open_offers = [self._open_offers(seat) for seat in range(4)]
            given_up = [
                said for said in given_up if open_offers[(said.seat + 2) % 4][said.length]
            ]
        return min(given_up, key=lambda said: (said.length, said.seat), default=None)

    def winners(self) -> list[int] | None:
        """Return the seats that have won, None while the game is undecided."""
        if self.decided:
            return self.game.winners(None)
        if self.given_up is None:
            return None
        place = max(self.given_up.length, len(self.hellos)) - 1
        return self.chain[place].left[self.given_up.seat]

    def _open_offers(self, seat: int) -> list[bool]:
        """Return by length of the chain whether an offer of the seat to resign is open."""
        offered = {
            said.length
            for said in self.statements
            if (said.kind, said.offer, said.seat) == ("RESIGN", b"", seat)
        }
        found = [False]
        for length, entry in enumerate(self.chain, 1):
            found.append(length in offered or (found[-1] and entry.seat != seat))
        return found

    def waiting(self) -> int:
        """Return the seat that an unfinished game waits for (SPEC#verdicts)."""
        owing = {said.seat for said in self.statements if not said.is_shown(self.chain)}
        owing |= {seat for seat in self.holding if not self.resigned - {seat}}
        return min(owing) if len(owing) == 1 else self.step.owing[0][0]

    def _owes(self, seat: int) -> bool:
        return self.step.owing != [] and self.step.owing[0][0] == seat

    def _decides(self) -> bool:
        """Return whether a person or bot chooses the next action."""
        return self.step.owing[0][1] in self.step.chosen

    def _digest(self) -> bytes:
        """Return the digest of the game (SPEC#result)."""
        return H("game state", pack(self.game.state()))

    def _state(self) -> bytes:
        """Return the digest whose beginning is st (SPEC#state)."""
        if not self.coins:
            return H("state", pack([]))
        return H("state", self._digest(), pack(self.step.owing), *self.cards.parts())

    # -- Entries -----------------------------------------------------------------------------

    def accept_entry(self, encoded: bytes) -> None:
        """Take the next entry (SPEC#check-entry); raises CheckError."""
        body, value, signature = split_statement(encoded)
        match value:
            case [int(seq), 0 | 1 | 2 | 3 as seat, bytes(prev), bytes(st), list(actions)]:
                require(len(prev) == 32 and len(st) == 16, "E_ENCODING")
            case _:
                refuse("E_ENCODING")
        this = Accepted(seat, prev, H("msg", encoded), [], [])
        signed = b"matcha/v1/msg\0" + body
        self._check_fork(seq, this, signed, signature)
        require(seq == len(self.chain), "E_CHAIN")
        require(not self.chain or prev == self.chain[-1].id, "E_CHAIN")
        hello = self._hello(seat, actions)
        check_signature(hello.session_key, signed, signature, "E_SIG")
        try:  # from here on the author is to blame
            if not self.chain:
                require(prev == self.roster.rid, "E_ROSTER")
            forms = self.game.forms if self.gid else {}
            decoded = [decode_action(action, forms) for action in actions]
            this.verbs.extend(verb for verb, _ in decoded)
            if not self.gid:
                due = ["HELLO", "COIN"] if self._is_last(seat) else ["HELLO"]
                require(this.verbs == due, "E_GRAMMAR")
                self.greetings.append(encoded)
            self._take_message(this, [*self.hellos, hello][0], decoded)
            require(st == self._state()[:16], "E_STATE")
        except CheckError as refusal:
            raise CheckError(refusal.check, seat) from None
        if self.gid:
            this.left.extend(self.game.winners(each) for each in range(len(self.hellos)))
        self.chain.append(this)
        self.lengths[this.id] = len(self.chain)
        self.places[seat].append(seq)

    def _check_fork(self, seq: int, this: Accepted, signed: bytes, signature: bytes) -> None:
        if seq >= len(self.chain):
            return
        known = self.chain[seq]
        same_place = (known.seat, known.prev) == (this.seat, this.prev)
        if not same_place or known.id == this.id:
            return
        try:
            key = self.hellos[this.seat].session_key
            check_signature(key, signed, signature, "E_SIG")
        except CheckError:
            return  # somebody else's
        raise CheckError("E_FORK", this.seat)

    def _hello(self, seat: int, actions: list[Value]) -> Hello:
        """Return the greeting of a seat, from earlier or from the present message."""
        if self.gid:
            require(seat < len(self.hellos), "E_TURN")
            return self.hellos[seat]
        require(seat == len(self.hellos), "E_TURN")
        decoded = [decode_action(action, {}) for action in actions]
        require(decoded != [] and decoded[0][0] == "HELLO", "E_GRAMMAR")
        hello = cast("Hello", decoded[0][1][0])
        decode_key(hello.session_key)
        require(hello.session_key == self.roster.seats[seat].session_key, "E_ROSTER")
        return hello

    def _take_message(
        self, this: Accepted, first: Hello, actions: list[tuple[str, Fields]]
    ) -> None:
        """Check the actions of the message, and take them. first: the HELLO of seat 0."""
        require(self._owes(this.seat), "E_TURN")
        require(actions != [], "E_GRAMMAR")
        for number, (verb, fields) in enumerate(actions):
            require(self._owes(this.seat) and self.step.owing[0][1] == verb, "E_GRAMMAR")
            require(number == 0 or not self._decides(), "E_GRAMMAR")
            place = Place(first.game, first.variant, this.prev, this.seat, number)
            getattr(self, f"_take_{verb.lower()}")(place, *fields)
        require(not self._owes(this.seat) or self._decides(), "E_GRAMMAR")

    # -- Greeting ----------------------------------------------------------------------------

    def _is_last(self, seat: int) -> bool:
        """Return whether the greeting of ``seat`` completes the table."""
        return seat == len(self.roster.seats) - 1

    def _take_hello(self, place: Place, hello: Hello) -> None:
        last = self._is_last(place.seat)
        common = set(hello.versions).intersection(*(each.versions for each in self.hellos))
        require(common != set() and hello.version == max(common), "E_VERSION")
        require(hello.version == 1 if last else 1 in common, "E_VERSION")
        game = self._agreed(hello)
        check_name(hello.name)
        for other in self.hellos:
            require(hello.anchor != other.anchor, "E_KEY")
            require(hello.game_key.encoding != other.game_key.encoding, "E_KEY")
        keys = [each.game_key for each in [*self.hellos, hello]]
        require(not last or not sum(keys[1:], start=keys[0]).is_identity, "E_KEY")
        verify_possession(hello.game_key, hello.possession, place)
        if hello.identity:
            decode_key(hello.identity)
            certified = hello.session_key + hello.x + hello.anchor + place.head
            certified = b"matcha/v1/id\0" + certified
            check_signature(hello.identity, certified, hello.certificate, "E_CERT")
        self.roster.check_fit(place.seat, hello)
        self.hellos.append(hello)
        self.links.append(hello.anchor)
        self.step = Step([(place.seat + 1, "HELLO")])
        if last:
            self.gid, self.game = H("game", *self.greetings), game
            self.cards = Cards(game.name, game.faces, self.gid, keys)
            self._ask(game.begin(self.cards))

    def _agreed(self, hello: Hello) -> Game:
        """Return the agreed game; E_GAME."""
        first = [*self.hellos, hello][0]
        rules = [first.game, first.variant, first.seats, first.rules]
        require([hello.game, hello.variant, hello.seats, hello.rules] == rules, "E_GAME")
        game = find_game(hello.game, hello.variant, hello.seats)
        if game is None:
            refuse("E_GAME")
        described = pack((game.name, game.variant, game.seats, game.values))
        require(hello.rules == H("rules", described), "E_GAME")
        return game

    # -- Steps -------------------------------------------------------------------------------

    def _ask(self, step: Step) -> None:
        """Go on to the first step with a debt, or to the end (SPEC#steps)."""
        self.cards.settle()
        self.step = step
        if step.then is not None and not step.owing:
            self._ask(step.then(step.opened()))

    def _pay(self, outcome: bytes | list[int] | dict[int, Move]) -> None:
        """Strike the first debt; after the last debt, the step ends with ``outcome``."""
        self.step.owing.pop(0)
        if self.step.then is not None and not self.step.owing:
            self._ask(self.step.then(outcome))

    def _take_coin(self, place: Place, link: bytes) -> None:
        require(H("coin", bytes([place.seat]), link) == self.links[place.seat], "E_COIN")
        self.links[place.seat] = link
        if len(self.step.owing) == 1:
            self.coins += 1
        self._pay(H("coin value", self.gid, be4(self.coins), *self.links))

    def _take_shuf(self, place: Place, given: Shuffle) -> None:
        old = [card.masked for card in self.step.pile]
        verify_shuffle(old, self.cards.joint_key, self.step.label, given, place)
        self.cards.cover(self.step.pile, given.deck)
        self._pay([])

    def _take_share(self, place: Place, given: Shares) -> None:
        owed = self.step.owed(place.seat)
        masked = [card.masked for card in owed]
        key = self.hellos[place.seat].game_key
        verify_shares(key, masked, self.step.label, given, place)
        for card, share in zip(owed, given.shares, strict=True):
            card.shares[place.seat] = share
        if len(self.step.owing) == 1:
            self.cards.open([card for card, reader in self.step.reads if reader is None])
        self._pay(self.step.opened())

    def _take_move(self, place: Place, move: Move) -> None:
        self.game.judge(place.seat, move)
        self.step.moves[place.seat] = move
        self._pay(self.step.moves)

    def _take_seal(self, place: Place, commitment: bytes) -> None:
        self.step.seals[place.seat] = place.head, commitment
        self._pay(self.step.moves)

    def _take_unseal(self, place: Place, salt: bytes, move: Move) -> None:
        since, commitment = self.step.seals[place.seat]
        sealed = H("seal", self.gid, since, bytes([place.seat]), salt, pack(move))
        require(sealed == commitment, "E_SEAL")
        self._take_move(place, move)

    def _take_result(self, _place: Place, outcome: list[int], digest: bytes) -> None:
        require((outcome, digest) == (self.game.result(), self._digest()), "E_RESULT")
        self._pay([])
