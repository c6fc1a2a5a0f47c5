"""Typed answers: cards, combinations, and all other answers of a seat.

Cards are 7r or 7: r, g, b, s are the suits, and 2 to 9, T or 10, J, Q, K, A the numbers. M is
the Mah Jong, H the Dog, P the Phoenix, P7 the Phoenix as a seven, D the Dragon; the marks of
the table do as well. Without a suit any card of the number is meant. Gaps between cards may be
left out. A suit before its number is understood too, K for the black suit: R7, K7.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, product
from typing import Final, NamedTuple

from matcha_p2p.games.tichu.rules import actions
from matcha_p2p.games.tichu.rules import round as rules
from matcha_p2p.games.tichu.rules.cards import ACE, LOWEST, NUMBERS, PHOENIX, TEXTS
from matcha_p2p.games.tichu.rules.combinations import (
    DRAGON_ALONE,
    Combination,
    combination,
)
from matcha_p2p.games.tichu.rules.moves import check_duty, plays
from matcha_p2p.games.tichu.rules.notation import RANKS, text_of
from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.rules.refused import RefusedError
from matcha_p2p.games.tichu.words.card_words import rank_text, spelt, typed
from matcha_p2p.language import Sentence

NOT_HELD: Final = Sentence("You do not hold all these cards.")

_CARD: Final = re.compile("[2-9TJQKA][RGBS]|[RGBSKP][2-9TJQKA]|[2-9TJQKAMHPD]")
_SUITS: Final = "RGBS"


class CardsRead(NamedTuple):
    """The possible meanings of typed cards.

    lays: the legal plays with these cards. refused: the reason if ``lays`` is empty, else None.
    """

    lays: tuple[actions.Lay, ...]
    refused: RefusedError | None


class _Reading(NamedTuple):
    """A reading of typed cards. cards: their faces, -7 for any seven. wild: 7 for P7."""

    cards: tuple[int, ...]
    wild: int


def reads_as_cards(text: str) -> bool:
    """Tell whether ``text`` names cards only."""
    text = _plain(text).strip()
    ends = {0}  # of the cards so far
    for at in range(len(text)):
        if at in ends:
            cards = [size for size in (1, 2) if _CARD.fullmatch(text[at : at + size])]
            ends |= {at + size for size in cards}
            ends |= {at + 1} if text[at] == " " else set()
    return bool(text) and len(text) in ends


def read_number(text: str) -> int | None:
    """Return the number from 2 to 14 that is typed, or None."""
    return RANKS.get(_plain(text))


def read_gifts(text: str, held: Mapping[int, int]) -> tuple[int, int, int] | None:
    """Return the places of the three cards that are typed, in that order.

    held: the faces by place. None: these are not three cards of the hand.
    """
    for reading in _readings(text, held):
        places: list[int] = []
        for card in reading.cards:
            places += [
                place
                for place, face in held.items()
                if place not in places and card in (face, -NUMBERS[face] or face)
            ][:1]
        if len(places) == len(reading.cards) == 3 and not reading.wild:
            return places[0], places[1], places[2]
    return None


def read_lays(text: str, seen: Observation) -> CardsRead:
    """Return the plays that typed cards can be, where ``seen`` is asked.

    Of cards that serve alike those are laid that leave most bombs in hand.
    """
    chosen = [
        (places, wild)
        for cards, wild in _readings(text, seen.held)
        for places in _selections(cards, seen.held)
    ]
    return _judged_all(chosen, seen)


def marked_lays(places: Sequence[int], seen: Observation) -> CardsRead:
    """Return the plays that the cards at ``places`` can be, where ``seen`` is asked."""
    return _judged_all([(tuple(places), 0)], seen)


def _judged_all(chosen: Iterable[tuple[tuple[int, ...], int]], seen: Observation) -> CardsRead:
    found: dict[Combination, tuple[int, actions.Lay]] = {}
    refusals = [RefusedError("T7", NOT_HELD)]
    for places, wild in chosen:
        for named in _wilds(places, wild, seen.held):
            try:
                made = _judged(seen, places, named)
            except RefusedError as refused:
                refusals.append(refused)
                continue
            left = _bombs_left(seen.held, places)
            if made not in found or left > found[made][0]:
                found[made] = left, actions.Lay(tuple(sorted(places)), named)
    lays = tuple(lay for _, lay in found.values())
    return CardsRead(lays, None if lays else max(refusals, key=_depth))


def _depth(refused: RefusedError) -> int:
    """Return how far the judgement came before a rule refused."""
    return {"T7": 0, "T14": 1, "T17": 1}.get(refused.rule, 2)


def _judged(seen: Observation, places: Sequence[int], wild: int) -> Combination:
    """Return what the cards at ``places`` are, if they may be laid now.

    Raises:
        RefusedError: with the first rule that forbids it.
    """
    faces = [seen.held[place] for place in places]
    rules.play(seen.state, seen.seat, dict(zip(places, faces, strict=True)), wild)
    check_duty(seen.state, seen.held.values(), faces)
    return combination(faces, wild, seen.state.under)


def _bombs_left(held: Mapping[int, int], places: Collection[int]) -> int:
    left = [face for place, face in held.items() if place not in places]
    return sum(play.made.is_bomb for play in plays(left, DRAGON_ALONE))


def _wilds(places: Sequence[int], wild: int, held: Mapping[int, int]) -> Iterable[int]:
    """Return what the Phoenix may stand for among the cards at ``places``."""
    free = not wild and len(places) > 1 and any(held[p] == PHOENIX for p in places)
    return range(LOWEST, ACE + 1) if free else (wild,)


def _selections(cards: tuple[int, ...], held: Mapping[int, int]) -> Iterator[tuple[int, ...]]:
    """Yield the places that ``cards`` of a reading can be."""
    places = {face: place for place, face in held.items()}
    faces = [card for card in cards if card >= 0]
    free = [face for face in sorted(places) if face not in faces]
    groups = [
        combinations([places[face] for face in free if NUMBERS[face] == -card], count)
        for card, count in Counter(cards).items()
        if card < 0
    ]
    for chosen in product(*groups):
        yield (*(places[face] for face in faces), *chain.from_iterable(chosen))


def _plain(text: str) -> str:
    return typed(text).replace(",", " ")


def _readings(text: str, held: Mapping[int, int]) -> Iterator[_Reading]:
    """Yield ``text`` as cards of the hand, in each way: KK is two kings, or one of swords."""
    left = Counter(key for face in held.values() for key in _keys(face))
    for texts in filter(None, _cuts(_plain(text).lstrip(), left)):
        wilds = [RANKS[card[1]] for card in texts if card[0] == "P" and card[1:]]
        yield _Reading(tuple(map(_card, texts)), sum(wilds))


def _cuts(text: str, left: Counter[int]) -> Iterator[tuple[str, ...]]:
    """Yield the ways to cut ``text`` into cards of a hand.

    left: how often each card of the hand, and each number as -7, can still be named. A cut ends
    where the hand lacks a card, so letters without end have few cuts.
    """
    if not text:
        yield ()
    for size in range(1, 1 + min(2, len(text))):
        if _CARD.fullmatch(text[:size]):
            keys = _keys(_card(text[:size]))
            if all(left[key] for key in keys):
                rest = _cuts(text[size:].lstrip(), left - Counter(keys))
                yield from ((text[:size], *cards) for cards in rest)


def _keys(card: int) -> set[int]:
    """Return what a card of a reading takes from the hand: itself, and one of its number."""
    return {card, -NUMBERS[card] or card} if card >= 0 else {card}


def _card(text: str) -> int:
    if text[0] == "P":
        return PHOENIX
    if text in TEXTS:
        return TEXTS.index(text)
    if len(text) == 1:
        return -RANKS[text]
    suit, rank = sorted(text, key=lambda letter: letter not in _SUITS)
    return 13 * _SUITS.index(suit) + RANKS[rank] - LOWEST


def typed_answer(seen: Observation, move: actions.TichuMove) -> str:
    """Return ``move`` of the seat as it is typed, cards by rank and the letter of the suit."""
    return " ".join(map(_typed_word, text_of(seen, move).split()))


def _typed_word(word: str) -> str:
    """Return a word of a move; the plain form of a card has its suit first, and T for ten."""
    if word in RANKS:
        return rank_text(RANKS[word])
    if word[0] == "P" and word[1:] in RANKS:
        return f"P{rank_text(RANKS[word[1:]])}"
    return spelt(TEXTS.index(word), _LETTERS) if word in TEXTS else word


_LETTERS: Final = "r g b s M H P D"
