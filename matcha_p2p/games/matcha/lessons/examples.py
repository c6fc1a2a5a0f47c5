"""Worked examples of the rules: the situation is data, the outcome is computed by the rules."""

from dataclasses import dataclass
from typing import Final

from matcha_p2p.games.matcha.rules.cards import FACES, ZERO, Face, Hand, Token
from matcha_p2p.games.matcha.rules.edition import EDITION_2015
from matcha_p2p.games.matcha.rules.game import advance, deal, new_game
from matcha_p2p.games.matcha.rules.history import Resolution
from matcha_p2p.games.matcha.rules.moves import PASS, Play
from matcha_p2p.games.matcha.rules.notation import face
from matcha_p2p.games.matcha.rules.scoring import Tokens
from matcha_p2p.games.matcha.rules.seats import SEATS, Seat
from matcha_p2p.games.matcha.words.narrator import PointOfView, explain_mat
from matcha_p2p.games.matcha.words.words import SOME_TOKENS, tokens_words
from matcha_p2p.language import Sentence

OTHER: Final = "Mina"
"""The other player of all examples."""


@dataclass(frozen=True, slots=True)
class Example:
    """The cards on one mat of the first round, 0 or 1.

    title: the point of the example. shown: the mat's card. yours, theirs: the cards laid, or
    None.
    """

    title: Sentence
    mat: int
    shown: Face
    yours: Face | None
    theirs: Face | None


EXAMPLES: Final = (
    Example(
        Sentence("Example: scoop beats leaf, though leaf is first in the order."),
        0, face("B3"), face("S3"), face("T3"),
    ),
    Example(
        Sentence("Example: 1 beats only 4."),
        1, face("W2"), face("W4"), face("W1"),
    ),
    Example(
        Sentence("Example: in the middle of the order the higher card wins."),
        1, face("T1"), face("T3"), face("T2"),
    ),
    Example(
        Sentence("Example: a zero's bluff is called."),
        1, face("W1"), ZERO, face("W2"),
    ),
    Example(
        Sentence("Example: the right suit does not help where the number is asked for."),
        0, face("S4"), face("S2"), face("B4"),
    ),
    Example(
        Sentence("Example: two bluffs meet."),
        0, face("T3"), face("W1"), ZERO,
    ),
    Example(
        Sentence("Example: alone on a mat, a zero is as good as any other card."),
        0, face("B4"), ZERO, None,
    ),
)  # fmt: skip
"""Each example is explained to the player who laid ``yours``."""

TIE: Final = Sentence(
    "Example: after a round you hold {mine}; {name} holds {theirs}. Both of you have met a "
    "condition."
)
TIE_DECIDED: Final = Sentence("- You win: more {tokens}, {more} to {fewer}.")
TIED: Final[tuple[Tokens, Tokens]] = ((1, 2, 0, 1, 4), (1, 1, 1, 1, 1))
"""The tokens of the example TIE, yours first."""


def tell_example(example: Example) -> tuple[str, ...]:
    """Return an example with its reasons, card by card."""
    view = PointOfView(("", OTHER), you=Seat(0))
    told = explain_mat(play_example(example), example.shown, view)
    return example.title(), *(f"- {line}" for line in told)


def play_example(example: Example) -> Resolution:
    """Play the example by the rules; return the outcome of its mat. You have seat 0."""
    laid = (example.yours, example.theirs)
    table, hands = _dealt(example)
    game = deal(new_game(EDITION_2015, Seat(0)), table)
    for seat in SEATS:
        game = advance(game, PASS if laid[seat] is None else Play(example.mat, 0), hands)
    while not game.rounds[0].resolutions:
        game = advance(game, PASS, hands)
    return game.rounds[0].resolutions[example.mat]


def tell_tie() -> tuple[str, ...]:
    """Return an example in which both players meet a condition, and the tokens that decide."""
    first = next(token for token in Token if TIED[0][token] != TIED[1][token])
    mine, theirs = (tokens_words(own) for own in TIED)
    more, fewer = (own[first] for own in TIED)
    return (
        TIE(mine=mine, name=OTHER, theirs=theirs),
        TIE_DECIDED(tokens=SOME_TOKENS[first](), more=more, fewer=fewer),
    )


def _dealt(example: Example) -> tuple[Hand, tuple[Hand, Hand]]:
    """Return a table and hands with the cards of the example in place among other cards."""
    used = (example.shown, example.yours, example.theirs)
    spare = [each for each in FACES if each != ZERO and each not in used]
    table = [*spare[:5]]
    table.insert(example.mat, example.shown)
    first, second = (each or spare[5 + seat] for seat, each in enumerate(used[1:]))
    return tuple(table), ((first, *spare[7:11]), (second, *spare[9:13]))
