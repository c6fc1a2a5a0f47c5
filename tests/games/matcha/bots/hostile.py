"""Gives observations, true and false, to the code in C.

``python -m tests.games.matcha.bots.hostile FOLDER`` loads the libraries from FOLDER. The test
has compiled the libraries with sanitizers. If C misuses memory or arithmetic, the process ends.
"""

import json
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from itertools import cycle
from pathlib import Path

import pytest

from matcha_p2p.errors import BotError
from matcha_p2p.games.matcha.bots.solving import fast_form, native, round2, round3, tells
from matcha_p2p.games.matcha.bots.solving.fast_search import FastSearch
from matcha_p2p.games.matcha.bots.solving.likely import likely_deals
from matcha_p2p.games.matcha.rules.edition import EDITIONS
from matcha_p2p.games.matcha.rules.moves import Move
from matcha_p2p.games.matcha.rules.observation import Observation, check_decision
from matcha_p2p.games.matcha.rules.phases import KEEPING, Placing
from matcha_p2p.games.matcha.table.forms import EXCHANGE
from tests.games.matcha.bots.positions import observations

GAMES = 6
PLANS = 0.05  # of the decisions have round 2 solved
LIES = 8  # about each observation
LIKELY = 0.1  # of the searches take deals by how likely they are
NUMBERS = (-(2**31), -7, -1, 0, 1, 2, 3, 4, 5, 6, 18, 64, 2**31, 2**70)


def places(value, path=()) -> Iterator[tuple]:
    """Yield the path to each value within a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        yield (*path, key)
        if isinstance(inner, dict | list):
            yield from places(inner, (*path, key))


def lie_about(plain: dict, rng: random.Random) -> dict:
    """Return an observation in which up to three values were changed, doubled or left out."""
    lie = deepcopy(plain)
    for _ in range(rng.randint(1, 3)):
        *path, last = rng.choice([it for it in places(lie) if "past" not in it])
        inner = lie
        for key in path:
            inner = inner[key]
        match inner[last]:
            case bool(value):
                inner[last] = not value
            case int():
                inner[last] = rng.choice(NUMBERS)
            case list(value):
                inner[last] = rng.choice([value[:-1], value + value[-1:], value[::-1]])
            case value if isinstance(value, str | None):
                inner[last] = rng.choice(["Z", "T1", "S4", "p", "1a", "5f", None])
    return lie


def searched(seen: Observation, rng: random.Random, iterations: int) -> set[Move]:
    """Return the moves that the search finds.

    Raises:
        ValueError: C takes no such observation.
    """
    search = FastSearch(seen)
    if rng.random() < LIKELY:
        search = FastSearch(seen, likely_deals(seen, rng))
    return {it.move for it in search.run(rng, iterations)}


def solved(seen: Observation, *, plans: bool) -> set[Move]:
    """Return the moves of the solutions. plans: whether round 2 may be solved for the moves.

    Raises:
        ValueError: C takes no such observation.
    """
    match len(seen.game.rounds):
        case 2 if plans:
            advised, judged = round2.advice(seen), round2.judged(seen)
            return {*(advised.moves if advised else ()), *(it.move for it in judged or ())}
        case 3:
            weigh = round2.weights_of if plans else tells.weights_of
            advised = round3.advice(seen, weigh, fast_form.solve)
            return {*(advised.moves if advised else ())}
        case _:
            return set()


def think(seen: Observation, rng: random.Random, iterations: int, *, plans: bool) -> None:
    """Let C find moves in a round, and check that all are legal.

    Raises:
        ValueError: C takes no such observation.
    """
    found = searched(seen, rng, iterations)
    legal = set(seen.legal_moves())
    if len(legal) > 1:
        found |= solved(seen, plans=plans)
    assert found <= legal


def main() -> None:
    pytest.MonkeyPatch().setattr(native, "FOLDER", Path(sys.argv[1]))
    sys.unraisablehook = lambda _: os._exit(3)  # Python has failed within C
    rng, told = random.Random(27), Counter[str]()
    iterations = cycle([1, 2, 40, 600])
    for edition in EDITIONS.values():
        for seen in observations(edition, "sane", games=GAMES, bots=("uniform", "greedy")):
            if isinstance(seen.game.phase, Placing):
                think(seen, rng, next(iterations), plans=rng.random() < PLANS)
                told["true"] += 1
            plain = json.loads(json.dumps(EXCHANGE.described(seen)))
            for _ in range(LIES):
                told[outcome_of(lie_about(plain, rng), rng)] += 1
    print(dict(told))


def outcome_of(lie: dict, rng: random.Random) -> str:
    """Give a lie to the reader, and then, unchecked, to the code that asks C."""
    with suppress(BotError):
        EXCHANGE.observed(lie)
    try:
        found = EXCHANGE.view.read(lie)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        return "unreadable"
    try:
        check_decision(found)
    except ValueError:
        with suppress(ValueError):
            assert not searched(found, rng, 1)
        with suppress(ValueError):
            assert not solved(found, plans=True)
        return "refused"
    if found.game.phase != KEEPING:
        think(found, rng, 40, plans=rng.random() < PLANS)
    return "possible"


if __name__ == "__main__":
    main()
