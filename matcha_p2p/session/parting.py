"""After a game: both seats stay connected, open their books, play again, or say goodbye.

A seat that has offered another game offers nothing more. So both seats know the agreement as
soon as the second offer arrives (SPEC#afterwards).
"""

from collections.abc import Sequence
from dataclasses import replace

from matcha_p2p.session.chain import Chain
from matcha_p2p.session.effects import bye, record_sent, talk_sent
from matcha_p2p.session.news import Exposed, Finished, Offered, Settled, ending_of
from matcha_p2p.session.state import (
    Effect,
    Parting,
    SessionOver,
    SessionState,
    Synced,
    Tell,
    Transition,
)
from matcha_p2p.transport.names import Binding
from matcha_p2p.wire.statements import Expose
from matcha_p2p.wire.talk import Farewell, Proposal


def go_on(parting: Parting) -> Transition:
    """Do whatever is due now."""
    parting, effects = _settled(parting)
    if not isinstance(parting.link, Synced):
        return parting, effects
    binding = parting.link.binding
    offers = [proposal for proposal in Proposal if proposal in parting.ours - parting.said]
    effects += tuple(talk_sent(binding, proposal) for proposal in offers)
    parting = replace(parting, said=parting.said.union(offers))
    if _is_due_to_open(parting):
        parting, opened = _open_book(parting, binding)
        effects += opened
    if parting.leaving or (not parting.terms.stays and _is_open(parting.chain)):
        parting, said = _say_goodbye(parting, binding)
        effects += said
    agreed = _agreed(parting)
    if Proposal.REMATCH in agreed and (_is_open(parting.chain) or Proposal.BOOKS not in agreed):
        again = None if parting.leaving else binding
        return _over(parting, seen_off=True, again=again), effects  # the offer says DONE, too
    return parting, effects


def _settled(parting: Parting) -> tuple[Parting, tuple[Effect, ...]]:
    """Tell the front end that the game is complete; a seat without a person then leaves."""
    chain = parting.chain
    size = (len(chain.entries), len(chain.records))
    if parting.told == size:
        return parting, ()
    leaving = parting.leaving or (not parting.terms.stays and not parting.ours)
    parting = replace(parting, told=size, leaving=leaving)
    return parting, (Tell(Settled(chain.transcript)),)


def _open_book(parting: Parting, binding: Binding) -> tuple[Parting, tuple[Effect, ...]]:
    chain = parting.chain.declare(Expose(parting.chain.game_key))
    opened = (record_sent(binding, chain.records[-1]), Tell(Exposed(chain.seat)))
    parting, settled = _settled(replace(parting, chain=chain))
    return parting, (*opened, *settled)


def propose(parting: Parting, proposal: Proposal) -> Parting:
    """Offer something to the peer, or agree to the peer's offer."""
    if parting.leaving or Proposal.REMATCH in parting.ours:
        return parting
    return replace(parting, ours=parting.ours | {proposal})


def hear(parting: Parting, proposal: Proposal) -> tuple[Parting, Sequence[Effect]]:
    """Take an offer of the peer; tell the front end once."""
    if Proposal.REMATCH in parting.theirs:
        return parting, ()
    news = () if proposal in parting.asked else (Tell(Offered(proposal)),)
    theirs, asked = parting.theirs | {proposal}, parting.asked | {proposal}
    return replace(parting, theirs=theirs, asked=asked), news


def hear_bye(parting: Parting, farewell: bytes) -> Transition:
    """Take the peer's goodbye, and answer; DONE means the peer lacks nothing."""
    effects: tuple[Effect, ...] = ()
    if isinstance(parting.link, Synced):
        parting, effects = _say_goodbye(parting, parting.link.binding)
    return _over(parting, seen_off=ending_of(farewell) is None), effects


def _say_goodbye(parting: Parting, binding: Binding) -> tuple[Parting, tuple[Effect, ...]]:
    if Farewell.DONE in parting.said:
        return parting, ()
    said = parting.said | {Farewell.DONE}
    return replace(parting, said=said), (bye(binding, Farewell.DONE),)


def give_up(parting: Parting) -> SessionState:
    """End, though the peer has not said goodbye."""
    return _over(parting, seen_off=False)


def _over(parting: Parting, *, seen_off: bool, again: Binding | None = None) -> SessionOver:
    ended = parting.chain.ended
    if ended is None:
        raise RuntimeError("the game is not over")
    return SessionOver(parting.chain, Finished(ended, seen_off, again))


def _agreed(parting: Parting) -> frozenset[Proposal]:
    """Return the proposals that both seats have made on this link."""
    return parting.theirs & parting.said


def _is_open(chain: Chain) -> bool:
    return chain.exposed == frozenset(chain.table.seats)


def _is_due_to_open(parting: Parting) -> bool:
    """Whether this seat has to open its book now: the first seat without a win begins."""
    chain = parting.chain
    if Proposal.BOOKS not in _agreed(parting) or chain.seat in chain.exposed:
        return False
    winners = () if chain.ended is None else chain.ended.winners
    first = min(set(chain.table.seats) - set(winners), default=0)
    return chain.seat == first or bool(chain.exposed)
