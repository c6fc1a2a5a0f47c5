"""Practice: all seats in one process, hints, and decisions that are taken back."""

import math
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from matcha_p2p.app.game.bot_seat import BotSeat
from matcha_p2p.app.game.play import Games
from matcha_p2p.app.practice.practice import adviser
from matcha_p2p.app.practice.table_of_bots import Practice, Sitter
from matcha_p2p.chain.verify import Verdict, verify_transcript
from matcha_p2p.games.matcha.bots.roster import BOTS
from matcha_p2p.games.matcha.rules.moves import Keep
from matcha_p2p.games.matcha.rules.phases import Keeping
from matcha_p2p.games.matcha.table.events import Passed
from matcha_p2p.narration.news import Decisions, TakeBack
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import (
    Exposed,
    GameEvent,
    Inbox,
    Item,
    Leave,
    MakeMove,
    MoveDue,
    NextGame,
    Propose,
    TakenUp,
    Terms,
)
from matcha_p2p.session.step.state import SessionOver
from matcha_p2p.wire.talk import Proposal
from tests.app.practice.person import Person
from tests.processes import Matcha, answer, host, join

pytestmark = pytest.mark.slow


def matcha(edition: str) -> Person:
    """Return a person who plays a practice of the edition."""
    terms = Terms("Mina", "matcha", edition, open_book=False, stays=True)
    bot = BotSeat(BOTS["uniform"], "matcha", 1, lambda _: None)
    return Person(Practice(terms, [Sitter("uniform", bot)], lambda _: None), best)


@asynccontextmanager
async def playing() -> AsyncIterator[Person]:
    """Yield a person who plays a practice of 2020; wait for the end."""
    person = matcha("2020")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(person.play)
        yield person


def best(due: MoveDue) -> MakeMove:
    return MakeMove(adviser("matcha")(due.view).moves[0].move)


async def test_second_leaving_after_the_end_is_told_nothing(nursery):
    """A closing screen always sends a Leave, whatever the cause."""
    person = matcha("2015")
    nursery.start_soon(person.play)
    await person.due()
    await person.choose(Leave())
    while await person.due() is not None:
        pass
    assert person.ending is not None
    await person.choose(Leave())


async def in_second_set(nursery: trio.Nursery) -> tuple[Person, list[MoveDue]]:
    """Return a person at a decision in the second set, and all questions so far.

    The cards differ each time: in rare cases a game ends in its first set.
    """
    for _ in range(9):
        person = matcha("2015")
        nursery.start_soon(person.play)
        seen = [await person.due()]
        while seen[-1] is not None and seen[-1].view.game.number < 2:
            await person.choose(idle(seen[-1]))
            seen.append(await person.due())
        if seen[-1] is not None:
            return person, seen
        await person.choose(Leave())
    raise AssertionError("no game has a second set")


async def test_all_decisions_are_taken_back_over_rounds_and_sets():
    """Take back to the first decision, then play the game to the end and verify."""
    async with trio.open_nursery() as nursery:
        person, seen = await in_second_set(nursery)
        rounds = {len(due.view.game.rounds) for due in seen[:-1]}
        assert rounds == {1, 2, 3}
        dropped = set(person.entries)
        for before in reversed(seen[:-1]):
            taken_up, due = await person.take_back()
            assert due == before
            assert taken_up.game == before.view.game
            assert taken_up.hand == before.view.hand
        await person.choose(TakeBack())  # there is nothing left, and nothing happens
        await person.choose(other(seen[0]))
        await person.finish()
    dropped -= set(person.entries)
    assert len(dropped) > 4
    transcript = person.chain.transcript
    assert verify_transcript(transcript).verdict is Verdict.COMPLETE
    assert not [entry for entry in dropped if entry in transcript]


def idle(due: MoveDue) -> MakeMove:
    """Pass, and keep nothing: the shortest possible set."""
    moves = due.view.legal_moves()
    return MakeMove(moves[0 if isinstance(due.view.game.phase, Keeping) else -1])


def other(due: MoveDue) -> MakeMove:
    return MakeMove(due.view.legal_moves()[0])


async def test_repeated_decision_makes_the_same_entry_and_another_does_not():
    """Randomness follows from the history: two entries never share a nonce."""
    async with playing() as person:
        first = await person.due()
        height = len(person.entries)
        said = []
        for move in (idle(first), idle(first), other(first)):
            await person.choose(move)
            await person.due()
            said.append(person.entries[height])
            await person.take_back()
        assert said[0] == said[1] != said[2]
        await person.choose(Leave())


async def test_decision_without_consequences_can_be_taken_back():
    async with playing() as person:
        for _ in range(5):
            due = await person.due()
            if due is None:  # in this edition a game may end in its first set
                break
            await person.choose(best(due))
            assert (await person.take_back())[1] == due
            await person.choose(best(due))
        await person.finish()
    assert verify_transcript(person.chain.transcript).verdict is Verdict.COMPLETE


async def test_untimely_move_is_no_decision():
    """Neither a second decision for the same turn, nor a decision during the bot's turn."""
    async with playing() as person:
        due = await person.due()
        for _ in range(2):
            person.practice.choose(best(due))
        assert await person.told(Decisions) == Decisions(1)
        due = await person.due()
        await person.choose(best(due))
        assert await person.told(Decisions) == Decisions(2)
        assert (await person.take_back())[1] == due
        await person.choose(best(due))
        await person.finish()
    chain = person.chain
    person.practice.choose(TakeBack())  # when all is over nothing can be taken back
    assert person.chain is chain


async def test_who_makes_a_move_that_is_not_legal_is_asked_again():
    async with playing() as person:
        due = await person.due()
        height = len(person.entries)
        await person.choose(MakeMove(Keep(frozenset())))
        assert await person.due() == due
        assert len(person.entries) == height
        await person.choose(best(due))
        await person.told(GameEvent)
        await person.choose(Leave())


async def test_withdrawn_decision_has_no_consequences():
    """Take back while the move is computed, while the bot thinks, and after the answer."""
    async with playing() as person:
        due = await person.due()
        height = len(person.entries)
        for pieces in range(1, 5):
            await person.choose(other(due))
            for _ in range(pieces):
                await person.next()
            waiting = person.waiting
            person.practice.choose(TakeBack())
            for _ in range(waiting):
                await person.next()
            news = [await person.next() for _ in range(3)]
            assert news[0] == Decisions(0)
            assert isinstance(news[1], TakenUp)
            assert news[2] == due
            assert len(person.entries) == height
        await person.choose(idle(due))
        assert isinstance(await person.next(), Decisions)
        told = await person.told(GameEvent)
        assert told.event == Passed(Seat(0), auto=False)
        await person.choose(Leave())


async def test_ended_practice_goes_on_until_another_game_begins():
    async with playing() as person:
        await person.settle()
        over = person.entries
        _, due = await person.take_back()
        height = len(person.entries)
        assert height < len(over)
        assert person.entries == over[:height]
        await person.choose(best(due))
        await person.settle()
        await person.choose(Propose(Proposal.BOOKS))
        seats = {(await person.told(Exposed)).seat, (await person.told(Exposed)).seat}
        assert seats == {0, 1}
        _, due = await person.take_back()  # open books are closed again
        await person.choose(best(due))
        await person.settle()
        await person.choose(Propose(Proposal.REMATCH))
        await person.choose(TakeBack())  # too late
        assert isinstance(await person.told(NextGame, TakenUp), NextGame)
        first = await person.due()
        await person.choose(best(first))
        await person.told(GameEvent)
        _, again = await person.take_back()
        assert again == first
        await person.choose(Leave())


async def test_games_between_people_have_no_undo():
    games = Games(Unplayed(), (SessionOver(None, None), ()), {}, None)
    games.choose(TakeBack())
    games.choose(Leave())
    assert await games.play(print) == [Leave()]


class Unplayed:
    """Stands in for a series: returns all items of the inbox."""

    async def play(self, _begun, _link, _inform, inbox: Inbox) -> list[Item]:
        items = []
        while (item := await inbox.take(-math.inf)) is not None:
            items.append(item)
        return items


def reply(game: Matcha, line: str) -> str | None:
    typed = answer(line)
    if typed is not None:
        game.type(f"{typed}\n")
    return typed


def read_until(game: Matcha, *words: str) -> str:
    while (line := game.line()) is not None:
        if any(word in line for word in words):
            return line
    raise AssertionError(f"no {words}: {game.stderr}")


@pytest.mark.parametrize("edition", ["2015", "2020"])
def test_hint_and_undo_at_a_pipe(tmp_path, edition):
    words = ("practice", "--edition", edition, "--name", "Mina", "--bot", "uniform")
    with Matcha(tmp_path, *words) as game:
        read_until(game, "Your move")
        game.type("undo\n")
        read_until(game, "You have no decision to take back.")
        game.type("help\n")
        read_until(game, "undo: take back")
        game.type("hint\n\n")
        assert read_until(game, "A good player would").count("A good player would") == 1
        asked = read_until(game, "Your move")
        reply(game, asked)
        reply(game, read_until(game, "y: yes"))
        read_until(game, "Your move", "Which cards")
        game.type("undo\ny\n")
        read_until(game, "You take back your last decision.")
        read_until(game, "The game with Pia (uniform) goes on in set 1.")
        assert read_until(game, "Your move") == asked
        reply(game, asked)
        while (line := game.line()) is not None:
            reply(game, line)
        assert game.end() == 0
    (path,) = tmp_path.glob("games/*.matcha")
    assert verify_transcript(path.read_bytes()).verdict is Verdict.COMPLETE


def test_hint_and_undo_exist_only_in_practice(tmp_path):
    with host(tmp_path / "a") as person:
        invite = person.until("invite")["invite"]
        with join(tmp_path / "b", invite) as bot:
            person.until("due")
            person.type("hint\nundo\nhelp\nleave\ny\n")
            assert (person.end(), bot.end()) == (6, 6)
    assert person.stderr.count("There is no such command here.") == 2
    assert "leave: leave" in person.stderr
    assert "undo:" not in person.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals are of POSIX")
@pytest.mark.parametrize("end", ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "leave\ny\n"])
def test_abandoned_practice_leaves_nothing(tmp_path, end):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    with Matcha(tmp_path / "home", "practice", "--json", TMPDIR=str(scratch)) as person:
        person.until("due")
        if end.startswith("SIG"):
            person.process.send_signal(signal.Signals[end])
            assert person.end() == 128 + signal.Signals[end]
        else:
            person.type(end)
            assert person.end() == 6
    (interrupted,) = person.facts("interrupted")
    assert interrupted["journal"] is None
    assert "Practice games left early are not saved" in person.stderr
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    assert list(scratch.iterdir()) == []


def test_after_a_game_books_are_opened_and_another_one_follows_with_hint_and_undo(tmp_path):
    """At a pipe; of both games only the transcripts stay, and each verifies."""
    scratch, home = tmp_path / "scratch", tmp_path / "home"
    scratch.mkdir()
    words = ("practice", "--edition", "2020", "--name", "Mina", "--json")
    with Matcha(home, *words, TMPDIR=str(scratch)) as game:
        game.until("met")
        dealers = [game.until("table-laid")["dealer"]]
        seat = game.facts("met")[0]["seat"]
        play_on(game)
        game.type("undo\ny\n")  # the end is no end yet
        game.until("taken-up")
        play_on(game)
        game.type("open\n")
        game.until("uncovered")  # perhaps by the first open book alone
        while len(game.facts("exposed")) < 2:
            game.until("exposed")
        assert {fact["seat"] for fact in game.facts("exposed")} == {0, 1}
        game.type("again\n")
        game.until("next-game")
        game.type("undo\n")  # that one is over for good
        dealers.append(game.until("table-laid")["dealer"])
        first = game.until("due")["moves"]
        game.type(f"hint\n{move_of(first)}\ny\n")
        game.until("due", "settled")
        game.type("undo\ny\n")
        game.until("taken-up")
        assert game.until("due")["moves"] == first
        game.type(f"{move_of(first)}\ny\n")
        play_on(game)
        game.type("leave\n")
        assert game.end() == 0
    assert (dealers[0] == seat) != (dealers[1] == seat)
    assert game.stderr.count("You have no decision to take back.") == 1
    assert "A good player would" in game.stderr
    assert_whole(home, scratch)


def play_on(game: Matcha) -> None:
    """Make the first legal move until the game is over and found sound."""
    while (fact := game.until("due", "settled"))["event"] == "due":
        game.type(f"{move_of(fact['moves'])}\ny\n")
    assert game.until("checked")["failure"] is None


def move_of(moves: list[str]) -> str:
    """Return the text to type for the first move."""
    first = moves[0]
    return "keep" if first == "k" else first


def assert_whole(home: Path, scratch: Path) -> None:
    """Check that exactly two whole games are left."""
    kept = sorted(path for path in home.rglob("*") if path.is_file())
    games = [path for path in kept if path.suffix == ".matcha"]
    assert len(games) == 2
    for path in games:
        assert verify_transcript(path.read_bytes()).verdict is Verdict.COMPLETE
    assert not any("unfinished" in path.relative_to(home).parts for path in kept)
    assert list(scratch.iterdir()) == []
