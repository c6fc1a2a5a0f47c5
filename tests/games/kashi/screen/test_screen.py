"""Whole games at the screen, by keys alone and by clicks alone, against bots."""

import math
import random
import threading
from collections.abc import Iterator

import pytest
import trio
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from matcha_p2p.console.table.stage import Staged
from matcha_p2p.console.terminal.cells import key_of
from matcha_p2p.console.terminal.looks import Look, Speed
from matcha_p2p.console.terminal.skins import ASCII
from matcha_p2p.games.kashi.bots.bot import Bot
from matcha_p2p.games.kashi.rules import game as rules
from matcha_p2p.games.kashi.rules.deck import draw as drawn
from matcha_p2p.games.kashi.rules.moves import (
    AnswerIdle,
    Move,
    PayUpkeep,
    StartAt,
    TakeTurn,
)
from matcha_p2p.games.kashi.rules.notation import parse_action
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.rules.state import ROW, Drawing, Ended, GameState, Opening, Turn
from matcha_p2p.games.kashi.screen.drawing import layout
from matcha_p2p.games.kashi.screen.scene import WAITING
from matcha_p2p.games.kashi.screen.screen import TableView, full_screen
from matcha_p2p.games.kashi.screen.show import Show
from matcha_p2p.games.kashi.table import events
from matcha_p2p.games.kashi.table.told import ending
from matcha_p2p.narration.news import News, Wish
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import GameEvent, Leave, MakeMove, MoveDue
from tests.games.kashi.players import CARELESS, GREEDY
from tests.games.kashi.rules.positions import BOARD
from tests.games.kashi.scenes import MET, OWN, Story, market
from tests.games.kashi.screen.typist import keys_of

BYTES = {"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "enter": "\r"}


class Hall:
    """A table of the rules alone: bots at the other seats, orders by chance."""

    def __init__(self, seed: int) -> None:
        self.game: GameState = rules.new_game(BOARD, 3)
        self._rng = random.Random(seed)

    def until_own(self) -> Iterator[News]:
        """Yield the news until our seat is due, or the game is over."""
        while self.game.due != OWN and not isinstance(self.game.phase, Ended):
            match self.game.phase:
                case Opening():
                    yield from self._draw(ROW)
                case Drawing(count):
                    yield from self._draw(count)
                case _:
                    seat = self.game.due
                    assert seat is not None
                    yield from self.make(seat, self.choice(seat, GREEDY))
        if isinstance(self.game.phase, Ended):
            yield GameEvent(ending(self.game), self.game)
        else:
            yield MoveDue(Outlook(self.game, OWN))

    def choice(self, seat: Seat, bot: Bot) -> Move:
        return bot.choose(Outlook(self.game, seat), self._rng)

    def make(self, seat: Seat, move: Move) -> Iterator[News]:
        self.game = rules.choose(self.game, seat, move)
        yield GameEvent(_event(seat, move), self.game)

    def _draw(self, count: int) -> Iterator[News]:
        orders = drawn(BOARD, self.game.drawn, count, self._rng.randrange)
        opens = isinstance(self.game.phase, Opening)
        self.game = (rules.open_row if opens else rules.draw)(self.game, orders)
        yield GameEvent(events.OrdersDrawn(orders), self.game)


def _event(seat: Seat, move: Move) -> events.Event:
    match move:
        case StartAt(square):
            return events.Started(seat, square)
        case TakeTurn(actions):
            return events.TurnTaken(seat, actions)
        case PayUpkeep(gold):
            return events.UpkeepPaid(seat, gold, 0)
        case AnswerIdle(settle):
            return events.IdleAnswered(seat, settle)


@pytest.mark.parametrize("mouse", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("seed", "bot"), [(1, GREEDY), (2, GREEDY), (3, CARELESS)])
def test_each_move_of_whole_games_can_be_made(seed, bot, mouse):
    """By keys alone, or by clicks alone: each click is on something that is drawn."""
    hall, story = Hall(seed), Story(rules.new_game(BOARD, 3))
    for _ in range(60):
        story.tell(*hall.until_own())
        if isinstance(hall.game.phase, Ended):
            break
        move = hall.choice(OWN, bot)
        for key in keys_of(Outlook(hall.game, OWN), move, mouse=mouse):
            if mouse:
                lines = layout.draw(story.scene, 80, 24, ASCII).body
                assert key in {key_of(style) for line in lines for style, _ in line}
            story.press(key)
        assert story.sent[-1] == MakeMove(move)
        assert story.scene.question == WAITING
        story.tell(*hall.make(OWN, move))
    assert len(story.sent) > 20


class Glass(DummyOutput):
    """An output that notes the bell."""

    def __init__(self) -> None:
        self.rung = threading.Event()

    def get_size(self) -> Size:
        return Size(rows=24, columns=80)

    def bell(self) -> None:
        self.rung.set()


@pytest.mark.slow
async def test_a_whole_game_is_played_by_keys_at_a_terminal(nursery):
    hall, glass = Hall(1), Glass()
    to_screen, news = trio.open_memory_channel[News](math.inf)
    to_table, choices = trio.open_memory_channel[Wish](math.inf)
    front = full_screen(Look(ASCII), None, None)
    with create_pipe_input() as keyboard, trio.fail_after(120):

        async def play() -> None:
            with create_app_session(keyboard, glass):
                await front.play(OWN, news, to_table.send_nowait)

        nursery.start_soon(play)
        to_screen.send_nowait(GameEvent(MET, hall.game))
        made = 0
        while True:
            for piece in hall.until_own():
                to_screen.send_nowait(piece)
            if isinstance(hall.game.phase, Ended):
                break
            await trio.to_thread.run_sync(glass.rung.wait)
            glass.rung.clear()
            move = hall.choice(OWN, GREEDY)
            pressed = keys_of(Outlook(hall.game, OWN), move)
            keyboard.send_text("".join(BYTES.get(key, key) for key in pressed))
            assert await choices.receive() == MakeMove(move)
            made += 1
            for piece in hall.make(OWN, move):
                to_screen.send_nowait(piece)
        assert made > 20
        keyboard.send_text("q")
        while True:
            keyboard.send_text("\r")
            with trio.move_on_after(0.05):
                assert await choices.receive() == Leave()
                break
        to_screen.close()


def test_the_turn_of_another_player_is_shown_step_by_step():
    game = market()._replace(turns=4, phase=Turn(Seat(1), 5))
    texts = ("go:7,4/1", "gold", "go:7,5", "go:7,6")
    actions = tuple(parse_action(BOARD, text) for text in texts)
    after = rules.take_turn(game, 1, actions)
    state = Staged(Story(game).scene, Show(Speed.NORMAL))
    taken = GameEvent(events.TurnTaken(Seat(1), actions), after)
    state, _ = TableView(Look(ASCII)).hear(state, taken, 10.0)
    persons = []
    for beat in range(4):
        seen = state.seen(10.0 + 0.4 * beat + 0.1)
        persons.append(BOARD.name_of(seen.game.players[1].person))
    assert persons == ["7,4", "7,5", "7,6", "7,6"]
    assert [square for square, _ in state.seen(10.1).lit][-1] == BOARD.destinations[1]
    assert state.changes_in(12.0) is None


def test_key_during_the_turn_of_another_answers_no_turn_that_is_not_seen_yet():
    game = market()._replace(turns=4, phase=Turn(Seat(1), 5))
    actions = tuple(parse_action(BOARD, text) for text in ("go:7,4/1", "gold"))
    taken = GameEvent(events.TurnTaken(Seat(1), actions), rules.take_turn(game, 1, actions))
    view, asked = TableView(Look(ASCII)), Story(market()).ask().scene
    state, _ = view.hear(Staged(Story(game).scene, Show(Speed.NORMAL)), taken, 10.0)
    assert state.to(asked).lasts(10.1) > 0
    during, _ = view.press(state.to(asked), "g", 10.1)
    assert (during.scene.question, during.lasts(10.1)) == (asked.question, 0)
    after, _ = view.press(during, "g", 10.2)
    assert after.scene.question != asked.question
