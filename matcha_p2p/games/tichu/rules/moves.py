"""What the owner of a hand may do with it (T14 to T24), and the duty of a wish (T21)."""

import itertools
from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from matcha_p2p.games.tichu.rules import cards as card_rules
from matcha_p2p.games.tichu.rules import combinations
from matcha_p2p.games.tichu.rules.refused import RefusedError
from matcha_p2p.games.tichu.rules.round import Ask, Round
from matcha_p2p.language import Sentence
from matcha_p2p.seats import Seat


class Play(NamedTuple):
    """Cards to lay. wild: the number that the Phoenix stands for, or 0."""

    made: combinations.Combination
    faces: tuple[int, ...]
    wild: int = 0


class _Sorted(NamedTuple):
    """A hand. cards: the faces of each number, ascending. phoenix: whether the hand has it."""

    cards: dict[int, tuple[int, ...]]
    phoenix: bool


_LED: Final = (
    (combinations.Shape.PAIR, 2),
    (combinations.Shape.TRIPLE, 3),
    (combinations.Shape.FULL_HOUSE, 5),
    *((combinations.Shape.STAIRS, size) for size in range(4, 15, 2)),
    *(
        (combinations.Shape.STRAIGHT, size)
        for size in range(combinations.SHORTEST, card_rules.ACE + 1)
    ),
)
"""What several cards can be at a lead, but for bombs."""


def plays(hand: Collection[int], under: combinations.Combination | None = None) -> list[Play]:
    """Return what can be laid of ``hand`` on ``under``, or led where nothing lies.

    Plays with the same numbers are one play: suits tell only straights from bombs.
    """
    known = _sorted(hand)
    if under is None:
        several = (play for kind, size in _LED for play in _several(kind, size, known))
        return [*_singles(hand, known, None), *several, *_bombs(known.cards)]
    if under.kind is combinations.Shape.SINGLE:
        found = _singles(hand, known, under)
    else:
        found = _several(under.kind, under.size, known, under.strength // 2)
    both = (*found, *_bombs(known.cards))
    return [play for play in both if combinations.beats(play.made, under)]


def owes(hand: Collection[int], under: combinations.Combination | None, wish: int) -> bool:
    """Tell whether the owner of ``hand`` has to lay the wished card in this turn (T21)."""
    if not wish or all(card_rules.NUMBERS[face] != wish for face in hand):
        return False
    return under is None or any(_fulfils(play.faces, wish) for play in plays(hand, under))


def legal_plays(state: Round, hand: Collection[int]) -> list[Play]:
    """Return what the seat that is asked may lay of ``hand``; a wish it makes is its choice."""
    ask = state.asked[0][1] if state.asked else None
    if ask is Ask.TURN:
        made = plays(hand, state.under)
        fulfilling = [play for play in made if _fulfils(play.faces, state.wish)]
        return (fulfilling or made) if state.wish else made
    if ask is Ask.HOLD:
        under = state.under
        return [
            play
            for play in bombs(hand)
            if under is not None and combinations.beats(play.made, under)
        ]
    return []


def bombs(hand: Collection[int]) -> list[Play]:
    """Return all bombs of ``hand``."""
    return list(_bombs(_sorted(hand).cards))


def can_bomb(state: Round, seat: Seat) -> bool:
    """Tell whether ``seat`` may have a bomb that fits, for all that every seat knows (T24)."""
    laid = {*state.pile, *itertools.chain(*state.won)}
    size, under = len(state.held[seat]), state.under
    return under is not None and any(
        len(play.faces) <= size and combinations.beats(play.made, under)
        for play in bombs(set(card_rules.FACES) - laid)
    )


def may_pass(state: Round, hand: Collection[int]) -> bool:
    """Tell whether the seat that is asked may pass with ``hand`` (T21, T22)."""
    turn = bool(state.asked) and state.asked[0][1] is Ask.TURN
    return turn and state.under is not None and not owes(hand, state.under, state.wish)


def check_duty(state: Round, hand: Collection[int], faces: Collection[int]) -> None:
    """Let the seat whose turn it is lay ``faces`` of ``hand``, or pass with ().

    Raises:
        RefusedError: T21: the wished card can be laid, and is not.
    """
    bound = state.asked[0][1] is Ask.TURN and owes(hand, state.under, state.wish)
    if bound and not _fulfils(faces, state.wish):
        raise RefusedError("T21", Sentence("The wished card can be laid, so it must be."))


def _fulfils(faces: Collection[int], wish: int) -> bool:
    return any(card_rules.NUMBERS[face] == wish for face in faces)


def _sorted(hand: Collection[int]) -> _Sorted:
    cards: dict[int, tuple[int, ...]] = {}
    for face in sorted(hand):
        number = card_rules.NUMBERS[face]
        if number:
            cards[number] = (*cards.get(number, ()), face)
    return _Sorted(cards, card_rules.PHOENIX in hand)


def _singles(
    hand: Collection[int], known: _Sorted, under: combinations.Combination | None
) -> Iterator[Play]:
    least = 0 if under is None else under.strength
    for number, faces in known.cards.items():
        if 2 * number > least:
            made = combinations.Combination(combinations.Shape.SINGLE, 1, 2 * number)
            yield Play(made, faces[:1])
    for face in (card_rules.DOG, card_rules.PHOENIX, card_rules.DRAGON):
        if face in hand:
            yield Play(combinations.combination((face,), 0, under), (face,))


def _several(
    kind: combinations.Shape, size: int, hand: _Sorted, above: int = 0
) -> Iterator[Play]:
    """Return the plays of a kind that is neither a single card nor a bomb.

    above: runs end above this number; other plays may be weaker.
    """
    match kind:
        case combinations.Shape.PAIR | combinations.Shape.TRIPLE:
            return _alike(kind, size, hand)
        case combinations.Shape.FULL_HOUSE:
            return _full_houses(hand)
        case combinations.Shape.STAIRS:
            return _runs(kind, size // 2, 2, hand, above)
        case combinations.Shape.STRAIGHT:
            return _runs(kind, size, 1, hand, above)
        case _:
            return iter(())


def _group(hand: _Sorted, number: int, size: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield cards of one number, without and with the Phoenix, and what it stands for."""
    faces = hand.cards[number]
    if len(faces) >= size:
        yield faces[:size], 0
    if hand.phoenix and len(faces) >= size - 1 and number >= card_rules.LOWEST:
        yield (*faces[: size - 1], card_rules.PHOENIX), number


def _alike(kind: combinations.Shape, size: int, hand: _Sorted) -> Iterator[Play]:
    for number in hand.cards:
        for faces, wild in _group(hand, number, size):
            yield Play(combinations.Combination(kind, size, 2 * number), faces, wild)


def _full_houses(hand: _Sorted) -> Iterator[Play]:
    for number in hand.cards:
        for triple, wild in _group(hand, number, 3):
            rest = hand._replace(phoenix=hand.phoenix and not wild)
            for other in hand.cards.keys() - {number}:
                for pair, named in _group(rest, other, 2):
                    made = combinations.Combination(
                        combinations.Shape.FULL_HOUSE, 5, 2 * number
                    )
                    yield Play(made, (*triple, *pair), wild or named)


def _runs(
    kind: combinations.Shape, length: int, copies: int, hand: _Sorted, above: int
) -> Iterator[Play]:
    """Yield ``length`` numbers in a row, ``copies`` cards of each, that end above ``above``."""
    cards = hand.cards
    for low in range(max(1, above + 2 - length), card_rules.ACE + 2 - length):
        numbers = range(low, low + length)
        made = combinations.Combination(kind, length * copies, 2 * numbers[-1])
        short = [number for number in numbers if len(cards.get(number, ())) < copies]
        if not short:
            faces = _of_suits([cards[number] for number in numbers], copies)
            if faces:
                yield Play(made, faces)
        if not hand.phoenix or len(short) > 1:
            continue
        for wild in short or numbers:
            if wild >= card_rules.LOWEST and len(cards.get(wild, ())) >= copies - 1:
                laid = (
                    face
                    for number in numbers
                    for face in cards.get(number, ())[: copies - (number == wild)]
                )
                yield Play(made, (*laid, card_rules.PHOENIX), wild)


def _of_suits(groups: list[tuple[int, ...]], copies: int) -> tuple[int, ...]:
    """Return ``copies`` cards of each number; () for cards that can only be a bomb."""
    faces = [face for group in groups for face in group[:copies]]
    if not combinations.is_one_suit(faces):
        return tuple(faces)
    spare = next((group for group in groups if len(group) > 1), None)
    if spare is None:
        return ()
    faces[groups.index(spare)] = spare[1]
    return tuple(faces)


def _bombs(cards: dict[int, tuple[int, ...]]) -> Iterator[Play]:
    for number, faces in cards.items():
        if len(faces) == 4:
            yield Play(combinations.Combination(combinations.Shape.FOUR, 4, 2 * number), faces)
    if len(cards) < combinations.SHORTEST:
        return
    run: tuple[int, ...] = ()
    for face in sorted(itertools.chain(*cards.values())):  # suit after suit, ascending
        follows = (
            run and face == run[-1] + 1 and card_rules.SUITS[face] == card_rules.SUITS[run[0]]
        )
        run = (*run, face) if follows else (face,)
        for size in range(combinations.SHORTEST, len(run) + 1):
            made = combinations.Combination(
                combinations.Shape.FLUSH, size, 2 * card_rules.NUMBERS[face]
            )
            yield Play(made, run[-size:])
