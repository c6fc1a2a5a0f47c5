"""Line mode and facts of the toy game at three seats. The registry finds the game by name."""

import math

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from matcha_p2p import games
from matcha_p2p.console.lines.lines import LineMode
from matcha_p2p.console.terminal.keyboard import Keyboard
from matcha_p2p.games.game import Telling
from matcha_p2p.narration.facts import FactTeller
from matcha_p2p.narration.news import News, Wish
from matcha_p2p.session.news import GameEvent, MakeMove, MoveDue
from matcha_p2p.table.step import AllGreeted, step
from matcha_p2p.table.table import next_due
from tests.games import toy
from tests.games.toy import lines, telling
from tests.games.toy.seated import RULES
from tests.games.toy.steps import SEATS, Toy
from tests.table.party import Party, begun

TELLING: Telling = telling  # the type checker compares each function


@pytest.fixture(autouse=True)
def known(monkeypatch):
    monkeypatch.setitem(games.FOLDERS, "toy", toy.FOLDERS["toy"])


class Typist(Keyboard):
    """A keyboard that types the lines of a script."""

    def __init__(self) -> None:
        super().__init__(-1)
        self.type, self._lines = trio.open_memory_channel[str](math.inf)

    async def read(self) -> str:
        return await self._lines.receive()


class Desk:
    """A seat at which line mode plays. shown: all text; heard: all news."""

    def __init__(self, seat) -> None:
        self.seat = seat
        self.shown: list[str] = []
        self.heard: list[News] = []
        self.typist = Typist()
        self._tell, self._news = trio.open_memory_channel[News](math.inf)
        self._choose, self.choices = trio.open_memory_channel[Wish](math.inf)
        self._mode = LineMode(self.shown.append, self.typist, lines.ToyTalk)

    async def play(self) -> None:
        await self._mode.play(self.seat, self._news, self._choose.send_nowait)

    def hear(self, news: News) -> None:
        self.heard.append(news)
        self._tell.send_nowait(news)

    def close(self) -> None:
        self._tell.close()


async def played(party: Party, desks: list[Desk]) -> None:
    """Until the game ends, let each seat type 2 when asked."""

    def tell(events) -> None:
        for desk, player in zip(desks, party.players, strict=True):
            for event in RULES.told(events, player):
                desk.hear(GameEvent(event, RULES.state(party.table)))

    tell([AllGreeted(party.table)])
    while (due := next_due(party.table)) is not None:
        move, desk, before = None, desks[due.seat], party.table
        if due.decision:
            desk.hear(MoveDue(RULES.look(party.players[due.seat], before, ())))
            await wait_all_tasks_blocked()
            desk.typist.type.send_nowait("2")
            chosen = await desk.choices.receive()
            assert isinstance(chosen, MakeMove)
            move = chosen.move
        party.goes_on({due.seat: move}.__getitem__)
        tell(step(before, party.entries[-1])[1])
    for desk in desks:
        desk.close()


async def test_three_seats_play_the_toy_in_lines(autojump_clock):
    party, desks = begun("toy in lines", Toy()), [Desk(seat) for seat in SEATS]
    async with trio.open_nursery() as nursery:
        for desk in desks:
            nursery.start_soon(desk.play)
        nursery.start_soon(played, party, desks)
    hands = [RULES.hand(player, party.table) for player in party.players]
    winner = max(SEATS, key=lambda seat: hands[seat][1])
    assert party.table.game.chosen == (1, 1, 1)
    for desk in desks:
        met, cards, question, prompt, won = "".join(desk.shown).splitlines()
        others = " and ".join(f"seat {seat}" for seat in SEATS if seat != desk.seat)
        assert met == f"You play {others}."
        assert cards == f"Your cards: {hands[desk.seat][0]} and {hands[desk.seat][1]}."
        assert (question, prompt) == ("Which card, 1 or 2?", "> ")
        who = "You win" if desk.seat == winner else f"seat {winner} wins"
        assert won == f"{who}: highest card."
        teller = FactTeller(games.game_of("toy").telling, desk.seat)
        facts = [teller.tell(news) for news in desk.heard]
        assert [name for name, _ in facts] == ["greeted", "drawn", "due", "won"]
        assert facts[2][1] == {"moves": ["1", "2"]}
