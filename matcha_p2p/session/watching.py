"""How much the seats let others see of their game, and the watchers (PEER#watching).

Watchers see as much as every seat allows. Once a seat allows nothing, nobody watches for the
rest of the game.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from matcha_p2p.seats import Seat
from matcha_p2p.wire.watching import Admission, Visibility

if TYPE_CHECKING:  # the screens name watching, and load no cryptography
    from matcha_p2p.table.table import Table


@dataclass(frozen=True, slots=True)
class Watching:
    """Watching, as one seat knows it.

    seat: our own. said: by seat, ours as our person wants it; another seat's is None until the
    seat says it. players: the names by seat. bots: the seats that bots play. is_open: whether
    the game has no cards. Then there is nothing to hold back until the end of a round.
    """

    seat: Seat
    said: tuple[Admission | None, ...]
    players: tuple[str, ...]
    bots: frozenset[Seat] = frozenset()
    is_open: bool = False

    @property
    def ours(self) -> Admission:
        """What our seat says."""
        return self.said[self.seat] or Admission()

    @property
    def others(self) -> dict[Seat, Admission]:
        """What the other seats have said so far."""
        return {
            Seat(seat): said
            for seat, said in enumerate(self.said)
            if said is not None and seat != self.seat
        }

    @property
    def most(self) -> int:
        """How many may watch, at all seats; 0 if watching was never mentioned."""
        return sum(said.most for said in self.said if said is not None)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all who watch."""
        return tuple(name for said in self.said if said is not None for name in said.names)

    @property
    def sight(self) -> Visibility:
        """What watchers see."""
        least = min(Visibility.NOTHING if said is None else said.sight for said in self.said)
        return Visibility.AT_ONCE if self.is_open and least else least

    @property
    def closed(self) -> bool:
        """Whether a seat has said no."""
        return self.closed_by is not None

    @property
    def closed_by(self) -> Seat | None:
        """The first seat that lets nobody watch, ours before all others, or None."""
        seats = sorted(range(len(self.said)), key=lambda seat: seat != self.seat)
        for seat in seats:
            said = self.said[seat]
            if said is not None and said.sight is Visibility.NOTHING:
                return Seat(seat)
        return None

    def hear(self, seat: Seat, said: Admission) -> "Watching":
        """Note what ``seat`` says."""
        return replace(self, said=(*self.said[:seat], said, *self.said[seat + 1 :]))

    def allow(self, sight: Visibility) -> "Watching":
        """Set how much we let watchers see, unless nobody may watch or we said NOTHING."""
        if not self.most or self.ours.sight is Visibility.NOTHING:
            return self
        return self.hear(self.seat, replace(self.ours, sight=sight))

    def seen_by(self, names: tuple[str, ...]) -> "Watching":
        """Note the watchers here; at a seat without watchers, change nothing."""
        if not self.ours.most:
            return self
        return self.hear(self.seat, replace(self.ours, names=names))


def unheard(seat: Seat, table: "Table", ours: Admission) -> Watching:
    """Return what ``seat`` knows of watching when no other seat has spoken of it."""
    nobody = Watching(
        seat,
        tuple(None for _ in table.seats),
        tuple(hello.name for hello in table.hellos),
        frozenset(Seat(at) for at, player in enumerate(table.roster.seats) if player.bot),
        is_open=not table.game.faces,
    )
    return nobody.hear(seat, ours)


UNWATCHED: Final = Watching(Seat(0), (Admission(), None), ("", ""))
"""Nothing was said of watching."""
