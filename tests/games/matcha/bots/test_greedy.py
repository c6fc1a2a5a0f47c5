"""Greedy's one quick loop gives what its rules say, worked out card by card."""

import pytest

from matcha_p2p.games.matcha.bots.arena import play_game
from matcha_p2p.games.matcha.bots.roster import BOTS
from matcha_p2p.games.matcha.bots.valuation.worth import worths
from matcha_p2p.games.matcha.rules.cards import DEMANDS, ZERO, Token, beats, matches
from matcha_p2p.games.matcha.rules.edition import EDITIONS
from matcha_p2p.games.matcha.rules.game import is_out
from matcha_p2p.games.matcha.rules.moves import Play
from matcha_p2p.games.matcha.rules.observation import unseen
from matcha_p2p.games.matcha.rules.phases import Keeping
from matcha_p2p.games.matcha.rules.seats import opposite

GREEDY, UNIFORM = BOTS["greedy"], BOTS["uniform"]


def presence(seen, mat):
    """Return how likely the opponent has a card at the mat in the end."""
    game, opponent = seen.game, opposite(seen.seat)
    running = game.rounds[-1]
    if mat // 2 == running.number - 1:
        if running.slot_at(opponent, mat) is not None:
            return 1.0
        if is_out(game.edition, running.turns, opponent):
            return 0.0
    return 0.8 if game.hands[opponent] else 0.0


def gain(seen, mat, card):
    """Return the gain of the card at the mat, against leaving the mat to the opponent."""
    game, demand, shown = seen.game, DEMANDS[mat], seen.game.table[mat]
    own = worths(game.edition, game.tokens[seen.seat])
    other = worths(game.edition, game.tokens[opposite(seen.seat)])
    hidden = unseen(seen)
    rivals = [it for it in hidden if it is not ZERO and matches(demand, shown, it)]
    matched = 1 - (1 - len(rivals) / len(hidden)) ** 3  # the best of three cards
    taken, given = own[shown.suit], other[shown.suit]
    if card is not ZERO and matches(demand, shown, card):
        lost = sum(beats(demand, it, card) for it in rivals) / max(1, len(rivals))
        against_match = (1 - lost) * taken - lost * given
        against_bluff = taken - other[Token.WHISK]
    else:
        against_match = own[Token.WHISK] - given
        against_bluff = 0.0
    contested = matched * against_match + (1 - matched) * against_bluff
    laid = presence(seen, mat)
    return laid * (contested + given) + (1 - laid) * taken


def score(seen, move):
    """Return the gain of a move now, less a part of the card's best gain in later rounds."""
    if not isinstance(move, Play):
        return 0.0
    card = seen.hand[move.slot]
    later = [gain(seen, mat, card) for mat in range(2 * seen.game.rounds[-1].number, 6)]
    return gain(seen, move.mat, card) - 0.2 * max(later, default=0.0)


class Compared:
    """Greedy; each move is compared with all legal moves."""

    name = "greedy"
    compared = 0

    def choose(self, seen, rng):
        move = GREEDY.choose(seen, rng)
        if not isinstance(seen.game.phase, Keeping):
            scores = {other: score(seen, other) for other in seen.legal_moves()}
            assert scores[move] == pytest.approx(max(scores.values()), abs=1e-9)
            self.compared += 1
        return move


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda edition: edition.name)
@pytest.mark.parametrize("opponent", [GREEDY, UNIFORM], ids=lambda bot: bot.name)
def test_every_move_is_the_best_by_its_rules(edition, opponent):
    bot = Compared()
    for seed in range(8):
        play_game(edition, (bot, opponent), seed)
    assert bot.compared > 50
