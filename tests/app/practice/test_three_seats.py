"""Practice of another game than Matcha, for three seats: a person and two bots."""

import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
import trio

from matcha_p2p import games
from matcha_p2p.app.game.bot_seat import BotSeat
from matcha_p2p.app.practice.table_of_bots import Practice, Sitter
from matcha_p2p.chain.verify import Verdict, verify_transcript
from matcha_p2p.errors import BotError
from matcha_p2p.games.game import RESIGNED
from matcha_p2p.narration.news import TakeBack
from matcha_p2p.seats import Seat
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.news import (
    YOU_LEFT,
    Concede,
    Exposed,
    Finished,
    GameEvent,
    Interrupted,
    Leave,
    MakeMove,
    NextGame,
    Propose,
    ResignOffered,
    Settled,
    Terms,
    Wishes,
)
from matcha_p2p.wire.talk import Proposal
from tests.app.practice.person import Person
from tests.games import toy
from tests.games.toy import steps
from tests.games.toy.seated import RULES, Choice, Drawn, Greeted, Won
from tests.games.toy.steps import SEATS

NAMES = ("Mina", "Ann", "Ben")
FOURTH = "Cid"


class First:
    """Chooses the first card. seen: the cards of each question."""

    name = "first"

    def __init__(self) -> None:
        self.seen: list[tuple[int, ...]] = []

    def choose(self, seen: Choice, _: random.Random) -> int:
        self.seen.append(seen.cards)
        return 0


class Failing:
    name = "failing"

    def choose(self, _seen: Choice, _rng: random.Random) -> int:
        raise BotError("It has failed.")


@pytest.fixture(autouse=True)
def known(monkeypatch):
    monkeypatch.setitem(games.FOLDERS, "toy", toy.FOLDERS["toy"])


@asynccontextmanager
async def playing(
    *bots: First | Failing,
    store: Callable[[Chain], None] = lambda _: None,
    complain: Callable[[str], None] = print,
) -> AsyncIterator[Person]:
    """Yield a person who plays the bots; wait for the end."""
    sitters = [
        Sitter(name, BotSeat(bot, "toy", 1, lambda _: None, complain=complain))
        for name, bot in zip([*NAMES[1:], FOURTH], bots, strict=False)
    ]
    terms = Terms(NAMES[0], "toy", None, open_book=False, stays=True)
    person = Person(Practice(terms, sitters, store), lambda _: MakeMove(0))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(person.play)
        yield person


def verdict(chain: Chain) -> Verdict:
    return verify_transcript(chain.transcript).verdict


async def test_a_person_plays_two_bots_and_takes_the_decision_back():
    bots = First(), First()
    async with playing(*bots) as person:
        assert (await person.told(GameEvent)).event == Greeted(NAMES)
        drawn = (await person.told(GameEvent)).event
        due = await person.due()
        assert drawn == Drawn(due.view.cards)
        height = len(person.entries)
        await person.choose(MakeMove(0))
        await person.told(Settled)
        before = person.entries
        assert verdict(person.chain) is Verdict.COMPLETE
        taken_up, again = await person.take_back()
        assert (taken_up.names, taken_up.hand, again) == (NAMES, due.view.cards, due)
        assert person.entries == before[:height]
        await person.choose(MakeMove(1))
        won = (await person.told(GameEvent)).event
        await person.told(Settled)
        assert person.chain.game.chosen == (1, 0, 0)
        assert verdict(person.chain) is Verdict.COMPLETE
        assert person.entries[height] != before[height]
        await person.choose(Leave())
    assert person.ending == Finished(won, seen_off=True)
    for bot in bots:
        assert not {*bot.seen[0]} & {*due.view.cards}


async def test_all_open_their_books_and_keep_their_seats_in_the_next_game():
    stored: list[Chain] = []
    async with playing(First(), First(), store=stored.append) as person:
        await person.settle()
        (winner,) = person.chain.ended.winners
        await person.choose(Propose(Proposal.BOOKS))
        assert [(await person.told(Exposed)).seat for _ in SEATS] == [*SEATS]
        await person.choose(Propose(Proposal.REMATCH))
        assert await person.told(Wishes) == Wishes(NAMES, ())
        score = tuple(int(winner == seat) for seat in SEATS)
        assert await person.told(NextGame) == NextGame(score)
        assert (await person.told(GameEvent)).event == Greeted(NAMES)
        await person.settle()
        second = person.chain.ended.winners
        await person.choose(Propose(Proposal.REMATCH))
        won = tuple(score[seat] + (seat in second) for seat in SEATS)
        assert await person.told(NextGame) == NextGame(won)
        await person.due()
        await person.choose(Leave())
    assert person.ending == Interrupted(YOU_LEFT())
    assert [verdict(chain) for chain in stored] == [Verdict.COMPLETE] * 2
    assert (stored[0].exposed, stored[1].exposed) == (frozenset(SEATS), frozenset())


async def test_a_person_resigns_and_is_asked_no_more():
    async with playing(First(), First()) as person:
        await person.due()
        await person.choose(Concede())
        assert (await person.told(GameEvent)).event == Won(SEATS[1:], RESIGNED)
        await person.told(Settled)
        await person.choose(MakeMove(0))  # it is not asked any more
        await person.choose(TakeBack())
        await person.choose(Leave())
    assert verdict(person.chain) is Verdict.RESIGNED
    assert person.ending == Finished(Won(SEATS[1:], RESIGNED), seen_off=True)


@pytest.mark.parametrize("agrees", [True, False])
async def test_a_person_resigns_only_with_the_bot_that_is_the_partner(monkeypatch, agrees):
    monkeypatch.setattr(steps, "new_game", lambda _, seats: steps.ToyOfTeams(seats, Seat(3)))
    asked: list[int] = []

    def resigns(_: steps.Toy, seat: int) -> bool:
        asked.append(seat)
        return agrees

    monkeypatch.setattr(RULES, "resigns", resigns)
    async with playing(First(), First(), First()) as person:
        await person.due()
        await person.choose(Concede())
        offer = await person.told(ResignOffered)
        assert (offer.seat, offer.partner) == (0, 2)
        if not agrees:
            await person.choose(MakeMove(0))  # the game goes on
        ended = (await person.told(GameEvent)).event
        assert (ended.how == RESIGNED) is agrees
        await person.told(Settled)
        await person.choose(Leave())
    assert verdict(person.chain) is (Verdict.RESIGNED if agrees else Verdict.COMPLETE)
    assert asked == [2]


async def test_a_bot_that_fails_resigns_with_the_bot_that_is_its_partner(monkeypatch):
    monkeypatch.setattr(steps, "new_game", lambda _, seats: steps.ToyOfTeams(seats, Seat(3)))
    async with playing(Failing(), First(), First(), complain=lambda _: None) as person:
        await person.finish()
    assert verdict(person.chain) is Verdict.RESIGNED
    assert person.chain.resigned == 3


async def test_a_bot_that_fails_resigns():
    complaints: list[str] = []
    async with playing(First(), Failing(), complain=complaints.append) as person:
        await person.finish()
    assert complaints == ["It has failed. The bot's seat concedes."]
    assert person.ending == Finished(Won(SEATS[:2], RESIGNED), seen_off=True)
