"""A session plays whatever game the registry knows: here the toy, for two seats."""

from dataclasses import replace
from typing import Any

import pytest
import trio

from matcha_p2p import games
from matcha_p2p.session.news import (
    Finished,
    GameEvent,
    Interrupted,
    MoveDue,
    TakenUp,
    Terms,
)
from matcha_p2p.watching.publish import publish
from matcha_p2p.wire.watching import Visibility
from tests.games.toy.seated import Drawn, Greeted, Won
from tests.harness import Copy, Player, introduced, links, play

TERMS = (
    Terms("Mina", "toy", "one", open_book=False),
    Terms("Taro", "toy", None, open_book=False),
)
STAYS = (replace(TERMS[0], stays=True), replace(TERMS[1], stays=True))

pytestmark = pytest.mark.usefixtures("no_threads", "autojump_clock")


@pytest.fixture(autouse=True)
def known(monkeypatch):
    monkeypatch.setitem(games.FOLDERS, "toy", "tests.games.toy")


def highest(view: Any) -> int:
    """Return the place of the highest card."""
    return max(view.legal_moves(), key=view.cards.__getitem__)


async def met(folder, terms=TERMS):
    players, ends = await introduced(folder, terms)
    for player in players:
        player.bot = highest
    return players, ends


def resumed(player: Player) -> Player:
    """Return the player that another program resumes from the journal."""
    return Player.of(Copy.open(player.ledger.path), TERMS[player.side], bot=highest)


def check(players, hands):
    """Check for both seats that the holder of the highest card has won."""
    winner = hands.index(max(hands, key=max))
    for player in players:
        assert isinstance(player.ending, Finished)
        assert player.ending.ended == Won((winner,), "highest card")
        assert player.told(Won) == [player.ending.ended]
    assert players[0].transcripts == players[1].transcripts


async def test_two_sessions_play_a_whole_game(tmp_path):
    players, ends = await met(tmp_path)
    await play(players, ends)
    hands = [drawn.cards for player in players for drawn in player.told(Drawn)]
    assert [len(cards) for cards in hands] == [2, 2]
    assert len({*hands[0], *hands[1]}) == 4
    check(players, hands)
    for player in players:
        assert player.told(Greeted) == [Greeted(("Mina", "Taro"))]
        assert [due.view.cards for due in player.told(MoveDue)] == [hands[player.side]]
        assert [told.game for told in player.told(GameEvent)][-1].winner is not None


@pytest.mark.parametrize("place", range(8))
async def test_a_game_goes_on_from_the_journals_wherever_it_is_left(tmp_path, place):
    players, ends = await met(tmp_path)

    async def cut() -> None:
        while max(len(player.chain.entries) for player in players) < 3 + place:
            await trio.lowlevel.checkpoint()
        for end in ends:
            await end.aclose()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(cut)
        await play(players, ends)
    assert any(isinstance(player.ending, Interrupted) for player in players)
    again = resumed(players[0]), resumed(players[1])
    await play(again, await links())
    hands = [player.chain.hand for player in again]
    check(again, hands)
    for player in again:
        assert [taken.names for taken in player.told(TakenUp)] == [("Mina", "Taro")]


async def test_watchers_wait_for_sealed_cards(tmp_path):
    players, ends = await met(tmp_path)
    found = set[tuple[int, int]]()

    async def look() -> None:
        while True:
            chain = players[0].chain
            if chain.met:
                shown = publish(chain, Visibility.LATER).count
                found.add((chain.running, len(chain.entries) - shown))
            await trio.lowlevel.checkpoint()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(look)
        await play(players, ends)
        nursery.cancel_scope.cancel()
    assert found == {(0, 0), (1, 1)}
