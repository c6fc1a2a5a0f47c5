"""The questions of Tichu that are lists; the hand itself is the list of the others."""

import enum
from typing import Final

from matcha_p2p.games.asking import NO, YES, ListedAnswer, Listing
from matcha_p2p.games.tichu.rules import actions
from matcha_p2p.games.tichu.rules.cards import ACE, LOWEST, MAH_JONG, PHOENIX
from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.rules.round import seat_after
from matcha_p2p.games.tichu.words import captions
from matcha_p2p.games.tichu.words.card_words import card_text, laid_text, play_words, rank_text
from matcha_p2p.games.tichu.words.seat_words import SeatWords

_KEYS: Final = "234567890JQKA"
"""The keys of the numbers, from the lowest to the ace."""


class CallAnswer(enum.Enum):
    """An answer about a call; Tichu is called with the next move."""

    CALLS = enum.auto()
    BACK = enum.auto()


def grand(back: object) -> Listing:
    """Ask for a yes before Grand Tichu is called."""
    return _sure(captions.GRAND_SURE(), actions.AnswerGrand(called=True), back)


def tichu(back: object) -> Listing:
    """Ask for a yes before Tichu is called."""
    return _sure(captions.TICHU_SURE(), CallAnswer.CALLS, back)


def _sure(asks: str, gives: object, back: object) -> Listing:
    options = (
        ListedAnswer("y", YES(), gives, "yes"),
        ListedAnswer("n", NO(), CallAnswer.BACK, "no"),
    )
    return Listing(asks, options, 0, back)


def laying(
    seen: Observation,
    lays: tuple[actions.Lay, ...],
    advised: actions.TichuMove | None,
    back: object,
    *,
    wished: bool = False,
) -> Listing | actions.Lay:
    """Return the play, or the question which of ``lays``, or for which wish.

    advised: the marked answer, if among ``lays``. wished: whether the wish is known.
    """
    given = [lay if wished else _wishing(seen, lay, back) for lay in lays]
    if len(given) == 1:
        return given[0]
    phoenix = card_text(PHOENIX)
    plays = [([seen.held[place] for place in lay.places], lay.wild) for lay in lays]
    options = tuple(
        ListedAnswer(
            str(number),
            f"{laid_text(faces, wild)} ({phoenix} {rank_text(wild)})",
            gives,
            line=play_words(faces, wild),
        )
        for number, ((faces, wild), gives) in enumerate(zip(plays, given, strict=True), 1)
    )
    at = lays.index(advised) if isinstance(advised, actions.Lay) and advised in lays else 0
    return Listing(captions.WHICH(), options, at, back)


def _wishing(seen: Observation, lay: actions.Lay, back: object) -> Listing | actions.Lay:
    """Return ``lay``, or the question about the wish if the Mah Jong is in it."""
    if MAH_JONG not in [seen.held[place] for place in lay.places]:
        return lay
    options = tuple(
        ListedAnswer(
            key,
            "10" if key == "0" else "",
            lay._replace(wish=number),
            f"wish {'10' if key == '0' else key.lower()}",
        )
        for number, key in enumerate(_KEYS, LOWEST)
    )
    none = ListedAnswer("-", captions.WISH_NONE(), lay._replace(wish=0), "none")
    at = lay.wish - LOWEST if lay.wish else ACE - LOWEST + 1
    return Listing(captions.WISH_FOR(), (*options, none), at, back)


def trick(words: SeatWords) -> Listing:
    """Ask who gets the trick of the Dragon: the seat before, or the next seat."""
    sides = ("1", "left", seat_after(words.seat, 3)), ("2", "right", seat_after(words.seat, 1))
    options = tuple(
        ListedAnswer(key, words.name_of(seat), actions.GiveTrick(seat), f"gift {side}")
        for key, side, seat in sides
    )
    return Listing(captions.GIVE_TRICK(), options)
