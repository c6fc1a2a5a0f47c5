"""Traces: the state of a game, its debts and the tag after every entry of a transcript."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from typing import TypeAlias
from unittest import mock

from matcha_p2p.errors import Check
from matcha_p2p.games import FOLDERS, find
from matcha_p2p.seats import Seat
from matcha_p2p.table import steps, verbs
from matcha_p2p.table.messages import MoveAction, Unseal
from matcha_p2p.table.piles import Piles
from matcha_p2p.table.step import Taken, recall
from matcha_p2p.table.table import Greetings, State, Table, state_tag
from matcha_p2p.wire.encoding import Value
from protocol.generator.games import Golden
from protocol.generator.vectors import Case, Json, Vectors
from tests.games import toy

FILES = {
    "matcha-2015": ("accept/hoarding", "SPEC#matcha"),
    "matcha-2020": ("accept/2020-last-set", "SPEC#matcha"),
    "tichu": ("tichu/random", "SPEC#tichu"),
    "kashi-three": ("kashi/other-board", "SPEC#kashi"),
    "kashi-four": ("kashi/idle", "SPEC#kashi"),
    "toy": ("toy/first-1", "TOY#toy"),
}
"""The name of each trace, its transcript, and the section about the game."""

Said: TypeAlias = dict[Seat, steps.Wire]


def every(goldens: Mapping[str, Golden]) -> Iterator[Vectors]:
    """Yield the traces. goldens: transcripts by path."""
    for name, (path, section) in FILES.items():
        yield Vectors(
            f"trace/{name}",
            "After each entry from the first coin on: the places of the state array that "
            "differ, what is owing, and st.",
            (section, "SPEC#state", "SPEC#steps"),
            tuple(trace(goldens[path])),
            file=f"{path}.matcha",
        )


def trace(golden: Golden) -> Iterator[Case]:
    """Yield a case for each entry from the first coin on."""
    known: list[Json] = []
    said: Said = {}
    with mock.patch.dict(FOLDERS, toy.FOLDERS):
        state: State = Greetings.of_roster(golden.roster, find)
        for number, entry in enumerate(golden.entries):
            with _outcomes() as done:
                state, events = recall(state, entry)
            for event in events:
                match event:
                    case Taken(_, seat, MoveAction(move) | Unseal(move=move)):
                        said[seat] = move
                    case _:
                        pass
            if not isinstance(state, Table) or not state.coins:
                continue
            array = array_of(state.game.snapshot())
            yield {
                "entry": number,
                "outcomes": [outcome(each, said, piles) for each, piles in done],
                "set": differing(known, array),
                "owing": [[owed.seat, owed.verb.value] for owed in state.owing],
                "st": state_tag(state),
            }
            known = array


@contextmanager
def _outcomes() -> Iterator[list[tuple[steps.Outcome, Piles]]]:
    """Give the outcomes of the steps that are done meanwhile, each with the piles before.

    Without debts a step has no outcome.
    """
    found: list[tuple[steps.Outcome, Piles]] = []
    done = verbs._done  # noqa: SLF001 -- the one place that all outcomes pass

    def noting(table: Table, outcome: steps.Outcome, *blaming: Check) -> Table:
        if table.owing:
            found.append((outcome, table.piles))
        return done(table, outcome, *blaming)

    with mock.patch.object(verbs, "_done", noting):
        yield found


def outcome(found: steps.Outcome, said: Said, piles: Piles) -> list[Json]:
    """Return an outcome for JSON. said: the moves of a Decide or Sealed, which are taken."""
    match found:
        case steps.Tossed(value):
            return ["coin", plain(value)]
        case steps.Mixed():
            return ["mixed"]
        case steps.Shared(faces):
            return ["faces", plain(bytes(faces))]
        case steps.Moved() | steps.Unsealed():
            name = "move" if isinstance(found, steps.Moved) else "moves"
            moves = [_move(seat, said[seat], piles) for seat in sorted(said)]
            said.clear()
            return [name, *moves]


def _move(seat: Seat, move: steps.Wire, piles: Piles) -> list[Json]:
    """Return the seat, the name of its move and the fields; places for backs."""
    backs = [card.back for card in piles.get(f"hand {seat}", ())]

    def field(value: Value) -> Json:
        if isinstance(value, bytes):
            return [backs.index(value[at : at + 32]) for at in range(0, len(value), 32)]
        return plain(value)

    return [int(seat), *map(field, move)]


def array_of(snapshot: Value) -> list[Json]:
    """Return a state array for JSON."""
    if not isinstance(snapshot, list | tuple):
        raise TypeError("the public state is an array")
    return [plain(value) for value in snapshot]


def plain(value: Value | Sequence[Value]) -> Json:
    """Return a value of a state array for JSON: bytes in hex behind 0x."""
    match value:
        case bytes():
            return f"0x{value.hex()}"
        case int() | str():
            return value
        case _:
            return [plain(item) for item in value]


def differing(before: Sequence[Json], after: Sequence[Json]) -> dict[str, Json]:
    """Return the places of a state array that have other values than before, whole."""
    pairs = enumerate(zip_longest(before, after))
    return {str(place): new for place, (old, new) in pairs if old != new}
