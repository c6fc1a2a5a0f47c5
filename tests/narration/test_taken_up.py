"""A saved game that is taken up is told as it stands, in all games."""

import pytest

from matcha_p2p.games import game_of
from matcha_p2p.narration.news_narrator import NewsNarrator
from matcha_p2p.session.news import GameEvent, TakenUp, Terms
from matcha_p2p.session.step.state import Tell
from matcha_p2p.session.step.step import take_up
from tests.vectors import base, cases, copy_of

FOLDERS = {"matcha": "accept", "tichu": "tichu", "kashi": "kashi"}


def stories(*verdicts: str) -> dict[str, tuple[str, str, str]]:
    """Return game, file and seed of each golden transcript with one of ``verdicts``."""
    return {
        f"{game} {case['file']}": (game, case["file"], case["seed"])
        for game, folder in FOLDERS.items()
        for case in cases(f"{folder}/index")
        if case["verdict"] in verdicts
    }


OVER = stories("COMPLETE", "DECIDED", "RESIGNED")
UNSAID = ("matcha nothing-said.matcha", "matcha unknown-game.matcha")
OPEN = {name: story for name, story in stories("UNFINISHED").items() if name not in UNSAID}


def told(game: str, file: str, seed: str) -> list[list[str]]:
    """Return the sentences about each news that seat 0 hears when the game is taken up."""
    chain = copy_of(base(file, FOLDERS[game]), seed=seed)
    narrator = NewsNarrator(game_of(game).telling.words(chain.seat))
    _, effects = take_up(chain, Terms("Mina", game, None, open_book=False))
    news = [each.news for each in effects if isinstance(each, Tell)]
    return [narrator.tell(one) for one in news if isinstance(one, TakenUp | GameEvent)]


@pytest.mark.parametrize("name", OVER)
def test_game_that_is_over_is_told_so_before_its_end(name):
    first, *end = told(*OVER[name])
    (sentence,) = first
    assert sentence.endswith("is over.")
    assert end
    assert all(
        "goes on" not in line and "ended now" not in line for each in end for line in each
    )


@pytest.mark.parametrize("name", OPEN)
def test_game_that_is_not_over_is_not_told_so(name):
    lines = [line for each in told(*OPEN[name]) for line in each]
    assert all(not line.endswith("is over.") for line in lines)
