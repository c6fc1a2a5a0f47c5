"""Several guests greet the host at the same moment. One plays; the others leave no trace."""

from functools import partial

import pytest
import trio
import trio.testing

from matcha_p2p.app.game import play as module
from matcha_p2p.app.game.play import greet_peer
from matcha_p2p.app.invite.answer_codes import AnswerCodes
from matcha_p2p.app.invite.host import DOOR, HostWish, find_guest, open_door
from matcha_p2p.app.outcomes import CommandError
from matcha_p2p.games.matcha.rules.seats import Seat
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.session.news import Declined
from matcha_p2p.transport.dial import dial
from matcha_p2p.transport.local.addresses import GivenPlace
from matcha_p2p.wire.talk import Farewell
from tests.app.nearby.test_neighbours import Person
from tests.harness import PSK, links, pair, talk

LOOPBACK = HostWish((GivenPlace.parse("127.0.0.1"),), 0, router=False)


@pytest.fixture
def people(tmp_path):
    found = [Person(tmp_path, name) for name in ("Mina", "Ivo", "Eve")]
    yield found
    for person in found:
        person.close()


async def test_cancelled_greeting_leaves_no_journal(people, monkeypatch):
    """Another guest was quicker, at the very moment when the game of this guest was written."""
    mina, ivo, _ = people
    ours, theirs = await links()
    scope, become = trio.CancelScope(), Ledger.become

    def become_and_be_cut(ledger, chain):
        become(ledger, chain)
        if ledger.path.exists() and ledger.path.is_relative_to(mina.setup.home.unfinished):
            trio.from_thread.run_sync(scope.cancel)

    monkeypatch.setattr(Ledger, "become", become_and_be_cut)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(greet_peer, theirs, Seat(1), PSK, ivo.setup)
        with scope:
            await greet_peer(ours, Seat(0), PSK, mina.setup)
    assert scope.cancelled_caught
    assert not list(mina.setup.home.unfinished.glob("*"))


async def test_one_of_several_greeting_guests_plays_and_the_others_are_told(
    people, monkeypatch
):
    """No trace of a second game is left, at the host's and at the guest's."""
    mina, *guests = people
    together, met = trio.Event(), module.meet
    waiting = 0

    async def meet(begun, ledger, link):
        nonlocal waiting
        found = await met(begun, ledger, link)
        if ledger.chain.seat == 0:
            waiting += 1
            if waiting == len(guests):
                together.set()
            await together.wait()
        return found

    monkeypatch.setattr(module, "meet", meet)
    endings: list[CommandError] = []
    told = trio.Event()

    async def come(person, door):
        link = await dial(door.invite.endpoints, door.invite.psk, timeout=5)
        psk = door.invite.psk
        greeted = await greet_peer(link, Seat(1), psk, person.setup)
        try:
            await module.go_on(
                greeted.ledger, greeted.begun, greeted.link, door.place, person.setup
            )
        except CommandError as error:
            endings.append(error)
            told.set()

    async with (
        open_door(LOOPBACK, bytes(16), mina.setup.out, mina.asker) as door,
        trio.open_nursery() as nursery,
    ):
        for person in guests:
            nursery.start_soon(come, person, door)
        codes = AnswerCodes(lambda: door.invite, mina.setup.out, partial(mina.asker.tell, ""))
        greeted = await find_guest(door, mina.setup, mina.asker, LOOPBACK, codes)
        await told.wait()
        nursery.cancel_scope.cancel()
    assert [error.code for error in endings] == ["taken"]
    hosts, *others = (list(each.setup.home.unfinished.glob("*/journal")) for each in people)
    assert len(hosts) == 1
    assert sorted(map(len, others)) == [0, 1]
    await greeted.link.aclose()
    greeted.ledger.close()


async def test_last_three_leaving_guests_are_told(people):
    mina, *_ = people
    told: list[tuple[str, ...]] = []
    left = trio.Event()

    def tell(heading, lines):
        if heading == DOOR():
            told.append(tuple(lines))
            if len(told) == 6:
                left.set()

    mina.asker.tell = tell
    async with (
        open_door(LOOPBACK, bytes(16), mina.setup.out, mina.asker) as door,
        trio.open_nursery() as nursery,
    ):
        codes = AnswerCodes(lambda: door.invite, mina.setup.out, partial(tell, ""))
        nursery.start_soon(find_guest, door, mina.setup, mina.asker, LOOPBACK, codes)
        for _ in range(6):
            link = await dial(door.invite.endpoints, door.invite.psk, timeout=5)
            await link.receive()  # the host's greeting: the guest is in
            await link.aclose()
        await left.wait()
        nursery.cancel_scope.cancel()
    assert [len(lines) for lines in told] == [1, 2, 3, 3, 3, 3]


async def test_game_under_way_is_kept_when_the_host_says_taken(people, tmp_path):
    mina, *_ = people
    for entries, reason, code in (
        (2, Farewell.TAKEN, "taken"),
        (2, Farewell.NAME, "name"),
        (12, Farewell.TAKEN, "game-unfinished"),
    ):
        host, guest = pair(tmp_path / f"{entries} {reason.value}")
        talk(host, guest, entries)
        declined = Declined(reason, "You cannot play.")
        with pytest.raises(CommandError) as told:
            module._conclude_game(guest.ledger, mina.setup, declined, [])
        assert told.value.code == code
        assert guest.ledger.path.exists() is (code == "game-unfinished")
