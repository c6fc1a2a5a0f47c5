"""What is told of Tichu, to a seat in sentences and to programs as facts."""

import pytest

from matcha_p2p.games.tichu import telling
from matcha_p2p.games.tichu.game import GAME
from matcha_p2p.games.tichu.rules.cards import TEXTS
from matcha_p2p.games.tichu.rules.observation import Laid
from matcha_p2p.games.tichu.rules.round import SEATS
from matcha_p2p.games.tichu.table import events
from matcha_p2p.games.tichu.table.steps import CountedRound, new_game
from matcha_p2p.games.tichu.words.card_words import hand_text, play_words
from matcha_p2p.wire.names import GameId
from tests.games.tichu.party import course, game

NAMES = ("Ann", "Bea", "Carl", "Dora")
MET = events.Met(GameId(bytes(16)), "1000", NAMES)
ME, RIGHT, PARTNER, LEFT = SEATS
EIGHT = tuple(range(8))


def faces(texts: str) -> tuple[int, ...]:
    return tuple(TEXTS.index(text) for text in texts.split())


def laid(texts: str, seat=RIGHT, wild=0, wish=0, leads=False) -> Laid:
    return Laid(seat, faces(texts), wild, wish, leads)


def told(*happened, seat=ME, state=None) -> list[str]:
    """Return the sentences about the last of what has happened."""
    words = telling.words(seat)
    lines: list[str] = []
    for event in (MET, *happened):
        lines = words.tell(event, state or game("1000"))
    return lines


@pytest.mark.parametrize(
    ("texts", "wild", "named"),
    [
        ("R9", 0, "a nine (9✦)"),
        ("D", 0, "the Dragon"),
        ("H", 0, "the Dog"),
        ("P", 0, "the Phoenix"),
        ("R8 P", 8, "a pair of eights (8✦ Phx)"),
        ("R8 G8 B8", 0, "a triple of eights (8✦ 8◉ 8⌂)"),
        ("R3 G3 R9 G9 P", 9, "a full house of nines with threes (3✦ 3◉ 9✦ 9◉ Phx)"),
        ("R3 G3 R4 P", 4, "stairs of 2 pairs to the four (3✦ 3◉ 4✦ Phx)"),
        ("M R2 G3 R4 P", 5, "a straight of 5 to the five (1 2✦ 3◉ 4✦ Phx)"),
        ("R8 R9 GT P RQ", 11, "a straight of 5 to the queen (8✦ 9✦ 10◉ Phx Q✦)"),
        ("R5 G5 B5 K5", 0, "a bomb of fives (5✦ 5◉ 5⌂ 5⍏)"),
        ("RT RJ RQ RK RA", 0, "a straight bomb of 5 to the ace (10✦ J✦ Q✦ K✦ A✦)"),
    ],
)
def test_what_is_laid_is_named(texts, wild, named):
    assert play_words(faces(texts), wild) == named


def test_a_hand_is_sorted_by_number():
    assert hand_text(faces("D KA R2 M G2 RT P H")) == "1, 2✦ 2◉, 10✦, A⍏, Dog, Phx, Drg"
    assert hand_text(()) == "none"


@pytest.mark.parametrize(
    ("event", "lines"),
    [
        (
            MET,
            [
                (
                    "You play with Carl, against Bea on your right and Dora on your left. "
                    "The turn goes from you to Bea."
                ),
                "Type help for the commands.",
            ],
        ),
        (events.Shuffled(ME, "mix"), []),
        (events.RoundBegun(2, ME), ["Round 2. You are asked first."]),
        (events.RoundBegun(2, LEFT), ["Round 2. Dora is asked first."]),
        (
            events.HandSeen(EIGHT),
            ["Your first cards: 2✦, 3✦, 4✦, 5✦, 6✦, 7✦, 8✦, 9✦."],
        ),
        (events.GiftsGiven((0, 1, 55)), ["You give Drg to Dora, 3✦ to Carl and 2✦ to Bea."]),
        (events.GiftsPlaced((0, 1, 2)), []),
        (events.Called(ME, 200), ["You call Grand Tichu, for 200 points."]),
        (events.Called(LEFT, 100), ["Dora calls Tichu, for 100 points."]),
        (events.MahJongShown(ME), ["You show the Mah Jong, and have the first lead."]),
        (events.MahJongShown(LEFT), ["Dora shows the Mah Jong, and has the first lead."]),
        (laid("R9 G9", leads=True), ["Bea leads a pair of nines (9✦ 9◉); cards left: 12."]),
        (laid("R9", ME, leads=True), ["You lead a nine (9✦); cards left: 13."]),
        (laid("R9", ME), ["You lay a nine (9✦); cards left: 13."]),
        (
            laid("R5 G5 B5 K5", PARTNER),
            ["Carl lays a bomb of fives (5✦ 5◉ 5⌂ 5⍏) on it; cards left: 10."],
        ),
        (
            laid("M", wish=12, leads=True),
            [
                "Bea leads the Mah Jong; cards left: 13.",
                "Bea wishes for a queen. Whoever can must lay one.",
            ],
        ),
        (events.TurnPassed(ME), ["You pass."]),
        (events.TurnPassed(RIGHT), ["Bea passes."]),
        (events.TrickTaken(ME, faces("R5 RK"), ME), ["You take the trick: 15 points."]),
        (events.TrickTaken(LEFT, faces("P"), LEFT), ["Dora takes the trick: -25 points."]),
        (
            events.TrickTaken(LEFT, faces("D"), ME),
            ["You give the Dragon's trick to Dora: 25 points."],
        ),
        (
            events.TrickTaken(ME, faces("D"), LEFT),
            ["Dora gives the Dragon's trick to you: 25 points."],
        ),
        (
            events.TrickTaken(RIGHT, faces("D"), PARTNER),
            ["Carl gives the Dragon's trick to Bea: 25 points."],
        ),
        (events.WentOut(ME, 0), ["You are out first."]),
        (events.WentOut(LEFT, 2), ["Dora is out, as number 3."]),
        (
            events.RoundCounted(3, (170, 30), (415, 85)),
            [
                "Round 3: you and Carl 170, Bea and Dora 30.",
                "Points: you and Carl 415, Bea and Dora 85.",
            ],
        ),
        (
            events.GameEnded((RIGHT, LEFT), "points", (700, 1010)),
            ["Bea and Dora win, 1010 to 700."],
        ),
        (
            events.GameEnded((ME, PARTNER), "resigned", (700, 610)),
            ["You and Carl win: Bea and Dora have conceded."],
        ),
        (
            events.GameEnded((), "foul", (0, 0), LEFT),
            [
                (
                    "Dora did not lay a wished card, or hid the Mah Jong. That is a foul: the "
                    "round does not count, and the game ends."
                )
            ],
        ),
    ],
)
def test_an_event_is_told_to_a_seat(event, lines):
    assert told(event) == lines


def test_gifts_are_told_with_the_hand_they_come_into():
    hand = events.HandSeen(faces("R2 D G3 R4 G4 B4 K4 R5 G5 B5 K5 R6 G6 B6"))
    assert told(events.GiftsPlaced((2, 0, 1)), hand) == [
        "You get Drg from Dora, 2✦ from Carl and 3◉ from Bea.",
        "Your hand: 2✦, 3◉, 4✦ 4◉ 4⌂ 4⍏, 5✦ 5◉ 5⌂ 5⍏, 6✦ 6◉ 6⌂, Drg.",
    ]


def test_a_wish_is_fulfilled_by_the_card_and_not_by_the_phoenix():
    wished = laid("M", wish=12, leads=True)
    assert told(wished, laid("RQ"))[1:] == ["The wish is fulfilled."]
    assert told(wished, laid("RK P", wild=13))[1:] == []


def test_points_are_told_with_those_of_the_reader_first():
    counted = events.RoundCounted(3, (170, 30), (415, 85))
    assert told(counted, seat=RIGHT)[-1] == "Points: you and Dora 85, Carl and Ann 415."


def test_cards_that_are_still_held_when_a_round_ends_are_told_in_every_real_round():
    for before, _, after in course(0).entries:
        over = after.game.counted
        if over is None or over is before.game.counted:
            continue
        counted = events.RoundCounted(1, over.points, after.game.totals)
        for seat in SEATS:
            lines = [
                line
                for line in told(counted, seat=seat, state=after.game)
                if "still hold" in line
            ]
            assert len(lines) == sum(1 for held in over.round.held if held)
            assert any(line.startswith("You") for line in lines) == bool(over.round.held[seat])


def test_calls_and_a_double_victory_are_told_when_a_round_is_counted():
    state = game("1000")
    over = state.round._replace(calls=(100, 200, 0, 0), out=(ME, PARTNER))
    after = state._replace(counted=CountedRound(over, (), (300, -200), ()))
    assert told(events.RoundCounted(1, (300, -200), (300, -200)), state=after)[:-2] == [
        "You and Carl are out first and second: 200 points, and no card counts.",
        "You have called and are out first: 100 points.",
        "Bea has called and is not out first: 200 points less.",
    ]


def test_the_dog_gives_the_lead_to_who_is_asked():
    state = game("1000")
    asked = state.round._replace(asked=((LEFT, state.round.asked[0][1]),))
    after = state._replace(round=asked, laid=(laid("H"),))
    trick = events.TrickTaken(RIGHT, faces("H"), RIGHT)
    assert told(trick, state=after) == ["The Dog gives the lead to Dora."]
    assert told(trick) == []


def test_a_game_that_goes_on_is_told_with_its_table_and_hand():
    state = game("1000")
    held = (frozenset({0, 3}), *(frozenset(range(5)),) * 3)
    play = laid("R9 G9")
    under = state.round.under
    after = state._replace(
        number=4,
        totals=(245, 55),
        laid=(play,),
        round=state.round._replace(held=held, wish=12, under=under),
    )
    words = telling.words(ME)
    assert words.take_up(after, NAMES, EIGHT) == [
        "The game with Bea, Carl and Dora goes on in round 4.",
        "Points: you and Carl 245, Bea and Dora 55.",
        "Nothing lies on the table.",
        "The wish: a queen.",
        "Cards left: you 2, Bea 5, Carl 5, Dora 5.",
        "Your hand: 2✦, 5✦.",
    ]
    assert words.tell(laid("RQ", ME), after)[1:] == ["The wish is fulfilled."]
    assert words.uncover(()) == ["After each round all cards lie open: nothing is hidden."]


def test_facts_name_cards_as_they_are_typed():
    teller = telling.facts(LEFT)
    assert teller.tell(laid("R9 P", wild=9), game("1000")) == (
        "laid",
        {"seat": RIGHT, "cards": ["R9", "P"], "wild": 9, "wish": 0, "leads": False},
    )
    assert teller.tell(events.WentOut(ME, 3), game("1000")) == (
        "went-out",
        {"seat": 0, "rank": 3},
    )
    assert teller.take_up((0, 55)) == ["R2", "D"]


def test_offered_variants_are_known_to_the_game():
    assert all(new_game(variant, 4) for variant in GAME.variants)
    assert GAME.described("300").startswith("Rounds are played until a team has 300")
    assert GAME.described("round plays early").endswith(
        "Tichu is called only before the first lead."
    )


def test_each_way_to_end_has_its_words():
    assert GAME.endings.keys() == {"points", "foul", "resigned"}
