"""Why the last round gave what it gave, card by card."""

from matcha_p2p.console import captions, words
from matcha_p2p.console.words import TOKENS, card_words
from matcha_p2p.rules.cards import DEMANDS, Demand, Face, Token, beats, matches
from matcha_p2p.rules.game import Game
from matcha_p2p.rules.moves import Seat
from matcha_p2p.rules.notation import MATS
from matcha_p2p.rules.record import Resolution


def explain(game: Game | None, seat: Seat, name: str) -> tuple[str, ...]:
    """Return the reasons of the last round that was resolved, to ``seat``.

    name: of the other player.
    """
    played = [each for each in (game.rounds if game else ()) if each.resolutions]
    if game is None or not played:
        return (captions.WHY_NOTHING,)
    told: list[str] = []
    for resolution in played[-1].resolutions:
        shown = game.table[resolution.mat]
        told += [
            _asks(resolution.mat, shown),
            *_reasons(resolution, shown, seat, name),
            *_gains(resolution, seat, name),
            "",
        ]
    return (*told, captions.WHY_KIND)


def _asks(mat: int, shown: Face) -> str:
    if DEMANDS[mat] is Demand.NUMBER:
        asked = captions.WHY_NUMBER.format(number=shown.number)
    else:
        asked = captions.WHY_SUIT.format(suit=_suit(shown))
    return captions.WHY_ASKS.format(mat=MATS[mat], card=card_words(shown), asked=asked)


def _reasons(resolution: Resolution, shown: Face, seat: Seat, name: str) -> list[str]:
    mine, theirs = resolution.cards[seat], resolution.cards[1 - seat]
    if mine is None or theirs is None:
        return [_alone(resolution, seat, name)]
    demand = DEMANDS[resolution.mat]
    cards = {"mine": card_words(mine), "theirs": card_words(theirs), "name": name}
    match matches(demand, shown, mine), matches(demand, shown, theirs):
        case True, True:
            better, worse = (mine, theirs) if beats(demand, mine, theirs) else (theirs, mine)
            return [captions.WHY_BOTH.format(**cards), _compared(demand, better, worse)]
        case True, False:
            return [captions.WHY_YOURS.format(**cards)]
        case False, True:
            return [captions.WHY_THEIRS.format(**cards)]
        case _:
            return [captions.WHY_NEITHER.format(**cards)]


def _alone(resolution: Resolution, seat: Seat, name: str) -> str:
    if resolution.slots[seat] is not None:
        return captions.WHY_ALONE_YOURS
    if resolution.slots[1 - seat] is not None:
        return captions.WHY_ALONE_THEIRS.format(name=name)
    return captions.WHY_EMPTY


def _compared(demand: Demand, better: Face, worse: Face) -> str:
    if demand is Demand.NUMBER:
        return captions.WHY_SUITS.format(better=_suit(better), worse=_suit(worse))
    return captions.WHY_NUMBERS.format(better=better.number, worse=worse.number)


def _gains(resolution: Resolution, seat: Seat, name: str) -> list[str]:
    told: list[str] = []
    match resolution.gain[seat]:
        case Token() as token:
            told.append(words.GAIN_YOURS.format(token=TOKENS[token]))
        case None:
            pass
    match resolution.gain[1 - seat]:
        case Token() as token:
            told.append(words.GAIN_THEIRS.format(name=name, token=TOKENS[token]))
        case None:
            pass
    return told or [words.GAIN_NOBODY]


def _suit(face: Face) -> str:
    """Return the suit in words; a zero has none, and never gets here."""
    return words.ZERO if face.suit is None else TOKENS[face.suit]
