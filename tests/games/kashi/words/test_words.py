"""The words about Kashi-ichi: sentences for a seat, and facts for programs."""

from dataclasses import replace

import pytest

from matcha_p2p.games.game import RESIGNED
from matcha_p2p.games.kashi import telling
from matcha_p2p.games.kashi.board.shipped import shipped_board
from matcha_p2p.games.kashi.game import GAME
from matcha_p2p.games.kashi.rules import moves
from matcha_p2p.games.kashi.rules.notation import text_of
from matcha_p2p.games.kashi.rules.orders import NO_GOODS, ORDERS, add
from matcha_p2p.games.kashi.rules.outlook import Outlook
from matcha_p2p.games.kashi.rules.settlement import FinalScore
from matcha_p2p.games.kashi.rules.state import GameState
from matcha_p2p.games.kashi.table import events
from matcha_p2p.games.kashi.table.steps import new_game
from matcha_p2p.games.kashi.table.told import SETTLED
from matcha_p2p.games.kashi.words.names import area_letter, bonus_words, order_words, shown
from matcha_p2p.games.kashi.words.notation import find_good, find_place, find_seat
from matcha_p2p.games.kashi.words.seat_words import SeatWords
from matcha_p2p.language import speak
from matcha_p2p.seats import Seat
from matcha_p2p.wire.names import GameId
from tests.games.kashi.rules.positions import BOARD, at, begun, position

NAMES = ("Ann", "Bea", "Carl")
MET = events.Met(GameId(bytes(16)), NAMES)
ME, BEA, CARL = map(Seat, range(3))
SCORES = tuple(FinalScore(30 + seat, 40, 6, 2, 1) for seat in range(3))


def told(*happened: events.Event, seat: Seat = ME, state: GameState | None = None) -> list[str]:
    """Return the sentences about the last event."""
    words = telling.words(seat)
    lines: list[str] = []
    for event in (MET, *happened):
        lines = words.tell(event, state or position())
    return lines


@pytest.mark.parametrize(
    ("event", "lines"),
    [
        (MET, ["You play with Bea and Carl. Type help for the commands."]),
        (events.FirstDrawn(ME), ["The coin has chosen you: you begin."]),
        (events.FirstDrawn(CARL), ["The coin has chosen Carl: Carl begins."]),
        (events.Started(ME, at("3,5")), ["You start on 3,5."]),
        (events.Started(BEA, at("3,5")), ["Bea starts on 3,5."]),
        (events.TurnTaken(ME, ()), ["You end the turn without an action."]),
        (events.TurnTaken(BEA, ()), ["Bea ends the turn without an action."]),
        (
            events.TurnTaken(BEA, (moves.Go(at("3,2")), moves.TAKE_GOLD)),
            ["Bea: to 3,2; taking 3 gold."],
        ),
        (
            events.TurnTaken(BEA, (moves.Go(at("1,2"), ME), moves.Go(at("1,1")), moves.Buy())),
            ["Bea: over your shops to 1,2, 1 gold for you; to tea (1,1); buying tea."],
        ),
        (
            events.TurnTaken(ME, (moves.Go(at("1,2"), ME), moves.Go(at("1,4"), CARL))),
            [
                "You: over own shops to 1,2; over Carl's shops to rice (1,4), 1 gold for Carl.",
            ],
        ),
        (
            events.TurnTaken(
                BEA,
                (moves.Go(at("1,1")), moves.Buy(1), moves.LayShop(), moves.LayShop(at("2,2"))),
            ),
            [
                (
                    "Bea: to tea (1,1); giving chestnut back and buying tea; a shop on 1,1; "
                    "the shop of 2,2 to 1,1."
                )
            ],
        ),
        (
            events.TurnTaken(
                CARL,
                (
                    moves.Fulfil(2),
                    moves.Fulfil(5, moves.ChooseGoods((0, 0, 3))),
                    moves.Fulfil(3, moves.PlaceShop(at("2,3"))),
                    moves.Fulfil(8, moves.DECLINE),
                ),
            ),
            [
                (
                    "Carl: delivering order 2; delivering order 5, with rice x2, honey as the "
                    "bonus; delivering order 3, with a shop on 2,3 as the bonus; delivering "
                    "order 8, without the bonus."
                )
            ],
        ),
        (
            events.OrdersDrawn((2,)),
            [
                "Open orders:",
                "Order 2: rice, plum to theatre. Points: 7. Bonus: 2 gold.",
            ],
        ),
        (events.IdleAnswered(ME, settle=False), ["You want to go on without a settlement."]),
        (events.IdleAnswered(BEA, settle=False), ["Bea wants to go on without a settlement."]),
        (events.IdleAnswered(ME, settle=True), ["You ask for a settlement."]),
        (events.IdleAnswered(BEA, settle=True), ["Bea asks for a settlement."]),
        (
            events.AreasSettled(2, (9, 7, 0)),
            ["Settlement 2. Points of the areas: you 9, Bea 7, Carl 0."],
        ),
        (events.UpkeepPaid(ME, 3, 0), ["You pay 3 gold as upkeep."]),
        (events.UpkeepPaid(BEA, 3, 0), ["Bea pays 3 gold as upkeep."]),
        (events.UpkeepPaid(ME, 3, 2), ["You pay 3 gold as upkeep, and lose points: 2."]),
        (events.UpkeepPaid(BEA, 3, 2), ["Bea pays 3 gold as upkeep, and loses points: 2."]),
    ],
)
def test_event_is_told_to_a_seat(event, lines):
    assert told(event) == lines


@pytest.mark.parametrize(
    ("winners", "gone", "line"),
    [
        ((ME,), None, "You win."),
        ((BEA,), None, "Bea wins."),
        ((BEA, CARL), None, "Bea and Carl share the victory."),
        ((ME, CARL), None, "You share the victory with Carl."),
        ((BEA,), CARL, "Carl has conceded. The game is over."),
        ((CARL,), ME, "You have conceded. The game is over."),
    ],
)
def test_end_names_the_winners_and_who_has_resigned(winners, gone, line):
    how = SETTLED if gone is None else RESIGNED
    *resigned, first, second, third, last = told(events.GameEnded(winners, how, SCORES, gone))
    assert all("points. On the track: 3" in each for each in (first, second, third))
    if gone is None:
        assert ([], last) == (resigned, line)
    else:
        assert resigned == [line]
        assert last == f"{('You', 'Bea', 'Carl')[winners[0]]} wins."


def test_later_orders_are_new():
    state = begun()._replace(drawn=(1, 2, 3, 8, 14, 4))
    assert told(events.OrdersDrawn((4,)), state=state)[0] == "New orders:"


def test_game_that_goes_on_is_told_with_its_orders_and_players():
    lines = SeatWords(BEA).take_up(position(), NAMES, ())
    assert lines[0] == "The game with Ann and Carl goes on in round 2."
    assert lines[1] == "Open orders:"
    assert lines[-1] == "You stand on 3,3, with 6 gold. Goods: none."
    assert SeatWords(BEA).uncover(()) == [
        "Everything lay open in this game: no card was hidden."
    ]


def test_seat_without_a_place_is_not_described():
    game = new_game("ichi", 3)
    assert game is not None
    assert SeatWords(ME).tell_own(game.state) == []


def test_order_is_told_with_its_parts():
    orders = [order_words(BOARD, BOARD.order(number + 1)) for number in range(ORDERS)]
    assert orders[13] == (
        "Order 14: rice, honey, tea to theatre. Points: 11. Bonus: 1 gold, a good of your "
        "choice."
    )
    assert orders[2] == (
        "Order 3: rice, honey to harbour. Points: 6. Bonus: a shop at half price on an empty "
        "square."
    )
    assert orders[27].endswith("Bonus: 4 gold. It brings a settlement when it is drawn.")
    assert len(set(orders)) == ORDERS
    named = BOARD.order(1).bonus._replace(named=add(NO_GOODS, 2, 2), ap=2)
    assert bonus_words(BOARD, named) == "2 action points, plum x2"


def test_names_of_another_board_are_shown_as_written():
    board = replace(BOARD, goods=("beans", "rice", "salt", "oil", "ink"))
    assert find_good(board, "be") == 0
    assert find_good(board, "5") == 4
    assert find_place(board, "sa") == board.wholesalers[2]
    assert find_place(board, "harb") == board.destinations[2]
    assert find_place(board, "2 3") == at("2,3")
    assert find_place(board, "9,9") is None
    assert shown("beans") == "beans"
    assert [find_seat(NAMES, text) for text in ("be", "x", "")] == [BEA, None, None]


def test_shipped_names_are_read_in_the_spoken_language(restored):
    speak("ja")
    assert find_place(BOARD, "茶") == find_place(BOARD, "tea") == BOARD.wholesalers[4]


def test_facts_name_squares_and_actions_as_a_log_does():
    teller = telling.facts(None)
    assert teller.tell(
        events.TurnTaken(ME, (moves.Go(at("3,2"), BEA), moves.TAKE_GOLD)), position()
    ) == (
        "turn-taken",
        {"seat": 0, "actions": ["go:3,2/1", "gold"]},
    )
    legal = moves.TakeTurn(), moves.TakeTurn((moves.TAKE_GOLD,)), moves.StartAt(at("3,3"))
    seen = Outlook(position(), Seat(0))
    assert [text_of(seen, move) for move in legal] == ["end", "gold; end", "start 3,3"]
    assert (teller.take_up(()), teller.uncover(())) == ([], [])


def test_offered_variants_are_known_to_the_game():
    assert all(new_game(variant, 3) for variant in GAME.variants)
    assert GAME.described("ichi").startswith("A board and orders of our own")


def test_each_way_to_end_has_its_words():
    assert GAME.endings.keys() == {SETTLED, RESIGNED}


def test_areas_of_the_shipped_board_have_the_letters_of_directions_and_others_their_own():
    shipped = shipped_board()
    letters = [area_letter(shipped, area) for area in shipped.areas]
    assert letters == ["n", "e", "s", "w", "m"]
    other = replace(shipped, idle=shipped.idle + 1)
    assert [area_letter(other, area) for area in other.areas] == ["a", "b", "c", "d", "m"]
