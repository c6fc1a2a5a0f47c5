"""Seats, links and players for tests: the one set of them.

A ``Copy`` is a seat's game that a test moves by hand. A ``Player`` is a seat whose session runs
on whatever links the test gives it; a bot plays it unless the test does.
"""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import trio
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from trio.testing import memory_stream_pair

from matcha_p2p.crypto.signature import public_key
from matcha_p2p.crypto.sponge import H
from matcha_p2p.games import find, game_of
from matcha_p2p.games.matcha.bots.roster import BOTS
from matcha_p2p.games.matcha.rules.edition import EDITION_2015, Edition
from matcha_p2p.games.matcha.rules.moves import Move
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.games.matcha.table.events import Event, GameEnded
from matcha_p2p.games.matcha.table.steps import begin as begin_matcha
from matcha_p2p.lobby.own_seat import OwnSeat
from matcha_p2p.narration.news import News
from matcha_p2p.session.chain import Chain, Missing
from matcha_p2p.session.connection.changes import LineUp
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.session.news import (
    Choice,
    Concede,
    Ending,
    Finished,
    GameEvent,
    Inbox,
    Leave,
    MakeMove,
    MoveDue,
    Terms,
)
from matcha_p2p.session.reconnect import Neighbour, Place
from matcha_p2p.session.series import Series
from matcha_p2p.session.step.links import standing
from matcha_p2p.session.step.state import SessionOver, Transition
from matcha_p2p.session.step.step import begin, take_up
from matcha_p2p.table.game import TableGame
from matcha_p2p.table.greeting import roster_game
from matcha_p2p.table.seat import Offer
from matcha_p2p.table.table import next_due
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.transport.link import Link, answer, confirm, hear_knock, knock
from matcha_p2p.transport.names import Binding, Psk
from matcha_p2p.wire.roster import Roster, RosterSeat, sign_roster
from matcha_p2p.wire.statements import Statement, Sync
from matcha_p2p.wire.words import HereWord
from tests.duel import secrets_of

PSK = Psk(bytes(range(32)))
BINDING = Binding(b"b" * 32)
NAMES = ("Mina", "Taro")


# --- seats -----------------------------------------------------------------------------------


def own_seat(seed: str, seat: int, name: str) -> OwnSeat:
    """Return a seat that a test can make again, with a link key that opens links."""
    link = H("test link key", seed.encode(), bytes([seat]))
    secrets = replace(secrets_of(seed, seat), link=link)
    shown = X25519PrivateKey.from_private_bytes(link).public_key().public_bytes_raw()
    return OwnSeat(RosterSeat(name, public_key(secrets.session), shown), secrets)


def linked_roster(seed: str, game: TableGame, names: Sequence[str] = NAMES) -> Roster:
    """Return the roster of the own seats of ``seed``."""
    own = [own_seat(seed, seat, name) for seat, name in enumerate(names)]
    listed, nonce = [each.listed for each in own], H("test nonce", seed.encode())
    return sign_roster(nonce, roster_game(game), listed, own[0].secrets.session)


# --- copies ----------------------------------------------------------------------------------


class Copy:
    """One seat's copy of a game; as in a program, each entry taken or said is durable."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger

    @classmethod
    def begin(
        cls, folder: Path, seat: Seat, seed: str, edition: Edition = EDITION_2015
    ) -> Self:
        """Return an empty copy with its journal in ``folder``."""
        roster = linked_roster(seed, begin_matcha(edition))
        chain = Chain.begin(seat, own_seat(seed, seat, NAMES[seat]).secrets, PSK, roster)
        return cls(Ledger(folder / f"{seat}" / "journal", chain))

    @classmethod
    def open(cls, path: Path) -> Self:
        """Resume the game of the journal at ``path``."""
        return cls(Ledger.open(path))

    @property
    def chain(self) -> Chain:
        return self.ledger.chain

    @property
    def path(self) -> Path:
        return self.ledger.path

    @property
    def peer(self) -> Seat:
        (peer,) = self.chain.others
        return peer

    def close(self) -> None:
        self.ledger.close()

    def reopened(self) -> Self:
        """Return the copy of a restarted program."""
        self.close()
        return self.open(self.path)

    def greet(self) -> bytes:
        """Say HELLO; return the entry."""
        named = self.chain.roster.game
        game = find(named.name, named.variant, len(self.chain.seats))
        assert game is not None
        chain, _ = self.chain.greet(Offer(game, NAMES[self.chain.seat]))
        return self._say(chain)

    def hear(self, encoded: bytes) -> tuple[Event, ...]:
        chain, events = self.chain.hear(encoded)
        self.ledger.become(chain)
        return events

    def hear_record(self, encoded: bytes) -> None:
        chain, _ = self.chain.hear_record(encoded)
        self.ledger.become(chain)

    def hear_sync(self, encoded: bytes, binding: Binding = BINDING) -> tuple[Sync, Missing]:
        chain, sync = self.chain.hear_sync(encoded, binding, self.peer)
        self.ledger.become(chain)
        return sync, chain.missing(sync, self.peer)

    def hear_word(self, frame: Frame) -> None:
        chain, _ = self.chain.hear_word(frame)
        self.ledger.become(chain.answered())

    def here(self, asking: Chain) -> Frame:
        """Return the HERE of this seat for the ASK of a restarted program."""
        ask = asking.words.asks[asking.seat]
        chain, _ = self.chain.hear_word(Frame(Kind.ASK, ask.encoded))
        (word,) = [word for word in chain.words.all if isinstance(word, HereWord)]
        return Frame(Kind.HERE, word.encoded)

    def decide(self, move: Move) -> bytes:
        chain, _ = self.chain.decide(move)
        return self._say(chain)

    def follow(self) -> bytes:
        chain, _ = self.chain.follow()
        return self._say(chain)

    def declare(self, statement: Statement) -> bytes:
        self.ledger.become(self.chain.declare(statement))
        return self.chain.records[-1].encoded

    def _say(self, chain: Chain) -> bytes:
        assert len(chain.entries) == len(self.chain.entries) + 1
        self.ledger.become(chain)
        return chain.entries[-1].encoded


def pair(
    folder: Path, seed: str = "chain", edition: Edition = EDITION_2015
) -> tuple[Copy, Copy]:
    """Return both copies of a begun game."""
    host, guest = (Copy.begin(folder, seat, seed, edition) for seat in SEATS)
    guest.hear(host.greet())
    host.hear(guest.greet())
    return host, guest


def talk(host: Copy, guest: Copy, entries: int) -> list[bytes]:
    """Let both say what is due, up to ``entries`` entries, and hear each other."""
    said = []
    for _ in range(entries):
        due = next_due(host.chain.table)
        assert due is not None
        author, hearer = (host, guest) if due.seat == 0 else (guest, host)
        words = author.decide(last_choice(author)) if due.decision else author.follow()
        hearer.hear(words)
        said.append(words)
    return said


def last_choice(copy: Copy) -> Move:
    """Pass, or at the end of a set keep everything."""
    observation = copy.chain.view
    assert observation is not None
    return observation.legal_moves()[-1]


def say_next(host: Copy, guest: Copy, rng: random.Random) -> tuple[Copy, Copy, bytes]:
    """Let the due seat say its next entry; return the seat, the other and the entry."""
    ahead = max(host, guest, key=lambda copy: len(copy.chain.entries))
    due = next_due(ahead.chain.table)
    assert due is not None
    author, hearer = (host, guest) if due.seat == 0 else (guest, host)
    seen: Any = author.chain.view
    said = author.follow() if seen is None else author.decide(BOTS["uniform"].choose(seen, rng))
    return author, hearer, said


def played_until(
    folder: Path, enough: Callable[[Chain], bool], seed: int = 5
) -> tuple[Copy, Copy, bytes]:
    """Play until ``enough`` is true; return the last author, the other and the last entry.

    The other has not heard the last entry yet.
    """
    rng = random.Random(seed)
    host, guest = pair(folder, "parting")
    while True:
        author, hearer, said = say_next(host, guest, rng)
        if enough(author.chain):
            return author, hearer, said
        hearer.hear(said)


def is_decided(chain: Chain) -> bool:
    return chain.ended is not None


def is_under_way(chain: Chain) -> bool:
    return len(chain.entries) > 12


# --- links -----------------------------------------------------------------------------------


async def initiate(stream: trio.abc.Stream, psk: Psk) -> Link:
    """Make a link as the end that speaks first."""
    return await confirm(stream, await knock(stream, psk))


async def respond(stream: trio.abc.Stream, psk: Psk) -> Link:
    """Make a link as the end that speaks second."""
    responder, _ = await hear_knock(stream, psk)
    return await answer(stream, responder)


async def links(
    ends: tuple[trio.abc.Stream, trio.abc.Stream] | None = None, psk: Psk = PSK
) -> tuple[Link, Link]:
    """Return both ends of a link in memory, the answering end first."""
    near, far = ends or memory_stream_pair()
    made: list[Link] = []

    async def other_end() -> None:
        made.append(await respond(near, psk))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(other_end)
        made.append(await initiate(far, psk))
    return made[0], made[1]


async def tcp_links(psk: Psk = PSK) -> tuple[Link, Link]:
    """Return both ends of a link over loopback TCP, the answering end first."""
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    ends: list[Link] = []

    async def other_end() -> None:
        ends.append(await respond(await listener.accept(), psk))

    async with listener, trio.open_nursery() as nursery:
        nursery.start_soon(other_end)
        port = listener.socket.getsockname()[1]
        dialled = await initiate(await trio.open_tcp_stream("127.0.0.1", port), psk)
    return ends[0], dialled


# --- players ---------------------------------------------------------------------------------


class GivenLinks(Series):
    """Looks for no links; the given links are the only links."""

    given: trio.MemoryReceiveChannel[Link]

    async def _reconnect(self, found: Mapping[Seat, Neighbour], inbox: Inbox) -> None:
        del inbox
        (line,) = found.values()
        async for link in self.given:
            await line.links.send(link)
        await line.links.aclose()


class Player:
    """A seat with running sessions, on the given links alone.

    bot: the name of a bot, or a function; None leaves decisions to the test. answers: the
    choices at the n-th decision, before the bot's move; choices that end the game replace the
    move. listen: gets every piece of news first.
    """

    def __init__(
        self,
        ledger: Ledger,
        begun: Transition,
        terms: Terms,
        *,
        bot: str | Callable[[Observation], Move | None] | None = "uniform",
        seed: object = 7,
        listen: Callable[[News], None] | None = None,
    ) -> None:
        self.side = ledger.chain.seat
        self.begun = begun
        state, _ = begun
        (peer,) = ledger.chain.others
        links = {} if isinstance(state, SessionOver) else state.links
        self._begun_on = standing(links).get(peer)
        self.news: list[News] = []
        self.times: list[float] = []
        self.endings: list[Ending] = []
        self.transcripts: list[bytes] = []
        self.answers: dict[int, tuple[Choice, ...]] = {}
        self.at_end: tuple[Choice, ...] = ()
        self.done = trio.Event()
        self.give, given = trio.open_memory_channel[Link](8)
        self._inbox = Inbox()
        self._series = GivenLinks(ledger, terms, Place((), 0), self._keep)
        self._series.given = given
        self.bot = bot
        self.listen = listen
        self._rng = random.Random(f"{seed} {self.side}")
        self._asked = self._seen = 0
        self._came = trio.Event()

    @classmethod
    def of(cls, copy: Copy, terms: Terms, **how: Any) -> Self:
        """Return the player that resumes the game of ``copy``, as a restarted program does."""
        return cls(copy.ledger, take_up(copy.chain, terms, (), [copy.peer]), terms, **how)

    @property
    def ledger(self) -> Ledger:
        return self._series.ledger

    @property
    def chain(self) -> Chain:
        return self.ledger.chain

    @property
    def ending(self) -> Ending:
        return self.endings[-1]

    async def run(self, *links: Link) -> None:
        """Play until nothing more is awaited. links: all links of the player, if any."""
        (peer,) = self.chain.others
        first = None
        for link in links:
            if link.binding == self._begun_on:
                first = link
            else:
                await self.give.send(link)
        if links:
            await self.give.aclose()
        told, heard = trio.open_memory_channel[News](math.inf)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._look_on, heard)
            async with told:
                ending = await self._series.play(
                    self.begun, {peer: first}, told.send_nowait, self._inbox
                )
        await self._note(self.ledger, ending)
        self.done.set()

    async def _keep(self, ledger: Ledger, ending: Finished) -> Path:
        await self._note(ledger, ending)
        folder = ledger.path.parent
        return folder.with_name(f"{self.side}-{len(self.endings)}") / "journal"

    async def _note(self, ledger: Ledger, ending: Ending) -> None:
        await trio.lowlevel.checkpoint()
        self.endings.append(ending)
        self.transcripts.append(ledger.chain.transcript)
        ledger.close()

    async def _look_on(self, heard: trio.MemoryReceiveChannel[News]) -> None:
        async for piece in heard:
            self.news.append(piece)
            self.times.append(trio.current_time())
            if self.listen is not None:
                self.listen(piece)
            match piece:
                case GameEvent(GameEnded()):
                    await self.do(*self.at_end)
                case MoveDue(observation):
                    await self._decide(observation)
                case _:
                    pass
            self._came.set()
            self._came = trio.Event()

    async def _decide(self, observation: Observation) -> None:
        answers = self.answers.get(self._asked, ())
        self._asked += 1
        await self.do(*answers)
        move = None
        match self.bot:
            case _ if {Concede(), Leave()} & set(answers):
                pass
            case str(name):
                move = BOTS[name].choose(observation, self._rng)
            case None:
                pass
            case choose:
                move = choose(observation)
        if move is not None:
            await self.do(MakeMove(move))

    async def do(self, *choices: Choice) -> None:
        await trio.lowlevel.checkpoint()
        for choice in choices:
            self._inbox.put(choice)

    async def until(self, wanted: type | News) -> None:
        """Wait for the next ``wanted`` news: a test, or a kind of news or event."""
        while True:
            while self._seen < len(self.news):
                piece = self.news[self._seen]
                self._seen += 1
                event = piece.event if isinstance(piece, GameEvent) else None
                if isinstance(wanted, type) and isinstance(piece, wanted):
                    return
                if piece == wanted or (isinstance(wanted, type) and isinstance(event, wanted)):
                    return
            await self._came.wait()

    def told(self, kind: type) -> list[Any]:
        """Return the news or the events of a kind."""
        events = [piece.event for piece in self.news if isinstance(piece, GameEvent)]
        return [piece for piece in (*self.news, *events) if isinstance(piece, kind)]


def introduce(ledger: Ledger, terms: Terms, link: Link, **how: Any) -> Player:
    """Return the player who greets the other end of ``link``, the first link of ``run``."""
    (peer,) = ledger.chain.others
    begun = begin(ledger.chain, terms, LineUp(link.binding, link.remote, peer))
    return Player(ledger, begun, terms, **how)


async def introduced(
    folder: Path,
    terms: tuple[Terms, Terms],
    seed: str = "session",
    ends: tuple[Link, Link] | None = None,
    game: TableGame | None = None,
) -> tuple[tuple[Player, Player], tuple[Link, Link]]:
    """Return two seats about to greet each other, and the ends of their link.

    ends: None for a link in memory.
    """
    ends = ends or await links()
    first, players = terms[0], list[Player]()
    game = find(first.game, first.variant or game_of(first.game).variants[0], 2)
    assert game is not None
    for seat in SEATS:
        names = [each.name for each in terms]
        secrets = own_seat(seed, seat, names[seat]).secrets
        chain = Chain.begin(seat, secrets, PSK, linked_roster(seed, game, names))
        ledger = Ledger(folder / f"{seat}" / "journal", chain)
        players.append(introduce(ledger, terms[seat], ends[seat], seed=seed))
    return (players[0], players[1]), ends


async def play(players: Sequence[Player], ends: Sequence[Link]) -> None:
    """Let both play on one link."""
    async with trio.open_nursery() as nursery:
        for player, end in zip(players, ends, strict=True):
            nursery.start_soon(player.run, end)
