"""Good inputs for each target, made by code as beginnings for mutations."""

from collections.abc import Iterator
from datetime import date
from functools import cache
from ipaddress import ip_address

from matcha_p2p.chain.archive import encode_archive
from matcha_p2p.crypto.ristretto255 import base_mul, hash_to_group
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.meeting.beacon import (
    FriendAnswer,
    Query,
    TableAnswer,
    encode_answer,
    encode_query,
)
from matcha_p2p.meeting.pairing import encode_call
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.ledger import ItemKind, header_of, since
from matcha_p2p.session.storage.journal import Journal
from matcha_p2p.store.friends import Book, Friend, GameResult, format_book
from matcha_p2p.transport.codes.invite import Invite, InviteKind
from matcha_p2p.transport.codes.reply import Reply
from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.transport.framing import Frame, Kind, encode_frame
from matcha_p2p.transport.names import Psk
from matcha_p2p.transport.router.natpmp import encode_mapping
from matcha_p2p.transport.router.pcp import encode_map
from matcha_p2p.wire.admission import sign_watch
from matcha_p2p.wire.encoding import pack
from matcha_p2p.wire.record import sign_record
from matcha_p2p.wire.said import sign_said, sign_way
from matcha_p2p.wire.statements import Claim, Resign, Sync
from matcha_p2p.wire.talk import (
    Farewell,
    PeerAddresses,
    Phrase,
    Say,
    encode_farewell,
    encode_spoken,
    encode_way,
)
from matcha_p2p.wire.watching import (
    TOKEN_SIZE,
    Admission,
    Come,
    Dismissal,
    Visibility,
    encode_come,
    encode_dismissal,
    encode_sight,
)
from tests.fuzz.targets import RID, folder, game
from tests.transport.router.fake import FakeRouter, described

HOST, GUEST = SEATS
PLACES = (
    Endpoint(ip_address("192.0.2.7"), 4718),
    Endpoint(ip_address("2001:db8::1"), 4717),
    Endpoint(ip_address("10.0.0.1"), 4717),
)
FEW = 12
"""Number of entries that represent a game where the whole game would be too slow."""


@cache
def seeds(target: str) -> tuple[bytes, ...]:
    """Return inputs that the named target accepts."""
    return tuple(_SEEDS[target]())


def _frame() -> Iterator[bytes]:
    yield b"".join(encode_frame(Frame(kind, bytes(kind))) for kind in Kind)
    yield encode_frame(Frame(Kind.MSG, game().log[3].encoded))


def _encoding() -> Iterator[bytes]:
    yield pack([0, 127, 128, 2**16, 2**32, 2**53 - 1, b"bytes", "text", [[[]]]])
    yield pack(list(game().log[0].fields))


def _point() -> Iterator[bytes]:
    for i in range(FEW):
        yield hash_to_group(bytes([i])).encode()
    yield base_mul(1).encode()
    yield bytes(32)


def _entry() -> Iterator[bytes]:
    scene = game()
    seed = scene.players[0].secrets.session
    for entry in scene.log[:FEW]:
        yield entry.encoded
    for statement in (Resign(), Claim(60, 1), Sync(2, bytes(32))):
        yield sign_record(scene.table.gid, HOST, scene.log[-1].id, statement, seed).encoded


def _talk() -> Iterator[bytes]:
    for said in (Say("good luck"), Phrase(9)):
        yield encode_spoken(said)
        yield sign_said(RID, HOST, (0, 0), said, bytes(32)).encoded
    for way in (PeerAddresses(PLACES), PeerAddresses(PLACES[:1], 40_000)):
        yield encode_way(way)
        yield sign_way(RID, HOST, (0, 0), way, bytes(32)).encoded
    for farewell in Farewell:
        yield encode_farewell(farewell)


def _watching() -> Iterator[bytes]:
    for said in (Admission(), Admission(Visibility.AT_ONCE, 2, ("Ann", "Bo"))):
        yield sign_watch(RID, HOST, (0, 0), said, bytes(32)).encoded
    yield encode_come(Come(bytes(TOKEN_SIZE), "Ann", 12, 1))
    for sight in Visibility:
        yield encode_sight(sight)
    for why in Dismissal:
        yield encode_dismissal(why)


def _visit() -> Iterator[bytes]:
    entries = [Frame(Kind.MSG, entry.encoded) for entry in game().log[:FEW]]
    shown = [Frame(Kind.ROSTER, game().state.roster.encoded), *entries]
    yield b"".join(map(encode_frame, shown))


def _step() -> Iterator[bytes]:
    for entry in game().log:
        if entry.seq < 256:
            yield bytes([entry.seq, 0]) + pack(list(entry.fields))


def _invite() -> Iterator[bytes]:
    for places in (PLACES[:1], PLACES):
        for kind in InviteKind:
            text = Invite(places, bytes(range(16)), punch_port=40_000, kind=kind).encode()
            yield text.encode()
            yield f'Join me: "{text.upper()}", it says.'.encode()


def _beacon() -> Iterator[bytes]:
    nonce = bytes(range(8))
    yield encode_query(Query(nonce))
    yield encode_query(Query(nonce, (nonce, nonce)))
    yield encode_answer(TableAnswer(nonce, 4718, b"tabl", "2015", "Mina"))
    yield encode_answer(FriendAnswer(nonce, 4718, nonce))


def _call() -> Iterator[bytes]:
    yield encode_call(bytes(16), "Ivo").partition(b"\x15")[2]


def _answer() -> Iterator[bytes]:
    for places in (PLACES[:1], PLACES):
        text = Reply(places).encode(bytes(16))
        yield text.encode()
        yield f'Here: "{text.upper()}", it says.'.encode()


def _router() -> Iterator[bytes]:
    home = FakeRouter(pcp=True, natpmp=True)
    own = ip_address("192.168.1.2")
    yield home._answer(encode_map(own, bytes(12), 4717, 3600, None))
    yield home._answer(bytes(2))
    yield home._answer(encode_mapping(4717, 4717, 3600))
    yield b"HTTP/1.1 200 OK\r\nLOCATION: http://192.168.1.1:5000/root.xml\r\n\r\n"
    yield described(home)


def _transcript() -> Iterator[bytes]:
    scene = game()
    seed = scene.players[1].secrets.session
    claim = sign_record(scene.table.gid, GUEST, scene.log[2].id, Claim(60, 1), seed)
    entries = [entry.encoded for entry in scene.log[:FEW]]
    yield encode_archive([], [], scene.state.roster)
    yield encode_archive(entries, [claim.encoded], scene.state.roster)


def _chain() -> Chain:
    """Begin a game as the guest."""
    scene = game()
    return Chain.begin(GUEST, scene.players[1].secrets, Psk(bytes(32)), scene.state.roster)


def _journal() -> Iterator[bytes]:
    path = folder() / "seed"
    path.unlink(missing_ok=True)
    chain = _chain()
    with Journal.create(path, header_of(chain)) as journal:
        yield path.read_bytes()
        after, _ = chain.hear(game().log[0].encoded)
        after = after.with_addresses(HOST, PeerAddresses(PLACES[:1]))
        journal.append(since(after, chain))
    yield path.read_bytes()


def _friends() -> Iterator[bytes]:
    day = date(2026, 5, 3)
    games = {"aa": GameResult.WON, "bb": GameResult.LEFT_BY_THEM}
    mina = Friend(b"m" * 32, "Mina", "Mina K", day, day, games, PLACES, (b"s" * 32,))
    taro = Friend(b"t" * 32, "太郎", "太郎", day, day, begun=(b"b" * 32,), compared=True)
    yield format_book(Book()).encode()
    yield format_book(Book((mina, taro))).encode()


def _memory() -> Iterator[bytes]:
    header = header_of(_chain())
    scene = game()
    start = len(header).to_bytes(2, "big") + header
    seed = scene.players[0].secrets.session
    record = sign_record(scene.table.gid, HOST, scene.log[3].id, Resign(), seed)
    items = [(ItemKind.ENTRY, entry.encoded) for entry in scene.log[:4]]
    items.append((ItemKind.THEIR_WAY, b"\x01" + encode_way(PeerAddresses(PLACES[:1]))))
    items.append((ItemKind.RECORD, record.encoded))
    items.append((ItemKind.OFFENCE, bytes([Kind.REC]) + record.encoded))
    items.append((ItemKind.HEARD_AT, bytes(8)))
    items.append((ItemKind.PROXY, b"127.0.0.1:9050"))
    yield start
    yield start + b"".join(
        bytes([kind]) + len(body).to_bytes(2, "big") + body for kind, body in items
    )


_SEEDS = {
    "frame": _frame,
    "encoding": _encoding,
    "point": _point,
    "entry": _entry,
    "talk": _talk,
    "watching": _watching,
    "visit": _visit,
    "step": _step,
    "invite": _invite,
    "beacon": _beacon,
    "call": _call,
    "answer": _answer,
    "router": _router,
    "transcript": _transcript,
    "friends": _friends,
    "journal": _journal,
    "memory": _memory,
}
