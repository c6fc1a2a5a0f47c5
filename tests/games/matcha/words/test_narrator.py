"""The course of a game in sentences."""

from collections import Counter

import pytest

from matcha_p2p.errors import Check, ProtocolViolationError
from matcha_p2p.games.matcha.rules.cards import Token
from matcha_p2p.games.matcha.rules.edition import EDITION_2015
from matcha_p2p.games.matcha.rules.game import deal, new_game
from matcha_p2p.games.matcha.rules.history import NOTHING_LAID, Resolution, Round
from matcha_p2p.games.matcha.rules.notation import face, faces
from matcha_p2p.games.matcha.rules.phases import Ended, How
from matcha_p2p.games.matcha.rules.seats import SEATS
from matcha_p2p.games.matcha.rules.state import GameState
from matcha_p2p.games.matcha.table.events import (
    Event,
    HandsDealt,
    HandSeen,
    Kept,
    Passed,
    Placed,
    RoundResolved,
    Shuffled,
    TableLaid,
    ended_by,
)
from matcha_p2p.games.matcha.table.view import game_of, look
from matcha_p2p.games.matcha.words.narrator import PointOfView, narrate
from matcha_p2p.games.matcha.words.seat_words import SeatWords
from matcha_p2p.narration.news_narrator import NewsNarrator
from matcha_p2p.seats import Seat
from matcha_p2p.session.news import Broken, Exposed, GameEvent, TalkHeard
from tests.duel import chooser, next_entry, opened

TABLE = faces("T3 W1 B2 S4 W4 T1")
GAME = deal(new_game(EDITION_2015, SEATS[0]), TABLE)


def mina() -> NewsNarrator:
    return NewsNarrator(SeatWords(SEATS[0], "Taro", faces("B3 W2 Z S1 T4")))


def tell(event: Event, game: GameState = GAME) -> list[str]:
    return mina().tell(GameEvent(event, game))


def resolved(*resolutions: Resolution) -> RoundResolved:
    return RoundResolved(
        Round(1, (), NOTHING_LAID, resolutions, ((1, 0, 0, 0, 0), (0, 0, 2, 0, 1)))
    )


def opened_mat(gain: tuple[Token | None, Token | None]) -> Resolution:
    return Resolution(0, (face("B3"), face("S1")), (0, 1), gain)


@pytest.mark.parametrize(
    ("gain", "sentence"),
    [
        ((Token.LEAF, Token.WHISK), "You take a leaf token, Taro takes a whisk token."),
        ((Token.WHISK, Token.LEAF), "Taro takes a leaf token, you take a whisk token."),
        ((Token.LEAF, None), "You take a leaf token."),
        ((None, Token.LEAF), "Taro takes a leaf token."),
        ((None, None), "Nobody takes a token."),
    ],
)
def test_opened_mat_tells_both_cards_and_the_gain_of_each_player(gain, sentence):
    lines = tell(resolved(opened_mat(gain)))
    assert lines[0] == f"Mat a, leaf 3: you bowl 3, Taro scoop 1. {sentence}"
    assert lines[1] == "You hold: leaf 1. Taro holds: water 2, whisk 1."


@pytest.mark.parametrize(
    ("slots", "gain", "sentence"),
    [
        (
            (0, None),
            (Token.WATER, None),
            "Mat b stays closed: you, alone there, take a water token.",
        ),
        (
            (None, 0),
            (None, Token.WATER),
            "Mat b stays closed: Taro, alone there, takes a water token.",
        ),
        ((None, None), (None, None), "Mat b: nobody laid a card."),
    ],
)
def test_an_unopened_mat_tells_no_card(slots, gain, sentence):
    assert tell(resolved(Resolution(1, (None, None), slots, gain)))[0] == (sentence)


def test_the_other_sentences():
    assert tell(TableLaid(3, 1, TABLE, 2))[:2] == [
        "Set 3. Taro deals and leads.",
        "While the table was laid, both zeros turned up and went back.",
    ]
    assert tell(Passed(1, auto=False)) == ["Taro passes."]
    assert tell(Passed(0, auto=False)) == ["You pass."]
    assert tell(Passed(1, auto=True)) == [
        "Taro cannot lay a card in this round any more, and passes."
    ]
    assert tell(Kept((2, 0))) == ["You keep 2 of your cards, Taro keeps 0."]
    assert tell(Shuffled(0, "deal")) == []
    assert mina().tell(TalkHeard("{name}", "Taro", Seat(1))) == ["Taro says: {name}"]
    assert mina().tell(Exposed(0))[0].startswith("You have opened your book")
    assert mina().tell(Exposed(1))[0].startswith("Taro has opened the book")


def test_breach_stops_a_game_and_leaves_a_finished_one_unchanged():
    breach = ProtocolViolationError(Check.EXPOSE, 1, 70, "no key of the cards")
    during, afterwards = (
        mina().tell(Broken(breach, ours=False, over=over)) for over in (False, True)
    )
    assert during[0].startswith("Taro's program broke the protocol: ")
    assert "The game stops" in during[0]
    assert afterwards[0].startswith("Taro's program broke the protocol after the game: ")
    assert "The result stands" in afterwards[0]


@pytest.mark.parametrize(
    ("winner", "how", "sentence"),
    [
        (0, How.ALIKE, "You win: 4 leaf tokens."),
        (0, How.FIVE_KINDS, "You win: one token of each of the five kinds."),
        (
            0,
            How.TIE_BREAK,
            "You win: more leaf tokens, 4 to 3, after both reached all five kinds.",
        ),
        (0, How.FURTHER_ROUNDS, "You win: more leaf tokens, 4 to 3, after a full tie."),
        (0, How.LAST_SET, "You win: more leaf tokens, 4 to 3, after the last set."),
        (0, How.RESIGNED, "You win: Taro conceded."),
        (1, How.RESIGNED, "Taro wins: you conceded."),
        (None, How.DRAW, "A draw: the last set is over, and all five counts are equal."),
    ],
)
def test_result_names_the_winner_and_the_reason(winner, how, sentence):
    ended = ended_by(Ended(winner, how), ((4, 1, 1, 1, 1), (3, 1, 1, 1, 1)))
    view = PointOfView(("Mina", "Taro"), you=0)
    assert narrate(ended, GAME, view) == [sentence]


@pytest.mark.parametrize(
    ("tokens", "met"),
    [
        (((1, 1, 1, 1, 1), (0, 2, 0, 0, 4)), "all five kinds; 4 whisk tokens"),
        (((1, 4, 0, 0, 0), (0, 1, 0, 4, 1)), "4 bowl tokens; 4 scoop tokens"),
    ],
)
def test_tie_break_names_the_conditions_of_each_player(tokens, met):
    ended = ended_by(Ended(0, How.TIE_BREAK), tokens)
    view = PointOfView(("Mina", "Taro"))
    assert narrate(ended, GAME, view) == [
        f"Mina wins: more leaf tokens, 1 to 0, after both met a condition ({met})."
    ]


@pytest.mark.parametrize("edition", ["2015", "2020"])
def test_a_whole_game_is_told_to_both_without_a_card_that_is_hidden(edition):
    """Of the other's cards no more is told than is turned up."""
    duel = opened("telling", edition)
    tellers = (NewsNarrator(SeatWords(0)), NewsNarrator(SeatWords(1)))
    heard: tuple[list[str], list[str]] = ([], [])
    choosers = (chooser("greedy", "a"), chooser("uniform", "b"))
    done = 0
    while (entry := next_entry(duel, choosers)) is not None:
        duel.say(entry)
        for event in duel.events[done:]:
            for seat, teller in enumerate(tellers):
                heard[seat].extend(teller.tell(GameEvent(event, game_of(duel.table))))
                if isinstance(event, HandsDealt):
                    hand = look(duel.players[seat], duel.table, ()).hand
                    heard[seat].extend(
                        teller.tell(GameEvent(HandSeen(hand), game_of(duel.table)))
                    )
        done = len(duel.events)
    for seat, lines in enumerate(heard):
        assert len([line for line in lines if " win" in line or "draw:" in line]) == 1
        sealed = [line for line in lines if " sealed a card on mat " in line]
        assert len(sealed) == len([e for e in duel.events if _laid_by(e, 1 - seat)])
    kinds = Counter(type(event).__name__ for event in duel.events)
    assert kinds["Placed"] > 0


def _laid_by(event: Event, seat: int) -> bool:
    return isinstance(event, Placed) and event.seat == seat
