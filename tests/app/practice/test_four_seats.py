"""Practice of Tichu: a person and three bots."""

import random

import pytest
import trio

from matcha_p2p.app.game.bot_seat import BotSeat
from matcha_p2p.app.game.final_check import Reader
from matcha_p2p.app.practice.table_of_bots import Practice, Sitter
from matcha_p2p.chain.verify import Verdict, verify_transcript
from matcha_p2p.games.tichu.answers import undecided
from matcha_p2p.games.tichu.bots.roster import BOTS
from matcha_p2p.games.tichu.rules.actions import GiveCards, Hold
from matcha_p2p.games.tichu.rules.cards import MAH_JONG
from matcha_p2p.games.tichu.rules.round import Ask
from matcha_p2p.narration.news import Checked
from matcha_p2p.session.news import Finished, MakeMove, MoveDue, Terms
from tests.app.practice.person import Person

pytestmark = pytest.mark.slow


@pytest.fixture
def person() -> Person:
    """Return a person who gives any answer, and plays three bots."""
    sitters = [
        Sitter(name, BotSeat(BOTS[name], "tichu", 1, lambda _: None))
        for name in ("keen", "club", "beginner")
    ]
    terms = Terms("Mina", "tichu", "round", open_book=False, stays=True)
    uniform, chance = BOTS["uniform"], random.Random(1)
    practice = Practice(terms, sitters, lambda _: None)
    return Person(practice, lambda due: MakeMove(uniform.choose(due.view, chance)))


async def test_a_person_plays_three_bots_to_the_end(person):
    async with trio.open_nursery() as nursery:
        nursery.start_soon(person.play)
        await person.finish()
    assert verify_transcript(person.chain.transcript).verdict is Verdict.COMPLETE
    assert person.chain.ended.how == "points"
    assert person.ending == Finished(person.chain.ended, seen_off=True)
    assert Reader().read(person.chain.transcript) == (Checked(""),)


async def test_bots_play_on_after_gifts_are_taken_back(person):
    async with trio.open_nursery() as nursery:
        nursery.start_soon(person.play)
        while (due := await person.due()).view.asked is not Ask.PUSH:
            await person.choose(person.best(due))
        await person.choose(MakeMove(GiveCards((0, 1, 2))))
        assert (await person.due()).view.given == due.view.hand[:3]
        taken_up, again = await person.take_back()
        assert (taken_up.hand, again) == (due.view.hand, due)
        await person.choose(MakeMove(GiveCards((5, 4, 3))))
        then = (await person.due()).view
        assert then.given == (due.view.hand[5], due.view.hand[4], due.view.hand[3])
        assert {*then.received} == {*then.hand} - {*due.view.hand}
        await person.choose(person.best(MoveDue(then)))
        await person.finish()
    assert verify_transcript(person.chain.transcript).verdict is Verdict.COMPLETE


def without_lead(due: MoveDue) -> GiveCards:
    """Return gifts that leave the first lead to another player."""
    first = [place for place, face in due.view.held.items() if face == MAH_JONG]
    rest = [place for place in due.view.held if place not in first]
    return GiveCards((*first, *rest)[:3])


async def test_an_answer_given_by_the_program_is_not_taken_back(person):
    """A hand of 14 cards could call Tichu whenever the seat is asked about a bomb."""
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(person.play)
            decided, held = [], False
            while (due := await person.due()) is not None:
                answer = undecided(due.view, calls=False)
                if answer is None and held:
                    break
                held = answer == Hold() and due.view.asked is Ask.HOLD
                decided += [] if held else [due]
                if due.view.asked is Ask.PUSH:
                    await person.choose(MakeMove(without_lead(due)))
                else:
                    await person.choose(MakeMove(answer or due.view.legal_moves()[0]))
            _, again = await person.take_back()
            assert again.view.asked is decided[-1].view.asked
            assert again.view.asked is not Ask.HOLD
            await person.choose(person.best(again))
            await person.finish()
