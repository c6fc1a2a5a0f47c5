"""A table of sessions in memory, with links between some seats; chance orders the frames.

Nothing here waits: a room goes on until no frame and no decision is left.
"""

import math
import random
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from matcha_p2p import games
from matcha_p2p.crypto.signature import public_key
from matcha_p2p.crypto.sponge import H
from matcha_p2p.lobby.own_seat import OwnSeat
from matcha_p2p.seats import Seat
from matcha_p2p.session import chain as chains
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.connection.changes import Arrived, LineDown, LineUp
from matcha_p2p.session.ledger import header_of, recall_chain, since
from matcha_p2p.session.news import (
    Again,
    Awaited,
    Finished,
    Item,
    MakeMove,
    MoveDue,
    PlayAgain,
    SessionNews,
    Terms,
    TimeUp,
)
from matcha_p2p.session.step import step as session
from matcha_p2p.session.step.links import standing
from matcha_p2p.session.step.state import (
    HangUp,
    Playing,
    Send,
    SessionOver,
    SessionState,
    Tell,
    Transition,
)
from matcha_p2p.session.step.waits import waits
from matcha_p2p.table.step import step
from matcha_p2p.table.table import State
from matcha_p2p.transport.framing import Frame
from matcha_p2p.transport.names import Binding, Psk
from matcha_p2p.wire.entry import Entry
from matcha_p2p.wire.record import Record
from matcha_p2p.wire.roster import RosterSeat
from matcha_p2p.wire.watching import Admission
from tests.duel import roster_of, secrets_of

Edge = tuple[int, int]
GRAPHS: dict[str, tuple[int, tuple[Edge, ...]]] = {
    "pair": (2, ((0, 1),)),
    "star of three": (3, ((0, 1), (0, 2))),
    "ring of three": (3, ((0, 1), (1, 2), (0, 2))),
    "star of four": (4, ((0, 1), (0, 2), (0, 3))),
    "line of four": (4, ((2, 0), (0, 3), (3, 1))),
    "ring of four": (4, ((0, 1), (1, 2), (2, 3), (0, 3))),
    "mesh of four": (4, ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))),
}
"""The number of seats, and the links."""

QUICK = ("pair", "ring of three", "line of four")
"""A link, a cycle and two relays: planted mistakes were found on these as on all graphs."""


def on_graphs(graphs: Iterable[str], **values: Iterable[Any]) -> pytest.MarkDecorator:
    """Run a test on each of ``graphs``: with all ``values`` on the quick graphs.

    On each other graph a slow case takes one of the values.
    """
    rows = [*product(*values.values())]
    cases = [
        pytest.param(graph, *row, marks=() if graph in QUICK else pytest.mark.slow)
        for graph in graphs
        for row in (rows if graph in QUICK else [random.Random(graph).choice(rows)])
    ]
    return pytest.mark.parametrize(("graph", *values), cases)


NOBODY_SPEAKS: Mapping[int, Admission] = {}

Choose = Callable[[Any, random.Random], Any]
Relay = Callable[[Seat, Seat, Frame], Sequence[Frame]]


def first_card(view: Any, _: random.Random) -> Any:
    return view.legal_moves()[0]


def know_toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Know the toy, and judge each entry once."""
    monkeypatch.setitem(games.FOLDERS, "toy", "tests.games.toy")
    judge_once(monkeypatch, {})


def judge_once(monkeypatch: pytest.MonkeyPatch, judged: dict[tuple[bytes, bytes], Any]) -> None:
    """Let all seats share the judgements of entries: ``step`` is pure."""

    def step_once(state: State, entry: Entry) -> Any:
        key = (state.head, entry.encoded)
        if key not in judged:
            judged[key] = step(state, entry)
        return judged[key]

    monkeypatch.setattr(chains, "step", step_once)


def next_game(state: SessionState) -> Again | None:
    match state:
        case SessionOver(ending=Finished(again=again)):
            return again
        case _:
            return None


def own_seat(seat: int, number: int = 1) -> OwnSeat:
    secrets = secrets_of(f"game {number}", seat)
    link = H("test link key", bytes([number, seat]))
    return OwnSeat(RosterSeat(f"seat {seat}", public_key(secrets.session), link), secrets)


class Room:
    """The seats of a table. relay: changes the frames on their way from a seat to another.

    admits: what seats say about watching, by seat.
    """

    def __init__(
        self,
        graph: str,
        seed: str,
        *,
        game: str = "toy",
        choose: Choose = first_card,
        stays: bool = False,
        admits: Mapping[int, Admission] = NOBODY_SPEAKS,
    ) -> None:
        count, edges = GRAPHS[graph]
        self.seats = tuple(Seat(seat) for seat in range(count))
        self.rng = random.Random(seed)
        self.news: list[list[SessionNews]] = [[] for _ in self.seats]
        self.states: dict[Seat, SessionState] = {}
        self.relay: Relay = lambda _from, _to, frame: [frame]
        self.most: float = math.inf
        self.frames = 0
        self.starts = 0
        self.games: list[list[Chain]] = [[] for _ in self.seats]
        self._old: set[Binding] = set()
        self._choose = choose
        self._ends: dict[Binding, tuple[Seat, Seat]] = {}
        self._wires: dict[tuple[Binding, Seat], deque[Frame]] = {}
        self._choices: deque[tuple[Seat, Item]] = deque()
        ups: dict[Seat, list[LineUp]] = {seat: [] for seat in self.seats}
        for one, other in edges:
            binding = self._wire(Seat(one), Seat(other))
            ups[Seat(one)].append(LineUp(binding, None, Seat(other)))
            ups[Seat(other)].append(LineUp(binding, None, Seat(one)))
        usual = Admission()
        self.terms = [
            Terms(
                f"seat {seat}",
                game,
                None,
                open_book=False,
                stays=stays,
                seats=count,
                watchers=admits.get(seat, usual).most,
                sight=admits.get(seat, usual).sight,
            )
            for seat in self.seats
        ]
        names = [terms.name for terms in self.terms]
        begun = games.find(game, games.game_of(game).variants[0], count)
        assert begun is not None
        roster = roster_of(seed, begun, names)
        for seat in reversed(self.seats):
            chain = Chain.begin(seat, secrets_of(seed, seat), Psk(bytes(32)), roster)
            self._become(seat, session.begin(chain, self.terms[seat], *ups[seat]))

    def chain(self, seat: int) -> Chain:
        return self.states[Seat(seat)].chain

    def end_of(self, seat: int) -> Chain:
        """Return the first game of ``seat``, as it ended or stands."""
        return [*self.games[seat], self.chain(seat)][0]

    def told(self, seat: int, kind: type) -> list[Any]:
        return [piece for piece in self.news[seat] if isinstance(piece, kind)]

    def run(self, until: Callable[[], bool] = lambda: False) -> None:
        """Go on until nothing is on its way, or ``until`` is true after an item."""
        while not until() and (ready := [*filter(self._wires.get, self._wires)]):
            ready = [wire for wire in ready if wire[0] not in self._old] or ready
            binding, seat = self.rng.choice(ready)
            frame = self._wires[binding, seat].popleft()
            self.frames += 1
            self._take(seat, Arrived(binding, frame))
            while self._choices:
                self._take(*self._choices.popleft())

    def has(self, entries: int) -> Callable[[], bool]:
        """Return the test whether every seat has as many entries."""
        return lambda: min(len(self.chain(seat).entries) for seat in self.seats) >= entries

    def cut(self, one: int, other: int) -> None:
        """Break the link; some of the frames on their way still arrive."""
        for binding, ends in [*self._ends.items()]:
            if {*ends} == {one, other}:
                self._close(binding)

    def link(self, one: int, other: int, *, beside: bool = False) -> None:
        """Make a new link in place of an older one, as a connection does.

        beside: whether this is a direct link of two guests.
        """
        for older, ends in [*self._ends.items()]:
            if {*ends} == {one, other}:
                del self._ends[older], self._wires[older, ends[0]], self._wires[older, ends[1]]
        binding = self._wire(Seat(one), Seat(other))
        self._take(Seat(one), LineUp(binding, None, Seat(other), beside))
        self._take(Seat(other), LineUp(binding, None, Seat(one), beside))

    def restart(self, seat: int, back: int = 0, *, cut: bool = True) -> None:
        """Start the program of ``seat`` again, without its last ``back`` items on the disk.

        cut: whether the old links break. Old links that stand deliver their frames last.
        """
        old = self.chain(seat)
        items = since(old, old.empty)
        for binding, ends in [*self._ends.items()]:
            if seat in ends and cut:
                self._close(binding)
            elif seat in ends:
                self._old.add(binding)
        before = recall_chain(header_of(old), items[: len(items) - back])
        self.starts += 1
        chain = before.restarted(self.starts, self.rng.randbytes(32))
        self._become(Seat(seat), session.take_up(chain, self.terms[seat]))

    def do(self, seat: int, choice: Item) -> None:
        self._take(Seat(seat), choice)

    def bindings(self, seat: int) -> Mapping[Seat, Binding]:
        """Return the links of ``seat`` that stand, by neighbour."""
        state = self.states[Seat(seat)]
        assert not isinstance(state, SessionOver)
        return standing(state.links)

    def hear(self, seat: int, neighbour: int, frame: Frame) -> None:
        """Let ``seat`` have a frame of ``neighbour``."""
        self.do(seat, Arrived(self.bindings(seat)[Seat(neighbour)], frame))

    def tell(self, seat: int, record: Record) -> None:
        """Let ``seat`` have ``record``, as if a neighbour had sent it."""
        state = self.states[Seat(seat)]
        assert isinstance(state, Playing)
        chain, _ = state.chain.hear_record(record.encoded)
        self.states[Seat(seat)] = replace(state, chain=chain)

    def wish(self, seat: int, number: int = 1) -> None:
        """Let ``seat`` wish another game. number: of the game."""
        self.do(seat, PlayAgain(own_seat(seat, number)))

    def wait(self, seat: int, what: Awaited) -> None:
        """Let the waits of ``seat`` for ``what`` be over."""
        for wait in waits(self.states[Seat(seat)]):
            if wait.what is what:
                self._take(Seat(seat), TimeUp(wait))

    def time_passes(self) -> None:
        """Let every wait of every seat be over that has an end."""
        for seat in self.seats:
            for wait in waits(self.states[seat]):
                if math.isfinite(wait.seconds):
                    self._take(seat, TimeUp(wait))

    def _wire(self, one: Seat, other: Seat) -> Binding:
        binding = Binding(self.rng.randbytes(32))
        self._ends[binding] = (one, other)
        self._wires[binding, one] = deque()
        self._wires[binding, other] = deque()
        return binding

    def _close(self, binding: Binding, by: Seat | None = None, why: str = "cut") -> None:
        """End a link. by: the seat that hangs up; its frames arrive, and it reads no more."""
        one, other = self._ends.pop(binding)
        for seat, peer in ((one, other), (other, one)):
            wire = list(self._wires.pop((binding, seat)))
            arrived = {None: self.rng.randint(0, len(wire)), seat: 0}.get(by, len(wire))
            for frame in wire[:arrived]:
                self._take(seat, Arrived(binding, frame))
            self._take(seat, LineDown(why if seat == by else "cut", peer))

    def _take(self, seat: Seat, item: Item) -> None:
        self._become(seat, session.step(self.states[seat], item))

    def _become(self, seat: Seat, done: Transition) -> None:
        before, (state, effects) = self.states.get(seat), done
        self.states[seat] = state
        for effect in effects:
            match effect:
                case Send(binding, frame) if binding in self._ends:
                    one, other = self._ends[binding]
                    peer = other if seat == one else one
                    self._wires[binding, peer].extend(self.relay(seat, peer, frame))
                case Tell(MoveDue(view) as piece):
                    self.news[seat].append(piece)
                    if len(state.chain.entries) < self.most:
                        move = self._choose(view, self.rng)
                        self._choices.append((seat, MakeMove(move)))
                case Tell(piece):
                    self.news[seat].append(piece)
                case HangUp(binding, why) if binding in self._ends:
                    self._close(binding, by=seat, why=why)
                case _:
                    pass
        if isinstance(state, SessionOver) and not isinstance(before, SessionOver):
            self._end(seat, state)

    def _end(self, seat: Seat, state: SessionOver) -> None:
        """Begin the next game, or close the links of the seat."""
        again = next_game(state)
        if again is not None:
            self.games[seat].append(state.chain)
            terms = replace(self.terms[seat], variant=state.chain.next())
            self._become(seat, session.begin_next(state.chain, terms, again))
            return
        for binding, ends in [*self._ends.items()]:
            if seat in ends and binding in self._ends:
                self._close(binding, by=seat)
