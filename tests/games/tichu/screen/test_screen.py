"""The screen of Tichu on a terminal: news in, choices out, and a whole round by keys alone."""

import math
import random
import threading
from functools import partial

import pytest
import trio
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from matcha_p2p.console.table.stage import Staged
from matcha_p2p.console.terminal.looks import Look, Speed
from matcha_p2p.console.terminal.skins import SYMBOLS
from matcha_p2p.games.front import Screen
from matcha_p2p.games.tichu import events, seated
from matcha_p2p.games.tichu.rules import round as rules
from matcha_p2p.games.tichu.rules.actions import (
    AnswerGrand,
    GiveCards,
    GiveTrick,
    Hold,
    Lay,
    TichuMove,
)
from matcha_p2p.games.tichu.rules.cards import DOG, DRAGON, MAH_JONG, NUMBERS, PHOENIX
from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.rules.round import Ask, seat_after
from matcha_p2p.games.tichu.screen import screen
from matcha_p2p.games.tichu.screen.keys import press
from matcha_p2p.games.tichu.screen.scene import Scene, Trick, hear, opening
from matcha_p2p.games.tichu.screen.screen import TichuView
from matcha_p2p.games.tichu.screen.show import Show
from matcha_p2p.narration.news import News, Wish
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import GameEvent, Leave, MakeMove, MoveDue
from matcha_p2p.table.step import AllGreeted, step
from matcha_p2p.table.table import next_due
from matcha_p2p.wire.talk import Say
from tests.games.tichu.party import game, lawful
from tests.games.tichu.screen.scenes import BEA, CARL, YOU, Told, opened
from tests.table.party import begun

SCREEN: Screen = screen  # the type checker compares each function
SPECIAL = {MAH_JONG: "M", DOG: "H", PHOENIX: "P", DRAGON: "D"}
RANKS = dict(zip(range(2, 15), "234567890JQKA", strict=True))


class Glass(DummyOutput):
    """An output that notes titles and bells."""

    def __init__(self) -> None:
        self.titles: list[str] = []
        self.bells = 0
        self.rung = threading.Event()
        self.flushed = threading.Event()

    def get_size(self) -> Size:
        return Size(rows=24, columns=80)

    def set_title(self, title: str) -> None:
        self.titles.append(title)

    def bell(self) -> None:
        self.bells += 1
        self.rung.set()

    def flush(self) -> None:
        self.flushed.set()


class Desk:
    """A full screen on a keyboard that a test types on."""

    def __init__(self, keyboard) -> None:
        self.keyboard, self.glass = keyboard, Glass()
        self.front = screen.full_screen(Look(SYMBOLS), None, None)
        self.news, self._heard = trio.open_memory_channel[News](math.inf)
        self._chosen, self.choices = trio.open_memory_channel[Wish](math.inf)

    async def play(self) -> None:
        with trio.fail_after(60), create_app_session(self.keyboard, self.glass):
            await self.front.play(YOU, self._heard, self._chosen.send_nowait)

    async def chosen(self) -> Wish:
        with trio.fail_after(20):
            return await self.choices.receive()

    def tell(self, *news: News) -> None:
        for piece in news:
            self.news.send_nowait(piece)


@pytest.fixture
def desk():
    with create_pipe_input() as keyboard:
        yield Desk(keyboard)


async def test_an_answer_is_chosen_with_the_bell_and_the_title(desk, nursery):
    nursery.start_soon(desk.play)
    desk.tell(*Told().first_eight().all)
    await trio.to_thread.run_sync(desk.glass.rung.wait)
    desk.keyboard.send_text("/hello\r\r")
    assert await desk.chosen() == Say("hello")
    assert await desk.chosen() == MakeMove(AnswerGrand(called=False))
    assert "tichu: your move" in desk.glass.titles
    assert desk.glass.bells >= 1
    desk.news.close()


async def test_a_seat_without_a_bomb_holds_by_itself(desk, nursery):
    story = Told()
    story.hands[YOU][3], story.hands[CARL][6] = story.hands[CARL][6], story.hands[YOU][3]
    story.deal().exchange().lay(CARL, "M").holds()
    nursery.start_soon(desk.play)
    desk.tell(*story.all)
    state = story.game.round._replace(asked=((YOU, Ask.HOLD),))
    desk.tell(MoveDue(story.view()._replace(state=state)))
    assert await desk.chosen() == MakeMove(Hold())
    desk.news.close()


async def test_closed_news_draw_nothing(desk):
    desk.news.close()
    await desk.play()
    assert not desk.glass.flushed.is_set()


async def test_a_person_who_leaves_ends_the_screen(desk, nursery):
    nursery.start_soon(desk.play)
    desk.tell(*Told().first_eight().all)
    await trio.to_thread.run_sync(desk.glass.flushed.wait)
    desk.keyboard.send_text("q1\r")
    assert await desk.chosen() == Leave()
    desk.news.close()


def test_a_play_of_another_is_seen_before_the_question_that_follows():
    """Our own plays are not held up."""
    story = opened()
    before = story.scene
    story.lay(CARL, "M")
    laid = GameEvent(story.scene.trick[-1][1], story.game)
    view = TichuView(Look(SYMBOLS))
    state, _ = view.hear(Staged(before, Show(Speed.NORMAL)), laid, 10.0)
    assert state.lasts(10.0) == pytest.approx(1.6)
    asked, _ = view.hear(state, MoveDue(story.view()), 10.1)
    assert not asked.seen(10.2).asked
    assert asked.finish("enter", 10.2)[1]


def test_no_play_is_skipped_while_others_play_on():
    story, state = opened(), Staged(opened().scene, Show(Speed.NORMAL))
    story.lay(CARL, "M")
    laid = GameEvent(story.scene.trick[-1][1], story.game)
    for _ in range(9):
        state, _ = TichuView(Look(SYMBOLS)).hear(state, laid, 10.0)
    assert state.lasts(10.0) == pytest.approx(9 * 1.6)


def test_trick_is_remembered_by_the_play_that_took_it():
    story = opened().lay(CARL, "B2").holds()
    story.change(partial(rules.hold, seat=YOU)).holds().lay(BEA, "GK").holds()
    while story.game.round.under is not None:
        seat, ask = story.game.round.asked[0]
        turn = rules.hold if ask is Ask.HOLD else rules.pass_turn
        story.change(partial(turn, seat=seat))
    assert story.scene.tricks == (Trick(BEA, "GK", 10),)


def keys_of(view: Observation, move: TichuMove) -> str:
    """Return the keys that begin ``move``; some confirmations may follow."""

    def ranks(places) -> str:
        cards = [view.held[place] for place in places]
        return "".join(SPECIAL.get(face) or RANKS[NUMBERS[face]] for face in cards)

    match move:
        case AnswerGrand(called):
            return "gy" if called else "\r"
        case GiveCards((right, partner, left)):
            return ranks((left, partner, right)) + "\r"
        case GiveTrick(receiver):
            return "2\r" if receiver == seat_after(view.seat) else "1\r"
        case Lay(places):
            return f"{ranks(places)}\r"
        case _:
            return "p"


def through(scene: Scene, typed: str) -> tuple[Scene, MakeMove, str]:
    """Type ``typed`` where nothing is marked, and Enter until a choice is made.

    Return what was typed too.
    """
    left, pressed = ["\x7f", *typed], ""
    while len(pressed) < 30:
        key = left.pop(0) if left else "\r"
        pressed += key
        scene, choice = press(scene, {"\r": "enter", "\x7f": "c-h"}.get(key, key))
        if isinstance(choice, MakeMove):
            return scene, choice, pressed
    raise AssertionError(scene.told[-3:])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
async def test_a_round_is_played_by_keys_alone(seed, desk, nursery):
    """The others play at random; the pure scene beside the screen says which keys are left."""
    party, chance = begun(f"tichu on screen {seed}", game("round")), random.Random(seed)
    scene = opening(YOU)
    nursery.start_soon(desk.play)

    def tell(*news: News) -> None:
        nonlocal scene
        for piece in news:
            scene = hear(scene, piece)
        desk.tell(*news)

    def told(happened) -> None:
        told = seated.told(happened, party.players[YOU])
        tell(*(GameEvent(event, seated.state(party.table)) for event in told))

    async def decide(seat: Seat):
        nonlocal scene
        view = seated.look(party.players[seat], party.table)
        if seat != YOU:
            return lawful(view, chance)
        desk.glass.rung.clear()
        tell(MoveDue(view))
        if scene.reply is None:
            scene, choice, pressed = through(scene, keys_of(view, lawful(view, chance)))
            await trio.to_thread.run_sync(desk.glass.rung.wait)  # the screen asks
            desk.keyboard.send_text(pressed)
            assert await desk.chosen() == choice
            return choice.move
        reply = await desk.chosen()
        assert reply == MakeMove(scene.reply)
        return scene.reply

    told([AllGreeted(party.table)])
    await trio.to_thread.run_sync(desk.glass.flushed.wait)
    while (due := next_due(party.table)) is not None:
        move = await decide(due.seat) if due.decision else None
        before = party.table
        party.goes_on(lambda _, move=move: move)
        told(step(before, party.entries[-1])[1])
    assert isinstance(scene.end, events.GameEnded)
    desk.news.close()
    with trio.fail_after(10):
        while not desk.choices.statistics().current_buffer_used:
            desk.keyboard.send_text("\r")
            await trio.lowlevel.checkpoint()
    assert await desk.chosen() == Leave()
