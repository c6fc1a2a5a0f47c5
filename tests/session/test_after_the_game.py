"""After a game on one line: talk, open books, a rematch, goodbye."""

from pathlib import Path

import pytest
import trio

from matcha_p2p.chain.verify import verify_transcript
from matcha_p2p.games.matcha.events import Met, TableLaid
from matcha_p2p.session.news import (
    Concede,
    Exposed,
    Finished,
    GameEvent,
    Interrupted,
    Leave,
    LineChanged,
    NextGame,
    Offered,
    PhraseHeard,
    Propose,
    Settled,
    TalkHeard,
    Terms,
)
from matcha_p2p.session.session import PARTING_LIMIT
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.wire.talk import Farewell, Phrase, Proposal, Say, encode_farewell, encode_talk
from tests.harness import Player, is_decided, links, played_until

TERMS = Terms("Mina", "matcha", None, open_book=False, stays=True)
BOOKS, REMATCH = Proposal


class Side(Player):
    """A player that notes first dealers; ``concedes``: gives every game up."""

    concedes = False
    leaves_after_a_game = False  # its program ends just then

    async def run(self, *links):
        with trio.CancelScope() as self.scope:
            await super().run(*links)
        self.done.set()

    async def _keep(self, ledger, ending):
        path = await super()._keep(ledger, ending)
        if self.leaves_after_a_game:
            self.scope.cancel()
        return path

    async def _decide(self, observation):
        if self.concedes:
            await self.do(Concede())
        else:
            await super()._decide(observation)

    @property
    def first_dealers(self) -> list[bool]:
        """Whether the side dealt first, for each rematch that was dealt."""
        seat, dealers = self.side, []
        for piece in self.news:
            match piece:
                case NextGame(seat):
                    pass
                case GameEvent(TableLaid(1, dealer)):
                    dealers.append(dealer == seat)
        return dealers


class Pair:
    """Two players of a decided game, and the line between them."""

    def __init__(self, folder: Path) -> None:
        author, hearer, said = played_until(folder, is_decided)
        hearer.hear(said)
        self.players = [Side.of(copy, TERMS) for copy in (author, hearer)]

    async def connect(self) -> None:
        self.ends = await links()
        for player, end in zip(self.players, self.ends, strict=True):
            await player.give.send(end)

    async def cut(self) -> None:
        for end in self.ends:
            await end.aclose()

    async def settle(self, nursery: trio.Nursery) -> tuple[Side, Side]:
        for player in self.players:
            nursery.start_soon(player.run)
        await self.connect()
        for player in self.players:
            await player.until(Settled)
        first, second = self.players
        return first, second


@pytest.fixture
def pair(tmp_path):
    return Pair(tmp_path)


def finished(player: Player, game: int = -1) -> Finished:
    ending = player.endings[game]
    assert isinstance(ending, Finished)
    return ending


async def test_talk_goes_on_after_the_end_until_one_of_both_leaves(pair):
    async with trio.open_nursery() as nursery:
        first, second = await pair.settle(nursery)
        await first.do(Say("well played"), Phrase(9))
        await second.until(TalkHeard("well played"))
        await second.until(PhraseHeard(9))
        await second.do(Leave())
    for player in pair.players:
        assert finished(player).seen_off
        assert not finished(player).again
    assert pair.players[0].transcripts == pair.players[1].transcripts


@pytest.mark.slow
@pytest.mark.parametrize("side", [0, 1])
async def test_books_are_opened_when_the_other_one_agrees(pair, side):
    async with trio.open_nursery() as nursery:
        await pair.settle(nursery)
        offering, agreeing = pair.players[side], pair.players[1 - side]
        await offering.do(Propose(BOOKS))
        await agreeing.until(Offered(BOOKS))
        assert not agreeing.told(Exposed)
        await agreeing.do(Propose(BOOKS))
        for player in pair.players:
            await player.until(Exposed)
            await player.until(Exposed)
        await agreeing.do(Leave())
    winner = finished(offering).ended.ended.winner
    loser = 0 if winner is None else 1 - winner
    for player in pair.players:
        assert [piece.seat for piece in player.told(Exposed)] == [loser, 1 - loser]
        assert len(verify_transcript(player.transcripts[0]).exposed) == 2


async def test_offer_without_agreement_opens_nothing(pair):
    async with trio.open_nursery() as nursery:
        first, second = await pair.settle(nursery)
        await first.do(Propose(BOOKS), Propose(REMATCH))
        await second.until(Offered(REMATCH))
        await second.do(Leave())
    for player in pair.players:
        assert finished(player).seen_off
        assert not finished(player).again
        assert not player.told(Exposed)


@pytest.mark.slow
async def test_the_file_that_is_told_grows_with_the_books(pair):
    async with trio.open_nursery() as nursery:
        first, second = await pair.settle(nursery)
        for player in (first, second):
            await player.do(Propose(BOOKS))
        for player in (first, second):
            while player.told(Settled)[-1].transcript.count(b"EXPOSE") < 2:
                await player.until(Settled)
        await first.do(Leave())
    for player in (first, second):
        assert player.told(Settled)[-1].transcript == player.transcripts[0]


@pytest.mark.slow
@pytest.mark.parametrize("choice", [Propose(REMATCH), Propose(BOOKS), Leave()])
async def test_a_goodbye_that_crosses_an_offer_ends_it_for_both(pair, choice):
    async with trio.open_nursery() as nursery:
        first, second = await pair.settle(nursery)
        await first.do(Leave())
        await second.do(choice)
    for player in pair.players:
        assert finished(player).seen_off
        assert not finished(player).again


@pytest.mark.slow
async def test_an_offer_outlives_the_line_and_is_asked_once(pair):
    async with trio.open_nursery() as nursery:
        first, second = await pair.settle(nursery)
        await first.do(Propose(REMATCH))
        await second.until(Offered(REMATCH))
        await pair.cut()
        for player in pair.players:
            await player.until(LineChanged)
            player.concedes = True
        await pair.connect()
        await second.do(Propose(REMATCH))
        for player in pair.players:
            await player.until(Settled)
        assert second.told(Offered) == [Offered(REMATCH)]
        await first.do(Leave())
    for player in pair.players:
        again = finished(player, 0).again
        assert again is not None
        assert [link.binding for link in again.links] == [pair.ends[0].binding]
        assert finished(player, 1).seen_off


@pytest.mark.slow
async def test_three_games_in_a_row_and_the_deal_goes_round(pair):
    """The greeting of the next game may come right behind the offer of it."""
    async with trio.open_nursery() as nursery:
        first, second = await pair.settle(nursery)
        dealt_first = first.chain.table.game.state.dealer == first.chain.seat
        moved_on = first.chain.table.game.state.number % 2 == 0
        for player in pair.players:
            player.concedes = True
        for _ in range(2):
            await first.do(Propose(REMATCH))
            await second.until(Offered(REMATCH))
            await second.do(Propose(REMATCH))
            for player in pair.players:
                await player.until(Settled)
        await second.do(Leave())
    assert first.first_dealers == [dealt_first == moved_on, dealt_first != moved_on]
    assert second.first_dealers == [not dealt for dealt in first.first_dealers]
    for player in pair.players:
        assert [finished(player, game).seen_off for game in range(3)] == [True] * 3
        assert (
            len({verify_transcript(t).accepted[-1].state.gid for t in player.transcripts}) == 3
        )
    assert first.transcripts == second.transcripts
    assert all(verify_transcript(transcript).valid for transcript in first.transcripts)


@pytest.mark.slow
async def test_both_may_offer_at_once(pair):
    async with trio.open_nursery() as nursery:
        await pair.settle(nursery)
        for player in pair.players:
            player.concedes = True
            await player.do(Propose(BOOKS), Propose(REMATCH), Propose(BOOKS))
        for player in pair.players:
            await player.until(Settled)
        await pair.players[1].do(Leave())
    for player in pair.players:
        assert len(player.endings) == 2
        assert len(verify_transcript(player.transcripts[0]).exposed) == 2


@pytest.mark.slow
async def test_books_that_are_agreed_upon_are_open_before_the_next_game(pair):
    async with trio.open_nursery() as nursery:
        first, second = await pair.settle(nursery)
        await first.do(Propose(BOOKS), Propose(REMATCH))
        await second.until(Offered(REMATCH))
        for player in pair.players:
            player.concedes = True
        await second.do(Propose(BOOKS), Propose(REMATCH))
        for player in pair.players:
            while not player.first_dealers:
                await player.until(GameEvent)
        await first.do(Leave())
    for player in pair.players:
        kinds = [type(piece) for piece in player.news]
        assert kinds.count(Exposed) == 2
        met = next(
            number
            for number, piece in enumerate(player.news)
            if isinstance(piece, GameEvent) and isinstance(piece.event, Met)
        )
        assert max(n for n, kind in enumerate(kinds) if kind is Exposed) < met


async def test_player_with_an_offer_of_another_game_offers_nothing_more(pair):
    async with trio.open_nursery() as nursery:
        first, second = await pair.settle(nursery)
        await first.do(Propose(REMATCH), Propose(BOOKS), Say("now"))
        await second.until(TalkHeard("now"))
        await second.do(Propose(BOOKS), Leave())
    assert second.told(Offered) == [Offered(REMATCH)]
    assert not first.told(Exposed)


async def test_departing_player_is_gone_despite_the_agreement_of_the_other(pair):
    async with trio.open_nursery() as nursery:
        first, second = await pair.settle(nursery)
        await first.do(Propose(REMATCH))
        await second.until(Offered(REMATCH))
        await first.do(Leave())
        await second.do(Propose(REMATCH))
    assert finished(first).seen_off
    assert not finished(first).again
    assert finished(second, 0).seen_off
    if len(second.endings) > 1:
        assert isinstance(second.endings[1], Interrupted)
        assert not second.chain.met


async def test_a_line_that_breaks_before_the_greetings_ends_the_next_game(pair):
    async with trio.open_nursery() as nursery:
        first, second = await pair.settle(nursery)
        second.leaves_after_a_game = True
        await second.do(Propose(REMATCH))
        await first.until(Offered(REMATCH))
        await first.do(Propose(REMATCH))
        await second.done.wait()
        await pair.cut()
    assert finished(first, 0).again
    assert isinstance(first.endings[1], Interrupted)


async def test_a_flood_of_offers_is_one_offer(tmp_path):
    """An offer before the end of a game has no effect."""
    author, hearer, _ = played_until(tmp_path, is_decided)
    player = Player.of(hearer, TERMS, bot=None)
    mine, theirs = await links()
    await player.give.send(mine)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(player.run)
        await theirs.send(Frame(Kind.SYNC, author.chain.sync(theirs.binding)))
        for proposal in Proposal:
            await theirs.send(Frame(Kind.CHAT, encode_talk(proposal)))
        await theirs.send(Frame(Kind.CHAT, encode_talk(Say("so far"))))
        await player.until(TalkHeard)
        assert not player.told(Offered)
        await player.do(Concede())
        await player.until(Settled)
        for _ in range(2):
            await theirs.send(Frame(Kind.CHAT, encode_talk(BOOKS)))
        await theirs.send(Frame(Kind.BYE, encode_farewell(Farewell.DONE)))
    assert player.told(Offered) == [Offered(BOOKS)]
    assert not player.told(Exposed)
    assert finished(player).seen_off


@pytest.mark.slow
@pytest.mark.parametrize("open_book", [False, True])
async def test_a_seat_that_nobody_attends_does_not_stay(
    tmp_path, open_book, no_threads, autojump_clock
):
    author, hearer, said = played_until(tmp_path, is_decided)
    hearer.hear(said)
    bot = Player.of(author, Terms("Bot", "matcha", None, open_book=open_book))
    person = Player.of(hearer, TERMS)
    async with trio.open_nursery() as nursery:
        begun = trio.current_time()
        for player, end in zip((bot, person), await links(), strict=True):
            nursery.start_soon(player.run, end)
        await bot.done.wait()
        waited = trio.current_time() - begun
        await person.done.wait()
    assert (waited >= PARTING_LIMIT) == open_book
    assert waited < 2 * PARTING_LIMIT
    assert finished(person).seen_off
    assert finished(bot).seen_off
