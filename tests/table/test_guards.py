"""Bugs of a game stop every program and blame nobody.

A bug stops every program: GuardError, or what the game has raised, comes out of ``act``, of
``step`` and of ``recall``.
"""

import re
from copy import copy
from dataclasses import dataclass
from typing import Any

import pytest

from matcha_p2p.crypto.shuffle import LARGEST
from matcha_p2p.errors import (
    Check,
    EncodingError,
    IllegalMoveError,
    MatchaError,
    ProofError,
    ProtocolViolationError,
)
from matcha_p2p.seats import Seat
from matcha_p2p.table.messages import (
    Action,
    MoveAction,
    Seal,
    encode_action,
)
from matcha_p2p.table.piles import GuardError, NewPiles, Piles, check_reads
from matcha_p2p.table.seat import Player, _due_action, _sealed, follow
from matcha_p2p.table.step import act, owes_more, recall, step
from matcha_p2p.table.steps import (
    COINS,
    Coin,
    Decide,
    Order,
    Outcome,
    Over,
    Read,
    Sealed,
    Share,
    Shared,
    Shuffle,
    reads,
)
from matcha_p2p.table.table import Table, Verb, next_due, state_tag
from matcha_p2p.table.verbs import ask
from matcha_p2p.wire.encoding import Value
from tests.table.party import Ask, Plan, begun, everybody, greeting, keep

ZERO, ONE, TWO = Seat(0), Seat(1), Seat(2)
ALL = everybody(3)
FACES = dict.fromkeys(range(6), 1)


def stops(game: Any) -> BaseException:
    """Play ``game`` until its bug stops every program; return the error of each."""
    party = begun("guards", game)
    while (due := next_due(party.table)) is not None:
        fields, bug = tried(party.players[due.seat], party.table)
        if bug is not None:
            stopped = party.signed(due.seat, fields or [["RESULT", [], bytes(32)]])
            for judge in (step, recall):
                with pytest.raises(type(bug)):
                    judge(party.state, stopped)
            assert not isinstance(bug, MatchaError), "somebody is blamed"
            return bug
        party.goes_on(lambda _: 0)
    raise AssertionError("the game went on to its end")


def tried(player: Player, table: Table) -> tuple[list[Value], Exception | None]:
    """Return the seat's entries until its own program stops, and the error."""
    fields: list[Value] = []
    try:
        while not fields or owes_more(table, player.seat):
            action = _chosen(player, table) or _due_action(player, table, len(fields))
            fields.append(encode_action(action))
            table, _ = act(table, player.seat, action, len(fields) - 1)
        state_tag(table)
    except Exception as bug:  # noqa: BLE001 -- a bug raises anything
        return fields, bug
    return fields, None


def _chosen(player: Player, table: Table) -> Action | None:
    """Return the seat's decision, if one is due."""
    wire = ("say", 0)
    match table.owing[0].verb:
        case Verb.MOVE:
            return MoveAction(wire)
        case Verb.SEAL:
            return Seal(_sealed(player, table, table.head, wire)[0])
        case _:
            return None


def plan(*asks: Any) -> Plan:
    """Return a game for three seats that lays six cards, and then asks for ``asks``.

    An item is a step, or a step with the piles laid after the step.
    """
    laid: Ask = (Coin(ALL), lambda _: {"deck": [*FACES]})
    return Plan(
        3, FACES, (laid, *(ask if isinstance(ask, tuple) else (ask, keep) for ask in asks))
    )


def mix(pile: str = "deck", order: Order = ALL, **more: Any) -> Shuffle:
    return Shuffle(pile, order, "mix", **more)


def read(pile: str, *places: int, to: Any, order: Order = ALL) -> Share:
    return Share(reads(pile, places, to), order, "read")


def parted(**sizes: int) -> Any:
    """Lay the cards of the deck as these piles, of these sizes."""

    def lay(piles: Any) -> Any:
        deck = list(piles["deck"])
        return {name: [deck.pop(0) for _ in range(size)] for name, size in sizes.items()}

    return lay


def changed(**piles: Any) -> Any:
    """Lay the same piles with changes; each change is computed from all the old piles."""
    return lambda before: {**before, **{name: make(before) for name, make in piles.items()}}


HANDS = (mix(), parted(a=2, b=2, c=2))
"""The deck is mixed by all, and parted into three hands."""


def test_a_plan_without_a_bug_goes_on_to_its_end():
    with pytest.raises(AssertionError, match="went on to its end"):
        stops(
            plan(
                HANDS,
                read("a", 0, 1, to=0),
                Decide(ZERO),
                mix("a", (ZERO,), give=(ONE,)),
                Decide(TWO),
                Sealed(ALL),
            )
        )


BUGS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "rename": (
        "K2",
        (
            HANDS,
            (read("b", 0, to=1), lambda p: {"x": p["b"], "a": p["a"], "c": p["c"]}),
            read("x", 0, to=2),
        ),
    ),
    "twin": (
        "K1: a card lies in two",
        (HANDS, (read("a", 0, to=0), changed(x=lambda p: p["a"]))),
    ),
    "twin in one pile": (
        "K1: a card lies in two",
        ((mix(), changed(deck=lambda p: p["deck"][:1] * 6)),),
    ),
    "solo": ("K3", (mix(order=(ZERO,)), read("deck", 0, to=1))),
    "mixed by two of three": ("K3", (mix(order=(ZERO, TWO)), read("deck", 0, to=1))),
    "known hand mixed by its owner": (
        "K3",
        (HANDS, read("a", 0, 1, to=0), mix("a", (ZERO,)), read("a", 0, to=2)),
    ),
    "known hand opened when mixed by its owner": (
        "K3",
        (HANDS, read("a", 0, 1, to=0), mix("a", (ZERO,)), read("a", 0, to=None)),
    ),
    "known hand mixed by another": (
        "K3",
        (HANDS, read("a", 0, 1, to=0), mix("a", (ONE,)), read("a", 0, to=1)),
    ),
    "parted between two shuffles": (
        "K3",
        ((mix(order=(ZERO,)), parted(a=2, b=4)), mix("a", (ONE, TWO)), read("a", 0, to=1)),
    ),
    "second reader": (
        "K2: a card is to be read by a second",
        (HANDS, read("b", 0, to=1), read("b", 0, to=2)),
    ),
    "reader who is not there": ("seat", (HANDS, read("b", 0, to=3))),
    "reader before the first": ("seat", (HANDS, read("b", 0, to=-1))),
    "card read twice": ("twice", (HANDS, read("b", 0, 0, to=1))),
    "card that is not there": ("no card at 2", (HANDS, read("b", 2, to=1))),
    "card before the first": ("no card at -1", (HANDS, read("b", -1, to=1))),
    "card of no pile": ("no card at 0", (HANDS, read("x", 0, to=1))),
    "lost closed card": ("K1: some closed", ((mix(), parted(a=5)),)),
    "all closed cards lost, and one laid twice": (
        "K1: a face",
        ((mix(), lambda _: {"x": [0, 0]}),),
    ),
    "public card of a hidden face": ("K1: a face", ((mix(), changed(x=lambda _: [0])),)),
    "public card of an open face": ("K1: a face", ((Decide(ZERO), changed(x=lambda _: [0])),)),
    "public card of no face": ("K1: a face", ((Decide(ZERO), changed(x=lambda _: [6])),)),
    "public card of no byte": ("K1: a face", ((Decide(ZERO), changed(x=lambda _: [-1])),)),
    "forged card": (
        "K1: a card lies",
        ((mix(), changed(deck=lambda p: [copy(c) for c in p["deck"]])),),
    ),
    "gift without give": (
        "K3",
        (HANDS, read("a", 0, 1, to=0), mix("a", (ZERO,)), read("a", 1, to=1)),
    ),
    "gift to another": (
        "K3",
        (
            HANDS,
            read("a", 0, 1, to=0),
            Decide(ZERO),
            mix("a", (ZERO,), give=(ONE,)),
            read("a", 1, to=2),
        ),
    ),
    **{
        f"gift that {who}": (
            "not just chosen",
            (HANDS, read("a", 0, 1, to=0), *before, mix("a", (ZERO,), give=(ONE,))),
        )
        for who, before in {
            "nobody chose": (),
            "another chose": (Decide(ONE),),
            "a program chose": (Decide(ZERO, auto=True),),
            "was chosen before": (Decide(ZERO), mix("b")),
        }.items()
    },
    "gift of a public card": ("gives", (mix(order=(ZERO,), give=(ONE,)),)),
    "gift of another's card": (
        "gives",
        (HANDS, read("b", 0, 1, to=1), mix("b", (ZERO,), give=(TWO,))),
    ),
    "gift by two": ("one seat gives", (HANDS, mix("a", (ZERO, ONE), give=(TWO,)))),
    "gift of more cards than there are": (
        "given to each",
        (HANDS, mix("a", (ZERO,), give=(ONE, ONE, TWO))),
    ),
    "gift to a stranger": ("given to each", (HANDS, mix("a", (ZERO,), give=(Seat(3),)))),
    "shuffle of one card": (
        "K2",
        ((mix(), parted(a=1, b=5)), read("a", 0, to=0), mix("a"), read("a", 0, to=1)),
    ),
    "gift of one card": (
        "not shuffled",
        (
            (mix(), parted(a=1, b=5)),
            read("a", 0, to=0),
            Decide(ZERO),
            mix("a", (ZERO,), give=(ONE,)),
        ),
    ),
    "shuffle of no pile": ("pile", (mix("x"),)),
    "shuffle of nobody": ("seats", (mix(order=()),)),
    "shuffle by one twice": ("seats", (mix(order=(ONE, ONE)),)),
    "shuffle by a stranger": ("seats", (mix(order=(ONE, Seat(3))),)),
    "coin of a subset": ("permutation", (Coin((ZERO, ONE)),)),
    "coin of one twice": ("permutation", (Coin((ZERO, ONE, ONE)),)),
    "coin of too many": ("permutation", (Coin((ZERO, ONE, TWO, Seat(3))),)),
    "shares of a subset": ("permutation", (HANDS, read("a", 0, to=0, order=(ZERO, ONE)))),
    "shares of one twice": ("permutation", (HANDS, read("a", 0, to=0, order=(*ALL, ZERO)))),
    "end for a subset": ("permutation", (Over((ZERO,)),)),
    "decision of a stranger": ("seats", (Decide(Seat(3)),)),
    "seals of nobody": ("seats", (Sealed(()),)),
    "seals of one twice": ("seats", (Sealed((ONE, ZERO, ONE)),)),
    **{
        f"label {label!r}": ("label", (Shuffle("deck", ALL, label),))
        for label in ("", "a/u", "mix/mask", "/", "a" * 17, "Mix", "mix2", "m x", "é")
    },
    "label of a share": ("label", (HANDS, Share(reads("a", (0,), ZERO), ALL, "a/u"))),
}


@pytest.mark.parametrize("name", BUGS)
def test_a_bug_of_a_game_stops_all_and_blames_nobody(name):
    message, asks = BUGS[name]
    bug = stops(plan(*asks))
    assert isinstance(bug, GuardError)
    assert re.search(message, str(bug))


def test_a_game_cannot_change_the_piles_that_it_is_given():
    """A card would lie in two places, and no piles before would differ from those after."""

    def doubled(piles: Any) -> Any:
        piles["x"] = piles["a"]
        return piles

    assert isinstance(stops(plan(HANDS, (read("a", 0, to=0), doubled))), TypeError)
    assert isinstance(stops(plan((Decide(ZERO), doubled))), (TypeError, KeyError))


@dataclass(frozen=True)
class Broken(Plan):
    """A plan that raises ``bug`` when asked for ``what``, once the cards are laid."""

    what: str
    bug: Exception

    def _asked(self, what: str) -> None:
        if what == self.what and len(self.asks) <= 1:
            raise self.bug

    def next(self, piles: Any) -> Any:
        self._asked("next")
        return super().next(piles)

    def done(self, outcome: Any, piles: Any) -> Any:
        self._asked("done")
        return super().done(outcome, piles)

    def judge(self, seat: Any, move: Any, piles: Any) -> None:
        super().judge(seat, move, piles)
        self._asked("judge")

    def snapshot(self) -> Any:
        self._asked("snapshot")
        return super().snapshot()

    def result(self) -> Any:
        self._asked("result")
        return super().result()


def broken(what: str, bug: Exception, asked: Any) -> Broken:
    return Broken(3, FACES, plan(asked).asks, what, bug)


ASKED = ("next", "done", "judge", "snapshot", "result")
JUDGED = (IllegalMoveError("1", "x"), ProofError(Check.BACK, "x"))
CHECKS = (
    *JUDGED,
    ProofError(Check.CARD, "x"),
    EncodingError(Check.ENCODING, "x"),
    ProtocolViolationError(Check.SIG, 0, 7, "x"),
)


@pytest.mark.parametrize("what", ASKED)
@pytest.mark.parametrize("bug", [TypeError, IndexError, KeyError, ValueError, ArithmeticError])
def test_exception_of_a_game_comes_out_unchanged(what, bug):
    assert type(stops(broken(what, bug("x"), Decide(ONE)))) is bug


@pytest.mark.parametrize("what", ASKED)
@pytest.mark.parametrize("bug", CHECKS, ids=lambda bug: bug.check.value)
def test_a_check_that_a_game_fails_by_itself_blames_nobody(what, bug):
    if what != "judge" or bug not in JUDGED:
        assert isinstance(stops(broken(what, bug, Decide(ONE))), GuardError)


@pytest.mark.parametrize(
    "asked", [mix(), Coin(ALL), Sealed(ALL), read("deck", 0, to=ONE)], ids=str
)
@pytest.mark.parametrize("bug", JUDGED, ids=lambda bug: bug.check.value)
def test_failure_after_a_step_blames_nobody(asked, bug):
    assert isinstance(stops(broken("done", bug, asked)), GuardError)


def opening(to: Any) -> Plan:
    """Return a game that deals cards, and opens them; then it refuses."""

    def refuse(_: Piles) -> NewPiles:
        raise IllegalMoveError("X1", "not with these faces")

    shown = read("deck", *range(len(to)), to=None)
    dealt = [read("deck", place, to=seat) for place, seat in enumerate(to)]
    return plan(mix(), *dealt, (shown, refuse))


def test_a_game_refuses_cards_that_a_seat_has_opened_by_its_choice():
    """It may be that only its author knows what it is when the move is made."""
    party = begun("opening", opening([ONE, ONE]))
    while next_due(party.table) != (ONE, Verb.SHARE, False) or party.table.step.reads[0].reader:
        party.goes_on(lambda _: 0)
    table = party.table
    with pytest.raises(IllegalMoveError):
        follow(party.players[ONE], table)
    share = _due_action(party.players[ONE], table, 0)
    with pytest.raises(ProtocolViolationError) as refusal:
        step(table, party.signed(ONE, [encode_action(share)]))
    assert (refusal.value.check, refusal.value.seat) == (Check.RULE, ONE)


def test_cards_of_several_seats_are_opened_by_nobody_s_choice():
    assert isinstance(stops(opening([ONE, TWO])), GuardError)


def test_a_game_that_is_over_has_a_result():
    assert isinstance(stops(plan(Over(ALL))), GuardError)


@pytest.mark.parametrize(
    "first", [Decide(TWO), mix(), Coin((ZERO, ONE, TWO)), Coin((TWO,)), Over(ALL)], ids=str
)
def test_a_game_begins_with_a_coin_of_all_the_last_seat_first(first):
    game = Plan(3, FACES, ((first, keep),))
    party = begun("first", game, greeted=2)
    _, hello = greeting("first", game, TWO, party.state)
    for judge in (step, recall):
        with pytest.raises(GuardError):
            judge(party.state, hello)


def large(size: int) -> Plan:
    """Return a game that mixes a deck of ``size`` cards."""
    laid: Ask = (Coin(ALL), lambda _: {"deck": [0] * size})
    return Plan(3, {0: size}, (laid, (mix(), keep)))


def test_pile_is_no_larger_than_a_provable_shuffle():
    assert isinstance(stops(large(LARGEST + 1)), GuardError)


def test_the_largest_pile_that_a_shuffle_can_prove_is_asked_for():
    party = begun("largest", large(LARGEST))
    while party.table.owing[0].verb is Verb.COIN:
        party.goes_on(lambda _: 0)
    assert party.table.owing[0].verb is Verb.SHUF


def test_a_step_that_owes_nothing_is_complete_at_once():
    """Public or known cards are read by their reader, and the game goes on."""
    opened = read("deck", 0, 1, to=None)
    own = read("deck", 2, to=ZERO)
    party = begun("nothing owed", plan(opened, mix(), opened, opened, own, own))
    while party.goes_on(lambda _: 0):
        pass
    assert party.table.game.result() == ()


def test_one_card_is_given_to_each_seat_of_the_table():
    with pytest.raises(AssertionError, match="went on to its end"):
        stops(
            plan(
                (mix(), parted(a=3, b=3)),
                read("a", 0, 1, 2, to=ZERO),
                Decide(ZERO),
                mix("a", (ZERO,), give=ALL),
            )
        )


def test_a_game_is_given_the_faces_of_cards_that_are_public_already():
    outcomes: list[Outcome] = []

    class Noting(Plan):
        def done(self, outcome: Outcome, piles: Piles) -> tuple[Plan, NewPiles]:
            outcomes.append(outcome)
            return super().done(outcome, piles)

    game = plan(read("deck", 0, 1, to=None))
    party = begun("public", Noting(game.seats, game.faces, game.asks))
    while party.goes_on(lambda _: 0):
        pass
    assert outcomes[-1] == Shared((0, 1))


def test_nobody_owes_a_share_of_a_public_card():
    card = begun("public", plan(mix())).table.deck.public(0)
    assert not any(card.owes(seat, reader) for seat in ALL for reader in (*ALL, None))


def test_a_coin_is_asked_for_only_while_links_are_left():
    table = begun("links", plan(Coin(ALL))).table._replace(coins=COINS)
    with pytest.raises(GuardError, match="no link left"):
        ask(table)


def test_a_card_is_opened_only_once_its_reader_can_read_it():
    """No step leaves this kind of card; a table with the card would not open it."""
    table = begun("half shared", plan(mix())).table
    card = table.deck.public(0)._replace(
        face=None, reader=Seat(0), shares=(None, None, table.deck.key)
    )
    with pytest.raises(GuardError, match="K2"):
        check_reads({"deck": (card,)}, (Read("deck", 0, None),))
