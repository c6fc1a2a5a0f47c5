"""The past of a set: turns, rounds, and the outcome of each mat."""

from typing import Annotated, Final, NamedTuple, TypeAlias

from matcha_p2p.games.matcha.rules.cards import Face
from matcha_p2p.games.matcha.rules.moves import MatNumber, Pass, Play, Slot
from matcha_p2p.games.matcha.rules.scoring import Gain, Tokens
from matcha_p2p.games.matcha.rules.seats import Seat
from matcha_p2p.games.plain import Natural, number


class Turn(NamedTuple):
    """One turn of a round. auto: an automatic pass of a seat without a card to lay (R11)."""

    seat: Seat
    move: Play | Pass
    auto: bool = False


class Resolution(NamedTuple):
    """The outcome of a mat, each pair by seat.

    cards: the faces if both seats had laid a card; else (None, None). slots: the slots of the
    cards; None if the seat laid no card.
    """

    mat: MatNumber
    cards: tuple[Face | None, Face | None]
    slots: tuple[Slot | None, Slot | None]
    gain: Gain

    @property
    def revealed(self) -> bool:
        """Tell whether the cards were turned up, because both seats had laid a card."""
        return self.cards[0] is not None


Laid: TypeAlias = tuple[Slot | None, Slot | None]
NOTHING_LAID: Final[tuple[Laid, Laid]] = ((None, None), (None, None))


class Round(NamedTuple):
    """One pair of mats played out.

    number: 1..3. laid: by seat the slots of its cards at the number mat and the suit mat, None
    for no card. resolutions: empty until the round is resolved, then number mat, suit mat.
    tokens: of each seat after the round; before the round while unresolved.
    """

    number: Annotated[int, number(1, 3)]
    turns: tuple[Turn, ...]
    laid: tuple[Laid, Laid]
    resolutions: tuple[Resolution, ...]
    tokens: tuple[Tokens, Tokens]

    def tokens_before(self, seat: Seat) -> Tokens:
        """Return the tokens of ``seat`` as the round began."""
        counts = list(self.tokens[seat])
        for resolution in self.resolutions:
            token = resolution.gain[seat]
            if token is not None:
                counts[token] -= 1
        leaf, bowl, water, scoop, whisk = counts
        return leaf, bowl, water, scoop, whisk

    def slot_at(self, seat: Seat, mat: int) -> int | None:
        """Return the slot of ``seat``'s card at ``mat``, a mat of the round, or None."""
        return self.laid[seat][mat % 2]


class PastSet(NamedTuple):
    """A finished set, as an onlooker has seen the set.

    kept: how many cards each seat kept into the set.
    """

    number: Natural
    dealer: Seat
    table: tuple[Face, ...]
    rounds: tuple[Round, ...]
    kept: tuple[Natural, Natural]
