"""After a game: the seats stay connected, open their books, play again, or say goodbye.

A seat that has offered another game offers nothing more. So all seats know the agreement as
soon as the last offer arrives (SPEC#afterwards).
"""

from dataclasses import replace

from matcha_p2p.seats import Seat
from matcha_p2p.session import news, state
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.effects import bye, talk_sent
from matcha_p2p.session.links import flush, level, standing, without
from matcha_p2p.transport.names import Binding
from matcha_p2p.wire.statements import Expose
from matcha_p2p.wire.talk import Farewell, Proposal


def go_on(parting: state.Parting) -> state.Transition:
    """Do whatever is due now."""
    parting, effects = _settled(parting)
    links = level(parting.links)
    if not links:
        return parting, effects
    for seat in links:
        parting, offers = _repeat_offers(parting, seat)
        effects += offers
    if _is_due_to_open(parting):
        parting, opened = _open_book(parting)
        effects += opened
    if parting.leaving or (not parting.terms.stays and _is_open(parting.chain)):
        for seat in links:
            parting, said = _say_goodbye(parting, seat)
            effects += said
    agreed = _agreed(parting)
    if Proposal.REMATCH in agreed and (_is_open(parting.chain) or Proposal.BOOKS not in agreed):
        (link,) = links.values()
        again = None if parting.leaving else link.binding
        return _over(parting, seen_off=True, again=again), effects  # the offer says DONE, too
    return parting, effects


def _settled(parting: state.Parting) -> tuple[state.Parting, tuple[state.Effect, ...]]:
    """Tell the front end that the game is complete; a seat without a person then leaves."""
    chain = parting.chain
    size = (len(chain.entries), len(chain.records))
    if parting.told == size:
        return parting, ()
    leaving = parting.leaving or (not parting.terms.stays and not parting.ours)
    parting = replace(parting, told=size, leaving=leaving)
    return parting, (state.Tell(news.Settled(chain.transcript)),)


def _repeat_offers(
    parting: state.Parting, seat: Seat
) -> tuple[state.Parting, tuple[state.Effect, ...]]:
    """Tell ``seat`` our offers that the seat has not heard on its link."""
    binding = standing(parting.links)[seat]
    unsaid = parting.ours - _said(parting, seat)
    offers = [proposal for proposal in Proposal if proposal in unsaid]
    parting = _with_said(parting, seat, frozenset(offers))
    return parting, tuple(talk_sent(binding, proposal) for proposal in offers)


def _said(parting: state.Parting, seat: Seat) -> frozenset[Proposal | Farewell]:
    return parting.said.get(seat, frozenset())


def _with_said(
    parting: state.Parting, seat: Seat, words: frozenset[Proposal | Farewell]
) -> state.Parting:
    said = _said(parting, seat) | words
    return replace(parting, said={**parting.said, seat: said}) if words else parting


def unsaid(parting: state.Parting, seat: Seat) -> state.Parting:
    """Forget the offers to and from ``seat``: on a new link both ends repeat them."""
    said = {other: words for other, words in parting.said.items() if other != seat}
    theirs = {other: words for other, words in parting.theirs.items() if other != seat}
    return replace(parting, said=said, theirs=theirs)


def _open_book(parting: state.Parting) -> tuple[state.Parting, tuple[state.Effect, ...]]:
    chain = parting.chain.declare(Expose(parting.chain.game_key))
    parting, sent = flush(replace(parting, chain=chain))
    parting, settled = _settled(parting)
    return parting, (*sent, state.Tell(news.Exposed(chain.seat)), *settled)


def propose(parting: state.Parting, proposal: Proposal) -> state.Parting:
    """Offer something to the others, or agree to their offer.

    A table of more than two begins no other game on its links.
    """
    another = proposal is Proposal.REMATCH and len(parting.chain.others) > 1
    if parting.leaving or another or Proposal.REMATCH in parting.ours:
        return parting
    return replace(parting, ours=parting.ours | {proposal})


def hear(parting: state.Parting, seat: Seat, proposal: Proposal) -> state.Transition:
    """Take an offer of ``seat``; tell the front end once."""
    before = parting.theirs.get(seat, frozenset())
    if Proposal.REMATCH in before:
        return parting, ()
    offered, known = (seat, proposal), (seat, proposal) in parting.asked
    theirs = {**parting.theirs, seat: before | {proposal}}
    parting = replace(parting, theirs=theirs, asked=parting.asked | {offered})
    return parting, () if known else (
        state.Tell(news.Offered(proposal, parting.chain.name_of(seat))),
    )


def hear_bye(parting: state.Parting, seat: Seat, farewell: bytes) -> state.Transition:
    """Take the goodbye of ``seat``, and answer; DONE means the seat lacks nothing."""
    binding = standing(parting.links)[seat]
    effects: tuple[state.Effect, ...] = ()
    if seat in level(parting.links):
        parting, effects = _say_goodbye(parting, seat)
    lost = parting.lost or news.ending_of(farewell) is not None
    parting = replace(without(parting, seat), lost=lost)
    if not parting.links:
        return _over(parting, seen_off=not lost), effects
    return parting, (*effects, state.HangUp(binding, news.LEFT()))


def _say_goodbye(
    parting: state.Parting, seat: Seat
) -> tuple[state.Parting, tuple[state.Effect, ...]]:
    if Farewell.DONE in _said(parting, seat):
        return parting, ()
    binding = standing(parting.links)[seat]
    return _with_said(parting, seat, frozenset({Farewell.DONE})), (bye(binding, Farewell.DONE),)


def give_up(parting: state.Parting) -> state.SessionState:
    """End, though a neighbour has not said goodbye."""
    return _over(parting, seen_off=False)


def _over(
    parting: state.Parting, *, seen_off: bool, again: Binding | None = None
) -> state.SessionOver:
    ended = parting.chain.ended
    if ended is None:
        raise RuntimeError("the game is not over")
    return state.SessionOver(parting.chain, news.Finished(ended, seen_off, again))


def _agreed(parting: state.Parting) -> frozenset[Proposal]:
    """Return the proposals that all seats have made, on the links of now."""
    agreed = parting.ours
    for seat in parting.chain.others:
        heard = parting.theirs.get(seat, frozenset())
        agreed &= heard & _said(parting, seat)
    return agreed


def _is_open(chain: Chain) -> bool:
    return chain.exposed == frozenset(chain.table.seats)


def _is_due_to_open(parting: state.Parting) -> bool:
    """Whether this seat has to open its book now: the first seat without a win begins."""
    chain = parting.chain
    if Proposal.BOOKS not in _agreed(parting) or chain.seat in chain.exposed:
        return False
    winners = () if chain.ended is None else chain.ended.winners
    first = min(set(chain.table.seats) - set(winners), default=0)
    return chain.seat == first or bool(chain.exposed)
