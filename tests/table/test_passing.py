"""Whole games of passing: gifts of cards, and moves that programs make by themselves."""

import random
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest

from matcha_p2p import games
from matcha_p2p.crypto.shuffle import shuffle
from matcha_p2p.errors import Check, IllegalMoveError, ProtocolViolationError
from matcha_p2p.seats import Seat
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.ledger import header_of, recall_chain, since
from matcha_p2p.table.messages import MoveAction, Shuf, encode_action
from matcha_p2p.table.piles import GuardError
from matcha_p2p.table.seat import Offer, Player, decide, follow, take_seat
from matcha_p2p.table.step import Taken, act, recall, step
from matcha_p2p.table.steps import Coin, Decide, Shuffle
from matcha_p2p.table.table import Table, next_due, state_tag
from matcha_p2p.transport.names import Psk
from matcha_p2p.wire.encoding import Value
from matcha_p2p.wire.entry import Entry
from tests.duel import roster_of, secrets_of
from tests.games.passing.steps import HAND, Passing
from tests.judges import VERIFIER, their_table
from tests.table.party import Party, Plan, begun, everybody, keep

GAMES = [(2, 0), (3, 0)]
more = [pytest.param(*game, marks=pytest.mark.slow) for game in ((3, 1), (4, 0), (4, 1))]
party_of = pytest.mark.parametrize(("seats", "seed"), [*GAMES, *more])


def name_of(seats: int, seed: int) -> str:
    return f"passing {seats} {seed}"


@cache
def course(seats: int, seed: int) -> tuple[Party, tuple[Table, ...]]:
    """Return a party at the end of its game, and each table on the way."""
    party = begun(name_of(seats, seed), Passing(seats))
    chance = random.Random(seed)
    tables = [party.table]
    while party.goes_on(lambda _: (3, *chance.sample(range(HAND), seats - 1))):
        tables.append(party.table)
    return party, tuple(tables)


def entries(seats: int, seed: int) -> list[tuple[Table, Entry, Table]]:
    """Return the entries after the greetings, each with the tables before and after."""
    party, tables = course(seats, seed)
    said = zip(pairwise(tables), party.entries[seats:], strict=True)
    return [(before, entry, after) for (before, after), entry in said]


def gifts(seats: int, seed: int) -> list[Taken]:
    """Return all shuffles by which cards were given."""
    events = [
        each for before, entry, _ in entries(seats, seed) for each in step(before, entry)[1]
    ]
    return [each for each in events if isinstance(each, Taken) and gives(each.before)]


def given(player: Player, gift: Taken) -> tuple[int, ...]:
    """Return the places of the cards that ``gift``, the player's own, gives."""
    assert isinstance(gift.before.step, Shuffle)
    assert isinstance(gift.action, Shuf)
    return player.order(gift.before, gift.action)[-len(gift.before.step.give) :]


def gives(table: Table) -> bool:
    return isinstance(table.step, Shuffle) and bool(table.step.give)


@cache
def keys(seats: int, seed: int, seat: Seat) -> Player:
    party, _ = course(seats, seed)
    return take_seat(seat, party.entries[seat].prev, secrets_of(name_of(seats, seed), seat))


def again(seats: int, seed: int, seat: Seat) -> Player:
    """Return the player of a restarted program, which has read no card."""
    return replace(keys(seats, seed, seat), _seen={})


@party_of
def test_holder_of_the_zero_wins(seats, seed):
    party, (*_, last) = course(seats, seed)
    winner, place = last.game.holder
    assert party.players[winner].faces(last, f"hand {winner}")[place] == 0
    assert party.entries[-1].fields[-1][:2] == ["RESULT", [winner]]
    assert next_due(last) is None


@party_of
def test_a_gift_is_said_in_one_message_with_the_move_that_chose_it(seats, seed):
    said = [[fields[:2] for fields in e.fields] for _, e, _ in entries(seats, seed)]
    begun = [fields for fields in said if fields[0] == ["MOVE", "give"]]
    assert len(begun) == seats
    assert all(rest[0][0] == "SHUF" for _, *rest in begun)


def test_a_program_answers_behind_its_other_actions_and_by_itself():
    verbs = [[f[0] for f in e.fields] for game in GAMES for _, e, _ in entries(*game)]
    assert ["SHARE", "MOVE"] in verbs
    assert ["MOVE"] in verbs


@party_of
def test_each_gets_the_cards_that_were_chosen_for_it(seats, seed):
    """The giver knows each gift; the receiver knows the gift after all shares of the others."""
    party, tables = course(seats, seed)
    own = {seat: set[int]() for seat in tables[0].seats}
    for gift in gifts(seats, seed):
        player, pile = party.players[gift.seat], f"hand {gift.seat}"
        before = player.faces(gift.before, pile)
        chosen = [before[place] for place in given(player, gift)]
        own[gift.seat] |= set(before) - set(chosen)
        for receiver, face in zip(gift.before.step.give, chosen, strict=True):
            own[receiver].add(face)
    for table in tables:
        closed = [name for name in table.piles if " to " in name or table.game.stage == "own"]
        for name in closed:
            assert not any(any(each.faces(table, name)) for each in party.players)
    for seat, player in enumerate(party.players):
        assert set(player.faces(tables[-1], f"hand {seat}")) == own[seat]


@party_of
def test_all_seats_come_to_the_same_table_after_a_restart_at_any_entry(seats, seed):
    for before, entry, after in entries(seats, seed):
        assert after == step(before, entry)[0] == recall(before, entry)[0]
        due = next_due(before)
        player = again(seats, seed, due.seat)
        if not due.decision:
            assert follow(player, before).entry == entry
            continue
        gift = next(each for each in step(before, entry)[1] if gives(each.before))
        move = (3, *given(player, gift))
        assert decide(player, before, move).entry == entry


@party_of
def test_a_program_that_starts_again_finds_its_gifts_by_its_secret_alone(seats, seed):
    party, _ = course(seats, seed)
    for gift in gifts(seats, seed):
        found = given(again(seats, seed, gift.seat), gift)
        assert found == given(party.players[gift.seat], gift)
        undone = again(seats, seed, gift.seat)  # another choice was made there before
        undone.remember(gift.before.head, found[::-1])
        assert given(undone, gift) == found
        other = party.players[(gift.seat + 1) % seats]
        with pytest.raises(LookupError):
            given(other, gift)
        assert isinstance(gift.action, Shuf)
        with pytest.raises(LookupError, match="no shuffle was due"):
            party.players[gift.seat].order(party.table, gift.action)


def test_another_choice_meets_no_mask_twice():
    """A program that lost its last entry may choose anew: no masked card is the same."""
    before, *_ = (b for b, e, _ in entries(3, 0) if e.fields[0][0] == "MOVE")
    player = again(3, 0, next_due(before).seat)
    choices = [(3, 0, 1), (3, 1, 0), (3, 1, 2), (3, 3, 2)]
    elements = set()
    for choice in choices:
        _, deck, proof = decide(player, before, choice).entry.fields[1]
        said = deck + proof[: 2 * HAND * 32]  # with the commitments and the chain
        elements |= {said[i : i + 32] for i in range(0, len(said), 32)}
    assert len(elements) == len(choices) * 4 * HAND


# --- what is refused -------------------------------------------------------------------------


def choosing() -> tuple[Party, Table]:
    """Return a party at which a seat has to choose gifts."""
    party = begun("choosing", Passing(3))
    while not next_due(party.table).decision:
        party.goes_on(lambda _: ())
    return party, party.table


@pytest.mark.parametrize("places", [(), (0,), (0, 1, 2), (1, 1), (0, 4), (-1, 0)])
def test_gift_of_other_cards_is_refused_before_signing(places):
    party, table = choosing()
    with pytest.raises(IllegalMoveError, match="2 different cards"):
        decide(party.players[next_due(table).seat], table, (3, *places))


def told_apart(change) -> Check:
    """Let the giving seat say another shuffle; return the check by which all others refuse."""
    party, table = choosing()
    seat = next_due(table).seat
    between, _ = act(table, seat, MoveAction(("give", 3)), 0)
    deck = tuple(card.masked for card in between.piles[f"hand {seat}"])
    shuf = change(party, between, seat, deck)
    after, _ = act(between, seat, shuf, 1)
    fields: list[Value] = [["MOVE", "give", 3], encode_action(shuf)]
    with pytest.raises(ProtocolViolationError) as refusal:
        step(table, party.signed(seat, fields, state_tag(after)))
    assert refusal.value.seat == seat
    return refusal.value.check


def made(party, table, seat, deck, **elsewhere) -> Shuf:
    random = party.players[seat].random(table.head)
    context = replace(table.context(seat, "give", 1), **elsewhere)
    return Shuf(*shuffle(deck, table.deck.key, context, random, (0, 1)))


def test_a_doubled_card_is_no_gift():
    def doubled(party, table, seat, deck):
        return made(party, table, seat, (deck[1], *deck[1:]))

    assert told_apart(doubled) is Check.SHUFFLE


def test_a_card_that_is_exchanged_after_the_proof_is_no_gift():
    def exchanged(party, table, seat, deck):
        shuf = made(party, table, seat, deck)
        return replace(shuf, deck=(*shuf.deck[1:], shuf.deck[0]))

    assert told_apart(exchanged) is Check.SHUFFLE


def test_cards_of_another_hand_are_no_gift():
    def stolen(party, table, seat, deck):
        other = table.piles[f"hand {(seat + 1) % 3}"]
        return made(party, table, seat, (*deck[:-1], other[0].masked))

    assert told_apart(stolen) is Check.SHUFFLE


@pytest.mark.parametrize("elsewhere", [{"place": 0}, {"label": "own"}, {"head": bytes(32)}])
def test_the_proof_of_another_action_is_no_gift(elsewhere):
    assert told_apart(lambda *given: made(*given, **elsewhere)) is Check.SHUFFLE


def test_the_shuffle_of_another_seat_is_no_gift():
    def by_another(party, table, seat, deck):
        return made(party, table, Seat((seat + 1) % 3), deck)

    assert told_apart(by_another) is Check.SHUFFLE


@pytest.mark.parametrize("size", [HAND - 1, HAND + 1])
def test_more_or_fewer_cards_are_no_gift(size):
    party, table = choosing()
    seat = next_due(table).seat
    between, _ = act(table, seat, MoveAction(("give", 3)), 0)
    deck = tuple(card.masked for pile in between.piles.values() for card in pile)[:size]
    shuf = made(party, between, seat, deck)
    fields: list[Value] = [["MOVE", "give", 3], encode_action(shuf)]
    with pytest.raises(ProtocolViolationError) as refusal:
        step(table, party.signed(seat, fields))
    assert (refusal.value.check, refusal.value.seat) == (Check.SHUFFLE, seat)


def test_another_seat_cannot_give():
    party, table = choosing()
    due = next_due(table).seat
    said = decide(party.players[due], table, (3, 0, 1))
    other = Seat((due + 1) % 3)
    with pytest.raises(ProtocolViolationError) as refusal:
        step(table, party.signed(other, said.entry.fields, said.entry.state))
    assert refusal.value.check is Check.TURN


def test_a_gift_is_not_left_for_another_message():
    party, table = choosing()
    seat = next_due(table).seat
    with pytest.raises(ProtocolViolationError) as refusal:
        step(table, party.signed(seat, [["MOVE", "give", 3]]))
    assert (refusal.value.check, refusal.value.seat) == (Check.GRAMMAR, seat)


def test_game_without_own_moves_cannot_ask_for_one():
    laid = (Coin(everybody(2)), keep)
    party = begun("mute", Plan(2, {0: 1}, (laid, (Decide(Seat(0), auto=True), keep))))
    with pytest.raises(GuardError, match="by itself"):
        follow(party.players[0], party.table)


# --- sessions --------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_programs_that_start_again_before_each_word_play_a_game(seats, monkeypatch):
    monkeypatch.setitem(games.FOLDERS, "passing", "tests.games.passing")
    names = [f"seat {seat}" for seat in range(seats)]
    word, places = 5, range(seats - 1)
    roster = roster_of("chains", Passing(seats), names)
    chains = [
        Chain.begin(Seat(seat), secrets_of("chains", seat), Psk(bytes(32)), roster)
        for seat in range(seats)
    ]

    def said(after: Chain) -> None:
        encoded = after.entries[-1].encoded
        chains[after.seat] = after
        for seat in after.others:
            chains[seat], _ = chains[seat].hear(encoded)

    for seat, name in enumerate(names):
        said(chains[seat].greet(Offer(Passing(seats), name))[0])
    while (due := next_due(chains[0].state)) is not None:
        known = chains[due.seat]
        chain = recall_chain(header_of(known), since(known, known.empty))
        assert chain.state == known.state
        said((chain.decide((word, *places)) if due.decision else chain.follow())[0])
    (winner, _), words = chains[0].table.game.holder, chains[0].table.game.said
    assert {chain.table.game.result() for chain in chains} == {(winner,)}
    assert words == (word,) * seats


# --- the independent verifier ----------------------------------------------------------------

STEPS = VERIFIER["steps"]


class Theirs:
    """The same game for the independent verifier, where the rules move the gifts."""

    name, variant = "passing", "one"

    def __init__(self, seats: int) -> None:
        self.forms = {"give": [(int, 0, 9)], "zero": [(bytes, 1, 1)], "none": []}
        self.seats, self.values, self.faces = seats, [HAND], range(HAND * seats)
        self.stage, self.turn, self.first = "toss", 0, seats - 1
        self.said: list[int] = []
        self.holder: list[int] = []

    def order(self):
        return [(self.first + i) % self.seats for i in range(self.seats)]

    def hand(self, seat):
        return self.cards.piles[f"hand {seat}"]

    def begin(self, cards):
        self.cards = cards
        return STEPS.coin(self.order(), self.tossed)

    def tossed(self, value):
        self.stage, self.first = "mix", value[0] % self.seats
        self.cards.piles = {"deck": self.cards.public(*self.faces)}
        return STEPS.shuffle(self.cards.piles["deck"], self.order(), "mix", self.mixed)

    def mixed(self, _):
        deck = self.cards.piles["deck"]
        self.cards.piles = {
            f"hand {s}": deck[HAND * s : HAND * s + HAND] for s in range(self.seats)
        }
        return self.dealt("deal", self.choose)

    def dealt(self, label, then):
        self.stage = label
        reads = [(card, s) for s in self.order() for card in self.hand(s)]
        return STEPS.share(reads, self.order(), label, lambda _: then())

    def choose(self):
        self.stage = "choose"
        return STEPS.decide(self.order()[self.turn], self.chosen)

    def chosen(self, moves):
        (seat, (_, word)), self.stage = next(iter(moves.items())), "give"
        self.said.append(word)
        return STEPS.shuffle(self.hand(seat), [seat], "give", lambda _: self.gave(seat))

    def gave(self, seat):
        hand, others = self.hand(seat), [s for s in range(self.seats) if s != seat]
        for other in reversed(others):
            self.cards.piles[f"{seat} to {other}"] = [hand.pop()]
        if self.turned():
            return self.choose()
        for receiver in range(self.seats):
            for giver in range(self.seats):
                gift = self.cards.piles.pop(f"{giver} to {receiver}", [])
                self.hand(receiver).extend(gift)
        return self.own()

    def own(self):
        self.stage, seat = "own", self.order()[self.turn]
        return STEPS.shuffle(self.hand(seat), [seat], "own", lambda _: self.mixed_own())

    def mixed_own(self):
        return self.own() if self.turned() else self.dealt("look", self.tell)

    def tell(self):
        self.stage = "tell"
        return STEPS.answer(self.order()[-1 - self.turn], self.told)

    def told(self, moves):
        ((seat, move),) = moves.items()
        if move[0] == "zero":
            self.holder = [seat, self.cards.find(f"hand {seat}", move[1])]
        if self.turned():
            return self.tell()
        self.stage, (seat, place) = "show", self.holder
        return STEPS.share([(self.hand(seat)[place], None)], self.order(), "show", self.over)

    def over(self, _):
        self.stage = "over"
        return STEPS.over(self.order())

    def turned(self):
        self.turn = (self.turn + 1) % self.seats
        return self.turn != 0

    def judge(self, seat, move):
        if move[0] == "zero":
            self.cards.find(f"hand {seat}", move[1])

    def state(self):
        return self.stage, self.turn, self.order(), self.said, self.holder

    def result(self):
        return self.holder[:1] if self.stage == "over" else None

    def winners(self, resigned):
        return [seat for seat in range(self.seats) if seat != resigned]


@pytest.mark.slow
@party_of
def test_the_independent_verifier_accepts_gifts_and_answers(seats, seed, monkeypatch):
    monkeypatch.setattr(VERIFIER["table"], "find_game", lambda *_: Theirs(seats))
    party, _ = course(seats, seed)
    table = their_table(party.state)
    for entry in party.entries:
        table.accept_entry(entry.encoded)
    assert table.decided
    assert table.step.owing == []
