"""No hand changes the time of an answer (PEER#windows).

Four sessions play Tichu on trio's clock. A test changes only the faces that a seat sees when it
is asked, and the seats choose the same moves: so each entry must come at the same time.
"""

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
import trio

from matcha_p2p.app.game.bot_seat import BotSeat
from matcha_p2p.console.terminal.looks import Look
from matcha_p2p.console.terminal.skins import SYMBOLS
from matcha_p2p.crypto.sponge import H
from matcha_p2p.games.tichu.conversation import Conversation
from matcha_p2p.games.tichu.game import GAME as TICHU
from matcha_p2p.games.tichu.rules.actions import AnswerGrand, GiveCards, Hold, Pass
from matcha_p2p.games.tichu.rules.observation import Laid, Observation
from matcha_p2p.games.tichu.rules.round import Ask
from matcha_p2p.games.tichu.screen.screen import TichuView
from matcha_p2p.games.tichu.table.seated import RULES
from matcha_p2p.games.tichu.table.steps import new_game
from matcha_p2p.games.timing import InWindow
from matcha_p2p.narration.news import News
from matcha_p2p.seats import Seat
from matcha_p2p.session import driver
from matcha_p2p.session.chain import PAUSES, SHORTEST_PAUSE, Chain
from matcha_p2p.session.connection.changes import Arrived, LineUp
from matcha_p2p.session.driver import Driver
from matcha_p2p.session.news import (
    GameEvent,
    Inbox,
    MakeMove,
    MoveDue,
    Terms,
    Think,
    WindowOpened,
)
from matcha_p2p.session.step import step as session
from matcha_p2p.transport.framing import Frame
from matcha_p2p.transport.names import Binding, Psk
from tests.duel import roster_of, secrets_of
from tests.session.room import judge_once

PACE = 2
SEATS = tuple(map(Seat, range(4)))
ENTRIES = 110
"""Entries until a room is closed: a deal, an exchange and some tricks."""

FOURS = tuple(number + 13 * suit for number in (8, 9, 10, 11) for suit in range(4))
"""Sixteen cards with bombs; whoever holds 14 of them can bomb most plays."""
POOR = (52, 53)
"""The Mah Jong and the Dog, which beat nothing."""

Entry = tuple[float, Seat, Observation | None]
Hands = Callable[[Observation], tuple[int | None, ...]]


def as_dealt(seen: Observation) -> tuple[int | None, ...]:
    return seen.hand


def holding(faces: tuple[int, ...]) -> Hands:
    """Let a seat see ``faces`` in its hand whenever it may hold or pass."""

    def hands(seen: Observation) -> tuple[int | None, ...]:
        if seen.asked is Ask.HOLD or (seen.asked is Ask.TURN and seen.state.under):
            return tuple(faces[place % len(faces)] for place in range(len(seen.hand)))
        return seen.hand

    return hands


def move_of(seen: Observation) -> Any:
    """Return the quiet answer, or the first legal one.

    Seat 1 calls Grand Tichu: a seat that can still call has two answers with any hand.
    """
    match seen.asked:
        case Ask.GRAND:
            return AnswerGrand(called=seen.seat == 1)
        case Ask.PUSH:
            return GiveCards((0, 1, 2))
        case Ask.HOLD:
            return Hold()
        case Ask.TURN if seen.state.under is not None:
            return Pass()
        case _:
            return seen.legal_moves()[0]


class Quiet:
    """A bot that passes and holds, and leads its first card."""

    name = "quiet"

    def choose(self, seen: Observation, _: object) -> Any:
        return move_of(seen)


class Memory:
    """A ledger on no disk. It notes the time of each entry of its seat."""

    def __init__(self, chain: Chain, said: list[Entry], enough: trio.Event) -> None:
        self.chain, self._said, self._enough = chain, said, enough

    def holds(self, chain: Chain) -> bool:
        return chain is self.chain

    def become(self, chain: Chain) -> None:
        before, length = self.chain, len(self.chain.entries)
        for entry in chain.entries[length:]:
            if entry.seat == chain.seat and before.met:
                view: Any = before.view if len(chain.entries) == length + 1 else None
                self._said.append((trio.current_time(), entry.seat, view))
        self.chain = chain
        if len(self._said) >= ENTRIES:
            self._enough.set()


class Wires:
    """Carries frames to the inboxes at once."""

    def __init__(self, ends: dict[Binding, dict[Seat, Inbox]], seat: Seat) -> None:
        self._ends, self._seat = ends, seat

    async def send(self, binding: Binding, frame: Frame) -> None:
        for seat, inbox in self._ends[binding].items():
            if seat != self._seat:
                inbox.put(Arrived(binding, frame))

    async def hang_up(self, binding: Binding, why: str) -> None:
        raise AssertionError(f"{binding.hex()}: {why}")


async def by_lines(
    seat: Seat, heard: AsyncIterator[News], choose: Callable[[Any], None]
) -> None:
    """Play a person in line mode who says nothing about bombs, and takes 3 s for all else."""
    talk = Conversation(seat, TICHU)
    sent = None
    async for piece in heard:
        talk.hear(piece)
        if talk.reply is not None and talk.reply is not sent:
            sent = talk.reply
            choose(sent)
        await at_leisure(piece, choose)


async def by_screen(
    seat: Seat, heard: AsyncIterator[News], choose: Callable[[Any], None]
) -> None:
    """Play the same person at the full screen."""
    view = TichuView(Look(SYMBOLS))
    state = view.begin(seat)
    async for piece in heard:
        state, choice = view.hear(state, piece, trio.current_time())
        if choice is not None:
            choose(choice)
        await at_leisure(piece, choose)


async def hasty(seat: Seat, heard: AsyncIterator[News], choose: Callable[[Any], None]) -> None:
    """Play a person who answers everything at once."""
    del seat
    async for piece in heard:
        if isinstance(piece, MoveDue):
            choose(MakeMove(move_of(piece.view)))


async def at_leisure(piece: News, choose: Callable[[Any], None]) -> None:
    if isinstance(piece, MoveDue) and piece.view.asked is not Ask.HOLD:
        await trio.sleep(3)
        choose(MakeMove(move_of(piece.view)))


async def by_bot(seat: Seat, heard: AsyncIterator[News], choose: Callable[[Any], None]) -> None:
    await BotSeat(Quiet(), "tichu", 1, lambda _: None).play(seat, heard, choose)


async def silent(seat: Seat, heard: AsyncIterator[News], choose: Callable[[Any], None]) -> None:
    async for piece in heard:
        if isinstance(piece, MoveDue) and not (
            seat == 1 and piece.view.asked is Ask.TURN and piece.view.state.under
        ):
            choose(MakeMove(move_of(piece.view)))


async def thinker(
    seat: Seat, heard: AsyncIterator[News], choose: Callable[[Any], None]
) -> None:
    """Play a person who thinks for 50 s about every bomb."""
    del seat
    async for piece in heard:
        if isinstance(piece, MoveDue):
            if piece.view.asked is Ask.HOLD:
                choose(Think())
                await trio.sleep(50)
            choose(MakeMove(move_of(piece.view)))


PLAYERS = {"lines": by_lines, "screen": by_screen, "hasty": hasty, "bot": by_bot}


@pytest.fixture(scope="module")
def judged() -> dict[tuple[bytes, bytes], Any]:
    """Return the judgements of entries: all games of this file begin alike."""
    return {}


@pytest.fixture(autouse=True)
def inline(monkeypatch, judged) -> None:
    """Compute in no thread: a clock that jumps does not wait for one."""
    judge_once(monkeypatch, judged)

    async def run(work: Callable[..., Any], *args: Any, **_: Any) -> Any:
        await trio.lowlevel.checkpoint()
        return work(*args)

    monkeypatch.setattr(driver, "in_thread", run)
    monkeypatch.setattr(trio.to_thread, "run_sync", run)


async def play(
    monkeypatch,
    player: str,
    rigged: Hands,
    *,
    pace: int = PACE,
    views: list[Observation] | None = None,
    **terms: Any,
) -> list[Entry]:
    """Return the entries of all seats while seat 1 sees the cards of ``rigged``.

    An entry has the view of its seat, unless the seat signed it with another one. views: gets
    the views of seat 1.
    """
    look = RULES.look

    def rigged_look(player: Any, table: Any, told: Any) -> Observation:
        seen = look(player, table, told)
        if player.seat != 1:
            return seen
        rigged_view = seen._replace(hand=rigged(seen))
        if views is not None:
            views.append(rigged_view)
        return rigged_view

    with monkeypatch.context() as patch:
        patch.setattr(RULES, "look", rigged_look)
        said, enough = list[Entry](), trio.Event()
        game = new_game("round", 4)
        roster = roster_of("clock", game, [f"seat {seat}" for seat in SEATS])
        inboxes = {seat: Inbox() for seat in SEATS}
        ends = {
            Binding(H("test link", bytes([seat]))): {
                Seat(0): inboxes[Seat(0)],
                seat: inboxes[seat],
            }
            for seat in SEATS[1:]
        }
        start = trio.current_time()
        async with trio.open_nursery() as nursery:
            for seat in SEATS:
                secrets = secrets_of("clock", seat)
                chain = Chain.begin(seat, secrets, Psk(bytes(32)), roster)
                chain = replace(chain, pace=pace)
                ups = [
                    LineUp(binding, None, next(it for it in two if it != seat))
                    for binding, two in ends.items()
                    if seat in two
                ]
                own = Terms(f"seat {seat}", "tichu", "round", open_book=False, seats=4, **terms)
                told, heard = trio.open_memory_channel[News](1000)
                memory: Any = Memory(chain, said, enough)
                run = Driver(memory, Wires(ends, seat), inboxes[seat].take, told.send_nowait)
                nursery.start_soon(PLAYERS[player], seat, heard, inboxes[seat].put)
                nursery.start_soon(go, run, session.begin(chain, own, *ups))
            await enough.wait()
            nursery.cancel_scope.cancel()
    return [(round(at - start, 6), seat, view) for at, seat, view in said[:ENTRIES]]


async def go(run: Driver, begun: Any) -> None:
    await run.play(await run.begin(begun))


def times(said: list[Entry]) -> list[tuple[float, Seat]]:
    return [(at, seat) for at, seat, *_ in said]


def asked(said: list[Entry], ask: Ask) -> Iterator[tuple[float, Observation]]:
    return ((at, view) for at, _, view in said if view is not None and view.asked is ask)


@pytest.mark.parametrize("player", PLAYERS)
async def test_no_hand_changes_the_time_of_an_answer(monkeypatch, autojump_clock, player):
    """A hand with bombs and plays, a hand without, and the hand as dealt."""
    terms = {"bot": player == "bot", "passes": player == "hasty"}
    seen: list[list[Observation]] = [[], []]
    rich = await play(monkeypatch, player, holding(FOURS), views=seen[0], **terms)
    poor = await play(monkeypatch, player, holding(POOR), views=seen[1], **terms)
    assert times(rich) == times(poor)
    assert times(rich) == times(await play(monkeypatch, player, as_dealt, **terms))
    for ask in (Ask.HOLD, Ask.TURN):
        choices = [
            {len(view.legal_moves()) for view in views if view.asked is ask} for views in seen
        ]
        assert max(choices[0]) > 1
        assert min(choices[1]) == 1  # the hand has no other answer, and nobody sees that


async def test_answers_in_a_window_come_when_the_time_of_the_table_is_over(
    monkeypatch, autojump_clock
):
    for pace in (1, 3):
        said = await play(monkeypatch, "hasty", as_dealt, pace=pace)
        held = [at for at, _ in asked(said, Ask.HOLD)]
        before = [max(at for at, *_ in said if at < each) for each in held]
        assert {round(at - last, 6) for at, last in zip(held, before, strict=True)} == {pace}


@pytest.mark.parametrize(("player", "terms"), [("bot", "bot"), ("hasty", "passes")])
async def test_pass_of_a_program_takes_a_time_drawn_for_any_hand(
    monkeypatch, autojump_clock, player, terms
):
    said = await play(monkeypatch, player, holding(POOR), **{terms: True})
    waits = []
    for (before, *_), (at, _, view) in pairwise(said):
        if view is not None and view.asked is Ask.TURN and view.state.under is not None:
            waits.append(at - before)
    assert len(set(waits)) > len(waits) / 2
    assert min(waits) >= SHORTEST_PAUSE
    assert max(waits) <= SHORTEST_PAUSE + PAUSES


@pytest.mark.parametrize("cards", [FOURS, POOR])
async def test_program_passes_for_a_person_only_where_nothing_else_is_possible(
    monkeypatch, autojump_clock, cards
):
    """The person at seat 1 never answers a play: with cards that fit the game stands still."""
    monkeypatch.setitem(PLAYERS, "silent", silent)
    with trio.move_on_after(1000) as limit:
        await play(monkeypatch, "silent", holding(cards), passes=True)
    assert limit.cancelled_caught is (cards == FOURS)


async def test_person_who_takes_more_time_is_waited_for(monkeypatch, autojump_clock):
    monkeypatch.setitem(PLAYERS, "thinker", thinker)
    said = await play(monkeypatch, "thinker", as_dealt)
    assert max(at for at, *_ in said) > 100


async def test_person_hears_of_a_window_before_the_question_in_it(monkeypatch, autojump_clock):
    """A front end that hears of the window later takes the question for one without time."""
    untold, windows = list[Observation](), set[int]()

    async def attentive(
        _: Seat, heard: AsyncIterator[News], choose: Callable[[Any], None]
    ) -> None:
        opened = False
        async for piece in heard:
            match piece:
                case GameEvent(Laid()):
                    opened = False
                case WindowOpened():
                    opened = True
                    windows.add(1)
                case MoveDue(view):
                    if isinstance(view.timing(), InWindow) and not opened:
                        untold.append(view)
                    choose(MakeMove(move_of(view)))
                case _:
                    pass

    monkeypatch.setitem(PLAYERS, "attentive", attentive)
    await play(monkeypatch, "attentive", as_dealt)
    assert windows
    assert not untold
