"""How much two players let others see of their game, and the watchers (SPEC#watching).

Watchers see as much as both players allow. Once a player allows nothing, nobody watches for the
rest of the game.
"""

from dataclasses import dataclass, replace
from typing import Final

from matcha_p2p.wire.talk import Allow, Visibility, Watched


@dataclass(frozen=True, slots=True)
class Watching:
    """Watching, as one player knows it. hosts: whether this player admits the watchers.

    most: the most watchers, at the host; 0 if watching was never mentioned. ours, theirs: how
    much each player allows; theirs is None until the peer says. own, others: the names of the
    watchers here, and at the peer. said: whether the peer has been told on this link.
    """

    hosts: bool = False
    most: int = 0
    ours: Visibility = Visibility.LATER
    theirs: Visibility | None = None
    own: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    said: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all who watch."""
        return (*self.own, *self.others)

    @property
    def sight(self) -> Visibility:
        """What watchers see."""
        return Visibility.NOTHING if self.theirs is None else min(self.ours, self.theirs)

    @property
    def closed(self) -> bool:
        """Whether a player has said no."""
        return Visibility.NOTHING in (self.ours, self.theirs)

    def hear(self, talk: Allow | Watched) -> "Watching":
        """Take what the peer says. A host may be told of watchers elsewhere, and no more."""
        match talk:
            case Allow(sight) if self.hosts:
                return replace(self, theirs=self._heard(sight))
            case Watched(most, sight, names):
                most = self.most if self.hosts else most
                return replace(self, most=most, theirs=self._heard(sight), others=names)
            case _:
                return self

    def _heard(self, sight: Visibility) -> Visibility:
        return Visibility.NOTHING if self.theirs is Visibility.NOTHING else sight

    def allow(self, sight: Visibility) -> "Watching":
        """Set how much we let watchers see, unless nobody may watch or we said NOTHING."""
        if not self.most or self.ours in (sight, Visibility.NOTHING):
            return self
        return replace(self, ours=sight, said=False)

    def seen_by(self, names: tuple[str, ...]) -> "Watching":
        """Note the watchers here; at the guest, change nothing."""
        return replace(self, own=names, said=False) if self.hosts else self

    def unsaid(self) -> "Watching":
        """Forget that the peer was told: the message may be lost with the link."""
        return replace(self, said=False)

    def due(self) -> Allow | Watched | None:
        """Return the message the peer must get now, or None."""
        if self.said or not self.most:
            return None
        return Watched(self.most, self.ours, self.own) if self.hosts else Allow(self.ours)


UNWATCHED: Final = Watching()
"""Nothing was said of watching."""
