"""After a game of Matcha on one line: another game, and a bot that leaves.

All that no game changes is in test_next_table.py, test_neighbours.py and test_talk.py.
"""

from pathlib import Path

import pytest
import trio

from matcha_p2p.app.game.play import play_again
from matcha_p2p.chain.verify import verify_transcript
from matcha_p2p.games.matcha.table.events import TableLaid
from matcha_p2p.session.news import (
    Concede,
    Finished,
    Leave,
    Settled,
    Terms,
)
from matcha_p2p.session.step.waits import PARTING_LIMIT
from tests.harness import Player, is_decided, links, play, played_until

TERMS = Terms("Mina", "matcha", None, open_book=False, stays=True)


class Conceding(Player):
    """A player that gives each game up from ``concedes`` on."""

    concedes = False

    async def _decide(self, observation):
        if self.concedes:
            await self.do(Concede())
        else:
            await super()._decide(observation)

    @property
    def dealers(self) -> list[int]:
        """The first dealer of each game that was dealt here."""
        return [each.dealer for each in self.told(TableLaid) if each.number == 1]


def decided(folder: Path) -> tuple[Conceding, Conceding]:
    """Return both players of a decided game."""
    author, hearer, said = played_until(folder, is_decided)
    hearer.hear(said)
    return Conceding.of(author, TERMS), Conceding.of(hearer, TERMS)


async def test_three_games_in_a_row_and_the_deal_goes_round(tmp_path):
    players = decided(tmp_path)
    first = players[0].chain.table.game.state
    second_dealer = (first.dealer + first.number) % 2
    async with trio.open_nursery() as nursery:
        nursery.start_soon(play, players, await links())
        for player in players:
            await player.until(Settled)
            player.concedes = True
        for _ in range(2):
            for player in players:
                await player.do(play_again(player.chain))
            for player in players:
                await player.until(Settled)
        await players[1].do(Leave())
    for player in players:
        assert player.dealers == [second_dealer, 1 - second_dealer]
        games = [verify_transcript(transcript) for transcript in player.transcripts]
        assert all(report.valid for report in games)
        assert len({report.accepted[-1].state.gid for report in games}) == 3
    assert players[0].transcripts == players[1].transcripts


@pytest.mark.slow
@pytest.mark.parametrize("open_book", [False, True])
async def test_a_seat_that_nobody_attends_does_not_stay(
    tmp_path, open_book, no_threads, autojump_clock
):
    author, hearer, said = played_until(tmp_path, is_decided)
    hearer.hear(said)
    bot = Player.of(author, Terms("Bot", "matcha", None, open_book=open_book))
    person = Player.of(hearer, TERMS)
    async with trio.open_nursery() as nursery:
        begun = trio.current_time()
        for player, end in zip((bot, person), await links(), strict=True):
            nursery.start_soon(player.run, end)
        await bot.done.wait()
        waited = trio.current_time() - begun
        await person.done.wait()
    assert (waited >= PARTING_LIMIT) == open_book
    assert waited < 2 * PARTING_LIMIT
    for player in (bot, person):
        assert isinstance(player.ending, Finished)
        assert player.ending.seen_off
