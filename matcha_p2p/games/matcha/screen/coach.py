"""The words of a hint: a good player's move, and its reason."""

from typing import Final, assert_never

from matcha_p2p.games.matcha.rules.cards import DEMANDS, Demand, matches
from matcha_p2p.games.matcha.rules.game import is_out
from matcha_p2p.games.matcha.rules.judgement import Judgement
from matcha_p2p.games.matcha.rules.moves import MATS_OF_ROUND, Keep, Move, Pass, Play
from matcha_p2p.games.matcha.rules.notation import MATS
from matcha_p2p.games.matcha.rules.observation import Observation, unseen
from matcha_p2p.games.matcha.rules.seats import opposite
from matcha_p2p.games.matcha.words.words import card_words
from matcha_p2p.language import Counted, Sentence
from matcha_p2p.narration.sentences import listed

LAY_NUMBER: Final = Sentence(
    "A good player would lay {card} on mat {mat}: it matches the number there."
)
LAY_SUIT: Final = Sentence(
    "A good player would lay {card} on mat {mat}: it matches the suit there."
)
LAY_ALONE: Final = Sentence("A good player would lay {card} on mat {mat}, to take it alone.")
LAY_BLUFF: Final = Sentence(
    "A good player would lay {card} on mat {mat}, as a bluff: if the other player lays no "
    "card there, you take the token."
)
LAY_WHISK: Final = Sentence(
    "A good player would lay {card} on mat {mat}: the card does not match, but you take a "
    "whisk if the other card does."
)
PASS_NOTHING: Final = Sentence("A good player would pass: nothing matches.")
PASS_SAVING: Final = Sentence("A good player would pass, to save cards for later rounds.")
PASS_POOR: Final = Sentence("A good player would pass: no card promises a gain here.")
KEEP_SOME: Final = Sentence("A good player would keep {cards}: these cards win most often.")
KEEP_NONE: Final = Sentence("A good player would keep no card: these cards rarely win.")
NEXT_BEST: Final = Sentence("This wins about {value:.0%}; {other}, {rival:.0%}.")
AS_GOOD: Final = Sentence("This wins about {value:.0%}; {other} is as good.")
OTHER_CARD: Final = Sentence("{card} on mat {mat}")
OTHER_PASS: Final = Sentence("passing")
UNSEEN: Final = Counted(
    "{count} of the {hidden} cards you have not seen matches there.",
    "{count} of the {hidden} cards you have not seen match there.",
)
UNSEEN_NONE: Final = Sentence("None of the {hidden} cards you have not seen matches there.")

GOING_BACK: Final = Sentence("Both copies of the game go back to your last decision.")


def explained(observation: Observation, judgement: Judgement) -> str:
    """Return the move of a good player, the reason, and its worth beside the next best move."""
    best = judgement.moves[0].move
    said = (reason(observation, best), _compared(observation, judgement))
    return " ".join(sentence for sentence in (*said, _unseen(observation, best)) if sentence)


def _compared(observation: Observation, judgement: Judgement) -> str:
    """Return the worth of the best move beside the next best, or "" without a next best."""
    best, *others = judgement.moves
    for other in others:
        words = _words(observation, other.move)
        if words == _words(observation, best.move):  # the other zero
            continue
        if best.is_like(other):
            return AS_GOOD(value=best.value, other=words)
        return NEXT_BEST(value=best.value, other=words, rival=other.value)
    return ""


def _words(observation: Observation, move: Move) -> str:
    match move:
        case Play(mat, slot):
            return OTHER_CARD(card=card_words(observation.hand[slot]), mat=MATS[mat])
        case _:
            return OTHER_PASS()


def _unseen(observation: Observation, move: Move) -> str:
    """Say how many of the hidden cards match at the mat of the move."""
    match move:
        case Play(mat):
            cards = unseen(observation)
            shown = observation.game.table[mat]
            matching = sum(matches(DEMANDS[mat], shown, card) for card in cards)
            if not matching:
                return UNSEEN_NONE(hidden=len(cards))
            return UNSEEN(matching, hidden=len(cards))
        case _:
            return ""


def reason(observation: Observation, move: Move) -> str:
    """Say that a good player would make ``move``, a legal move, and the reason."""
    match move:
        case Play():
            sentence = _laying(observation, move)
            card = card_words(observation.hand[move.slot])
            return sentence(card=card, mat=MATS[move.mat])
        case Pass():
            return _passing(observation)()
        case Keep(slots):
            cards = listed(card_words(observation.hand[slot]) for slot in sorted(slots))
            return KEEP_SOME(cards=cards) if slots else KEEP_NONE()
        case _:
            assert_never(move)


def _laying(observation: Observation, move: Play) -> Sentence:
    game, other = observation.game, opposite(observation.seat)
    running = game.rounds[-1]
    opposed = running.slot_at(other, move.mat) is not None
    if not opposed and (not game.hands[other] or is_out(game.edition, running.turns, other)):
        return LAY_ALONE
    if _matches(observation, move):
        return LAY_NUMBER if DEMANDS[move.mat] is Demand.NUMBER else LAY_SUIT
    return LAY_WHISK if opposed else LAY_BLUFF


def _passing(observation: Observation) -> Sentence:
    plays = [move for move in observation.legal_moves() if isinstance(move, Play)]
    if not any(_matches(observation, play) for play in plays):
        return PASS_NOTHING
    last = observation.game.rounds[-1].number == len(MATS_OF_ROUND)
    return PASS_POOR if last else PASS_SAVING


def _matches(observation: Observation, move: Play) -> bool:
    shown = observation.game.table[move.mat]
    return matches(DEMANDS[move.mat], shown, observation.hand[move.slot])
