"""What two players let others see of their game, and who watches it (SPEC#watching).

Watchers see what both allow. Once one allows nothing, nobody watches for the rest of the game.
"""

from dataclasses import dataclass, replace
from typing import Final

from matcha_p2p.wire.talk import Allow, Sight, Watched


@dataclass(frozen=True, slots=True)
class Watching:
    """What is known to one player. hosts: whether this one lets the watchers in.

    most: how many may watch, 0 if this was never spoken of. ours, theirs: what each allows;
    theirs is None until they have said so. names: of those who watch. said: whether the peer
    has been told on this link.
    """

    hosts: bool = False
    most: int = 0
    ours: Sight = Sight.LATER
    theirs: Sight | None = None
    names: tuple[str, ...] = ()
    said: bool = False

    @property
    def sight(self) -> Sight:
        """What watchers see."""
        return Sight.NOTHING if self.theirs is None else min(self.ours, self.theirs)

    @property
    def closed(self) -> bool:
        """Whether one of the two has said no."""
        return Sight.NOTHING in (self.ours, self.theirs)

    def hear(self, talk: Allow | Watched) -> "Watching":
        """Take what the peer says; a seat that hosts the watchers ignores another host."""
        match talk:
            case Allow(sight) if self.hosts:
                return replace(self, theirs=self._heard(sight))
            case Watched(most, sight, names) if not self.hosts:
                return replace(self, most=most, theirs=self._heard(sight), names=names)
            case _:
                return self

    def _heard(self, sight: Sight) -> Sight:
        return Sight.NOTHING if self.theirs is Sight.NOTHING else sight

    def allow(self, sight: Sight) -> "Watching":
        """Set what we let watchers see; nothing changes where nobody may watch."""
        if not self.most or self.ours in (sight, Sight.NOTHING):
            return self
        return replace(self, ours=sight, said=False)

    def seen_by(self, names: tuple[str, ...]) -> "Watching":
        """Note who watches; the host alone knows."""
        return replace(self, names=names, said=False) if self.hosts else self

    def unsaid(self) -> "Watching":
        """Forget that the peer was told: what was said may be lost with the link."""
        return replace(self, said=False)

    def due(self) -> Allow | Watched | None:
        """Return what the peer has to be told now."""
        if self.said or not self.most:
            return None
        return Watched(self.most, self.ours, self.names) if self.hosts else Allow(self.ours)


UNWATCHED: Final = Watching()
"""Nothing was said of watching."""
