"""Bots play over the table, by what a seat there sees."""

import random
from functools import cache

import pytest

from matcha_p2p.chain.verify import Verdict, verify_transcript
from matcha_p2p.games.tichu.bots.roster import BOTS
from matcha_p2p.games.tichu.bots.solving.gifts import holders
from matcha_p2p.games.tichu.rules.actions import GiveCards
from matcha_p2p.games.tichu.rules.round import Ask, seat_after
from matcha_p2p.seats import Seat
from tests.games.tichu.party import Course, game, play_on
from tests.table.party import begun

pytestmark = pytest.mark.slow


@cache
def course(variant: str, *names: str) -> Course:
    """Return a game of these bots."""
    seed = f"{variant} {names}"
    bots, rng = [BOTS[name] for name in names], random.Random(seed)
    party = begun(seed, game(variant))
    return play_on(party, lambda seen: bots[seen.seat].choose(seen, rng))


@pytest.mark.parametrize(
    ("variant", "names"),
    [
        ("300", ("beginner", "club", "casual", "keen")),
        ("300 plays early", ("keen", "beginner", "uniform", "club")),
    ],
)
def test_bots_of_several_levels_play_a_lawful_game(variant, names):
    played = course(variant, *names)
    report = verify_transcript(played.party.file())
    assert report.verdict is Verdict.COMPLETE
    assert report.result.how == "points"
    assert played.party.table.game.number > 1


def test_seat_knows_at_the_table_who_holds_its_gifts():
    played = course("round", "club", "keen", "uniform", "uniform")
    given, asked = dict[Seat, dict[int, Seat]](), 0
    for view, move in played.decided:
        if isinstance(move, GiveCards):
            steps = enumerate(move.places, 1)
            given[view.seat] = {
                view.hand[at]: seat_after(view.seat, step) for step, at in steps
            }
        elif view.asked is Ask.CALL:
            assert holders(view) == given[view.seat]
            asked += 1
    assert asked
