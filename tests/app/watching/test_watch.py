"""The command that watches, against a host's gallery over loopback: what it keeps and says."""

from contextlib import asynccontextmanager

import pytest
import trio

from matcha_p2p.app.outcomes import CommandError, Exit
from matcha_p2p.app.watching.watch import WatchWish, watch
from matcha_p2p.store.home import Home
from matcha_p2p.watching.gallery import Gallery
from matcha_p2p.watching.release import release
from matcha_p2p.wire.talk import Sight
from matcha_p2p.wire.watching import Dismissal
from tests.app.nearby.test_neighbours import Person
from tests.watching.games import chains
from tests.watching.test_sockets import door

pytestmark = pytest.mark.slow


@pytest.fixture
def ann(tmp_path):
    person = Person(tmp_path, "Ann")
    yield person
    person.close()


async def watched(ann, home, chain, why):
    """Let Ann watch a game up to ``chain``, at which the host ends it; return the exit code."""
    gallery, codes = Gallery(1), []

    @asynccontextmanager
    async def ask():
        yield ann.asker

    async def look_on(invite):
        codes.append(await watch(ann.screen, home, "Ann", ask, None, WatchWish(invite)))

    with trio.fail_after(30):
        async with door(gallery) as invite, trio.open_nursery() as nursery:
            gallery.show(release(chain, Sight.AT_ONCE))
            nursery.start_soon(look_on, invite)
            await ann.screen.until("You see each move at once")
            gallery.close(why)
    (code,) = codes
    return code


async def test_a_game_that_was_seen_to_its_end_is_kept(ann, tmp_path):
    home, whole = Home.find(tmp_path / "home"), chains()[-1]
    assert await watched(ann, home, whole, Dismissal.DONE) == Exit.DONE
    (file,) = home.games.glob("*.matcha")
    assert file.read_bytes() == whole.transcript
    assert "is not kept" not in ann.screen.text


@pytest.mark.parametrize(
    ("why", "code"),
    [
        (Dismissal.LATER, "watch-left"),
        (Dismissal.DONE, "watch-unshown"),
        (Dismissal.CLOSED, "watch-closed"),
    ],
)
async def test_of_a_game_that_was_not_it_is_said_that_nothing_is_kept(ann, tmp_path, why, code):
    home, half = Home.find(tmp_path / "home"), chains()[len(chains()) // 2]
    with pytest.RaisesGroup(
        pytest.RaisesExc(CommandError, check=lambda error: error.code == code),
        allow_unwrapped=True,
        flatten_subgroups=True,
    ):
        await watched(ann, home, half, why)
    assert "What you have seen is no whole game, and is not kept." in ann.screen.text
    assert not list(home.games.glob("*"))
