"""Friends call each other: strangers read no tag and can repeat no call."""

import math
from dataclasses import replace
from ipaddress import ip_address

import pytest
import trio
from trio.testing import memory_stream_pair

from matcha_p2p.errors import LinkError
from matcha_p2p.meeting.beacon import FriendAnswer, Query, decode_query, encode_query
from matcha_p2p.meeting.calling import (
    DAY,
    HOUR,
    MUTED,
    MUTED_SHORTLY,
    REPEATED_FOR,
    Bond,
    FriendQueries,
    IncomingCalls,
    call_query,
    is_from,
    punch_ports,
    ring,
)
from matcha_p2p.meeting.pairing import EVENING, RING_LIMIT, RingAnswer
from matcha_p2p.transport import listen
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.listen import KnocksOfARun
from matcha_p2p.transport.noise import Initiator
from tests.transport.test_listen import Arrival

MINA, IVO, EVE = b"m" * 32, b"i" * 32, b"e" * 32
OLD, NEW, OTHER = b"0" * 32, b"1" * 32, b"2" * 32
IVOS, EVES = ip_address("192.168.1.3"), ip_address("192.168.1.66")
NONCE = b"12345678"
NOW = 1_000_000.0
AT_MINA = Bond("Ivo", MINA, IVO, (NEW, OLD))
AT_IVO = Bond("Mina", IVO, MINA, (NEW, OLD))
CHAT = Frame(Kind.WAYS, b"hello")


def asked(bond=AT_IVO, nonce=NONCE, now=NOW, source=IVOS):
    """Return a query as it arrives."""
    return decode_query(encode_query(call_query(bond, nonce, source, now)))


def answered(query, *bonds, source=IVOS, now=NOW):
    """Return the answer of Mina, right after the start of her waiting."""
    queries = FriendQueries(bonds or (AT_MINA,), lambda _: KnocksOfARun())
    return queries.reply(query, source, 4717, now)


@pytest.mark.parametrize("late", [0, HOUR - 1, -HOUR + 1])
async def test_query_of_a_friend_is_answered(late):
    answer = answered(asked(now=NOW + late))
    assert answer.port == 4717
    assert is_from(AT_IVO, answer)


@pytest.mark.parametrize("secrets", [(NEW, OLD), (NEW,), (OLD,), (OTHER, NEW), (OLD, OTHER)])
async def test_secrets_that_moved_on_at_one_side_only_still_meet(secrets):
    at_ivo = replace(AT_IVO, secrets=secrets)
    assert is_from(at_ivo, answered(asked(at_ivo)))


@pytest.mark.parametrize(
    ("query", "why"),
    [
        (asked(replace(AT_IVO, secrets=(OTHER,))), "another secret"),
        (asked(now=NOW - 3 * HOUR), "a recording of three hours ago"),
        (replace(asked(), nonce=b"another."), "tags of another query"),
        (asked(source=EVES), "a query of another address"),
        (Query(NONCE), "no tag"),
        (Query(NONCE, (b"guessed!",)), "a guessed tag"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_query_of_a_stranger_is_not_answered(query, why):
    assert answered(query) is None


async def test_a_forgotten_friend_asks_in_vain():
    assert FriendQueries([], lambda _: KnocksOfARun()).reply(asked(), IVOS, 4717, NOW) is None


async def test_stranger_cannot_pass_for_a_friend():
    genuine = answered(asked())
    for forged in (
        replace(genuine, port=4718),
        replace(genuine, nonce=b"another."),
        FriendAnswer(NONCE, 4717, bytes(8)),
    ):
        assert not is_from(AT_IVO, forged)


async def test_recorded_query_is_not_answered(autojump_clock):
    """One search repeats its query. Later, and from elsewhere, the query is a recording.

    The friend may have left, and another machine may have the friend's address.
    """
    heard = KnocksOfARun()
    mina = FriendQueries([AT_MINA], lambda _: heard)
    for _ in range(3):
        assert mina.reply(asked(), IVOS, 4717, NOW) is not None
        assert mina.reply(asked(), EVES, 4717, NOW) is None
        await trio.sleep(0.4)
    await trio.sleep(REPEATED_FOR)
    assert mina.reply(asked(), IVOS, 4717, NOW) is None
    assert mina.reply(asked(nonce=b"87654321"), IVOS, 4717, NOW) is not None
    started_again = FriendQueries([AT_MINA], lambda _: heard)
    assert started_again.reply(asked(), IVOS, 4717, NOW + HOUR) is None


@pytest.mark.parametrize(("friends", "most"), [(1, 256), (20, 51), (200, 20)])
def test_home_with_many_friends_reads_fewer_queries_in_a_second(friends, most):
    """Each query of a stranger is compared with the tags of every secret."""
    assert FriendQueries([AT_MINA] * friends, lambda _: KnocksOfARun()).most == most


async def test_endless_queries_of_a_friend_push_no_other_out_of_memory(
    monkeypatch, autojump_clock
):
    """The memory of queries is bounded, for each friend apart."""
    monkeypatch.setattr(listen, "MOST_KNOCKS", 100)
    at_eve = Bond("Mina", EVE, MINA, (OTHER,))
    knocks = {}
    queries = FriendQueries(
        [AT_MINA, Bond("Eve", MINA, EVE, (OTHER,))],
        lambda bond: knocks.setdefault(bond.theirs, KnocksOfARun()),
    )
    assert queries.reply(asked(), IVOS, 4717, NOW) is not None
    for number in range(1000):
        await trio.sleep(0.05)
        query = asked(at_eve, number.to_bytes(8, "big"), source=EVES)
        assert queries.reply(query, EVES, 4717, NOW) is not None
    assert queries.reply(asked(), IVOS, 4717, NOW) is None
    assert len(queries._current) <= REPEATED_FOR / 0.05 + 1


def test_two_queries_have_nothing_in_common():
    one, other = (asked(nonce=nonce) for nonce in (NONCE, b"87654321"))
    assert not set(one.tags) & set(other.tags)


def test_friends_dial_each_other_between_the_same_two_ports():
    for secrets in ((NEW, OLD), (OLD,)):
        ours = {(each.ours, each.theirs) for each in punch_ports(AT_MINA, NOW)}
        at_ivo = replace(AT_IVO, secrets=secrets)
        theirs = [(each.theirs, each.ours) for each in punch_ports(at_ivo, NOW)]
        assert set(theirs) <= ours
        assert [each.number for each in punch_ports(at_ivo, NOW)] == list(range(len(secrets)))


def test_observer_with_both_keys_cannot_tell_the_dialling_side():
    """Keys stand in every transcript: two ports derived from the keys would name the pair.

    The ports of a day tell nothing of another day's either.
    """
    secrets = [bytes([number]) * 32 for number in range(256)]
    pairs = {
        (each.ours, each.theirs)
        for secret in secrets
        for each in punch_ports(replace(AT_MINA, secrets=(secret,)), NOW)
    }
    assert len(pairs) == len(secrets)
    of_days = {
        punch_ports(replace(AT_MINA, secrets=(NEW,)), NOW + day * DAY) for day in range(256)
    }
    assert len(of_days) == 256
    ports = [port for pair in pairs for port in pair]
    assert min(ports) >= 16384
    assert max(ports) <= 32767
    assert len(set(ports)) > 0.95 * len(ports)


class Scene:
    """Mina, the called friend, and her callers."""

    def __init__(self, *bonds, says=RingAnswer.YES):
        self.says = says
        self.asked = []
        self.answer = trio.Event()
        self.answer.set()
        self.knocks = {}
        self.incoming = IncomingCalls(bonds or (AT_MINA,), self.ask, self.knocks_of)
        self.heard = []

    def knocks_of(self, bond):
        return self.knocks.setdefault(bond.theirs, KnocksOfARun())

    async def ask(self, bond):
        self.asked.append(bond.name)
        await self.answer.wait()
        return self.says

    async def calls(self, bond):
        """Return the outcomes of a call for Mina and the caller: a call, None or an error."""
        outcomes = [None, None]
        async with trio.open_nursery() as nursery:

            async def connect():
                ours, theirs = memory_stream_pair()
                nursery.start_soon(receive, Arrival(ours, "192.168.1.3"))
                return theirs

            async def receive(stream):
                outcomes[0] = await self.incoming.receive(stream) or outcomes[0]

            try:
                outcomes[1] = await ring(connect, bond)
            except LinkError as error:
                outcomes[1] = error
        return outcomes


@pytest.mark.parametrize("secrets", [(NEW, OLD), (OLD,), (OTHER, NEW)])
async def test_a_friend_gets_through(secrets):
    scene = Scene()
    ours, theirs = await scene.calls(replace(AT_IVO, secrets=secrets))
    assert scene.asked == ["Ivo"]
    assert ours.psk == theirs.psk
    assert ours.bond == AT_MINA
    await ours.link.send(CHAT)
    assert await theirs.link.receive() == CHAT


@pytest.mark.parametrize(
    "bond",
    [
        replace(AT_IVO, secrets=(OTHER,)),
        replace(AT_IVO, ours=EVE),
        AT_MINA,
    ],
    ids=["another secret", "another caller", "our own call sent back"],
)
async def test_strangers_and_forgotten_friends_call_in_vain(bond):
    scene = Scene()
    ours, error = await scene.calls(bond)
    assert ours is None
    assert isinstance(error, LinkError)
    assert scene.asked == []


async def test_refused_caller_does_not_ring_again(autojump_clock):
    """Neither the older secret nor a second call rings again for a while."""
    scene = Scene(says=RingAnswer.NO)
    for _ in range(2):
        ours, error = await scene.calls(AT_IVO)
        assert ours is None
        assert isinstance(error, LinkError)
    assert scene.asked == ["Ivo"]
    await trio.sleep(MUTED)
    await scene.calls(AT_IVO)
    assert scene.asked == ["Ivo", "Ivo"]


async def test_silent_friend_is_asked_for_two_minutes(autojump_clock):
    scene = Scene()
    scene.answer = trio.Event()
    began = trio.current_time()
    await scene.calls(replace(AT_IVO, secrets=(NEW,)))
    assert trio.current_time() - began == pytest.approx(RING_LIMIT)


async def test_a_recorded_call_rings_no_bell(autojump_clock):
    """Otherwise an observer would learn that Mina is here, and could ring all night."""
    scene = Scene()
    ours, theirs = memory_stream_pair()

    async def call():
        flight = await tap.receive_some(1000)
        scene.heard.append(flight)
        await ours.send_all(flight)

    tap, far = memory_stream_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(call)
        nursery.start_soon(scene.incoming.receive, Arrival(theirs, "192.168.1.3"))

        async def connect():
            return far

        with trio.move_on_after(1):
            await ring(connect, replace(AT_IVO, secrets=(NEW,)))
        nursery.cancel_scope.cancel()
    assert scene.asked == ["Ivo"]
    again, end = memory_stream_pair()
    await end.send_all(scene.heard[0])
    assert await scene.incoming.receive(Arrival(again, "192.168.1.66")) is None
    assert await end.receive_some(1) == b""
    assert scene.asked == ["Ivo"]


@pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.slow)])
async def test_caller_that_hangs_up_does_not_ring_again_and_again(every, autojump_clock):
    """Nor does it keep other friends from calling. Each pause is twice as long.

    every: the seconds between two calls.
    """
    scene = Scene()
    scene.answer = trio.Event()
    began = trio.current_time()
    async with trio.open_nursery() as nursery:
        while trio.current_time() < began + 3600:
            ours, theirs = memory_stream_pair()
            nursery.start_soon(scene.incoming.receive, Arrival(ours, "192.168.1.3"))
            await theirs.send_all(Initiator(AT_IVO.call_psks()[0]).write())
            await trio.sleep(0.1)
            await theirs.aclose()
            await trio.sleep(every - 0.1)
    assert len(scene.asked) <= math.log2(MUTED / MUTED_SHORTLY) + 3600 / MUTED + 1


async def test_muted_friend_does_not_ring_that_evening_and_others_do(autojump_clock):
    at_eve = Bond("Mina", EVE, MINA, (OTHER,))
    scene = Scene(AT_MINA, Bond("Eve", MINA, EVE, (OTHER,)), says=RingAnswer.MUTE)
    await scene.calls(at_eve)
    for _ in range(round(EVENING / MUTED) - 1):
        await trio.sleep(MUTED)
        await scene.calls(at_eve)
    assert scene.asked == ["Eve"]
    scene.says = RingAnswer.YES
    ours, _ = await scene.calls(AT_IVO)
    assert ours.bond == AT_MINA
    await trio.sleep(MUTED)
    await scene.calls(at_eve)
    assert scene.asked == ["Eve", "Ivo", "Eve"]


async def test_call_to_a_table_of_the_caller_is_told_from_a_call_to_ours(autojump_clock):
    scene = Scene()
    for table in (True, False):
        ours, theirs = await scene.calls(replace(AT_IVO, table=table))
        assert ours.bond == replace(AT_MINA, table=table)
        assert ours.psk == theirs.psk
    psks = {*AT_IVO.call_psks(), *replace(AT_IVO, table=True).call_psks()}
    assert len(psks) == 4


async def test_one_call_at_a_time(autojump_clock):
    scene = Scene()
    scene.answer = trio.Event()
    outcomes = []

    async def first():
        outcomes.extend(await scene.calls(AT_IVO))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(first)
        await trio.sleep(1)
        ours, error = await scene.calls(AT_IVO)
        assert (ours, type(error)) == (None, LinkError)
        scene.answer.set()
    assert outcomes[0].psk == outcomes[1].psk
    assert scene.asked == ["Ivo"]


def test_secrets_are_not_shown():
    assert "111" not in repr(AT_MINA)


async def test_endless_calls_of_a_friend_push_no_other_call_out_of_memory(
    monkeypatch, autojump_clock
):
    """Else a recording of the other's call would ring the bell again."""
    monkeypatch.setattr(listen, "MOST_KNOCKS", 4)
    eve = Bond("Eve", MINA, EVE, (OTHER,))
    scene = Scene(AT_MINA, eve, says=RingAnswer.NO)
    recorded = Initiator(AT_IVO.call_psks()[0]).write()
    for number in range(7):
        flight = recorded if number in (0, 6) else Initiator(_of_eve()).write()
        ours, theirs = memory_stream_pair()
        await ours.send_all(flight)
        assert await scene.incoming.receive(Arrival(theirs, "192.168.1.3")) is None
        await trio.sleep(2 * MUTED)
    assert scene.asked == ["Ivo", "Eve", "Eve", "Eve", "Eve", "Eve"]


def _of_eve():
    """Return the key with which Eve calls Mina."""
    return Bond("Mina", EVE, MINA, (OTHER,)).call_psks()[0]
