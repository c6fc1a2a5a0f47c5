"""Games of Tichu for the vectors: agreed deals, and games that go on from them as written.

Most of a transcript deals, and chance would seldom deal bombs or a wish that binds. So the last
seat that shuffles puts the cards into an agreed order: these seats know all secrets.
"""

import random
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple
from unittest import mock

from matcha_p2p.crypto.elgamal import Ciphertext, share
from matcha_p2p.crypto.ristretto255 import Point
from matcha_p2p.crypto.shuffle import Deck, ShuffleProof, shuffle
from matcha_p2p.crypto.sigma import Context, Random
from matcha_p2p.games.tichu.rules import actions
from matcha_p2p.games.tichu.rules.cards import DOG, DRAGON, MAH_JONG, PHOENIX
from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.rules.round import SEATS, Ask, seat_after
from matcha_p2p.games.tichu.table.steps import new_game
from matcha_p2p.games.tichu.table.view import game_of, look
from matcha_p2p.table import seat as of_seat
from matcha_p2p.table.step import recall
from matcha_p2p.table.steps import Shuffle
from matcha_p2p.table.table import Greetings, State, Table, next_due
from matcha_p2p.wire.entry import Entry
from tests.games.tichu.party import lawful
from tests.table.party import Party, begun

NAMED = {"1": MAH_JONG, "Dog": DOG, "P": PHOENIX, "Dragon": DRAGON}
NUMBERS = "23456789TJQKA"
RANDOM = 151
GIVEN = (11, 12, 13)
"""The places of the cards that each seat gives."""

Choose = Callable[[Observation], actions.TichuMove]


class Deal(NamedTuple):
    """An agreed deal. calls: who calls Grand Tichu. hands: by seat, after the exchange."""

    seed: str
    variant: str
    calls: tuple[int, ...]
    hands: tuple[str, ...]


BOMBS = Deal(
    "tichu 3",
    "round plays",
    (2,),
    (
        "1 Dog P Dragon a7 b7 c7 d7 a2 b3 c4 d5 b6 aA",
        "a8 b8 c8 d8 aT bT aJ bJ aQ bQ aK bK a4 b4",
        "cT cJ cQ cK cA a5 b5 c5 a6 c6 a9 b9 c9 d4",
        "bA d2 d6 d9 dT dJ dQ dK dA a3 c3 d3 b2 c2",
    ),
)
"""Bombs, and hands with a single combination for the wish."""

RUNS = Deal(
    "tichu 9",
    "300 early",
    (2,),
    (
        "1 a2 b3 c4 d5 a6 b7 c8 d9 aT bJ cQ dK Dog",
        "c2 a3 a4 b5 c6 a7 a8 b9 cT aJ aQ bK aA cA",
        "b2 c3 d4 a5 b6 c7 d8 a9 bT cJ dQ aK bA Dragon",
        "d2 d3 b4 c5 d6 d7 b8 c9 dT dJ bQ cK dA P",
    ),
)
"""Straights of nearly a whole hand, so that a round is short."""

STRAIGHT, SEVENS = "0 1 a2 b3 c4 d5", "0 a7 b7 c7 d7"
EIGHTS, STAIRS = "1 a8 b8 c8 d8", "1 aT bT aJ bJ aQ bQ"
FLUSH, LONGER = "2 cT cJ cQ cK cA", "3 d9 dT dJ dQ dK dA"
FULL_HOUSE = "3 a3 c3 d3 b2 c2"
"""Plays in the deal ``BOMBS``."""


class Play(NamedTuple):
    """The cards that a seat lays; a pass has no cards. bomb: laid out of turn.

    wild, wish: 0 if there is none.
    """

    seat: int
    faces: tuple[int, ...]
    wild: int
    wish: int
    tichu: bool
    bomb: bool


def play_of(text: str) -> Play:
    """Read a play: "0 1 ?9" wishes for a 9, "0 a5 P =5" has the Phoenix as a 5.

    "!" calls Tichu first, "*" says that the seat lays a bomb out of turn.
    """
    seat, *words = text.split()
    marked = {word[0]: word[1:] for word in words if word[0] in "?=!*"}
    faces = tuple(face_of(word) for word in words if word[0] not in "?=!*")
    wild, wish = (int(marked.get(mark, 0)) for mark in "=?")
    return Play(int(seat), faces, wild, wish, "!" in marked, "*" in marked)


def face_of(card: str) -> int:
    """Return the face that ``card`` names: a suit, a to d, and a number; or a special card."""
    if card in NAMED:
        return NAMED[card]
    return 13 * "abcd".index(card[0]) + NUMBERS.index(card[1])


# --- how a game goes on --------------------------------------------------------------------


@cache
def greeted(seed: str, variant: str) -> Party:
    """Return a party whose seats have greeted each other."""
    game = new_game(variant, len(SEATS))
    if game is None:
        raise ValueError(f"no variant {variant}")
    return begun(seed, game)


@cache
def dealt(deal: Deal) -> Party:
    """Return a party whose seats hold the hands of ``deal``, before the Mah Jong is shown."""

    def choose(view: Observation) -> actions.TichuMove:
        if view.asked is Ask.GRAND:
            return actions.AnswerGrand(view.seat in deal.calls)
        return actions.GiveCards(GIVEN)

    party = copied(greeted(deal.seed, deal.variant))
    while asked(party) not in [(seat, Ask.CALL) for seat in SEATS]:
        order = _order(party, deal) if _is_last_mix(party) else []
        with mock.patch.object(of_seat, "shuffle", _puts(order)):
            go_on(party, choose)
    return party


def _is_last_mix(party: Party) -> bool:
    match party.table.step:
        case Shuffle(label="mix"):
            return len(party.table.owing) == 1
        case _:
            return False


def _order(party: Party, deal: Deal) -> list[int]:
    """Return the places of the deck of ``deal``, card by card."""
    hands = [list(map(face_of, hand.split())) for hand in deal.hands]
    gifts = {seat: [hands[seat_after(seat, n)][-n] for n in (1, 2, 3)] for seat in SEATS}
    wanted = [face for seat in SEATS for face in (*hands[seat][:-3], *gifts[seat])]
    masked = [card.masked for card in party.table.piles["deck"]]
    shares = ([share(player.x, card) for player in party.players] for card in masked)
    faces = list(map(party.table.deck.face_of, masked, shares))
    return [faces.index(face) for face in wanted]


def _puts(order: list[int]) -> Callable[..., tuple[Deck, ShuffleProof]]:
    """Return a shuffler that puts cards into ``order``, or None without an order."""

    def puts(
        deck: Sequence[Ciphertext],
        key: Point,
        context: Context,
        random: Random,
        last: Sequence[int],
    ) -> tuple[Deck, ShuffleProof]:
        return shuffle(deck, key, context, random, order or last)

    return puts


def copied(party: Party) -> Party:
    """Return a party that goes on apart from ``party``."""
    return replace(party, entries=[*party.entries])


def tables(party: Party) -> Iterator[tuple[Table, Entry]]:
    """Yield each entry since the greetings, and the table before it."""
    state: State = Greetings.of_roster(
        party.state.roster, lambda _, variant, seats: new_game(variant, seats)
    )
    for entry in party.entries:
        if isinstance(state, Table):
            yield state, entry
        state, _ = recall(state, entry)


def asked(party: Party) -> tuple[int, Ask] | None:
    """Return the seat and its question, or None while no seat decides."""
    due = next_due(party.table)
    return game_of(party.table).round.asked[0] if due and due.decision else None


def go_on(party: Party, choose: Choose) -> None:
    """Let the seat due speak."""
    party.goes_on(lambda seat: choose(look(party.players[seat], party.table, ())))


def played(party: Party, *plays: str, at: tuple[int, Ask] | None = None) -> Party:
    """Let seats make ``plays`` in turn or, if marked, out of turn; otherwise pass and hold.

    at: the seat that is asked and the question at which the game stops. If None, that is the
    first decision after the plays. The end of the round stops the game as well.
    """
    left = deque(map(play_of, plays))

    def choose(view: Observation) -> actions.TichuMove:
        ask = view.asked
        if left and left[0].seat == view.seat and _fits(left[0], ask):
            play = left.popleft()
            return laid(view, play) if play.faces else actions.Pass()
        match ask:
            case Ask.TURN:
                return actions.Pass()
            case Ask.GIFT:
                return actions.GiveTrick(seat_after(view.seat))
            case _:
                return view.legal_moves()[0]

    party, number = copied(party), game_of(party.table).number
    while left or not _stops(party, at):
        if next_due(party.table) is None or game_of(party.table).number > number:
            break
        go_on(party, choose)
    if left:
        raise ValueError(f"nobody could play {left}")
    return party


def _fits(play: Play, ask: Ask | None) -> bool:
    return ask is (Ask.HOLD if play.bomb else Ask.TURN)


def _stops(party: Party, at: tuple[int, Ask] | None) -> bool:
    found = asked(party)
    return found == at if at else found is not None and found[1] is not Ask.GIFT


def laid(view: Observation, play: Play) -> actions.Lay:
    """Return ``play`` as a move, by the places of the cards in the hand."""
    places = {face: place for place, face in view.held.items()}
    cards = tuple(sorted(places[face] for face in play.faces))
    return actions.Lay(cards, play.wild, play.wish, play.tichu)


@cache
def random_round(*, hides: bool = False) -> Party:
    """Return a whole round of moves at random, in which three seats call.

    hides: nobody shows the Mah Jong, so the round is soon over.
    """
    chance = random.Random(RANDOM)  # noqa: S311 -- to be the same again

    def choose(view: Observation) -> actions.TichuMove:
        hand = {face: place for place, face in view.held.items()}
        match view.asked:
            case Ask.GRAND:
                return actions.AnswerGrand(view.seat == 2)
            case Ask.CALL if MAH_JONG in hand and not hides:
                return actions.ShowMahJong(hand[MAH_JONG], view.seat in (1, 3))
            case Ask.CALL:
                return actions.Hold(view.seat in (1, 3))
            case _:
                move: actions.TichuMove = lawful(view, chance)
                return move

    party = copied(greeted(f"tichu {RANDOM}", "round"))
    while next_due(party.table) is not None:
        go_on(party, choose)
    return party
