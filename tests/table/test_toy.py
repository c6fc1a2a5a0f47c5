"""Whole games of the toy: the table plays a game that is not Matcha, for two to four seats."""

import random
from dataclasses import replace
from functools import cache

import pytest

from matcha_p2p.errors import IllegalMoveError
from matcha_p2p.seats import Seat
from matcha_p2p.table.seat import decide, follow
from matcha_p2p.table.step import act, actions_of, adopt, recall, step
from matcha_p2p.table.table import Table, Verb, next_due
from tests.games.toy.steps import Toy
from tests.table.party import Party, begun

GAMES = [(seats, seed) for seats in (2, 3, 4) for seed in range(3)]
more = [(3, seed) for seed in range(3, 40)]
games = pytest.mark.parametrize(
    ("seats", "seed"), [*GAMES, *(pytest.param(*game, marks=pytest.mark.slow) for game in more)]
)


@cache
def course(seats: int, seed: int) -> tuple[Party, tuple[Table, ...]]:
    """Return a party at the end of its game, and each table on the way."""
    party = begun(f"toy {seed}", Toy(seats, Seat(seats - 1)))
    chance = random.Random(seed)
    tables = [party.table]
    while party.goes_on(lambda _: chance.randrange(2)):
        tables.append(party.table)
    return party, tuple(tables)


@games
def test_all_sign_the_result_and_the_highest_card_wins(seats, seed):
    party, (*_, last) = course(seats, seed)
    hands = [player.faces(last, f"hand {player.seat}") for player in party.players]
    chosen = [hand[place] for hand, place in zip(hands, last.game.chosen, strict=True)]
    outcome = [chosen.index(max(chosen))]
    results = [(entry.seat, entry.fields[-1]) for entry in party.entries[-seats:]]
    assert {seat for seat, _ in results} == set(range(seats))
    assert all(fields[:2] == ["RESULT", outcome] for _, fields in results)
    assert next_due(last) is None


@games
def test_one_seat_speaks_at_a_time(seats, seed):
    party, tables = course(seats, seed)
    for table in tables:
        due = next_due(table)
        for player in party.players:
            speaks = due is not None and due.seat == player.seat
            assert (follow(player, table) is not None) == (speaks and not due.decision)
            if not (speaks and due.decision):
                with pytest.raises(IllegalMoveError):
                    decide(player, table, 0)


@games
def test_author_and_all_others_come_to_the_same_table(seats, seed):
    """The author acts, others step, and whoever starts again recalls."""
    party, tables = course(seats, seed)
    for table, entry in zip(tables, party.entries[seats:], strict=False):
        after = table
        for place, action in enumerate(actions_of(entry, table.game)):
            after, _ = act(after, entry.seat, action, place)
        assert adopt(after, entry) == step(table, entry)[0] == recall(table, entry)[0]


@games
def test_every_verb_is_said(seats, seed):
    party, _ = course(seats, seed)
    said = {fields[0] for entry in party.entries for fields in entry.fields}
    assert said == {verb.value for verb in Verb}


@games
def test_seat_reads_its_own_hand_and_open_cards(seats, seed):
    """A restarted program, without the earlier readings, reads the same cards."""
    party, tables = course(seats, seed)
    for table in tables:
        dealt = table.game.stage in ("choose", "show", "over")
        for seated in party.players:
            player = replace(seated, _seen={})
            for name, pile in table.piles.items():
                own = dealt and name == f"hand {player.seat}"
                for card, face in zip(pile, player.faces(table, name), strict=True):
                    assert (face is not None) == (own or card.face is not None)
    last = tables[-1]
    hands = [face for p in party.players for face in p.faces(last, f"hand {p.seat}")]
    assert len(set(hands)) == 2 * seats
    assert [card.face for card in last.piles["rest"]] == [None] * (9 - 2 * seats)
