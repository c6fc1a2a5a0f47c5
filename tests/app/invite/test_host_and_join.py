"""The right guest gets in among strangers at the port, and a refused guest learns the cause."""

import json
import secrets
import socket
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from ipaddress import IPv4Address

import pytest
import trio

from matcha_p2p.app.command.outcomes import CommandError
from matcha_p2p.app.command.output import Output
from matcha_p2p.app.game.seat import SeatOptions, set_up_seat
from matcha_p2p.app.invite import join as joining
from matcha_p2p.console.menu.asker import line_asker
from matcha_p2p.console.terminal.keyboard import stdin_keyboard
from matcha_p2p.errors import LinkError
from matcha_p2p.games import find
from matcha_p2p.lobby import room
from matcha_p2p.lobby.host import HostTable
from matcha_p2p.lobby.own_seat import draw_seat
from matcha_p2p.session.chain import Chain
from matcha_p2p.store.home import Home
from matcha_p2p.transport.codes.invite import Invite
from matcha_p2p.transport.dial import connect
from matcha_p2p.transport.endpoints import at_port
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import Link
from matcha_p2p.transport.listen import listen
from matcha_p2p.transport.names import Psk
from matcha_p2p.wire.entry import sign_entry
from matcha_p2p.wire.lobby import Lobby, sign_lobby
from matcha_p2p.wire.talk import Farewell, decode_farewell, encode_farewell
from tests.processes import Matcha, clean_run, host, join

pytestmark = pytest.mark.slow

silent_asker = partial(line_asker, lambda _: None, stdin_keyboard(), rings=False)

HERE = (IPv4Address("127.0.0.1"),)
MATCHA = find("matcha", "2020", 2)
BOT = ("--play", "greedy", "--edition", "2020")


def call(port: int, message: bytes) -> bytes:
    """Connect, send ``message``, and return the answer of at most 1000 bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
        line.sendall(message)
        line.shutdown(socket.SHUT_WR)
        try:
            return line.recv(1000)
        except ConnectionResetError:
            return b""


def test_strangers_get_no_byte_and_the_guest_gets_in(tmp_path):
    """A browser, a scanner, and random bytes."""
    with host(tmp_path / "a", *BOT) as waiting:
        invite = waiting.until("invite")["invite"]
        port = waiting.until("waiting")["port"]
        for message in (
            b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
            b"",
            b"\x16\x03\x01\x02\x00\x01\x00",
            secrets.token_bytes(48),
            secrets.token_bytes(5000),
        ):
            assert call(port, message) == b""
        with join(tmp_path / "b", invite) as guest:
            assert (waiting.end(), guest.end()) == (0, 0)
    assert len(waiting.facts("waiting")) == 1


def meet(invite: Invite, *frames: Frame) -> None:
    """Come in as a guest, take a seat, send ``frames``, and go."""

    async def visit() -> None:
        link = await connect(invite, timeout=10)
        await room.visit(link, draw_seat("Ivo"), find, lambda _: None)
        for frame in frames:
            await link.send(frame)
        await link.aclose()

    trio.run(visit)


def test_guest_failing_before_the_game_does_not_use_the_invite_up(tmp_path):
    """Four guests leave, talk nonsense, send a record too early or have another version."""
    with host(tmp_path / "a", *BOT) as waiting:
        text = waiting.until("invite")["invite"]
        waiting.until("waiting")
        for frames in (
            (),
            (Frame(Kind.MSG, b"nonsense"),),
            (Frame(Kind.BYE, encode_farewell(Farewell.VERSION)),),
        ):
            meet(Invite.parse(text), *frames)
            again = waiting.until("waiting")
            assert again["port"] == Invite.parse(text).endpoints[0].port
            assert again["why"]
            assert waiting.unfinished == []
        with join(tmp_path / "b", text, "--edition", "2015") as choosy:
            assert choosy.end() == 7
        assert "Agree on one" in choosy.stderr
        assert "wants another game or edition" in waiting.until("waiting")["why"]
        with join(tmp_path / "c", text) as guest:
            assert (waiting.end(), guest.end()) == (0, 0)
    assert list((tmp_path / "a" / "unfinished").iterdir()) == []
    assert not list((tmp_path / "b").glob("unfinished/*"))


def test_silent_holder_of_the_invite_keeps_nobody_out(tmp_path):
    """More guests than may come at once stay silent, and still the right guest gets in."""
    with host(tmp_path / "a", *BOT) as waiting:
        text = waiting.until("invite")["invite"]
        waiting.until("waiting")
        invite = Invite.parse(text)

        async def come_and_say_nothing() -> list[Link]:
            return [await connect(invite, timeout=10) for _ in range(room.NEWCOMERS + 2)]

        async def crowd() -> None:
            silent = await come_and_say_nothing()
            with join(tmp_path / "b", text) as guest:
                ended = await trio.to_thread.run_sync(lambda: (guest.end(), waiting.end()))
                assert ended == (0, 0)
            for link in silent:
                await link.aclose()

        trio.run(crowd)
    assert list((tmp_path / "a" / "unfinished").glob("*")) == []


async def test_a_guest_goes_on_to_another_address_if_a_host_says_nothing(tmp_path, monkeypatch):
    """A silent holder of the invite's secret answers first."""
    monkeypatch.setattr(room, "JOIN_LIMIT", 0.2)
    listeners = [await listen(0, ["127.0.0.1"])]
    listeners.append(await listen(listeners[0].port, ["127.0.0.2"]))
    addresses = (IPv4Address("127.0.0.1"), IPv4Address("127.0.0.2"))
    invite = Invite(at_port(addresses, listeners[0].port), secrets.token_bytes(16))
    table = HostTable.of_game(MATCHA, draw_seat("Mina"), invite.psk)
    seated = trio.Event()

    async def be_silent() -> None:
        link = await listeners[0].accept(invite.psk)
        with suppress(LinkError):
            await link.receive()
            await link.receive()
        await link.aclose()

    def see(lobby: Lobby) -> None:
        if lobby.full:
            seated.set()

    host_room = room.HostRoom(table, see, lambda _: True, lambda *_: None)
    options = SeatOptions(edition=None, name="Taro", bot="greedy", seed=None, open_book=False)
    setup = set_up_seat(Output(facts=False), Home.find(tmp_path), options, stdin_keyboard())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(be_silent)
        nursery.start_soon(listeners[1].serve, invite.psk, host_room.welcome)
        nursery.start_soon(joining.join, setup, silent_asker, invite)
        with trio.fail_after(20):
            await seated.wait()
        nursery.cancel_scope.cancel()


@asynccontextmanager
async def fake_host():
    """Yield a listener of ours, and an invite to the listener."""
    listener = await listen(0, ["127.0.0.1"])
    with listener:
        yield listener, Invite(at_port(HERE, listener.port), secrets.token_bytes(16))


async def joined(tmp_path, behave) -> tuple[int, str]:
    """Let a real guest join a host that does ``behave(link)``; return the guest's end."""
    async with fake_host() as (listener, invite), trio.open_nursery() as nursery:

        async def answer() -> None:
            link = await listener.accept(invite.psk)
            await behave(link)
            await link.aclose()

        nursery.start_soon(answer)
        words = ("join", "-", "--play", "greedy")
        code, _, stderr = await trio.to_thread.run_sync(
            lambda: clean_run(tmp_path, *words, stdin=invite.encode())
        )
        nursery.cancel_scope.cancel()
    assert not list(tmp_path.glob("unfinished/*"))
    return code, stderr


async def until_gone(link: Link) -> None:
    with suppress(LinkError):
        while (await link.receive()).kind is not Kind.BYE:
            pass


async def test_a_host_with_other_rules_is_refused_with_exit_4(tmp_path):
    why = list[Farewell]()

    async def behave(link: Link) -> None:
        mina = draw_seat("Mina")
        table = HostTable.of_game(MATCHA, mina, Psk(bytes(32)))
        table = table.join(link.binding, (await link.receive()).payload)
        game = replace(table.lobby.game, rules=bytes(32))
        lobby = replace(table.lobby, game=game)
        signed = sign_lobby(lobby, link.binding, mina.secrets.session)
        await link.send(Frame(Kind.LOBBY, signed))
        why.append(decode_farewell((await link.receive()).payload))

    code, stderr = await joined(tmp_path / "guest", behave)
    assert code == 4
    assert "knows other rules" in stderr
    assert why == [Farewell.VERSION]


async def test_a_host_that_talks_nonsense_is_exit_4(tmp_path):
    async def behave(link: Link) -> None:
        await link.send(Frame(Kind.MSG, b"nonsense"))
        await until_gone(link)

    code, stderr = await joined(tmp_path, behave)
    assert code == 4
    assert "unreadable message" in stderr


async def test_a_host_that_closes_the_table_is_exit_3(tmp_path):
    async def behave(link: Link) -> None:
        await link.send(Frame(Kind.BYE, encode_farewell(Farewell.LATER)))
        await until_gone(link)

    code, stderr = await joined(tmp_path, behave)
    assert code == 3
    assert "closed the table" in stderr


def test_cheating_guest_leaves_evidence_with_a_name(tmp_path, monkeypatch):
    with_own = Chain._with_own

    def forged(self, said):
        entry, seed = said.entry, self.secrets.session
        if entry.seq == 3:
            entry = sign_entry(entry.seq, 1, entry.prev, bytes(16), entry.fields, seed)
        return with_own(self, said._replace(entry=entry))

    monkeypatch.setattr(Chain, "_with_own", forged)
    with host(tmp_path / "a", *BOT) as honest:
        invite = honest.until("invite")["invite"]
        options = SeatOptions(
            edition=None, name="Taro", bot="greedy", seed=None, open_book=False
        )
        home = Home.find(tmp_path / "b")
        cheat = set_up_seat(Output(facts=False), home, options, stdin_keyboard())
        accused = pytest.RaisesExc(
            CommandError, match="E_STATE", check=lambda error: error.exit_code == 6
        )
        with pytest.RaisesGroup(accused, flatten_subgroups=True):
            trio.run(joining.join, cheat, silent_asker, Invite.parse(invite))
        assert honest.end() == 5
    (evidence,) = honest.facts("evidence")
    assert (evidence["check"], evidence["entry"]) == ("E_STATE", 3)
    assert evidence["path"].endswith(".dispute")
    assert honest.unfinished == []
    code, stdout, _ = clean_run(tmp_path / "c", "verify", evidence["path"], "--json")
    assert code == 1
    verdict = json.loads(stdout)
    assert (verdict["check"], verdict["entry"], verdict["seat"]) == ("E_STATE", 3, 1)


def test_join_without_a_host_exits_3(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    invite = Invite(at_port(HERE, port), bytes(16)).encode()
    code, _, stderr = clean_run(tmp_path, "join", "-", "--play", "greedy", stdin=invite)
    assert code == 3
    assert f"127.0.0.1:{port}" in stderr


def test_a_port_in_use_is_exit_3(tmp_path):
    with host(tmp_path / "a") as first:
        port = first.until("waiting")["port"]
        with host(tmp_path / "b", port=port) as second:
            assert second.end() == 3
        assert second.facts("error")[0]["code"] == "port-used"


def test_the_invite_of_another_game_opens_nothing(tmp_path):
    with host(tmp_path / "a", *BOT) as waiting:
        right = Invite.parse(waiting.until("invite")["invite"])
        wrong = Invite(right.endpoints, bytes(16)).encode()
        with join(tmp_path / "b", wrong) as lost:
            assert lost.end() in (3, 4)
        with join(tmp_path / "c", right.encode()) as guest:
            assert (waiting.end(), guest.end()) == (0, 0)


def test_person_is_asked_until_the_invite_is_valid(tmp_path):
    with Matcha(tmp_path, "join", "--json", stdin="hello\nmatcha1\n") as person:
        assert person.end() == 2
    assert person.facts("error")[0]["code"] == "invite-cut"
    asked = person.stderr.splitlines()
    assert asked[:3] == [
        "Join a table",
        "Paste the host's invite, which begins with matcha1.",
        "Invite: ",
    ]
    assert "This is no invite" in person.stderr


def test_unanswered_question_for_the_invite_exits_2(tmp_path):
    code, _, stderr = clean_run(tmp_path, "join")
    assert code == 2
    assert "The invite is missing" in stderr
