"""Secrets stay where they belong: in the journal, in memory, and in the guest's hands."""

import random
import shutil
import sys
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest

from matcha_p2p.app.command.outcomes import perform
from matcha_p2p.app.command.output import Output
from matcha_p2p.app.invite.host import Door
from matcha_p2p.errors import InviteError
from matcha_p2p.games import find
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.session.storage.journal import Journal
from matcha_p2p.store.home import Home
from matcha_p2p.table.seat import take_seat
from matcha_p2p.transport.codes.invite import Invite
from matcha_p2p.transport.endpoints import at_port
from matcha_p2p.transport.noise import Initiator, Responder
from matcha_p2p.wire.encoding import unpack
from tests.duel import secrets_of
from tests.harness import linked_roster
from tests.processes import Matcha, host

pytestmark = pytest.mark.slow

BOT = ("--play", "greedy", "--edition", "2020")
LETTERS = 8
"""So many letters of an invite in a row would be too many in a message."""


def forms(secret: bytes) -> list[bytes]:
    """Return how bytes may look in a text or a file."""
    shown = repr(secret)[2:-1].encode()
    number = int.from_bytes(secret, "little")
    return [
        secret,
        secret.hex().encode(),
        shown,
        str(number).encode(),
        str(list(secret)).encode(),
    ]


def shows(text: bytes, *kept: bytes) -> bool:
    return any(form in text for secret in kept for form in forms(secret))


def journal_secrets(peer: Matcha, folder: Path) -> list[bytes]:
    """Return the secrets that a running process keeps in its journal, for no other's eyes."""
    (journal,) = peer.unfinished
    assert journal.stat().st_mode & 0o777 == 0o600
    for above in journal.parents[:2]:
        assert above.stat().st_mode & 0o777 == 0o700
    folder.mkdir(mode=0o700)
    shutil.copy(journal, folder)
    book, _ = Journal.open(folder / "journal")
    book.close()
    header: Any = unpack(book.header)
    _, _, game, session, _, psk, *_ = header
    return [game, session, psk]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("way", ["stdin", "environment"])
def test_secrets_are_in_no_process_list_no_message_and_no_lasting_file(tmp_path, way):
    """The host is a person who looks at the cards and then gives up."""
    with host(tmp_path / "a", "--edition", "2020") as first:
        invite = first.until("invite")["invite"]
        words = ("--json", "--play", "greedy", "--edition", "2020")
        if way == "stdin":
            guest = Matcha(tmp_path / "b", "join", "-", *words, stdin=invite)
        else:
            guest = Matcha(tmp_path / "b", "join", *words, MATCHA_INVITE=invite)
        with guest as second:
            first.until("due")
            kept = [Invite.parse(invite).secret]
            for number, peer in enumerate((first, second)):
                command = Path(f"/proc/{peer.process.pid}/cmdline").read_bytes()
                assert b"matcha_p2p" in command
                assert invite.encode() not in command
                kept += journal_secrets(peer, tmp_path / f"copy {number}")
            first.type("concede\ny\n")
            assert (first.end(), second.end()) == (0, 0)
    for peer in (first, second):
        said = str([fact for fact in peer.seen if fact["event"] != "invite"])
        said += "\n".join(line for line in peer.complaints if line.strip() != invite)
        assert invite not in said
        assert not shows(said.encode(), *kept)
        files = [path for path in peer.home.rglob("*") if path.is_file()]
        assert files
        assert not any(shows(path.read_bytes(), *kept) for path in files)


def test_no_secret_is_in_a_repr(tmp_path):
    secrets = secrets_of("repr", 0)
    player = take_seat(SEATS[0], bytes(32), secrets)
    psk = bytes(range(32))
    invite = Invite(at_port([ip_address("127.0.0.1")], 4717), bytes(range(100, 116)))
    initiator = Initiator(psk)
    responder = Responder(psk)
    responder.read(initiator.write())
    channel, _ = responder.write()
    roster = linked_roster("repr", find("matcha", "2015", 2))
    chain = Chain.begin(SEATS[0], secrets, psk, roster)
    ledger = Ledger(tmp_path / "game" / "journal", replace(chain, player=player))
    keys = (secrets.game, secrets.session, player.x.to_bytes(32, "little"), psk, invite.secret)
    for thing in (
        secrets,
        player,
        ledger.chain,
        ledger,
        invite,
        Door(None, invite, ()),
        channel,
    ):
        assert not shows(repr(thing).encode(), *keys, player.chain[1])


def test_a_trace_of_our_own_failure_shows_no_secret(tmp_path):
    """The frames of the trace are full of secrets; their values are not in it."""
    secrets = secrets_of("trace", 0)
    invite = Invite(at_port([ip_address("127.0.0.1")], 4717), bytes(range(100, 116)))

    def fail() -> int:
        player, psk, text = take_seat(SEATS[0], bytes(32), secrets), invite.psk, invite.encode()
        return player.x // (len(text) + len(psk) - len(text) - len(psk))

    home = Home.find(tmp_path)
    assert perform(Output(facts=False), home, fail) == 70
    (trace,) = home.log.iterdir()
    text = trace.read_bytes()
    assert b"ZeroDivisionError" in text
    assert not shows(text, secrets.game, secrets.session, invite.psk, invite.secret)
    assert invite.encode().encode() not in text
    assert home.log.stat().st_mode & 0o777 == 0o700


def test_fault_of_an_invite_is_told_without_the_invite():
    right = Invite(at_port([ip_address("192.0.2.7")], 4717), bytes(range(100, 116))).encode()
    long_enough = range(len("matcha1"), len(right) - LETTERS)
    chance = random.Random(12)
    for _ in range(500):
        place = chance.randrange(len(right))
        start, end = right[:place], right[place + 1 :]
        with pytest.raises(InviteError) as told:
            Invite.parse(chance.choice([start, f"{start}i{end}", end]))
        sentence = str(told.value)
        assert not any(right[n : n + LETTERS] in sentence for n in long_enough)
