"""Three who have played at one table are friends, and play again by calls: over loopback."""

import pytest
import trio

from matcha_p2p.app.friends.call import CallWish, call
from matcha_p2p.app.friends.wait import WaitWish, wait
from matcha_p2p.console.menu.asker import LineAsker
from matcha_p2p.store.friends import GameResult, read_friends
from matcha_p2p.transport.codes.invite import Invite
from tests.app.people import PATIENCE, loopback

pytestmark = pytest.mark.slow

NAMES = ("Mia", "Ann", "Bob")


@pytest.fixture
def players(sits):
    return [*map(sits, NAMES)]


async def sit_down(nursery, players):
    """Let the first of ``players`` host the others by an invite, and begin."""
    host, *guests = players
    nursery.start_soon(host.host, "kashi", 3)
    invite = Invite.parse(await host.reads(r"(matcha1\w+)"))
    for seat, guest in enumerate(guests, start=2):
        nursery.start_soon(guest.join, invite)
        await host.reads(f"Seat {seat}: {NAMES[seat - 1]}\n")
    host.types("start")


async def plays_to_the_end(players, *, who):
    """Let Ann give up, and all leave. who: how each knows the others."""
    for player in players:
        await player.reads("The coin has chosen")
        for name in NAMES:
            if name != player.setup.terms.name:
                assert who.format(name=name) in player.screen.text
        first_card = player.screen.text.index("The coin has chosen")
        assert player.screen.text.index(who.partition("{")[0]) < first_card
    players[1].types("concede")
    await players[1].reads("y: yes")
    players[1].types("y")
    for player in players:
        await player.reads("All players are still here")
        player.types("leave")


def forget_the_screen(players):
    """Let the players look at an empty screen, as another program would show it."""
    for player in players:
        player.screen.text = ""
        player.asker = LineAsker(player.screen.write, player.keyboard)


def books(players):
    """Return the book of each player: the friends by name."""
    return {
        player.setup.terms.name: {
            friend.name: friend for friend in read_friends(player.setup.home)
        }
        for player in players
    }


async def test_three_become_friends_at_one_table_and_play_again_by_calls(players):
    mia, ann, bob = players
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            await sit_down(nursery, players)
            await plays_to_the_end(players, who='A new player, self-named "{name}".')
    first = books(players)
    for own in NAMES:
        assert set(first[own]) == {*NAMES} - {own}
        for other in first[own]:
            assert first[own][other].secrets == first[other][own].secrets != ()
    around = loopback()
    forget_the_screen(players)
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            waits = mia.setup.another("kashi", 3)
            wish = WaitWish(router=False, port=14817)
            nursery.start_soon(wait, waits, mia.ask, around, wish)
            await mia.reads("Waiting for a call")
            for guest in (ann, bob):
                name = guest.setup.terms.name
                wishes = CallWish(router=False)
                nursery.start_soon(call, guest.setup, guest.ask, "Mia", around, wishes)
                await mia.reads(f'"{name}" calls')
                mia.types("1")
                await guest.reads(rf"Seat \d: {name} \(you\)")
            await mia.reads("Seat 3: Bob\n")
            mia.types("start")
            await plays_to_the_end(players, who='"{name}", as on ')
    again = books(players)
    for own in NAMES:
        for other, friend in again[own].items():
            assert len(friend.games) == 2
            if own == "Ann":  # of the two seats left, the better one wins
                assert friend.count(GameResult.LOST) == 2
            assert friend.secrets[1:] == first[own][other].secrets


async def test_impostor_at_a_table_of_three_is_noticed_by_each_friend_of_the_other(
    players, sits
):
    mia, ann, _ = players
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            await sit_down(nursery, players)
            await plays_to_the_end(players, who='A new player, self-named "{name}".')
    known = books(players)
    impostor = sits("Bob", "elsewhere")
    forget_the_screen(players)
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            await sit_down(nursery, (mia, ann, impostor))
            for player in (mia, ann):
                text = await player.reads(r"(?s)(.*The coin has chosen)")
                assert 'This is NOT the "Bob" you know' in text
            nursery.cancel_scope.cancel()
    assert books(players)["Mia"]["Bob"] == known["Mia"]["Bob"]
