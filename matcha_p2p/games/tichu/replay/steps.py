"""A verified game of Tichu as a list of steps, to be replayed in any order."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from matcha_p2p.chain.verify import Report, Verdict
from matcha_p2p.games.tichu import events
from matcha_p2p.games.tichu.review.rounds import Hands, played_rounds
from matcha_p2p.games.tichu.rules.round import SEATS
from matcha_p2p.games.tichu.steps import Tichu
from matcha_p2p.games.tichu.told import told
from matcha_p2p.games.tichu.view import game_of
from matcha_p2p.games.tichu.words.onlooker import Onlooker
from matcha_p2p.seats import Seat
from matcha_p2p.table.table import Table

NO_HANDS: Final[Hands] = ((),) * len(SEATS)


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """An event, and the game after it; the last cards of a round lie until the next begins.

    entries: of the transcript, up to the event. number: of the round. hands: of the round after
    the exchange, () each while the round is not over. said: the event in sentences.
    """

    entries: int
    event: events.TichuEvent
    game: Tichu
    number: int
    hands: Hands
    said: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """A whole game, or as far as it has come. names: by seat."""

    names: tuple[str, ...]
    verdict: Verdict
    steps: tuple[ReplayStep, ...]

    def sentences(self, at: int, shown: tuple[Seat, ...] = SEATS) -> list[str]:
        """Return the sentences about step ``at``, a sentence a line.

        shown: the seats whose hands are told at the first lead if the round is over.
        """
        step = self.steps[at]
        hands = tuple(hand if seat in shown else () for seat, hand in enumerate(step.hands))
        match step.event:
            case events.MahJongShown():
                return [*step.said, *Onlooker(self.names).tell_hands(hands)]
            case _:
                return list(step.said)


def replay_of(report: Report, written: Callable[[str], str] = str) -> Replay:
    """Return the game of a valid transcript; without steps before the first round.

    written: how a name stands in a sentence.
    """
    names = tuple(map(written, _names(report)))
    return Replay(names, report.verdict, tuple(_steps(report, names)))


def _names(report: Report) -> tuple[str, ...]:
    if not report.accepted:
        return ()
    return tuple(hello.name for hello in report.accepted[-1].state.hellos)


def _steps(report: Report, names: tuple[str, ...]) -> Iterator[ReplayStep]:
    hands = [played.hands or NO_HANDS for played in played_rounds(report)]
    teller: Onlooker | None = None
    last: ReplayStep | None = None
    number = 0
    for entries, event, game in _told(report):
        if isinstance(event, events.RoundBegun):
            number = event.number
            teller = teller or Onlooker(names)
        said = () if teller is None else tuple(teller.tell(event, game))
        if said:
            lies = _as_it_lies(game, number)
            last = ReplayStep(entries, event, lies, number, hands[number - 1], said)
            yield last
    end = report.result
    if last is not None and isinstance(end, events.GameEnded) and last.event != end:
        # A resignation is a record, so the chain has no event of it.
        said = tuple(Onlooker(names).tell(end, last.game))
        yield ReplayStep(len(report.accepted), end, last.game, last.number, last.hands, said)


def _as_it_lies(game: Tichu, number: int) -> Tichu:
    """Return ``game`` with the end of round ``number``, while the next round is shuffled."""
    if game.number == number or game.counted is None:
        return game
    over = game.counted
    return game._replace(number=number, stage=None, round=over.round, laid=over.laid)


def _told(report: Report) -> Iterator[tuple[int, events.TichuEvent, Tichu]]:
    """Yield the number of entries, each event of the chain, and the game after it."""
    for entries, sound in enumerate(report.accepted, start=1):
        if isinstance(sound.state, Table):
            for event in told(sound.events):
                yield entries, event, game_of(sound.state)
