"""The last word of a game arrives, is told, and is acknowledged to the seat that said it."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import trio

from matcha_p2p.app.game.keep import SavedGames
from matcha_p2p.app.game.play import _keep_game
from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.chain.verify import Verdict, verify_transcript
from matcha_p2p.games.matcha.rules.moves import PASS
from matcha_p2p.games.matcha.table.events import GameEnded
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.connection.changes import Arrived, LineUp
from matcha_p2p.session.news import (
    Concede,
    ConcedesLater,
    Finished,
    Item,
    Leave,
    MakeMove,
    Terms,
)
from matcha_p2p.session.step.state import Parting, Playing, SessionState
from matcha_p2p.session.step.step import step, take_up
from matcha_p2p.session.step.waits import PARTING_LIMIT
from matcha_p2p.table.table import next_due
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import Link
from matcha_p2p.wire.names import EntryId
from matcha_p2p.wire.record import sign_record
from matcha_p2p.wire.statements import Claim, Expose, Resign, Sync
from matcha_p2p.wire.talk import Farewell, encode_farewell
from tests.harness import (
    BINDING,
    Copy,
    Player,
    is_decided,
    is_under_way,
    links,
    pair,
    played_until,
    talk,
)

TERMS = Terms("Mina", "matcha", None, open_book=False)


async def sit_both(*copies: Copy) -> list[Player]:
    """Let the seats of ``copies`` go on, on a link after their first link."""
    ends = await links()
    players = [Player.of(copy, TERMS) for copy in copies]
    async with trio.open_nursery() as nursery:
        for player, end in zip(players, ends, strict=False):
            nursery.start_soon(player.run, end)
    return players


@pytest.fixture
def copies(tmp_path):
    author, hearer, said = played_until(tmp_path, is_decided)
    yield author, hearer, said
    for copy in (author, hearer):
        copy.close()


@pytest.fixture
def halfway(tmp_path):
    author, hearer, said = played_until(tmp_path, is_under_way)
    yield author, hearer, said
    for copy in (author, hearer):
        copy.close()


async def test_last_entry_is_sent_before_goodbye(copies):
    """The other side had seen the end already, and comes back only for this."""
    author, hearer, said = copies
    hearer.hear(said)
    hearer.follow()  # the second signature under the result, which is lost on the way
    assert hearer.chain.finished
    assert not author.chain.finished
    first, second = await sit_both(author, hearer)
    assert isinstance(first.ending, Finished)
    assert first.ending == second.ending
    assert first.ending.seen_off


@pytest.mark.parametrize("stays", [False, True])
async def test_seat_with_the_whole_game_ends_despite_announcements_of_a_cheat(
    copies, stays, no_threads, autojump_clock
):
    """The cheat announces more and says no goodbye. A person leaves, a bot does so unasked."""
    cheat, honest, said = copies
    honest.hear(said)
    honest.follow()
    again = honest.reopened()
    mine, theirs = await links()
    lie = Sync(len(again.chain.entries) + 3, theirs.binding, resigned=True)
    gid, seed = again.chain.table.gid, cheat.chain.secrets.session
    sync = sign_record(gid, cheat.chain.seat, EntryId(b"h" * 32), lie, seed)
    player = Player.of(again, replace(TERMS, stays=stays))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(player.run)
        await player.give.send(mine)
        await theirs.send(Frame(Kind.SYNC, sync.encoded))
        if stays:
            await player.do(Leave())
        with trio.fail_after(PARTING_LIMIT + 1):
            await player.done.wait()
        nursery.cancel_scope.cancel()
    assert isinstance(player.ending, Finished)
    assert verify_transcript(again.chain.transcript).verdict is Verdict.COMPLETE


async def test_a_game_that_was_decided_before_a_crash_is_told_to_have_ended(copies):
    author, hearer, said = copies
    hearer.hear(said)
    for player in await sit_both(author, hearer):
        assert isinstance(player.ending, Finished)
        assert player.told(GameEnded) == [player.ending.ended]


async def test_an_entry_that_crosses_a_resignation_may_decide_the_game(copies):
    """The resignation is void then, and both sides come to the result of the chain.

    The resigned seat signs the result, and nothing convicts the seat.
    """
    author, hearer, _ = copies
    hearer.declare(Resign())
    assert hearer.chain.finished
    first, second = await sit_both(author, hearer)
    assert isinstance(first.ending, Finished)
    assert first.ending == second.ending
    assert author.chain.transcript == hearer.chain.transcript
    assert second.told(GameEnded)[-1] == second.ending.ended


@pytest.mark.slow
@pytest.mark.parametrize(
    ("farewell", "seen_off"), [(Farewell.LATER, False), (Farewell.DONE, True)]
)
async def test_only_done_lets_the_other_forget_the_game(copies, farewell, seen_off):
    """LATER says nothing about the peer's part of the game."""
    _, hearer, _ = copies
    hearer.declare(Resign())
    mine, theirs = await links()
    await theirs.send(Frame(Kind.BYE, encode_farewell(farewell)))
    player = Player.of(hearer, TERMS)
    await player.run(mine)
    assert isinstance(player.ending, Finished)
    assert player.ending.seen_off is seen_off
    assert hearer.chain.last_word == hearer.chain.seat


@pytest.mark.parametrize(("crosswise", "kept"), [(False, False), (True, True)])
async def test_giving_up_keeps_the_game_if_the_goodbyes_may_have_crossed(
    halfway, crosswise, kept
):
    """The other side's goodbye may be older than the news of our giving up."""
    author, hearer, said = halfway
    hearer.declare(Resign())
    if crosswise:
        hearer.hear(said)
        hearer.hear_record(author.declare(Resign()))
    home = KeepingHome()
    assert hearer.chain.ended is not None
    setup = cast(
        "SeatSetup",
        SimpleNamespace(
            home=home,
            out=home,
            lasting=True,
            terms=Terms("Mina", "matcha", None, open_book=False),
        ),
    )
    saved = SavedGames(setup.home, setup.out)
    _keep_game(hearer.ledger, setup, saved, Finished(hearer.chain.ended, seen_off=True))
    assert hearer.chain.last_word == hearer.chain.seat
    assert home.forgotten == ([] if kept else [hearer.path])


class KeepingHome:
    """As much of a home, and of a screen, as the end of a game needs."""

    before_menu = False
    option = ""

    def __init__(self) -> None:
        self.forgotten: list[Path] = []

    def store_transcript(self, *_: object) -> Path:
        return Path("game.matcha")

    def command(self, *_: object) -> str:
        return "matcha"

    def note_game(self, *_: object) -> None:
        pass

    def forget(self, journal: Path) -> None:
        self.forgotten.append(journal)

    def say(self, *_: object) -> None:
        pass

    def fact(self, *_: object, **__: object) -> None:
        pass


async def heard_until_goodbye(link: Link) -> list[Frame]:
    """Return the messages over ``link``, without pings and talk."""
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
    player = Player.of(author, TERMS)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(player.run)
        if up:
            await player.give.send(mine)
            assert (await theirs.receive()).kind in (Kind.SYNC, Kind.PING)
        await player.do(Concede())
        await player.until(GameEnded)
        if not up:
            await player.give.send(mine)
        await theirs.send(Frame(Kind.SYNC, hearer.chain.sync(theirs.binding)))
        entry, record, bye = await heard_until_goodbye(theirs)
        nursery.cancel_scope.cancel()
    assert (entry.kind, entry.payload, record.kind) == (Kind.MSG, said, Kind.REC)
    hearer.hear(entry.payload)
    hearer.hear_record(record.payload)
    assert hearer.chain.resigned == author.chain.seat
    assert bye.payload == encode_farewell(Farewell.DONE)


async def test_seat_lacking_own_entries_resigns_after_the_word_of_the_peer(halfway):
    """A restarted program: an older head would exclude the entries signed before."""
    author, hearer, said = halfway
    hearer.hear(said)
    again = author.reopened()
    mine, theirs = await links()
    player = Player.of(again, TERMS, bot=None)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(player.run)
        await player.do(Concede())
        await player.until(ConcedesLater)
        assert again.chain.records == ()
        await player.give.send(mine)
        await theirs.send(Frame(Kind.SYNC, hearer.chain.sync(theirs.binding)))
        await theirs.send(hearer.here(again.chain))
        await player.until(GameEnded)
        nursery.cancel_scope.cancel()
    assert again.chain.resigned == again.chain.seat


async def test_a_resignation_that_was_written_down_and_not_sent_ends_the_game(halfway):
    """The program died just then; the restarted program has the record and says the record."""
    author, hearer, _ = halfway
    author.declare(Resign())
    again = author.reopened()
    for player in await sit_both(again, hearer):
        assert isinstance(player.ending, Finished)
        assert player.ending.ended.ended.winner == hearer.chain.seat
    assert again.chain.transcript == hearer.chain.transcript


def has_to_decide(copy: Copy) -> bool:
    return copy.chain.view is not None


@pytest.fixture
def put_back(tmp_path):
    """Yield a seat put back to before its resignation, and the peer."""
    host, guest = pair(tmp_path)
    while not has_to_decide(host):
        talk(host, guest, 1)
    saved = host.path.read_bytes()
    talk(host, guest, 1)
    while not has_to_decide(host):
        talk(host, guest, 1)
    guest.hear_record(host.declare(Resign()))
    host.close()
    host.path.write_bytes(saved)
    again = Copy.open(host.path)
    yield again, guest
    again.close()
    guest.close()


def resumed(copy: Copy, *frames: Frame) -> SessionState:
    """Return where the seat of ``copy`` stands after ``frames`` came over a new link.

    Its player decides before the next frame.
    """
    items: list[Item] = [LineUp(BINDING, None, copy.peer)]
    for frame in frames:
        items += [Arrived(BINDING, frame), MakeMove(PASS)]
    state, _ = take_up(copy.chain, TERMS, (), [copy.peer])
    for item in items:
        state, _ = step(state, item)
    return state


def test_seat_put_back_before_its_resignation_signs_nothing_until_that_is_back(put_back):
    loser, peer = put_back
    _, missing = peer.hear_sync(loser.chain.sync(BINDING))
    assert len(missing.entries) > 1
    sync = Frame(Kind.SYNC, peer.chain.sync(BINDING))
    entries = [Frame(Kind.MSG, entry) for entry in missing.entries]
    said = sync, peer.here(loser.chain), *entries
    state = resumed(loser, *said)
    assert isinstance(state, Playing)
    assert state.chain.entries == peer.chain.entries
    assert not state.chain.whole
    state = resumed(loser, *said, Frame(Kind.REC, *missing.records))
    assert isinstance(state, Parting)
    assert state.chain.whole
    assert state.chain.transcript == peer.chain.transcript


async def test_a_claim_made_while_nobody_was_there_is_heard_and_the_game_goes_on(halfway):
    """The record names an entry that the peer never got; both come to the end that was near."""
    author, hearer, _ = halfway
    author.declare(Claim(600, 1_800_000_000))
    hearer.declare(Resign())
    players = await sit_both(author, hearer)
    assert all(isinstance(player.ending, Finished) for player in players)
    assert author.chain.resigned == hearer.chain.resigned == hearer.chain.seat
    stated = {r for r in hearer.chain.records if not isinstance(r.statement, Sync)}
    assert set(author.chain.records) == stated
    assert len(stated) == 2


async def test_end_is_not_told_before_the_peer_has_told_its_length(copies):
    """A ping comes first: a seat with an opened book does not say goodbye to a ping."""
    author, hearer, said = copies
    hearer.hear(said)
    while (due := next_due(author.chain.table)) is not None:
        mine = due.seat == author.chain.seat
        speaker, other = (author, hearer) if mine else (hearer, author)
        other.hear(speaker.follow())
    theirs_open = hearer.declare(Expose(hearer.chain.game_key))
    author.hear_record(theirs_open)
    ours_open = author.declare(Expose(author.chain.game_key))  # is lost on the way
    mine, theirs = await links()
    player = Player.of(author, Terms("Mina", "matcha", None, open_book=True))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(player.run)
        await player.give.send(mine)
        await theirs.send(Frame(Kind.PING))
        await theirs.send(Frame(Kind.SYNC, hearer.chain.sync(theirs.binding)))
        heard = await heard_until_goodbye(theirs)
        nursery.cancel_scope.cancel()
    assert ours_open in [frame.payload for frame in heard]


async def test_news_at_the_end_of_the_time_is_told(halfway, monkeypatch, autojump_clock):
    """The peer gave up first, as its record shows; the record is read just as patience ends."""
    author, hearer, _ = halfway
    hear_record, heard = Chain.hear_record, []

    def hear(chain: Chain, encoded: bytes) -> object:
        heard.append(chain)
        return hear_record(chain, encoded)

    async def slow(work, *arguments):
        """Compute as a thread does, without stopping half way."""
        await trio.lowlevel.checkpoint()
        result = work(*arguments)
        if heard:
            with trio.CancelScope(shield=True):
                await trio.sleep(PARTING_LIMIT + 1)
        return result

    resignation = hearer.declare(Resign())
    monkeypatch.setattr(trio.to_thread, "run_sync", slow)
    mine, theirs = await links()
    player = Player.of(author, TERMS, bot=None)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(player.run)
        await player.give.send(mine)
        await player.do(Concede())
        await player.until(GameEnded)
        sync = hearer.chain.sync(theirs.binding)
        monkeypatch.setattr(Chain, "hear_record", hear)
        await theirs.send(Frame(Kind.SYNC, sync))
        await theirs.send(Frame(Kind.REC, resignation))
        await player.done.wait()
        nursery.cancel_scope.cancel()
    assert author.chain.resigned == hearer.chain.seat
    assert player.told(GameEnded)[-1] == author.chain.ended
