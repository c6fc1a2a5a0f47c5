"""What shared rooms ask of Matcha has the form that they expect."""

from matcha_p2p.games.game import RESIGNED, Pages, Telling
from matcha_p2p.games.matcha import telling
from matcha_p2p.games.matcha.lessons import pages
from matcha_p2p.games.matcha.rules.phases import AwaitingDeal
from matcha_p2p.games.matcha.rules.seats import SEATS, opposite
from matcha_p2p.games.matcha.table.events import HandSeen
from matcha_p2p.games.matcha.table.seated import RULES as MATCHA
from matcha_p2p.table.step import step
from matcha_p2p.table.table import Table
from tests.cheats.scene import played
from tests.duel import opened

PAGES: Pages = pages  # the type checker compares each function
TELLING: Telling = telling


def test_second_dealer_deals_first_in_the_next_game():
    table = opened("again").table
    dealer = MATCHA.state(table).dealer
    assert MATCHA.again(table) == f"2015 rematch {opposite(dealer)}"


def test_a_game_that_is_conceded_is_called_resigned():
    end = MATCHA.ended(opened("conceded").table, SEATS[0])
    assert end is not None
    assert (end.how, end.winners, end.points) == (RESIGNED, (SEATS[1],), ())


def tables(game: str = "long") -> list[Table]:
    return [state for state in played(game).states if isinstance(state, Table)]


def test_a_seat_answers_at_its_turn_alone():
    assert {MATCHA.window(table) for table in tables()} == {0}


def test_hands_of_earlier_sets_are_still_known():
    scene, told = played("long"), []
    for state, entry in zip(scene.states, scene.log, strict=False):
        told += MATCHA.told(step(state, entry)[1], scene.player)
        after = step(state, entry)[0]
        if isinstance(after, Table) and len(hands_of(told)) == MATCHA.state(after).number > 0:
            *earlier, now = hands_of(told)
            view = MATCHA.look(scene.player, after, told)
            assert (view.earlier, view.hand) == (tuple(enumerate(earlier, 1)), now)
    assert len(hands_of(told)) > 1


def hands_of(told):
    return [event.cards for event in told if isinstance(event, HandSeen)]


def test_moves_of_a_round_are_running_until_it_is_over():
    for table in tables():
        rounds = MATCHA.state(table).rounds
        moves = len([turn for turn in rounds[-1].turns if not turn.auto]) if rounds else 0
        over = not rounds or bool(rounds[-1].resolutions)
        assert MATCHA.running(table) == (0 if over else moves)
    assert {MATCHA.running(table) for table in tables()} >= {0, 1, 2}


def test_a_set_has_begun_when_its_table_is_laid():
    for table in tables():
        game = MATCHA.state(table)
        waits = isinstance(game.phase, AwaitingDeal)
        assert MATCHA.begun(table) == game.number - waits
    begun = [MATCHA.begun(table) for table in tables()]
    assert (begun[0], begun == sorted(begun)) == (0, True)
    assert begun[-1] > 1


def test_a_variant_is_called_by_its_edition():
    assert [MATCHA.called(variant) for variant in ("2015", "2020 rematch 1")] == [
        "2015",
        "2020",
    ]
