"""The independent verifier judges boards and turns as matcha_p2p does, lawful or not."""

import json
import random
from itertools import islice
from typing import Any

import pytest

from matcha_p2p.games.kashi.rules import game as rules
from matcha_p2p.games.kashi.rules.choices import legal_actions
from matcha_p2p.games.kashi.rules.moves import TakeTurn, TurnAction
from matcha_p2p.games.kashi.rules.refusal import RefusedError
from matcha_p2p.games.kashi.rules.state import GameState, Turn
from matcha_p2p.games.kashi.table.signed import read, signed
from matcha_p2p.games.kashi.table.steps import Kashi, new_game
from matcha_p2p.games.kashi.table.written import board_of, text_of
from tests.games.kashi.players import CARELESS, GREEDY, play
from tests.games.kashi.rules.positions import BOARD
from tests.judges import VERIFIER

TEXT = text_of(BOARD)
DISTURBING = [
    *(-1, 0, 1, 2, 4, 20, 99, 100, 999, 1000, 1.0, 1e5, True, None, [], {}, [[]]),
    *("", "a", "é", "😀", "\ud800", "3,4", "1,1", "x  y", " x", "rice", "shop/2"),
]


def is_board(text: str) -> bool:
    """Tell whether both take ``text`` for a board, or neither."""
    if board_of(text):
        assert VERIFIER["kashi_board"].read_board(text).text == text
        return True
    with pytest.raises(VERIFIER["codec"].CheckError, match="E_GAME"):
        VERIFIER["kashi_board"].read_board(text)
    return False


def changed(data, rng):
    """Return the data of a board with a single value taken out, doubled or replaced."""
    data = json.loads(json.dumps(data))
    node = data
    while True:
        place = rng.randrange(len(node))
        if not (isinstance(node[place], list) and node[place]) or rng.random() < 0.15:
            break
        node = node[place]
    match rng.randrange(5):
        case 0:
            del node[place]
        case 1:
            node.insert(place, node[place])
        case 2:
            other = rng.randrange(len(node))
            node[place], node[other] = node[other], node[place]
        case 3 if isinstance(node[place], int):
            node[place] += rng.choice([1, -1])
        case _:
            node[place] = rng.choice(DISTURBING)
    return data


def test_text_of_each_changed_board_is_judged_alike():
    rng = random.Random("boards")
    data = json.loads(TEXT)
    judged = [
        is_board(json.dumps(changed(data, rng), separators=(",", ":"))) for _ in range(100)
    ]
    assert 10 < sum(judged) < 90


@pytest.mark.slow
def test_texts_of_many_changed_boards_are_judged_alike():
    rng = random.Random("many boards")
    data = json.loads(TEXT)
    for _ in range(5000):
        once = changed(data, rng)
        is_board(json.dumps(changed(once, rng) if once else once, separators=(",", ":")))


@pytest.mark.parametrize(
    "text",
    [
        *("", "[", "[" * 100_000, "null", "[1,2]", f" {TEXT}", f"{TEXT} ", "1" * 5000),
        TEXT.replace("],20]", "],-0]"),
        TEXT.replace("],20]", "],2e1]"),
        TEXT.replace("],20]", "],NaN]"),
        TEXT.replace('"rice"', '"r\\u0069ce"'),
        TEXT.replace("rice", "café"),
        TEXT.replace('"a",[', '"A",['),
    ],
)
def test_other_texts_of_a_board_are_refused(text):
    assert not is_board(text)


def test_names_of_a_board_may_have_any_admitted_letter():
    assert is_board(TEXT.replace("rice", "caf\\u00e9"))
    assert is_board(TEXT.replace("rice", "\\ud840\\udc00"))


# --- turns ---------------------------------------------------------------------------------


def theirs(game: Kashi) -> Any:
    """Return the verifier's game in the same state."""
    found = VERIFIER["kashi"].Kashi(game.variant, game.seats)
    found.begin(None).then(bytes(32))
    *values, players = unshared(game.snapshot())
    found.first, found.phase, found.turns, found.settlements, *rest = values
    found.quiet, found.drawn, found.row = rest
    names = ("person", "gold", "goods", "points", "shops", "hand", "aside", "done")
    for player, values in zip(found.players, players, strict=True):
        vars(player).update(zip(names, values, strict=True))
    return found


def unshared(value: Any) -> Any:
    """Return a value whose arrays are lists of its own."""
    return [*map(unshared, value)] if isinstance(value, list | tuple) else value


def walk(state: GameState, rng: random.Random) -> list[int]:
    """Return a legal turn of random actions, in the signed form."""
    made: list[TurnAction] = []
    while isinstance(state.phase, Turn) and (legal := legal_actions(state)):
        kinds = sorted({type(action).__name__ for action in legal})
        kind = rng.choice(kinds)
        made.append(rng.choice([each for each in legal if type(each).__name__ == kind]))
        state = rules.act(state, made[-1])
    _, *numbers = signed(BOARD, TakeTurn(tuple(made)))
    return [number for number in numbers if isinstance(number, int)]


def disturbed(actions: list[int], rng: random.Random) -> list[int]:
    """Return a turn with another action in a place, or with an action more."""
    square = 100 * rng.randint(1, 7) + rng.randint(1, 7)
    order = 1_000_000 * rng.randint(1, 30)
    action = rng.choice(
        [
            *(0, 1, rng.randint(2, 7), 10_000, 10_000 + square),
            *(100_000 + 10 * square, 100_001 + 10 * square + rng.randrange(4)),
            *(order, order + 10_000, order + rng.randint(1, 5), order + 20_000 + square),
            rng.randint(0, 31_000_000),
        ]
    )
    place = rng.randint(0, len(actions))
    return [*actions[:place], action, *actions[place + rng.randrange(2) :]]


def is_lawful(game: Kashi, actions: list[int]) -> bool:
    """Tell whether both take a turn and come to the same state, or both refuse the turn."""
    seat = game.state.due
    assert seat is not None
    other = theirs(game)
    try:
        after = rules.choose(game.state, seat, read(BOARD, ("turn", *actions)))
    except RefusedError:
        with pytest.raises(VERIFIER["codec"].CheckError, match="E_RULE"):
            other.judge(seat, ["turn", *actions])
        return False
    other.judge(seat, ["turn", *actions])
    other._moved({seat: ["turn", *actions]})
    ours = game._replace(state=after, closer=seat).snapshot()
    assert VERIFIER["codec"].pack(other.state()) == VERIFIER["codec"].pack(ours)
    return True


def judged(seats: int, seed: int, every: int) -> list[bool]:
    """Judge turns at each ``every``-th place of a game of bots, lawful or not."""
    rng = random.Random(seed)
    game = new_game("ichi", seats)
    assert game is not None
    found: list[bool] = []
    for _, state in islice(
        play(BOARD, [CARELESS, *[GREEDY] * (seats - 1)], seed), 0, None, every
    ):
        if isinstance(state.phase, Turn):
            for count in range(4):
                actions = walk(state, rng)
                for _ in range(count):
                    actions = disturbed(actions, rng)
                found.append(is_lawful(game._replace(state=state, drawn=True), actions))
    return found


def test_turns_are_judged_alike():
    found = judged(3, 1, every=10)
    assert 0.2 < sum(found) / len(found) < 0.8


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_many_turns_are_judged_alike(seed):
    judged(3 + seed % 2, seed, every=1)
