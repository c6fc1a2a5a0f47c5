"""States that Matcha never comes to: a bug, and no breach of anybody."""

import pytest

from matcha_p2p.games.matcha.rules.edition import EDITION_2015
from matcha_p2p.games.matcha.table.steps import begin
from matcha_p2p.games.matcha.table.view import matcha_of
from tests.games.toy.steps import Toy
from tests.table.party import begun


def test_a_deal_without_a_stage_is_a_bug():
    with pytest.raises(RuntimeError, match="no stage of it"):
        begin(EDITION_2015)._replace(stage=None).next({})


def test_table_of_another_game_is_refused_as_matcha():
    with pytest.raises(TypeError, match="toy is played here"):
        matcha_of(begun("toy", Toy()).table)
