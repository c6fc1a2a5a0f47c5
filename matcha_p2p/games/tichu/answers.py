"""What both front ends of a seat know of its answers."""

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from matcha_p2p.games.tichu.bots.judgement import Judgement
from matcha_p2p.games.tichu.lessons import pages
from matcha_p2p.games.tichu.rules.actions import Hold, Lay, TichuMove
from matcha_p2p.games.tichu.rules.moves import Play, legal_plays, plays
from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.rules.round import Ask, Round
from matcha_p2p.games.tichu.words.notation import marked_lays
from matcha_p2p.language import Sentence

Advise: TypeAlias = Callable[[Observation], Judgement]
"""Judges the answers as a good player does: the same when asked again."""

PAGES: Final[Mapping[str, Sentence]] = MappingProxyType(
    {
        "T10": pages.CALL,
        "T13": pages.FIRST,
        "T14": pages.KINDS,
        "T15": pages.DRAGON,
        "T16": pages.FOLLOW,
        "T17": pages.PHOENIX,
        "T18": pages.DOG,
        "T19": pages.MAH_JONG,
        "T21": pages.MAH_JONG,
        "T22": pages.FOLLOW,
        "T23": pages.BOMBS,
        "T24": pages.OUT_OF_TURN,
        "T27": pages.DRAGON,
    }
)
"""The page of the rules about each refusal, by the rule's number."""


def undecided(seen: Observation, *, calls: bool) -> TichuMove | None:
    """Return the only answer of the seat; None if the seat has to decide.

    calls: whether the next answer of the seat calls Tichu.
    """
    match seen.asked:
        case Ask.HOLD if _can_wait(seen.state) or not legal_plays(
            seen.state, seen.held.values()
        ):
            return Hold()
        case Ask.CALL if calls or not seen.may_call():
            return seen.legal_moves()[0]
        case _:
            return None


def bombs_of(hand: Collection[int]) -> list[Play]:
    """Return the bombs in a hand, the weakest first."""
    return [play for play in plays(hand) if play.made.is_bomb]


def armed_lay(seen: Observation, places: Collection[int]) -> Lay | None:
    """Return the bomb at ``places`` if it can be laid now, out of turn; else None.

    An armed bomb is meant for the plays of others.
    """
    own = seen.state.last == seen.seat
    if seen.asked is not Ask.HOLD or own or not seen.held.keys() >= {*places}:
        return None
    lays, _ = marked_lays(sorted(places), seen)
    return lays[0] if lays else None


def _can_wait(state: Round) -> bool:
    """Tell whether the asked seat could only bomb its own play, and will be asked again."""
    return state.last == state.speaker and any(ask is Ask.TURN for _, ask in state.asked)
