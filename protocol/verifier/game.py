"""The machine: entries checked one after the other (SPEC#entries, SPEC#machine, SPEC#flow)."""

from dataclasses import dataclass, field
from typing import cast

from codec import CheckError, H, Value, be4, draw, pack, refuse, require, split_statement
from group import BASE, Element, check_signature, decode_key
from messages import Fields, Hello, Shares, check_name, check_version, decode_action
from proofs import (
    FACES,
    Card,
    Place,
    Shuffle,
    face_of,
    verify_possession,
    verify_shares,
    verify_shuffle,
)
from rules import EDITIONS, ZERO, Rules

DECISIONS = {"PLAY", "PASS", "KEEPC", "KEEP"}
COINS = 4096
NOTHING_YET = H("state", pack([]))


@dataclass(frozen=True)
class Accepted:
    """What the chain remembers of an entry."""

    seat: int
    prev: bytes
    id: bytes
    names: list[str]  # of its actions


@dataclass(frozen=True)
class Statement:
    """A RESIGN or SYNC. length: how many entries its author has, of which head is the last."""

    kind: str
    seat: int
    head: bytes
    length: int

    def is_shown(self, chain: list[Accepted]) -> bool:
        """Return whether ``chain`` has those entries."""
        return self.length <= len(chain) and chain[self.length - 1].id == self.head


@dataclass
class Hand:
    """Five masked cards, their backs and, once stripped, the shares of the other seat."""

    cards: list[Card]
    backs: list[bytes] = field(default_factory=list)
    shares: list[Element] = field(default_factory=list)


class Game:
    """All that a verifier keeps (SPEC#machine), the public state being in ``rules``."""

    def __init__(self) -> None:
        self.chain: list[Accepted] = []
        self.lengths: dict[bytes, int] = {}  # of the chain up to an entry, by its id
        self.encoded: list[bytes] = []  # entries 0 and 1, which name the game
        self.gid = self.commitment = b""
        self.hellos: list[Hello] = []
        self.joint_key = BASE  # until both have greeted each other
        self.last_links: list[bytes] = []
        self.coins, self.closer = 0, 1
        self.rules: Rules  # from the first coin on
        self.phase = "Start"
        self.owing = [(0, "HELLO")]  # who has to say what, outside phase Playing
        self.deck: list[Card] = []
        self.opened: list[list[Element]] = [[], []]  # shares of the mixed deck, by seat
        self.hands = [Hand([]), Hand([])]
        self.aside: list[Card] = []
        self.keeping: list[list[int]] = [[], []]  # slots of the last hands
        self.statements: list[Statement] = []
        self.holding: set[int] = set()  # seats that say they hold a RESIGN of the other seat

    # -- Who has to speak --------------------------------------------------------------------

    def due(self) -> tuple[int | None, set[str]]:
        """Return the seat that has to speak, None when all is said, and what it may say."""
        if self.phase == "Playing":
            return self.rules.turn, {"PLAY", "PASS"}
        if not self.owing:
            return None, set()
        seat, name = self.owing[0]
        return seat, {name}

    @property
    def decided(self) -> bool:
        """Whether the chain decides the game."""
        return self.coins > 0 and self.rules.phase == "end"

    @property
    def resigned(self) -> bool:
        """Whether a seat has resigned."""
        return any(statement.kind == "RESIGN" for statement in self.statements)

    def waiting(self) -> int | None:
        """Return the seat that a game waits for that is not over (SPEC#verdicts)."""
        speaker, _ = self.due()
        owing = {said.seat for said in self.statements if not said.is_shown(self.chain)}
        given_up = {said.seat for said in self.statements if said.kind == "RESIGN"}
        owing |= {seat for seat in self.holding if 1 - seat not in given_up}
        return min(owing) if len(owing) == 1 else speaker

    # -- Entries -----------------------------------------------------------------------------

    def accept_entry(self, encoded: bytes) -> None:
        """Take the next entry, with the checks of SPEC#order; raises CheckError."""
        body, value, signature = split_statement(encoded)
        match value:
            case [int(seq), 0 | 1 as seat, bytes(prev), bytes(st), list(actions)]:
                require(len(prev) == 32 and len(st) == 16, "E_ENCODING")
            case _:
                refuse("E_ENCODING")
        this = Accepted(seat, prev, H("msg", encoded), [])
        signed = b"matcha/v1/msg\0" + body
        self._check_fork(seq, this, signed, signature)
        require(seq == len(self.chain), "E_CHAIN")
        require(not self.chain or prev == self.chain[-1].id, "E_CHAIN")
        author = self.hellos[seat] if seq >= 2 else self._greeter(seq, seat, actions)
        check_signature(author.session_key, signed, signature, "E_SIG")
        try:  # from here on the author is to blame
            decoded = [decode_action(action) for action in actions]
            this.names.extend(name for name, _ in decoded)
            self._take_message(this, encoded, decoded)
            digest = self.rules.digest() if self.coins else NOTHING_YET
            require(st == digest[:16], "E_STATE")
        except CheckError as refusal:
            raise CheckError(refusal.check, seat) from None
        self.chain.append(this)
        self.lengths[this.id] = len(self.chain)

    def _greeter(self, seq: int, seat: int, actions: list[Value]) -> Hello:
        """Return the greeting in entry 0 or 1, with a key under which it may be signed."""
        require(seat == seq, "E_TURN")
        decoded = [decode_action(action) for action in actions]
        require(decoded != [] and decoded[0][0] == "HELLO", "E_GRAMMAR")
        (hello,) = cast("tuple[Hello]", decoded[0][1])
        decode_key(hello.session_key)
        return hello

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

    def _take_message(
        self, this: Accepted, encoded: bytes, actions: list[tuple[str, Fields]]
    ) -> None:
        """Check that the message may be said (SPEC#grammar), and take its actions in turn."""
        if len(self.chain) < 2:
            greeting = [name for name, _ in actions]
            require(greeting == ["HELLO", "COIN"][: this.seat + 1], "E_GRAMMAR")
            self.encoded.append(encoded)
        else:
            self._check_speaker(this.seat, [name for name, _ in actions])
        place = Place(this.prev, this.seat)
        for index, (name, fields) in enumerate(actions):
            speaker, names = self.due()
            require(speaker == this.seat and name in names, "E_GRAMMAR")
            require(index == 0 or name not in DECISIONS, "E_GRAMMAR")
            if self.phase != "Playing":
                self.owing.pop(0)
            getattr(self, f"_take_{name.lower()}")(place, *fields)
        speaker, names = self.due()
        require(speaker != this.seat or DECISIONS.issuperset(names), "E_GRAMMAR")

    def _check_speaker(self, seat: int, names: list[str]) -> None:
        require(self.phase != "Over", "E_TURN")
        require(names != [], "E_GRAMMAR")
        speaker, _ = self.due()
        if self.phase == "Playing" and self.rules.is_out(seat):
            require(names[0] != "PLAY", "E_PLACE")
            require(names[0] != "PASS", "E_PASS")
        require(speaker == seat, "E_TURN")

    # -- Greeting and coins ------------------------------------------------------------------

    def _take_hello(self, place: Place, hello: Hello) -> None:
        first = self.hellos[0] if self.hellos else None
        check_version(hello, first)
        known = hello.edition in EDITIONS
        require(known, "E_RULES")
        digests = [EDITIONS[hello.edition].digest(drawn) for drawn in (True, False)]
        require(hello.rules in digests, "E_RULES")
        same = first is None or (first.edition, first.rules) == (hello.edition, hello.rules)
        require(same, "E_RULES")
        check_name(hello.name)
        if first is not None:
            self._join_keys(first, hello)
        verify_possession(hello.game_key, hello.possession, place)
        if hello.identity:
            decode_key(hello.identity)
            keys = hello.session_key + hello.game_key.encoding + hello.anchor
            certified = b"matcha/v1/id\0" + keys + place.head
            check_signature(hello.identity, certified, hello.certificate, "E_CERT")
        self.hellos.append(hello)
        self.last_links.append(hello.anchor)
        if first is None:
            self.phase, self.owing = "Greeted", [(1, "HELLO")]
            return
        self.gid = H("game", *self.encoded)
        self._next_coin()

    def _join_keys(self, first: Hello, second: Hello) -> None:
        """Add the game keys; E_KEY unless seat 1 brings keys of its own that do not undo it."""
        require(second.session_key != first.session_key, "E_KEY")
        require(second.anchor != first.anchor, "E_KEY")
        require(second.game_key.encoding != first.game_key.encoding, "E_KEY")
        self.joint_key = first.game_key + second.game_key
        require(not self.joint_key.is_identity, "E_KEY")

    def _next_coin(self) -> None:
        """Begin the next coin, or end a game that has none left (SPEC#coins)."""
        if self.coins < COINS:
            self._enter("Tossing", "COIN", self.closer)
        else:
            self.rules.draw()
            self._enter("Closing", "RESULT", self.closer)

    def _enter(self, phase: str, name: str, first: int) -> None:
        """Enter a phase in which both seats say ``name``."""
        self.phase, self.owing = phase, [(first, name), (1 - first, name)]

    def _take_coin(self, place: Place, link: bytes) -> None:
        seat = place.seat
        require(H("coin", bytes([seat]), link) == self.last_links[seat], "E_COIN")
        self.last_links[seat] = link
        if self.owing:
            return
        self.coins += 1
        if self.coins == 1:
            edition = EDITIONS[self.hellos[0].edition]
            drawn = H("dealer", self.gid, *self.last_links)[0] & 1
            dealer = drawn if self.hellos[0].rules == edition.digest(drawn=True) else 0
            self.rules = Rules(edition, dealer)
        seed = H("table", self.gid, be4(self.rules.number), *self.last_links)
        table = draw(seed, 16, 6)
        rest = [face for face in range(16) if face not in table]
        self._lay(table, self._public([*rest, ZERO, ZERO]), seat)

    def _public(self, faces: list[int]) -> list[Card]:
        return [(BASE, FACES[face] + self.joint_key) for face in faces]

    def _lay(self, table: list[int], deck: list[Card], a: int) -> None:
        """Lay the table and list what has to be done to deal (SPEC#deal)."""
        self.deck = deck
        b = 1 - a
        a_kept, b_kept = self.rules.kept[a] > 0, self.rules.kept[b] > 0
        deeds = [
            (a, "SHUF", True),
            (b, "SHUF", True),
            (b, "OWN", b_kept),
            (b, "STRIP", not a_kept),
            (a, "OWN", a_kept),
            (a, "STRIP", True),
            (b, "STRIP", a_kept),
        ]
        self.phase = "Dealing"
        self.owing = [(seat, name) for seat, name, owed in deeds if owed]
        self.rules.lay(table)

    # -- Decks -------------------------------------------------------------------------------

    def _take_shuf(self, place: Place, shuffle: Shuffle) -> None:
        label = "mix" if self.phase == "Mixing" else "deal"
        verify_shuffle(self.deck, self.joint_key, label, shuffle, place)
        self.deck = shuffle.deck
        if (1 - place.seat, "SHUF") in self.owing:
            return
        if self.phase == "Mixing":
            self.phase, self.owing = "Opening", [(place.seat, "OPEN")]
            self.opened = [[], []]
        else:
            self._deal()

    def _deal(self) -> None:
        cards = list(self.deck)
        for seat in (0, 1):
            hand = [self.hands[seat].cards[slot] for slot in self.keeping[seat]]
            new = 5 - len(hand)
            self._hold(seat, hand + cards[:new])
            cards = cards[new:]
        self.aside = cards

    def _hold(self, seat: int, cards: list[Card]) -> None:
        start = (self.gid, be4(self.rules.number), bytes([seat]))
        backs = [H("back", *start, c1.encoding, c2.encoding) for c1, c2 in cards]
        self.hands[seat] = Hand(cards, backs)

    def _take_own(self, place: Place, shuffle: Shuffle) -> None:
        old = self.hands[place.seat].cards
        verify_shuffle(old, self.joint_key, "own", shuffle, place)
        self._hold(place.seat, shuffle.deck)

    def _take_strip(self, place: Place, given: Shares) -> None:
        hand = self.hands[1 - place.seat]
        self._check_shares(place, "strip", hand.cards, given)
        hand.shares = given.shares
        if not self.owing:
            self.phase = "Playing"

    def _check_shares(self, place: Place, label: str, cards: list[Card], given: Shares) -> None:
        key = self.hellos[place.seat].game_key
        sid = place.sid("SHARES", label)
        verify_shares(key, cards, given.shares, given.proof, sid)

    def _take_open(self, place: Place, given: Shares) -> None:
        """Open the next positions of the mixed deck (SPEC#opening-top)."""
        mine, others = self.opened[place.seat], self.opened[1 - place.seat]
        end, both = len(mine) + len(given.shares), len(others)
        require(max(len(mine) + 1, both) <= end <= 8, "E_GRAMMAR")
        self._check_shares(place, "open", self.deck[len(mine) : end], given)
        mine += given.shares
        faces = [face_of(self.deck[i], mine[i], others[i]) for i in range(both)]
        table = [face for face in faces if face != ZERO]
        missing = 6 - len(table)
        require(end == both + missing, "E_GRAMMAR")
        if missing > 0:
            self.owing = [(1 - place.seat, "OPEN")]
            return
        require(len(set(table)) == 6, "E_CARD")
        zeros = [ZERO] * (end - 6)
        self._lay(table, self.deck[end:] + self._public(zeros), place.seat)

    # -- Playing -----------------------------------------------------------------------------

    def _take_play(self, place: Place, mat: int, back: bytes) -> None:
        seat = place.seat
        require(self.rules.may_play(seat, mat), "E_PLACE")
        backs = self.hands[seat].backs
        require(back in backs, "E_BACK")
        slot = backs.index(back)
        require(slot in self.rules.hands[seat], "E_SPENT")
        self.rules.play(seat, mat, slot)
        self._after_action(seat)

    def _take_pass(self, place: Place) -> None:
        self.rules.pass_on(place.seat)
        self._after_action(place.seat)

    def _take_reveal(self, place: Place, given: Shares) -> None:
        seat = place.seat
        slots = [self.rules.laid[seat][mat] for mat in self.rules.due[seat]]
        require(len(given.shares) == len(slots), "E_GRAMMAR")
        hand = self.hands[seat]
        cards = [hand.cards[slot] for slot in slots]
        self._check_shares(place, "reveal", cards, given)
        stripped = [hand.shares[slot] for slot in slots]
        faces = list(map(face_of, cards, given.shares, stripped))
        opened = self.rules.opened_faces() + faces
        for face in faces:
            require(opened.count(face) <= (2 if face == ZERO else 1), "E_CARD")
        self.rules.turn_up(seat, faces)
        self._after_action(seat)

    def _after_action(self, seat: int) -> None:
        """Find the phase that a move or the end of a round leads to (SPEC#after-round)."""
        match self.rules.phase:
            case "reveal":
                if self.phase == "Playing":
                    self._enter("Showing", "REVEAL", seat)
            case "place":
                self.phase = "Playing"
            case "end":
                self.closer = seat
                self._enter("Closing", "RESULT", seat)
            case "keep":
                self.closer = seat
                self.phase, self.owing = "Committing", [(seat, "KEEPC")]
            case _:
                self.closer = seat
                self.keeping = [[], []]
                self._next_coin()

    # -- Between sets, and the end -----------------------------------------------------------

    def _take_keepc(self, place: Place, commitment: bytes) -> None:
        self.commitment = commitment
        self.phase, self.owing = "Choosing", [(1 - place.seat, "KEEP")]

    def _take_keep(self, place: Place, backs: list[bytes]) -> None:
        self.keeping[place.seat] = self._slots(place.seat, backs)
        self.phase, self.owing = "Unsealing", [(1 - place.seat, "KEEPO")]

    def _take_keepo(self, place: Place, salt: bytes, backs: list[bytes]) -> None:
        seat = place.seat
        start = (self.gid, be4(self.rules.number), bytes([seat]))
        require(H("keep", *start, salt, *backs) == self.commitment, "E_COMMIT")
        self.keeping[seat] = self._slots(seat, backs)
        table = sorted(self.rules.table)
        self.rules.next_set([list(slots) for slots in self.keeping])
        if self.keeping == [[], []]:
            self._next_coin()
            return
        returned = [
            card
            for hand, kept in zip(self.hands, self.keeping, strict=True)
            for slot, card in enumerate(hand.cards)
            if slot not in kept
        ]
        self.deck = self._public(table) + returned + self.aside
        self._enter("Mixing", "SHUF", self.closer)

    def _slots(self, seat: int, backs: list[bytes]) -> list[int]:
        """Return the slots that these backs name, all still held and ascending; E_KEEP."""
        known = self.hands[seat].backs
        require(all(back in known for back in backs), "E_KEEP")
        slots = [known.index(back) for back in backs]
        require(slots == sorted(set(slots)), "E_KEEP")
        require(set(slots) <= set(self.rules.hands[seat]), "E_KEEP")
        return slots

    def _take_result(self, _place: Place, outcome: int, digest: bytes) -> None:
        require((outcome, digest) == (self.rules.outcome(), self.rules.digest()), "E_RESULT")
        if not self.owing:
            self.phase = "Over"
