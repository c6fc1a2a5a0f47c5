"""The entrances for untrusted bytes. A target takes any bytes: a result, or our own error.

Each target also checks the properties of the result. Any other exception is a finding.
"""

import atexit
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from ipaddress import IPv4Address
from pathlib import Path

from matcha_p2p.chain.fork import check_fork
from matcha_p2p.chain.verify import verify_transcript
from matcha_p2p.crypto.engine import ENGINE
from matcha_p2p.crypto.pure import PureEngine
from matcha_p2p.crypto.ristretto255 import Point
from matcha_p2p.crypto.signature import public_key
from matcha_p2p.errors import (
    CheckError,
    EncodingError,
    InviteError,
    JournalError,
    ProtocolViolationError,
)
from matcha_p2p.games.matcha.rules.edition import EDITION_2015
from matcha_p2p.games.matcha.table.steps import begin
from matcha_p2p.meeting.beacon import (
    TableAnswer,
    decode_answer,
    decode_query,
    encode_answer,
    encode_query,
)
from matcha_p2p.meeting.pairing import decode_call, encode_call
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.session.storage.journal import Journal, JournalItem
from matcha_p2p.store.friends import format_book, parse_book
from matcha_p2p.table.seat import Player
from matcha_p2p.table.step import actions_of, length, step
from matcha_p2p.transport.codes.invite import Invite, InviteKind
from matcha_p2p.transport.codes.reply import Reply
from matcha_p2p.transport.endpoints import Endpoint
from matcha_p2p.transport.framing import FRAME_LIMIT, FrameDecoder, Kind, encode_frame
from matcha_p2p.transport.router.igd import IgdClient, read_search_answer
from matcha_p2p.transport.router.lease import RouterError
from matcha_p2p.transport.router.natpmp import read_address, read_mapping
from matcha_p2p.transport.router.pcp import read_map
from matcha_p2p.watching.watch_client import WatchedGame
from matcha_p2p.wire.admission import parse_watch
from matcha_p2p.wire.encoding import pack, unpack
from matcha_p2p.wire.entry import parse_entry
from matcha_p2p.wire.names import RosterId
from matcha_p2p.wire.record import parse_record
from matcha_p2p.wire.said import parse_said, parse_way
from matcha_p2p.wire.talk import (
    Say,
    decode_farewell,
    decode_spoken,
    decode_way,
    encode_way,
)
from matcha_p2p.wire.watching import (
    decode_come,
    decode_dismissal,
    decode_sight,
    encode_come,
    encode_dismissal,
    encode_sight,
)
from tests.cheats.scene import Scene, played, sign_body

PURE = PureEngine()
RID = RosterId(bytes(32))
KEYS = [public_key(bytes(32))]
Target = Callable[[bytes], None]


def frame(data: bytes) -> None:
    """Cut frames out of a stream, whole and in pieces, with equal results and little memory."""
    runs = [_frames([data]), _frames([data[n : n + 7] for n in range(0, len(data), 7)])]
    assert runs[0] == runs[1]
    assert data.startswith(b"".join(runs[0]))


def _frames(pieces: list[bytes]) -> list[bytes]:
    decoder = FrameDecoder()
    found = []
    with suppress(EncodingError):
        for piece in pieces:
            for whole in decoder.feed(piece):
                found.append(encode_frame(whole))  # noqa: PERF401 -- those before an error count
            assert decoder.pending < 2 + FRAME_LIMIT
    return found


def encoding(data: bytes) -> None:
    """Read a value: only the canonical encoding is taken."""
    with suppress(EncodingError):
        assert pack(unpack(data)) == data


def point(data: bytes) -> None:
    """Decode an element by this engine and by pure Python: equal, with one encoding."""
    with suppress(EncodingError):
        assert Point.decode(data).encode() == data
    ours, other = ENGINE.decode(data), PURE.decode(data)
    assert (ours is None) == (other is None)
    if other is not None:
        forgotten = ENGINE.add(ours, ENGINE.identity)  # a sum has no encoding yet
        assert ENGINE.encode(forgotten) == data


def entry(data: bytes) -> None:
    """Read a signed statement, as an entry and as a record."""
    with suppress(EncodingError):
        read = parse_entry(data)
        assert read.encoded == data
        actions_of(read, begin(EDITION_2015))
    with suppress(EncodingError):
        assert parse_record(data).encoded == data


def talk(data: bytes) -> None:
    """Read a message outside the game: the shown text is one printable line."""
    with suppress(EncodingError):
        decode_farewell(data)
    with suppress(EncodingError):
        assert encode_way(decode_way(data)) == data
    with suppress(EncodingError):
        said = decode_spoken(data)
        assert not isinstance(said, Say) or said.text.isprintable()
    with suppress(CheckError):
        said = parse_said(data, RID, KEYS).said
        assert not isinstance(said, Say) or said.text.isprintable()
    with suppress(CheckError):
        parse_way(data, RID, KEYS)


def watching(data: bytes) -> None:
    """Read words and messages about watching: names are printable, each encoding unique."""
    with suppress(CheckError):
        said = parse_watch(data, RID, KEYS).admission
        assert all(name.isprintable() for name in said.names)
    with suppress(EncodingError):
        come = decode_come(data)
        assert encode_come(come) == data
        assert come.name.isprintable()
    with suppress(EncodingError):
        assert encode_sight(decode_sight(data)) == data
    with suppress(EncodingError):
        assert encode_dismissal(decode_dismissal(data)) == data


def visit(data: bytes) -> None:
    """Show a watcher any frames: sound frames are taken, others refused by a check."""
    watched = WatchedGame()
    with suppress(CheckError):
        for shown in FrameDecoder().feed(data):
            if shown.kind in (Kind.ROSTER, Kind.MSG, Kind.REC):
                watched.take(shown)
    if watched.roster is not None:
        assert verify_transcript(watched.transcript).valid


def step_(data: bytes) -> None:
    """Take an entry with the actions ``data``, rightly signed and in the right place of a game.

    The first byte chooses the place, the next the author: the right seat or the other.
    """
    scene = game()
    place, other = (*data[:2], 0, 0)[:2]
    state = scene.states[place % len(scene.states)]
    at = length(state)
    honest = scene.log[min(at, len(scene.log) - 1)]
    seat = honest.seat ^ (other & 1)
    head = pack([at, seat, state.head, honest.state, []])
    signed = sign_body(b"\x95" + head[1:-1] + data[2:], author(scene, seat).secrets.session)
    with suppress(EncodingError, ProtocolViolationError):
        received = parse_entry(signed)
        check_fork(state, scene.log[:at], received)
        after, _ = step(state, received)
        assert length(after) == at + 1


def author(scene: Scene, seat: int) -> Player:
    return scene.players[seat]


@cache
def game() -> Scene:
    """Return a whole game with every action."""
    return played("hoarding")


def invite(data: bytes) -> None:
    """Read an invite out of any text: the invite then gives the same invite again."""
    for kind in InviteKind:
        with suppress(InviteError):
            found = Invite.parse(data.decode(errors="replace"), kind)
            assert Invite.parse(found.encode(), kind) == found


def beacon(data: bytes) -> None:
    """Read a query and an answer: each has one encoding and a printable name."""
    with suppress(EncodingError):
        assert encode_query(decode_query(data)) == data
    with suppress(EncodingError):
        found = decode_answer(data)
        assert encode_answer(found) == data
        assert not isinstance(found, TableAnswer) or found.name.isprintable()


def call(data: bytes) -> None:
    """Read the first message of a guest without an invite."""
    with suppress(EncodingError):
        nonce, name = decode_call(data)
        assert encode_call(nonce, name).endswith(data)


def answer(data: bytes) -> None:
    """Read an answer code out of any text: the code then gives the same code again."""
    text, secret = data.decode(errors="replace"), bytes(16)
    with suppress(InviteError):
        found = Reply.parse(text, secret)
        assert Reply.parse(found.encode(secret), secret) == found
        assert all(each.address.is_global for each in found.targets(()))


def router(data: bytes) -> None:
    """Read the answer of a router, in each language of routers."""
    gateway = IPv4Address("192.168.1.1")
    with suppress(RouterError):
        read_map(data, bytes(12), 4717)
    with suppress(RouterError):
        read_address(data)
    with suppress(RouterError):
        read_mapping(data, 4717)
    found = read_search_answer(data, gateway)
    assert found is None or found[0].address == gateway
    with suppress(RouterError):
        client = IgdClient.read(Endpoint(gateway, 80), data)
        assert client.router.address == gateway


def friends(data: bytes) -> None:
    """Read a book of friends: a book that was read and written reads the same again."""
    with suppress(ValueError):
        known = parse_book(data)
        assert parse_book(format_book(known).encode()) == known


def transcript(data: bytes) -> None:
    """Judge a file: the verifier always makes a report."""
    report = verify_transcript(data)
    assert report.valid == (report.failure is None)
    report.checks()


def journal(data: bytes) -> None:
    """Open a damaged journal: a second opening gives the same."""
    path = folder() / "journal"
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    path.write_bytes(data)
    with suppress(JournalError):
        book, first = Journal.open(path)
        book.close()
        book, again = Journal.open(path)
        book.close()
        assert first == again


def memory(data: bytes) -> None:
    """Resume a game from a sound journal with arbitrary records.

    ``data``: the header behind its length of 2 bytes, then records: kind, length (2), body.
    """
    path = folder() / "memory"
    path.unlink(missing_ok=True)
    end = 2 + int.from_bytes(data[:2], "big")
    header, rest = data[2:end], data[end:]
    records = []
    while rest:
        end = 3 + int.from_bytes(rest[1:3], "big")
        records.append(JournalItem(rest[0], rest[3:end]))
        rest = rest[end:]
    with Journal.create(path, header) as book:
        book.append(records)
    with suppress(JournalError):
        Ledger.open(path).close()


@cache
def folder() -> Path:
    """Return a folder for the life of the process, in memory if the system has a place."""
    shared = Path("/dev/shm")
    made = tempfile.TemporaryDirectory(dir=shared if shared.is_dir() else None)
    atexit.register(made.cleanup)
    return Path(made.name)


TARGETS: dict[str, Target] = {
    "frame": frame,
    "encoding": encoding,
    "point": point,
    "entry": entry,
    "talk": talk,
    "watching": watching,
    "visit": visit,
    "step": step_,
    "invite": invite,
    "beacon": beacon,
    "call": call,
    "answer": answer,
    "router": router,
    "transcript": transcript,
    "friends": friends,
    "journal": journal,
    "memory": memory,
}
