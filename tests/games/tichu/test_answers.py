"""What a seat answers by itself, because nothing is to be decided."""

from functools import partial

from matcha_p2p.games.tichu.answers import undecided
from matcha_p2p.games.tichu.rules import round as rules
from matcha_p2p.games.tichu.rules.actions import Hold
from matcha_p2p.games.tichu.rules.round import Ask
from tests.games.tichu.screen.scenes import BEA, CARL, DORA, YOU, opened


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
