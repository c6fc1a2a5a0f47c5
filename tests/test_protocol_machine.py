"""protocol/machine.toml and the code are one machine: every step and every refusal."""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from matcha_p2p.errors import ProtocolViolationError
from matcha_p2p.machine.close import COINS
from matcha_p2p.machine.play import out_of_round
from matcha_p2p.machine.step import act, length, step
from matcha_p2p.machine.table import Playing, Start, State, Table, next_due
from matcha_p2p.player.secret import Player
from matcha_p2p.rules.game import is_out
from matcha_p2p.rules.moves import MATS_OF_ROUND
from matcha_p2p.rules.phases import AwaitingDeal, Placing
from matcha_p2p.rules.scoring import outcome
from matcha_p2p.rules.seats import SEATS, Seat, opposite
from matcha_p2p.transcript.entry import sign_entry
from matcha_p2p.transport.names import Binding
from matcha_p2p.wire import messages
from matcha_p2p.wire.encoding import pack
from matcha_p2p.wire.messages import Action, Hello, encode_action
from tests.games import Way, uniform, ways

MACHINE = tomllib.loads(
    (Path(__file__).parent.parent / "protocol" / "machine.toml").read_text(encoding="utf-8")
)
STEPS: dict[tuple[str, str], Any] = {
    (row["phase"], row["action"]): row for row in MACHINE["step"]
}
REFUSAL = MACHINE["refusal"]
NAMES = {
    messages.Hello: "HELLO",
    messages.Coin: "COIN",
    messages.Shuffle: "SHUF",
    messages.Open: "OPEN",
    messages.Own: "OWN",
    messages.Strip: "STRIP",
    messages.PlayCard: "PLAY",
    messages.PassTurn: "PASS",
    messages.Reveal: "REVEAL",
    messages.KeepCommit: "KEEPC",
    messages.KeepCards: "KEEP",
    messages.KeepOpen: "KEEPO",
    messages.Result: "RESULT",
}


def contested(author: int, before: Table, after: Table) -> bool:
    settled = played(before, after)
    return any(
        all(settled.slot_at(seat, mat) is not None for seat in SEATS)
        for mat in MATS_OF_ROUND[len(before.game.rounds) - 1]
    )


def decided(author: int, before: Table, after: Table) -> bool:
    game = before.game
    last = set_over(author, before, after) and game.number == game.edition.sets
    return (
        outcome(game.edition, after.game.tokens, comparing=game.comparing, last=last)
        is not None
    )


def set_over(author: int, before: Table, after: Table) -> bool:
    return played(before, after).number == 3


def round_over(author: int, before: Table, after: Table) -> bool:
    turns = played(before, after).turns
    return all(is_out(before.game.edition, turns, seat) for seat in SEATS)


def played(before: Table, after: Table):
    """Return the round that was running, as it is after the action."""
    return after.game.rounds[len(before.game.rounds) - 1]


CONDITIONS: dict[str, Callable[[int, Table, Table], bool]] = {
    "author-kept": lambda author, _, after: after.game.kept[author] > 0,
    "other-kept": lambda author, _, after: after.game.kept[1 - author] > 0,
    "six-faces": lambda _, __, after: after.game.phase != AwaitingDeal(),
    "round-over": round_over,
    "contested": contested,
    "decided": decided,
    "set-over": set_over,
    "choice": lambda _, __, after: after.game.edition.keeps and any(after.game.hands),
    "kept": lambda _, __, after: any(after.kept),
    "links-left": lambda _, before, __: before.coins < COINS,
}


@dataclass(frozen=True)
class Position:
    """A state that some duel has come to, as the table and as the code see it."""

    phase: str
    speaker: Seat | None
    state: State
    players: tuple[Player, Player]

    @property
    def out(self) -> bool:
        """Whether the seat that does not speak is out of the round."""
        match self.state:
            case Table(phase=Playing()) as table:
                return out_of_round(table, opposite(self.speaker))
            case _:
                return False


@dataclass
class Walk:
    """The table of machine.toml, run beside the code."""

    players: tuple[Player, Player]
    phase: str = "start"
    speaker: Seat | None = SEATS[0]
    roles: dict[str, int | None] = field(default_factory=lambda: {"0": 0, "1": 1})
    taken: set[tuple[str, str, int]] = field(default_factory=set)
    positions: list[Position] = field(default_factory=list)

    def take(self, author: Seat, action: Action, before: Table, after: Table) -> None:
        """Take one step of the table: exactly one way on must be allowed."""
        name = NAMES[type(action)]
        assert author == self.speaker
        (chosen,) = (
            (number, way)
            for number, way in enumerate(STEPS[self.phase, name]["then"])
            if all(
                CONDITIONS[condition](author, before, after) is value
                for condition, value in way.get("when", {}).items()
            )
        )
        number, way = chosen
        self.taken.add((self.phase, name, number))
        self.phase = way["phase"]
        self.speaker = {
            "same": author,
            "other": opposite(author),
            "nobody": None,
            "mover": to_move(after),
        }[way["speaker"]]

    def agree(self, state: State) -> None:
        """Check that ``state`` is in the phase of the table, and waits for the same."""
        phase = MACHINE["phase"][self.phase]
        inner = state.phase if isinstance(state, Table) else state
        assert type(inner).__name__ == phase["spec"]
        self._check_role(phase["speaker"], state)
        due = next_due(state)
        actions = {action for name, action in STEPS if name == self.phase}
        if due is None:
            assert self.speaker is None
            assert not actions
        else:
            assert due.seat == self.speaker
            assert due.decision == phase["decision"]
            assert {NAMES[action] for action in due.actions} == actions
        self.positions.append(Position(self.phase, self.speaker, state, self.players))

    def _check_role(self, role: str, state: State) -> None:
        if isinstance(state, Table):
            self.roles |= {"L": state.closer, "F": 1 - state.closer, "mover": to_move(state)}
        if self.phase in {"deal-first", "show-first"}:
            self.roles[role] = self.speaker
            self.roles[chr(ord(role) + 1)] = 1 - self.speaker
        assert self.roles.get(role, self.speaker) == self.speaker


def to_move(table: Table) -> Seat | None:
    phase = table.game.phase
    return phase.to_move if isinstance(phase, Placing) else None


def walk(way: Way) -> tuple[Walk, list[Action]]:
    """Play a duel and run the table beside it; return what both went through."""
    duel = way.begin()
    taken = Walk(duel.players)
    first, second = duel.entries
    start = Start(Binding(first.prev))
    taken.agree(start)
    greeted, _ = step(start, first)
    (hello,) = first.actions()
    taken.take(SEATS[0], hello, duel.table, duel.table)
    taken.agree(greeted)
    for action in second.actions():
        taken.take(SEATS[1], action, duel.table, duel.table)
    taken.agree(duel.table)
    said = [hello, *second.actions()]
    for entry in way.entries(duel):
        table = duel.table
        for action in entry.actions():
            after, _ = act(table, entry.seat, action)
            taken.take(entry.seat, action, table, after)
            taken.agree(after)
            table = after
            said.append(action)
        duel.say(entry)
    assert taken.phase == "over"
    return taken, said


@cache
def walks() -> tuple[Walk, ...]:
    """Return every way walked."""
    return tuple(walk(way)[0] for way in ways())


@cache
def samples() -> dict[str, Action]:
    """Return an action of each name, as long as one can be, from a game of its own."""
    _, said = walk(Way("sample", "2015", uniform(0)))
    by_length = sorted(said, key=lambda action: len(pack(encode_action(action))))
    return {NAMES[type(action)]: action for action in by_length}


def positions() -> dict[tuple[str, bool], Position]:
    """Return one position for each phase, in "play" also one with a seat out of the round."""
    return {
        (position.phase, position.out): position
        for taken in walks()
        for position in taken.positions
    }


@pytest.mark.slow
def test_no_step_of_the_table_is_never_taken_and_no_other_is():
    """``walk`` has compared every phase, speaker and due action on its way."""
    listed = {
        (*key, number) for key, row in STEPS.items() for number in range(len(row["then"]))
    }
    assert set().union(*(taken.taken for taken in walks())) == listed


def test_every_phase_is_reached_and_every_condition_is_used():
    assert {phase for phase, _ in positions()} == set(MACHINE["phase"])
    used = {
        condition
        for row in STEPS.values()
        for way in row["then"]
        for condition in way.get("when", ())
    }
    assert used == set(MACHINE["condition"]) == set(CONDITIONS)
    assert set(MACHINE["decode"]) == set(NAMES.values())


def test_a_mixed_deck_is_opened_with_no_one_or_two_zeros():
    """Otherwise "open" would not have been walked in full."""
    shown = {
        sum(face.index == 16 for face in position.state.phase.faces)
        for taken in walks()
        for position in taken.positions
        if position.phase == "open"
    }
    assert shown == {0, 1, 2}


@pytest.mark.parametrize("author", [0, 1])
@pytest.mark.parametrize("name", NAMES.values())
def test_step_refuses_what_the_table_does_not_list(author: Seat, name: str):
    """In every phase, by either seat, every action: the check is the one the table implies."""
    sample = samples()[name]
    for position in positions().values():
        check = refused(position, author, sample)
        assert check in implied(position, author, name), (position.phase, position.out)


def implied(position: Position, author: int, name: str) -> set[str]:
    """Return what an action alone, with another game's content, may be refused with."""
    if position.phase == "over":
        return {REFUSAL["over"]}
    if author != position.speaker:
        out = REFUSAL["out"] if position.out else {}
        return {out.get(name, REFUSAL["speaker"])}
    if position.phase in {"start", "greeted"} and name != "HELLO":
        return {REFUSAL["greeting"]}
    if (position.phase, name) not in STEPS:
        return {REFUSAL["action"]}
    checks = STEPS[position.phase, name]["checks"]
    if position.phase == "greeted":
        return {REFUSAL["action"]}  # COIN is missing
    return {*checks} if checks else {REFUSAL["unfinished"], "E_STATE"}


def refused(position: Position, author: Seat, action: Action) -> str:
    """Let ``author`` say ``action`` alone, and return the check that refuses it."""
    state, player = position.state, position.players[author]
    if isinstance(action, Hello):
        action = replace(action, session_key=player.session_key)
    entry = sign_entry(
        length(state), author, state.head, bytes(16), [action], player.secrets.session
    )
    with pytest.raises(ProtocolViolationError) as caught:
        step(state, entry)
    return caught.value.check.value


def test_a_message_has_at_most_three_actions():
    """The longest run of steps by one speaker, which messages.cddl gives as a number."""
    assert max(map(run, MACHINE["phase"])) == 3


def run(phase: str) -> int:
    """Return how many actions a message can have that begins in ``phase``."""
    following = [
        way["phase"] if way["speaker"] == "same" else None
        for (name, _), row in STEPS.items()
        if name == phase
        for way in row["then"]
    ]
    automatic = [name for name in following if name and not MACHINE["phase"][name]["decision"]]
    return int(bool(following)) + max(map(run, automatic), default=0)
