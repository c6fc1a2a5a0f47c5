"""Gives hands and positions, true and false, to the code in C.

``python -m tests.games.tichu.bots.hostile FOLDER`` loads the library from FOLDER. The test has
compiled the library with sanitizers. If C misuses memory or arithmetic, the process ends.
"""

import random
import sys
from collections import Counter
from pathlib import Path

import pytest

from matcha_p2p.games.tichu.bots.dealing import unseen_by
from matcha_p2p.games.tichu.bots.solving import core
from tests.games.tichu.bots.positions import decisions, hands_of

HANDS = 20_000
ROUNDS = 6
LIES = 12  # about each position
WORDS = (0, 1, 2, 3, 4, 5, 14, 15, 31, 54, 56, 127, 128, 255)


def lied(rng, true):
    """Return a structure with up to three bytes changed."""
    raw = bytearray(bytes(true))
    for _ in range(rng.randint(1, 3)):
        raw[rng.randrange(len(raw))] = rng.choice(WORDS)
    return type(true).from_buffer_copy(raw)


def outcome_of(ask, *what):
    """Return whether C has answered."""
    try:
        ask(*what)
    except ValueError:
        return "refused"
    return "answered"


def main():
    pytest.MonkeyPatch().setattr(core, "FOLDER", Path(sys.argv[1]))
    fast, rng, told = core.core(), random.Random(27), Counter()
    for _ in range(HANDS):
        hand = sum(1 << face for face in rng.sample(range(60), rng.randint(0, 16)))
        told[outcome_of(rng.choice([fast.cost, fast.split, fast.gifts]), hand)] += 1
    for table, seen, plays in decisions(range(ROUNDS)):
        position = core.position_of(seen.state, hands_of(table))
        play = rng.choice(plays)
        laid = play and core.laid_of(play)
        known = core.known_of(unseen_by(seen))
        for _ in range(LIES):
            lie = lied(rng, position), rng.choice([seen.seat, *WORDS]), laid and lied(rng, laid)
            told[outcome_of(fast.outcome, *lie)] += 1
            told[outcome_of(fast.dealt, lied(rng, known), rng.randint(-1, 9), 0)] += 1
    print(dict(told))


if __name__ == "__main__":
    main()
