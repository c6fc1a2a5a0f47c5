"""The next game of the same players, on the screen of each game."""

from dataclasses import replace

import pytest

from matcha_p2p.console.table.focus import Page, Reading, Talking
from matcha_p2p.games.kashi.screen.scene import hear as hear_kashi
from matcha_p2p.games.matcha.screen.scene import hear as hear_matcha
from matcha_p2p.games.tichu.screen.scene import hear as hear_tichu
from matcha_p2p.seats import Seat
from matcha_p2p.session.connection.changes import LineDown
from matcha_p2p.session.news import LineChanged, NextGame, TakenUp
from tests.console.scenes import SCENES as MATCHA_SCENES
from tests.console.table.test_keymap import built
from tests.games.kashi.scenes import SCENES as KASHI_SCENES
from tests.games.tichu.screen.scenes import SCENES as TICHU_SCENES


def over(scenes):
    return next(scene for _, scene in built(scenes) if scene.is_over and scene.outcome)


GAMES = pytest.mark.parametrize(
    ("hear", "scene", "score"),
    [
        pytest.param(hear_matcha, over(MATCHA_SCENES), (1, 0), id="matcha"),
        pytest.param(hear_kashi, over(KASHI_SCENES), (1, 0, 0), id="kashi"),
        pytest.param(hear_tichu, over(TICHU_SCENES), (1, 0, 0, 0), id="tichu"),
    ],
)


@GAMES
def test_players_talk_and_lines_go_on_and_the_game_does_not(hear, scene, score):
    name = scene.speaker(Seat(1 - scene.seat))
    scene = hear(scene, LineChanged(LineDown("The line broke.", Seat(1)), name))
    scene = replace(
        scene,
        talk=((Seat(1), "well"),),
        back=1,
        unread=1,
        muted=name,
        warning="Another key.",
        heeded=True,
        round_trip=0.1,
        headings=((0, "Round 1"),),
    )
    following = hear(scene, NextGame(score))
    lasting = "names talk back unread muted troubles warning heeded round_trip"
    for kept in lasting.split():
        assert getattr(following, kept) == getattr(scene, kept)
    assert following.troubles
    assert len(following.told) == 1
    assert following.told == following.lately
    assert following.evening == scene.games
    assert (following.game, following.end, following.checked) == (None, None, False)
    assert following.headings == ()


@GAMES
def test_a_line_of_talk_stays_open_and_a_page_of_the_last_game_does_not(hear, scene, score):
    talking = Talking("we")
    assert hear(replace(scene, focus=talking), NextGame(score)).focus == talking
    reading = Reading(Page.REVIEW)
    assert hear(replace(scene, focus=reading), NextGame(score)).focus != reading


@GAMES
def test_a_game_that_is_taken_up_before_its_end_is_neither_over_nor_checked(hear, scene, score):
    scene = replace(scene, checked=True)
    again = hear(scene, TakenUp(scene.game, scene.names, ()))
    assert (again.end, again.after_game, again.checked) == (None, None, False)
    assert again.is_sought
