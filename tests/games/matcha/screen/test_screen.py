"""The screen in its thread, beside trio: news in, choices out, and every way to end."""

import math
import threading
from select import select

import pytest
import trio
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from matcha_p2p.console.table.stage import Staged
from matcha_p2p.console.terminal.looks import Bell, Look, Speed
from matcha_p2p.console.terminal.skins import SYMBOLS
from matcha_p2p.games.matcha.replay import analyse
from matcha_p2p.games.matcha.rules.edition import EDITION_2015
from matcha_p2p.games.matcha.rules.game import deal, new_game, resign
from matcha_p2p.games.matcha.rules.judgement import JudgedMove, Judgement
from matcha_p2p.games.matcha.rules.moves import PASS, Play
from matcha_p2p.games.matcha.rules.observation import observe
from matcha_p2p.games.matcha.rules.phases import Ended
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.games.matcha.screen.scene import Scene
from matcha_p2p.games.matcha.screen.screen import TableView, full_screen
from matcha_p2p.games.matcha.screen.show import Show
from matcha_p2p.games.matcha.table.events import Met, ended_by
from matcha_p2p.narration.news import News, Wish
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import GameEvent, Leave, MakeMove, MoveDue, PhraseHeard, TalkHeard
from matcha_p2p.wire.names import GameId
from matcha_p2p.wire.talk import Say
from tests.console.scenes import MINE, TABLE

GAME = deal(new_game(EDITION_2015, SEATS[0]), TABLE)
MET = GameEvent(Met(GameId(bytes(32)), EDITION_2015, ("Taro", "Mina")), GAME)
DUE = MoveDue(observe(GAME, SEATS[0], MINE))
LOST = resign(GAME, SEATS[0])
assert isinstance(LOST.phase, Ended)
END = GameEvent(ended_by(LOST.phase, LOST.tokens), LOST)


class Glass(DummyOutput):
    """An output that notes titles and bells, and fails when it is broken."""

    def __init__(self) -> None:
        self.titles: list[str] = []
        self.bells = 0
        self.fault: BaseException | None = None
        self.flushed = threading.Event()
        self.rung = threading.Event()

    def get_size(self) -> Size:
        return Size(rows=24, columns=80)

    def set_title(self, title: str) -> None:
        self.titles.append(title)

    def bell(self) -> None:
        self.bells += 1
        self.rung.set()

    def flush(self) -> None:
        if self.fault is not None:
            raise self.fault
        self.flushed.set()


class Desk:
    """A full screen on a keyboard that a test types on."""

    def __init__(self, keyboard) -> None:
        self.keyboard, self.glass = keyboard, Glass()
        self.sit()
        self.news, self._heard = trio.open_memory_channel[News](math.inf)
        self._chosen, self.choices = trio.open_memory_channel[Wish](math.inf)

    def sit(self, advise=None) -> None:
        self.front = full_screen(Look(SYMBOLS), analyse, advise)

    async def play(self, task_status=trio.TASK_STATUS_IGNORED) -> None:
        task_status.started()
        with trio.fail_after(20), create_app_session(self.keyboard, self.glass):
            await self.front.play(SEATS[0], self._heard, self._chosen.send_nowait)
        self.news.close()

    async def chosen(self) -> Wish:
        with trio.fail_after(10):
            return await self.choices.receive()

    def tell(self, *news: News) -> None:
        for piece in news:
            self.news.send_nowait(piece)


@pytest.fixture
def desk():
    with create_pipe_input() as keyboard:
        yield Desk(keyboard)
    assert not [
        t for t in threading.enumerate() if t.name.startswith("Trio") and t.daemon is None
    ]


async def test_a_move_is_chosen_with_the_bell_and_the_title_of_the_terminal(desk, nursery):
    nursery.start_soon(desk.play)
    desk.tell(MET, DUE)
    await trio.to_thread.run_sync(desk.glass.rung.wait)
    desk.keyboard.send_text("2b\r/well\r")
    assert await desk.chosen() == MakeMove(Play(1, 1))
    assert await desk.chosen() == Say("well")
    assert desk.glass.titles == ["matcha: Mina", "matcha: your move", "matcha: Mina"]
    desk.news.close()


async def seeking_a_hint(desk, nursery, best, keys) -> threading.Event:
    """Press ``keys``, with h first, and return while ``best`` is sought, until the event."""
    begun, sought = threading.Event(), threading.Event()

    def advise(_) -> Judgement:
        begun.set()
        sought.wait(10)
        return Judgement((JudgedMove(best, 0.5, 0.01),), exact=False)

    desk.sit(advise)
    nursery.start_soon(desk.play)
    desk.tell(MET, DUE)
    await trio.to_thread.run_sync(desk.glass.rung.wait)
    desk.keyboard.send_text(keys)
    assert await trio.to_thread.run_sync(begun.wait, 10)
    return sought


async def test_keys_are_obeyed_while_a_hint_is_sought(desk, nursery):
    sought = await seeking_a_hint(desk, nursery, PASS, "h")
    desk.keyboard.send_text("2b\r")
    assert await desk.chosen() == MakeMove(Play(1, 1))
    sought.set()
    desk.news.close()


async def test_enter_right_after_h_gives_the_advised_move(desk, nursery):
    sought = await seeking_a_hint(desk, nursery, Play(1, 1), "h\r/well\r")
    assert await desk.chosen() == Say("well")
    sought.set()
    assert await desk.chosen() == MakeMove(Play(1, 1))
    desk.news.close()


async def test_closed_news_draw_nothing(desk):
    desk.news.close()
    await desk.play()
    assert not desk.glass.flushed.is_set()


async def test_a_game_that_breaks_off_closes_the_screen(desk):
    desk.tell(MET, DUE)
    desk.news.close()
    await desk.play()
    assert desk.glass.titles[:2] == ["matcha: Mina", "matcha: your move"]
    assert desk.glass.bells == 1


async def test_the_end_of_a_game_stays_until_enter(desk, nursery):
    desk.tell(MET, END)
    desk.news.close()
    closed = trio.Event()

    async def play() -> None:
        await desk.play()
        closed.set()

    nursery.start_soon(play)
    await trio.to_thread.run_sync(desk.glass.flushed.wait)
    assert not closed.is_set()
    with trio.fail_after(10):
        while not closed.is_set():
            if not select([desk.keyboard], (), (), 0)[0]:  # each key so far is read
                desk.keyboard.send_text("\r")
            await trio.lowlevel.checkpoint()


@pytest.mark.slow
async def test_a_closed_keyboard_leaves_the_game(desk, nursery):
    desk.tell(MET, DUE)
    nursery.start_soon(desk.play)
    await trio.to_thread.run_sync(desk.glass.flushed.wait)
    desk.keyboard.close()
    assert await desk.chosen() == Leave()
    desk.news.close()


async def test_a_terminal_that_is_gone_leaves_the_game(desk, nursery):
    desk.tell(MET)
    nursery.start_soon(desk.play)
    await trio.to_thread.run_sync(desk.glass.flushed.wait)
    desk.glass.fault = OSError(5, "Input/output error")
    desk.tell(DUE)
    assert await desk.chosen() == Leave()
    desk.news.close()


async def test_a_fault_of_our_own_in_drawing_ends_the_screen_and_is_raised(desk, monkeypatch):
    def fail(scene, news):
        raise ZeroDivisionError

    monkeypatch.setattr(TableView, "told", staticmethod(fail))
    desk.tell(MET)
    with pytest.RaisesGroup(ZeroDivisionError, flatten_subgroups=True):
        await desk.play()


async def test_cancelled_screen_gives_the_terminal_back(desk):
    desk.tell(MET, DUE)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(desk.play)
        await trio.to_thread.run_sync(desk.glass.flushed.wait)
        nursery.cancel_scope.cancel()


async def test_cancelling_before_the_screen_opens_ends_it(desk):
    desk.tell(MET)
    with trio.move_on_after(0):
        await desk.play()


@pytest.mark.slow
async def test_screens_open_and_close_many_times(desk):
    threads = threading.active_count()
    for _ in range(20):
        with create_pipe_input() as keyboard:
            other = Desk(keyboard)
            other.tell(MET, DUE)
            other.news.close()
            await other.play()
    assert threading.active_count() <= threads + 1


async def test_keys_are_answered_while_trio_is_busy(desk, nursery):
    """Every key is drawn before trio's thread gets to do anything else."""
    desk.tell(MET, DUE)
    nursery.start_soon(desk.play)
    await trio.to_thread.run_sync(desk.glass.rung.wait)
    drawn = []

    def type_keys() -> None:
        for key in "12345":
            desk.glass.flushed.clear()
            desk.keyboard.send_text(key)
            drawn.append(desk.glass.flushed.wait(10))

    typist = threading.Thread(target=type_keys)
    typist.start()
    while typist.is_alive():
        sum(range(10_000))  # holds trio's thread: no task of it runs meanwhile
    desk.news.close()
    assert drawn == [True] * 5


@pytest.mark.parametrize(
    ("bell", "rings"), [(Bell.TURN, [1, 1, 1]), (Bell.ALL, [1, 2, 3]), (Bell.NONE, [0, 0, 0])]
)
def test_bell_rings_for_requested_events(bell, rings):
    view = TableView(Look(SYMBOLS, bell=bell))
    state = Staged(Scene(0), Show(Speed.OFF))
    heard_before, rung, count = frozenset(), [], 0
    state, _ = view.hear(state, MET, 0.0)
    for news in (DUE, TalkHeard("hello", "Taro", Seat(1)), PhraseHeard(3, "Taro", Seat(1))):
        state, _ = view.hear(state, news, 0.0)
        calls = view.status(state, 0.0).calls
        count += bool(calls - heard_before)
        heard_before = calls
        rung.append(count)
    assert rung == rings
