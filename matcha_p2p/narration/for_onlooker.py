"""A game put into sentences for who looks on: both players go by their names."""

from collections.abc import Sequence
from typing import TypeAlias

from matcha_p2p.machine.events import (
    Event,
    GameEnded,
    HandsDealt,
    Kept,
    Met,
    Passed,
    Placed,
    RoundResolved,
    Shuffled,
    TableLaid,
)
from matcha_p2p.machine.table import SEATS
from matcha_p2p.narration import captions, for_player, onlooker_words, words
from matcha_p2p.narration.why import asks, compared
from matcha_p2p.narration.words import (
    ONE_TOKEN,
    card_words,
    numbered,
    round_words,
    tokens_words,
)
from matcha_p2p.rules.cards import DEMANDS, Face, beats, matches
from matcha_p2p.rules.game import Game
from matcha_p2p.rules.history import Resolution, Round, slot_at
from matcha_p2p.rules.moves import Seat
from matcha_p2p.rules.notation import MATS

Names: TypeAlias = tuple[str, str]

Hands: TypeAlias = tuple[tuple[Face, ...], tuple[Face, ...]]
"""By seat its five cards by slot, or () where they are not dealt, or not to be seen."""


def tell(event: Event, game: Game, names: Names, hands: Hands) -> list[str]:
    """Return what has happened, a fact a line; ``game`` is the one after it."""
    match event:
        case TableLaid():
            return _tell_table(event, names)
        case HandsDealt():
            return [onlooker_words.DEALT(), *_tell_hands(names, hands)]
        case Placed(seat, mat):
            return [_tell_placed(seat, mat, game, names, hands)]
        case Passed(seat, auto):
            passed = words.PASSED_AUTO if auto else words.PASSED
            return [passed(name=names[seat])]
        case RoundResolved(played):
            return _tell_round(played, game, names)
        case Kept(counts):
            return [_tell_kept(seat, counts[seat], game, names, hands) for seat in SEATS]
        case GameEnded():
            return [_tell_end(event, names)]
        case Met() | Shuffled():
            return []


def _tell_table(laid: TableLaid, names: Names) -> list[str]:
    lines = [words.SET(number=laid.number, name=names[laid.dealer])]
    if laid.zeros_met:
        lines.append(words.ZEROS_MET[laid.zeros_met]())
    rounds = (1, 2, 3)
    return lines + [round_words(words.MATS_OF_ROUND, number, laid.table) for number in rounds]


def _tell_hands(names: Names, hands: Hands) -> list[str]:
    return [
        onlooker_words.HAND(name=name, cards=numbered(enumerate(hand)))
        for name, hand in zip(names, hands, strict=True)
        if hand
    ]


def _tell_placed(seat: Seat, mat: int, game: Game, names: Names, hands: Hands) -> str:
    slot = slot_at(game.rounds[mat // 2].turns, seat, mat)
    if slot is None or not hands[seat]:
        return words.SEALED(name=names[seat], mat=MATS[mat])
    card = card_words(hands[seat][slot])
    return onlooker_words.SEALED(name=names[seat], card=card, mat=MATS[mat])


def _tell_round(played: Round, game: Game, names: Names) -> list[str]:
    lines = [
        sentence
        for resolution in played.resolutions
        for sentence in _tell_mat(resolution, game.table[resolution.mat], names)
    ]
    for seat in SEATS:
        tokens = tokens_words(played.tokens[seat])
        lines.append(onlooker_words.HOLDS(name=names[seat], tokens=tokens))
    if game.rounds[-1].number > played.number:
        lines.append(round_words(words.NEXT_ROUND, played.number + 1, game.table))
    return lines


def _tell_mat(resolution: Resolution, shown: Face, names: Names) -> list[str]:
    mat = MATS[resolution.mat]
    first, second = resolution.cards
    if first is not None and second is not None:
        opened = onlooker_words.OPENED(
            mat=mat,
            card=card_words(shown),
            first=names[0],
            one=card_words(first),
            second=names[1],
            two=card_words(second),
        )
        return [opened, *_tell_gains(resolution, names)]
    alone = [
        words.UNOPENED_THEIRS(mat=mat, name=name, token=ONE_TOKEN[token]())
        for name, token in zip(names, resolution.gain, strict=True)
        if token is not None
    ]
    return alone or [words.EMPTY(mat=mat)]


def _tell_gains(resolution: Resolution, names: Names) -> list[str]:
    gains = [
        words.GAIN_THEIRS(name=name, token=ONE_TOKEN[token]())
        for name, token in zip(names, resolution.gain, strict=True)
        if token is not None
    ]
    return gains or [words.GAIN_NOBODY()]


def _tell_kept(seat: Seat, count: int, game: Game, names: Names, hands: Hands) -> str:
    if not (count and hands[seat]):
        return onlooker_words.KEEPS(count, name=names[seat])
    kept = ((slot, hands[seat][slot]) for slot in sorted(game.hands[seat]))
    return onlooker_words.KEPT(name=names[seat], cards=numbered(kept))


def _tell_end(end: GameEnded, names: Names) -> str:
    winner = end.ended.winner
    if winner is None:
        return words.DRAW()
    why = for_player.reason(end.ended.how, winner, end.tokens, winner, names[1 - winner])
    return words.THEY_WIN(name=names[winner], why=why)


def explain(game: Game, names: Names) -> tuple[str, ...]:
    """Return the reasons of the last round that was resolved."""
    played = [each for each in game.rounds if each.resolutions]
    if not played:
        return (captions.WHY_NOTHING(),)
    told: list[str] = []
    for resolution in played[-1].resolutions:
        shown = game.table[resolution.mat]
        told += [
            asks(resolution.mat, shown),
            *_reasons(resolution, shown, names),
            *_tell_gains(resolution, names),
            "",
        ]
    return (*told, captions.WHY_KIND())


def _reasons(resolution: Resolution, shown: Face, names: Names) -> Sequence[str]:
    first, second = resolution.cards
    if first is None or second is None:
        return _alone(resolution, names)
    demand = DEMANDS[resolution.mat]
    one, two = card_words(first), card_words(second)
    match matches(demand, shown, first), matches(demand, shown, second):
        case True, True:
            better, worse = (first, second) if beats(demand, first, second) else (second, first)
            both = onlooker_words.WHY_BOTH(first=names[0], one=one, second=names[1], two=two)
            return both, compared(demand, better, worse)
        case True, False:
            return (onlooker_words.WHY_ONE(name=names[0], card=one, other=names[1], shown=two),)
        case False, True:
            return (onlooker_words.WHY_ONE(name=names[1], card=two, other=names[0], shown=one),)
        case _:
            return (
                onlooker_words.WHY_NEITHER(first=names[0], one=one, second=names[1], two=two),
            )


def _alone(resolution: Resolution, names: Names) -> Sequence[str]:
    laid = [
        captions.WHY_ALONE_THEIRS(name=name)
        for name, slot in zip(names, resolution.slots, strict=True)
        if slot is not None
    ]
    return laid or (captions.WHY_EMPTY(),)
