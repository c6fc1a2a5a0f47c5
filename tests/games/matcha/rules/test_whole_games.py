"""Whole games at random: what holds in every state of every game."""

import random
from collections import Counter
from itertools import pairwise

import pytest

from matcha_p2p.games.matcha.rules.cards import DECK, ZERO
from matcha_p2p.games.matcha.rules.edition import EDITION_2015
from matcha_p2p.games.matcha.rules.game import (
    deal,
    keep,
    legal_keeps,
    legal_moves,
    new_game,
    place,
    resign,
    reveal,
)
from matcha_p2p.games.matcha.rules.moves import Pass, Play
from matcha_p2p.games.matcha.rules.phases import (
    AwaitingDeal,
    Ended,
    How,
    Keeping,
    Placing,
    Revealing,
)
from matcha_p2p.games.matcha.rules.snapshot import snapshot

SEEDS = range(25)


class Course:
    """A game at random: every state, the public step that led there, the cards of each set."""

    def __init__(self, edition, seed):
        self.rng = random.Random(f"{edition.name} {seed}")
        self.states = [new_game(edition, seed % 2)]
        self.steps = []
        self.deals = []
        self.hands = ((), ())
        while not isinstance(self.states[-1].phase, Ended):
            self.advance(self.states[-1])

    def step(self, function, *arguments):
        self.steps.append((function, arguments))
        self.states.append(function(self.states[-1], *arguments))

    def advance(self, game):
        match game.phase:
            case AwaitingDeal():
                self.deal(game)
            case Placing():
                self.step(place, self.rng.choice(legal_moves(game)))
            case Revealing(due):
                seat = self.rng.choice([seat for seat in (0, 1) if due[seat]])
                running, hand = game.rounds[-1], self.hands[seat]
                faces = {mat: hand[running.slot_at(seat, mat)] for mat in due[seat]}
                self.step(reveal, seat, faces)
            case Keeping():
                first, second = (
                    self.rng.choice(legal_keeps(game, seat)).slots for seat in (0, 1)
                )
                self.step(keep, (first, second))

    def deal(self, game):
        """Deal as R6 and R16 say: kept cards stay, no zero on the table, two aside."""
        kept = [[self.hands[seat][slot] for slot in game.hands[seat]] for seat in (0, 1)]
        pool = list(DECK)
        for card in (*kept[0], *kept[1]):
            pool.remove(card)
        suited = [card for card in pool if card != ZERO]
        table = self.rng.sample(suited, 6)
        pool = [card for card in pool if card not in table]
        self.rng.shuffle(pool)
        self.hands = tuple(
            tuple(own + [pool.pop() for _ in range(5 - len(own))]) for own in kept
        )
        self.deals.append((table, *self.hands, pool))
        self.step(deal, tuple(table))


@pytest.fixture(scope="module")
def courses():
    """Return the games of an edition, each played once."""
    played = {}

    def of(edition):
        if edition not in played:
            played[edition] = [Course(edition, seed) for seed in SEEDS]
        return played[edition]

    return of


def test_every_deal_is_eighteen_cards_two_of_them_aside(courses, edition):
    """R6, R16, A10: with kept cards too."""
    for course in courses(edition):
        for table, first, second, aside in course.deals:
            assert Counter([*table, *first, *second, *aside]) == Counter(DECK)
            assert len(aside) == 2


@pytest.mark.slow
def test_observer_of_public_moves_arrives_at_the_same_states(courses, edition):
    for course in courses(edition):
        seen = new_game(edition, course.states[0].dealer)
        for (function, arguments), state in zip(course.steps, course.states[1:], strict=True):
            seen = function(seen, *arguments)
            assert seen == state
            assert snapshot(seen) == snapshot(state)


def test_snapshot_differs_after_every_step(courses, edition):
    for course in courses(edition):
        shots = [repr(snapshot(state)) for state in course.states]
        assert len(set(shots)) == len(shots)


def test_snapshot_is_nested_lists_of_small_numbers_and_ascii(courses, edition):
    def plain(value):
        if isinstance(value, list):
            return all(plain(item) for item in value)
        if isinstance(value, str):
            return value.isascii()
        return type(value) is int and 0 <= value < 256

    for course in courses(edition):
        for state in course.states:
            assert type(snapshot(state)) is list
            assert plain(snapshot(state))


def test_tokens_only_grow_and_a_round_gives_at_most_four(courses, edition):
    for course in courses(edition):
        for before, after in pairwise(course.states):
            gained = [
                new - old
                for seat in (0, 1)
                for old, new in zip(before.tokens[seat], after.tokens[seat], strict=True)
            ]
            assert min(gained) >= 0
            assert sum(gained) <= 4


def test_hands_and_cards_laid_are_five_slots(courses, edition):
    for course in courses(edition):
        for state in course.states:
            if not isinstance(state.phase, Placing | Revealing):
                continue
            for seat in (0, 1):
                laid = [
                    turn.move.slot
                    for played in state.rounds
                    for turn in played.turns
                    if turn.seat == seat and isinstance(turn.move, Play)
                ]
                assert sorted([*laid, *state.hands[seat]]) == list(range(5))


def test_rounds_are_played_in_order_and_resolved_once(courses, edition):
    for course in courses(edition):
        for state in course.states:
            numbers = [played.number for played in state.rounds]
            assert numbers == list(range(1, len(numbers) + 1))
            for played in state.rounds[:-1]:
                assert [resolution.mat for resolution in played.resolutions] == [
                    2 * played.number - 2,
                    2 * played.number - 1,
                ]


def test_dealers_take_turns(courses, edition):
    """R15."""
    for course in courses(edition):
        for state in course.states:
            assert state.dealer == (course.states[0].dealer + state.number - 1) % 2


def test_first_turn_of_a_round_is_never_automatic(courses, edition):
    """A38: before round 3 four cards at most are gone."""
    for course in courses(edition):
        for state in course.states:
            for played in state.rounds:
                assert not any(turn.auto for turn in played.turns[:1])


def test_2020_round_is_two_turns_each_from_the_dealer(courses, edition):
    """R10."""
    if edition.turns is None:
        return
    for course in courses(edition):
        assert course.states[-1].number <= 2
        for state in course.states:
            for played in state.rounds[:-1]:
                first = state.rounds[0].turns[0].seat
                assert [turn.seat for turn in played.turns] == [first, 1 - first] * 2


def test_2015_nobody_moves_after_passing(courses, edition):
    """R10."""
    if edition.turns is not None:
        return
    for course in courses(edition):
        for state in course.states:
            for played in state.rounds[:-1]:
                for seat in (0, 1):
                    own = [turn.move for turn in played.turns if turn.seat == seat]
                    assert [isinstance(move, Pass) for move in own] == [False] * (
                        len(own) - 1
                    ) + [True]


def test_games_end_in_many_ways_also_by_both_meeting_a_condition(courses):
    """R19: the tie-break is a main rule; leftover cards are kept now and then."""
    ends = Counter(course.states[-1].phase.how for course in courses(EDITION_2015))
    assert {How.ALIKE, How.FIVE_KINDS, How.TIE_BREAK} <= set(ends)
    assert any(sum(state.kept) for course in courses(EDITION_2015) for state in course.states)


def test_resignation_changes_the_snapshot_of_any_state(courses, edition):
    for state in courses(edition)[0].states[:-1]:
        shots = {repr(snapshot(game)) for game in (state, resign(state, 0), resign(state, 1))}
        assert len(shots) == 3
