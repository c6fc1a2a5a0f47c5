"""What a seat answers by itself, because nothing is to be decided."""

from functools import partial

from matcha_p2p.games.tichu.answers import armed_lay, bombs_of, undecided
from matcha_p2p.games.tichu.rules import round as rules
from matcha_p2p.games.tichu.rules.actions import Hold
from matcha_p2p.games.tichu.rules.round import Ask
from tests.games.tichu.screen.scenes import BEA, CARL, DORA, YOU, Story, opened


def sevens(story: Story) -> list[int]:
    (bomb,) = bombs_of(story.view().held.values())
    return [place for place, face in story.view().held.items() if face in bomb.faces]


def test_an_armed_bomb_is_laid_on_the_play_of_another_alone():
    story = opened().lay(CARL, "M").holds()
    places = sevens(story)
    laid = armed_lay(story.view(), places)
    assert laid is not None
    assert [*laid.places] == places
    assert armed_lay(story.view(), [*places, 99]) is None  # laid since then
    story.change(partial(rules.hold, seat=YOU)).holds().passes(BEA).holds()
    story.change(partial(rules.hold, seat=YOU)).holds().passes(DORA).holds()
    assert armed_lay(story.view(), places) is None  # the own turn
    story.lay(YOU, "R2").holds()
    assert armed_lay(story.view(), places) is None  # on the own two


def test_a_bomb_on_ones_own_play_is_asked_for_only_before_the_trick_is_taken():
    story = opened().lay(CARL, "M").holds()
    story.change(partial(rules.hold, seat=YOU)).holds().passes(BEA).holds()
    story.change(partial(rules.hold, seat=YOU)).holds().passes(DORA).holds()
    story.lay(YOU, "R2").holds()
    assert story.view().asked is Ask.HOLD  # on the own two, before Carl's turn
    assert undecided(story.view(), calls=False) == Hold()
    for seat in (CARL, BEA, DORA):
        story.change(partial(rules.hold, seat=YOU)).holds().passes(seat).holds()
    assert story.view().asked is Ask.HOLD
    assert undecided(story.view(), calls=False) is None
