"""Transcripts for three seats, of the toy game in tests/games/toy/steps.py (TOY#toy).

Two seats cannot show orders, keys and shares of three seats, and the blame among three seats.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial

from matcha_p2p.chain.archive import MAGIC
from matcha_p2p.crypto.elgamal import prove_possession, prove_shares
from matcha_p2p.crypto.ristretto255 import ORDER, base_mul
from matcha_p2p.crypto.signature import public_key, sign
from matcha_p2p.errors import Check
from matcha_p2p.seats import Seat
from matcha_p2p.table.greeting import hello_context, identity_statement
from matcha_p2p.table.messages import Hello, Seal, Shares, encode_action
from matcha_p2p.table.piles import card_at
from matcha_p2p.table.seat import Offer, Player, decide, follow, greet, take_seat
from matcha_p2p.table.step import step
from matcha_p2p.table.steps import Read, Share, Wire
from matcha_p2p.table.table import Greetings, State, Table, Verb, next_due
from matcha_p2p.table.verbs import commitment_to, owed_reads
from matcha_p2p.transport.framing import Frame, Kind, encode_frame
from matcha_p2p.wire.encoding import Value, pack
from matcha_p2p.wire.entry import Entry, parse_entry
from matcha_p2p.wire.names import EntryId
from matcha_p2p.wire.record import Record, sign_record
from matcha_p2p.wire.roster import RosterSeat, sign_roster, write_game, write_seat
from matcha_p2p.wire.statements import Expose, Resign, Statement, Sync
from protocol.generator.games import Golden, link, winners_of
from protocol.generator.refusals import Refusal, of_cheats
from protocol.generator.vectors import TOY, Case, Vectors, seed
from tests.cheats import records, shuffles
from tests.cheats.greeting import greeting
from tests.cheats.scene import Row, Scene, body, cheats, message, say, sign_body, utter
from tests.duel import greetings_of, secrets_of
from tests.games.toy import find_toy
from tests.games.toy.steps import SEATS

DOMAIN = b"matcha/v1/roster\0"
SALT = seed("salt of a sealed choice")
SEED = "toy 4"
FIRST = {SEED: 0, "toy 6": 1, "toy 1": 2}
"""Seeds, and the seat that acts first in their games."""


# --- games ---------------------------------------------------------------------------------


@cache
def played(label: str = SEED, twist: str = "") -> Scene:
    """Return a finished game, or a game stopped before the opening of a false seal.

    twist: "cancelling": the game key of seat 1 undoes the key of seat 0. "copied": the second
    seal is a copy of the first. "foreign": the second seal is for a card of another seat.
    """
    names = [f"Player {seat}" for seat in SEATS]
    state: State = greetings_of(label, TOY, names, find_toy)
    players, states, log = list[Player](), [state], list[Entry]()
    while (due := next_due(state)) is not None:
        if isinstance(state, Greetings):
            player = take_seat(due.seat, state.head, secrets_of(label, due.seat))
            if twist == "cancelling" and due.seat == 1:
                player = replace(player, x=ORDER - players[0].x)
            players.append(player)
        scene = Scene(tuple(players), tuple(states), tuple(log), due.seat)
        if due.verb is Verb.UNSEAL and len(scene.table.seals) == 1 and twist in SEALS:
            return scene
        entry = _next(scene, due.verb, twist)
        state, _ = step(state, parse_entry(entry.encoded))
        states.append(state)
        log.append(entry)
    return Scene(tuple(players), tuple(states), tuple(log), SEATS[0])


def _next(scene: Scene, verb: Verb, twist: str) -> Entry:
    match scene.state:
        case Greetings() as state:
            return greet(scene.player, state, Offer(TOY, f"Player {scene.seat}"))
        case Table() as table if verb is Verb.SEAL and table.seals and twist in SEALS:
            return parse_entry(say(scene, Seal(SEALS[twist](table, scene.seat)))[3:])
        case Table() as table:
            said = follow(scene.player, table) or decide(scene.player, table, scene.seat % 2)
            return said.entry


SEALS: dict[str, Callable[[Table, Seat], bytes]] = {
    "copied": lambda table, _: table.seals[0].commitment,
    "foreign": lambda table, seat: commitment_to(
        table, seat, table.head, SALT, _foreign(table, seat)
    ),
}
"""The seals of the second seat, by twist."""


def _foreign(table: Table, seat: Seat) -> Wire:
    """Return the choice of a card of the seat after ``seat``."""
    return ("choose", _back(table, _after(seat), 0))


def _back(table: Table, seat: Seat, place: int) -> bytes:
    return table.piles[f"hand {seat}"][place].back


def _after(seat: Seat, turn: int = 1) -> Seat:
    return SEATS[(seat + turn) % len(SEATS)]


def every() -> Iterator[tuple[Golden, str, int | None]]:
    """Yield all accepted transcripts, with the verdict and the seat that has to speak."""
    for label, first in FIRST.items():
        about = f"a whole game, in which seat {first} acts first"
        scene = played(label)
        golden = Golden(f"first-{first}", about, label, scene.state.roster, scene.log)
        yield golden, "COMPLETE", None
    for twist, about, verdict in (
        (
            "cancelling",
            "the keys of seats 0 and 1 undo each other",
            "COMPLETE",
        ),
        ("copied", "the second seal is a copy of the first", "UNFINISHED"),
        ("foreign", "a seat has sealed a card of another seat", "UNFINISHED"),
    ):
        scene = played(SEED, twist)
        waiting = None if verdict == "COMPLETE" else scene.seat
        golden = Golden(twist, about, SEED, scene.state.roster, scene.log)
        yield golden, verdict, waiting
    yield from _stopped()


def _stopped() -> Iterator[tuple[Golden, str, int | None]]:
    whole = played(SEED)
    log, over, sealed = whole.log, len(whole.log), _place(whole, Verb.MOVE)

    def state(seat: int, seen: int, statement: Statement, head: bytes | None = None) -> Record:
        session, gid = whole.players[seat].secrets.session, whole.table.gid
        known = EntryId(head or log[seen - 1].id)
        return sign_record(gid, Seat(seat), known, statement, session)

    def announced(seat: int) -> Record:
        return state(seat, sealed, Sync(over, link()), seed("head of a SYNC"))

    exposed = tuple(state(seat, over, Expose(whole.players[seat].x)) for seat in SEATS)
    due = log[sealed].seat
    for name, end, given, verdict, waiting, what in (
        ("one-greeting", 1, (), "UNFINISHED", 1, "seat 0 has greeted"),
        ("two-greetings", 2, (), "UNFINISHED", 2, "seats 0 and 1 have greeted"),
        ("greeted", 3, (), "UNFINISHED", 0, "all have greeted"),
        ("sealed", sealed, (), "UNFINISHED", due, "two seats have sealed their choices"),
        ("decided", over - 1, (), "DECIDED", log[-1].seat, "one signature is missing"),
        (
            "resigned",
            sealed,
            (state(2, sealed, Resign()), state(0, sealed - 1, Resign())),
            "RESIGNED",
            None,
            "seats 2 and 0 resign, seat 0 having seen less",
        ),
        (
            "resigned-at-once",
            sealed,
            (state(2, sealed, Resign()), state(1, sealed, Resign())),
            "RESIGNED",
            None,
            "seats 2 and 1 resign with the same last entry: seat 1 counts as the first",
        ),
        ("announced", sealed, (announced(2),), "UNFINISHED", 2, "seat 2 has announced more"),
        (
            "announced-by-two",
            sealed,
            (announced(_after(due)), announced(_after(due, 2))),
            "UNFINISHED",
            due,
            "two seats have announced more",
        ),
        ("open-book", over, exposed, "COMPLETE", None, "all show their cards at the end"),
    ):
        golden = Golden(name, what, SEED, whole.state.roster, log[:end], given)
        yield golden, verdict, waiting


def files() -> Iterator[tuple[str, bytes]]:
    """Yield the path and the bytes of each file for three seats."""
    accepted = tuple(every())
    goldens = tuple(golden for golden, *_ in accepted)
    for golden in goldens:
        yield f"toy/{golden.name}.matcha", golden.encoded
    for vectors in (
        Vectors(
            "toy/index",
            "As accept/index.json, of games for three seats.",
            ("TOY#toy", "SPEC#verdicts", "SPEC#transcript"),
            tuple(described(*each) for each in accepted),
        ),
        Vectors(
            "toy/refused",
            "As the files of reject/, of games for three seats. `base` is in toy/.",
            ("TOY#toy", "SPEC#order", "SPEC#checks"),
            tuple(
                refusal.described()
                for refusal in (*of_cheats(CHEATS, goldens), *_rosters(goldens[0]))
            ),
        ),
    ):
        yield f"{vectors.name}.json", vectors.encode()


def _rosters(base: Golden) -> Iterator[Refusal]:
    """Yield files whose roster is malformed or out of place. base: a whole game."""
    start, roster = len(MAGIC), base.roster
    whole = len(base.encoded)
    first, second, third = roster.seats

    def file(*seats: RosterSeat, secret: bytes = secrets_of(base.seed, 0).session) -> bytes:
        return sign_roster(roster.nonce, roster.game, seats, secret).encoded

    def bodied(*fields: Value) -> bytes:
        return sign_body(pack([*fields]), secrets_of(base.seed, 0).session, DOMAIN)

    written: list[Value] = [write_seat(seat) for seat in roster.seats]
    game = write_game(roster.game)
    for name, cut, roster_bytes, check, item in (
        ("a roster behind the entries", whole, roster.encoded, Check.ENCODING, None),
        ("no signed statement", start, b"", Check.ENCODING, 0),
        ("one seat", start, file(first), Check.ENCODING, 0),
        ("five seats", start, file(*roster.seats, third, third), Check.ENCODING, 0),
        ("a number as a nonce", start, bodied(1, 7, *game, written), Check.ENCODING, 0),
        ("a nonce of 31 bytes", start, bodied(1, bytes(31), *game, written), Check.ENCODING, 0),
        (
            "a seat without fields",
            start,
            bodied(1, bytes(32), *game, [[]] * 3),
            Check.ENCODING,
            0,
        ),
        (
            "a roster of version 2",
            start,
            bodied(2, bytes(32), *game, written),
            Check.VERSION,
            0,
        ),
        (
            "a name of spaces",
            start,
            file(first, second, replace(third, name="  ")),
            Check.TEXT,
            0,
        ),
        (
            "one session key twice",
            start,
            file(first, second, replace(third, session_key=second.session_key)),
            Check.KEY,
            0,
        ),
        (
            "one link key twice, signed by seat 1",
            start,
            file(
                first,
                second,
                replace(third, link_key=first.link_key),
                secret=secrets_of(base.seed, 1).session,
            ),
            Check.SIG,
            0,
        ),
        (
            "an identity that is no key",
            start,
            file(first, second, replace(third, identity=bytes([1, *bytes(31)]))),
            Check.KEY,
            0,
        ),
        (
            "signed by seat 1",
            start,
            file(*roster.seats, secret=secrets_of(base.seed, 1).session),
            Check.SIG,
            0,
        ),
    ):
        append = encode_frame(Frame(Kind.ROSTER, roster_bytes))
        place = len(base.entries) if item is None else item
        yield Refusal(f"roster: {name}", base, cut, append, check.value, place, None)
    wrong: list[tuple[str, list[Value]]] = [
        *_wrong_fields("roster", [1, bytes(32), *game, written], {4: bytes(31)}),
        ("a nonce and a digest of 31 bytes", [1, bytes(31), *game[:2], bytes(31), written]),
        (
            "two keys of 31 bytes",
            [1, bytes(32), *game, [*written[:2], ["x", bytes(31), bytes(31), b"", 0]]],
        ),
        *(
            (what, [1, bytes(32), *game, [*written[:2], seat]])
            for what, seat in _wrong_fields(
                "seat", _seat_fields(third), {1: bytes(31), 2: bytes(31), 3: bytes(31), 4: 2}
            )
        ),
    ]
    for name, malformed in wrong:
        append = encode_frame(Frame(Kind.ROSTER, bodied(*malformed)))
        yield Refusal(f"roster: {name}", base, start, append, Check.ENCODING.value, 0, None)


def _wrong_fields(
    what: str, fields: list[Value], others: Mapping[int, Value]
) -> Iterator[tuple[str, list[Value]]]:
    """Yield ``fields`` with a field more, or one of another type or as in ``others``."""
    yield f"a {what} with a field more", [*fields, 0]
    for at, field in enumerate(fields):
        wrong: Value = "1" if isinstance(field, int) else 7
        yield f"a {what} whose field {at} has another type", _with_field(fields, at, wrong)
    for at, wrong in others.items():
        yield f"a {what} whose field {at} has another size", _with_field(fields, at, wrong)


def _seat_fields(seat: RosterSeat) -> list[Value]:
    fields = write_seat(seat)
    if not isinstance(fields, list):
        raise TypeError("a seat is an array")
    return fields


def _with_field(fields: list[Value], at: int, field: Value) -> list[Value]:
    return [*fields[:at], field, *fields[at + 1 :]]


def described(golden: Golden, verdict: str, waiting: int | None) -> Case:
    """Return the expected finding of a verifier."""
    return {
        "file": f"{golden.name}.matcha",
        "about": golden.about,
        "seed": golden.seed,
        "entries": len(golden.entries),
        "records": len(golden.records),
        "verdict": verdict,
        "waiting": waiting,
        "winners": winners_of(golden.encoded),
    }


# --- cheats --------------------------------------------------------------------------------


def _place(scene: Scene, verb: Verb, nth: int = 0) -> int:
    """Return the place of the ``nth`` entry that begins with ``verb``."""
    return [entry.seq for entry in scene.log if [verb.value] == _verbs(entry)[:1]][nth]


def _verbs(entry: Entry) -> list[Value]:
    return [action[0] for action in entry.fields if isinstance(action, list)]


def _at(verb: Verb, nth: int = 0, turn: int = 0) -> Callable[[], Scene]:
    """Return a finder of an entry; the seat ``turn`` places after the author shall cheat."""

    def find() -> Scene:
        end = played()
        n = _place(end, verb, nth)
        honest, seat = end.log[n], _after(end.log[n].seat, turn)
        return replace(
            end, states=end.states[: n + 1], log=end.log[:n], honest=honest, seat=seat
        )

    return find


def _greets(change: Callable[[Hello], Hello]) -> Callable[[Scene], bytes]:
    """Greet with some fields changed."""

    def make(scene: Scene) -> bytes:
        return utter(scene, [encode_action(change(greeting(scene))), *scene.fields[1:]])

    return make


def _identified(scene: Scene) -> bytes:
    """Greet with an identity and its certificate."""
    secret = seed("identity")
    hello = replace(greeting(scene), identity=public_key(secret))
    signed = sign(secret, identity_statement(hello, scene.state.head))
    return _greets(lambda _: replace(hello, certificate=signed))(scene)


def _under_another_key(scene: Scene) -> bytes:
    """Greet with another session key, which signs the entry."""
    secret = seed("session")
    hello = replace(greeting(scene), session_key=public_key(secret))
    return message(sign_body(pack(body(scene, [encode_action(hello)])), secret))


def _key(x: Callable[..., int], seat: int = 2) -> Callable[[Scene], bytes]:
    """Greet with another game key, a function of all, proven in the place of ``seat``."""

    def make(scene: Scene) -> bytes:
        secret = x(*(player.x for player in scene.players)) % ORDER
        where = hello_context(TOY.name, TOY.variant, scene.state.head, Seat(seat))
        pop = prove_possession(secret, where, scene.random)
        return _greets(lambda hello: replace(hello, game_key=base_mul(secret), pop=pop))(scene)

    return make


def _rogue(scene: Scene) -> bytes:
    """Subtract the other seats' keys from the own key, and prove the rest."""
    first, second, own = (player.game_key for player in scene.players)
    return _greets(lambda hello: replace(hello, game_key=own - first - second))(scene)


def _shares(
    change: Callable[[list[Read]], list[Read]] = list, turn: int = 0, place: int = 0
) -> Callable[[Scene], bytes]:
    """Give shares of wrong cards, or with a proof for another place."""

    def make(scene: Scene) -> bytes:
        table, share = scene.table, scene.table.step
        if not isinstance(share, Share):
            raise TypeError("no shares are due")
        owed = change(list(owed_reads(table, share, scene.seat)))
        cards = [card_at(table.piles, read).masked for read in owed]
        where = table.context(_after(scene.seat, turn), share.label, place)
        given = Shares(*prove_shares(scene.player.x, cards, where, scene.random))
        return utter(scene, [encode_action(given)])

    return make


def _says(*action: Value) -> Callable[[Scene], bytes]:
    return lambda scene: utter(scene, [list(action)])


def _chooses(*cards: tuple[int, int]) -> Callable[[Scene], bytes]:
    """Choose cards. cards: (seat, counted from the cheat's seat, place in the hand)."""

    def make(scene: Scene) -> bytes:
        backs = [_back(scene.table, _after(scene.seat, turn), place) for turn, place in cards]
        return utter(scene, [["MOVE", "choose", b"".join(backs)]])

    return make


def _other_card(scene: Scene) -> bytes:
    """Open a seal with the wrong card of the hand."""
    verb, salt, name, _ = scene.fields[0]
    other = _back(scene.table, scene.seat, 1 - scene.seat % 2)
    return utter(scene, [[verb, salt, name, other]])


def _again(scene: Scene) -> bytes:
    """Repeat a SEAL with another commitment."""
    last = scene.log[-1]
    return utter(scene, [["SEAL", SALT]], seq=last.seq, prev=last.prev, state=last.state)


CHEATS = cheats(
    {
        Row(2, Check.ENCODING, _at(Verb.MOVE)): {
            "a move of another game": _says("MOVE", "pass"),
            "two cards chosen": _chooses((0, 0), (0, 1)),
            "no card chosen": _chooses(),
            "a move named by an array": _says("MOVE", []),
        },
        Row(2, Check.ENCODING, _at(Verb.UNSEAL)): {
            "a salt of 32 letters": lambda s: utter(
                s, [["UNSEAL", "x" * 32, *s.fields[0][2:]]]
            ),
        },
        Row(5, Check.TURN, _at(Verb.HELLO, 1), attributed=False): {
            "entry 1 in the name of seat 2": lambda s: utter(s, s.fields, seat=2),
        },
        Row(5, Check.TURN, _at(Verb.COIN), attributed=False): {
            "a seat that the table has not": lambda s: utter(s, s.fields, seat=3),
        },
        Row(5, Check.TURN, _at(Verb.COIN, turn=1)): {
            "a link before it is due": lambda s: utter(s, [["COIN", s.player.chain[1]]]),
        },
        Row(5, Check.TURN, _at(Verb.UNSEAL, turn=1)): {
            "a seal opened before it is due": lambda s: utter(s, s.fields),
        },
        Row(6, Check.GRAMMAR, _at(Verb.HELLO, 1)): {
            "a link before all have greeted": lambda s: utter(s, [*s.fields, ["COIN", SALT]]),
        },
        Row(6, Check.GRAMMAR, _at(Verb.HELLO, 2)): {
            "the last HELLO without COIN": lambda s: utter(s, s.fields[:1]),
        },
        Row(6, Check.GRAMMAR, _at(Verb.SEAL)): {
            "a choice before all others have sealed": _chooses((0, 0)),
        },
        Row(6, Check.GRAMMAR, _at(Verb.MOVE)): {
            "a seal by the seat that chooses openly": _says("SEAL", SALT),
        },
        Row(7, Check.FORK, _at(Verb.SEAL, 1, turn=2)): {
            "two seals at one place": _again,
        },
        Row(8, Check.STATE, _at(Verb.SEAL)): {
            "the right seal, another st": lambda s: utter(s, s.fields, state=bytes(16)),
        },
        Row(10, Check.GAME, _at(Verb.HELLO)): {
            "an unknown game with the rules of this one": _greets(
                lambda hello: replace(hello, game="toys")
            ),
            "an unknown variant with the rules of this one": _greets(
                lambda hello: replace(hello, variant="two")
            ),
            "four seats with the rules for three": _greets(
                lambda hello: replace(hello, seats=4)
            ),
        },
        Row(50, Check.ROSTER, _at(Verb.HELLO)): {
            "entry 0 names another roster": lambda s: utter(s, s.fields, prev=seed("rid")),
        },
        Row(50, Check.ROSTER, _at(Verb.HELLO, 1)): {
            "another name than in the roster": _greets(lambda hello: replace(hello, name="x")),
            "an identity that the roster has not": _identified,
        },
        Row(50, Check.ROSTER, _at(Verb.HELLO, 1), attributed=False): {
            "another session key than in the roster": _under_another_key,
        },
        Row(10, Check.GAME, _at(Verb.HELLO, 1)): {
            "another number of seats": _greets(lambda hello: replace(hello, seats=2)),
            "another variant": _greets(lambda hello: replace(hello, variant="two")),
        },
        Row(12, Check.KEY, _at(Verb.HELLO, 2)): {
            "X_2 = X_1": _key(lambda _, second, __: second),
            "X_2 = -(X_0 + X_1)": _key(lambda first, second, _: -first - second),
        },
        Row(13, Check.POP, _at(Verb.HELLO, 2)): {
            "a rogue key": _rogue,
            "a proof for seat 1": _key(lambda *keys: keys[2], seat=1),
        },
        Row(16, Check.COIN, _at(Verb.COIN)): {
            "the link of another seat": lambda s: utter(s, [["COIN", s.players[1].chain[1]]]),
        },
        Row(21, Check.SHUFFLE, _at(Verb.SHUF)): {
            "a proof for another seat": shuffles.elsewhere(label="mix", seat=2),
            "a proof for another game": shuffles.elsewhere(label="mix", game="matcha"),
        },
        Row(25, Check.SHARE, _at(Verb.SHARE)): {
            "a share of a card that nobody is to read": _shares(
                lambda owed: [*owed, Read("rest", 0, None)]
            ),
            "shares for one seat only": _shares(lambda owed: owed[:2]),
            "shares in another order": _shares(lambda owed: owed[::-1]),
        },
        Row(36, Check.SHARE, _at(Verb.SHARE)): {
            "a proof for another seat": _shares(turn=1),
            "a proof for another place in the message": _shares(place=1),
        },
        Row(31, Check.BACK, _at(Verb.MOVE)): {
            "a card of another seat": _chooses((1, 0)),
        },
        Row(31, Check.BACK, partial(played, twist="foreign")): {
            "a card of another seat, sealed": lambda s: utter(
                s, [["UNSEAL", SALT, *_foreign(s.table, s.seat)]]
            ),
        },
        Row(37, Check.SEAL, _at(Verb.UNSEAL)): {
            "the other card": _other_card,
        },
        Row(37, Check.SEAL, partial(played, twist="copied")): {
            "a copied seal, opened as the first": lambda s: utter(s, s.log[-1].fields),
        },
        Row(41, Check.RESULT, _at(Verb.RESULT)): {
            "a draw": lambda s: utter(s, [["RESULT", [], s.fields[0][2]]]),
        },
        Row(42, Check.RECORD, _at(Verb.SEAL), attributed=False): {
            "a record of seat 3": records.record("RESIGN", records.nothing, seat=3),
        },
        Row(43, Check.RESIGN, _at(Verb.RESULT, turn=1)): {
            "a seat that has resigned goes on": records.after_own_resignation,
        },
        Row(48, Check.EXPOSE, _at(Verb.RESULT)): {
            "x of another seat": records.record(
                "EXPOSE", records.key(lambda s: s.players[1].x)
            ),
        },
    }
)
