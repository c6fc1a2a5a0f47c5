"""The search keeps to visible cards, repeats its result, and finds plain moves."""

import random
from dataclasses import replace

import pytest

from matcha_p2p.games.matcha.bots.roster import BOTS
from matcha_p2p.games.matcha.bots.solving.course import NOWHERE, running_course
from matcha_p2p.games.matcha.bots.solving.masks import award, mat_of, pack_tokens, unpack_tokens
from matcha_p2p.games.matcha.bots.solving.search import Search
from matcha_p2p.games.matcha.rules.cards import DECK, FACES, ZERO
from matcha_p2p.games.matcha.rules.edition import EDITION_2020, EDITIONS
from matcha_p2p.games.matcha.rules.game import (
    advance,
    deal,
    is_out,
    legal_moves,
    new_game,
    place,
)
from matcha_p2p.games.matcha.rules.moves import PASS, Play
from matcha_p2p.games.matcha.rules.notation import faces, parse_move
from matcha_p2p.games.matcha.rules.observation import observe
from matcha_p2p.games.matcha.rules.phases import Placing
from matcha_p2p.games.matcha.rules.scoring import NO_TOKENS, add, contest
from tests.games.matcha.bots.positions import few_or, observations

TABLE = faces("T1 B2 W3 S4 T4 B1")
HAND = faces("T3 B4 W2 S1 Z")


def at(edition, text="", tokens=(NO_TOKENS, NO_TOKENS)):
    game = deal(new_game(edition, 0), TABLE)._replace(tokens=tokens)
    for move in text.split():
        game = place(game, parse_move(move))
    return game


def test_packed_tokens_are_compared_as_tokens_are():
    rng = random.Random(1)
    some = [tuple(rng.randrange(8) for _ in range(5)) for _ in range(60)]
    assert [unpack_tokens(pack_tokens(tokens)) for tokens in some] == some
    assert sorted(some) == sorted(some, key=pack_tokens)


@pytest.mark.parametrize("mat", [0, 1])
def test_bits_settle_a_mat_as_the_rules_do(mat):
    """Every two cards on every table card."""
    for shown in FACES[:16]:
        others = [face for face in FACES if face != shown]
        for first in others:
            for second in others:
                if first == second and first.suit is not None:
                    continue
                gained = contest(mat, shown, (first, second))
                tokens = [0, 0]
                award(mat_of(mat, shown), 1 << first.index, 1 << second.index, tokens)
                expected = [pack_tokens(add(NO_TOKENS, (token,))) for token in gained]
                assert tokens == expected


@few_or(30, few=3)
@pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda it: it.name)
def test_course_is_that_of_the_rules(edition, count):
    """The seat to move, and the cards that may still be laid, after every turn."""
    for seen in observations(edition, "course", games=count, bots=("uniform", "uniform")):
        game = seen.game
        if not isinstance(game.phase, Placing):
            continue
        course = running_course(game)
        assert course.to_move == game.phase.to_move
        plays = {move.mat % 2 for move in legal_moves(game) if isinstance(move, Play)}
        assert plays == (set(course.free(seen.seat)) if game.hands[seen.seat] else set())
        turns = game.rounds[-1].turns
        assert (course.left(1 - seen.seat) == 0) or not is_out(edition, turns, 1 - seen.seat)
        after = course.after(NOWHERE)
        game = place(game, parse_move("p"))
        to_move = game.phase.to_move if isinstance(game.phase, Placing) else None
        if len(game.rounds) == len(seen.game.rounds) and to_move is not None:
            assert after.to_move == to_move


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda it: it.name)
def test_same_seed_finds_the_same(edition):
    seen = observe(at(edition, "1a"), 1, HAND)
    first, second = (Search(seen, random.Random(3)).run(200) for _ in range(2))
    assert first == second
    assert sum(choice.visits for choice in first) == 200
    assert {choice.move for choice in first} == set(seen.legal_moves())


def test_a_card_that_wins_is_laid():
    """A leaf lies on mat a, and would be the third leaf."""
    game = at(EDITION_2020, "", ((2, 0, 0, 0, 0), NO_TOKENS))
    own = observe(game, 0, faces("B3 S1 W4 S2 Z"))
    best = Search(own, random.Random(1)).run(600)[0]
    assert isinstance(best.move, Play)
    assert best.move.mat == 0


@few_or(5)
@pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda it: it.name)
@pytest.mark.parametrize("name", ["keen", "strong", "expert"])
def test_decisions_do_not_change_when_hidden_cards_are_dealt_anew(
    libraries, name, edition, count
):
    """The other passes all the time, so all its cards stay hidden."""
    bot = BOTS[name] if name == "expert" else replace(BOTS[name], iterations=40)
    hidden = [face for face in DECK if face not in {*TABLE, *HAND}] + [ZERO]
    decided = set()
    for seed in range(count):
        random.Random(seed).shuffle(hidden)
        hands = (HAND, tuple(hidden[:5]))
        game, rng, moves = at(edition), random.Random(7), []
        while isinstance(game.phase, Placing):
            seat = game.phase.to_move
            move = PASS if seat else bot.choose(observe(game, seat, hands[seat]), rng)
            moves.append(move)
            game = advance(game, move, hands)
        decided.add(tuple(moves))
    assert len(decided) == 1
