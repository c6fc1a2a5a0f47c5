"""The order of checks in protocol/machine.toml: mend one flaw after the other and see."""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from matcha_p2p.crypto import signature
from matcha_p2p.crypto.ristretto255 import GENERATOR
from matcha_p2p.errors import CheckError
from matcha_p2p.machine.close import keep_commitment
from matcha_p2p.machine.fork import check_fork
from matcha_p2p.machine.proofs import ProofCheck, check_proof, own_proof
from matcha_p2p.machine.step import _take_action, length, step
from matcha_p2p.machine.table import Greeted, Start, State, Table
from matcha_p2p.player.reply import follow
from matcha_p2p.player.secret import Player
from matcha_p2p.rules.seats import Seat
from matcha_p2p.transcript.entry import Entry, parse_entry
from matcha_p2p.transcript.signed import sign
from matcha_p2p.transport.names import Binding
from matcha_p2p.wire.encoding import LIMIT, Value, pack
from matcha_p2p.wire.messages import (
    Action,
    Hello,
    KeepOpen,
    Open,
    PlayCard,
    Reveal,
    encode_action,
)
from tests.duel import Chooser, Duel, opened
from tests.games import Way, actions, hoarding, uniform

MACHINE = tomllib.loads(
    (Path(__file__).parent.parent / "protocol" / "machine.toml").read_text(encoding="utf-8")
)
STEPS: dict[tuple[str, str], Any] = {
    (row["phase"], row["action"]): row for row in MACHINE["step"]
}
UNREACHED = {"refusal.over", "refusal.out"}  # of one phase alone: see test_protocol_machine.py
IDENTITY_POINT = bytes([1]) + bytes(31)


@dataclass(frozen=True)
class Scene:
    """A state, the entries that have led to it, and who says something now."""

    state: State
    log: Sequence[Entry]
    player: Player

    def encode(self, fields: Sequence[Value], st: bytes = bytes(16), **changes: Any) -> bytes:
        """Return an entry of ``fields`` in its right place, but for ``changes``."""
        place = {
            "seq": length(self.state),
            "seat": self.player.seat,
            "prev": self.state.head,
        } | changes
        body: Value = [place["seq"], place["seat"], place["prev"], st, list(fields)]
        return sign(b"matcha/v1/msg\0", body, self.player.secrets.session)

    def judge(self, encoded: bytes) -> tuple[str, int | None]:
        """Return the check that refuses an entry, and the seat that is blamed."""
        with pytest.raises(CheckError) as caught:
            self.hear(encoded)
        return caught.value.check.value, getattr(caught.value, "seat", None)

    def hear(self, encoded: bytes) -> None:
        entry = parse_entry(encoded)
        check_fork(self.state, self.log, entry)
        step(self.state, entry)


def resolve(order: list[str], decode: str, steps: list[str]) -> list[str]:
    """Return the codes that an order of machine.toml stands for."""
    codes: list[str] = []
    for item in order:
        match item.split("."):
            case _ if item in UNREACHED:
                continue
            case ["decode"]:
                codes.append(MACHINE["decode"][decode][0])
            case ["steps"]:
                codes += steps
            case ["refusal", name]:
                codes.append(MACHINE["refusal"][name])
            case [code]:
                codes.append(code)
    return codes


def broken(encoded: bytes) -> bytes:
    """Return an entry whose signature does not hold."""
    return encoded[:-1] + bytes([encoded[-1] ^ 1])


def greeting_flaws(duel: Duel) -> Iterator[tuple[Scene, bytes]]:
    """Yield entry 1 with every flaw at once, then with one less each time."""
    first, second = duel.entries
    host, guest = duel.players
    state, _ = step(Start(Binding(first.prev)), first)
    assert isinstance(state, Greeted)
    scene, other = Scene(state, [first], guest), Scene(state, [first], host)
    good, coin = second.actions()
    assert isinstance(good, Hello)
    hello = replace(
        good,
        version=9,
        rules=bytes(32),
        name="",
        session_key=IDENTITY_POINT,
        anchor=state.hello.anchor,
        pop=replace(good.pop, challenge=0),
        identity=IDENTITY_POINT,
        certificate=bytes(64),
    )
    yield scene, bytes(LIMIT + 1)
    yield scene, pack([b"", b""])
    yield other, other.encode([["?"]], seq=0, prev=first.prev)
    yield scene, broken(scene.encode([["?"]], seq=2))
    yield scene, broken(scene.encode([["?"]], seat=0))
    yield scene, broken(scene.encode([["?"]]))
    yield scene, broken(scene.encode([["PASS"]]))
    yield scene, broken(scene.encode([encode_action(hello)]))
    hello = replace(hello, session_key=guest.session_key)
    yield scene, broken(scene.encode([encode_action(hello)]))
    yield scene, scene.encode([encode_action(hello)])
    for mended in mended_hellos(hello, good):
        yield scene, scene.encode([encode_action(mended), ["COIN", bytes(32)]])
    yield scene, scene.encode([encode_action(good), ["COIN", bytes(32)]])
    yield scene, scene.encode([encode_action(good), encode_action(coin)])


def mended_hellos(hello: Hello, good: Hello) -> Iterator[Hello]:
    """Yield ``hello``, then with one flaw less each time, but never without one."""
    yield hello
    for flaw in ("version", "rules", "name", "anchor", "pop"):
        hello = replace(hello, **{flaw: getattr(good, flaw)})
        yield hello
    yield replace(hello, identity=signature.public_key(bytes(32)))


def entry_flaws(duel: Duel) -> Iterator[tuple[Scene, bytes]]:
    """Yield entry 2 with every flaw at once, then with one less each time."""
    host, guest = duel.players
    scene, other = (
        Scene(duel.state, duel.entries, host),
        Scene(duel.state, duel.entries, guest),
    )
    reply = follow(host, duel.table)
    assert reply is not None
    coin, shuffle = map(encode_action, reply[0].actions())
    wrong: Value = ["COIN", bytes(32)]
    yield scene, bytes(LIMIT + 1)
    yield scene, pack([b"", b""])
    yield other, other.encode([["?"]], seq=1, prev=duel.entries[1].prev)
    yield scene, broken(other.encode([["?"]], seq=3))
    yield scene, broken(other.encode([["?"]]))
    yield scene, other.encode([["?"]])
    yield scene, other.encode([])
    yield scene, other.encode([["PASS"]])
    yield scene, scene.encode([["PASS"]])
    yield scene, scene.encode([wrong])
    yield scene, scene.encode([coin])
    yield scene, scene.encode([coin, shuffle])


@cache
def duel() -> Duel:
    return opened("order", "2015")


def test_the_checks_of_a_greeting_come_in_the_order_listed():
    steps = STEPS["greeted", "HELLO"]["checks"] + STEPS["toss-first", "COIN"]["checks"]
    order = resolve(MACHINE["order"]["greeting"], "HELLO", steps)
    check_flaws(greeting_flaws(duel()), order)


def test_the_checks_of_an_entry_come_in_the_order_listed():
    steps = [MACHINE["refusal"]["action"], *STEPS["toss-second", "COIN"]["checks"]]
    check_flaws(entry_flaws(duel()), resolve(MACHINE["order"]["entry"], "COIN", steps))


def check_flaws(flaws: Iterator[tuple[Scene, bytes]], order: list[str]) -> None:
    """Check which check refuses each, and that a seat is blamed from its signature on."""
    found = [scene.judge(encoded) for scene, encoded in flaws]
    assert [check for check, _ in found] == order
    signed = order.index("E_SIG")
    for place, (check, seat) in enumerate(found):
        assert (seat is not None) == (place > signed or check == "E_FORK")


def test_the_checks_of_play_come_in_the_order_listed():
    table, seat, action = next(
        (table, seat, action)
        for table, seat, action in game(uniform(0))
        if isinstance(action, PlayCard) and len(table.game.hands[seat]) < 5
    )
    spent = min({0, 1, 2, 3, 4} - table.game.hands[seat])
    backs = table.hands[seat].backs
    assert STEPS["play", "PLAY"]["checks"] == [
        check_of(table, seat, PlayCard((action.mat + 2) % 6, bytes(32))),
        check_of(table, seat, PlayCard(action.mat, bytes(32))),
        check_of(table, seat, PlayCard(action.mat, backs[spent])),
    ]


def test_the_checks_of_reveal_come_in_the_order_listed():
    table, seat, action = next(step for step in game(uniform(0)) if isinstance(step[2], Reveal))
    wrong = replace(action, shares=(GENERATOR,) * len(action.shares))
    expected = [
        check_of(table, seat, replace(wrong, shares=())),
        check_of(table, seat, wrong, check_proof),
        check_of(table, seat, wrong),
    ]
    assert STEPS["show-first", "REVEAL"]["checks"] == expected
    assert STEPS["show-second", "REVEAL"]["checks"] == expected


def test_the_checks_of_open_come_in_the_order_listed():
    """Where proofs are spared wrong shares get further; the last deck has a card twice."""
    table, seat, action, phase = next(
        (table, seat, action, table.phase)
        for table, seat, action in game((hoarding, hoarding))
        if isinstance(action, Open)
        and len(table.phase.shares[1 - seat]) == len(action.shares) == 6
    )
    right = action.shares
    wrong = replace(action, shares=(GENERATOR,) * 6)
    theirs = twice(phase.shares[1 - seat])
    doubled = table._replace(
        phase=replace(
            phase,
            deck=twice(phase.deck),
            shares=(theirs, ()) if seat else ((), theirs),
        ),
    )
    assert STEPS["open", "OPEN"]["checks"] == [
        check_of(table, seat, replace(action, shares=())),
        check_of(table, seat, wrong, check_proof),
        check_of(table, seat, wrong),
        check_of(table, seat, replace(action, shares=(*right, GENERATOR))),
        check_of(doubled, seat, replace(action, shares=twice(right))),
    ]


def test_the_checks_of_keepo_come_in_the_order_listed():
    table, seat, action = next(
        step for step in game((hoarding, hoarding)) if isinstance(step[2], KeepOpen)
    )
    wrong = KeepOpen(action.salt, (bytes(32),))
    commitment = keep_commitment(table, seat, wrong.salt, wrong.backs)
    committed = table._replace(phase=replace(table.phase, commitment=commitment))
    assert STEPS["unseal", "KEEPO"]["checks"] == [
        check_of(table, seat, wrong),
        check_of(committed, seat, wrong),
    ]


def game(choosers: tuple[Chooser, Chooser]) -> Iterator[tuple[Table, Seat, Any]]:
    return actions(Way("order", "2015", choosers))


def twice(values: Sequence[Any]) -> tuple[Any, ...]:
    """Return ``values`` with the first one in the second place as well."""
    return (values[0], values[0], *values[2:])


def check_of(table: Table, seat: Seat, action: Action, check: ProofCheck = own_proof) -> str:
    """Return the check that refuses an action; unless told otherwise proofs are spared."""
    with pytest.raises(CheckError) as caught:
        _take_action(table, seat, action, check)
    return caught.value.check.value
