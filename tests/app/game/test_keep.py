"""A finished game is stored when its result is signed, not when the table closes."""

import errno
import math
import random
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio

from matcha_p2p.app.bots.opponents import opponent
from matcha_p2p.app.command.outcomes import Exit
from matcha_p2p.app.command.output import Output
from matcha_p2p.app.game.keep import SavedGames, trying
from matcha_p2p.app.game.play import FinishedGames, has_arrived
from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.app.game.seat import set_up_seat
from matcha_p2p.app.practice.practice import PracticeGame
from matcha_p2p.chain.verify import Verdict, verify_transcript
from matcha_p2p.console.menu.menu import Back, Chosen
from matcha_p2p.console.terminal.keyboard import Keyboard
from matcha_p2p.errors import HomeError
from matcha_p2p.games import game_of
from matcha_p2p.narration.news import News, TakeBack
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.session.news import (
    Concede,
    Finished,
    MakeMove,
    MoveDue,
    Propose,
    Settled,
    TakenUp,
)
from matcha_p2p.session.reconnect import Place
from matcha_p2p.session.series import Series
from matcha_p2p.store.home import Home
from matcha_p2p.wire.talk import Proposal
from tests.session.room import Room, know_toy

TABLES = ["pair", "star of three", "star of four"]


@pytest.fixture
def home(tmp_path):
    return Home.find(tmp_path)


@pytest.fixture
def full(monkeypatch):
    """Return the count of writes of games that the full disk still refuses."""
    left, write = [0], Home.store_transcript

    def store(home, *what):
        if left[0]:
            left[0] -= 1
            raise HomeError("{path} cannot be used: {reason}.", path="games", reason="full")
        return write(home, *what)

    monkeypatch.setattr(Home, "store_transcript", store)
    return left


def ended(graph: str, monkeypatch: pytest.MonkeyPatch) -> Room:
    """Return a room at the end of its game; everybody stays."""
    know_toy(monkeypatch)
    room = Room(graph, "stored", stays=True)
    room.run()
    assert all(room.chain(seat).finished for seat in room.seats)
    return room


class Practising:
    """A person who practises ``game``. stored: the paths after each change of the files."""

    def __init__(self, home: Home, game: str, variant: str | None, seats: int) -> None:
        options = {"name": "Mina", "ui": "line", "edition": variant}
        table: Any = {**options, "game": game, "seats": seats}
        setup = set_up_seat(Output(facts=False), home, table, Keyboard(-1), lambda _: None)
        self.home, self.game = home, game
        self.level = game_of(game).bots.levels[0]
        self.practice = PracticeGame(setup, self.level, 1, seats, talks=False)
        self._told, self.news = trio.open_memory_channel[News](math.inf)
        self._changed, self.changes = trio.open_memory_channel[list[bytes]](math.inf)
        for name in ("store", "withdraw"):
            self._watch(name)

    def _watch(self, name: str) -> None:
        """Note the files after each call of the stored games' method ``name``."""
        saved = self.practice.saved
        method = getattr(saved, name)

        def watched(*args: Any) -> Any:
            done = method(*args)
            files = [path.read_bytes() for path in self.home.games.glob("*.matcha")]
            trio.from_thread.run_sync(self._changed.send_nowait, files)
            return done

        setattr(saved, name, watched)

    async def play(self) -> None:
        practice = self.practice
        await practice.saved.playing(
            practice.play, lambda: practice.chain, self._told.send_nowait
        )

    async def next(self, *kinds: type[News]) -> Any:
        """Return the next piece of news of ``kinds``."""
        async for piece in self.news:
            if isinstance(piece, kinds):
                return piece
        raise AssertionError("the game is over")

    async def finish(self, *, concede: bool) -> None:
        """Play until the result is signed."""
        rng, bot = random.Random(1), opponent(self.game, self.level)
        while isinstance(piece := await self.next(MoveDue, Settled), MoveDue):
            move = MakeMove(bot.choose(piece.view, rng))
            self.practice.choose(Concede() if concede else move)


@pytest.mark.parametrize(
    ("game", "variant", "seats", "concede"),
    [
        ("matcha", "2015", 2, True),
        ("kashi", None, 3, True),
        pytest.param("tichu", "round", 4, False, marks=pytest.mark.slow),
    ],
)
async def test_practice_game_is_stored_while_the_table_is_open(
    home, game, variant, seats, concede
):
    person = Practising(home, game, variant, seats)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(person.play)
        await person.finish(concede=concede)
        (file,) = await person.changes.receive()
        chain = person.practice.chain
        assert chain is not None
        assert file == chain.transcript
        person.practice.choose(Propose(Proposal.BOOKS))
        (file,) = await person.changes.receive()
        assert len(verify_transcript(file).exposed) == seats  # in place of the first
        nursery.cancel_scope.cancel()  # as by a kill
    assert len(list(home.games.glob("*.matcha"))) == 1
    (note,) = home.notes().values()
    assert (note.seat, note.how) == (0, chain.ended.how)


async def test_game_whose_end_is_taken_back_is_stored_no_more(home):
    """Its entries are dropped, and must never be seen beside the entries in their place."""
    person = Practising(home, "matcha", "2015", 2)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(person.play)
        due = await person.next(MoveDue)
        person.practice.choose(MakeMove(due.view.legal_moves()[0]))
        await person.next(MoveDue)
        person.practice.choose(Concede())
        await person.next(Settled)
        assert len(await person.changes.receive()) == 1
        person.practice.choose(TakeBack())
        await person.next(TakenUp)
        assert await person.changes.receive() == []
        await person.finish(concede=True)
        assert len(await person.changes.receive()) == 1
        person.practice.choose(Propose(Proposal.REMATCH))
        assert len(await person.changes.receive()) == 1
        due = await person.next(MoveDue)
        person.practice.choose(MakeMove(due.view.legal_moves()[0]))
        await person.next(MoveDue)
        person.practice.choose(TakeBack())  # the game before stays
        assert len(await person.changes.receive()) == 1
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("graph", TABLES)
async def test_game_that_could_not_be_withdrawn_gives_way_to_its_other_end(
    graph, home, monkeypatch
):
    """On Windows the system refuses while another program has the file open."""
    chain = ended(graph, monkeypatch).chain(0)
    (*entries, last), other = chain.entries, chain.entries[0]
    assert last != other
    after = replace(chain, entries=(*entries, other))  # as many entries, and another end
    saved = SavedGames(home, Output(facts=False))
    path = saved.store(chain)
    with monkeypatch.context() as refused:
        refused.setattr(Path, "unlink", _refuse)
        with pytest.raises(HomeError):
            saved.withdraw(chain)
    assert saved.store(after) == path
    assert path.read_bytes() == after.transcript


def _refuse(path: Path, **_: Any) -> None:
    raise PermissionError(errno.EACCES, "in use", str(path))


@pytest.mark.parametrize("graph", TABLES)
async def test_game_of_a_table_is_stored_while_the_table_is_open(graph, home, monkeypatch):
    chain = ended(graph, monkeypatch).chain(0)
    saved, stored = SavedGames(home, Output(facts=False)), trio.Event()
    store = saved.store

    def store_and_tell(chain: Any) -> Any:
        path = store(chain)
        trio.from_thread.run_sync(stored.set)
        return path

    monkeypatch.setattr(saved, "store", store_and_tell)

    async def play(inform: Any) -> Finished:
        inform(Settled(chain.transcript))
        await stored.wait()
        (path,) = home.games.glob("*.matcha")
        assert verify_transcript(path.read_bytes()).verdict is Verdict.COMPLETE
        return Finished(chain.ended, seen_off=True)

    await saved.playing(play, lambda: chain, lambda _: None)
    assert len(list(home.games.glob("*.matcha"))) == 1


@pytest.mark.parametrize("graph", TABLES)
def test_last_word_has_arrived_if_all_others_are_its_author(graph, monkeypatch):
    room = ended(graph, monkeypatch)
    for seat in room.seats:
        chain = room.chain(seat)
        cut, whole = (Finished(chain.ended, seen_off=off) for off in (False, True))
        assert has_arrived(chain, cut) == (graph == "pair" and seat != chain.last_word)
        assert has_arrived(chain, whole)


async def test_full_disk_ends_no_game(home, full, monkeypatch):
    chain = ended("pair", monkeypatch).chain(0)
    full[0] = 1
    saved = SavedGames(home, Output(facts=False))

    async def play(inform: Any) -> Finished:
        inform(Settled(chain.transcript))
        return Finished(chain.ended, seen_off=True)

    await saved.playing(play, lambda: chain, lambda _: None)
    assert not list(home.games.glob("*"))
    assert saved.store(chain).read_bytes() == chain.transcript


def asks(*answers: Any) -> tuple[Any, list[Any]]:
    """Return a way to ask a person who gives these answers, and the list of the questions."""
    asked, left = list[Any](), list(answers)

    class Asker:
        async def ask(self, question: Any) -> Any:
            asked.append(question)
            await trio.lowlevel.checkpoint()
            return left.pop(0)

    @asynccontextmanager
    async def opened():
        yield Asker()

    return opened, asked


@pytest.mark.parametrize("graph", TABLES)
@pytest.mark.parametrize("seat", [0, 1])
async def test_program_offers_to_try_a_full_disk_again(graph, seat, home, full, monkeypatch):
    room = ended(graph, monkeypatch)
    chain, nobody = room.chain(seat), Any
    setup = SeatSetup(room.terms[seat], nobody, home, Output(facts=False))
    ledger = Ledger(home.new_journal(), chain.empty, home.marks)
    ledger.become(chain)
    finished = FinishedGames(setup)
    series = Series(ledger, setup.terms, Place((), None), finished.store)
    work = partial(finished.conclude, series, Finished(chain.ended, seen_off=True), [])
    full[0] = 3
    ask, asked = asks(Chosen(0), Chosen(1))
    with pytest.raises(HomeError):
        await trying(work, ask, setup.out)
    assert len(asked) == 2
    assert ledger.path.exists()
    ask, asked = asks(Chosen(0))
    assert await trying(work, ask, setup.out) == Exit.DONE
    assert len(asked) == 1
    assert not ledger.path.exists()
    ledger.close()


@pytest.mark.parametrize("answer", [Chosen(1), Back()])
async def test_person_may_go_on_without_a_game_that_cannot_be_stored(answer, home, full):
    def work() -> None:
        raise HomeError("full")

    ask, asked = asks(answer)
    with pytest.raises(HomeError, match="full"):
        await trying(work, ask, Output(facts=False))
    assert [question.said for question in asked] == [("full",)]
    with pytest.raises(HomeError):
        await trying(work, None, Output(facts=False))


async def test_no_next_practice_game_begins_before_the_last_is_stored(home, full):
    person = Practising(home, "matcha", "2015", 2)
    async with trio.open_nursery() as nursery:
        full[0] = 2
        nursery.start_soon(person.play)
        await person.finish(concede=True)
        person.practice.choose(Propose(Proposal.REMATCH))
    chain = person.practice.chain
    assert chain is not None
    assert chain.finished
    conclude = partial(person.practice.conclude, Finished(chain.ended, seen_off=True), [])
    assert await trio.to_thread.run_sync(conclude) == Exit.DONE
    (path,) = home.games.glob("*.matcha")
    assert path.read_bytes() == chain.transcript
