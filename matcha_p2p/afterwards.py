"""What follows a game: both stay on the line, open their books or play again, or say goodbye.

Whoever has offered another game offers nothing more, so that both know what they have agreed
upon when the second of these offers arrives (SPEC#afterwards).
"""

import math
from typing import Final

import trio

from matcha_p2p.machine.table import SEATS
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.news import Ending, Finished, Offered, Settled, Terms, ending_of
from matcha_p2p.voice import Voice, in_thread
from matcha_p2p.wire.talk import Farewell, Proposal

PARTING_LIMIT: Final = 10.0
"""Seconds to wait for the peer's last words once this seat wants to go."""


class Afterwards:
    """The end of one game, as far as it goes beyond the chain.

    until: when the peer takes too long over its goodbye, by trio's clock. over: whether nothing
    more is awaited. leaving: whether this seat wants to go.
    """

    def __init__(self, chain: Chain, voice: Voice, terms: Terms) -> None:
        self.until = math.inf
        self.over = False
        self._chain: Final = chain
        self._voice: Final = voice
        self._terms: Final = terms
        self._settled = (0, 0)  # entries and records, when the game was told to be whole
        self._ours: Final = {Proposal.BOOKS} if terms.open_book else set[Proposal]()
        self._theirs: Final = set[Proposal]()
        self._told: Final = set[Proposal]()  # what the front end has been asked
        self._said: Final = set[Proposal | Farewell]()  # on this link, since it was level
        self.leaving = False
        self._seen_off = False

    async def go_on(self, *, level: bool) -> None:
        """Do whatever is due now. level: whether the peer has been sent all that it lacks."""
        await self._settle()
        if not level:
            return
        for proposal in Proposal:
            if proposal in self._ours and proposal not in self._said:
                self._said.add(proposal)
                await self._voice.talk(proposal)
        if self._due:
            await self._voice.expose()
            await self._settle()
        if self.leaving or (not self._terms.stays and self._open):
            await self._say_goodbye()
        if self._agreed(Proposal.REMATCH) and (self._open or not self._agreed(Proposal.BOOKS)):
            self.over = self._seen_off = True  # such an offer says what DONE says, too

    async def _settle(self) -> None:
        """Make the end durable, and tell that it is; an unattended seat then wants to go."""
        size = (len(self._chain.entries), len(self._chain.records))
        if self._settled == size:
            return
        self._settled = size
        await in_thread(self._chain.settle)
        await self._voice.tell(Settled(self._chain.transcript()))
        if not self._terms.stays and not self.leaving:
            self.leaving = not self._ours
            self._hurry()

    def _hurry(self) -> None:
        self.until = min(self.until, trio.current_time() + PARTING_LIMIT)

    def be_patient(self) -> None:
        """Begin to wait, for ever unless this seat wants to go."""
        self.until = math.inf
        if self.leaving:
            self._hurry()

    def give_up(self) -> bool:
        """Return whether a goodbye has waited in vain; else it is the next thing to be said."""
        before, self.leaving = self.leaving, True
        return before

    def propose(self, proposal: Proposal) -> None:
        """Offer something to the peer, or agree to what it has offered."""
        if not self.leaving and Proposal.REMATCH not in self._ours:
            self._ours.add(proposal)

    async def hear(self, proposal: Proposal) -> None:
        """Take an offer of the peer; the front end is told of it once."""
        if Proposal.REMATCH in self._theirs:
            return
        self._theirs.add(proposal)
        if proposal not in self._told:
            self._told.add(proposal)
            await self._voice.tell(Offered(proposal))

    def leave(self) -> None:
        """Say goodbye next, and wait for the peer's, but not for long."""
        self.leaving = True
        self._hurry()

    async def hear_bye(self, farewell: bytes) -> None:
        """Take the peer's goodbye, and answer it; DONE says that it lacks nothing."""
        self._seen_off = ending_of(farewell) is None
        self.over = True
        await self._say_goodbye()

    async def _say_goodbye(self) -> None:
        if Farewell.DONE not in self._said:
            self._said.add(Farewell.DONE)
            await self._voice.bye(Farewell.DONE)

    def line_changed(self) -> None:
        """Begin anew on another link: there both say again what still stands."""
        self._said.clear()
        self._theirs.clear()

    def say_again(self) -> None:
        """Repeat what still stands: only now has the peer got what comes before it."""
        self._said.clear()

    def ending(self) -> Ending:
        """Return how the game has ended."""
        ended = self._chain.ended
        if ended is None:
            raise RuntimeError("what follows a game begins with its end")
        again = not self.leaving and self._agreed(Proposal.REMATCH) and self.over
        return Finished(ended, self._seen_off, self._voice.binding if again else b"")

    def _agreed(self, proposal: Proposal) -> bool:
        """Whether both have said on this very link that they want it."""
        return proposal in self._said and proposal in self._theirs

    @property
    def _open(self) -> bool:
        return self._chain.exposed == frozenset(SEATS)

    @property
    def _due(self) -> bool:
        """Whether this seat has to open its book now: the loser does first, or seat 0."""
        exposed = self._chain.exposed
        if not self._agreed(Proposal.BOOKS) or self._chain.seat in exposed:
            return False
        ended = self._chain.ended
        winner = None if ended is None else ended.ended.winner
        first = 0 if winner is None else 1 - winner
        return self._chain.seat == first or bool(exposed)
