"""The end of a game in all games: the picture, the evening, and another game."""

from dataclasses import replace

import pytest

from matcha_p2p.console.review import finale
from matcha_p2p.console.terminal.cells import line_width
from matcha_p2p.console.terminal.skins import ASCII, SYMBOLS, with_framed_cards
from matcha_p2p.games.kashi.screen.drawing.layout import draw as draw_kashi
from matcha_p2p.games.kashi.screen.scene import hear as hear_kashi
from matcha_p2p.games.matcha.screen.drawing.layout import draw as draw_matcha
from matcha_p2p.games.matcha.screen.scene import hear as hear_matcha
from matcha_p2p.games.tichu.screen.drawing.layout import draw as draw_tichu
from matcha_p2p.games.tichu.screen.scene import hear as hear_tichu
from matcha_p2p.narration.evening import OwnResult
from matcha_p2p.session.news import NextGame, Settled
from tests.console.scenes import won as won_matcha
from tests.games.kashi.scenes import won as lost_kashi
from tests.games.tichu.screen.scenes import won as lost_tichu

WON, LOST, _ = OwnResult
GAMES = {
    "matcha": (won_matcha, draw_matcha, hear_matcha, WON, (1, 0)),
    "tichu": (lost_tichu, draw_tichu, hear_tichu, LOST, (0, 1, 0, 1)),
    "kashi": (lost_kashi, draw_kashi, hear_kashi, LOST, (0, 0, 1)),
}
SIZES = [(60, 16), (80, 24), (120, 40)]
SCORES = {WON: "This evening: 1 won, 1 lost.", LOST: "This evening: 0 won, 2 lost."}


def text_of(frame) -> str:
    return "\n".join("".join(text for _, text in line) for line in frame.body)


@pytest.mark.parametrize("skin", [SYMBOLS, with_framed_cards(SYMBOLS), ASCII])
def test_the_loser_sees_another_picture_than_the_winner(skin):
    full, spilt = finale.bowl(WON, skin), finale.bowl(LOST, skin)
    assert full != spilt
    assert finale.bowl(None, skin) == full
    widths = {line_width(line) for line in (*full, *spilt)}
    assert len(widths) == 1
    assert len(full) == len(spilt) == finale.ROWS


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", GAMES)
def test_end_shows_the_score_of_the_evening_at_each_size(game, size):
    scene, draw, _, outcome, _ = GAMES[game]
    ended = scene()
    assert ended.outcome is outcome
    assert "This evening" not in text_of(draw(ended, *size, SYMBOLS))
    later = replace(ended, evening=(LOST,))
    assert SCORES[outcome] in text_of(draw(later, *size, SYMBOLS))


@pytest.mark.parametrize("game", GAMES)
def test_next_game_remembers_how_the_last_one_ended(game):
    scene, _, hear, outcome, score = GAMES[game]
    fresh = hear(replace(scene(), evening=(WON,)), NextGame(score))
    assert fresh.evening == (WON, outcome)
    assert fresh.outcome is None
    assert fresh.games == (WON, outcome)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("game", "before", "after"),
    [("matcha", (0, 1), "you 1 : 1"), ("kashi", (0, 1, 1), "you 0 : 1, 2")],
)
def test_title_counts_the_game_that_is_over(game, before, after, size):
    scene, draw, *_ = GAMES[game]
    ended = replace(scene(), score=before)
    assert after in text_of(draw(ended, *size, SYMBOLS)).splitlines()[0]


@pytest.mark.parametrize("game", GAMES)
def test_loser_is_offered_revenge(game):
    scene, draw, hear, outcome, _ = GAMES[game]
    offered = hear(scene(), Settled(b""))
    word = "r revenge" if outcome is LOST else "r play again"
    assert word in text_of(draw(offered, 60, 16, SYMBOLS))
    assert word not in text_of(draw(scene(), 60, 16, SYMBOLS))


def test_bowl_leaves_when_words_need_the_room():
    words = [[("", "x" * 50)]]
    assert finale.beside_bowl(won_matcha(), SYMBOLS, words, 60) == words
    assert len(finale.beside_bowl(won_matcha(), SYMBOLS, words, 80)) == finale.ROWS
