"""Positions for tests of bots: the sight of seats in games, by seed."""

import pytest

from matcha_p2p.games.matcha.bots.arena import play_game
from matcha_p2p.games.matcha.bots.roster import BOTS
from matcha_p2p.games.matcha.rules.phases import Placing
from matcha_p2p.games.matcha.rules.seats import SEATS


def few_or(most, *, few=2):
    """Let a test look at ``few`` positions or games, and slowly at ``most``."""
    return pytest.mark.parametrize("count", [few, pytest.param(most, marks=pytest.mark.slow)])


class Noting:
    """A bot that notes each of its decisions."""

    def __init__(self, bot, notes):
        self.name = bot.name
        self._bot = bot
        self._notes = notes

    def choose(self, observation, rng):
        move = self._bot.choose(observation, rng)
        self._notes.append((observation, move))
        return move


def played(edition, bot, seed):
    """Return (observation, move) of each decision in a game of a bot against itself."""
    notes = []
    noting = Noting(bot, notes)
    play_game(edition, (noting, noting), seed, SEATS[0])
    return notes


def observations(edition, seed, *, games=1, bots=("greedy", "greedy")):
    """Return the observations of both seats in ``games`` games, decision by decision."""
    notes = []
    noting = tuple(Noting(BOTS[name], notes) for name in bots)
    for number in range(games):
        play_game(edition, noting, f"{seed} {number}", SEATS[number % 2])
    return [seen for seen, _ in notes]


def endings(edition, seed, count, bots=("greedy", "greedy")):
    """Return ``count`` observations of the dealer at the beginning of round 3."""
    found = []
    while len(found) < count:
        for seen in observations(edition, f"{seed} {len(found)}", games=5, bots=bots):
            game = seen.game
            begun = isinstance(game.phase, Placing) and len(game.rounds) == 3
            if begun and not game.rounds[-1].turns:
                found.append(seen)
    return found[:count]
