"""The dialogue at the door: a yes, six digits, one guess."""

from contextlib import suppress
from dataclasses import replace
from ipaddress import ip_address

import pytest
import trio
from trio.testing import memory_stream_pair

from matcha_p2p.crypto import cpace
from matcha_p2p.crypto.ristretto255 import GENERATOR
from matcha_p2p.errors import HandshakeError, LinkError
from matcha_p2p.meeting import pairing
from matcha_p2p.meeting.pairing import (
    ANSWER_LIMIT,
    CODE_LIFE,
    EVENING,
    GUESSES,
    LONGEST_MUTED,
    LONGEST_REST,
    MUTED,
    MUTED_SHORTLY,
    RING_LIMIT,
    NotLetIn,
    PairingDoor,
    PairingTable,
    RingAnswer,
    enter,
)
from matcha_p2p.transport import link as transport_link
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.wire.encoding import pack
from tests.transport.test_listen import Arrival

TABLE = PairingTable(b"tabl", "Mina")
CODE = "482915"
CHAT = Frame(Kind.WAYS, b"hello")


class Keeper:
    """Answers as the test says; ``hesitates`` lets the answer wait."""

    def __init__(self, *, says=RingAnswer.YES):
        self.says = says
        self.answer = trio.Event()
        self.answer.set()
        self.asked = []
        self.told = []
        self.parted = []

    async def admits(self, guest, address):
        self.asked.append((guest, address))
        await self.answer.wait()
        return self.says

    def tell_code(self, guest, code):
        self.told.append((guest, code))

    def part(self, guest, why):
        self.parted.append((guest, why))


class Scene:
    """A door, and knocking guests."""

    def __init__(self, **keeper):
        self.keeper = Keeper(**keeper)
        self.door = PairingDoor(TABLE, self.keeper, lambda: CODE)
        self.addresses = 0

    def arrive(self, address=None):
        """Return the door's end and the guest's end of a new connection."""
        ours, theirs = memory_stream_pair()
        self.addresses += 1
        return Arrival(ours, address or f"192.168.1.{self.addresses}"), theirs

    async def visit(self, typed=CODE, name="Ivo", table=TABLE, address=None):
        """Return the outcomes of a visit for door and guest: a pairing, None or an error."""
        stream, end = self.arrive(address)
        outcomes = [None, None]

        async def receive():
            outcomes[0] = await self.door.receive(stream)

        async def knock():
            try:
                outcomes[1] = await enter(end, table, name, code_typed(typed))
            except (LinkError, HandshakeError) as error:
                outcomes[1] = error

        async with trio.open_nursery() as nursery:
            nursery.start_soon(receive)
            nursery.start_soon(knock)
        return outcomes


def code_typed(code):
    async def type_it():
        return code

    return type_it


async def never():
    await trio.sleep_forever()


async def test_guest_with_the_code_comes_in():
    scene = Scene()
    ours, theirs = await scene.visit()
    assert ours.psk == theirs.psk
    assert ours.link.binding == theirs.link.binding
    await ours.link.send(CHAT)
    assert await theirs.link.receive() == CHAT
    assert scene.keeper.asked == [("Ivo", ip_address("192.168.1.1"))]
    assert scene.keeper.told == [("Ivo", CODE)]


async def test_each_pairing_has_a_key_of_its_own():
    scene = Scene()
    assert (await scene.visit())[0].psk != (await scene.visit())[0].psk


async def test_a_wrong_code_is_one_guess_and_three_close_the_door(autojump_clock):
    scene = Scene()
    for number in range(GUESSES):
        ours, error = await scene.visit("000000")
        assert ours is None
        assert (type(error), error.code) == (HandshakeError, "pair-code")
        assert scene.door.open is (number < GUESSES - 1)
    assert [why for _, why in scene.keeper.parted] == [
        NotLetIn.WRONG,
        NotLetIn.WRONG,
        NotLetIn.CLOSED,
    ]
    ours, error = await scene.visit()
    assert (ours, error.code) == (None, "pair-gone")
    assert len(scene.keeper.asked) == GUESSES


@pytest.mark.parametrize(
    ("table", "name"),
    [(PairingTable(b"tab2", "Mina"), "Ivo"), (PairingTable(b"tabl", "Mira"), "Ivo")],
)
async def test_guest_of_another_table_does_not_come_in(table, name):
    """A relay in the middle leads the guest to another table than the chosen table."""
    ours, error = await Scene().visit(table=table, name=name)
    assert ours is None
    assert error.code == "pair-code"


async def test_guest_at_a_full_table_is_told_and_may_knock_again(autojump_clock):
    scene = Scene(says=RingAnswer.FULL)
    for _ in range(4):
        ours, error = await scene.visit(address="192.168.1.3")
        assert (ours, error.code) == (None, "table-full")
    scene.keeper.says = RingAnswer.YES
    ours, theirs = await scene.visit(address="192.168.1.3")
    assert ours.psk == theirs.psk


async def test_refused_address_is_ignored_for_a_minute(autojump_clock):
    scene = Scene(says=RingAnswer.NO)
    ours, error = await scene.visit(address="192.168.1.3")
    assert (ours, error.code) == (None, "pair-no")
    await scene.visit(address="192.168.1.3")
    assert len(scene.keeper.asked) == 1
    await scene.visit(address="192.168.1.4")
    assert len(scene.keeper.asked) == 2
    await trio.sleep(MUTED)
    await scene.visit(address="192.168.1.3")
    assert len(scene.keeper.asked) == 3
    assert scene.keeper.told == []


@pytest.mark.parametrize("hangs_up", [True, False])
@pytest.mark.parametrize("calls", [100, pytest.param(600, marks=pytest.mark.slow)])
async def test_caller_with_many_addresses_does_not_ring_without_end(
    autojump_clock, calls, hangs_up
):
    """A neighbour may take any number of addresses of the network."""
    scene = Scene(says=RingAnswer.NO)
    if hangs_up:
        scene.keeper.answer = trio.Event()
    begun = trio.current_time()
    for number in range(calls):
        stream, end = scene.arrive(f"fe80::{number:x}")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(scene.door.receive, stream)
            with trio.move_on_after(1), suppress(LinkError):
                await enter(end, TABLE, "Eve", never)
            await end.aclose()
        await trio.sleep_until(begun + number + 1)
    assert len(scene.keeper.asked) <= 20
    if hangs_up:
        scene.keeper.answer.set()
    scene.keeper.says = RingAnswer.YES
    await trio.sleep(LONGEST_REST)
    assert (await scene.visit(address="192.168.1.9"))[0] is not None


async def test_public_key_work_begins_after_the_yes(monkeypatch):
    """A ringing stranger costs a question, and no arithmetic."""

    def forbidden(*_):
        raise AssertionError("arithmetic before the yes")

    scene = Scene(says=RingAnswer.NO)
    monkeypatch.setattr(cpace, "secret_products", forbidden)
    monkeypatch.setattr(cpace, "derive_point", forbidden)
    monkeypatch.setattr(transport_link, "hear_knock", forbidden)
    assert (await scene.visit())[0] is None
    assert len(scene.keeper.asked) == 1


async def test_one_guest_is_at_the_door_at_a_time(autojump_clock):
    scene = Scene()
    scene.keeper.answer = trio.Event()
    outcomes = []

    async def first():
        outcomes.extend(await scene.visit())

    async with trio.open_nursery() as nursery:
        nursery.start_soon(first)
        await trio.sleep(1)
        ours, error = await scene.visit(name="Eve")
        assert (ours, error.code) == (None, "pair-busy")
        scene.keeper.answer.set()
    assert outcomes[0].psk == outcomes[1].psk
    assert [guest for guest, _ in scene.keeper.asked] == ["Ivo"]


async def test_the_question_goes_when_the_guest_goes(autojump_clock):
    scene = Scene()
    scene.keeper.answer = trio.Event()
    stream, end = scene.arrive("192.168.1.3")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(scene.door.receive, stream)
        with trio.move_on_after(1):
            await enter(end, TABLE, "Ivo", never)
    assert scene.keeper.parted == [("Ivo", NotLetIn.LEFT)]
    scene.keeper.answer.set()
    await scene.visit(address="192.168.1.3")
    assert len(scene.keeper.asked) == 1  # who rings and runs is not heard at once
    await trio.sleep(MUTED_SHORTLY)
    assert (await scene.visit(address="192.168.1.3"))[0] is not None


async def test_a_code_lives_two_minutes(autojump_clock):
    scene = Scene()
    stream, end = scene.arrive()
    began = trio.current_time()

    async def knock():
        with pytest.raises(LinkError) as caught:
            await enter(end, TABLE, "Ivo", never)
        assert caught.value.code == "pair-late"

    async with trio.open_nursery() as nursery:
        nursery.start_soon(knock)
        assert await scene.door.receive(stream) is None
        await stream.aclose()
    assert trio.current_time() - began == pytest.approx(CODE_LIFE)
    assert scene.keeper.parted == [("Ivo", NotLetIn.LATE)]
    assert scene.door.open


async def test_a_guest_does_not_wait_for_ever(autojump_clock):
    scene = Scene()
    scene.keeper.answer = trio.Event()
    began = trio.current_time()
    _, error = await scene.visit()
    assert error.code == "pair-no"
    assert trio.current_time() - began == pytest.approx(RING_LIMIT)
    assert scene.keeper.parted == [("Ivo", NotLetIn.UNHEARD)]
    ours, theirs = memory_stream_pair()
    began = trio.current_time()
    with pytest.raises(LinkError):
        await enter(theirs, TABLE, "Ivo", never)
    assert trio.current_time() - began == pytest.approx(ANSWER_LIMIT)
    await ours.aclose()


@pytest.mark.parametrize("every", [60, pytest.param(1, marks=pytest.mark.slow)])
async def test_endless_ringing_of_a_neighbour_leaves_the_door_to_others(every, autojump_clock):
    """It knocks for hours, and is asked about ever more seldom. A friend gets in at once.

    every: the seconds between two knocks.
    """
    scene = Scene(says=RingAnswer.NO)
    began = trio.current_time()
    for second in range(0, 4 * 3600, every):
        ours, end = scene.arrive("192.168.1.66")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(scene.door.receive, ours)
            with suppress(LinkError):
                await enter(end, TABLE, "Eve", never)
        await trio.sleep_until(began + second + every)
    assert len(scene.keeper.asked) <= 4 * 3600 / LONGEST_MUTED + 6
    scene.keeper.says = RingAnswer.YES
    assert (await scene.visit(address="192.168.1.3"))[0] is not None


async def test_muted_caller_does_not_ring_that_evening(autojump_clock):
    scene = Scene(says=RingAnswer.MUTE)
    await scene.visit(address="192.168.1.66")
    await trio.sleep(EVENING - 1)
    await scene.visit(address="192.168.1.66")
    assert len(scene.keeper.asked) == 1
    await trio.sleep(1)
    await scene.visit(address="192.168.1.66")
    assert len(scene.keeper.asked) == 2


async def test_door_that_the_person_closes_stays_closed():
    scene = Scene(says=RingAnswer.CLOSE)
    await scene.visit()
    assert not scene.door.open
    ours, error = await scene.visit()
    assert (ours, error.code) == (None, "pair-gone")
    assert len(scene.keeper.asked) == 1


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"matcha+\1\xff" + bytes(255),
        b"matcha+\1\x01\xc0",
        b"matcha+\1"
        + bytes([len(pack([1, bytes(16), "\x1b"]))])
        + pack([1, bytes(16), "\x1b"]),
        b"matcha+\1" + bytes([len(pack([1, bytes(15), "Ivo"]))]) + pack([1, bytes(15), "Ivo"]),
        b"matcha+\1",
    ],
)
async def test_strangers_get_no_byte_and_nobody_is_asked(sent, autojump_clock):
    scene = Scene()
    stream, end = scene.arrive()
    await end.send_all(sent)
    assert await scene.door.receive(stream) is None
    assert await end.receive_some(1) == b""
    assert scene.keeper.asked == []


class Tape(Arrival):
    """A stream that keeps the sent bytes."""

    sent = b""

    async def send_all(self, data):
        self.sent += data
        await super().send_all(data)


async def test_a_recorded_pairing_opens_nothing(autojump_clock):
    """The host's nonce and share are new each time, even if the code should be the same."""
    scene = Scene()
    stream, end = scene.arrive()
    tape = Tape(end, "192.168.1.1")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(scene.door.receive, stream)
        await enter(tape, TABLE, "Ivo", code_typed(CODE))
    stream, end = scene.arrive()
    call_size = len(tape.sent) - 32 - 48 - 16
    outcomes = []

    async def receive():
        outcomes.append(await scene.door.receive(stream))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(receive)
        await end.send_all(tape.sent[:call_size])
        await trio.sleep(1)
        await end.send_all(tape.sent[call_size:])
    assert outcomes == [None]
    assert scene.keeper.parted == [("Ivo", NotLetIn.WRONG)]


async def answer_as_impostor(end, said):
    """Take a call, and answer ``said``."""
    await end.receive_some(1000)
    await end.send_all(said)


@pytest.mark.parametrize(
    "said",
    [
        b"\7",
        b"\1" + bytes(16) + bytes(32),
        b"\1" + bytes(16) + GENERATOR.encode() + b"x",
        b"\1" + bytes(16),
        b"",
    ],
)
async def test_answering_impostor_learns_no_key_and_is_told(said, autojump_clock):
    """An invalid answer ends the visit, at the latest when no byte follows."""
    ours, theirs = memory_stream_pair()

    async def impostor():
        await answer_as_impostor(ours, said)
        await trio.sleep(1)
        await ours.aclose()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(impostor)
        with pytest.raises((LinkError, HandshakeError)):
            await enter(theirs, TABLE, "Ivo", code_typed(CODE))


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (b"\1", "pair-gone"),
        (b"\1" + bytes(16), "pair-gone"),
        (b"\1" + bytes(16) + GENERATOR.encode(), "pair-code"),
    ],
)
async def test_guest_stops_waiting_for_a_host_after_its_yes(said, code, autojump_clock):
    """The host stays connected and silent: the guest is told within seconds."""
    ours, theirs = memory_stream_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer_as_impostor, ours, said)
        with trio.fail_after(60), pytest.raises((LinkError, HandshakeError)) as caught:
            await enter(theirs, TABLE, "Ivo", code_typed(CODE))
    assert caught.value.code == code


async def test_knowledge_of_an_impostor_fits_every_code(autojump_clock):
    """The impostor answers without the code: the guest's proof tells nothing about the code."""
    ours, theirs = memory_stream_pair()
    got = []

    async def impostor():
        await answer_as_impostor(ours, b"\1" + bytes(16) + GENERATOR.encode())
        got.append(await ours.receive_some(1000))
        await ours.aclose()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(impostor)
        with pytest.raises(HandshakeError) as caught:
            await enter(theirs, TABLE, "Ivo", code_typed(CODE))
    assert caught.value.code == "pair-code"
    assert CODE.encode() not in b"".join(got)


def test_codes_have_six_digits_and_are_drawn_at_random():
    door = PairingDoor(TABLE, Keeper())
    codes = {door._draw_code() for _ in range(50)}
    assert all(len(code) == 6 and code.isdecimal() for code in codes)
    assert len(codes) > 40


def test_secrets_are_not_shown():
    paired = pairing.Paired(None, b"s" * 32)
    assert "sss" not in repr(paired)
    assert replace(paired, psk=b"t" * 32) != paired
