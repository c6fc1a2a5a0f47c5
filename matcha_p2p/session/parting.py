"""After a game: the seats stay connected, open their books, play again, or say goodbye.

A seat that has offered another game offers nothing more. So all seats know the agreement as
soon as the last offer arrives (SPEC#afterwards).
"""

from dataclasses import replace

from matcha_p2p.seats import Seat
from matcha_p2p.session import links as session_links
from matcha_p2p.session import news, state
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.connection.changes import LineUp
from matcha_p2p.session.effects import bye, talk_sent
from matcha_p2p.session.news import Again, NextTable
from matcha_p2p.session.rematch import NextRoster
from matcha_p2p.session.words import DrawnSeat
from matcha_p2p.transport.framing import Frame, Kind
from matcha_p2p.wire.roster import parse_roster
from matcha_p2p.wire.statements import Expose
from matcha_p2p.wire.talk import Farewell, Proposal


def go_on(parting: state.Parting) -> state.Transition:
    """Do whatever is due now."""
    parting, effects = _settled(parting)
    parting, told = _offer_books(parting)
    parting, said = _say_wishes(parting)
    effects += (*told, *said)
    following = _next_table(parting)
    if following is not None:
        over = _over(parting, seen_off=True, again=Again(_ups(parting), following))
        return over, (*effects, *_rosters(parting, following), *_direct_ended(parting))
    links = session_links.level(parting.links)
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
        again = None if parting.leaving else Again(_ups(parting))
        return _over(parting, seen_off=True, again=again), effects  # the offer says DONE, too
    return parting, effects


# --- another game at a table of more than two ------------------------------------------------


def _wish(parting: state.Parting, own: DrawnSeat) -> state.Parting:
    """Wish another game, with ``own`` as our seat; a wish cannot be taken back."""
    chain = parting.chain
    if parting.leaving or len(chain.others) == 1 or chain.seat in chain.words.wishes():
        return parting
    return replace(parting, chain=chain.wish(own))


def hear_roster(
    parting: state.Playing | state.Parting, seat: Seat, frame: Frame
) -> state.Playing | state.Parting:
    """Take the next roster from ``seat``; pass over a frame of the lobby, which is over."""
    if isinstance(parting, state.Parting) and frame.kind is Kind.ROSTER:
        return replace(parting, turned=(seat, frame.payload))
    return parting


def _say_wishes(parting: state.Parting) -> tuple[state.Parting, tuple[state.Effect, ...]]:
    """Send and tell all new wishes. A seat that leaves tells all seats."""
    chain = parting.chain
    if len(chain.others) == 1:
        return parting, ()
    own = chain.words.wishes().get(chain.seat)
    if parting.leaving and (own is None or own.keys is not None):
        parting = replace(parting, chain=chain.wish(None))
    parting, sent = session_links.flush(parting)
    wishes = _wishes(parting.chain)
    if wishes == parting.wishes:
        return parting, sent
    return replace(parting, wishes=wishes), (*sent, state.Tell(wishes))


def _offer_books(
    parting: state.Parting,
) -> tuple[state.Parting, tuple[state.Effect, ...]]:
    """Sign our offer to open our book, and tell each new offer of another person.

    Bots always offer: the persons decide.
    """
    chain, roster = parting.chain, parting.chain.state.roster
    if len(chain.others) == 1:
        return parting, ()
    if Proposal.BOOKS in parting.ours and chain.seat not in chain.words.opens:
        chain = chain.offer_book()
    offered = [
        (seat, Proposal.BOOKS)
        for seat in chain.others
        if seat in chain.words.opens and (seat, Proposal.BOOKS) not in parting.asked
    ]
    told = tuple(
        state.Tell(news.Offered(what, chain.name_of(seat)))
        for seat, what in offered
        if roster is not None and not roster.seats[seat].bot
    )
    return replace(parting, chain=chain, asked=parting.asked.union(offered)), told


def _wishes(chain: Chain) -> news.Wishes:
    heard = chain.words.wishes()
    if not heard:
        return news.NO_WISHES
    wished, missing, left = list[str](), list[str](), list[str]()
    for seat in chain.table.seats:
        if seat not in heard:
            missing.append(chain.name_of(seat))
        elif heard[seat].keys is None:
            left.append(chain.name_of(seat))
        else:
            wished.append(chain.name_of(seat))
    return news.Wishes(tuple(wished), tuple(missing), tuple(left))


def _next_table(parting: state.Parting) -> NextTable | None:
    """Return the next table once all wish it: seat 0 signs the roster, and the others wait."""
    chain, own = parting.chain, parting.chain.own_next
    following = None if own is None or parting.leaving else NextRoster.of(chain)
    if own is None or following is None:
        return None
    if chain.seat == 0:
        ready = len(session_links.level(parting.links)) == len(parting.links)
        closed = Proposal.BOOKS in _agreed(parting) and not _is_open(chain)
        roster = following.sign(own.secrets.session) if ready and not closed else None
        return None if roster is None else NextTable(roster, own)
    if parting.turned is None or not following.fits(parting.turned[1]):
        return None
    seat, encoded = parting.turned
    return NextTable(parse_roster(encoded), own, seat)


def _rosters(parting: state.Parting, table: NextTable) -> tuple[state.Effect, ...]:
    """Return the roster for each link: on the link, the next game begins after the roster."""
    frame = Frame(Kind.ROSTER, table.roster.encoded)
    return tuple(state.Send(up.binding, frame) for up in _ups(parting))


def _direct_ended(parting: state.Parting) -> tuple[state.Effect, ...]:
    """Return the end of the direct links: the next game has other keys, and makes others."""
    return tuple(
        state.HangUp(binding, news.LEFT())
        for seat, binding in session_links.standing(parting.links).items()
        if session_links.is_beside(parting.links, seat)
    )


def _ups(parting: state.Parting) -> tuple[LineUp, ...]:
    """Return the links on which the next game begins."""
    two = len(parting.chain.others) == 1
    return tuple(
        LineUp(link.binding, link.remote, None if two else seat)
        for seat, link in parting.links.items()
        if not isinstance(link, state.Apart)
        and not session_links.is_beside(parting.links, seat)
    )


# --- offers ----------------------------------------------------------------------------------


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
    """Tell ``seat`` our offers that the seat has not heard on its link; larger tables sign."""
    if len(parting.chain.others) > 1:
        return parting, ()
    binding = session_links.standing(parting.links)[seat]
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
    parting, sent = session_links.flush(replace(parting, chain=chain))
    parting, settled = _settled(parting)
    return parting, (*sent, state.Tell(news.Exposed(chain.seat)), *settled)


def propose(parting: state.Parting, offer: news.Propose | news.PlayAgain) -> state.Parting:
    """Offer something to the others, or agree to their offer."""
    match offer:
        case news.PlayAgain(own):
            return _wish(parting, own)
        case news.Propose(Proposal.REMATCH) if len(parting.chain.others) > 1:
            return parting  # the seat for the next game is missing
        case news.Propose(proposal):
            wished = Proposal.REMATCH in parting.ours or parting.chain.own_next is not None
            if parting.leaving or wished:
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
    binding = session_links.standing(parting.links)[seat]
    effects: tuple[state.Effect, ...] = ()
    if seat in session_links.level(parting.links):
        parting, effects = _say_goodbye(parting, seat)
    lost = {seat} if news.ending_of(farewell) is not None else set[Seat]()
    lost &= session_links.sought(parting.links)
    parting = replace(session_links.without(parting, seat), gone=parting.gone - {seat} | lost)
    if not parting.links:
        return give_up(parting), effects
    return parting, (*effects, state.HangUp(binding, news.LEFT()))


def _say_goodbye(
    parting: state.Parting, seat: Seat
) -> tuple[state.Parting, tuple[state.Effect, ...]]:
    if Farewell.DONE in _said(parting, seat):
        return parting, ()
    binding = session_links.standing(parting.links)[seat]
    return _with_said(parting, seat, frozenset({Farewell.DONE})), (bye(binding, Farewell.DONE),)


def hang_up(
    chain: Chain, links: state.Links, ending: news.Ending, farewell: Farewell
) -> state.Transition:
    """Say goodbye on all links, and end once the neighbours have hung up."""
    up = session_links.standing(links)
    if not up:
        return state.SessionOver(chain, ending), ()
    said = tuple(bye(binding, farewell) for binding in up.values())
    return state.HangingUp(chain, ending, {seat: links[seat] for seat in up}), said


def give_up(parting: state.Parting) -> state.SessionState:
    """End, though a neighbour may not have said goodbye.

    An AGAIN or an OPEN also says that its author has the whole game (SPEC#afterwards).
    """
    words = parting.chain.words
    whole = {*words.wishes(), *words.opens}
    return _over(
        parting,
        seen_off=whole.issuperset({*session_links.sought(parting.links), *parting.gone}),
    )


def _over(
    parting: state.Parting, *, seen_off: bool, again: Again | None = None
) -> state.SessionOver:
    ended = parting.chain.ended
    if ended is None:
        raise RuntimeError("the game is not over")
    return state.SessionOver(parting.chain, news.Finished(ended, seen_off, again))


def _agreed(parting: state.Parting) -> frozenset[Proposal]:
    """Return the proposals that all seats have made; at a table of two, on the link of now."""
    chain = parting.chain
    if len(chain.others) > 1:
        all_offer = set(chain.words.opens) == set(chain.table.seats)
        return frozenset({Proposal.BOOKS} if all_offer else ())
    theirs = parting.theirs.get(chain.peer, frozenset())
    return parting.ours & theirs & _said(parting, chain.peer)


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
