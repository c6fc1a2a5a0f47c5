"""The snapshot field by field: its digest is on the wire, so its form is fixed."""

from matcha_p2p.games.matcha.rules.edition import EDITION_2015, EDITION_2020
from matcha_p2p.games.matcha.rules.game import draw, new_game, resign, reveal
from matcha_p2p.games.matcha.rules.notation import face
from matcha_p2p.games.matcha.rules.phases import Ended, How
from matcha_p2p.games.matcha.rules.snapshot import snapshot

NONE = [0, 0, 0, 0, 0]
SHOWN = [0, 5, 10, 15, 3, 4]
ALL = [0, 1, 2, 3, 4]


def test_snapshot_before_the_first_deal_agrees():
    assert snapshot(new_game(EDITION_2015, 1)) == [
        "2015", 1, 1, [], [[], []], [], [NONE, NONE], 0, [0, 0], ["deal"],
    ]  # fmt: skip


def test_while_cards_are_laid(board):
    """A card alone: no face is there."""
    assert snapshot(board(EDITION_2015).play("3b p p p").game) == [
        "2015", 1, 0, SHOWN, [[0, 1, 3, 4], ALL],
        [
            [1, [["play", 0, 1, 2], ["pass", 1, 0], ["pass", 0, 0]],
             [[0, [], [], [], []], [1, [], [], [1], []]], [0, 1, 0, 0, 0], NONE],
            [2, [["pass", 0, 0]], [], [0, 1, 0, 0, 0], NONE],
        ],
        [[0, 1, 0, 0, 0], NONE], 0, [0, 0], ["place", 1],
    ]  # fmt: skip


def test_while_cards_are_turned_up(board):
    assert snapshot(board(EDITION_2020).place("3a 4a p p").game) == [
        "2020", 1, 0, SHOWN, [[0, 1, 3, 4], [0, 1, 2, 4]],
        [[1, [["play", 0, 0, 2], ["play", 1, 0, 3], ["pass", 0, 0], ["pass", 1, 0]], [], NONE,
          NONE]],
        [NONE, NONE], 0, [0, 0], ["reveal", [0], [0], [], []],
    ]  # fmt: skip


def test_snapshot_after_one_seat_has_turned_up_agrees(board):
    table = board(EDITION_2020).place("1a 1b 2b 2a")
    cards = [{0: face("T2"), 1: face("B3")}, {0: face("B4"), 1: face("T3")}]
    halves = [reveal(table.game, seat, cards[seat]) for seat in (0, 1)]
    assert [snapshot(half)[9] for half in halves] == [
        ["reveal", [], [0, 1], [1, 6], []],
        ["reveal", [0, 1], [], [], [7, 2]],
    ]


def test_while_cards_are_kept_and_automatic_passes(board):
    table = board(EDITION_2015).play("p p p p 1e 4e 2f 5f")
    assert snapshot(table.game)[5][2] == [
        3,
        [["play", 0, 4, 0], ["play", 1, 4, 3], ["play", 0, 5, 1], ["play", 1, 5, 4],
         ["pass", 0, 1], ["pass", 1, 1]],
        [[4, [1], [12], [], []], [5, [6], [16], [1], [4]]],
        [0, 1, 0, 0, 0], [0, 0, 0, 0, 1],
    ]  # fmt: skip
    assert snapshot(table.game)[9] == ["keep"]
    assert snapshot(table.keep({3}, set()).game)[8:] == [[1, 0], ["deal"]]


def test_further_rounds_are_marked(board):
    tied = (0, 0, 0, 0, 4)
    assert snapshot(board(EDITION_2015).having(tied, tied).play("p p").game)[7] == 1


def test_end():
    game = new_game(EDITION_2020, 0)
    assert snapshot(draw(game))[9] == ["end", [], "draw"]
    assert snapshot(resign(game, 0))[9] == ["end", [1], "resigned"]


def test_every_way_to_end_has_its_word():
    words = ["alike", "five-kinds", "tie-break", "further-rounds", "last-set"]
    words += ["draw", "resigned"]
    game = new_game(EDITION_2020, 0)
    ends = [snapshot(game._replace(phase=Ended(0, how)))[9] for how in How]
    assert ends == [["end", [0], word] for word in words]
