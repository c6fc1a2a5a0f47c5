"""R12 to R14: what each mat gives, against a chart written from the rules alone."""

from itertools import product

import pytest

from matcha_p2p.games.matcha.rules.cards import DECK, FACES
from matcha_p2p.games.matcha.rules.notation import face
from matcha_p2p.games.matcha.rules.scoring import add, contest

# Each line is the rank seen from one card: what it beats.
BEATS = {"1": "4", "2": "1", "3": "21", "4": "32", "T": "BW", "B": "WS", "W": "S", "S": "T"}


def chart(kind, shown, first, second):
    """Return what both players take, in letters; an empty one is nothing."""
    demanded, compared = (1, 0) if kind == "number" else (0, 1)
    fits = [card != "Z" and card[demanded] == shown[demanded] for card in (first, second)]
    token = shown[0]
    if fits == [True, True]:
        won = second[compared] in BEATS[first[compared]]
        return (token, "") if won else ("", token)
    if fits == [True, False]:
        return token, "K"
    if fits == [False, True]:
        return "K", token
    return "", ""


@pytest.mark.parametrize(("mat", "kind"), [(0, "number"), (1, "suit")])
def test_every_pair_of_cards_at_every_table_card_follows_the_chart(mat, kind):
    """R12, R14, A35: 16 table cards, 17 x 17 pairs of the cards left, both zeros among them."""
    for shown in FACES[:16]:
        left = list(DECK)
        left.remove(shown)
        for one, other in product(range(17), repeat=2):
            if one == other:
                continue
            first, second = left[one], left[other]
            gain = contest(mat, shown, (first, second))
            letters = tuple("" if token is None else token.letter for token in gain)
            assert letters == chart(kind, shown.name, first.name, second.name)


@pytest.mark.parametrize(
    ("mat", "shown", "cards", "gain"),
    [
        (0, "B2", "T2 W2", "B-"),  # E: both match the number, leaf over water
        (1, "T2", "T1 T4", "T-"),  # E, U: a 1 over a 4
        (0, "B2", "W2 S4", "BK"),  # E: a match and a miss
        (1, "T2", "B1 W4", "--"),  # E, U: two misses
        (0, "S2", "B2 T2", "-S"),  # U: leaf over bowl
        (0, "S2", "W1 B2", "KS"),  # U
    ],
)
def test_printed_examples(mat, shown, cards, gain):
    """The examples of the rule books."""
    first, second = cards.split()
    taken = contest(mat, face(shown), (face(first), face(second)))
    assert "".join("-" if token is None else token.letter for token in taken) == gain


@pytest.mark.parametrize("lone", ["T2", "Z"])
def test_card_alone_takes_the_token_unseen_matching_or_not(board, edition, lone):
    """R12, R13, A15: no whisk, and the face never enters the state."""
    slot = {"T2": 1, "Z": 5}[lone]
    table = board(edition).play(f"{slot}a p p" + (" p" if edition.turns else ""))
    number_mat, suit_mat = table.last_round.resolutions
    assert number_mat.cards == (None, None)
    assert number_mat.slots == (slot - 1, None)
    assert not number_mat.revealed
    assert number_mat.gain == (face("T1").suit, None)
    assert (suit_mat.slots, suit_mat.gain) == ((None, None), (None, None))
    assert table.game.tokens == ((1, 0, 0, 0, 0), (0, 0, 0, 0, 0))


def test_both_cards_at_a_mat_are_turned_up_and_stay_in_the_record(board, edition):
    """R12, A14."""
    table = board(edition).play("3a 4a 5b 2b")
    number_mat, suit_mat = table.last_round.resolutions
    assert [card.name for card in number_mat.cards] == ["W1", "S1"]
    assert [card.name for card in suit_mat.cards] == ["Z", "B4"]
    assert number_mat.revealed
    assert suit_mat.revealed
    assert table.game.tokens == ((1, 0, 0, 0, 1), (0, 1, 0, 0, 0))


def test_number_mat_is_resolved_first_and_both_before_the_win(board, edition):
    """R12, A3: the second mat still counts when the first would already win."""
    table = board(edition).having((1, 3, 0, 0, 0), (3, 1, 0, 0, 0))
    table.play("5a 4a 2b 5b")
    assert [resolution.mat for resolution in table.last_round.resolutions] == [0, 1]
    assert table.game.tokens == ((1, 4, 0, 0, 1), (4, 1, 0, 0, 1))
    assert table.phase.how.value == "tie-break"
    assert table.phase.winner == 1


def test_supply_never_limits_play():
    """R4, A25."""
    assert add((7, 0, 0, 0, 10), (face("T1").suit, None)) == (8, 0, 0, 0, 10)
