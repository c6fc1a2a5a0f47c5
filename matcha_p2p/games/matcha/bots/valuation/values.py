"""The chance to win from the tokens at the beginning of a set, by a small network.

``.tools/training/values.py`` makes the file for an edition. The inputs are the tokens of
both players. The contribution of each player's tokens is cached, so the network costs a few
microseconds for tokens seen before.
"""

import functools
import json
import math
from collections.abc import Sequence
from operator import add
from pathlib import Path
from typing import Final, TypeAlias, cast

from matcha_p2p.games.matcha.rules.cards import Token
from matcha_p2p.games.matcha.rules.edition import EDITIONS, Edition
from matcha_p2p.games.matcha.rules.scoring import Tokens

Row: TypeAlias = Sequence[float]
Stored: TypeAlias = dict[str, list[list[float]]]
"""The file of a network: ``rows``, and ``out`` with the one row of the output."""

FOLDER: Final = Path(__file__).parent / "tables"


class Network:
    """One hidden layer of tanh, and a logistic output.

    rows: the weights from each input to the hidden units. The inputs are the dealer's tokens,
    the opponent's tokens, the lead and the bias, in this order. out: the weights of the hidden
    units, and a bias.
    """

    def __init__(self, inputs: int, rows: Sequence[Row], out: Row) -> None:
        """Take the weights. inputs: the number of inputs for one player's tokens."""
        self.dealer: Final = rows[:inputs]
        self.other: Final = rows[inputs : 2 * inputs]
        self.lead: Final = rows[2 * inputs]
        self.bias: Final = rows[2 * inputs + 1]
        self.out: Final = out


class Values:
    """The chances at the beginning of a set, of one edition."""

    def __init__(self, edition: Edition, network: Network) -> None:
        """Take the network of ``edition``."""
        self._edition: Final = edition
        self._network: Final = network
        self._dealer: Final[dict[Tokens, Row]] = {}
        self._other: Final[dict[Tokens, Row]] = {}

    @classmethod
    @functools.cache  # two editions
    def of(cls, edition: Edition) -> "Values":
        """Return the shipped values, read at their first use."""
        stored = stored_network(edition)
        network = Network(input_count(edition), stored["rows"], stored["out"][0])
        return cls(edition, network)

    def chance(self, dealer: Tokens, other: Tokens) -> float:
        """Return the chance of the dealer of the next set to win; a draw is half a win."""
        network = self._network
        first = self._dealer.get(dealer)
        if first is None:
            first = self._dealer[dealer] = self._part(network.dealer, dealer, network.bias)
        second = self._other.get(other)
        if second is None:
            second = self._other[other] = self._part(network.other, other)
        sums = map(add, first, second)
        if dealer != other:
            sums = (
                map(add, sums, network.lead)
                if dealer > other
                else map(float.__sub__, sums, network.lead)
            )
        *weights, bias = network.out
        total = bias + math.fsum(map(float.__mul__, weights, map(math.tanh, sums)))
        return 1 / (1 + math.exp(-total))

    def _part(self, rows: Sequence[Row], tokens: Tokens, bias: Row | None = None) -> Row:
        chosen = [rows[at] for at in inputs_of(self._edition, tokens)]
        if bias is not None:
            chosen.append(bias)
        return [float(sum(column)) for column in zip(*chosen, strict=True)]


def stored_network(edition: Edition) -> Stored:
    """Return the stored network of ``edition``."""
    text = (FOLDER / f"values-{edition.name}.json").read_text(encoding="ascii")
    return cast("Stored", json.loads(text))


def page_network(variant: str) -> dict[str, Sequence[Row] | Row]:
    """Return the network from which a page computes the chances at the beginning of a set."""
    stored = stored_network(EDITIONS[variant])
    return {"rows": stored["rows"], "out": stored["out"][0]}


def input_count(edition: Edition) -> int:
    """Return how many inputs describe one player's tokens."""
    return sum(_needed(edition, token) - 1 for token in Token) + 10


def inputs_of(edition: Edition, tokens: Tokens) -> list[int]:
    """Return the inputs that are on: one for each token, the missing kinds, the threats."""
    on: list[int] = []
    start = 0
    for token in Token:
        most = _needed(edition, token) - 1
        on.extend(range(start, start + min(tokens[token], most)))
        start += most
    threats = sum(tokens[token] >= _needed(edition, token) - 1 for token in Token)
    on.append(start + min(tokens.count(0), 4))
    on.append(start + 5 + min(threats, 4))
    return on


def _needed(edition: Edition, token: Token) -> int:
    return edition.whisks_alike if token is Token.WHISK else edition.suits_alike
