"""What follows a game on the same line: talk, open books, another game, goodbye."""

import random
from dataclasses import replace
from pathlib import Path

import pytest
import trio
from tests.session.test_parting import is_decided, played_until
from tests.session.test_session import links

from matcha_p2p.afterwards import PARTING_LIMIT
from matcha_p2p.bots import BOTS
from matcha_p2p.machine.events import Met, TableLaid
from matcha_p2p.review.verify import verify_transcript
from matcha_p2p.rules.edition import EDITION_2020
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.line import Line
from matcha_p2p.session.news import (
    Choice,
    Concede,
    Declined,
    Ending,
    Exposed,
    Finished,
    Front,
    Interrupted,
    Leave,
    LineChanged,
    MoveDue,
    News,
    Offered,
    PhraseHeard,
    Propose,
    Settled,
    TalkHeard,
    Terms,
    Told,
    gathered,
)
from matcha_p2p.session.rematch import next_chain
from matcha_p2p.session.session import Session
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import Link
from matcha_p2p.wire.talk import Farewell, Phrase, Proposal, Say, encode_farewell, encode_talk
from tests.duel import secrets_of

BOOKS, REMATCH = Proposal


class Player:
    """One side: game after game on one line, played by a bot; the rest is for a test to do."""

    def __init__(self, chain: Chain, folder: Path, games: int, terms: Terms) -> None:
        self.chain = chain
        self.side = chain.seat  # in the first game
        self.folder = folder
        self.games = games
        self.terms = terms
        self.endings: list[Ending] = []
        self.first_dealers: list[bool] = []  # of each game that was dealt, whether it is us
        self.transcripts: list[bytes] = []
        self.news: list[News] = []
        self.concedes = False
        self.give, self.found = trio.open_memory_channel[Link](2)
        self._chosen, self._choices = trio.open_memory_channel[Choice](100)
        self._told, self._heard = trio.open_memory_channel[News](0)
        self._came = trio.Event()
        self._seen = 0
        self.done = trio.Event()

    async def run(self) -> None:
        line = Line(self.found)
        async with gathered(line, self._choices) as inbox, trio.open_nursery() as nursery:
            nursery.start_soon(self._look_on)
            front = Front(self._told, inbox)
            ending = await Session(line, self.chain, self.terms, front).run()
            self._note(ending)
            while isinstance(ending, Finished) and ending.again and self.games > 1:
                self.games -= 1
                number = len(self.endings)
                secrets = secrets_of(f"game {number}", self.side)
                path = self.folder / f"{self.side}-{number}" / "journal"
                self.chain = next_chain(self.chain, ending.again, secrets, path)
                terms = replace(self.terms, edition=EDITION_2020, drawn=False)
                session = Session(line, self.chain, terms, front, ending.again)
                ending = await session.run()
                self._note(ending)
            nursery.cancel_scope.cancel()
        self.done.set()

    def _note(self, ending: Ending) -> None:
        self.endings.append(ending)
        self.transcripts.append(self.chain.transcript())
        self.chain.close()

    async def _look_on(self) -> None:
        rng = random.Random(7)
        async for piece in self._heard:
            self.news.append(piece)
            match piece:
                case MoveDue() if self.concedes:
                    await self.do(Concede())
                case MoveDue(observation):
                    await self.do(BOTS["uniform"].choose(observation, rng))
                case Told(TableLaid(1, dealer)):
                    self.first_dealers.append(dealer == self.chain.seat)
            self._came.set()
            self._came = trio.Event()

    async def do(self, *choices: Choice) -> None:
        for choice in choices:
            await self._chosen.send(choice)

    async def until(self, wanted: type | News) -> None:
        """Wait for the next piece of news that is ``wanted``, or of that kind."""
        while True:
            while self._seen < len(self.news):
                piece = self.news[self._seen]
                self._seen += 1
                if piece == wanted or (isinstance(wanted, type) and isinstance(piece, wanted)):
                    return
            await self._came.wait()

    def told(self, kind: type) -> list[News]:
        return [piece for piece in self.news if isinstance(piece, kind)]


class Pair:
    """Two players of one game that is decided, and the line between them."""

    def __init__(self, folder: Path, **wishes: object) -> None:
        games = wishes.pop("games", 1)
        author, hearer, said = played_until(folder, is_decided)
        hearer.hear(said)
        self.players = [
            Player(chain, folder, games, Terms("Mina", None, open_book=False, stays=True))
            for chain in (author, hearer)
        ]

    async def connect(self) -> None:
        self.ends = await links()
        for player, end in zip(self.players, self.ends, strict=True):
            await player.give.send(end)

    async def cut(self) -> None:
        for end in self.ends:
            await end.aclose()

    async def settle(self, nursery: trio.Nursery) -> tuple[Player, Player]:
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


@pytest.fixture
def rivals(tmp_path):
    """They would play three games."""
    return Pair(tmp_path, games=3)


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
        assert None not in verify_transcript(player.transcripts[0]).exposed


async def test_what_is_not_agreed_to_opens_nothing(pair):
    async with trio.open_nursery() as nursery:
        first, second = await pair.settle(nursery)
        await first.do(Propose(BOOKS), Propose(REMATCH))
        await second.until(Offered(REMATCH))
        await second.do(Leave())
    for player in pair.players:
        assert finished(player).seen_off
        assert not finished(player).again
        assert not player.told(Exposed)


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


@pytest.mark.parametrize("choice", [Propose(REMATCH), Propose(BOOKS), Leave()])
async def test_a_goodbye_that_crosses_an_offer_ends_it_for_both(pair, choice):
    async with trio.open_nursery() as nursery:
        first, second = await pair.settle(nursery)
        await first.do(Leave())
        await second.do(choice)
    for player in pair.players:
        assert finished(player).seen_off
        assert not finished(player).again


async def test_an_offer_outlives_the_line_and_is_asked_once(rivals):
    async with trio.open_nursery() as nursery:
        first, second = await rivals.settle(nursery)
        await first.do(Propose(REMATCH))
        await second.until(Offered(REMATCH))
        await rivals.cut()
        for player in rivals.players:
            await player.until(LineChanged)
            player.concedes = True
            player.games = 2
        await rivals.connect()
        await second.do(Propose(REMATCH))
        for player in rivals.players:
            await player.until(Settled)
        assert second.told(Offered) == [Offered(REMATCH)]
        await first.do(Leave())
    for player in rivals.players:
        assert finished(player, 0).again == rivals.ends[0].binding
        assert finished(player, 1).seen_off


async def test_three_games_in_a_row_and_the_deal_goes_round(rivals):
    """The greeting of the next game may come right behind the offer of it."""
    async with trio.open_nursery() as nursery:
        first, second = await rivals.settle(nursery)
        dealt_first = first.chain.table.game.dealer == first.chain.seat
        moved_on = first.chain.table.game.number % 2 == 0
        for player in rivals.players:
            player.concedes = True
        for _ in range(2):
            await first.do(Propose(REMATCH))
            await second.until(Offered(REMATCH))
            await second.do(Propose(REMATCH))
            for player in rivals.players:
                await player.until(Settled)
        await second.do(Leave())
    assert first.first_dealers == [dealt_first == moved_on, dealt_first != moved_on]
    assert second.first_dealers == [not dealt for dealt in first.first_dealers]
    for player in rivals.players:
        assert [finished(player, game).seen_off for game in range(3)] == [True] * 3
        assert (
            len({verify_transcript(t).accepted[-1].state.gid for t in player.transcripts}) == 3
        )
    assert first.transcripts == second.transcripts
    assert all(verify_transcript(transcript).valid for transcript in first.transcripts)


async def test_both_may_offer_at_once(rivals):
    async with trio.open_nursery() as nursery:
        await rivals.settle(nursery)
        for player in rivals.players:
            player.concedes, player.games = True, 2
            await player.do(Propose(BOOKS), Propose(REMATCH), Propose(BOOKS))
        for player in rivals.players:
            await player.until(Settled)
        await rivals.players[1].do(Leave())
    for player in rivals.players:
        assert len(player.endings) == 2
        assert None not in verify_transcript(player.transcripts[0]).exposed


async def test_books_that_are_agreed_upon_are_open_before_the_next_game(rivals):
    async with trio.open_nursery() as nursery:
        first, second = await rivals.settle(nursery)
        await first.do(Propose(BOOKS), Propose(REMATCH))
        await second.until(Offered(REMATCH))
        for player in rivals.players:
            player.concedes, player.games = True, 2
        await second.do(Propose(BOOKS), Propose(REMATCH))
        for player in rivals.players:
            while not player.first_dealers:
                await player.until(Told)
        await first.do(Leave())
    for player in rivals.players:
        kinds = [type(piece) for piece in player.news]
        assert kinds.count(Exposed) == 2
        met = next(
            number
            for number, piece in enumerate(player.news)
            if isinstance(piece, Told) and isinstance(piece.event, Met)
        )
        assert max(n for n, kind in enumerate(kinds) if kind is Exposed) < met


async def test_whoever_wants_another_game_offers_nothing_more(pair):
    async with trio.open_nursery() as nursery:
        first, second = await pair.settle(nursery)
        await first.do(Propose(REMATCH), Propose(BOOKS), Say("now"))
        await second.until(TalkHeard("now"))
        await second.do(Propose(BOOKS), Leave())
    assert second.told(Offered) == [Offered(REMATCH)]
    assert not first.told(Exposed)


async def test_who_leaves_while_the_other_agrees_is_gone(rivals):
    async with trio.open_nursery() as nursery:
        first, second = await rivals.settle(nursery)
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


async def test_a_line_that_breaks_before_the_greetings_ends_the_next_game(rivals):
    async with trio.open_nursery() as nursery:
        first, second = await rivals.settle(nursery)
        second.games = 1  # its program goes away
        await second.do(Propose(REMATCH))
        await first.until(Offered(REMATCH))
        await first.do(Propose(REMATCH))
        await second.done.wait()
        await rivals.cut()
    assert finished(first, 0).again
    assert isinstance(first.endings[1], Interrupted)


async def test_a_flood_of_offers_is_one_offer(tmp_path):
    """And what is offered before the end of a game counts for nothing."""
    _, hearer, _ = played_until(tmp_path, is_decided)
    player = Player(hearer, tmp_path, 1, Terms("Mina", None, open_book=False, stays=True))
    mine, theirs = await links()
    await player.give.send(mine)
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(player.run)
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


@pytest.fixture
def no_threads(monkeypatch):
    """Compute here: a clock that jumps does not wait for threads."""

    async def run_here(work, *arguments, **_: object):
        await trio.lowlevel.checkpoint()
        return work(*arguments)

    monkeypatch.setattr(trio.to_thread, "run_sync", run_here)


@pytest.mark.parametrize("open_book", [False, True])
async def test_a_seat_that_nobody_attends_does_not_stay(
    pair, open_book, no_threads, autojump_clock
):
    bot, person = pair.players
    bot.terms = Terms("Bot", None, open_book=open_book)
    async with trio.open_nursery() as nursery:
        begun = trio.current_time()
        for player in pair.players:
            nursery.start_soon(player.run)
        await pair.connect()
        await bot.done.wait()
        waited = trio.current_time() - begun
        await person.done.wait()
    assert (waited >= PARTING_LIMIT) == open_book
    assert waited < 2 * PARTING_LIMIT
    assert finished(person).seen_off
    assert finished(bot).seen_off


async def test_nobody_deals_first_by_claiming_so(tmp_path):
    """Only in a rematch does seat 0 deal first; a guest declines it otherwise."""
    from tests.session.test_session import game, seats

    host, guest = seats(tmp_path)
    host.terms = replace(host.terms, drawn=False)
    await game(host, guest)
    assert isinstance(guest.ending, Declined)
    assert isinstance(host.ending, Declined)
