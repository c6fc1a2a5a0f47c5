"""The last word of a game: it arrives, it is told, and whoever said it waits for that."""

import math
import random
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import trio
from tests.session.test_chain import pair
from tests.session.test_session import links

from matcha_p2p.afterwards import PARTING_LIMIT
from matcha_p2p.bots import BOTS
from matcha_p2p.cli.attending import Sitting
from matcha_p2p.cli.game import _keep_game
from matcha_p2p.machine.events import GameEnded
from matcha_p2p.machine.table import next_due
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.line import Line
from matcha_p2p.session.news import (
    Choice,
    Concede,
    Ending,
    Finished,
    Front,
    Interrupted,
    News,
    Terms,
    Told,
    gathered,
)
from matcha_p2p.session.session import Session
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import Link
from matcha_p2p.wire.records import Claim, Expose, Resign
from matcha_p2p.wire.talk import Farewell, encode_farewell


def say_next(host: Chain, guest: Chain, rng: random.Random) -> tuple[Chain, Chain, bytes]:
    """Let the seat that is due say what it has to; return it, the other, and what it said."""
    due = next_due(host.table if len(host.entries) >= len(guest.entries) else guest.table)
    assert due is not None
    author, hearer = (host, guest) if due.seat == 0 else (guest, host)
    seen = author.observation()
    said = author.follow() if seen is None else author.decide(BOTS["uniform"].choose(seen, rng))
    assert said is not None
    return author, hearer, said.encoded


def is_decided(chain: Chain) -> bool:
    return chain.ended is not None


def is_under_way(chain: Chain) -> bool:
    return len(chain.entries) > 12


def played_until(folder: Path, enough: Callable[[Chain], bool]) -> tuple[Chain, Chain, bytes]:
    """Play until it is ``enough``; return who has said the last entry, the other, and it.

    The other has not heard it yet.
    """
    rng = random.Random(5)
    host, guest = pair(folder, "parting")
    while True:
        author, hearer, said = say_next(host, guest, rng)
        if enough(author):
            return author, hearer, said
        hearer.hear(said)


async def sit(chain: Chain, link: Link) -> tuple[Ending, list[News]]:
    """Run the session of ``chain`` over ``link``, which is not its first one, to its end."""
    give, found = trio.open_memory_channel[Link](1)
    await give.send(link)
    told, heard = trio.open_memory_channel[News](100)
    _, choices = trio.open_memory_channel[Choice](1)
    terms = Terms("Mina", None, open_book=False)
    line = Line(found)
    async with gathered(line, choices) as inbox:
        ending = await Session(line, chain, terms, Front(told, inbox)).run()
    news = []
    while heard.statistics().current_buffer_used:
        news.append(heard.receive_nowait())
    return ending, news


async def sit_both(*chains: Chain) -> list[tuple[Ending, list[News]]]:
    ends = await links()
    results: list[tuple[Ending, list[News]]] = [(Interrupted("never"), [])] * len(chains)

    async def run(number: int) -> None:
        results[number] = await sit(chains[number], ends[number])

    async with trio.open_nursery() as nursery:
        for number in range(len(chains)):
            nursery.start_soon(run, number)
    return results


def ends_told(news: list[News]) -> list[GameEnded]:
    return [
        piece.event
        for piece in news
        if isinstance(piece, Told) and isinstance(piece.event, GameEnded)
    ]


@pytest.fixture
def chains(tmp_path):
    author, hearer, said = played_until(tmp_path, is_decided)
    yield author, hearer, said
    for chain in (author, hearer):
        chain.close()


@pytest.fixture
def halfway(tmp_path):
    author, hearer, said = played_until(tmp_path, is_under_way)
    yield author, hearer, said
    for chain in (author, hearer):
        chain.close()


async def test_who_lacks_the_last_word_is_given_it_before_goodbye(chains):
    """The other side had seen the end already, and comes back only for this."""
    author, hearer, said = chains
    hearer.hear(said)
    hearer.follow()  # the second signature under the result, which is lost on the way
    assert hearer.finished
    assert not author.finished
    (first, _), (second, _) = await sit_both(author, hearer)
    assert isinstance(first, Finished)
    assert first == second
    assert first.seen_off


async def test_a_game_that_was_decided_before_a_crash_is_told_to_have_ended(chains):
    author, hearer, said = chains
    hearer.hear(said)
    results = await sit_both(author, hearer)
    for ending, news in results:
        assert isinstance(ending, Finished)
        assert ends_told(news) == [ending.ended]


async def test_an_entry_that_crosses_a_resignation_may_decide_the_game(chains):
    """The resignation is void then, and both sides come to the result of the chain."""
    author, hearer, _ = chains
    hearer.declare(Resign())
    assert hearer.finished
    (first, _), (second, news) = await sit_both(author, hearer)
    assert isinstance(first, Finished)
    assert first == second
    assert author.transcript() == hearer.transcript()
    assert ends_told(news)[-1] == second.ended


@pytest.mark.parametrize(
    ("farewell", "seen_off"), [(Farewell.LATER, False), (Farewell.DONE, True)]
)
async def test_only_who_is_done_lets_the_other_forget_the_game(chains, farewell, seen_off):
    """LATER says nothing about how much of the game the peer has."""
    _, hearer, _ = chains
    hearer.declare(Resign())
    mine, theirs = await links()
    await theirs.send(Frame(Kind.BYE, encode_farewell(farewell)))
    ending, _ = await sit(hearer, mine)
    assert isinstance(ending, Finished)
    assert ending.seen_off is seen_off
    assert hearer.last_word == hearer.seat


@pytest.mark.parametrize(("crosswise", "kept"), [(False, False), (True, True)])
async def test_who_gave_up_keeps_the_game_if_the_goodbyes_may_have_crossed(
    halfway, crosswise, kept
):
    """The other side's may have been said before it heard that we had given up first."""
    author, hearer, said = halfway
    hearer.declare(Resign())
    if crosswise:
        hearer.hear(said)
        hearer.hear_record(author.declare(Resign()).encoded)
    home = KeepingHome()
    assert hearer.ended is not None
    sitting = cast("Sitting", SimpleNamespace(home=home, out=home, lasting=True))
    _keep_game(hearer, sitting, Finished(hearer.ended, seen_off=True))
    assert hearer.last_word == hearer.seat
    assert home.forgotten == ([] if kept else [hearer.path])


class KeepingHome:
    """As much of a home, and of a screen, as the end of a game needs."""

    def __init__(self) -> None:
        self.forgotten: list[Path] = []

    def keep_transcript(self, *_: object) -> Path:
        return Path("game.matcha")

    def note_game(self, *_: object) -> None:
        pass

    def forget(self, journal: Path) -> None:
        self.forgotten.append(journal)

    def say(self, *_: object) -> None:
        pass

    def fact(self, *_: object, **__: object) -> None:
        pass


class Player:
    """A session whose peer is the test. say: gives the link. choose: what its player does."""

    def __init__(self, chain: Chain, *, open_book: bool = False) -> None:
        self.say, found = trio.open_memory_channel[Link](1)
        self._told, self.news = trio.open_memory_channel[News](math.inf)
        self.choose, self._choices = trio.open_memory_channel[Choice](1)
        self._line, self._chain = Line(found), chain
        self._terms = Terms("Mina", None, open_book)

    async def run(self) -> None:
        async with gathered(self._line, self._choices) as inbox:
            front = Front(self._told, inbox)
            await Session(self._line, self._chain, self._terms, front).run()

    async def until_ended(self) -> None:
        async for piece in self.news:
            if isinstance(piece, Told) and isinstance(piece.event, GameEnded):
                return


async def heard_until_goodbye(link: Link) -> list[Frame]:
    """Return what comes over ``link``, but for pings and talk."""
    heard: list[Frame] = []
    while not heard or heard[-1].kind is not Kind.BYE:
        frame = await link.receive()
        if frame.kind in (Kind.MSG, Kind.REC, Kind.BYE):
            heard.append(frame)
    return heard


@pytest.mark.parametrize("up", [False, True], ids=["down", "up-before-SYNC"])
async def test_a_resignation_goes_after_the_entry_that_it_names(halfway, up):
    """The line is down, or up and nobody knows yet how much of the game the peer has."""
    author, hearer, said = halfway
    mine, theirs = await links()
    player = Player(author)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(player.run)
        if up:
            await player.say.send(mine)
            assert (await theirs.receive()).kind in (Kind.SYNC, Kind.PING)
        await player.choose.send(Concede())
        await player.until_ended()
        if not up:
            await player.say.send(mine)
        await theirs.send(Frame(Kind.SYNC, hearer.sync(theirs.binding)))
        entry, record, bye = await heard_until_goodbye(theirs)
        nursery.cancel_scope.cancel()
    assert (entry.kind, entry.payload, record.kind) == (Kind.MSG, said, Kind.REC)
    hearer.hear(entry.payload)
    hearer.hear_record(record.payload)
    assert hearer.resigned == author.seat
    assert bye.payload == encode_farewell(Farewell.DONE)


async def test_a_resignation_that_was_written_down_and_not_sent_ends_the_game(halfway):
    """The program died just then; started again, it has the record and says it."""
    author, hearer, _ = halfway
    author.declare(Resign())
    author.close()
    again = Chain.open(author.path)
    results = await sit_both(again, hearer)
    again.close()
    for ending, _news in results:
        assert isinstance(ending, Finished)
        assert ending.ended.ended.winner == hearer.seat
    assert again.transcript() == hearer.transcript()


async def test_a_claim_made_while_nobody_was_there_is_heard_and_the_game_goes_on(halfway):
    """It names an entry that the peer never got; both come to the end that was near."""
    author, hearer, _ = halfway
    author.declare(Claim(600, 1_800_000_000))
    hearer.declare(Resign())
    results = await sit_both(author, hearer)
    assert all(isinstance(ending, Finished) for ending, _ in results)
    assert author.resigned == hearer.resigned == hearer.seat
    assert set(author.records) == set(hearer.records)
    assert len(hearer.records) == 2


async def test_nothing_is_said_of_the_end_before_the_peer_has_told_how_far_it_is(chains):
    """A ping comes first: who has opened the book does not say goodbye to it."""
    author, hearer, said = chains
    hearer.hear(said)
    while (due := next_due(author.table)) is not None:
        speaker, other = (author, hearer) if due.seat == author.seat else (hearer, author)
        result = speaker.follow()
        assert result is not None
        other.hear(result.encoded)
    theirs_open = hearer.declare(Expose(hearer.game_key))
    author.hear_record(theirs_open.encoded)
    ours_open = author.declare(Expose(author.game_key))  # is lost on the way
    mine, theirs = await links()
    player = Player(author, open_book=True)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(player.run)
        await player.say.send(mine)
        await theirs.send(Frame(Kind.PING))
        await theirs.send(Frame(Kind.SYNC, hearer.sync(theirs.binding)))
        heard = await heard_until_goodbye(theirs)
        nursery.cancel_scope.cancel()
    assert ours_open.encoded in [frame.payload for frame in heard]


async def test_what_is_heard_when_time_is_up_is_told_all_the_same(
    halfway, monkeypatch, autojump_clock
):
    """The peer gave up first, as its record shows; it is read just as patience ends."""
    author, hearer, _ = halfway

    hear_record, heard = Chain.hear_record, []

    def hear(chain: Chain, encoded: bytes) -> object:
        heard.append(chain)
        return hear_record(chain, encoded)

    async def slow(work: Callable[[], object]) -> object:
        """Compute as a thread does, which is not given up half way."""
        await trio.lowlevel.checkpoint()
        result = work()
        if author in heard:
            with trio.CancelScope(shield=True):
                await trio.sleep(PARTING_LIMIT + 1)
        return result

    monkeypatch.setattr(Chain, "hear_record", hear)
    monkeypatch.setattr(trio.to_thread, "run_sync", slow)
    mine, theirs = await links()
    player = Player(author)
    async with trio.open_nursery() as nursery:

        async def take_up() -> None:
            await player.run()
            nursery.cancel_scope.cancel()

        nursery.start_soon(take_up)
        await player.say.send(mine)
        await player.choose.send(Concede())
        await player.until_ended()
        await theirs.send(Frame(Kind.SYNC, hearer.sync(theirs.binding)))
        await theirs.send(Frame(Kind.REC, hearer.declare(Resign()).encoded))
        await trio.sleep_forever()
    told = [
        player.news.receive_nowait()
        for _ in range(player.news.statistics().current_buffer_used)
    ]
    assert author.resigned == hearer.seat
    assert ends_told(told)[-1] == author.ended
