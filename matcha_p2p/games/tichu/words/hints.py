"""The hint in practice: the best answers, their points, and the reasons.

The bots are imported with this file, so a front end imports it when a hint is asked for.
"""

from typing import Final

from matcha_p2p.games.tichu.bots.club import unseen
from matcha_p2p.games.tichu.bots.hand import split
from matcha_p2p.games.tichu.bots.judgement import JudgedMove, Judgement
from matcha_p2p.games.tichu.rules import actions
from matcha_p2p.games.tichu.rules.cards import TEXTS
from matcha_p2p.games.tichu.rules.combinations import combination
from matcha_p2p.games.tichu.rules.moves import plays
from matcha_p2p.games.tichu.rules.observation import Observation
from matcha_p2p.games.tichu.rules.round import seat_after
from matcha_p2p.games.tichu.words.analysis_sentences import HOLDING, PASSING
from matcha_p2p.games.tichu.words.card_words import ONE, play_words
from matcha_p2p.games.tichu.words.seat_words import Around
from matcha_p2p.language import Counted, Sentence

SHOWN: Final = 3
"""How many answers are told."""

JUDGED: Final = Sentence("{number}. {answer}: {points:+.0f} points. {why}")
OUT: Final = Sentence("Your last cards.")
SAFE: Final = Counted(
    "Nobody can beat it; {count} play is left then.",
    "Nobody can beat it; {count} plays are left then.",
)
LEFT: Final = Counted("{count} play is left then.", "{count} plays are left then.")
KEPT: Final = Counted("You still need {count} play.", "You still need {count} plays.")
PARTNER: Final = Sentence("The trick is your partner's so far.")
WISHING: Final = Sentence("{play} with a wish for {card}")
CLOSE: Final = Sentence(
    "Answer 1 stays the advice: the figures are too rough to prefer another."
)
GIVE: Final = Sentence("Give {first} to {left}, {second} to {partner} and {third} to {right}.")
GIFTS: Final = Sentence(
    "Your hand can spare these cards: low ones for the opponents, a higher one for your "
    "partner if there is one."
)
TRICK: Final = Sentence("Give the trick to {name}.")
GRAND: Final = Sentence(
    "Eight cards are worth the risk only with most of the aces, the Dragon and the Phoenix."
)


def reasons(seen: Observation, judgement: Judgement, around: Around) -> tuple[str, ...]:
    """Return the best answers with their points, or the reason of an unjudged answer.

    The points are those by which the own team wins the round, on average. around: the names of
    the other seats. Gifts are told by name, before their reason.
    """
    best, *others = judgement.moves
    if best.points is None or not others:
        told = (_giving(seen, best.move, around), _why(seen, best.move))
        return tuple(sentence for sentence in told if sentence)
    others.sort(key=lambda judged: -(judged.points or 0.0))
    shown = (best, *others[: SHOWN - 1])
    judged = tuple(_judged(seen, number, it) for number, it in enumerate(shown, 1))
    is_close = (others[0].points or 0.0) > best.points
    return (*judged, CLOSE()) if is_close else judged


def _giving(seen: Observation, move: actions.TichuMove, around: Around) -> str:
    """Return the sentence that names the receivers of gifts, or of a trick; else ""."""
    match move:
        case actions.GiveCards(places):
            third, second, first = (TEXTS[seen.held[place]] for place in places)
            return GIVE(first=first, second=second, third=third, **around._asdict())
        case actions.GiveTrick(receiver):
            is_next = receiver == seat_after(seen.seat)
            return TRICK(name=around.right if is_next else around.left)
        case _:
            return ""


def _judged(seen: Observation, number: int, judged: JudgedMove) -> str:
    answer, why = _answer(seen, judged.move), _why(seen, judged.move)
    return JUDGED(number=number, answer=answer, points=judged.points, why=why)


def _answer(seen: Observation, move: actions.TichuMove) -> str:
    match move:
        case actions.Lay(places, wild, wish):
            play = play_words([seen.held[place] for place in places], wild)
            return WISHING(play=play, card=ONE[wish]()) if wish else play
        case _:
            return HOLDING() if isinstance(move, actions.Hold) else PASSING()


def _why(seen: Observation, move: actions.TichuMove) -> str:
    """Return the reason for ``move``, or "" where a call is asked for."""
    match move:
        case actions.Lay():
            return _laying(seen, move)
        case actions.GiveCards():
            return GIFTS()
        case actions.AnswerGrand():
            return GRAND()
        case _ if seen.state.under is None or isinstance(move, actions.GiveTrick):
            return ""
        case _ if seen.state.last == seat_after(seen.seat, 2):
            return PARTNER()
        case _:
            return KEPT(len(split(seen.held.values())))


def _laying(seen: Observation, lay: actions.Lay) -> str:
    """Say whether others can beat the play, and how many plays the rest of the hand needs."""
    left = [face for place, face in seen.held.items() if place not in lay.places]
    if not left:
        return OUT()
    faces = [seen.held[place] for place in lay.places]
    made = combination(faces, lay.wild, seen.state.under)
    beaten = plays(unseen(seen), made)
    return (LEFT if beaten else SAFE)(len(split(left)))
