"""Line mode at a pipe: shown text, and choices sent."""

import math
import os
from contextlib import suppress

import pytest
import trio
import trio.testing

from matcha_p2p.app.command.front_end import front_end_for
from matcha_p2p.app.command.output import Output
from matcha_p2p.console.lines.conversation import Answer
from matcha_p2p.console.lines.lines import LineMode
from matcha_p2p.console.terminal.keyboard import Keyboard
from matcha_p2p.console.terminal.looks import Bell
from matcha_p2p.games.matcha.conversation import Conversation
from matcha_p2p.games.matcha.game import GAME as MATCHA
from matcha_p2p.games.matcha.replay import analyse
from matcha_p2p.games.matcha.rules.edition import EDITION_2015
from matcha_p2p.games.matcha.rules.game import deal, new_game
from matcha_p2p.games.matcha.rules.moves import Play
from matcha_p2p.games.matcha.rules.notation import faces
from matcha_p2p.games.matcha.rules.observation import observe
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.games.matcha.table.events import Met
from matcha_p2p.narration.news import Decisions, News, Wish
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import GameEvent, Leave, MakeMove, MoveDue, Propose, TalkHeard
from matcha_p2p.wire.names import GameId
from matcha_p2p.wire.talk import Proposal
from tests.console.lines.test_other_game import Typist

GAME = deal(new_game(EDITION_2015, SEATS[0]), faces("T3 W1 B2 S4 W4 T1"))
MET = GameEvent(Met(GameId(bytes(32)), EDITION_2015, ("Mina", "Taro")), GAME)
DUE = MoveDue(observe(GAME, SEATS[0], faces("B3 W2 Z S1 T4")))
QUESTION = (
    "Your move, on mat a or b. Hand: 1: bowl 3, 2: water 2, 3: zero, 4: scoop 1, 5: leaf 4.\n"
)


def converse(seat: Seat) -> Conversation:
    return Conversation(seat, MATCHA, analyst=analyse)


class Desk:
    """A person at a pipe. ``shown`` yields each shown piece once."""

    def __init__(self) -> None:
        end, self.typing = os.pipe()
        self.keyboard = Keyboard(end)
        self.end = end
        self._write, self._pieces = trio.open_memory_channel[str](math.inf)
        self.mode = LineMode(self._write.send_nowait, self.keyboard, converse)
        self.news, self._heard = trio.open_memory_channel[News](math.inf)
        self._chosen, self.choices = trio.open_memory_channel[Wish](math.inf)

    async def play(self) -> None:
        await self.mode.play(SEATS[0], self._heard, self._chosen.send_nowait)

    async def shown(self) -> str:
        with trio.fail_after(10):
            return await self._pieces.receive()

    async def chosen(self) -> Wish:
        with trio.fail_after(10):
            return await self.choices.receive()

    def type(self, text: str) -> None:
        os.write(self.typing, text.encode())


@pytest.fixture
def desk():
    desk = Desk()
    yield desk
    for file in (desk.end, desk.typing):
        with suppress(OSError):  # a test may have closed it
            os.close(file)


async def test_news_come_as_lines_of_their_own_and_the_prompt_last(desk, nursery):
    nursery.start_soon(desk.play)
    await desk.news.send(MET)
    assert (await desk.shown()).startswith("You are playing Taro.")
    await desk.news.send(DUE)
    assert await desk.shown() == QUESTION + "> "
    await desk.news.send(TalkHeard("well?", "Taro", Seat(1)))
    assert await desk.shown() == "\n"
    assert await desk.shown() == "Taro says: well?\n> "
    desk.type("2 b\n")
    assert await desk.shown() == "\n"
    foretold = "On b it matches. Beaten by water 3.\n"
    assert await desk.shown() == f"{foretold}Seal water 2 on mat b? y: yes, n: no\n> "
    desk.type("y\n")
    assert await desk.chosen() == MakeMove(Play(1, 1))
    desk.news.close()
    assert await desk.shown() == "\n"


async def test_how_long_the_other_player_thinks_is_said_now_and_then(
    desk, nursery, autojump_clock
):
    theirs = deal(new_game(EDITION_2015, SEATS[1]), faces("T3 W1 B2 S4 W4 T1"))
    nursery.start_soon(desk.play)
    await desk.news.send(MET._replace(game=theirs))
    await desk.shown()
    for seconds in (30, 60, 120):
        with trio.fail_after(61):
            assert await desk._pieces.receive() == (
                f"Taro has been thinking for {seconds} s.\n"
            )
    await desk.news.send(DUE)
    assert await desk.shown() == QUESTION + "> "
    with trio.move_on_after(1000):
        await desk._pieces.receive()
        pytest.fail("nobody thinks but the person")
    desk.news.close()


async def test_end_of_input_leaves_the_game(desk, nursery):
    nursery.start_soon(desk.play)
    await desk.news.send(MET)
    os.close(desk.typing)
    assert await desk.chosen() == Leave()
    desk.news.close()


async def test_lines_come_whole_however_they_arrive(desk):
    desk.type("2 b\ny\nsay ")
    assert await desk.keyboard.read() == "2 b"
    assert await desk.keyboard.read() == "y"
    os.write(desk.typing, "茶\n".encode() + b"\xff")
    assert await desk.keyboard.read() == "say 茶"
    os.close(desk.typing)
    assert await desk.keyboard.read() == "\N{REPLACEMENT CHARACTER}"
    assert await desk.keyboard.read() is None


async def test_a_keyboard_that_is_closed_has_no_lines():
    end, typing = os.pipe()
    for file in (end, typing):
        os.close(file)
    keyboard = Keyboard(end)
    assert await keyboard.read() is None
    assert not keyboard.echoes


class Fixed:
    """A dialogue that answers by itself, and anew when the person types."""

    waiting = True
    pondered = None
    reply: Wish | None = None

    def hear(self, news: News) -> tuple[str, ...]:
        if isinstance(news, Decisions):
            self.reply = Propose(Proposal.BOOKS)
        return ()

    def __init__(self, _: object) -> None:
        pass

    async def perform(self, task: object, show: object) -> None:
        raise NotImplementedError

    def read(self, line: str) -> Answer:
        self.reply = Propose(Proposal.REMATCH) if line else None
        return Answer(())

    def tell_thinking(self, seconds: int) -> str:
        return str(seconds)


async def test_answer_of_the_program_is_sent_once(nursery):
    typist, choices = Typist(), list[Wish]()
    tell, news = trio.open_memory_channel[News](math.inf)
    mode = LineMode(lambda _: None, typist, Fixed)
    nursery.start_soon(mode.play, SEATS[0], news, choices.append)
    for piece in (Decisions(1), MET):
        tell.send_nowait(piece)
    typist.type.send_nowait("5")
    await trio.testing.wait_all_tasks_blocked()
    assert choices == [Propose(Proposal.BOOKS), Propose(Proposal.REMATCH)]


@pytest.mark.parametrize(
    ("bell", "rings"), [(Bell.NONE, [0, 0]), (Bell.TURN, [1, 0]), (Bell.ALL, [1, 1])]
)
async def test_bell_rings_where_a_person_has_asked_for_it(bell, rings, nursery):
    shown: list[str] = []
    typist = Typist()
    mode = LineMode(shown.append, typist, converse, bell)
    news, heard = trio.open_memory_channel[News](math.inf)
    nursery.start_soon(mode.play, SEATS[0], heard, lambda _: None)
    counts = []
    for piece in (MET, DUE, TalkHeard("hello", "Taro", Seat(1))):
        news.send_nowait(piece)
        await trio.testing.wait_all_tasks_blocked()
        counts.append("".join(shown).count("\a"))
    assert [counts[1] - counts[0], counts[2] - counts[1]] == rings
    assert counts[0] == 0


@pytest.mark.parametrize(
    ("display", "facts", "bell"),
    [
        ({}, False, Bell.NONE),
        ({"bell": None}, False, Bell.NONE),
        ({"bell": "turn"}, False, Bell.TURN),
        ({"bell": "all"}, False, Bell.ALL),
        ({"bell": "all"}, True, Bell.NONE),
    ],
)
def test_line_mode_has_no_bell_unless_asked_and_never_among_facts(
    display, facts, bell, monkeypatch
):
    made = []
    monkeypatch.setattr(
        "matcha_p2p.console.lines.lines.LineMode", lambda *parts: made.append(parts[-1])
    )
    front_end_for(Output(facts=facts), {"ui": "line", **display}, Keyboard(-1), "matcha")
    assert made == [bell]
