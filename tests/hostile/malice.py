"""A malicious peer over TCP: the peer follows a scene's log to the letter, and then cheats.

The other end is the whole honest side as the commands run it, with the scene's secrets, and
must say byte for byte the entries of the scene's log.
"""

from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from unittest import mock

import trio

from matcha_p2p.app.command.outcomes import CommandError
from matcha_p2p.app.command.output import Output
from matcha_p2p.app.game.run_game import SeatSetup
from matcha_p2p.app.game.table import TableSeat, _play
from matcha_p2p.errors import Check, LinkError
from matcha_p2p.games.matcha.rules.moves import Move
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.rules.seats import Seat, opposite
from matcha_p2p.games.matcha.table.view import game_of, look
from matcha_p2p.narration.news import Choose, News
from matcha_p2p.session import series
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.connection.changes import LineUp
from matcha_p2p.session.ledger import Ledger
from matcha_p2p.session.news import MakeMove, MoveDue, Terms
from matcha_p2p.session.reconnect import Place, Reconnect
from matcha_p2p.session.step.step import begin, take_up
from matcha_p2p.store.home import Home
from matcha_p2p.table.seat import Offer, Player, decide
from matcha_p2p.table.table import Table, next_due
from matcha_p2p.transport.endpoints import Address
from matcha_p2p.transport.framing import PADDED_SIZES, Frame, Kind, prefix_length
from matcha_p2p.transport.link import Link
from matcha_p2p.wire.entry import Entry
from matcha_p2p.wire.record import parse_record
from matcha_p2p.wire.roster import Roster
from matcha_p2p.wire.statements import Abort
from tests.cheats.scene import IDENTITIES, Scene
from tests.harness import PSK, tcp_links

HERE: tuple[Address, ...] = (ip_address("127.0.0.1"),)
NAMES = ("Mina", "Taro")


_MOVES: dict[bytes, Move] = {}


def move_of(player: Player, table: Table, entry: Entry) -> Move:
    """Return the move of ``player`` that makes ``entry`` again."""
    if entry.id not in _MOVES:
        moves = look(player, table, ()).legal_moves()
        again = (move for move in moves if decide(player, table, move)[0].id == entry.id)
        _MOVES[entry.id] = next(again)
    return _MOVES[entry.id]


@dataclass
class Script:
    """Makes the moves of a seat of ``scene``, and then no more."""

    scene: Scene

    async def play(
        self,
        seat: int,
        news: AsyncIterator[News],
        choose: Choose,
    ) -> None:
        async for piece in news:
            match piece:
                case MoveDue(observation):
                    move = self.choose(seat, observation)
                    if move is not None:
                        choose(MakeMove(move))

    def choose(self, seat: int, observation: Observation) -> Move | None:
        """Return the move made at this point, None after the last move."""
        player = self.scene.players[seat]
        for table, entry in self._decisions(seat):
            if game_of(table) == observation.game:
                return move_of(player, table, entry)
        return None

    def _decisions(self, seat: int) -> Iterator[tuple[Table, Entry]]:
        for state, entry in zip(self.scene.states, self.scene.log, strict=False):
            if not isinstance(state, Table):
                continue
            due = next_due(state)
            if due is not None and due.decision and due.seat == seat == entry.seat:
                yield state, entry


class Identified(Chain):
    """A seat that certifies its session key with a long-term key."""

    def greet(self, offer: Offer) -> Any:
        return super().greet(replace(offer, identity=IDENTITIES[self.seat]))


class Facts(Output):
    """Remembers all that a command says."""

    def __init__(self) -> None:
        super().__init__(facts=True)
        self.told: list[tuple[str, dict[str, object]]] = []
        self.said: list[str] = []

    def write(self, text: str) -> None:
        self.said.append(text)

    def fact(self, event: str, **fields: object) -> None:
        self.told.append((event, fields))

    def one(self, event: str) -> dict[str, Any]:
        """Return the only fact of this kind."""
        (fields,) = [fields for name, fields in self.told if name == event]
        return fields


@dataclass
class Victim:
    """The honest side of ``scene``, as the commands play it, with a home in ``folder``.

    patience: seconds of looking for the peer when the line is lost.
    """

    scene: Scene
    folder: Path
    patience: float = 0.1
    out: Facts = field(default_factory=Facts)
    error: CommandError | None = None

    @property
    def seat(self) -> Seat:
        return opposite(self.scene.seat)

    @property
    def journals(self) -> list[Path]:
        """The games that can be resumed."""
        return list(self.folder.glob("unfinished/*/journal"))

    @property
    def _roster(self) -> Roster:
        return self.scene.states[0].roster

    def ledger(self) -> Ledger:
        """Begin the scene's game anew, with the scene's secrets."""
        kind = Chain if self._roster.seats[self.seat].identity is None else Identified
        secrets = self.scene.players[self.seat].secrets
        chain = kind.begin(self.seat, secrets, PSK, self._roster)
        return Ledger(self.folder / "unfinished" / "game" / "journal", chain)

    @property
    def terms(self) -> Terms:
        return Terms(NAMES[self.seat], "matcha", self._roster.game.variant, open_book=False)

    async def play(self, link: Link) -> None:
        """Play the scene's game on ``link`` until it ends."""
        ledger = self.ledger()
        up = LineUp(link.binding, link.remote, self.scene.seat)
        begun = begin(ledger.chain, self.terms, up)
        await self._play(TableSeat(ledger, begun, {self.scene.seat: link}))

    async def resume(self, link: Link | None) -> None:
        """Resume the game, on ``link`` or on no link."""
        ledger, peer = Ledger.open(self.journals[0]), self.scene.seat
        begun = take_up(ledger.chain, self.terms, (), [peer])
        await self._play(TableSeat(ledger, begun, {peer: link}))

    async def _play(self, sitting: TableSeat) -> None:
        """Play until the game ends; ``error`` is the command's last error."""
        setup = SeatSetup(self.terms, Script(self.scene), Home.find(self.folder), self.out)

        def impatient(*where: Any, patience: float, **how: Any) -> Reconnect:
            return Reconnect(*where, patience=min(patience, self.patience), **how)

        try:
            with mock.patch.object(series, "Reconnect", impatient):
                await _play(sitting, (), Place(HERE, 0, ["127.0.0.1"]), setup)
        except CommandError as error:
            self.error = error


@dataclass
class Malice:
    """The other end of the line."""

    scene: Scene
    link: Link
    aborts: list[Check] = field(default_factory=list)
    said: int = 0  # entries that the honest side has said

    @property
    def met(self) -> bool:
        """Whether, for the honest side, both have greeted each other."""
        return self.said > 0 and any(entry.seat == self.scene.seat for entry in self.scene.log)

    @property
    def over(self) -> bool:
        """Whether the game has ended with a goodbye of both."""
        return isinstance(self.scene.state, Table) and not self.scene.table.owing

    async def follow(self) -> None:
        """Play by the log; the honest side must do the same."""
        for entry in self.scene.log:
            if entry.seat == self.scene.seat:
                await self.link.send(Frame(Kind.MSG, entry.encoded))
            else:
                assert (await self.hear(Kind.MSG)).payload == entry.encoded

    async def hear(self, kind: Kind) -> Frame:
        """Return the next frame of ``kind``."""
        while True:
            frame = await self._receive()
            if frame.kind is kind:
                return frame

    async def _receive(self) -> Frame:
        frame = await self.link.receive()
        self.said += frame.kind is Kind.MSG
        return frame

    async def utter(self, clear: bytes) -> None:
        """Send frames in clear form through the channel, whether or not they are allowed."""
        while clear:
            size = 2 + int.from_bytes(clear[:2], "big")
            body, clear = clear[2:size], clear[size:]
            sized = body[:1] + prefix_length(body[1:])
            padded = next((s for s in PADDED_SIZES if s >= len(sized)), len(sized))
            sent = self.link._channel.outgoing.encrypt(sized.ljust(padded, b"\0"))
            await self.link._stream.send_all(prefix_length(sent))

    async def until_shown_out(self) -> None:
        """Listen until the honest side has stopped, note its words about us, and hang up."""
        with suppress(LinkError):
            while not self.aborts:
                frame = await self._receive()
                if frame.kind is Kind.BYE and not self.over:
                    break
                if frame.kind is Kind.BYE:
                    await self.link.send(frame)
                if frame.kind is Kind.REC:
                    statement = parse_record(frame.payload).statement
                    assert isinstance(statement, Abort)
                    self.aborts.append(Check(statement.code))
        await self.link.aclose()


async def attack(scene: Scene, cheat: bytes, folder: Path) -> tuple[Victim, Malice]:
    """Let a malicious peer play ``scene`` over TCP and end the game with ``cheat``."""
    ends = await tcp_links()
    victim = Victim(scene, folder)
    malice = Malice(scene, ends[scene.seat])

    async def misbehave() -> None:
        await malice.follow()
        await malice.utter(cheat)
        await malice.until_shown_out()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(misbehave)
        await victim.play(ends[victim.seat])
    return victim, malice
