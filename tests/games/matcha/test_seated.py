"""What shared rooms ask of Matcha has the form that they expect."""

import pytest

from matcha_p2p import games
from matcha_p2p.games.game import RESIGNED, Offer, Pages, Seated, Telling
from matcha_p2p.games.matcha import bots, offer, seated, telling
from matcha_p2p.games.matcha.lessons import pages
from matcha_p2p.games.matcha.rules.seats import SEATS
from tests.duel import opened

MATCHA: Seated = seated  # the type checker compares each function
OFFER: Offer = offer
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


def test_who_did_not_deal_first_deals_first_in_the_next_game():
    table = opened("again").table
    dealer = seated.state(table).dealer
    variant, order = MATCHA.again(table)
    assert (variant, order[1]) == ("2015 rematch", dealer)
    assert set(order) == set(SEATS)


def test_a_game_that_is_conceded_is_called_resigned():
    end = MATCHA.ended(opened("conceded").table, SEATS[0])
    assert end is not None
    assert (end.how, end.winners) == (RESIGNED, (SEATS[1],))
