"""Cheats at a table of three: all other seats refuse the cheat, and blame the author."""

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import pytest

from matcha_p2p.crypto.elgamal import prove_possession, prove_shares
from matcha_p2p.crypto.ristretto255 import ORDER, base_mul
from matcha_p2p.crypto.shuffle import shuffle
from matcha_p2p.crypto.sigma import Context
from matcha_p2p.crypto.sponge import H
from matcha_p2p.errors import (
    Check,
    EncodingError,
    IllegalMoveError,
    ProtocolViolationError,
)
from matcha_p2p.games import find
from matcha_p2p.seats import Seat
from matcha_p2p.table.greeting import hello_context
from matcha_p2p.table.messages import (
    Action,
    Hello,
    MoveAction,
    Seal,
    Shares,
    Shuf,
    Toss,
    Unseal,
    decode_action,
    encode_action,
)
from matcha_p2p.table.moves import Backs, Field, Number
from matcha_p2p.table.piles import card_at
from matcha_p2p.table.seat import _due_action, _sealed
from matcha_p2p.table.step import act, actions_of, step
from matcha_p2p.table.steps import (
    Decide,
    Sealed,
    Share,
)
from matcha_p2p.table.table import Greetings, Table, Verb, state_tag
from matcha_p2p.table.verbs import commitment_to, owed_reads
from matcha_p2p.wire.encoding import MAX_INTEGER
from matcha_p2p.wire.entry import parse_entry
from tests.games.toy.steps import Toy
from tests.table.party import Party, Plan, begun, greeting
from tests.table.test_guards import ALL, FACES, JUDGED, broken, plan

ZERO, ONE, TWO = Seat(0), Seat(1), Seat(2)


def refused(party: Party, seat: int, *said: Any) -> Check:
    """Return the check that ``said`` breaks, after a check of the blamed author."""
    fields = [each if isinstance(each, list) else encode_action(each) for each in said]
    with pytest.raises(ProtocolViolationError) as caught:
        step(party.state, parse_entry(party.signed(Seat(seat), fields).encoded))
    assert (caught.value.seat, caught.value.entry) == (seat, len(party.entries))
    return caught.value.check


def until(verb: Verb, party: Party, choice: int = 0) -> Party:
    """Play on until ``verb`` is due."""
    while party.table.owing[0].verb is not verb:
        party.goes_on(lambda _: choice)
    return party


def toy_until(verb: Verb) -> Party:
    """Return a game of the toy at the point where ``verb`` is due."""
    party = _toy_until(verb)
    return replace(party, entries=[*party.entries])


@cache
def _toy_until(verb: Verb) -> Party:
    return until(verb, begun("cheat", Toy()))


@pytest.mark.parametrize("bug", JUDGED, ids=lambda bug: bug.check.value)
def test_a_move_that_the_game_refuses_blames_its_author(bug):
    party = until(Verb.MOVE, begun("judged", broken("judge", bug, Decide(ONE))))
    assert refused(party, ONE, MoveAction(("say", 0))) is bug.check


# --- wire ------------------------------------------------------------------------------------


VALUES: list[Any] = [
    *(0, 4, 14, 15, 16, MAX_INTEGER),
    *(b"", b"x", bytes(31), bytes(33), bytes(64), bytes(32 * 15)),
    *("", "x", "choose", "4"),
    *([], [1], [b"x" * 32]),
]


def fits(field: Field, value: Any) -> bool:
    """Tell whether ``value`` has the form of ``field``."""
    if isinstance(field, Number):
        return isinstance(value, int) and field.least <= value <= field.most
    whole = isinstance(value, bytes) and len(value) % 32 == 0
    return whole and field.least <= len(value) // 32 <= field.most


FORMS = {
    **find("matcha", "2015", 2).forms,
    **Toy.forms,
    "play": (Number(0, 13), Backs(1, 14), Number(2, 14), Number(0, 3)),
}


@pytest.mark.parametrize("verb", [["MOVE"], ["UNSEAL", bytes(32)]], ids=["MOVE", "UNSEAL"])
@pytest.mark.parametrize("name", FORMS)
def test_every_field_of_a_move_has_its_type_and_range(verb, name):
    form = FORMS[name]
    right = [f.least if isinstance(f, Number) else bytes(32 * f.most) for f in form]
    decode_action([*verb, name, *right], FORMS)
    wrong = [[*right, 0], *([right[:-1]] if right else [])]
    for place, field in enumerate(form):
        bad = (value for value in VALUES if not fits(field, value))
        wrong += [[*right[:place], value, *right[place + 1 :]] for value in bad]
    for fields in wrong:
        with pytest.raises(EncodingError) as caught:
            decode_action([*verb, name, *fields], FORMS)
        assert caught.value.check is Check.ENCODING
    for no_name in (0, b"play", [name], "", name.upper(), "take"):
        with pytest.raises(EncodingError):
            decode_action([*verb, no_name, *right], FORMS)


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_move_of_a_false_form_blames_its_author(value):
    sealing, moving, opening = map(toy_until, (Verb.SEAL, Verb.MOVE, Verb.UNSEAL))
    first, last = sealing.table.owing[0].seat, moving.table.owing[0].seat
    assert refused(sealing, first, ["SEAL", value]) is Check.ENCODING
    assert refused(moving, last, ["MOVE", "choose", value]) is Check.ENCODING
    assert refused(opening, first, ["UNSEAL", bytes(32), "choose", value]) is Check.ENCODING


# --- greeting --------------------------------------------------------------------------------


def last_hello(party: Party, **changes: Any) -> tuple[Hello, Toss]:
    """Return what seat 2 of three says first, with some fields changed."""
    assert isinstance(party.state, Greetings)
    player, entry = greeting("cheat", Toy(), TWO, party.state)
    party.players.append(player)
    hello, toss = (decode_action(fields, {}) for fields in entry.fields)
    assert isinstance(hello, Hello)
    assert isinstance(toss, Toss)
    return replace(hello, **changes), toss


def proven(party: Party, x: int, **other: Any) -> dict[str, Any]:
    """Return the fields of a HELLO of seat 2 with the key of ``x``. other: of the context."""
    context = hello_context("toy", "one", party.state.head, TWO)
    random = party.players[0].random(H("cheat"))
    pop = prove_possession(x, replace(context, **other), random)
    return {"game_key": base_mul(x), "pop": pop}


def _greet(party: Party, *said: Action) -> None:
    tag = state_tag(party.state)
    party.say(party.signed(TWO, [encode_action(each) for each in said], tag))


@pytest.mark.parametrize(
    "changes",
    [
        {"game": "matcha"},
        {"variant": "two"},
        {"seats": 2},
        {"seats": 4},
        {"rules": bytes(32)},
    ],
    ids=str,
)
def test_all_greet_for_the_game_of_the_first(changes):
    party = begun("cheat", Toy(), greeted=2)
    assert refused(party, TWO, *last_hello(party, **changes)) is Check.GAME


@pytest.mark.parametrize("other", [ZERO, ONE])
@pytest.mark.parametrize("stolen", ["anchor", "game_key"])
def test_the_third_seat_takes_nothing_of_another(stolen, other):
    party = begun("cheat", Toy(), greeted=2)
    assert isinstance(party.state, Greetings)
    theirs = {stolen: getattr(party.state.hellos[other], stolen)}
    hello, toss = last_hello(party)
    assert refused(party, TWO, replace(hello, **theirs), toss) is Check.KEY


def test_game_keys_that_undo_each_other_are_refused():
    party = begun("cheat", Toy(), greeted=2)
    x = ORDER - (party.players[0].x + party.players[1].x) % ORDER
    assert refused(party, TWO, *last_hello(party, **proven(party, x))) is Check.KEY


def test_keys_of_two_that_undo_each_other_gain_them_nothing():
    """Both know each other's keys then, and the cards are masked under that of the third."""
    party = begun("cheat", Toy(), greeted=2)
    x = ORDER - party.players[1].x
    _greet(party, *last_hello(party, **proven(party, x)))
    assert party.table.deck.key == party.players[0].game_key


@pytest.mark.parametrize(
    "other",
    [
        *({"seat": ZERO}, {"seat": ONE}, {"head": H("other")}, {"place": 1}, {"label": "pop"}),
        *({"game": "matcha"}, {"variant": "two"}),
    ],
    ids=str,
)
def test_a_proof_of_possession_holds_for_one_greeting(other):
    party = begun("cheat", Toy(), greeted=2)
    hello = last_hello(party, **proven(party, party.players[0].x + 1, **other))
    assert refused(party, TWO, *hello) is Check.POP
    _greet(party, *last_hello(party))


def test_the_proof_of_another_seat_is_not_ones_own():
    party = begun("cheat", Toy(), greeted=2)
    assert isinstance(party.state, Greetings)
    hello = last_hello(party, pop=party.state.hellos[0].pop)
    assert refused(party, TWO, *hello) is Check.POP


def test_the_last_greeting_holds_one_coin_link():
    party = begun("cheat", Toy(), greeted=2)
    hello, toss = last_hello(party)
    link = Toss(party.players[TWO].chain[2])
    for said in ((hello,), (hello, toss, link), (hello, hello), (hello, Seal(bytes(32)))):
        assert refused(party, TWO, *said) is Check.GRAMMAR
    assert refused(party, TWO, hello, link) is Check.COIN


# --- proofs ----------------------------------------------------------------------------------


OTHERS: list[dict[str, Any]] = [
    *({"place": 1}, {"head": H("other")}, {"label": "other"}),
    *({"game": "matcha"}, {"variant": "two"}, {"seat": None}),
]
"""Where else a proof is made; seat: by the seat that speaks next."""


def elsewhere(table: Table, context: Context, other: dict[str, Any]) -> Context:
    return replace(context, **({"seat": table.owing[1].seat} if "seat" in other else other))


def shared(party: Party, context: Context, x: int) -> Shares:
    """Return the shares of the seat that is due, by the key x, proven in ``context``."""
    table = party.table
    seat = table.owing[0].seat
    assert isinstance(table.step, Share)
    cards = [card_at(table.piles, each).masked for each in owed_reads(table, table.step, seat)]
    return Shares(*prove_shares(x, cards, context, party.players[seat].random(H("cheat"))))


@pytest.mark.parametrize("other", OTHERS, ids=str)
def test_a_proof_of_shares_holds_in_one_place(other):
    party = toy_until(Verb.SHARE)
    seat, own = party.table.owing[0].seat, party.table.context
    x, context = party.players[seat].x, own(seat, "deal", 0)
    assert (
        refused(party, seat, shared(party, elsewhere(party.table, context, other), x))
        is Check.SHARE
    )
    assert refused(party, seat, shared(party, context, x + 1)) is Check.SHARE
    act(party.table, seat, shared(party, context, x), 0)


@pytest.mark.parametrize("other", OTHERS, ids=str)
def test_a_proof_of_a_shuffle_holds_in_one_place(other):
    party = toy_until(Verb.SHUF)
    table, seat = party.table, party.table.owing[0].seat
    deck = tuple(card.masked for card in table.piles["deck"])
    false = elsewhere(table, table.context(seat, "mix", 0), other)
    shuffled = shuffle(deck, table.deck.key, false, party.players[seat].random(H("cheat")))
    assert refused(party, seat, Shuf(*shuffled)) is Check.SHUFFLE


# --- sealed ----------------------------------------------------------------------------------


def test_a_copied_seal_cannot_be_opened():
    """The author repeats the commitment of another seat, and then the opening."""
    party = toy_until(Verb.SEAL)
    first, second, _ = (owed.seat for owed in party.table.owing[:3])
    party.goes_on(lambda _: 0)
    _say(party, second, Seal(party.table.seals[0].commitment))
    party.goes_on(lambda _: 0)
    party.goes_on(lambda _: 0)
    (opened,) = actions_of(party.entries[-1], party.table.game)
    assert (party.entries[-1].seat, party.table.owing[0]) == (first, (second, Verb.UNSEAL))
    assert refused(party, second, opened) is Check.SEAL


def test_a_seal_is_opened_by_its_own_salt_and_move():
    """A seat whose disk was put back makes the salt of another move, and that fits no seal."""
    party = toy_until(Verb.UNSEAL)
    table, seat = party.table, party.table.owing[0].seat
    player, since = party.players[seat], table.seals[0].since
    own, other = (
        _sealed(player, table, since, table.game.write(seat, place, table.piles))[1]
        for place in (0, 1)
    )
    assert own == _due_action(player, table, 0)
    for false in (other, Unseal(other.salt, own.move), Unseal(own.salt, other.move)):
        assert refused(party, seat, false) is Check.SEAL


def test_a_sealed_move_names_a_card_of_ones_own():
    party = toy_until(Verb.SEAL)
    seat, table = party.table.owing[0].seat, party.table
    move = ("choose", table.piles["rest"][0].back)
    _say(party, seat, Seal(commitment_to(table, seat, table.head, bytes(32), move)))
    until(Verb.UNSEAL, party)
    assert refused(party, seat, Unseal(bytes(32), move)) is Check.BACK


@dataclass(frozen=True)
class Counted(Plan):
    """A plan with one kind of move: the number of steps left."""

    def judge(self, seat: Any, move: Any, piles: Any) -> None:
        super().judge(seat, move, piles)
        if move[1] != len(self.asks):
            raise IllegalMoveError("1", "another number")


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_sealed_move_is_judged_as_the_table_was_before(number):
    """After the step one step is left: a move that is legal only then is refused."""
    game = Counted(3, FACES, plan(Sealed(ALL), Decide(ONE)).asks)
    party = until(Verb.SEAL, begun("sealed", game))
    seat, table = party.table.owing[0].seat, party.table
    move = ("say", number)
    _say(party, seat, Seal(commitment_to(table, seat, table.head, bytes(32), move)))
    until(Verb.UNSEAL, party, choice=2)
    if number == 2:
        act(party.table, seat, Unseal(bytes(32), move), 0)
    else:
        assert refused(party, seat, Unseal(bytes(32), move)) is Check.RULE


def _say(party: Party, seat: Seat, action: Action) -> None:
    after, _ = act(party.table, seat, action, 0)
    fields = [encode_action(action)]
    party.say(party.signed(seat, fields, state_tag(after)))
