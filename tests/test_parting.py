"""The last word of a game: it arrives, it is told, and whoever said it waits for that."""

import random
from pathlib import Path

import pytest
import trio

from matcha_p2p.bots import BOTS
from matcha_p2p.chain import Chain
from matcha_p2p.line import Line
from matcha_p2p.machine.events import GameEnded
from matcha_p2p.machine.table import next_due
from matcha_p2p.news import Choice, Ending, Finished, Front, Interrupted, News, Terms, Told
from matcha_p2p.session import Session
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import Link
from matcha_p2p.wire.records import Resign
from matcha_p2p.wire.talk import Farewell, encode_farewell
from tests.test_chain import pair
from tests.test_session import links


def say_next(host: Chain, guest: Chain, rng: random.Random) -> tuple[Chain, Chain, bytes]:
    """Let the seat that is due say what it has to; return it, the other, and what it said."""
    due = next_due(host.table if len(host.entries) >= len(guest.entries) else guest.table)
    assert due is not None
    author, hearer = (host, guest) if due.seat == 0 else (guest, host)
    seen = author.observation()
    said = author.follow() if seen is None else author.decide(BOTS["uniform"].choose(seen, rng))
    assert said is not None
    return author, hearer, said.encoded


def played_until_decided(folder: Path) -> tuple[Chain, Chain, bytes]:
    """Play until an entry decides the game; return its author, the other, and the entry.

    The other has not heard it yet.
    """
    rng = random.Random(5)
    host, guest = pair(folder, "parting")
    while True:
        author, hearer, said = say_next(host, guest, rng)
        if author.ended is not None:
            return author, hearer, said
        hearer.hear(said)


async def sit(chain: Chain, link: Link) -> tuple[Ending, list[News]]:
    """Run the session of ``chain`` over ``link``, which is not its first one, to its end."""
    give, found = trio.open_memory_channel[Link](1)
    await give.send(link)
    told, heard = trio.open_memory_channel[News](100)
    _, choices = trio.open_memory_channel[Choice](1)
    terms = Terms("Mina", None, open_book=False)
    ending = await Session(Line(found), chain, terms, Front(told, choices)).run()
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
    author, hearer, said = played_until_decided(tmp_path)
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
