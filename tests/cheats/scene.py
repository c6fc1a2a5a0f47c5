"""Games to cheat in, and the means of a cheat: its own secrets, and everything seen."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, TypeAlias

from matcha_p2p.crypto import signature
from matcha_p2p.crypto.sigma import Random
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import Check
from matcha_p2p.games import find
from matcha_p2p.games.matcha.rules import moves
from matcha_p2p.games.matcha.rules.moves import PASS, Keep
from matcha_p2p.games.matcha.rules.observation import Observation
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat, opposite
from matcha_p2p.games.matcha.table.view import look
from matcha_p2p.table.messages import Action, MoveAction, encode_action
from matcha_p2p.table.seat import Player, _due_action, decide
from matcha_p2p.table.step import act, actions_of, owes_more, step
from matcha_p2p.table.steps import Share, Shuffle
from matcha_p2p.table.table import Greetings, State, Table, Verb, state_tag
from matcha_p2p.transport.framing import Frame, Kind, encode_frame
from matcha_p2p.wire.encoding import Value, pack
from matcha_p2p.wire.entry import Entry, sign_entry
from tests.duel import Chooser, Duel, chooser, next_entry, opened, play_out

Hostile: TypeAlias = Any  # decoded values, which a cheat puts together as no type allows
DOMAIN = b"matcha/v1/msg\0"


@dataclass(frozen=True)
class Scene:
    """A game at the point where ``seat`` cheats.

    states: before each entry of ``log``, and after the last. honest: the honest next entry,
    None at the end of the game.
    """

    players: tuple[Player, ...]
    states: tuple[State, ...]
    log: tuple[Entry, ...]
    seat: Seat
    honest: Entry | None = None

    @property
    def state(self) -> State:
        return self.states[-1]

    @property
    def table(self) -> Table:
        assert isinstance(self.state, Table)
        return self.state

    @property
    def player(self) -> Player:
        return self.players[self.seat]

    @property
    def peer(self) -> Player:
        return self.players[1 - self.seat]

    @property
    def fields(self) -> list[Hostile]:
        """The honest next actions, encoded."""
        assert self.honest is not None
        return fields_of(self.honest)

    @property
    def actions(self) -> tuple[Action, ...]:
        """The honest next actions."""
        assert self.honest is not None
        game = self.state.game if isinstance(self.state, Table) else None
        return actions_of(self.honest, game)

    @property
    def random(self) -> Random:
        """Randomness that the honest player does not use."""
        return self.player.random(H("cheat", self.state.head))

    def earlier(self, holds: Callable[[Table], bool]) -> Table:
        """Return the latest earlier table for which ``holds`` is true."""
        tables = (state for state in reversed(self.states) if isinstance(state, Table))
        return next(table for table in tables if holds(table))


def fields_of(entry: Entry) -> list[Hostile]:
    """Return the actions of ``entry``, encoded: a cheat changes any part."""
    return list(entry.fields)


@dataclass(frozen=True)
class Row:
    """A row of the protocol's list of cheats: the check broken in ``scene``.

    attributed: whether the signature proves that the seat of the scene was the author.
    """

    number: int
    check: Check
    scene: Callable[[], Scene]
    attributed: bool = True


@dataclass(frozen=True)
class Cheat:
    """One cheat. make: returns the frame that ends the game."""

    row: Row
    name: str
    make: Callable[[Scene], bytes]

    def __str__(self) -> str:
        return f"{self.row.number}: {self.name}"


def cheats(table: Mapping[Row, Mapping[str, Callable[[Scene], bytes]]]) -> tuple[Cheat, ...]:
    """Return the cheats of a table: by row, then by name."""
    return tuple(
        Cheat(row, name, make) for row, named in table.items() for name, make in named.items()
    )


# --- games -------------------------------------------------------------------------------


def hoarding(seed: str) -> Chooser:
    """Play at random and keep all remaining cards."""
    play = chooser("uniform", seed)

    def choose(observation: Observation) -> moves.Move:
        legal = observation.legal_moves()
        if isinstance(legal[0], Keep):
            return max(legal, key=lambda keep: len(keep.slots) if isinstance(keep, Keep) else 0)
        return play(observation)

    return choose


def passing(observation: Observation) -> moves.Move:
    """Pass, whatever happens."""
    return PASS


def racing(observation: Observation) -> moves.Move:
    """As dealer lay a card whenever possible; else hold back until the last round."""
    game = observation.game
    eager = game.dealer == observation.seat or game.rounds[-1].number == 3
    return observation.legal_moves()[0] if eager else PASS


GAMES = {
    "hoarding": ("k48", "2015", (hoarding("a3"), hoarding("b3"))),
    "racing": ("race21", "2015", (racing, racing)),
    "long": ("s0", "2015", (chooser("uniform", "a0"), chooser("uniform", "b0"))),
    "short": ("s38", "2020", (chooser("uniform", "a0"), chooser("uniform", "b0"))),
    "passing": ("pass9", "2020", (passing, passing)),
    "named": ("named", "2015", (passing, racing)),
}
IDENTITIES = (H("test identity", b"0"), H("test identity", b"1"))


@cache
def played(game: str) -> Scene:
    """Return a whole honest game, as a scene at its end."""
    seed, edition, choosers = GAMES[game]
    identities = IDENTITIES if game == "named" else (None, None)
    duel = opened(seed, edition, identities)
    if game != "named":
        play_out(duel, choosers)
    states: list[State] = [Greetings.of_roster(duel.state.roster, find)]
    for entry in duel.entries:
        states.append(step(states[-1], entry)[0])
    return Scene(duel.players, tuple(states), tuple(duel.entries), SEATS[0])


def at(
    holds: Callable[[State, Entry], bool],
    *games: str,
    other: bool = False,
) -> Callable[[], Scene]:
    """Return what finds the first point of ``games`` where ``holds`` (state, honest entry).

    The author of the honest entry is to cheat, or the ``other`` seat.
    """

    def find() -> Scene:
        for game in games or ("hoarding", "racing", "long", "short"):
            end = played(game)
            for n, entry in enumerate(end.log):
                if holds(end.states[n], entry):
                    seat = opposite(entry.seat) if other else entry.seat
                    return replace(
                        end,
                        states=end.states[: n + 1],
                        log=end.log[:n],
                        honest=entry,
                        seat=seat,
                    )
        raise LookupError("no game comes to such a point")

    return find


def parted(game: str, *places: int) -> Duel:
    """Play ``game`` again up to the last of ``places``, and decide otherwise at each of them.

    Behind the first place both seats pass where they do not decide otherwise.
    """
    end, start = played(game), places[0]
    duel = Duel(end.players, end.states[start], list(end.log[:start]))
    for place in range(start, places[-1] + 1):
        usual = end.log[start] if place == start else next_entry(duel, (passing, passing))
        assert usual is not None
        duel.say(_otherwise(duel, usual) if place in places else usual)
    return duel


def _otherwise(duel: Duel, usual: Entry) -> Entry:
    player = duel.players[usual.seat]
    moves = look(player, duel.table, ()).legal_moves()
    said = (decide(player, duel.table, move)[0] for move in moves)
    return next(entry for entry in said if entry.id != usual.id)


def coins(state: State) -> int:
    return state.coins if isinstance(state, Table) else 0


NAMES = {
    *(verb.value for verb in Verb),
    *(f"SHUF {label}" for label in ("mix", "deal", "own")),
    *(f"SHARE {label}" for label in ("open", "strip", "reveal")),
    *("MOVE lay", "MOVE pass", "MOVE keep"),
}


def says(*names: str, seat: int | None = None) -> Callable[[State, Entry], bool]:
    """Hold where the honest message begins with the actions ``names``.

    A name is a verb, "SHARE" for example, or a verb and the label of its step or the name of
    its move: "SHARE strip", "MOVE lay".
    """
    for name in names:
        assert name in NAMES, f"no message holds {name}"

    def holds(state: State, entry: Entry) -> bool:
        said = _named(state, entry)
        if len(said) < len(names) or seat not in (None, entry.seat):
            return False
        return all(name in both for name, both in zip(names, said, strict=False))

    return holds


def _named(state: State, entry: Entry) -> list[tuple[str, str]]:
    """Return each action of the entry after ``state`` by verb and by full name."""
    if not isinstance(state, Table):
        return [(action[0], action[0]) for action in fields_of(entry)]
    names = []
    for place, action in enumerate(actions_of(entry, state.game)):
        verb = state.owing[0].verb.value
        match state.step, action:
            case ((Shuffle(label=label) | Share(label=label)), _):
                names.append((verb, f"{verb} {label}"))
            case _, MoveAction((str(name), *_)):
                names.append((verb, f"{verb} {name}"))
            case _:
                names.append((verb, verb))
        state, _ = act(state, entry.seat, action, place)
    return names


# --- what cheats say ---------------------------------------------------------------------


def message(payload: bytes) -> bytes:
    return encode_frame(Frame(Kind.MSG, payload))


def sign_body(body: bytes, seed: bytes, domain: bytes = DOMAIN) -> bytes:
    return pack([body, signature.sign(seed, domain + body)])


def body(
    scene: Scene,
    fields: Sequence[Hostile],
    *,
    seat: int | None = None,
    seq: int | None = None,
    prev: bytes | None = None,
    state: bytes | None = None,
) -> list[Value]:
    """Return the body of a message in the right place, with the given changes."""
    honest = scene.honest
    return [
        len(scene.log) if seq is None else seq,
        scene.seat if seat is None else seat,
        scene.state.head if prev is None else prev,
        (honest.state if honest else state_tag(scene.state)) if state is None else state,
        list(fields),
    ]


def utter(scene: Scene, fields: Sequence[Hostile], **changes: Hostile) -> bytes:
    """Return a rightly signed message with any ``fields`` and the honest ``st``."""
    signed = sign_body(pack(body(scene, fields, **changes)), scene.player.secrets.session)
    return message(signed)


def say(scene: Scene, *actions: Action) -> bytes:
    """Return the message of ``actions`` and of all following actions, everything to match.

    The cheat's own machine takes the actions, without their proofs: only a check of the proof
    can find the fault.
    """
    table = scene.table
    said: list[Value] = []
    left = list(actions)
    while left or owes_more(table, scene.seat):
        action = left.pop(0) if left else _due_action(scene.player, table, len(said))
        table, _ = act(table, scene.seat, action, len(said))
        said.append(encode_action(action))
    seed = scene.player.secrets.session
    entry = sign_entry(
        len(scene.log), scene.seat, scene.state.head, state_tag(table), said, seed
    )
    return message(entry.encoded)
