"""What shared rooms ask of Matcha has the form that they expect."""

import pytest

from matcha_p2p import games
from matcha_p2p.games.game import RESIGNED, GameOffer, Pages, Seated, Telling
from matcha_p2p.games.matcha import bots, offer, seated, telling
from matcha_p2p.games.matcha.lessons import pages
from matcha_p2p.games.matcha.rules.phases import AwaitingDeal
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.table.table import Table
from tests.cheats.scene import played
from tests.duel import opened

MATCHA: Seated = seated  # the type checker compares each function
OFFER: GameOffer = offer
PAGES: Pages = pages
TELLING: Telling = telling


def test_the_registry_finds_it_by_name():
    assert games.seated("matcha") is MATCHA
    assert games.offer("matcha") is OFFER
    assert games.pages("matcha") is PAGES
    assert games.bots("matcha") is bots


def test_an_unknown_edition_is_refused():
    with pytest.raises(ValueError, match="2021 is none of"):
        MATCHA.begin("2021")


def test_no_seat_resigns_with_a_partner():
    assert not any(MATCHA.resigns(MATCHA.begin("2015"), seat) for seat in SEATS)


def test_second_dealer_deals_first_in_the_next_game():
    table = opened("again").table
    dealer = seated.state(table).dealer
    variant, order = MATCHA.again(table)
    assert (variant, order[1]) == ("2015 rematch", dealer)
    assert set(order) == set(SEATS)


def test_a_game_that_is_conceded_is_called_resigned():
    end = MATCHA.ended(opened("conceded").table, SEATS[0])
    assert end is not None
    assert (end.how, end.winners, end.points) == (RESIGNED, (SEATS[1],), ())


def tables(game: str = "long") -> list[Table]:
    return [state for state in played(game).states if isinstance(state, Table)]


def test_a_game_is_dealt_once_the_first_hands_are():
    dealt = [MATCHA.dealt(table) for table in tables()]
    assert (dealt[0], dealt[-1]) == (False, True)
    assert dealt == sorted(dealt)


def test_moves_of_a_round_are_running_until_it_is_over():
    for table in tables():
        rounds = seated.state(table).rounds
        moves = len([turn for turn in rounds[-1].turns if not turn.auto]) if rounds else 0
        over = not rounds or bool(rounds[-1].resolutions)
        assert MATCHA.running(table) == (0 if over else moves)
    assert {MATCHA.running(table) for table in tables()} >= {0, 1, 2}


def test_a_set_has_begun_when_its_table_is_laid():
    for table in tables():
        game = seated.state(table)
        waits = isinstance(game.phase, AwaitingDeal)
        assert MATCHA.begun(table) == game.number - waits
    begun = [MATCHA.begun(table) for table in tables()]
    assert (begun[0], begun == sorted(begun)) == (0, True)
    assert begun[-1] > 1


def test_a_variant_is_called_by_its_edition():
    assert [MATCHA.called(variant) for variant in ("2015", "2020 rematch")] == ["2015", "2020"]


def test_a_game_begins_in_a_known_edition_alone():
    assert seated.begin("2015").variant == "2015"
    with pytest.raises(ValueError, match="1999 is none of"):
        seated.begin("1999")


def test_the_registry_knows_how_programs_speak():
    assert all(games.engine_protocol(name) is not None for name in games.FOLDERS)
