"""A stopped program leaves the right files, however the stop comes."""

import trio

from matcha_p2p.app.game import play
from matcha_p2p.app.game.table import go_on_at_table
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.session.news import Interrupted
from matcha_p2p.session.reconnect import Place
from tests.harness import pair


async def test_a_game_that_is_cancelled_as_it_ends_can_be_gone_on_with(
    tmp_path, mina, monkeypatch
):
    ledger = pair(tmp_path)[0].ledger
    with trio.CancelScope() as scope:

        async def cancelled(*_):
            await trio.lowlevel.checkpoint()
            scope.cancel()
            return Interrupted("You have left the game."), []

        monkeypatch.setattr(play, "run_game", cancelled)
        await go_on_at_table(ledger, Place((), None), mina.setup, older=False)
    assert scope.cancelled_caught
    Ledger.open(ledger.path).close()  # nobody holds its lock
