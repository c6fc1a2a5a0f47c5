"""The fairness of the board: ``python -m tests.games.kashi.balance --games 1000``.

Plays games between greedy players, or with one of another style, and prints how often each
seat wins and how games end. Won games that are shared count in parts.
"""

import argparse
import time
from collections import Counter
from dataclasses import replace
from statistics import mean

from matcha_p2p.games.kashi.board.board import Area, Board
from matcha_p2p.games.kashi.board.shipped import shipped_board
from matcha_p2p.games.kashi.bots.careless import careless
from matcha_p2p.games.kashi.bots.greedy import Greedy
from matcha_p2p.games.kashi.bots.walker import Style, Walker
from matcha_p2p.games.kashi.rules.settlement import score
from matcha_p2p.games.kashi.rules.state import Ended, GameState
from tests.games.kashi.players import play

STYLES: dict[str, Style] = {
    "greedy": Greedy(),
    "shops": Greedy(worth=2),
    "six": Greedy(shops=6),
    "four": Greedy(shops=4),
    "two": Greedy(shops=2),
    "none": Greedy(shops=0, worth=0),
    "careless": careless,
}


def with_areas(board: Board, values: str) -> Board:
    """Return the board with other values of its areas. values: "8-4-2/6-3-1", m first."""
    middle, others = (tuple(map(int, each.split("-"))) for each in values.split("/"))
    areas = tuple(
        Area(area.letter, middle if area.letter == "m" else others) for area in board.areas
    )
    return replace(board, areas=areas)


def last(board: Board, styles: list[str], seed: int) -> GameState:
    """Return the end of a game, or where it stood after too many turns."""
    bots = [Walker(style, STYLES[style]) for style in styles]
    *_, (_, game) = play(board, bots, seed)
    return game


def report(board: Board, seats: int, games: int, one: str | None, seed: int, base: str) -> str:
    """Return a report on games. one: the style of a changing seat."""
    wins, style, ends = [0.0] * seats, 0.0, Counter[str]()
    played: list[GameState] = []
    began = time.process_time()
    for number in range(games):
        styles = [base] * seats
        if one is not None:
            styles[number % seats] = one
        game = last(board, styles, seed + number)
        played.append(game)
        if not isinstance(game.phase, Ended):
            ends["stalled"] += 1
            continue
        ends["idle" if len(game.drawn) < 28 else "third settlement"] += 1
        for winner in game.phase.winners:
            wins[winner] += 1 / len(game.phase.winners)
            style += (winner == number % seats) / len(game.phase.winners)
    took = (time.process_time() - began) / games
    players = [(game, player) for game in played for player in game.players]
    facts = {
        "rounds": mean(game.turns / seats for game in played),
        "orders each": mean(len(player.orders) for _, player in players),
        "points": mean(score(game.board, player).points for game, player in players),
        "on the track": mean(player.points for _, player in players),
        "shops": mean(len(player.shops) for _, player in players),
    }
    said = " ".join(f"{100 * each / games:.1f}" for each in wins)
    lines = [f"{seats} seats, {games} games: seats win {said} %; {dict(ends)}"]
    if one is not None:
        lines.append(f"  one {one} among {base}: wins {100 * style / games:.1f} %")
    lines.append("  " + ", ".join(f"{name} {value:.1f}" for name, value in facts.items()))
    return "\n".join([*lines, f"  {1000 * took:.0f} ms a game"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seats", type=int, choices=(3, 4), default=3)
    parser.add_argument("--one", choices=STYLES)
    parser.add_argument("--base", choices=STYLES, default="greedy")
    parser.add_argument("--areas", help="8-4-2/6-3-1")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    board = shipped_board()
    if asked.areas:
        board = with_areas(board, asked.areas)
    print(report(board, asked.seats, asked.games, asked.one, asked.seed, asked.base))


if __name__ == "__main__":
    main()
