"""Each bot's moves by its observation."""

import random
from dataclasses import replace

import pytest

from matcha_p2p.games.matcha.bots import NAMES
from matcha_p2p.games.matcha.bots.arena import arena
from matcha_p2p.games.matcha.bots.expert import Expert
from matcha_p2p.games.matcha.bots.roster import BOTS
from matcha_p2p.games.matcha.bots.strong import Thinker
from matcha_p2p.games.matcha.bots.valuation.worth import worths
from matcha_p2p.games.matcha.rules.cards import Token
from matcha_p2p.games.matcha.rules.edition import EDITION_2015, EDITION_2020, EDITIONS
from matcha_p2p.games.matcha.rules.game import deal, new_game, place
from matcha_p2p.games.matcha.rules.moves import Play
from matcha_p2p.games.matcha.rules.notation import faces, move_text, parse_move
from matcha_p2p.games.matcha.rules.observation import observe
from matcha_p2p.games.matcha.rules.phases import How, Keeping, Placing
from matcha_p2p.games.matcha.rules.scoring import NO_TOKENS

UNIFORM, GREEDY = BOTS["uniform"], BOTS["greedy"]
TABLE = faces("T1 B2 W3 S4 T4 B1")


class Watched:
    """A bot with every answer checked."""

    def __init__(self, bot):
        self.name = bot.name
        self.bot = bot
        self.phases = set()

    def choose(self, observation, rng):
        move = self.bot.choose(observation, rng)
        assert move in observation.legal_moves()
        self.phases.add(type(observation.game.phase))
        return move


def quick(bot):
    """Return the bot; a Thinker searches little."""
    return replace(bot, iterations=20) if isinstance(bot, Thinker) else bot


def after(edition, text):
    game = deal(new_game(edition, 0), TABLE)
    for move in text.split():
        game = place(game, parse_move(move))
    return game


@pytest.mark.slow
@pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda edition: edition.name)
@pytest.mark.parametrize("name", BOTS)
def test_every_answer_is_legal(libraries, edition, name):
    bots = Watched(quick(BOTS[name])), Watched(UNIFORM)
    arena(edition, bots, range(2 if isinstance(bots[0].bot, Thinker | Expert) else 15), name)
    assert Placing in bots[0].phases
    assert (Keeping in bots[1].phases) == edition.keeps


def test_names_for_commands_are_the_names_of_the_bots():
    assert tuple(BOTS) == NAMES.names


def test_bots_are_known_by_name():
    assert all(name == bot.name for name, bot in BOTS.items())
    tempers = {name for names in NAMES.tempers.values() for name in names}
    assert set(BOTS) == {
        "uniform",
        "greedy",
        *NAMES.levels,
        *NAMES.stand_ins.values(),
        *tempers,
    }


def test_uniform_makes_every_move():
    seen = observe(after(EDITION_2020, "1a"), 1, faces("T3 B4 W2 S1 Z"))
    rng = random.Random(0)
    made = {UNIFORM.choose(seen, rng) for _ in range(300)}
    assert made == set(seen.legal_moves())


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda edition: edition.name)
def test_greedy_beats_uniform_clearly(edition):
    score = arena(edition, (GREEDY, UNIFORM), range(40), 7)
    assert score.interval[0] > 0.65


def test_both_meet_a_condition_together_often_in_good_play():
    """R19: about half of the games of 2015 are decided by the comparison."""
    score = arena(EDITION_2015, (GREEDY, GREEDY), range(30), 8)
    assert score.how[How.TIE_BREAK] > 0.3 * score.games


def test_greedy_takes_a_winning_move():
    """A further leaf is the fourth, and an unbeatable card is in the hand."""
    game = after(EDITION_2015, "")._replace(tokens=((3, 0, 0, 0, 0), NO_TOKENS))
    move = GREEDY.choose(observe(game, 0, faces("B3 B4 W2 W1 Z")), random.Random(0))
    assert isinstance(move, Play)
    assert move.mat == 0


def test_greedy_keeps_cards_that_outrank_many():
    game = after(EDITION_2015, "p p p p p p")
    kept = GREEDY.choose(observe(game, 0, faces("T4 S1 Z B3 W4")), random.Random(0))
    assert move_text(kept) == "k14"


def test_token_that_wins_is_worth_most():
    """Also a whisk; and more for a seat near the end than for a seat far away."""
    three_whisks = worths(EDITION_2015, (1, 1, 0, 0, 3))
    assert max(three_whisks) == three_whisks[Token.WHISK]
    assert three_whisks[Token.WHISK] > worths(EDITION_2015, NO_TOKENS)[Token.WHISK]


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda edition: edition.name)
def test_every_token_is_worth_something(edition):
    for tokens in (NO_TOKENS, (3, 3, 3, 3, 3), (9, 9, 9, 9, 9)):
        assert min(worths(edition, tokens)) > 0
