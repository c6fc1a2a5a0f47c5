"""After a game: the seats stay connected, open their books, play again, or say goodbye.

A seat that has offered another game offers nothing more. So all seats know the agreement as
soon as the last offer arrives (PEER#afterwards).
"""

from dataclasses import replace

from matcha_p2p.seats import Seat
from matcha_p2p.session import news
from matcha_p2p.session.chain import Chain
from matcha_p2p.session.connection.changes import LineUp
from matcha_p2p.session.news import Again
from matcha_p2p.session.step import links as session_links
from matcha_p2p.session.step import state
from matcha_p2p.session.step.effects import bye
from matcha_p2p.session.step.rematch import hear_next, sign_next
from matcha_p2p.session.words import DrawnSeat
from matcha_p2p.transport.framing import Frame, Kind
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
        over = _over(parting, seen_off=True, again=following)
        return over, (*effects, *_rosters(parting, following), *_direct_ended(parting))
    links = session_links.level(parting.links)
    if not links:
        return parting, effects
    if _is_due_to_open(parting):
        parting, opened = _open_book(parting)
        effects += opened
    if parting.leaving or (not parting.terms.stays and _is_open(parting.chain)):
        for seat in links:
            parting, said = _say_goodbye(parting, seat)
            effects += said
    return parting, effects


# --- another game ----------------------------------------------------------------------------


def _wish(parting: state.Parting, own: DrawnSeat) -> state.Parting:
    """Wish another game, with ``own`` as our seat; a wish cannot be taken back."""
    chain = parting.chain
    if parting.leaving or chain.seat in chain.words.wishes():
        return parting
    return replace(parting, chain=chain.wish(own))


def hear_roster(parting: state.Greeted, seat: Seat, frame: Frame) -> state.Greeted:
    """Take the next roster from ``seat``."""
    own = parting.chain.own_next
    if not isinstance(parting, state.Parting) or own is None:
        return parting
    heard = hear_next(parting.chain, frame.payload)
    if heard is None:
        return parting
    chain, roster = heard
    turned = Again(roster, own, frame.payload, _ups(parting), seat)
    return replace(parting, chain=chain, turned=turned)


def _say_wishes(parting: state.Parting) -> tuple[state.Parting, state.Effects]:
    """Send and tell all new wishes. A seat that leaves tells all seats."""
    chain = parting.chain
    own = chain.words.wishes().get(chain.seat)
    if parting.leaving and (own is None or own.keys is not None):
        parting = replace(parting, chain=chain.wish(None))
    parting, sent = session_links.flush(parting)
    wishes = wishes_of(parting.chain)
    if wishes == parting.wishes:
        return parting, sent
    return replace(parting, wishes=wishes), (*sent, state.Tell(wishes))


def _offer_books(parting: state.Parting) -> tuple[state.Parting, state.Effects]:
    """Sign our offer to open our book, and tell each new offer of another person.

    A bot always offers: the persons decide.
    """
    chain = parting.chain
    if parting.offers_book and chain.seat not in chain.words.opens:
        chain = chain.offer_book()
    offers = chain.words.opens.keys() - parting.offered
    told = tuple(
        state.Tell(news.Offered(chain.name_of(seat)))
        for seat in chain.persons
        if seat in offers
    )
    return replace(parting, chain=chain, offered=parting.offered | offers), told


def wishes_of(chain: Chain) -> news.Wishes:
    """Return the wishes for another game after the game of ``chain``, by name."""
    heard = chain.words.wishes()
    if not heard:
        return news.NO_WISHES
    contradicted = tuple(map(chain.name_of, sorted(chain.words.contradicted)))
    wished, missing, left = list[str](), list[str](), list[str]()
    for seat in chain.table.seats:
        if seat not in heard:
            missing.append(chain.name_of(seat))
        elif heard[seat].keys is None:
            left.append(chain.name_of(seat))
        else:
            wished.append(chain.name_of(seat))
    return news.Wishes(tuple(wished), tuple(missing), tuple(left), contradicted)


def _next_table(parting: state.Parting) -> Again | None:
    """Return the next table once all wish it: seat 0 signs the roster, and the others wait."""
    chain, own = parting.chain, parting.chain.own_next
    if own is None or parting.leaving:
        return None
    if chain.seat != 0:
        return parting.turned
    ready = len(session_links.level(parting.links)) == len(parting.links)
    closed = _all_open(parting) and not _is_open(chain)
    return sign_next(chain, own, _ups(parting)) if ready and not closed else None


def _rosters(parting: state.Parting, table: Again) -> state.Effects:
    """Return the roster for each link: on the link, the next game begins after the roster."""
    frame = Frame(Kind.ROSTER, table.frame)
    return tuple(state.Send(up.binding, frame) for up in _ups(parting))


def _direct_ended(parting: state.Parting) -> state.Effects:
    """Return the end of the direct links: the next game has other keys, and makes others."""
    return tuple(
        state.HangUp(binding, news.LEFT_BY(name=parting.chain.name_of(seat)))
        for seat, binding in session_links.standing(parting.links).items()
        if session_links.is_beside(parting.links, seat)
    )


def _ups(parting: state.Parting) -> tuple[LineUp, ...]:
    """Return the links on which the next game begins."""
    return tuple(
        LineUp(link.binding, link.remote, seat)
        for seat, link in parting.links.items()
        if not isinstance(link, state.Apart)
        and not session_links.is_beside(parting.links, seat)
    )


# --- offers ----------------------------------------------------------------------------------


def _settled(parting: state.Parting) -> tuple[state.Parting, state.Effects]:
    """Tell the front end that the game is complete; a seat without a person then leaves."""
    chain = parting.chain
    size = (len(chain.entries), len(chain.records))
    if parting.told == size:
        return parting, ()
    leaving = parting.leaving or not (parting.terms.stays or parting.offers_book)
    parting = replace(parting, told=size, leaving=leaving)
    return parting, (state.Tell(news.Settled(chain.transcript)),)


def unsaid(met: state.Greeted, seat: Seat) -> state.Greeted:
    """Forget our goodbye to ``seat``: on a new link it is said again."""
    return replace(met, said=met.said - {seat}) if isinstance(met, state.Parting) else met


def _open_book(parting: state.Parting) -> tuple[state.Parting, state.Effects]:
    chain = parting.chain.declare(Expose(parting.chain.game_key))
    parting, sent = session_links.flush(replace(parting, chain=chain))
    parting, settled = _settled(parting)
    return parting, (*sent, state.Tell(news.Exposed(chain.seat)), *settled)


def propose(parting: state.Parting, offer: news.Propose | news.PlayAgain) -> state.Parting:
    """Offer something to the others, or agree to their offer."""
    match offer:
        case news.PlayAgain(own):
            return _wish(parting, own)
        case news.Propose(Proposal.BOOKS) if not (
            parting.leaving or parting.chain.own_next is not None
        ):
            return replace(parting, offers_book=True)
        case news.Propose():
            return parting  # too late, or the seat for the next game is missing


def hear_bye(parting: state.Parting, seat: Seat, farewell: bytes) -> state.Transition:
    """Take the goodbye of ``seat``, and answer; DONE means the seat lacks nothing."""
    binding = session_links.standing(parting.links)[seat]
    effects: state.Effects = ()
    if seat in session_links.level(parting.links):
        parting, effects = _say_goodbye(parting, seat)
    lost = set[Seat]() if news.is_done(farewell) else {seat}
    lost &= session_links.sought(parting.links)
    parting = replace(session_links.without(parting, seat), gone=parting.gone - {seat} | lost)
    if not parting.links:
        return give_up(parting), effects
    why = news.LEFT_BY(name=parting.chain.name_of(seat))
    return parting, (*effects, state.HangUp(binding, why))


def _say_goodbye(parting: state.Parting, seat: Seat) -> tuple[state.Parting, state.Effects]:
    if seat in parting.said:
        return parting, ()
    binding = session_links.standing(parting.links)[seat]
    parting = replace(parting, said=parting.said | {seat})
    return parting, (bye(binding, Farewell.DONE),)


def hang_up(chain: Chain, links: state.Links, ending: news.Ending) -> state.Transition:
    """Leave for now on all links, and end once the neighbours have hung up."""
    up = session_links.standing(links)
    if not up:
        return state.SessionOver(chain, ending), ()
    said = tuple(bye(binding, Farewell.LATER) for binding in up.values())
    return state.HangingUp(chain, ending, {seat: links[seat] for seat in up}), said


def give_up(parting: state.Parting) -> state.SessionState:
    """End, though a neighbour may not have said goodbye.

    An AGAIN or an OPEN also says that its author has the whole game (PEER#afterwards).
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


def _all_open(parting: state.Parting) -> bool:
    """Tell whether all seats offer to open their books."""
    return set(parting.chain.words.opens) == set(parting.chain.table.seats)


def _is_open(chain: Chain) -> bool:
    return chain.exposed == frozenset(chain.table.seats)


def _is_due_to_open(parting: state.Parting) -> bool:
    """Whether this seat has to open its book now: the first seat without a win begins."""
    chain = parting.chain
    if not _all_open(parting) or chain.seat in chain.exposed:
        return False
    winners = () if chain.ended is None else chain.ended.winners
    first = min(set(chain.table.seats) - set(winners), default=0)
    return chain.seat == first or bool(chain.exposed)
