"""People watch a game that began by a call: at the person called, or at the caller."""

from dataclasses import replace

import pytest
import trio

from matcha_p2p.app.friends.call import CallWish, call
from matcha_p2p.app.friends.wait import WaitWish, wait
from matcha_p2p.app.watching.watch import Spectator
from matcha_p2p.chain.verify import Verdict
from matcha_p2p.transport.codes.invite import Invite, InviteKind
from matcha_p2p.wire.watching import Dismissal
from tests.app.people import loopback


def watched(person):
    return replace(person.setup, terms=replace(person.setup.terms, watchers=1))


async def play_watched(mina, ivo, shower):
    """Let Ivo call Mina, and give up once Ann watches at ``shower``; return Ann's side."""
    around = loopback()
    codes = {}

    async def wait_for_call():
        setup = watched(mina) if shower is mina else mina.setup
        wish = WaitWish(router=False, port=14717)
        codes["mina"] = await wait(setup, mina.ask, around, wish)

    async def ring():
        setup = watched(ivo) if shower is ivo else ivo.setup
        codes["ivo"] = await call(setup, ivo.ask, "Mina", around, CallWish(router=False))

    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(wait_for_call)
            await mina.screen.until("Waiting for a call")
            nursery.start_soon(ring)
            text = await shower.screen.until(r"(matchawatch1\S+)")
            ann = Spectator(Invite.parse(text, InviteKind.WATCH), "Ann")
            nursery.start_soon(ann.run)
            await mina.screen.until('"Ivo" calls')
            mina.types("1")
            for person in (mina, ivo):
                await person.screen.until("Ann")
            ivo.types("concede")
            ivo.types("y")
            for person in (mina, ivo):
                await person.screen.until("All players are still here")
                person.types("leave")
    assert codes == {"mina": 0, "ivo": 0}
    return ann


@pytest.mark.slow
@pytest.mark.parametrize("at", [0, 1], ids=["who waits", "who calls"])
async def test_a_game_that_began_by_a_call_is_watched(friends, at):
    ann = await play_watched(*friends, friends[at])
    assert ann.outcome is Dismissal.DONE
    assert ann.game.report.verdict is Verdict.RESIGNED
    (stored,) = friends[at].setup.home.games.glob("*.matcha")
    assert ann.game.transcript == stored.read_bytes()


async def test_caller_in_vain_sees_watchers_off(friends):
    mina, _ = friends
    seen = trio.Event()

    async def ask(question):
        await seen.wait()

    mina.asker.ask = ask
    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:
            wish = WaitWish(router=False, port=14717)
            nursery.start_soon(wait, watched(mina), mina.ask, loopback(), wish)
            text = await mina.screen.until(r"(matchawatch1\S+)")
            ann = Spectator(Invite.parse(text, InviteKind.WATCH), "Ann")
            nursery.start_soon(ann.run)
            async for _ in ann.reports():
                if ann.sight is not None:
                    seen.set()
    assert ann.outcome is Dismissal.LATER
