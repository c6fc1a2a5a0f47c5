"""Two whole players and an observer in memory: a game of real proofs from one seed."""

import random
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field

from matcha_p2p.crypto.signature import public_key
from matcha_p2p.crypto.sponge import H
from matcha_p2p.games import find
from matcha_p2p.games.matcha.bots.roster import BOTS
from matcha_p2p.games.matcha.rules.edition import EDITIONS
from matcha_p2p.games.matcha.rules.moves import Move
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.games.matcha.table.events import Event
from matcha_p2p.games.matcha.table.steps import begin
from matcha_p2p.games.matcha.table.told import told
from matcha_p2p.games.matcha.table.view import look
from matcha_p2p.table import step
from matcha_p2p.table.game import Find, TableGame
from matcha_p2p.table.greeting import roster_game
from matcha_p2p.table.seat import Offer, Player, Secrets, decide, follow, greet, take_seat
from matcha_p2p.table.table import Greetings, State, Table, next_due
from matcha_p2p.wire.entry import Entry, parse_entry
from matcha_p2p.wire.roster import Roster, RosterSeat, sign_roster

HOST, GUEST = SEATS
Chooser = Callable[[Observation], Move]


def secrets_of(seed: str, seat: int) -> Secrets:
    """Return secrets that a test can make again."""
    parts = (seed.encode(), bytes([seat]))
    return Secrets(H("test secret", *parts), H("test key", *parts))


def greetings_of(seed: str, game: TableGame, names: Sequence[str], find: Find) -> Greetings:
    """Return the greetings of ``game`` before entry 0."""
    return Greetings.of_roster(roster_of(seed, game, names), find)


def roster_of(
    seed: str,
    game: TableGame,
    names: Sequence[str],
    bots: Container[int] = (),
    identities: Sequence[bytes | None] = (None,) * 4,
) -> Roster:
    """Return a roster that a test can make again."""
    sessions = [secrets_of(seed, seat).session for seat in range(game.seats)]
    seats = [
        RosterSeat(
            names[seat],
            public_key(session),
            H("test link key", seed.encode(), bytes([seat])),
            identities[seat],
            bot=seat in bots,
        )
        for seat, session in enumerate(sessions)
    ]
    return sign_roster(H("test nonce", seed.encode()), roster_game(game), seats, sessions[0])


def chooser(bot: str, seed: str) -> Chooser:
    """Return a bot with its own seeded choices."""
    rng = random.Random(seed)
    return lambda observation: BOTS[bot].choose(observation, rng)


@dataclass
class Duel:
    """A running game: both players, the observer's state, every entry and event so far."""

    players: tuple[Player, ...]
    state: State
    entries: list[Entry] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)

    @property
    def table(self) -> Table:
        assert isinstance(self.state, Table)
        return self.state

    def say(self, entry: Entry) -> tuple[step.TableEvent, ...]:
        """Send ``entry`` as bytes: each receiver checks the entry from the bytes alone."""
        received = parse_entry(entry.encoded)
        self.state, events = step.step(self.state, received)
        self.entries.append(received)
        self.events.extend(told(events))
        return events


def opened(
    seed: str,
    edition: str = "2015",
    identities: tuple[bytes | None, bytes | None] = (None, None),
    *,
    first: Seat | None = None,
    names: tuple[str, str] = ("Mina", "Taro"),
) -> Duel:
    """Return a duel whose seats have greeted each other. first: deals first, None if drawn."""
    game = begin(EDITIONS[edition], first)
    keys = [None if seed is None else public_key(seed) for seed in identities]
    state = Greetings.of_roster(roster_of(seed, game, names, identities=keys), find)
    host = take_seat(HOST, state.head, secrets_of(seed, 0))
    hello = greet(host, state, Offer(game, names[0], identities[0]))
    guest = take_seat(GUEST, hello.id, secrets_of(seed, 1))
    duel = Duel((host, guest), state)
    duel.say(hello)
    assert isinstance(duel.state, Greetings)
    answer = Offer(game, names[1], identities[1])
    duel.say(greet(guest, duel.state, answer))
    return duel


def next_entry(duel: Duel, choosers: tuple[Chooser, Chooser]) -> Entry | None:
    """Return the next entry of the due seat, or None at the end."""
    due = next_due(duel.table)
    if due is None:
        return None
    player = duel.players[due.seat]
    if due.decision:
        move = choosers[due.seat](look(player, duel.table, ()))
        return decide(player, duel.table, move)[0]
    reply = follow(player, duel.table)
    assert reply is not None
    return reply[0]


def play_out(duel: Duel, choosers: tuple[Chooser, Chooser]) -> Duel:
    """Play ``duel`` to the end; authors and observers have the same state."""
    while (entry := next_entry(duel, choosers)) is not None:
        duel.say(entry)
    return duel
