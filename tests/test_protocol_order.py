"""The order of checks in protocol/machine.toml: mend one flaw after the other and see."""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from matcha_p2p.chain.fork import check_fork
from matcha_p2p.crypto import signature
from matcha_p2p.crypto.ristretto255 import GENERATOR
from matcha_p2p.errors import CheckError
from matcha_p2p.games import find
from matcha_p2p.games.matcha.table.steps import hand_of
from matcha_p2p.games.matcha.table.view import game_of
from matcha_p2p.seats import Seat
from matcha_p2p.table.messages import Action, Hello, MoveAction, Shares, Unseal, encode_action
from matcha_p2p.table.proofs import ProofCheck, check_proof, own_proof
from matcha_p2p.table.seat import Player, follow
from matcha_p2p.table.step import actions_of, length, step
from matcha_p2p.table.steps import Share
from matcha_p2p.table.table import Greetings, State, Table
from matcha_p2p.table.verbs import commitment_to, take
from matcha_p2p.wire.encoding import LIMIT, Value, pack
from matcha_p2p.wire.entry import Entry, parse_entry
from matcha_p2p.wire.signed import sign
from tests.duel import Chooser, Duel, opened
from tests.walks import Way, actions, hoarding, uniform

MACHINE = tomllib.loads(
    (Path(__file__).parent.parent / "protocol" / "machine.toml").read_text(encoding="utf-8")
)
VERBS = MACHINE["verb"]
STAGES: dict[str, Any] = {
    row["name"]: row for row in MACHINE["stage"] if row["game"] == "matcha"
}
IDENTITY_POINT = bytes([1]) + bytes(31)


@dataclass(frozen=True)
class Scene:
    """A state, the entries before the state, and the player that speaks next."""

    state: State
    log: Sequence[Entry]
    player: Player

    def encode(self, fields: Sequence[Value], st: bytes = bytes(16), **changes: Any) -> bytes:
        """Return an entry of ``fields`` in its right place, but for ``changes``."""
        place: dict[str, Any] = {
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


def resolve(order: list[str], verb: str, checks: list[str]) -> list[str]:
    """Return the codes that an order of machine.toml stands for."""
    codes: list[str] = []
    for item in order:
        match item.split("."):
            case ["decode"]:
                codes.append(VERBS[verb]["decode"][0])
            case ["checks"]:
                codes += checks
            case ["refusal", name]:
                codes.append(MACHINE["refusal"][name])
            case _:
                codes.append(item)
    return codes


def broken(encoded: bytes) -> bytes:
    """Return an entry whose signature does not hold."""
    return encoded[:-1] + bytes([encoded[-1] ^ 1])


def greeting_flaws(duel: Duel) -> Iterator[tuple[Scene, bytes]]:
    """Yield entry 1 with every flaw at once, then with one less each time."""
    first, second = duel.entries
    host, guest = duel.players
    state, _ = step(Greetings.of_roster(duel.state.roster, find), first)
    assert isinstance(state, Greetings)
    scene, other = Scene(state, [first], guest), Scene(state, [first], host)
    good, coin = actions_of(second, None)
    assert isinstance(good, Hello)
    hello = replace(
        good,
        version=9,
        rules=bytes(32),
        name="",
        session_key=IDENTITY_POINT,
        anchor=state.hellos[0].anchor,
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
    yield scene, broken(scene.encode([encode_action(coin)]))
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
    coin, shuffle = reply.entry.fields
    yield scene, bytes(LIMIT + 1)
    yield scene, pack([b"", b""])
    yield other, other.encode([["?"]], seq=1, prev=duel.entries[1].prev)
    yield scene, broken(other.encode([["?"]], seq=3, seat=2))
    yield scene, broken(other.encode([["?"]], seat=2))
    yield scene, broken(other.encode([["?"]]))
    yield scene, other.encode([["?"]])
    yield scene, other.encode([])
    yield scene, scene.encode([])
    yield scene, scene.encode([["SEAL", bytes(32)]])
    yield scene, scene.encode([["COIN", bytes(32)]])
    yield scene, scene.encode([coin])
    yield scene, scene.encode([coin, shuffle])


@cache
def duel() -> Duel:
    return opened("order", "2015")


def test_the_checks_of_a_greeting_come_in_the_order_listed():
    checks = VERBS["HELLO"]["checks"] + VERBS["COIN"]["checks"]
    order = resolve(MACHINE["order"]["greeting"], "HELLO", checks)
    check_flaws(greeting_flaws(duel()), [code for code in order if code != "E_ROSTER"])


def test_the_checks_of_an_entry_come_in_the_order_listed():
    checks = [MACHINE["refusal"]["action"], *VERBS["COIN"]["checks"]]
    check_flaws(entry_flaws(duel()), resolve(MACHINE["order"]["entry"], "COIN", checks))


def check_flaws(flaws: Iterator[tuple[Scene, bytes]], order: list[str]) -> None:
    """Check which check refuses each, and that a seat is blamed from its signature on."""
    found = [scene.judge(encoded) for scene, encoded in flaws]
    assert [check for check, _ in found] == order
    signed = order.index("E_SIG")
    for place, (check, seat) in enumerate(found):
        assert (seat is not None) == (place > signed or check == "E_FORK")


def test_the_checks_of_a_laid_card_come_in_the_order_listed():
    table, seat, action = next(
        (table, seat, action)
        for table, seat, action in game(uniform(0))
        if isinstance(action, MoveAction) and action.move[0] == "lay"
    )
    _, mat, back = action.move
    assert STAGES["place"]["moves"]["lay"] == [
        check_of(table, seat, MoveAction(("lay", (mat + 2) % 6, bytes(32)))),
        check_of(table, seat, MoveAction(("lay", (mat + 2) % 6, back))),
    ]


def test_the_checks_of_a_share_come_in_the_order_listed():
    """Where proofs are spared wrong shares get further."""
    table, seat, action = next(
        (table, seat, action)
        for table, seat, action in game(uniform(0))
        if isinstance(table.step, Share) and table.step.label == "reveal"
    )
    assert isinstance(action, Shares)
    wrong = replace(action, shares=(GENERATOR,) * len(action.shares))
    number, proof, face = (
        check_of(table, seat, replace(wrong, shares=())),
        check_of(table, seat, wrong, check_proof),
        check_of(table, seat, wrong),
    )
    twice = check_of(table._replace(out=dict(table.deck.faces)), seat, action)
    assert number == proof
    assert face == twice
    assert VERBS["SHARE"]["checks"] == [number, face]


def test_the_checks_of_an_opened_seal_come_in_the_order_listed():
    table, seat, action = next(
        (table, seat, action)
        for table, seat, action in game((hoarding, hoarding))
        if isinstance(action, Unseal)
    )
    laid = set(range(5)) - game_of(table).hands[seat]
    hand = table.piles[hand_of(seat)]
    unknown = Unseal(action.salt, ("keep", bytes(32)))
    illegal = Unseal(action.salt, ("keep", hand[min(laid)].back))
    assert VERBS["UNSEAL"]["checks"] == [check_of(table, seat, unknown), "game"]
    assert STAGES["keep"]["moves"]["keep"] == [
        check_of(sealed(table, seat, unknown), seat, unknown),
        check_of(sealed(table, seat, illegal), seat, illegal),
    ]


def sealed(table: Table, seat: Seat, opened: Unseal) -> Table:
    """Return the table at which ``seat`` has sealed the move of ``opened``."""
    (seal,) = table.seals
    commitment = commitment_to(table, seat, seal.since, opened.salt, opened.move)
    return table._replace(seals=(seal._replace(commitment=commitment),))


def game(choosers: tuple[Chooser, Chooser]) -> Iterator[tuple[Table, Seat, Any]]:
    return actions(Way("order", "2015", choosers))


def check_of(table: Table, seat: Seat, action: Action, check: ProofCheck = own_proof) -> str:
    """Return the check that refuses an action; unless told otherwise proofs are spared."""
    with pytest.raises(CheckError) as caught:
        take(table, seat, action, 0, check)
    return caught.value.check.value
