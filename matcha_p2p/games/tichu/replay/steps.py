"""A verified game of Tichu as a list of steps (``review/steps.py``)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from matcha_p2p.chain.verify import Report
from matcha_p2p.games.tichu.review.rounds import Hands, played_rounds
from matcha_p2p.games.tichu.rules.round import SEATS
from matcha_p2p.games.tichu.table import events
from matcha_p2p.games.tichu.table.steps import Tichu
from matcha_p2p.games.tichu.words.onlooker import Onlooker
from matcha_p2p.review import steps
from matcha_p2p.review.steps import ReplayStep, Viewpoint
from matcha_p2p.seats import Seat

NO_HANDS: Final[Hands] = ((),) * len(SEATS)


@dataclass(frozen=True, slots=True)
class TichuReplay(steps.Replay[events.TichuEvent, Tichu]):
    """A whole game, or as far as it has come.

    The last cards of a round lie until the next round begins. The hands of a step are those of
    its round after the exchange, () each while the round is not over. A page shows the round,
    and at the first lead who gave which faces, if all books are open.
    """

    def sentences(self, at: int, view: Viewpoint | None = None) -> list[str]:
        """Return the sentences about step ``at``; the first lead tells hands that lie open."""
        step = self.steps[at]
        if not isinstance(step.event, events.MahJongShown):
            return [*step.said]
        hands = step.hands if view is None else view.of(step.hands)
        return [*step.said, *Onlooker(self.names).tell_hands(hands)]


def replay_of(
    report: Report, _own: tuple[Seat, int] | None = None, written: Callable[[str], str] = str
) -> TichuReplay:
    """Return the game of a valid transcript; without steps before the first round.

    written: how a name stands in a sentence.
    """
    names = tuple(map(written, steps.names_of(report)))
    return TichuReplay(names, tuple(_steps(report, names)))


def _steps(
    report: Report, names: tuple[str, ...]
) -> Iterator[ReplayStep[events.TichuEvent, Tichu]]:
    rounds = played_rounds(report)
    teller: Onlooker | None = None
    number = 0
    for entries, told, game in steps.told_entries(report):
        for event in told:
            if isinstance(event, events.RoundBegun):
                number = event.number
                teller = teller or Onlooker(names)
            said = () if teller is None else tuple(teller.tell(event, game))
            if said:
                played, lies = rounds[number - 1], _as_it_lies(game, number)
                shows: dict[str, object] = {"round": number}
                if isinstance(event, events.MahJongShown) and played.gifts is not None:
                    shows["gifts"] = played.gifts
                hands = played.hands or NO_HANDS
                yield ReplayStep(entries, event, lies, said, hands, shows)


def _as_it_lies(game: Tichu, number: int) -> Tichu:
    """Return ``game`` with the end of round ``number``, while the next round is shuffled."""
    if game.number == number or game.counted is None:
        return game
    over = game.counted
    return game._replace(number=number, stage=None, round=over.round, laid=over.laid)
