"""The hint in practice: the best answers, their points, and the reasons.

The bots are imported with this file, so a front end imports it when a hint is asked for.
"""

import itertools
from collections.abc import Collection, Iterator
from typing import Final

from matcha_p2p.games.tichu.bots.club import gain, unseen
from matcha_p2p.games.tichu.bots.judgement import Judgement
from matcha_p2p.games.tichu.bots.solving.hand import cost_of, split
from matcha_p2p.games.tichu.bots.solving.policy import FEW
from matcha_p2p.games.tichu.rules import actions
from matcha_p2p.games.tichu.rules.cards import points
from matcha_p2p.games.tichu.rules.combinations import Combination, Shape, combination
from matcha_p2p.games.tichu.rules.moves import Play, legal_plays, plays
from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.rules.round import Ask, seat_after
from matcha_p2p.games.tichu.words import captions
from matcha_p2p.games.tichu.words.card_words import GAP, ONE, card_text, play_words, shape_words
from matcha_p2p.games.tichu.words.seat_words import Around
from matcha_p2p.language import Counted, Sentence

SHOWN: Final = 3
"""How many answers are told."""
_REASONS: Final = 2
"""How many reasons are told of an answer, the most telling first."""
_STRONG: Final = 600
"""A part that costs so much at most, in thousandths of a lead, often wins its trick."""
_LOW: Final = 9
"""The highest number of a card, or of a pair, that seldom wins a trick."""
_RICH: Final = 10
"""The points of a trick that is worth a reason."""

JUDGED: Final = Sentence("{number}. {answer}: about {points:+d} points. {why}")
AS_GOOD: Final = Sentence("{number}. {answer}: about as good. {why}")
OUT: Final = Sentence("Your last cards.")
SAFE: Final = Sentence("Nobody can beat it.")
STOPS: Final = Counted(
    "It stops {name}, who has {count} card left.",
    "It stops {name}, who has {count} cards left.",
)
STOPS_CALL: Final = Sentence("It stops {name}, who has called.")
TOO_FEW: Final = Counted(
    "{name} has {count} card left, too few to beat it.",
    "{name} has {count} cards left, too few to beat it.",
)
LEADS: Final = Sentence("{name} leads then.")
BREAKS: Final = Sentence("It breaks up {play}.")
WORTH: Final = Sentence("The trick has {points} points.")
KEEPS: Final = Sentence("It keeps {plays}.")
LOW: Final = Sentence("Low cards beat few others: a lead is the time for them.")
LEFT: Final = Counted("{count} play is left then.", "{count} plays are left then.")
BEATEN: Final = Sentence("Your cards do not beat it.")
SPARES: Final = Sentence("To beat it would break up {play}.")
KEPT: Final = Counted("You still need {count} play.", "You still need {count} plays.")
PARTNER: Final = Sentence("The trick is your partner's so far.")
PASSING: Final = Sentence("passing")
HOLDING: Final = Sentence("no bomb")
NO_GRAND: Final = Sentence("no Grand Tichu")
NO_CALL: Final = Sentence("no call")
WISHING: Final = Sentence("{play} with a wish for {card}")
GIVE: Final = Sentence("Give {first} to {left}, {second} to {partner} and {third} to {right}.")
GIFTS: Final = Sentence(
    "Your hand can spare these cards: low ones for the opponents, a higher one for your "
    "partner if there is one."
)
TRICK: Final = Sentence("Give the trick to {name}.")
FULLER: Final = Sentence(
    "{name} has more cards left, and whoever is last loses all tricks to the first."
)
GRAND: Final = Sentence(
    "Eight cards are worth the risk only with most of the aces, the Dragon and the Phoenix."
)
CALL: Final = Counted(
    "A call pays if you are out first more often than not. Your hand needs {count} play.",
    "A call pays if you are out first more often than not. Your hand needs {count} plays.",
)


def tens(points: float) -> int:
    """Return points as players read points: without the digits of chance."""
    return 10 * round(points / 10)


def reasons(seen: Observation, judgement: Judgement, around: Around) -> tuple[str, ...]:
    """Return the best answers with their points, or the reason of an unjudged answer.

    The points are those by which the own team wins the round, on average. An answer with a
    higher mean than the best gets its points: the difference may be chance. Equal points are
    told once. around: the names of the other seats. Gifts are named before their reason.
    """
    best, *others = judgement.moves
    if best.points is None or not others:
        told = (_giving(seen, best.move, around), why(seen, best.move, around))
        return tuple(sentence for sentence in told if sentence)
    others.sort(key=lambda judged: -(judged.points or 0.0))
    first = tens(best.points)
    lines: list[str] = []
    for number, it in enumerate((best, *others[: SHOWN - 1]), 1):
        found = tens(min(it.points or 0.0, best.points))
        sentence = AS_GOOD if lines and found == first else JUDGED
        answer, said = answer_words(seen, it.move), why(seen, it.move, around)
        lines.append(sentence(number=number, answer=answer, points=found, why=said))
    return tuple(lines)


def _giving(seen: Observation, move: actions.TichuMove, around: Around) -> str:
    """Return the sentence that names the receivers of gifts, or of a trick; else ""."""
    match move:
        case actions.GiveCards(places):
            third, second, first = (card_text(seen.held[place]) for place in places)
            return GIVE(first=first, second=second, third=third, **around._asdict())
        case actions.GiveTrick(receiver):
            return TRICK(name=_name(seen, receiver, around))
        case _:
            return ""


def _name(seen: Observation, seat: int, around: Around) -> str:
    return around[(seat - seen.seat) % 4 - 1]


def answer_words(seen: Observation, move: actions.TichuMove) -> str:
    """Return what an answer is, in words: a play, a pass, or a call that is made or not."""
    match move:
        case actions.AnswerGrand(called):
            return captions.CALLS_GRAND() if called else NO_GRAND()
        case _ if seen.asked is Ask.CALL:
            return captions.NAME() if actions.calls_tichu(move) else NO_CALL()
        case actions.Lay(places, wild, wish):
            play = play_words([seen.held[place] for place in places], wild)
            return WISHING(play=play, card=ONE[wish]()) if wish else play
        case _:
            return HOLDING() if isinstance(move, actions.Hold) else PASSING()


def why(seen: Observation, move: actions.TichuMove, around: Around) -> str:
    """Return the reasons for ``move``, or "" where a trick can be given to either."""
    hand = seen.held.values()
    match move:
        case actions.Lay():
            found = _reasons_to_lay(seen, move, around)
        case actions.GiveCards():
            found = iter((GIFTS(),))
        case actions.AnswerGrand():
            found = iter((GRAND(),))
        case actions.GiveTrick(receiver):
            other = seat_after(receiver, 2)
            held = seen.state.held
            fuller = len(held[receiver]) > len(held[other])
            found = iter((FULLER(name=_name(seen, receiver, around)),) if fuller else ())
        case _ if seen.asked is Ask.CALL:
            found = iter((CALL(len(split(hand))),))
        case _:
            found = _reasons_to_wait(seen)
    return " ".join(itertools.islice(found, _REASONS))


def _reasons_to_lay(seen: Observation, lay: actions.Lay, around: Around) -> Iterator[str]:
    """Yield whom a play stops, what it breaks, wins and keeps, and how many plays are left."""
    state, hand = seen.state, seen.held.values()
    left = [face for place, face in seen.held.items() if place not in lay.places]
    if not left:
        yield OUT()
        return
    faces = tuple(seen.held[place] for place in lay.places)
    made = combination(faces, lay.wild, state.under)
    partner = seat_after(seen.seat, 2)
    if made.kind is Shape.DOG:
        if state.held[partner]:
            yield LEADS(name=around.partner)
    else:
        yield from _dangers(seen, made, around)
        if not plays(unseen(seen), made):
            yield SAFE()
    broken = _broken(hand, Play(made, faces, lay.wild))
    if broken is not None:
        yield BREAKS(play=_shape(broken))
    if points(state.pile) >= _RICH:
        yield WORTH(points=points(state.pile))
    kept = _strongest(left)
    if kept:
        yield KEEPS(plays=GAP().join(map(_shape, kept)))
    low = made.kind in (Shape.SINGLE, Shape.PAIR) and made.strength <= 2 * _LOW
    if state.under is None and low:
        yield LOW()
    yield LEFT(len(split(left)))


def _reasons_to_wait(seen: Observation) -> Iterator[str]:
    """Yield why the seat passes, or lays no bomb: the partner, and what is spared."""
    state, hand = seen.state, seen.held.values()
    if state.last == seat_after(seen.seat, 2):
        yield PARTNER()
    best = max(legal_plays(state, hand), key=lambda play: gain(hand, play), default=None)
    if best is None:
        yield BEATEN()
    elif (broken := _broken(hand, best)) is not None:
        yield SPARES(play=_shape(broken))
    elif cost_of(best.made, best.faces) <= _STRONG:
        yield KEEPS(plays=_shape(best))
    yield KEPT(len(split(hand)))


def _dangers(seen: Observation, made: Combination, around: Around) -> Iterator[str]:
    """Yield which opponent a play stops, or leaves out: one with few cards, or a call."""
    state = seen.state
    for steps in (1, 3):
        seat = seat_after(seen.seat, steps)
        name, size = _name(seen, seat, around), len(state.held[seat])
        if state.under is None and 0 < size <= FEW and size < made.size:
            yield TOO_FEW(size, name=name)
        elif state.under is not None and state.last == seat:
            if 0 < size <= FEW:
                yield STOPS(size, name=name)
            elif state.calls[seat] and not state.out:
                yield STOPS_CALL(name=name)


def _broken(hand: Collection[int], play: Play) -> Play | None:
    """Return a part of a hand that another play takes cards of, if the plays stay as many."""
    parts, laid = split(hand), set(play.faces)
    if len(split(set(hand) - laid)) < len(parts):
        return None
    return next(
        (part for part in parts if laid & set(part.faces) and part.made != play.made), None
    )


def _strongest(hand: Collection[int]) -> list[Play]:
    """Return the parts of a hand that often win their trick, the best first, but only two."""
    parts = [(cost_of(part.made, part.faces), part) for part in split(hand)]
    strong = sorted((each for each in parts if each[0] <= _STRONG), key=lambda each: each[0])
    return [part for _, part in strong[:2]]


def _shape(play: Play) -> str:
    return shape_words(play.faces, play.wild)
