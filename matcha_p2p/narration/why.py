"""Why the last round gave what it gave, card by card."""

from matcha_p2p.narration import captions, words
from matcha_p2p.narration.words import ONE_TOKEN, TOKENS, card_words
from matcha_p2p.rules.cards import DEMANDS, Demand, Face, Token, beats, matches
from matcha_p2p.rules.game import Game
from matcha_p2p.rules.history import Resolution
from matcha_p2p.rules.moves import Seat
from matcha_p2p.rules.notation import MATS


def explain(game: Game | None, seat: Seat, name: str) -> tuple[str, ...]:
    """Return the reasons of the last round that was resolved, to ``seat``.

    name: of the other player.
    """
    played = [each for each in (game.rounds if game else ()) if each.resolutions]
    if game is None or not played:
        return (captions.WHY_NOTHING(),)
    told: list[str] = []
    for resolution in played[-1].resolutions:
        told += [*explain_mat(resolution, game.table[resolution.mat], seat, name), ""]
    return (*told, captions.WHY_KIND())


def explain_mat(resolution: Resolution, shown: Face, seat: Seat, name: str) -> tuple[str, ...]:
    """Return why the mat that shows ``shown`` gave what it gave, to ``seat``."""
    return (
        asks(resolution.mat, shown),
        *_reasons(resolution, shown, seat, name),
        *_gains(resolution, seat, name),
    )


def asks(mat: int, shown: Face) -> str:
    """Return what ``mat``, which shows ``shown``, asks for."""
    if DEMANDS[mat] is Demand.NUMBER:
        return captions.WHY_NUMBER(mat=MATS[mat], card=card_words(shown), number=shown.number)
    return captions.WHY_SUIT(mat=MATS[mat], card=card_words(shown), suit=_suit(shown))


def _reasons(resolution: Resolution, shown: Face, seat: Seat, name: str) -> list[str]:
    mine, theirs = resolution.cards[seat], resolution.cards[1 - seat]
    if mine is None or theirs is None:
        return [_alone(resolution, seat, name)]
    demand = DEMANDS[resolution.mat]
    cards = {"mine": card_words(mine), "theirs": card_words(theirs), "name": name}
    match matches(demand, shown, mine), matches(demand, shown, theirs):
        case True, True:
            better, worse = (mine, theirs) if beats(demand, mine, theirs) else (theirs, mine)
            return [captions.WHY_BOTH(**cards), compared(demand, better, worse)]
        case True, False:
            return [captions.WHY_YOURS(**cards)]
        case False, True:
            return [captions.WHY_THEIRS(**cards)]
        case _:
            return [captions.WHY_NEITHER(**cards)]


def _alone(resolution: Resolution, seat: Seat, name: str) -> str:
    if resolution.slots[seat] is not None:
        return captions.WHY_ALONE_YOURS()
    if resolution.slots[1 - seat] is not None:
        return captions.WHY_ALONE_THEIRS(name=name)
    return captions.WHY_EMPTY()


def compared(demand: Demand, better: Face, worse: Face) -> str:
    """Return which of two cards that match wins, and by what."""
    if demand is Demand.NUMBER:
        return captions.WHY_SUITS(better=_suit(better), worse=_suit(worse))
    return captions.WHY_NUMBERS(better=better.number, worse=worse.number)


def _gains(resolution: Resolution, seat: Seat, name: str) -> list[str]:
    told: list[str] = []
    match resolution.gain[seat]:
        case Token() as token:
            told.append(words.GAIN_YOURS(token=ONE_TOKEN[token]()))
        case None:
            pass
    match resolution.gain[1 - seat]:
        case Token() as token:
            told.append(words.GAIN_THEIRS(name=name, token=ONE_TOKEN[token]()))
        case None:
            pass
    return told or [words.GAIN_NOBODY()]


def _suit(face: Face) -> str:
    """Return the suit in words; a zero has none, and never gets here."""
    return words.ZERO() if face.suit is None else TOKENS[face.suit]()
