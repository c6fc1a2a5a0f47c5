"""Trio, the example of a game from another package: rules, bot, and the protocol of bots."""

import json
import random
from unittest.mock import patch

import pytest

from matcha_p2p import api, games
from matcha_p2p.errors import BotError, Check, IllegalMoveError
from matcha_p2p.table.greeting import rules_digest
from tests.games.trio.matcha_trio import steps
from tests.games.trio.matcha_trio.bots import BOTS
from tests.games.trio.matcha_trio.seated import EXCHANGE, View
from tests.games.trio.matcha_trio.steps import SEATS, TEXTS, Trio, best
from tests.table.party import begun

PLACES = tuple(range(8))
HAND = tuple(map(TEXTS.index, ("a2", "a5", "b1", "b6", "c3", "c4", "d2", "d6")))


@pytest.fixture(autouse=True)
def known(monkeypatch):
    monkeypatch.setitem(games.FOLDERS, "trio", "tests.games.trio.matcha_trio")


def trick(*cards: str):
    return tuple(zip(SEATS, map(TEXTS.index, cards), strict=False))


@pytest.mark.parametrize(
    ("cards", "taker"),
    [(("a1", "a2", "a3"), 2), (("b2", "b5", "b4"), 1), (("c1", "a6", "d6"), 0)],
)
def test_highest_card_of_the_suit_led_takes(cards, taker):
    assert best(trick(*cards)) == (SEATS[taker], TEXTS.index(cards[taker]))


def test_seats_with_equally_many_tricks_win_together():
    assert Trio(stage="over", won=(3, 3, 2)).result() == SEATS[:2]


@pytest.mark.parametrize(
    ("laid", "move"),
    [
        ((), "b1"),  # leads low, as any lead takes
        (("a3",), "a5"),
        (("a3", "b5"), "a5"),
        (("a6",), "b1"),
        (("c2",), "c3"),
    ],
)
def test_bot_takes_as_cheaply_as_possible(laid, move):
    seen = View(SEATS[2], HAND, PLACES, trick(*laid), (0, 0, 0))
    chosen = BOTS["thrifty"].choose(seen, random.Random(1))
    assert EXCHANGE.notation.text_of(seen, chosen) == move


def test_bot_speaks_the_protocol_of_programs():
    seen = View(SEATS[0], HAND, (1, 4), trick("a3"), (1, 2, 0))
    line = {"do": "choose", "id": 7, "limit_ms": 1, "seed": 1}
    told: list[str] = []
    asked = json.dumps({**line, "observation": EXCHANGE.described(seen)})
    api.serve("trio", api.bot("trio", "thrifty"), [asked], told.append)
    assert list(map(json.loads, told)) == [{"id": 7, "move": "a5"}]


@pytest.mark.parametrize(
    "wrong", [{"held": [0, 8]}, {"held": []}, {"hand": ["a1"] * 8}, {"edition": "two"}]
)
def test_view_to_which_no_rules_lead_is_refused(wrong):
    seen = EXCHANGE.described(View(SEATS[0], HAND, PLACES, (), (0, 0, 0)))
    assert EXCHANGE.observed(seen).hand == HAND
    with pytest.raises(BotError):
        EXCHANGE.observed({**seen, **wrong})


def test_card_is_laid_once():
    party = begun("trio", Trio())
    while party.table.game.held[party.table.game.mover] == PLACES:
        party.goes_on(lambda _: 0)
    piles, mover = party.table.piles, party.table.game.mover
    with pytest.raises(IllegalMoveError, match="T1: the card is laid already"):
        party.table.game.judge(mover, party.table.game.write(mover, 0, piles), piles)


def test_version_of_the_rules_is_agreed_on():
    """A game names the version in ``rules``, so seats and files of other rules do not fit."""
    transcript, digest = api.play("trio", [BOTS["thrifty"]] * 3), rules_digest(Trio())
    assert api.verify(transcript).verdict is api.Verdict.COMPLETE
    with patch.object(steps, "RULES_VERSION", 2):
        assert rules_digest(Trio()) != digest
        failure = api.verify(transcript).failure
    assert (failure.check, failure.entry) == (Check.GAME, 0)
